//! Candidate `i` of a book in the making. A pure function of the seed, `i` and the number of plies, in which no engine has
//! a say: it stays the same whatever becomes of ours.

use super::start::{POSITIONS, start_position};
use super::stream::Stream;
use shakmaty::{Bitboard, Chess, File, Move, Position, Role, Square};

/// So many moves are drawn before an unusual one is played: such openings become rare, not impossible.
const DRAWS: usize = 3;

/// The position of this candidate; none if the game is over by then.
///
/// Fixed by the rules of chess and by these:
///
/// 1. The random numbers are those of the `Stream` of the seed and the candidate's number.
/// 2. The first draw, below 2, tells whether `plies` moves are played from the starting position, or one
///    more: so either side is to move equally often.
///    In Chess960 the next draw, below 960, tells which starting position that is ([`start_position`]).
/// 3. Each move is drawn from all legal ones, ordered by the square the piece comes from (a1, b1, … h8), by
///    the square it goes to (in castling, where the king arrives), and by what it becomes (knight, bishop,
///    rook, queen).
/// 4. A move that is unusual in an opening is put back and another drawn, twice at most: what the third
///    draw brings is played. Unusual are moves of king or rook other than castling, moves of a knight,
///    bishop or queen that has moved before, and moves to the a- or h-file.
pub fn candidate(seed: u64, number: u64, plies: u32, chess960: bool) -> Option<Chess> {
    let mut stream = Stream::new(seed, number);
    let plies = plies + stream.draw_below(2) as u32;
    let mut position = if chess960 { start_position(stream.draw_below(POSITIONS)) } else { Chess::new() };
    let mut arrived = Bitboard::EMPTY;
    for _ in 0..plies {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        moves.sort_by_key(order);
        let mut draw = || moves[stream.draw_below(moves.len())];
        let mut chosen = draw();
        for _ in 1..DRAWS {
            if is_unusual(chosen, arrived) {
                chosen = draw();
            }
        }
        if let Some(from) = chosen.from() {
            arrived.discard(from);
            arrived.add(target(chosen));
        }
        position.play_unchecked(chosen);
    }
    (!position.is_game_over()).then_some(position)
}

/// Where a move stands among the others of its position.
fn order(mv: &Move) -> (Option<Square>, Square, Option<Role>) {
    (mv.from(), target(*mv), mv.promotion())
}

/// The square where the moved piece arrives; in castling, the king.
fn target(mv: Move) -> Square {
    match (mv.castling_side(), mv.from()) {
        (Some(side), Some(king)) => Square::from_coords(side.king_to_file(), king.rank()),
        _ => mv.to(),
    }
}

/// `arrived` are the squares of the pieces that have moved.
fn is_unusual(mv: Move, arrived: Bitboard) -> bool {
    let moved_before = mv.from().is_some_and(|from| arrived.contains(from));
    let wrong_piece = match mv.role() {
        Role::Pawn => false,
        Role::King | Role::Rook => !mv.is_castle(),
        Role::Knight | Role::Bishop | Role::Queen => moved_before,
    };
    wrong_piece || matches!(target(mv).file(), File::A | File::H)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fen::fen_of;

    /// Books name their positions by seed and number: they may never change. The values come from a
    /// program in another language, written from the description alone.
    #[test]
    fn candidates_are_pinned() {
        for (seed, number, plies, expected) in [
            (1, 0, 8, "r1bqkb1r/pppppp1p/2n3p1/7n/3P4/4BP2/PPPNP1PP/R2QKBNR b KQkq -"),
            (1, 1, 8, "rnb1kbnr/pppqp2p/3p2p1/5p2/2P2PP1/7N/PP1PP2P/RNBQKB1R b KQkq -"),
            (7, 123_456, 8, "r1bqkb1r/pp1ppp1p/2n2np1/1Bp5/4P3/5N2/PPPP1PPP/RNBQ1RK1 w kq -"),
            (u64::MAX, 1 << 63, 60, "b1r5/p2kr1B1/np2q3/1P1nPp1p/3p1Pp1/P5PP/2P1NK1R/RN3B2 w - -"),
            (3, 5, 0, "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq -"),
        ] {
            let fen = fen_of(&candidate(seed, number, plies, false).unwrap());
            assert!(fen.starts_with(&format!("{expected} ")), "{seed} {number} {plies}: {fen}");
        }
    }

    #[test]
    fn either_side_is_to_move_equally_often() {
        let white =
            (0..10_000).filter(|&number| candidate(1, number, 2, false).unwrap().turn().is_white()).count();
        // Four standard deviations of a fair coin.
        assert!((4_800..=5_200).contains(&white), "{white}");
    }

    #[test]
    fn games_that_end_on_the_way_are_no_candidates() {
        let over = (0..100).filter(|&number| candidate(1, number, 400, false).is_none()).count();
        assert!((10..100).contains(&over), "{over}");
    }

    #[test]
    fn unusual_moves_are_rare() {
        let count = |is: fn(&Chess) -> bool| {
            (0..1_000).filter(|&number| is(&candidate(1, number, 8, false).unwrap_or_default())).count()
        };
        let kings_moved = count(|position| !position.castles().has_color(shakmaty::Color::White));
        assert!((1..150).contains(&kings_moved), "{kings_moved}");
    }
}
