//! Static evaluation in the search: raw, corrected, and what a search teaches about it.

use super::observer::Observer;
use super::score::is_mate;
use super::state::Search;
use super::table::Entry;
use crate::evaluation::MAX_EVALUATION;
use crate::position::Position;

impl<O: Observer> Search<'_, O> {
    /// Whether any technique that is on looks at the static evaluation of inner nodes.
    pub(super) fn uses_evaluation(&self) -> bool {
        let on = &self.techniques;
        on.improving
            || on.null_move
            || on.reverse_futility
            || on.razoring
            || on.futility
            || on.probcut
            || on.correction_history
    }

    /// The static evaluation.
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        self.memory.evaluator.evaluate(position)
    }

    /// The static evaluation, from the table if it is there.
    pub(super) fn raw_evaluation(&mut self, position: &Position, stored: Option<&Entry>) -> i32 {
        stored.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.evaluate(position))
    }

    /// The evaluation as far as earlier errors can be allowed for.
    pub(super) fn corrected(&self, position: &Position, raw: i32) -> i32 {
        if !self.techniques.correction_history {
            return raw;
        }
        let correction = self.memory.correction.of(position, &self.techniques, self.params);
        (raw + correction).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// A search of the position, if its bound says on which side of the evaluation the truth lies, knows more than the
    /// evaluation. (Stockfish, GPL-3.0.)
    pub(super) fn table_evaluation(&self, evaluation: i32, stored: Option<&Entry>) -> i32 {
        let searched = stored.filter(|entry| {
            self.techniques.tt_evaluation
                && !is_mate(entry.score)
                && entry.bound.improves_on(entry.score, evaluation)
        });
        searched.map_or(evaluation, |entry| entry.score)
    }

    /// Remembers by how much the evaluation was wrong, if what was found says so and no capture explains it.
    pub(super) fn update_correction_history(
        &mut self,
        position: &Position,
        corrected: Option<i32>,
        found: &Entry,
    ) {
        let (Some(raw), Some(corrected)) = (found.evaluation, corrected) else { return };
        let Entry { best, score, bound, depth, .. } = *found;
        let is_tactical = best.is_some_and(|mv| position.is_tactical(mv));
        if self.techniques.correction_history
            && bound.improves_on(score, corrected)
            && !is_tactical
            && !is_mate(score)
        {
            self.memory.correction.update(position, &self.techniques, self.params, depth, score - raw);
        }
    }
}
