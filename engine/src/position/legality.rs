//! Legality of one move, and what it does.

use super::board::Position;
use super::moves::Move;
use cozy_chess::{Piece, Rank};
use cozy_chess::{get_king_moves, get_pawn_attacks};

impl Position {
    /// Whether the move is legal here. It may be any move, such as one of another position from a hash table.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        if !self.colors(us).has(from) || !mv.is_well_formed() {
            return false;
        }
        if mv.is_castling() {
            return from == self.king(us) && (self.castling & self.colors(us)).has(to) && self.can_castle(to);
        }
        if mv.is_en_passant() {
            return self.en_passant == Some(to)
                && self.pieces(Piece::Pawn).has(from)
                && get_pawn_attacks(from, us).has(to)
                && self.is_legal_en_passant(from, to);
        }
        let Some(piece) = self.piece_on(from) else { return false };
        let is_promotion = piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(us);
        mv.is_promotion() == is_promotion
            && match piece {
                Piece::King => (get_king_moves(from) & !self.colors(us)).has(to) && self.is_safe_for_king(to),
                _ => self.destinations(piece, from).has(to),
            }
    }

    /// Whether this legal move takes a piece.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.colors(!self.side_to_move).has(mv.to()) || mv.is_en_passant()
    }

    /// The piece this legal move takes.
    #[inline]
    pub fn captured_piece(&self, mv: Move) -> Option<Piece> {
        if mv.is_en_passant() {
            Some(Piece::Pawn)
        } else if mv.is_castling() {
            None
        } else {
            self.piece_on(mv.to())
        }
    }

    /// Whether this legal move is one of [`captures`](Position::captures): a capture or a promotion.
    #[inline]
    pub fn is_tactical(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.is_promotion()
    }
}
