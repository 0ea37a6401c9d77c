//! Endgame scaling: endings that are drawn more often than their material says.

use super::groups::*;
use crate::position::{BitBoard, Color, PHASE, Piece, Position};

/// The weight by which the value is scaled, given its endgame half from White's side. (In this form Ethereal's
/// idea, GPL-3.0.)
#[inline(always)]
pub fn of(position: &Position, endgame: i32) -> usize {
    let strong = if endgame >= 0 { Color::White } else { Color::Black };
    let pawns = position.colored_pieces(strong, Piece::Pawn).len() as usize;
    if has_opposite_bishops(position) {
        let others =
            position.pieces(Piece::Knight) | position.pieces(Piece::Rook) | position.pieces(Piece::Queen);
        return match others.is_empty() {
            true => SCALE_OPPOSITE_BISHOPS,
            false => SCALE_OPPOSITE_BISHOPS_AND_PIECES,
        };
    }
    if pawns == 0 && pieces(position, strong) - pieces(position, !strong) <= PHASE[Piece::Knight as usize] {
        return SCALE_NO_PAWNS;
    }
    SCALE_PAWNS + pawns.min(8)
}

#[inline(always)]
fn has_opposite_bishops(position: &Position) -> bool {
    let bishops = position.pieces(Piece::Bishop);
    bishops.len() == 2
        && (bishops & BitBoard::DARK_SQUARES).len() == 1
        && (bishops & position.colors(Color::White)).len() == 1
}

/// Pieces in units of the game phase: a knight or bishop is one.
#[inline(always)]
fn pieces(position: &Position, color: Color) -> i32 {
    let count = |piece| position.colored_pieces(color, piece).len() as i32 * PHASE[piece as usize];
    Piece::ALL.into_iter().map(count).sum()
}
