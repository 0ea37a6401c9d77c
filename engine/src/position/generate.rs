//! Move generation: the legal moves of a position.
//!
//! Nothing illegal is generated and taken back: a piece may go only where it answers a check (the
//! evasion mask), and a pinned one only along the line to its king. What these two cannot see is
//! tested move by move: king moves, castling, and en passant, which lifts two pawns off one rank.

use super::board::{Position, first_square, is_single};
use super::moves::{Move, MoveList};
use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_pawn_quiets, get_rook_moves,
};

impl Position {
    /// Appends every legal move.
    pub fn legal_moves(&self, list: &mut MoveList) {
        self.captures(list);
        self.quiets(list);
    }

    /// Appends the legal captures, en passant included, and all legal promotions, capturing or not.
    pub fn captures(&self, list: &mut MoveList) {
        let us = self.side_to_move;
        let theirs = self.colors(!us);
        let evasions = self.evasions();
        if !evasions.is_empty() {
            self.push_pawn_captures(evasions, list);
            self.push_piece_moves(theirs & evasions, list);
        }
        self.push_king_steps(theirs, list);
    }

    /// Appends the legal moves that [`captures`](Position::captures) leaves out, castling included.
    pub fn quiets(&self, list: &mut MoveList) {
        let empty = !self.occupied();
        let evasions = self.evasions();
        if !evasions.is_empty() {
            self.push_pawn_advances(evasions, list);
            self.push_piece_moves(empty & evasions, list);
            self.push_castling(list);
        }
        self.push_king_steps(empty, list);
    }

    /// Whether there is a legal move; stops at the first.
    pub fn has_legal_move(&self) -> bool {
        let us = self.side_to_move;
        let king = self.king(us);
        (get_king_moves(king) & !self.colors(us)).iter().any(|to| self.is_safe_for_king(to))
            || Piece::ALL.into_iter().filter(|&piece| piece != Piece::King).any(|piece| {
                let mut pieces = self.colored_pieces(us, piece).iter();
                pieces.any(|from| !self.destinations(piece, from).is_empty())
            })
            || self.en_passant.is_some()
            || (self.castling & self.colors(us)).iter().any(|rook| self.can_castle(rook))
    }

    /// The squares a piece other than the king must go to, for the king to be safe: anywhere without
    /// check, nowhere in double check.
    #[inline]
    fn evasions(&self) -> BitBoard {
        if self.checkers.is_empty() {
            BitBoard::FULL
        } else if is_single(self.checkers) {
            get_between_rays(first_square(self.checkers), self.king(self.side_to_move)) | self.checkers
        } else {
            BitBoard::EMPTY
        }
    }

    /// The squares a piece on `from` may go to for all its pin allows.
    #[inline]
    fn pin_line(&self, from: Square) -> BitBoard {
        if self.pinned.has(from) { get_line_rays(self.king(self.side_to_move), from) } else { BitBoard::FULL }
    }

    /// The squares the piece on `from`, of the side to move and no king, can legally go to, en passant
    /// aside.
    #[inline]
    pub(super) fn destinations(&self, piece: Piece, from: Square) -> BitBoard {
        let us = self.side_to_move;
        let reach = match piece {
            Piece::Pawn => {
                (get_pawn_attacks(from, us) & self.colors(!us)) | get_pawn_quiets(from, us, self.occupied())
            }
            _ => piece_attacks(piece, from, self.occupied()) & !self.colors(us),
        };
        reach & self.evasions() & self.pin_line(from)
    }

    /// Whether the king of the side to move may step to this square.
    #[inline]
    pub(super) fn is_safe_for_king(&self, to: Square) -> bool {
        let us = self.side_to_move;
        !self.is_attacked_by(!us, to, self.occupied() & !self.king(us).bitboard())
    }

    /// Whether the pawn on `from` leaves its king safe when it captures en passant on `to`.
    pub(super) fn is_legal_en_passant(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let victim = en_passant_victim(to).bitboard();
        let occupied = (self.occupied() & !from.bitboard() & !victim) | to.bitboard();
        (self.attackers_to(self.king(us), occupied) & self.colors(!us) & !victim).is_empty()
    }

    #[inline]
    fn push_king_steps(&self, targets: BitBoard, list: &mut MoveList) {
        let king = self.king(self.side_to_move);
        for to in get_king_moves(king) & targets {
            if self.is_safe_for_king(to) {
                list.push(Move::normal(king, to));
            }
        }
    }

    #[inline]
    fn push_piece_moves(&self, targets: BitBoard, list: &mut MoveList) {
        self.push_moves_of(Piece::Knight, targets, list);
        self.push_moves_of(Piece::Bishop, targets, list);
        self.push_moves_of(Piece::Rook, targets, list);
        self.push_moves_of(Piece::Queen, targets, list);
    }

    /// Inlined for each kind, so that the choice of attack table is made at compile time.
    #[inline(always)]
    fn push_moves_of(&self, piece: Piece, targets: BitBoard, list: &mut MoveList) {
        let occupied = self.occupied();
        for from in self.colored_pieces(self.side_to_move, piece) {
            for to in piece_attacks(piece, from, occupied) & targets & self.pin_line(from) {
                list.push(Move::normal(from, to));
            }
        }
    }

    /// Captures and promotions of pawns, all pawns at once in each direction.
    fn push_pawn_captures(&self, evasions: BitBoard, list: &mut MoveList) {
        let us = self.side_to_move;
        let pawns = self.colored_pieces(us, Piece::Pawn);
        let targets = self.colors(!us) & evasions;
        let up = up(us);
        let to_left = BitBoard(advance(pawns & !File::A.bitboard(), us).0 >> 1) & targets;
        let to_right = BitBoard(advance(pawns & !File::H.bitboard(), us).0 << 1) & targets;
        let ahead = advance(pawns, us) & !self.occupied() & evasions;
        let last = Rank::Eighth.relative_to(us).bitboard();

        for (arrivals, step) in [(to_left & last, up - 1), (to_right & last, up + 1), (ahead & last, up)] {
            self.for_each_pawn(arrivals, step, |from, to| {
                for piece in [Piece::Queen, Piece::Knight, Piece::Rook, Piece::Bishop] {
                    list.push(Move::promoting(from, to, piece));
                }
            });
        }
        for (arrivals, step) in [(to_left & !last, up - 1), (to_right & !last, up + 1)] {
            self.for_each_pawn(arrivals, step, |from, to| list.push(Move::normal(from, to)));
        }
        if let Some(to) = self.en_passant {
            for from in get_pawn_attacks(to, !us) & pawns {
                if self.is_legal_en_passant(from, to) {
                    list.push(Move::capturing_en_passant(from, to));
                }
            }
        }
    }

    /// Pawn moves straight ahead, short of the last rank.
    fn push_pawn_advances(&self, evasions: BitBoard, list: &mut MoveList) {
        let us = self.side_to_move;
        let empty = !self.occupied();
        let pawns = self.colored_pieces(us, Piece::Pawn) & !Rank::Seventh.relative_to(us).bitboard();
        let single = advance(pawns, us) & empty;
        let double = advance(single & Rank::Third.relative_to(us).bitboard(), us) & empty;
        for (arrivals, step) in [(single, up(us)), (double, 2 * up(us))] {
            self.for_each_pawn(arrivals & evasions, step, |from, to| list.push(Move::normal(from, to)));
        }
    }

    /// Calls `push` with from- and to-square of each pawn that arrives by the same step on one of
    /// `arrivals`, unless it is pinned and would leave the line.
    #[inline(always)]
    fn for_each_pawn(&self, arrivals: BitBoard, step: i8, mut push: impl FnMut(Square, Square)) {
        for to in arrivals {
            // A pawn came from inside the board: the mask only spares the compiler a bounds check.
            let from = Square::index_const((to as i8 - step) as usize & 63);
            if self.pin_line(from).has(to) {
                push(from, to);
            }
        }
    }
}

/// The squares a piece other than a pawn attacks.
#[inline(always)]
pub(super) fn piece_attacks(piece: Piece, from: Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, occupied),
        Piece::Rook => get_rook_moves(from, occupied),
        Piece::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
        Piece::King => get_king_moves(from),
        Piece::Pawn => unreachable!("a pawn's attacks depend on its colour"),
    }
}

/// The square of the pawn that an en passant capture on `to` takes: a rank nearer to its own side.
#[inline]
pub(super) fn en_passant_victim(to: Square) -> Square {
    Square::index_const(to as usize ^ 8)
}

/// What one rank towards the enemy adds to a square's number.
#[inline]
fn up(color: Color) -> i8 {
    match color {
        Color::White => 8,
        Color::Black => -8,
    }
}

/// All squares moved one rank towards the enemy.
#[inline]
fn advance(squares: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).expect(fen);
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        assert_eq!(position.has_legal_move(), !list.is_empty(), "{fen}");
        let mut moves: Vec<String> = list.iter().map(|mv| mv.to_uci(false)).collect();
        moves.sort();
        moves
    }

    #[test]
    fn the_most_moves_fit_into_a_list() {
        assert_eq!(moves("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").len(), 218);
    }

    #[test]
    fn mate_and_stalemate_have_no_moves() {
        assert!(moves("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").is_empty());
        assert!(moves("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_empty());
    }

    #[test]
    fn castling_can_be_the_only_move() {
        assert_eq!(moves("k3r3/8/8/8/8/6p1/6P1/5KRB w G - 0 1"), ["f1g1"]);
    }

    #[test]
    fn en_passant_that_uncovers_a_check_is_illegal() {
        // Along the rank both pawns vanish; along the diagonal only the captured one was in the way.
        assert!(!moves("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1").contains(&"d4e3".to_string()));
        assert!(!moves("8/5k2/8/8/2pP4/8/B7/4K3 b - d3 0 1").contains(&"c4d3".to_string()));
        assert!(moves("8/8/8/8/k2pP3/8/8/4K3 b - e3 0 1").contains(&"d4e3".to_string()));
    }

    #[test]
    fn en_passant_can_be_the_only_answer_to_a_check() {
        let fen = "8/8/8/1k6/2Pp4/8/8/4K3 b - c3 0 1";
        assert!(moves(fen).contains(&"d4c3".to_string()));
    }
}
