//! Path of the search: make, unmake, and draws by rule, which depend on the path.

use super::frame::PieceTo;
use super::observer::Observer;
use super::state::Search;
use crate::position::{Move, Position};

impl<O: Observer> Search<'_, O> {
    /// Makes a move: the position after it, with the move on the search stack; [`Search::unmake`] takes it back.
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let key = position.probable_key_after(mv);
        self.memory.table.prefetch(key);
        self.memory.evaluator.prefetch(key);
        self.memory.line[ply].played = Some(PieceTo::of(position, mv));
        self.memory.path.push(position.key());
        let child = position.play(mv);
        self.memory.correction.prefetch(&child);
        child
    }

    /// Unmakes the last move of the line.
    pub(super) fn unmake(&mut self) {
        self.memory.path.pop();
    }

    /// Draw by rule: repetition, fifty moves (mate comes first), or insufficient material. One repetition of a position
    /// of this search counts as a draw: a side that repeats once can repeat twice.
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        let clock = position.halfmove_clock();
        self.memory.path.is_repetition(position.key(), clock, ply)
            || (clock >= 100 && (!position.in_check() || position.has_legal_move()))
            || position.is_insufficient_material()
    }
}
