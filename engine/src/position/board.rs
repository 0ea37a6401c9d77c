//! Board of the search: pieces, side to move, castling rights, checks, pins, hash keys and game phase.

use cozy_chess::{BitBoard, Color, Piece, Square};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_bishop_rays, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves, get_rook_rays,
};

/// A legal chess position, with what the search wants to know about it at hand.
///
/// Two positions are equal when everything about them is, move counters included.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    pub(super) pieces: [BitBoard; Piece::NUM],
    pub(super) colors: [BitBoard; Color::NUM],
    pub(super) board: [Option<Piece>; Square::NUM],
    /// Squares of the rooks that may still castle. Which wing a rook castles to follows from the side
    /// of its king it stands on, and a right is lost by clearing a square.
    pub(super) castling: BitBoard,
    pub(super) checkers: BitBoard,
    pub(super) pinned: BitBoard,
    pub(super) key: u64,
    pub(super) pawn_key: u64,
    pub(super) non_pawn_keys: [u64; Color::NUM],
    pub(super) phase: i32,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    pub(super) side_to_move: Color,
    /// Set only when a legal en passant capture exists.
    pub(super) en_passant: Option<Square>,
}

impl Position {
    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// All pieces of this kind, of both colours.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// All pieces of this colour.
    #[inline]
    pub fn colors(&self, color: Color) -> BitBoard {
        self.colors[color as usize]
    }

    /// The pieces of this colour and kind.
    #[inline]
    pub fn colored_pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.colors(color) & self.pieces(piece)
    }

    /// All squares with a piece on them.
    #[inline]
    pub fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// The kind of the piece on this square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square as usize]
    }

    /// The colour of the piece on this square.
    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.colors(color).has(square))
    }

    /// Where this side's king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        first_square(self.colored_pieces(color, Piece::King))
    }

    /// This side's pieces that move along diagonals: bishops and queens.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> BitBoard {
        self.colors(color) & (self.pieces(Piece::Bishop) | self.pieces(Piece::Queen))
    }

    /// This side's pieces that move along ranks and files: rooks and queens.
    #[inline]
    pub fn straight_sliders(&self, color: Color) -> BitBoard {
        self.colors(color) & (self.pieces(Piece::Rook) | self.pieces(Piece::Queen))
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> BitBoard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Pieces of the side to move that shield their own king from an enemy slider.
    #[inline]
    pub fn pinned(&self) -> BitBoard {
        self.pinned
    }

    /// The pieces of both colours that attack a square when `occupied` are the squares that block.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: BitBoard) -> BitBoard {
        (get_pawn_attacks(square, Color::Black) & self.colored_pieces(Color::White, Piece::Pawn))
            | (get_pawn_attacks(square, Color::White) & self.colored_pieces(Color::Black, Piece::Pawn))
            | (get_knight_moves(square) & self.pieces(Piece::Knight))
            | (get_king_moves(square) & self.pieces(Piece::King))
            | (get_bishop_moves(square, occupied) & (self.pieces(Piece::Bishop) | self.pieces(Piece::Queen)))
            | (get_rook_moves(square, occupied) & (self.pieces(Piece::Rook) | self.pieces(Piece::Queen)))
    }

    /// Does this side attack a square, when `occupied` are the squares that block? The cheap attackers
    /// are asked first.
    #[inline]
    pub fn is_attacked_by(&self, color: Color, square: Square, occupied: BitBoard) -> bool {
        let theirs = self.colors(color);
        let steps = (get_pawn_attacks(square, !color) & self.pieces(Piece::Pawn))
            | (get_knight_moves(square) & self.pieces(Piece::Knight))
            | (get_king_moves(square) & self.pieces(Piece::King));
        !(steps & theirs).is_empty()
            || !(get_bishop_moves(square, occupied) & self.diagonal_sliders(color)).is_empty()
            || !(get_rook_moves(square, occupied) & self.straight_sliders(color)).is_empty()
    }

    /// The square behind a pawn that just moved two squares, if it can legally be captured there.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move; the fifty-move rule asks for 100 of them.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move that is about to be played, from 1, counted as score sheets do.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The hash key of the position. Positions that a repetition claim treats as the same have the
    /// same key: move counters do not count, and en passant only when a legal capture exists.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The hash key of both sides' pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// The hash key of one side's pieces other than pawns, king included.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.non_pawn_keys[color as usize]
    }

    /// The game phase: [`PHASE`](super::PHASE) summed over all pieces. Promotions
    /// can lift it above `FULL_PHASE`.
    #[inline]
    pub fn phase(&self) -> i32 {
        self.phase
    }

    /// Whether this side has anything but king and pawns.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        self.colors(color) != self.colors(color) & (self.pieces(Piece::Pawn) | self.pieces(Piece::King))
    }

    /// Is no mate possible, by whatever moves? True for bare kings, one knight, and any number of
    /// bishops that all stand on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.pieces(Piece::Pawn) | self.pieces(Piece::Rook) | self.pieces(Piece::Queen);
        if !heavy.is_empty() {
            return false;
        }
        let (knights, bishops) = (self.pieces(Piece::Knight), self.pieces(Piece::Bishop));
        if knights.is_empty() {
            return bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES);
        }
        bishops.is_empty() && knights.len() == 1
    }

    /// Finds out anew who gives check and who is pinned, after a move or for a new position.
    pub(super) fn update_checks(&mut self) {
        let (us, them) = (self.side_to_move, !self.side_to_move);
        let king = self.king(us);
        let mut checkers = (get_knight_moves(king) & self.colored_pieces(them, Piece::Knight))
            | (get_pawn_attacks(king, us) & self.colored_pieces(them, Piece::Pawn));
        let mut pinned = BitBoard::EMPTY;
        let occupied = self.occupied();
        let sliders = (get_bishop_rays(king) & self.diagonal_sliders(them))
            | (get_rook_rays(king) & self.straight_sliders(them));
        for slider in sliders {
            let between = get_between_rays(slider, king) & occupied;
            if between.is_empty() {
                checkers |= slider.bitboard();
            } else if is_single(between) {
                pinned |= between;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned & self.colors(us);
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({self})")
    }
}

/// The first square of a bitboard that is known not to be empty. The mask spares the compiler a
/// bounds check it cannot prove away.
#[inline]
pub(super) fn first_square(bitboard: BitBoard) -> Square {
    debug_assert!(!bitboard.is_empty());
    Square::index_const(bitboard.0.trailing_zeros() as usize & 63)
}

/// Whether exactly one square is set. The bitboard must not be empty. Cheaper than counting where the
/// processor has no instruction for it.
#[inline]
pub(super) fn is_single(bitboard: BitBoard) -> bool {
    bitboard.0 & (bitboard.0 - 1) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    #[test]
    fn insufficient_material_is_only_where_no_mate_exists() {
        let dead = [
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3Kb3/8/8 b - - 0 1",
            "8/2b5/4k3/8/8/3KB3/8/8 w - - 0 1", // c7 and e3 are both dark
            "8/2b5/4k3/b7/8/3KB3/8/2B3B1 w - - 0 1",
        ];
        for fen in dead {
            assert!(position(fen).is_insufficient_material(), "{fen}");
        }
        let alive = [
            "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3K1R2/8/8 w - - 0 1",
            "8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
            "8/8/4k1n1/8/8/3KN3/8/8 w - - 0 1",
            "8/8/4k1b1/8/8/3KN3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KBB2/8/8 w - - 0 1",
            "8/3b4/4k3/8/8/3KB3/8/8 w - - 0 1",
        ];
        for fen in alive {
            assert!(!position(fen).is_insufficient_material(), "{fen}");
        }
    }

    #[test]
    fn checks_and_pins_are_seen() {
        // Rook e8 pins the knight e3, bishop h4 checks, the queen behind two pieces does nothing.
        let position = position("4r1k1/8/8/q7/1P5b/2P1N3/8/4K3 w - - 0 1");
        assert_eq!(position.checkers(), Square::H4.bitboard());
        assert_eq!(position.pinned(), Square::E3.bitboard());
        assert!(position.in_check());
        assert!(position.has_non_pawn_material(Color::White));
    }

    #[test]
    fn a_position_fits_into_little_more_than_three_cache_lines() {
        assert!(size_of::<Position>() <= 200, "{} bytes", size_of::<Position>());
    }
}
