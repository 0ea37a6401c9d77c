//! Attack maps: the squares that each side attacks, with which pieces, and how often.

use crate::position::{BitBoard, Color, Piece, Position};
use cozy_chess::get_king_moves;

/// The attacks of both sides, as far as they have been put in.
pub struct Attacks {
    by_piece: [[BitBoard; Piece::NUM]; Color::NUM],
    once: [BitBoard; Color::NUM],
    twice: [BitBoard; Color::NUM],
}

impl Attacks {
    /// What pawns and kings attack.
    #[inline(always)]
    pub fn of_pawns_and_kings(position: &Position) -> Attacks {
        let mut attacks = Attacks {
            by_piece: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            once: [BitBoard::EMPTY; Color::NUM],
            twice: [BitBoard::EMPTY; Color::NUM],
        };
        attacks.add_pawns_and_king(position, Color::White);
        attacks.add_pawns_and_king(position, Color::Black);
        attacks
    }

    #[inline(always)]
    fn add_pawns_and_king(&mut self, position: &Position, color: Color) {
        let [left, right] = pawn_attacks_by_side(position.colored_pieces(color, Piece::Pawn), color);
        self.add(color, Piece::Pawn, left);
        self.add(color, Piece::Pawn, right);
        self.add(color, Piece::King, get_king_moves(position.king(color)));
    }

    /// Puts in what one more piece attacks.
    #[inline(always)]
    pub fn add(&mut self, color: Color, piece: Piece, squares: BitBoard) {
        let color = color as usize;
        self.by_piece[color][piece as usize] |= squares;
        self.twice[color] |= self.once[color] & squares;
        self.once[color] |= squares;
    }

    /// Squares that some piece of this kind attacks.
    #[inline(always)]
    pub fn by(&self, color: Color, piece: Piece) -> BitBoard {
        self.by_piece[color as usize][piece as usize]
    }

    /// Squares that this side attacks.
    #[inline(always)]
    pub fn all(&self, color: Color) -> BitBoard {
        self.once[color as usize]
    }

    /// Squares that this side attacks with two pieces or more.
    #[inline(always)]
    pub fn twice(&self, color: Color) -> BitBoard {
        self.twice[color as usize]
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares that pawns of this colour attack towards the a-file, and towards the h-file.
#[inline(always)]
fn pawn_attacks_by_side(pawns: BitBoard, color: Color) -> [BitBoard; 2] {
    let BitBoard(pawns) = pawns;
    let (left, right) = (pawns & NOT_A, pawns & NOT_H);
    match color {
        Color::White => [BitBoard(left << 7), BitBoard(right << 9)],
        Color::Black => [BitBoard(left >> 9), BitBoard(right >> 7)],
    }
}

/// The squares that pawns of this colour attack.
#[inline(always)]
pub fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let [left, right] = pawn_attacks_by_side(pawns, color);
    left | right
}

/// The squares one step before these, as their colour sees it.
#[inline(always)]
pub fn ahead(squares: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

/// All squares before these on their files, as their colour sees it (the wiki's "front spans").
#[inline(always)]
pub fn all_ahead(squares: BitBoard, color: Color) -> BitBoard {
    let mut span = ahead(squares, color).0;
    match color {
        Color::White => {
            span |= span << 8;
            span |= span << 16;
            span |= span << 32;
        }
        Color::Black => {
            span |= span >> 8;
            span |= span >> 16;
            span |= span >> 32;
        }
    }
    BitBoard(span)
}
