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
mod evaluate;
mod evaluator;
pub mod groups;
mod king;
mod masks;
mod passed;
mod pawn_cache;
mod pawns;
mod pieces;
mod recorder;
mod scale;
pub mod score;
mod shipped;
mod sums;
mod threats;
pub mod trace;
mod value_cache;
mod weights;

pub use crate::position::{FULL_PHASE, PHASE};
pub use danger::{danger_cost, danger_cost_and_slope};
pub use evaluate::{MAX_EVALUATION, evaluate, trace};
pub use evaluator::Evaluator;
pub use score::Score;
pub use shipped::SHIPPED;
pub use sums::balance;
pub use trace::Trace;
pub use weights::{EvalWeights, WeightError, checked, shape};
