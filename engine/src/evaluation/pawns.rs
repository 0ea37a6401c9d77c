//! Pawn structure: which pawns are weak, which stand together, which may queen.

use super::score::Score;
use super::weights::*;
use crate::position::{BitBoard, Color, Piece, Position, Square};
use cozy_chess::get_pawn_attacks;

/// The worth of one side's pawn structure, from that side.
pub fn structure(position: &Position, color: Color) -> Score {
    let own = position.colored_pieces(color, Piece::Pawn);
    let enemy = position.colored_pieces(!color, Piece::Pawn);
    let mut score = Score::ZERO;
    for pawn in own {
        let rank = pawn.rank().relative_to(color) as usize;
        let file = pawn.file().bitboard();
        let beside = pawn.file().adjacent();
        let ahead = ranks_ahead(pawn, color);

        let neighbours = own & beside;
        let guarded_or_flanked =
            !(neighbours & (pawn.rank().bitboard() | get_pawn_attacks(pawn, !color))).is_empty();
        if guarded_or_flanked {
            score += CONNECTED_PAWN[rank];
        } else if neighbours.is_empty() {
            score += ISOLATED_PAWN;
        } else if (neighbours & !ahead).is_empty()
            && !(enemy & get_pawn_attacks(square_ahead(pawn, color), color)).is_empty()
        {
            score += BACKWARD_PAWN;
        }

        if !(own & file & ahead).is_empty() {
            score += DOUBLED_PAWN;
        } else if (enemy & (file | beside) & ahead).is_empty() {
            score += passed(position, pawn, color, rank);
        }
    }
    score
}

/// A passed pawn is worth more the further it is, the less its way is blocked, and the nearer its own
/// king and the farther the enemy's is from the square before it.
fn passed(position: &Position, pawn: Square, color: Color, rank: usize) -> Score {
    let stop = square_ahead(pawn, color);
    let mut score = PASSED_PAWN[rank];
    if position.occupied().has(stop) {
        score += BLOCKED_PASSER[rank];
    }
    let beyond_third = rank as i32 - 2;
    if beyond_third > 0 {
        score += PASSER_ENEMY_KING_DISTANCE * (distance(position.king(!color), stop) * beyond_third);
        score += PASSER_OWN_KING_DISTANCE * (distance(position.king(color), stop) * beyond_third);
    }
    score
}

/// King moves from one square to another on an empty board.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// The square before a pawn; pawns never stand on the last rank.
fn square_ahead(pawn: Square, color: Color) -> Square {
    Square::index(match color {
        Color::White => pawn as usize + 8,
        Color::Black => pawn as usize - 8,
    })
}

/// All squares on the ranks before this square, as its colour sees it.
pub fn ranks_ahead(square: Square, color: Color) -> BitBoard {
    let rank = square.rank() as u32;
    BitBoard(match color {
        Color::White => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => (1 << (8 * rank)) - 1,
    })
}
