//! Making a move: the position after it.
//!
//! Copy and change: the old position stays, so that nothing needs to be taken back. Everything that
//! can be kept up to date by a difference is; debug builds compare it with a fresh computation.

use super::board::Position;
use super::castling::Wing;
use super::castling::back_rank;
use super::generate::en_passant_victim;
use super::keys;
use super::moves::Move;
use super::phase::PHASE;
use cozy_chess::get_pawn_attacks;
use cozy_chess::{BitBoard, Color, Piece, Square};

impl Position {
    /// The position after a legal move.
    #[inline]
    pub fn play(&self, mv: Move) -> Position {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self}");
        let mut next = self.clone();
        next.make(self, mv);
        debug_assert!(next == next.recomputed(), "{mv:?} in {self} was not played well");
        next
    }

    /// The key of the position after a legal move, as far as the piece that moves and the one it takes decide it. What
    /// castling, promotion and en passant change besides is left out: good enough to fetch memory by.
    #[inline]
    pub fn probable_key_after(&self, mv: Move) -> u64 {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let moved =
            self.piece_on(from).map_or(0, |piece| keys::piece(us, piece, from) ^ keys::piece(us, piece, to));
        let taken = self.piece_on(to).map_or(0, |piece| keys::piece(!us, piece, to));
        let passed = self.en_passant.map_or(0, keys::en_passant);
        self.key ^ keys::BLACK_TO_MOVE ^ moved ^ taken ^ passed
    }

    /// Plays a legal move on the copy `self` of `before`. What the move does is read from the original:
    /// reading it back from bytes just copied is a sixth slower (measured).
    fn make(&mut self, before: &Position, mv: Move) {
        let us = before.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let piece = before.piece_on(from).expect("a legal move moves a piece");
        self.clear_en_passant();
        self.halfmove_clock += 1;

        if mv.is_castling() {
            let (king_to, rook_to) = Wing::of(from, to).destinations(us);
            self.remove(us, Piece::King, from);
            self.remove(us, Piece::Rook, to);
            self.put(us, Piece::King, king_to);
            self.put(us, Piece::Rook, rook_to);
        } else {
            if let Some(captured) = before.captured_piece(mv) {
                let square = if mv.is_en_passant() { en_passant_victim(to) } else { to };
                self.remove(!us, captured, square);
                self.halfmove_clock = 0;
            }
            match mv.promotion() {
                None => self.relocate(us, piece, from, to),
                Some(promoted) => {
                    self.remove(us, Piece::Pawn, from);
                    self.put(us, promoted, to);
                }
            }
        }
        self.drop_castling(from.bitboard() | to.bitboard());
        if piece == Piece::King {
            self.drop_castling(back_rank(us).bitboard());
        }

        self.pass_turn();
        if piece == Piece::Pawn {
            self.halfmove_clock = 0;
            if (from as u8).abs_diff(to as u8) == 16 {
                self.offer_en_passant(Square::index_const((from as usize + to as usize) / 2));
            }
        }
        self.update_checks();
    }

    /// The position after the side to move has passed its turn, which no rule allows but search does.
    /// The side to move must not be in check.
    pub fn play_null(&self) -> Position {
        debug_assert!(!self.in_check(), "no side may pass in check: {self}");
        let mut next = self.clone();
        next.clear_en_passant();
        next.halfmove_clock += 1;
        next.pass_turn();
        next.update_checks();
        debug_assert!(next == next.recomputed(), "passing in {self} was not played well");
        next
    }

    /// A board without pieces, White to move, to put pieces on.
    pub(super) fn empty() -> Position {
        Position {
            pieces: [BitBoard::EMPTY; Piece::NUM],
            colors: [BitBoard::EMPTY; Color::NUM],
            board: [None; Square::NUM],
            castling: BitBoard::EMPTY,
            checkers: BitBoard::EMPTY,
            pinned: BitBoard::EMPTY,
            key: 0,
            pawn_key: 0,
            non_pawn_keys: [0; Color::NUM],
            phase: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            side_to_move: Color::White,
            en_passant: None,
        }
    }

    /// The same position put together from its pieces, castling rights and the rest, with everything
    /// that derives from these computed afresh.
    pub(super) fn recomputed(&self) -> Position {
        let mut fresh = Position::empty();
        for color in Color::ALL {
            for square in self.colors(color) {
                let piece = self.piece_on(square).expect("an occupied square holds a piece");
                fresh.put(color, piece, square);
            }
        }
        if self.side_to_move == Color::Black {
            fresh.pass_turn();
        }
        for rook in self.castling {
            fresh.grant_castling(rook);
        }
        if let Some(square) = self.en_passant {
            fresh.offer_en_passant(square);
        }
        fresh.halfmove_clock = self.halfmove_clock;
        fresh.fullmove_number = self.fullmove_number;
        fresh.update_checks();
        fresh
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle(color, piece, square);
        self.board[square as usize] = Some(piece);
        self.phase += PHASE[piece as usize];
    }

    #[inline]
    fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle(color, piece, square);
        self.board[square as usize] = None;
        self.phase -= PHASE[piece as usize];
    }

    /// Moves a piece to an empty square.
    #[inline]
    fn relocate(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        self.toggle(color, piece, from);
        self.toggle(color, piece, to);
        self.board[from as usize] = None;
        self.board[to as usize] = Some(piece);
    }

    /// Adds or takes away a piece in bitboards and keys alike.
    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[piece as usize] ^= square.bitboard();
        self.colors[color as usize] ^= square.bitboard();
        let key = keys::piece(color, piece, square);
        self.key ^= key;
        if piece == Piece::Pawn {
            self.pawn_key ^= key;
        } else {
            self.non_pawn_keys[color as usize] ^= key;
        }
    }

    /// Hands the move to the other side, without looking for checks.
    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.fullmove_number += (self.side_to_move == Color::Black) as u16;
        self.side_to_move = !self.side_to_move;
        self.key ^= keys::BLACK_TO_MOVE;
    }

    /// Gives the right to castle with the rook on this square.
    pub(super) fn grant_castling(&mut self, rook: Square) {
        self.castling |= rook.bitboard();
        self.key ^= keys::castling(rook);
    }

    /// Takes away the right to castle with rooks on these squares, where it still stands.
    #[inline]
    fn drop_castling(&mut self, squares: BitBoard) {
        for rook in self.castling & squares {
            self.key ^= keys::castling(rook);
        }
        self.castling &= !squares;
    }

    /// Allows the capture en passant on `square`, if it is legal for some pawn of the side to move.
    #[inline]
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let us = self.side_to_move;
        let mut capturers = (get_pawn_attacks(square, !us) & self.colored_pieces(us, Piece::Pawn)).iter();
        if capturers.any(|from| self.is_legal_en_passant(from, square)) {
            self.en_passant = Some(square);
            self.key ^= keys::en_passant(square);
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= keys::en_passant(square);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(fen: &str, moves: &[&str]) -> Position {
        moves.iter().fold(Position::from_fen(fen).expect(fen), |position, uci| {
            position.play(position.parse_uci(uci).expect(uci))
        })
    }

    #[test]
    fn counters_follow_the_rules() {
        let position = after("4k3/8/8/8/8/8/4P3/R3K3 w Q - 7 20", &["a1a2", "e8d8"]);
        assert_eq!((position.halfmove_clock(), position.fullmove_number()), (9, 21));
        assert_eq!(after("4k3/8/8/8/8/8/4P3/R3K3 w Q - 7 20", &["e2e4"]).halfmove_clock(), 0);
        assert_eq!(after("4k3/8/8/8/8/8/4n3/R3K3 w Q - 7 20", &["e1e2"]).halfmove_clock(), 0);
        assert_eq!(after("4k3/8/8/8/8/8/4P3/R3K3 w Q - 7 20", &["e1c1"]).halfmove_clock(), 8);
    }

    #[test]
    fn the_key_after_a_plain_move_is_known_beforehand() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = Position::from_fen(fen).expect(fen);
        for uci in ["a2a3", "e5g4", "d5e6", "e2a6", "f3f6", "g2h3"] {
            let mv = position.parse_uci(uci).expect(uci);
            assert_eq!(position.probable_key_after(mv), position.play(mv).key(), "{uci}");
        }
    }

    #[test]
    fn castling_rights_go_with_king_and_rook() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(after(fen, &["a1a8"]).to_string(), "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
        assert_eq!(after(fen, &["e1e2"]).to_string(), "r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1");
        assert_eq!(after(fen, &["e1g1"]).to_string(), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
        assert_eq!(after(fen, &["e1c1", "e8g8"]).to_string(), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
    }

    #[test]
    fn kings_castle_over_their_own_rooks() {
        assert_eq!(
            after("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", &["f1g1"]).to_string(),
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
        );
        assert_eq!(
            after("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", &["c1b1"]).to_string(),
            "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"
        );
    }

    #[test]
    fn en_passant_counts_only_where_it_can_be_played() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(after(start, &["e2e4"]).en_passant(), None);
        let position = after(start, &["e2e4", "a7a6", "e4e5", "d7d5"]);
        assert_eq!(position.en_passant(), Some(Square::D6));
        assert_ne!(position.key(), after(start, &["e2e4", "d7d6", "e4e5", "d6d5", "a2a3", "a7a6"]).key());
        let captured = position.play(position.parse_uci("e5d6").expect("legal"));
        assert_eq!(captured.piece_on(Square::D5), None);
        assert_eq!(position.play_null().en_passant(), None);
    }

    #[test]
    fn transpositions_share_keys() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let one = after(start, &["e2e4", "e7e5", "g1f3", "b8c6"]);
        let other = after(start, &["g1f3", "b8c6", "e2e4", "e7e5"]);
        assert_eq!(one.key(), other.key());
        assert_eq!(one.pawn_key(), other.pawn_key());
        assert_eq!(one.non_pawn_key(Color::White), other.non_pawn_key(Color::White));
    }
}
