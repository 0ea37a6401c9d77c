//! Evaluator of a search: the weights, the pawn hash table and the evaluation hash table.

use super::evaluate::{own_view, pawns_and_kings, white_value};
use super::pawn_cache::PawnCache;
use super::pawns::PawnFacts;
use super::recorder::Unrecorded;
use super::sums::{Known, Sums};
use super::value_cache::ValueCache;
use super::weights::EvalWeights;
use crate::position::Position;

/// Evaluates positions with one set of weights. What it remembers never changes a value.
pub struct Evaluator {
    weights: EvalWeights,
    pawns: PawnCache,
    values: ValueCache,
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    pub fn new(weights: &EvalWeights) -> Evaluator {
        Evaluator { weights: weights.clone(), pawns: PawnCache::new(), values: ValueCache::new() }
    }

    /// Evaluates with these weights from now on.
    pub fn set_weights(&mut self, weights: &EvalWeights) {
        if self.weights != *weights {
            *self = Evaluator::new(weights);
        }
    }

    /// Fetches what is remembered of the value of the position with this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.values.prefetch(key);
    }

    /// What [`evaluate`](super::evaluate()) gives.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        if let Some(value) = self.values.get(position.key()) {
            return value;
        }
        let value = own_view(position, self.white_value(position));
        self.values.set(position.key(), value);
        value
    }

    /// The evaluation from White's side, with the processor's instructions for counting and finding bits if it has
    /// them. They are 15 years old, but programs compiled for any x86-64 may not use them unasked, and a third of the
    /// evaluation counts squares.
    fn white_value(&mut self, position: &Position) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the processor has the instructions that the function is compiled with, as was just detected.
            return unsafe { self.white_value_bmi(position) };
        }
        self.white_value_portable(position)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn white_value_bmi(&mut self, position: &Position) -> i32 {
        self.white_value_portable(position)
    }

    #[inline(always)]
    fn white_value_portable(&mut self, position: &Position) -> i32 {
        let Evaluator { weights, pawns, .. } = self;
        white_value(position, &mut Sums::new(weights, Unrecorded), |position, sums| {
            let entry = pawns.get_or(position, || known_structure(position, sums.weights()));
            sums.add_known(entry.known);
            entry.facts
        })
    }
}

/// What follows from pawns and kings alone. Seldom called, and better not in the middle of what is called always.
#[cold]
fn known_structure(position: &Position, weights: &EvalWeights) -> (Known, PawnFacts) {
    let mut sums = Sums::new(weights, Unrecorded);
    let facts = pawns_and_kings(position, &mut sums);
    (sums.known(), facts)
}
