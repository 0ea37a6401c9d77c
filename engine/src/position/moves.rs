//! Moves in 16 bits, and move lists.

use cozy_chess::{Piece, Square};
use std::num::NonZeroU16;
use std::ops::{Deref, DerefMut};

/// A move, in 16 bits: from-square (bits 0-5), to-square (6-11), promotion piece less one (12-13),
/// and kind (14-15). Castling is written as "king takes own rook", in normal chess too.
///
/// A move means something only in its position: ask [`Position::is_legal`](super::Position::is_legal)
/// about one from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const KIND_MASK: u16 = 3 << 14;
const PROMOTION: u16 = 1 << 14;
const EN_PASSANT: u16 = 2 << 14;
const CASTLING: u16 = 3 << 14;
const PROMOTION_PIECE_MASK: u16 = 3 << 12;

impl Move {
    /// A move that is neither promotion, en passant nor castling.
    #[inline]
    pub(super) fn normal(from: Square, to: Square) -> Move {
        Move::encode(from, to, 0)
    }

    /// A pawn's move to the last rank, to become a knight, bishop, rook or queen.
    #[inline]
    pub(super) fn promoting(from: Square, to: Square, piece: Piece) -> Move {
        debug_assert!(!matches!(piece, Piece::Pawn | Piece::King));
        Move::encode(from, to, PROMOTION | (piece as u16 - Piece::Knight as u16) << 12)
    }

    /// A pawn's capture of a pawn that just moved two squares; `to` is the empty square behind that pawn.
    #[inline]
    pub(super) fn capturing_en_passant(from: Square, to: Square) -> Move {
        Move::encode(from, to, EN_PASSANT)
    }

    /// The king on `king` castles with the rook on `rook`.
    #[inline]
    pub(super) fn castling(king: Square, rook: Square) -> Move {
        Move::encode(king, rook, CASTLING)
    }

    #[inline]
    fn encode(from: Square, to: Square, rest: u16) -> Move {
        let bits = from as u16 | (to as u16) << 6 | rest;
        Move(NonZeroU16::new(bits).expect("a move leads to another square than it comes from"))
    }

    /// The square the piece leaves.
    #[inline]
    pub fn from(self) -> Square {
        Square::index_const(self.raw() as usize & 63)
    }

    /// The square the piece arrives on; for castling, the rook's.
    #[inline]
    pub fn to(self) -> Square {
        Square::index_const((self.raw() >> 6) as usize & 63)
    }

    /// What the pawn becomes.
    #[inline]
    pub fn promotion(self) -> Option<Piece> {
        const PIECES: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        self.is_promotion().then(|| PIECES[(self.raw() >> 12) as usize & 3])
    }

    /// Whether a pawn reaches the last rank.
    #[inline]
    pub fn is_promotion(self) -> bool {
        self.raw() & KIND_MASK == PROMOTION
    }

    /// Whether this is an en passant capture.
    #[inline]
    pub fn is_en_passant(self) -> bool {
        self.raw() & KIND_MASK == EN_PASSANT
    }

    /// Whether this is castling.
    #[inline]
    pub fn is_castling(self) -> bool {
        self.raw() & KIND_MASK == CASTLING
    }

    /// Whether the bits that only promotions use are 0 in all other moves. Any other value is no move of any position.
    #[inline]
    pub(super) fn is_well_formed(self) -> bool {
        self.is_promotion() || self.raw() & PROMOTION_PIECE_MASK == 0
    }

    /// The 16 bits, for hash tables.
    #[inline]
    pub fn raw(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits: the inverse of [`Move::raw`], and `None` for 0. Other values may
    /// well be no legal move of any position.
    #[inline]
    pub fn from_raw(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).map(Move)
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_uci(true))
    }
}

/// A list of moves on the stack, long enough for every legal position: the most moves any has is 218.
///
/// Filling a new list costs a few nanoseconds; a search that keeps one per ply and clears it does
/// not pay even those.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    /// Being a byte, it cannot point outside the list, so that pushing needs no bounds check.
    len: u8,
}

impl MoveList {
    const CAPACITY: usize = 256;

    /// An empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList { moves: [Move(NonZeroU16::MIN); MoveList::CAPACITY], len: 0 }
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len as usize] = mv;
        self.len += 1;
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The moves, to reorder.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len as usize]
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len as usize]
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        self.as_mut_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_survives_the_encoding() {
        for (from, to) in [(Square::A1, Square::B1), (Square::H8, Square::A1), (Square::E2, Square::E4)] {
            let mv = Move::normal(from, to);
            assert_eq!((mv.from(), mv.to(), mv.promotion()), (from, to, None));
            assert!(!mv.is_castling() && !mv.is_en_passant() && !mv.is_promotion());
            for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                let mv = Move::promoting(from, to, piece);
                assert_eq!((mv.from(), mv.to(), mv.promotion()), (from, to, Some(piece)));
                assert!(mv.is_promotion() && !mv.is_castling() && !mv.is_en_passant());
            }
            let mv = Move::capturing_en_passant(from, to);
            assert_eq!((mv.from(), mv.to(), mv.is_en_passant(), mv.promotion()), (from, to, true, None));
            let mv = Move::castling(from, to);
            assert_eq!((mv.from(), mv.to(), mv.is_castling(), mv.promotion()), (from, to, true, None));
        }
    }

    #[test]
    fn raw_bits_round_trip() {
        assert_eq!(Move::from_raw(0), None);
        for bits in 1..=u16::MAX {
            assert_eq!(Move::from_raw(bits).map(Move::raw), Some(bits));
        }
    }

    #[test]
    fn a_list_holds_what_was_pushed() {
        let mut list = MoveList::new();
        assert!(list.is_empty());
        list.push(Move::normal(Square::E2, Square::E4));
        list.push(Move::normal(Square::D2, Square::D4));
        list.as_mut_slice().swap(0, 1);
        assert_eq!(format!("{list:?}"), "[d2d4, e2e4]");
        list.clear();
        assert_eq!(list.len(), 0);
    }
}
