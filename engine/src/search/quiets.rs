//! Quiet move heuristics at a node: killers, countermove and history scores, and their update after a cutoff.

use super::history::Previous;
use super::observer::Observer;
use super::ordering::{Hints, Refutations};
use super::state::Search;
use crate::position::{Move, Position};

impl<O: Observer> Search<'_, O> {
    /// Killers and countermove: the quiet moves to try first.
    pub(super) fn refutations(&self, ply: usize) -> Refutations {
        let [first, second] = if self.techniques.killers { self.memory.line[ply].killers } else { [None; 2] };
        let counter = match self.techniques.countermoves {
            true => self.memory.history.countermove(&self.previous(ply)),
            false => None,
        };
        [first, second, counter]
    }

    /// History score of a quiet move, or 0 when no technique that is on reads it.
    pub(super) fn quiet_score(&self, position: &Position, mv: Move, previous: &Previous) -> i32 {
        if !self.techniques.lmr && !self.techniques.history_pruning {
            return 0;
        }
        let scores = self.memory.history.quiet_scores(position.side_to_move(), previous, &self.techniques);
        scores.of(position, mv)
    }

    /// What the move picker orders quiet moves by.
    pub(super) fn hints(&self, previous: Previous) -> Hints<'_> {
        Hints { techniques: &self.techniques, history: &self.memory.history, previous }
    }

    /// The moves that led to the node at this ply.
    pub(super) fn previous(&self, ply: usize) -> Previous {
        [1, 2].map(|plies| self.memory.line.before(ply, plies).and_then(|frame| frame.played))
    }

    /// Killer and history update after a beta cutoff by a quiet move.
    pub(super) fn update_quiet_histories(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        mv: Move,
        tried: &[Move],
    ) {
        let previous = self.previous(ply);
        let killers = &mut self.memory.line[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if self.techniques.history {
            let bonus = depth * depth + self.params.history_per_depth * depth;
            self.memory.history.update(position, &previous, &self.techniques, bonus, mv, tried);
        }
    }
}
