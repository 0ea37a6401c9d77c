//! Static evaluation in the search: raw, corrected, adjusted by the transposition table.

use super::observer::Observer;
use super::score::is_mate;
use super::state::Search;
use super::table::Entry;
use crate::evaluation::MAX_EVALUATION;
use crate::position::Position;

impl<O: Observer> Search<'_, O> {
    /// Whether a technique that is on reads the static evaluation of inner nodes.
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

    /// Static evaluation of the evaluator.
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        self.memory.evaluator.evaluate(position)
    }

    /// Raw static evaluation, from the table if it is stored there.
    pub(super) fn raw_evaluation(&mut self, position: &Position, stored: Option<&Entry>) -> i32 {
        stored.and_then(|entry| entry.evaluation).unwrap_or_else(|| self.evaluate(position))
    }

    /// Static evaluation with the correction history added.
    pub(super) fn corrected(&self, position: &Position, raw: i32) -> i32 {
        if !self.techniques.correction_history {
            return raw;
        }
        let correction = self.memory.correction.of(position, &self.techniques, self.params);
        (raw + correction).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Table evaluation: a stored score replaces the static evaluation if its bound shows that it is nearer to the true
    /// score. (Stockfish, GPL-3.0.)
    pub(super) fn table_evaluation(&self, evaluation: i32, stored: Option<&Entry>) -> i32 {
        let searched = stored.filter(|entry| {
            self.techniques.tt_evaluation
                && !is_mate(entry.score)
                && entry.bound.improves_on(entry.score, evaluation)
        });
        searched.map_or(evaluation, |entry| entry.score)
    }

    /// Correction history update: the error of the static evaluation, if the bound shows one and no capture explains it.
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
