//! Piece activity: squares, mobility and outposts of the pieces.

use super::attacks::{Attacks, ahead};
use super::groups::*;
use super::masks::{half_file, ranks_ahead, ring};
use super::pawns::PawnFacts;
use super::recorder::Recorder;
use super::sums::Sums;
use crate::position::{BitBoard, Color, Piece, Position, Rank, Square};
use cozy_chess::{get_bishop_moves, get_knight_moves, get_rook_moves};

/// Adds material, squares, mobility and the other marks of one side's pieces, and what they aim at the enemy
/// king; puts their attacks in.
#[inline(always)]
pub fn activity<R: Recorder>(
    position: &Position,
    color: Color,
    facts: &PawnFacts,
    attacks: &mut Attacks,
    sums: &mut Sums<R>,
) {
    let mobile = !(position.colors(color) | attacks.by(!color, Piece::Pawn));
    let scene = Scene { position, color, facts, mobile, ring: ring(position.king(!color)) };
    minors(&scene, attacks, sums);
    rooks(&scene, attacks, sums);
    queens(&scene, attacks, sums);
    let king = position.king(color);
    sums.add(color, KING_SQUARES + half_square(king, color), 1);
}

/// What one side's pieces are seen against.
struct Scene<'a> {
    position: &'a Position,
    color: Color,
    facts: &'a PawnFacts,
    /// Squares that count as mobility.
    mobile: BitBoard,
    /// The enemy king and the squares next to it.
    ring: BitBoard,
}

impl Scene<'_> {
    #[inline(always)]
    fn pieces(&self, piece: Piece) -> BitBoard {
        self.position.colored_pieces(self.color, piece)
    }

    /// What every piece has: worth, square, mobility, attacks, and a share in the danger to the enemy king.
    #[inline(always)]
    fn piece<R: Recorder>(
        &self,
        piece: Piece,
        square: Square,
        squares: BitBoard,
        attacks: &mut Attacks,
        sums: &mut Sums<R>,
    ) {
        let color = self.color;
        let (place, mobility) = match piece {
            Piece::Knight => (KNIGHT_SQUARES, KNIGHT_MOBILITY),
            Piece::Bishop => (BISHOP_SQUARES, BISHOP_MOBILITY),
            Piece::Rook => (ROOK_SQUARES, ROOK_MOBILITY),
            _ => (QUEEN_SQUARES, QUEEN_MOBILITY),
        };
        attacks.add(color, piece, squares);
        sums.add(color, MATERIAL + piece as usize, 1);
        sums.add(color, place + half_square(square, color), 1);
        sums.add(color, mobility + (squares & self.mobile).len() as usize, 1);
        let aimed_at = squares & self.ring;
        if !aimed_at.is_empty() {
            sums.endanger(color, DANGER_ATTACKER + piece as usize - 1, 1);
            sums.endanger_each(color, DANGER_SQUARE, aimed_at);
        }
    }
}

#[inline(always)]
fn minors<R: Recorder>(scene: &Scene, attacks: &mut Attacks, sums: &mut Sums<R>) {
    let &Scene { position, color, facts, .. } = scene;
    let own_pawns = scene.pieces(Piece::Pawn);
    let (knights, bishops) = (scene.pieces(Piece::Knight), scene.pieces(Piece::Bishop));
    for square in knights {
        scene.piece(Piece::Knight, square, get_knight_moves(square), attacks, sums);
    }
    // Sliders see through the queens of both sides and, rooks, through rooks: they support each other.
    let blockers = position.occupied() & !position.pieces(Piece::Queen);
    for square in bishops {
        scene.piece(Piece::Bishop, square, get_bishop_moves(square, blockers), attacks, sums);
        let same_colour = match BitBoard::DARK_SQUARES.has(square) {
            true => BitBoard::DARK_SQUARES,
            false => BitBoard::LIGHT_SQUARES,
        };
        sums.add_each(color, BISHOP_PAWNS, own_pawns & same_colour);
    }
    if bishops.len() >= 2 {
        sums.add(color, BISHOP_PAIR, 1);
    }

    let outposts =
        OUTPOST_RANKS[color as usize] & attacks.by(color, Piece::Pawn) & !facts.spans[!color as usize];
    sums.add_each(color, OUTPOST, knights & outposts);
    sums.add_each(color, OUTPOST + 1, bishops & outposts);
    let behind_pawns = ahead(position.pieces(Piece::Pawn), !color);
    sums.add_each(color, MINOR_BEHIND_PAWN, (knights | bishops) & behind_pawns);
}

#[inline(always)]
fn rooks<R: Recorder>(scene: &Scene, attacks: &mut Attacks, sums: &mut Sums<R>) {
    let &Scene { position, color, facts, .. } = scene;
    let rooks = scene.pieces(Piece::Rook);
    let (own_pawns, all_pawns) = (scene.pieces(Piece::Pawn), position.pieces(Piece::Pawn));
    let blockers = position.occupied() & !(position.pieces(Piece::Queen) | rooks);
    let (seventh, eighth) = (Rank::Seventh.relative_to(color), Rank::Eighth.relative_to(color));
    let enemy_pawns = all_pawns & !own_pawns;
    let has_prey = position.king(!color).rank() == eighth || !(enemy_pawns & seventh.bitboard()).is_empty();
    for square in rooks {
        scene.piece(Piece::Rook, square, get_rook_moves(square, blockers), attacks, sums);
        let file = square.file().bitboard();
        if (file & all_pawns).is_empty() {
            sums.add(color, ROOK_OPEN_FILE, 1);
        } else if (file & own_pawns).is_empty() {
            sums.add(color, ROOK_HALF_OPEN_FILE, 1);
        }
        if has_prey && square.rank() == seventh {
            sums.add(color, ROOK_ON_SEVENTH, 1);
        }
        let passers_ahead = facts.passed & own_pawns & file & ranks_ahead(square, color);
        if !passers_ahead.is_empty() {
            sums.add(color, ROOK_BEHIND_PASSER, 1);
        }
    }
}

#[inline(always)]
fn queens<R: Recorder>(scene: &Scene, attacks: &mut Attacks, sums: &mut Sums<R>) {
    let queens = scene.pieces(Piece::Queen);
    let occupied = scene.position.occupied();
    for square in queens {
        let squares = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        scene.piece(Piece::Queen, square, squares, attacks, sums);
    }
    if queens.is_empty() {
        sums.endanger(scene.color, DANGER_NO_QUEEN, 1);
    }
}

/// Ranks four to six of each side.
const OUTPOST_RANKS: [BitBoard; Color::NUM] =
    [BitBoard(0x0000_ffff_ff00_0000), BitBoard(0x0000_00ff_ffff_0000)];

/// The square on half a board as its colour sees it, 0 to 31.
#[inline(always)]
fn half_square(square: Square, color: Color) -> usize {
    4 * (square.rank().relative_to(color) as usize) + half_file(square)
}
