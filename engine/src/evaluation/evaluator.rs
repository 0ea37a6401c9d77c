//! The evaluation as a search uses it: with its weights, and with what it remembers.

use super::pawn_cache::PawnCache;
use super::sums::Sums;
use super::trace::Silent;
use super::{EvalWeights, own_view, pawns_and_kings, white_value};
use crate::position::Position;

/// Evaluates positions with one set of weights. What it remembers never changes a value.
pub struct Evaluator {
    weights: EvalWeights,
    pawns: PawnCache,
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    pub fn new(weights: &EvalWeights) -> Evaluator {
        Evaluator { weights: weights.clone(), pawns: PawnCache::new() }
    }

    /// Evaluates with these weights from now on.
    pub fn set_weights(&mut self, weights: &EvalWeights) {
        if self.weights != *weights {
            *self = Evaluator::new(weights);
        }
    }

    /// What [`evaluate`](super::evaluate) gives.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let Evaluator { weights, pawns } = self;
        let white = white_value(position, &mut Sums::new(weights, Silent), |position, sums| {
            let entry = pawns.get_or(position, || {
                let mut alone = Sums::new(sums.weights(), Silent);
                let facts = pawns_and_kings(position, &mut alone);
                (alone.known(), facts)
            });
            sums.add_known(entry.known);
            entry.facts
        });
        own_view(position, white)
    }
}
