//! Static evaluation: what a position is worth without searching.
//!
//! Tapered: every term has a middlegame and an endgame value, mixed by the pieces left on the board.
//! All its numbers are in [`weights`].

mod king;
mod pawns;
mod pieces;
pub mod score;
pub mod weights;

pub use score::Score;

use crate::position::{BitBoard, Color, Piece, Position};

/// No evaluation is greater, so that none is taken for a mate score.
pub const MAX_EVALUATION: i32 = 20_000;

/// The value of a position in centipawns from the side to move, within ±[`MAX_EVALUATION`].
pub fn evaluate(position: &Position) -> i32 {
    let sum = position.piece_square_sum() + side(position, Color::White) - side(position, Color::Black);
    let phase = position.phase().min(weights::FULL_PHASE);
    let white = sum.taper(phase, weights::FULL_PHASE);
    let own = match position.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    };
    (own + weights::TEMPO).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// Everything but material and squares, for one side.
fn side(position: &Position, color: Color) -> Score {
    let activity = pieces::activity(position, color);
    let pair = match position.colored_pieces(color, Piece::Bishop).len() >= 2 {
        true => weights::BISHOP_PAIR,
        false => Score::ZERO,
    };
    activity + pair + pawns::structure(position, color) + king::shelter(position, color)
}

/// The squares that pawns of this colour attack.
fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let BitBoard(pawns) = pawns;
    BitBoard(match color {
        Color::White => ((pawns & NOT_A) << 7) | ((pawns & NOT_H) << 9),
        Color::Black => ((pawns & NOT_A) >> 9) | ((pawns & NOT_H) >> 7),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> i32 {
        evaluate(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn colours_mirrored_are_worth_the_same() {
        for (white, black) in [
            (
                "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10",
                "r2q1rk1/pp3ppp/2nbpn2/3p1b2/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 10",
            ),
            ("8/5k2/8/2P5/8/8/3K4/8 w - - 0 1", "8/3k4/8/8/2p5/8/5K2/8 b - - 0 1"),
            ("4k3/8/8/8/8/6p1/8/R3K2R w KQ - 0 1", "r3k2r/8/6P1/8/8/8/8/4K3 b kq - 0 1"),
        ] {
            assert_eq!(value(white), value(black), "{white}");
        }
    }

    #[test]
    fn each_term_pulls_in_its_direction() {
        // (better, worse) for White to move, by one trait each.
        for (better, worse, why) in [
            ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1", "bishop pair"),
            ("4k3/p7/8/8/3P4/2P5/8/4K3 w - - 0 1", "4k3/p7/8/8/3P4/3P4/8/4K3 w - - 0 1", "doubled pawns"),
            ("4k3/7p/8/P7/8/8/8/4K3 w - - 0 1", "4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", "passed pawn"),
        ] {
            assert!(value(better) > value(worse), "{why}: {} against {}", value(better), value(worse));
        }
    }

    #[test]
    fn the_opening_position_is_worth_the_move() {
        assert_eq!(value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), weights::TEMPO);
    }
}
