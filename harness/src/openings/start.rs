//! Starting positions of Chess960 by their numbers.
//!
//! The numbering is Reinhard Scharnagl's (*Fischer-Random-Schach (FRC / Chess960)*, 2004): 0 is BBQNNRKR, 518 the position of normal chess,
//! 959 RKRNNQBB.

use crate::game::fen::fen_of;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

/// How many there are.
pub const POSITIONS: usize = 960;

/// Where the two knights stand among the five squares that are left for them, king and rooks.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// The starting position of this number, below [`POSITIONS`].
pub fn start_position(number: usize) -> Chess {
    let mut rank = [' '; 8];
    let (number, light) = (number / 4, number % 4);
    let (number, dark) = (number / 4, number % 4);
    rank[2 * light + 1] = 'B';
    rank[2 * dark] = 'B';
    let (knights, queen) = (number / 6, number % 6);
    let free = free_files(&rank);
    rank[free[queen]] = 'Q';
    let free = free_files(&rank);
    for place in KNIGHTS[knights % KNIGHTS.len()] {
        rank[free[place]] = 'N';
    }
    for (file, piece) in free_files(&rank).into_iter().zip(['R', 'K', 'R']) {
        rank[file] = piece;
    }
    let white: String = rank.iter().collect();
    let black = white.to_ascii_lowercase();
    let fen: Fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1").parse().expect("a FEN");
    fen.into_position(CastlingMode::Chess960).expect("a legal position")
}

fn free_files(rank: &[char; 8]) -> Vec<usize> {
    (0..8).filter(|&file| rank[file] == ' ').collect()
}

/// Its first rank as White sees it: `RNBQKBNR`.
pub fn first_rank(position: &Chess) -> String {
    let fen = fen_of(position);
    let board = fen.split(' ').next().unwrap_or_default();
    board.rsplit('/').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_numbers_are_those_of_the_published_table() {
        for (number, rank) in [(0, "BBQNNRKR"), (518, "RNBQKBNR"), (959, "RKRNNQBB")] {
            assert_eq!(first_rank(&start_position(number)), rank, "{number}");
        }
    }

    #[test]
    fn all_are_different_and_have_the_king_between_the_rooks() {
        let ranks: BTreeSet<_> = (0..POSITIONS).map(|number| first_rank(&start_position(number))).collect();
        assert_eq!(ranks.len(), POSITIONS);
        for rank in ranks {
            let place = |piece| rank.find(piece).unwrap();
            assert!(place('R') < place('K') && place('K') < rank.rfind('R').unwrap(), "{rank}");
            assert_ne!(place('B') % 2, rank.rfind('B').unwrap() % 2, "{rank}");
        }
    }
}
