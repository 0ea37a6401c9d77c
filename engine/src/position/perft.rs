//! Perft: the number of lines of legal moves of a given length, the standard test of move generators (chess programming
//! wiki).

use super::board::Position;
use super::moves::{Move, MoveList};

/// The number of lines of `depth` plies. The last ply is counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&mv| perft(&position.play(mv), depth - 1)).sum()
}

/// The number of lines of `depth` plies (at least 1) after each legal move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|&mv| (mv, perft(&position.play(mv), depth.saturating_sub(1)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        let start = Position::start();
        assert_eq!([0, 1, 2, 3, 4].map(|depth| perft(&start, depth)), [1, 20, 400, 8_902, 197_281]);
        assert_eq!(divide(&start, 3).iter().map(|&(_, lines)| lines).sum::<u64>(), 8_902);
    }
}
