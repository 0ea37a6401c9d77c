//! Square masks that several terms share.

use crate::position::{BitBoard, Color, Square};
use cozy_chess::get_king_moves;

/// Forward ranks: all squares on the ranks in front of this square, as its colour sees it.
#[inline(always)]
pub fn ranks_ahead(square: Square, color: Color) -> BitBoard {
    let rank = square.rank() as u32;
    BitBoard(match color {
        Color::White => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => (1 << (8 * rank)) - 1,
    })
}

/// King ring: the king and the squares next to it.
#[inline(always)]
pub fn ring(king: Square) -> BitBoard {
    get_king_moves(king) | king.bitboard()
}

/// The file from the nearer edge of the board, 0 to 3.
#[inline(always)]
pub fn half_file(square: Square) -> usize {
    let file = square.file() as usize;
    file.min(7 - file)
}
