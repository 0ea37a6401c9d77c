//! Passed pawns: their rank, their way, and the distance of both kings.

use super::attacks::{Attacks, ahead, all_ahead};
use super::groups::*;
use super::pawns::PawnFacts;
use super::recorder::Recorder;
use super::sums::Sums;
use crate::position::{Color, Piece, Position, Square};

/// Adds the worth of one side's passed pawns: the more the further they are, the less their way is blocked or
/// attacked, and the nearer the own king and the farther the enemy's is from the square before them.
#[inline(always)]
pub fn passers<R: Recorder>(
    position: &Position,
    color: Color,
    facts: &PawnFacts,
    attacks: &Attacks,
    sums: &mut Sums<R>,
) {
    let unsafe_squares = position.occupied() | attacks.all(!color);
    for pawn in facts.passed & position.colors(color) {
        // The second rank is 0.
        let rank = pawn.rank().relative_to(color) as usize - 1;
        let stop = ahead(pawn.bitboard(), color);
        sums.add(color, PASSED_PAWN + rank, 1);
        if !(stop & position.occupied()).is_empty() {
            sums.add(color, BLOCKED_PASSER + rank, 1);
        } else if (stop & unsafe_squares).is_empty() {
            sums.add(color, SAFE_PASSER + rank, 1);
            if (all_ahead(pawn.bitboard(), color) & unsafe_squares).is_empty() {
                sums.add(color, FREE_PASSER + rank, 1);
            }
        }
        if attacks.by(color, Piece::Pawn).has(pawn) {
            sums.add(color, GUARDED_PASSER, 1);
        }
        let beyond_third = rank as i32 - 1;
        if beyond_third > 0
            && let Some(stop) = stop.next_square()
        {
            let of_king = |king| distance(position.king(king), stop) * beyond_third;
            sums.add(color, PASSER_ENEMY_KING_DISTANCE, of_king(!color));
            sums.add(color, PASSER_OWN_KING_DISTANCE, of_king(color));
        }
    }
}

/// King moves from one square to another on an empty board.
#[inline(always)]
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}
