//! Transposition table at a node: the stored entry, and the cutoff from its bound.

use super::observer::{Observer, Pruning};
use super::score::{MATE, is_mate};
use super::state::Search;
use super::table::Entry;
use super::task::{NodeKind, Task, is_null_window};
use crate::position::Position;

impl<O: Observer> Search<'_, O> {
    /// Table probe: what an earlier search of this position found.
    pub(super) fn probe(&self, position: &Position, ply: usize) -> Option<Entry> {
        match self.techniques.transposition_table {
            true => self.memory.table.probe(table_key(position), ply),
            false => None,
        }
    }

    /// Table store.
    pub(super) fn store(&mut self, position: &Position, ply: usize, entry: Entry) {
        if self.techniques.transposition_table {
            self.memory.table.store(table_key(position), ply, entry);
        }
    }

    /// Table cutoff: the stored score, if its bound is enough for the window; never on the leftmost line (`Pv`).
    ///
    /// A bound can answer a null window completely. With `open_window_cutoffs` a bound may also cut a node whose window is
    /// open. Without `pvs` every window is open, so a search with neither has no table cutoffs; with `pvs` no window here
    /// is open.
    pub(super) fn table_cutoff<N: NodeKind>(
        &mut self,
        position: &Position,
        task: Task,
        stored: Option<&Entry>,
    ) -> Option<i32> {
        let Task { ply, depth, alpha, beta, .. } = task;
        let may_settle = is_null_window(alpha, beta) || self.techniques.open_window_cutoffs;
        let entry = stored.filter(|_| !N::PV && may_settle)?;
        let settles = entry.depth >= depth
            && entry.bound.settles(entry.score, alpha, beta)
            && comes_in_time(position, ply, entry.score);
        settles.then(|| {
            self.observer.pruned(ply, Pruning::TableCutoff);
            entry.score
        })
    }
}

/// Whether a stored score holds under the fifty-move rule. A mate must come before the rule ends the game, because it may
/// have been found at a lower clock.
fn comes_in_time(position: &Position, ply: usize, score: i32) -> bool {
    let mate_at = MATE - score.abs() - ply as i32 + i32::from(position.halfmove_clock());
    !is_mate(score) || mate_at <= 100
}

/// Table key of a position. The hash key of a position leaves out the fifty-move clock; near its end, where scores depend
/// on it, positions with different clocks get different keys (an idea of Stockfish, GPL-3.0, which uses coarser steps).
fn table_key(position: &Position) -> u64 {
    const CLOCK_WITHOUT_DANGER: u16 = 80;
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    match position.halfmove_clock() {
        ..CLOCK_WITHOUT_DANGER => position.key(),
        clock => position.key() ^ u64::from(clock).wrapping_mul(SPREAD),
    }
}
