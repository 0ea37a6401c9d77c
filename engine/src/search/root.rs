//! Root search: iterative deepening, aspiration windows, and the best move when a limit is reached.

use super::effort::Effort;
use super::observer::{Iteration, Observer};
use super::ordering::{MOST_MOVES, MovePicker};
use super::pv::Line;
use super::reductions::LateMove;
use super::score::{Bound, INFINITY, is_mate};
use super::state::Search;
use super::table::Entry;
use super::task::{Best, Comparison, Pv, Task};
use crate::position::{Move, Position};
use arrayvec::ArrayVec;

/// Best line and score at the root.
#[derive(Clone, Debug)]
pub(super) struct RootBest {
    pub score: i32,
    pub bound: Bound,
    pub depth: u32,
    /// The score of the last iteration whose window held.
    pub exact_score: Option<i32>,
    /// Positions that were searched below it when it was last found best.
    pub nodes: u64,
    pub pv: Line,
}

/// Root moves, best first.
pub(super) type RootMoves = ArrayVec<Move, MOST_MOVES>;

impl<O: Observer> Search<'_, O> {
    /// Root moves: the legal ones in the order of the first iteration; only those of `chosen`, if it names any.
    pub(super) fn root_moves(&self, position: &Position, chosen: &[Move]) -> RootMoves {
        let stored = self.probe(position, 0);
        let mut picker = MovePicker::all(stored.and_then(|entry| entry.best), [None; 3]);
        std::iter::from_fn(|| picker.next(position, self.hints([None; 2])))
            .filter(|mv| chosen.is_empty() || chosen.contains(mv))
            .collect()
    }

    /// Iterative deepening until a limit is reached. Each iteration orders the moves of the next, so that all together cost
    /// little more than the last alone, and there is an answer at any time.
    pub(super) fn iterative_deepening(&mut self, position: &Position, moves: &mut RootMoves) -> RootBest {
        let mut best = RootBest {
            score: 0,
            bound: Bound::Lower,
            depth: 0,
            exact_score: None,
            nodes: 0,
            pv: Line::new(),
        };
        best.pv.push(moves[0]);
        let mut effort = Effort::default();
        for depth in 1..=self.budget.max_depth() {
            if depth > 1 && !self.budget.allows_iteration(self.nodes, best.score, effort.percent()) {
                break;
            }
            let nodes_before = self.nodes;
            self.aspiration_search(position, moves, depth, &mut best);
            if self.stopped {
                break;
            }
            effort.iteration(best.pv[0], best.score, best.nodes, self.nodes - nodes_before);
        }
        best
    }

    /// Aspiration search of one depth: the score will probably be near the last one, and a narrow
    /// window around it cuts more. When the bet fails, the side that failed is opened and the depth
    /// searched again. (Slate and Atkin, "Chess 4.5", 1977; the widening is ours, see `docs/search.md`.)
    fn aspiration_search(
        &mut self,
        position: &Position,
        moves: &mut RootMoves,
        depth: u32,
        best: &mut RootBest,
    ) {
        let previous = best.score;
        let nodes_before = self.nodes;
        let aspires = self.techniques.aspiration
            && depth > 1
            && depth >= self.params.aspiration_min_depth as u32
            && !is_mate(previous);
        let delta = self.params.aspiration_delta;
        let mut window = if aspires { Window::around(previous, delta) } else { Window::open(delta) };

        loop {
            let Window { alpha, beta, .. } = window;
            self.observer.root_window(depth, alpha, beta);
            let score = self.root_node(position, moves, depth, (alpha, beta), best);
            if self.stopped {
                return;
            }
            let bound = Bound::of(score, alpha, beta);
            self.observer.root_result(&Iteration {
                depth,
                selective_depth: self.selective_depth,
                score,
                bound,
                nodes: self.nodes,
                nodes_before,
                pv: &best.pv,
                permill_full: self.memory.table.permill_full(),
            });
            if bound == Bound::Exact {
                best.exact_score = Some(score);
                return;
            }
            window = window.widened(bound, score, self.params.aspiration_max_delta);
        }
    }

    /// Root node: searches all root moves with one window; `best` changes whenever one of them beats alpha.
    fn root_node(
        &mut self,
        position: &Position,
        moves: &mut RootMoves,
        depth: u32,
        (alpha, beta): (i32, i32),
        best: &mut RootBest,
    ) -> i32 {
        let task = Task { ply: 0, depth: depth as i32, alpha, beta, cut_node: false };
        self.observed::<Pv>(task, |search| {
            search.enter_root(position);
            let stored = search.probe(position, 0);
            let hash_move_is_capture =
                stored.and_then(|entry| entry.best).is_some_and(|mv| position.is_capture(mv));
            let mut found = Best { ply: 0, alpha, beta, score: -INFINITY, mv: None };
            for index in 0..moves.len() {
                let mv = moves[index];
                let rank = index as u32 + 1;
                search.observer.try_move(0, mv, rank);
                let below = Task { depth: task.depth - 1, alpha: found.alpha, ..task };
                let quiet_score =
                    (!position.is_tactical(mv)).then(|| search.quiet_score(position, mv, &[None; 2]));
                let late =
                    LateMove { depth: task.depth, rank, quiet_score, cut_node: false, hash_move_is_capture };
                let is_reducible = quiet_score.is_some() && !position.in_check();
                let reduction = if is_reducible { search.reduction::<Pv>(0, late) } else { 0 };
                let nodes_before = search.nodes;
                let score = search.search_move::<Pv>(position, mv, rank, reduction, below);
                if search.stopped {
                    break;
                }
                let comparison = search.compare::<Pv>(&mut found, mv, rank, score);
                if comparison == Comparison::Worse {
                    continue;
                }
                moves[..=index].rotate_right(1);
                let bound = Bound::of(score, alpha, beta);
                let pv = search.memory.pv.line(0).clone();
                let nodes = search.nodes - nodes_before;
                *best = RootBest { score, bound, depth, nodes, pv, ..*best };
                search.observer.root_improved(depth, mv, score, bound);
                if comparison == Comparison::Cutoff {
                    break;
                }
            }
            if !search.stopped && !search.is_root_restricted {
                let entry = Entry {
                    best: found.mv,
                    score: found.score,
                    bound: Bound::of(found.score, alpha, beta),
                    depth: task.depth,
                    evaluation: None,
                    was_pv: true,
                };
                search.store(position, 0, entry);
            }
            found.score
        })
    }

    /// Root frame of the search stack, which the nodes below read.
    fn enter_root(&mut self, position: &Position) {
        let raw = (!position.in_check()).then(|| self.evaluate(position));
        let evaluation = raw.map(|raw| self.corrected(position, raw));
        let frame = &mut self.memory.line[0];
        (frame.evaluation, frame.was_pv) = (evaluation, true);
        self.memory.line[2].cutoffs = 0;
    }
}

/// Aspiration window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    alpha: i32,
    beta: i32,
    /// By how much the next failure opens it, centipawns.
    delta: i32,
}

impl Window {
    /// Open window: no score fails it.
    const fn open(delta: i32) -> Window {
        Window { alpha: -INFINITY, beta: INFINITY, delta }
    }

    /// Window around the score of the iteration before.
    fn around(score: i32, delta: i32) -> Window {
        Window { alpha: (score - delta).max(-INFINITY), beta: (score + delta).min(INFINITY), delta }
    }

    /// Next window after a fail low or high with this score: the side that failed is opened by delta, and delta doubles. Beyond
    /// `max_delta` the window is open.
    fn widened(self, bound: Bound, score: i32, max_delta: i32) -> Window {
        let Window { alpha, beta, delta } = self;
        let around = Window::around(score, delta);
        let delta = 2 * delta;
        match bound {
            _ if delta > max_delta => Window::open(delta),
            Bound::Upper => Window { alpha: around.alpha, beta, delta },
            Bound::Lower => Window { alpha, beta: around.beta, delta },
            Bound::Exact => Window { alpha, beta, delta },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked out by hand: a score of 30 before, delta 25, at most 100.
    #[test]
    fn windows_widen_on_the_side_that_failed() {
        let ends = |window: Window| (window.alpha, window.beta);
        let first = Window::around(30, 25);
        assert_eq!(ends(first), (5, 55));
        let second = first.widened(Bound::Upper, -10, 100);
        assert_eq!(ends(second), (-35, 55));
        let third = second.widened(Bound::Lower, 80, 100);
        assert_eq!(ends(third), (-35, 130));
        let fourth = third.widened(Bound::Upper, -40, 100);
        assert_eq!(ends(fourth), (-INFINITY, INFINITY));
    }

    #[test]
    fn a_window_ends_where_scores_do() {
        let window = Window::around(INFINITY - 10, 25);
        assert_eq!((window.alpha, window.beta), (INFINITY - 35, INFINITY));
    }
}
