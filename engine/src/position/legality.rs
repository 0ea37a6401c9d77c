//! What does this one move do here: is it legal, does it capture, does it give check?

use super::generate::{en_passant_victim, piece_attacks};
use super::{Move, Piece, Position, Rank, Wing};
use cozy_chess::{
    get_bishop_moves, get_bishop_rays, get_king_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

impl Position {
    /// Is the move legal here? Any move may be asked about, such as one from a hash table that
    /// belongs to another position.
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

    /// Does this legal move take a piece?
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

    /// Is this legal move one of [`captures`](Position::captures): a capture or a promotion?
    #[inline]
    pub fn is_tactical(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.is_promotion()
    }

    /// Does this legal move give check?
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };

        let mut vacated = from.bitboard();
        let mut arrived = to.bitboard();
        let is_direct = if mv.is_castling() {
            // The king's departure along the back rank uncovers nothing that the rook does not block.
            let (king_to, rook_to) = Wing::of(from, to).destinations(us);
            vacated |= to.bitboard();
            arrived = king_to.bitboard() | rook_to.bitboard();
            get_rook_moves(rook_to, (self.occupied() & !vacated) | arrived).has(king)
        } else if mv.is_en_passant() {
            vacated |= en_passant_victim(to).bitboard();
            get_pawn_attacks(to, us).has(king)
        } else {
            match mv.promotion().unwrap_or(piece) {
                Piece::Pawn => get_pawn_attacks(to, us).has(king),
                // The piece no longer blocks its own way: a promoted pawn checks backwards.
                piece => piece_attacks(piece, to, self.occupied() & !vacated).has(king),
            }
        };
        if is_direct {
            return true;
        }
        let is_on_line = !((get_bishop_rays(king) | get_rook_rays(king)) & vacated).is_empty();
        if !is_on_line {
            return false;
        }
        let occupied = (self.occupied() & !vacated) | arrived;
        let stayed = !vacated;
        !(get_bishop_moves(king, occupied) & self.diagonal_sliders(us) & stayed).is_empty()
            || !(get_rook_moves(king, occupied) & self.straight_sliders(us) & stayed).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gives_check(fen: &str, uci: &str) -> bool {
        let position = Position::from_fen(fen).expect(fen);
        let mv = position.parse_uci(uci).expect(uci);
        assert_eq!(position.play(mv).in_check(), position.gives_check(mv), "{fen} {uci}");
        position.gives_check(mv)
    }

    #[test]
    fn checks_of_every_kind_are_foreseen() {
        assert!(gives_check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "the castled rook");
        assert!(!gives_check("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "e7e8q"));
        assert!(gives_check("8/4P1k1/8/8/8/8/8/K7 w - - 0 1", "e7e8n"), "a promotion to a knight");
        assert!(gives_check("8/8/4P3/8/k7/8/8/K3R3 w - - 0 1", "e1e4"), "a rook");
        assert!(gives_check("4k3/8/8/4N3/8/8/8/K3R3 w - - 0 1", "e5c4"), "a discovered check");
        assert!(gives_check("8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1", "e5d6"), "two pawns leave the rank");
        assert!(!gives_check("4k3/4P3/8/8/8/8/8/K3R3 w - - 0 1", "e1d1"));
        assert!(
            gives_check("8/4P3/8/8/4k3/8/8/K7 w - - 0 1", "e7e8r"),
            "backwards through the pawn's square"
        );
    }
}
