//! Pawn structure: weak, connected and passed pawns.
//!
//! Only what follows from the pawns alone, so that it can be remembered by their hash key.

use super::attacks::{ahead, all_ahead, pawn_attacks};
use super::groups::*;
use super::masks::{half_file, ranks_ahead};
use super::recorder::Recorder;
use super::sums::Sums;
use crate::position::{BitBoard, Color, Piece, Position, Square};
use cozy_chess::get_pawn_attacks;

/// What other terms want to know about the pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PawnFacts {
    /// Passed pawns of both sides.
    pub passed: BitBoard,
    /// The squares that each side's pawns attack or can attack once they have advanced.
    pub spans: [BitBoard; Color::NUM],
}

/// Adds the worth of both sides' pawn structures.
pub fn structure<R: Recorder>(position: &Position, sums: &mut Sums<R>) -> PawnFacts {
    let mut facts = PawnFacts::default();
    for color in Color::ALL {
        let own = position.colored_pieces(color, Piece::Pawn);
        let enemy = position.colored_pieces(!color, Piece::Pawn);
        for pawn in own {
            facts.passed |= judge(pawn, color, own, enemy, sums);
        }
        facts.spans[color as usize] = pawn_attacks(own | all_ahead(own, color), color);
    }
    facts
}

/// Adds the worth of one pawn; gives its square if it is passed, or nothing.
fn judge<R: Recorder>(
    pawn: Square,
    color: Color,
    own: BitBoard,
    enemy: BitBoard,
    sums: &mut Sums<R>,
) -> BitBoard {
    // The second rank is 0.
    let rank = pawn.rank().relative_to(color) as usize - 1;
    let way = all_ahead(pawn.bitboard(), color);
    let beside = pawn.file().adjacent();
    let neighbours = own & beside;
    let phalanx = neighbours & pawn.rank().bitboard();
    let supporters = neighbours & get_pawn_attacks(pawn, !color);
    let stop = ahead(pawn.bitboard(), color);
    let is_unopposed = (enemy & way).is_empty();

    sums.add(color, MATERIAL, 1);
    sums.add(color, PAWN_SQUARES + 4 * rank + half_file(pawn), 1);
    let is_isolated = neighbours.is_empty();
    if !(phalanx | supporters).is_empty() {
        sums.add(color, CONNECTED_PAWN + rank, 1);
        sums.add(color, PAWN_SUPPORT, supporters.len() as i32);
        if !phalanx.is_empty() {
            sums.add(color, PHALANX + rank, 1);
        }
    } else if is_isolated || is_backward(pawn, color, neighbours, enemy) {
        sums.add(color, if is_isolated { ISOLATED_PAWN } else { BACKWARD_PAWN }, 1);
        if is_unopposed {
            sums.add(color, WEAK_UNOPPOSED_PAWN, 1);
        }
    }
    if !(own & way).is_empty() {
        sums.add(color, DOUBLED_PAWN, 1);
        return BitBoard::EMPTY;
    }
    if !is_unopposed {
        return BitBoard::EMPTY;
    }
    let sentries = enemy & beside & ranks_ahead(pawn, color);
    if sentries.is_empty() {
        return pawn.bitboard();
    }
    let guards = enemy & pawn_attacks(stop, color);
    if sentries == guards && supporters.len() + phalanx.len() >= guards.len() {
        sums.add(color, CANDIDATE_PASSER + rank, 1);
    }
    BitBoard::EMPTY
}

/// All neighbours have gone ahead, and a pawn would take if it followed.
fn is_backward(pawn: Square, color: Color, neighbours: BitBoard, enemy: BitBoard) -> bool {
    let stop = ahead(pawn.bitboard(), color);
    (neighbours & !ranks_ahead(pawn, color)).is_empty() && !(enemy & pawn_attacks(stop, color)).is_empty()
}
