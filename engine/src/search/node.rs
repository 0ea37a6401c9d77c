//! One node of the main search, read from top to bottom in the order things are tried.
//!
//! Each step is a call into the file of its subject or a short block under the name it has in the
//! literature. Fail-soft throughout: the score returned may lie outside the window, and is then a bound.

use super::Search;
use super::observer::{NodeInfo, Observer, Pruning};
use super::ordering::{Hints, MOST_MOVES, Picker};
use super::score::{Bound, DRAW, INFINITY, MATE, MAX_PLY, is_mate, mated_at};
use super::table::Entry;
use crate::evaluation::evaluate;
use crate::position::{Move, Position};
use arrayvec::ArrayVec;

/// Whether a node may carry the principal variation, known at compile time.
pub trait NodeKind {
    /// The node may carry the principal variation.
    const PV: bool;
}

/// The root, and whatever is reached from it by first moves or searched again with the full window.
pub struct Pv;

/// Every other node. With `pvs` its window is a null window; without `pvs` it is open, as all windows are.
pub struct NonPv;

/// Whether the window asks only if the score is above alpha, not what it is.
pub const fn is_null_window(alpha: i32, beta: i32) -> bool {
    beta - alpha == 1
}

impl NodeKind for Pv {
    const PV: bool = true;
}

impl NodeKind for NonPv {
    const PV: bool = false;
}

/// A node's place in the tree and the question put to it.
#[derive(Clone, Copy)]
pub struct Task {
    /// Plies from the root.
    pub ply: usize,
    /// Plies left to search.
    pub depth: i32,
    /// Scores up to this are of no interest.
    pub alpha: i32,
    /// A score from this on refutes the move that led here.
    pub beta: i32,
    /// The node is expected to fail high.
    pub cut_node: bool,
}

impl<O: Observer> Search<'_, O> {
    /// The score of a position from the side to move, or any value once the search has been stopped.
    pub(super) fn node<N: NodeKind>(&mut self, position: &Position, task: Task) -> i32 {
        if task.depth <= 0 && self.techniques.quiescence {
            return self.quiescence::<N>(position, task.ply, task.alpha, task.beta);
        }
        self.observed::<N>(task, |search| match task.depth <= 0 {
            true => search.leaf(position, task.ply),
            false => search.interior::<N>(position, task),
        })
    }

    /// Counts the node, shows it to the observer and searches it, unless the budget is used up.
    pub(super) fn observed<N: NodeKind>(&mut self, task: Task, search: impl FnOnce(&mut Self) -> i32) -> i32 {
        if self.stopped || self.budget.is_exhausted(self.nodes) {
            self.stopped = true;
            return DRAW;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(task.ply);
        if N::PV {
            self.memory.pv.clear(task.ply);
        }
        let info = NodeInfo {
            ply: task.ply,
            depth: task.depth.max(0),
            alpha: task.alpha,
            beta: task.beta,
            is_pv: N::PV,
            is_cut_node: task.cut_node,
        };
        self.observer.enter(&info);
        let score = search(self);
        self.observer.leave(&info, score);
        score
    }

    fn interior<N: NodeKind>(&mut self, position: &Position, task: Task) -> i32 {
        let Task { ply, depth, mut alpha, beta, .. } = task;
        let in_check = position.in_check();

        // Step 1. Draws by rule, and the end of the tables that a line may fill.
        if self.is_draw(position, ply) {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return evaluate(position);
        }

        // Step 2. Transposition table. Only a null window asks no more than a bound can answer.
        let stored = self.probe(position, ply);
        if !N::PV
            && is_null_window(alpha, beta)
            && let Some(entry) = stored
            && entry.depth >= depth
            && self.table_settles(position, ply, &entry, (alpha, beta))
        {
            self.observer.pruned(ply, Pruning::TableCutoff);
            return entry.score;
        }

        // Step 3. The moves, best first as far as can be told.
        let mut picker = Picker::all(stored.and_then(|entry| entry.best), self.killers(ply));
        let mut quiets_tried = ArrayVec::<Move, MOST_MOVES>::new();
        let mut best_score = -INFINITY;
        let mut best_move = None;
        let mut rank = 0;
        while let Some(mv) = picker.next(position, self.hints()) {
            rank += 1;

            // Step 4. Search the move.
            self.observer.try_move(ply, mv, rank);
            let child = position.play(mv);
            let score =
                self.search_move::<N>(position, &child, rank, Task { depth: depth - 1, alpha, ..task });
            if self.stopped {
                return DRAW;
            }

            // Step 5. A better move raises alpha; at beta the opponent would not have come here.
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.memory.pv.set(ply, mv);
                    }
                    if self.techniques.alpha_beta {
                        if score >= beta {
                            self.observer.cutoff(ply, rank);
                            if !position.is_tactical(mv) {
                                self.learn_from_cutoff(position, ply, depth, mv, &quiets_tried);
                            }
                            break;
                        }
                        alpha = score;
                    }
                }
            }
            if !position.is_tactical(mv) {
                quiets_tried.push(mv);
            }
        }

        // Step 6. No legal move: mate or stalemate.
        if rank == 0 {
            return if in_check { mated_at(ply) } else { DRAW };
        }

        // Step 7. Keep what was found.
        let bound = Bound::of(best_score, task.alpha, beta);
        let evaluation = stored.and_then(|entry| entry.evaluation);
        self.store(position, ply, Entry { best: best_move, score: best_score, bound, depth, evaluation });
        best_score
    }

    /// The score of the move that led from `parent` to `child`, seen from the side that made it.
    ///
    /// This is principal variation search. Of a well-ordered list the first move is probably best: it
    /// gets the whole window. Of each later one it is only asked whether it is better, with a null
    /// window, which far more stored and searched bounds can answer; if it is, it is searched again.
    /// (Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982.) It loses when
    /// the order is bad: a new best move costs two searches. `task.depth` is the child's.
    pub(super) fn search_move<N: NodeKind>(
        &mut self,
        parent: &Position,
        child: &Position,
        rank: u32,
        task: Task,
    ) -> i32 {
        let Task { ply, alpha, beta, cut_node, .. } = task;
        let is_first = rank == 1;
        let below = Task { ply: ply + 1, ..task };
        let full_window = Task { alpha: -beta, beta: -alpha, ..below };

        self.memory.path.push(parent.key());
        let score = if N::PV && is_first {
            -self.node::<Pv>(child, Task { cut_node: false, ..full_window })
        } else {
            if N::PV {
                self.memory.pv.clear(ply + 1);
            }
            if !self.techniques.pvs {
                -self.node::<NonPv>(child, Task { cut_node: false, ..full_window })
            } else {
                let null_window = Task { alpha: -alpha - 1, beta: -alpha, cut_node: !cut_node, ..below };
                let mut score = -self.node::<NonPv>(child, null_window);
                if N::PV && score > alpha && score < beta && !self.stopped {
                    // Whatever this gives stands, even if it is lower: instability must not loop.
                    self.observer.pvs_researched(ply);
                    score = -self.node::<Pv>(child, Task { cut_node: false, ..full_window });
                }
                score
            }
        };
        self.memory.path.pop();
        score
    }

    /// A node at depth 0 when quiescence is off.
    fn leaf(&mut self, position: &Position, ply: usize) -> i32 {
        match self.is_draw(position, ply) {
            true => DRAW,
            false => evaluate(position),
        }
    }

    /// Whether the position is drawn by repetition, by fifty moves (mate comes first), or by lack of
    /// mating material. One repetition of a position of this search counts as a draw: what was good
    /// to repeat once is good to repeat twice.
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        let clock = position.halfmove_clock();
        self.memory.path.is_repetition(position.key(), clock, ply)
            || (clock >= 100 && (!position.in_check() || position.has_legal_move()))
            || position.is_insufficient_material()
    }

    pub(super) fn probe(&self, position: &Position, ply: usize) -> Option<Entry> {
        match self.techniques.transposition_table {
            true => self.memory.table.probe(table_key(position), ply),
            false => None,
        }
    }

    pub(super) fn store(&mut self, position: &Position, ply: usize, entry: Entry) {
        if self.techniques.transposition_table {
            self.memory.table.store(table_key(position), ply, entry);
        }
    }

    /// Whether a stored score may be returned for this window: a mate only if it comes before the
    /// fifty-move rule, since it may have been found at a lower clock.
    pub(super) fn table_settles(
        &self,
        position: &Position,
        ply: usize,
        entry: &Entry,
        window: (i32, i32),
    ) -> bool {
        let mate_at = MATE - entry.score.abs() - ply as i32 + i32::from(position.halfmove_clock());
        let in_time = !is_mate(entry.score) || mate_at <= 100;
        in_time && entry.bound.settles(entry.score, window.0, window.1)
    }

    fn killers(&self, ply: usize) -> super::ordering::Killers {
        match self.techniques.killers {
            true => self.memory.killers[ply],
            false => [None; 2],
        }
    }

    pub(super) fn hints(&self) -> Hints<'_> {
        Hints { techniques: &self.techniques, history: &self.memory.history }
    }

    /// A quiet move cut: it is tried early in the sister nodes (killers) and, wherever it can be played
    /// again, before quiet moves that did not (history).
    fn learn_from_cutoff(&mut self, position: &Position, ply: usize, depth: i32, mv: Move, tried: &[Move]) {
        let killers = &mut self.memory.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        if self.techniques.history {
            self.memory.history.update(position, depth, mv, tried);
        }
    }
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
