//! Threats and space: pieces that may be taken next, and squares behind the own pawns.
//!
//! The kinds of threat follow Stockfish's evaluation before its networks (GPL-3.0); the weights do not.

use super::attacks::{Attacks, ahead, pawn_attacks};
use super::groups::*;
use super::recorder::Recorder;
use super::sums::Sums;
use crate::position::{BitBoard, Color, Piece, Position, Rank};

/// Files c to f.
const MIDDLE_FILES: BitBoard = BitBoard(0x3c3c_3c3c_3c3c_3c3c);

/// Ranks two to four of each side.
const SPACE_RANKS: [BitBoard; Color::NUM] =
    [BitBoard(0x0000_0000_ffff_ff00), BitBoard(0x00ff_ffff_0000_0000)];

/// Adds what one side threatens, and its space.
#[inline(always)]
pub fn threats<R: Recorder>(position: &Position, color: Color, attacks: &Attacks, sums: &mut Sums<R>) {
    let enemy = position.colors(!color) & !position.pieces(Piece::King);
    let enemy_pawns = position.colored_pieces(!color, Piece::Pawn);
    let guarded = attacks.by(!color, Piece::Pawn);
    let by_pawn = attacks.by(color, Piece::Pawn);

    let heavy = position.pieces(Piece::Rook) | position.pieces(Piece::Queen);
    let worth_taking = enemy & (!guarded | heavy);
    let by_minor = (attacks.by(color, Piece::Knight) | attacks.by(color, Piece::Bishop)) & worth_taking;
    let by_rook = attacks.by(color, Piece::Rook) & worth_taking;
    add_targets(position, by_pawn & enemy & !enemy_pawns, color, THREAT_BY_PAWN - 1, sums);
    add_targets(position, by_minor, color, THREAT_BY_MINOR, sums);
    add_targets(position, by_rook, color, THREAT_BY_ROOK, sums);
    let by_king = attacks.by(color, Piece::King) & enemy & !guarded;
    sums.add_each(color, THREAT_BY_KING, by_king);
    let hanging = attacks.all(color) & enemy & !attacks.all(!color);
    sums.add_each(color, HANGING, hanging);

    let safe = !attacks.all(!color) | (attacks.all(color) & !guarded);
    let pushed = pushes(position, color) & safe & !guarded;
    let pushed_at = pawn_attacks(pushed, color) & enemy & !enemy_pawns & !by_pawn;
    sums.add_each(color, PAWN_PUSH_THREAT, pushed_at);

    let contested = attacks.all(color) & attacks.all(!color) & !guarded;
    sums.add_each(color, CONTESTED_SQUARE, contested);
    let own_pawns = position.colored_pieces(color, Piece::Pawn);
    let space = MIDDLE_FILES & SPACE_RANKS[color as usize] & !own_pawns & !guarded;
    sums.add_each(color, SPACE, space);
}

/// Counts for each target the weight that stands at its kind, a pawn being the first.
#[inline(always)]
fn add_targets<R: Recorder>(
    position: &Position,
    targets: BitBoard,
    color: Color,
    first: usize,
    sums: &mut Sums<R>,
) {
    for piece in targets.iter().filter_map(|square| position.piece_on(square)) {
        sums.add(color, first + piece as usize, 1);
    }
}

/// Where one side's pawns can step.
#[inline(always)]
fn pushes(position: &Position, color: Color) -> BitBoard {
    let free = !position.occupied();
    let single = ahead(position.colored_pieces(color, Piece::Pawn), color) & free;
    let double = ahead(single & Rank::Third.relative_to(color).bitboard(), color) & free;
    single | double
}
