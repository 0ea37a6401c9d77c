//! Static evaluation: the worth of a position without a search.
//!
//! Tapered: every weight has a middlegame and an endgame half, mixed by the pieces left on the board. The
//! weights are listed in [`groups`], their shipped values were fitted to games of the engine with itself by
//! `harness fit-eval` (see `docs/evaluation.md`), and a config may give others in `[eval]`.
//!
//! The terms are old common knowledge (chess programming wiki, "Evaluation"); where one engine's form of an
//! idea was followed, the term says so.

mod attacks;
mod danger;
mod evaluator;
pub mod groups;
mod king;
mod masks;
mod passed;
mod pawn_cache;
mod pawns;
mod pieces;
mod scale;
pub mod score;
mod shipped;
mod sums;
mod threats;
pub mod trace;
mod value_cache;
mod weights;

pub use danger::{danger_cost, danger_cost_and_slope};
pub use evaluator::Evaluator;
pub use score::Score;
pub use shipped::SHIPPED;
pub use sums::balance;
pub use trace::Trace;
pub use weights::{EvalWeights, WeightError, checked, shape};

use crate::position::{Color, Position};
use attacks::Attacks;
use pawns::PawnFacts;
use sums::Sums;
use trace::{Silent, Sink};

/// No evaluation is greater, so that none is taken for a mate score.
pub const MAX_EVALUATION: i32 = 20_000;

/// How much a pawn, knight, bishop, rook, queen and king add to the game phase.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The phase with all pieces on the board.
pub const FULL_PHASE: i32 = 24;

/// The value of a position in centipawns from the side to move, within ±[`MAX_EVALUATION`]; computed afresh.
/// A search asks its [`Evaluator`], which remembers pawn structures.
pub fn evaluate(position: &Position, weights: &EvalWeights) -> i32 {
    let white = white_value(position, &mut Sums::new(weights, Silent), pawns_and_kings);
    own_view(position, white)
}

/// How often each weight counts in a position.
pub fn trace(position: &Position, weights: &EvalWeights) -> Trace {
    let mut sums = Sums::new(weights, Trace::new(position.phase().min(FULL_PHASE)));
    white_value(position, &mut sums, pawns_and_kings);
    sums.into_sink()
}

/// Adds what follows from pawns and kings alone, which a search remembers.
fn pawns_and_kings<S: Sink>(position: &Position, sums: &mut Sums<S>) -> PawnFacts {
    for color in Color::ALL {
        king::shelter(position, color, sums);
    }
    pawns::structure(position, sums)
}

/// The evaluation from White's side; `structure` adds what follows from pawns and kings alone.
///
/// Everything below is inlined, and each side written out instead of looped over: with the colour known when it
/// is compiled, half of the work is gone, and the attacks stay in registers (measured: `docs/performance.md`).
#[inline(always)]
fn white_value<S: Sink>(
    position: &Position,
    sums: &mut Sums<S>,
    structure: impl FnOnce(&Position, &mut Sums<S>) -> PawnFacts,
) -> i32 {
    sums.add(position.side_to_move(), groups::TEMPO, 1);
    let facts = structure(position, sums);
    let mut attacks = Attacks::of_pawns_and_kings(position);
    pieces::activity(position, Color::White, &facts, &mut attacks, sums);
    pieces::activity(position, Color::Black, &facts, &mut attacks, sums);
    prospects(position, Color::White, &facts, &attacks, sums);
    prospects(position, Color::Black, &facts, &attacks, sums);
    let whole = sums.whole();
    let scale = scale::of(position, whole.endgame());
    balance(whole, sums.scale(scale), position.phase().min(FULL_PHASE))
}

/// Adds what one side may hope for once the attacks of both are known.
#[inline(always)]
fn prospects<S: Sink>(
    position: &Position,
    color: Color,
    facts: &PawnFacts,
    attacks: &Attacks,
    sums: &mut Sums<S>,
) {
    king::danger(position, color, attacks, sums);
    threats::threats(position, color, attacks, sums);
    passed::passers(position, color, facts, attacks, sums);
}

/// A value from White's side as the side to move sees it, clamped.
fn own_view(position: &Position, white: i32) -> i32 {
    let own = match position.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    };
    own.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}
