//! Transposition table at a node: the stored entry, and the cutoff from its bound.

use super::observer::{Observer, Pruning};
use super::score::{MATE, is_mate};
use super::state::Search;
use super::table::Entry;
use super::task::{NodeKind, Task, is_null_window};
use crate::position::Position;

impl<O: Observer> Search<'_, O> {
    /// What an earlier search of this position found.
    pub(super) fn probe(&self, position: &Position, ply: usize) -> Option<Entry> {
        match self.techniques.transposition_table {
            true => self.memory.table.probe(table_key(position), ply),
            false => None,
        }
    }

    /// Keeps what was found.
    pub(super) fn store(&mut self, position: &Position, ply: usize, entry: Entry) {
        if self.techniques.transposition_table {
            self.memory.table.store(table_key(position), ply, entry);
        }
    }

    /// The score of a node that a stored bound settles, off the leftmost line (`NonPv`).
    ///
    /// A null window asks no more than a bound can answer. In an open window a bound may quiescence_node a node too
    /// (`open_window_cutoffs`). Without `pvs` every window is open, so a search without both gets no cutoffs from its table
    /// at all; with `pvs` there are no open windows here.
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

/// Whether a stored score holds in spite of the fifty-move rule: a mate only if it comes before that, since it may have
/// been found at a lower clock.
fn comes_in_time(position: &Position, ply: usize, score: i32) -> bool {
    let mate_at = MATE - score.abs() - ply as i32 + i32::from(position.halfmove_clock());
    !is_mate(score) || mate_at <= 100
}

/// The key under which the table keeps a position. Its own key knows nothing of the fifty-move clock; near
/// the end of it, where scores depend on it, positions with different clocks are different positions
/// (an idea of Stockfish, GPL-3.0, which does so in coarser steps).
fn table_key(position: &Position) -> u64 {
    const CLOCK_WITHOUT_DANGER: u16 = 80;
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    match position.halfmove_clock() {
        ..CLOCK_WITHOUT_DANGER => position.key(),
        clock => position.key() ^ u64::from(clock).wrapping_mul(SPREAD),
    }
}
