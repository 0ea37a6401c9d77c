//! One node of the main search, read from top to bottom in the order things are tried.
//!
//! Each step is a call into the file of its subject or a short block under the name it has in the
//! literature. Fail-soft throughout: the score returned may lie outside the window, and is then a bound.

use super::Search;
use super::extensions::Singularity;
use super::frame::PieceTo;
use super::history::Previous;
use super::observer::{NodeInfo, Observer, Pruning};
use super::ordering::{Hints, MOST_MOVES, Picker, Refutations};
use super::pruning::MoveVerdict;
use super::reductions::LateMove;
use super::score::{Bound, DRAW, INFINITY, MATE, MAX_PLY, mated_at};
use super::table::Entry;
use super::task::{Best, Comparison, NodeKind, NonPv, Pv, Situation, Task};
use crate::position::{Move, Position};
use arrayvec::ArrayVec;

impl<O: Observer> Search<'_, O> {
    /// The score of a position from the side to move, or any value once the search has been stopped.
    pub(super) fn node<N: NodeKind>(&mut self, position: &Position, mut task: Task) -> i32 {
        // Step 1. Check extension: a check has few answers, and the threat behind it may lie just beyond the depth. Not
        // during singular verification, which asks for a shallower search of the same node.
        let is_verification = self.memory.line[task.ply].excluded.is_some();
        if self.techniques.check_extension && position.in_check() && !is_verification {
            task.depth = task.depth.max(0) + 1;
        }
        // Step 2. Quiescence where no depth is left.
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

    fn interior<N: NodeKind>(&mut self, position: &Position, mut task: Task) -> i32 {
        let Task { ply, alpha, beta, .. } = task;
        let in_check = position.in_check();
        let excluded = self.memory.line[ply].excluded;

        // Step 3. Draws by rule, and the end of the tables that a line may fill.
        if self.is_draw(position, ply) {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(position);
        }

        // Step 4. Transposition table. During singular verification the entry does not apply.
        let stored = self.probe(position, ply);
        if excluded.is_none()
            && let Some(score) = self.settled_by_table::<N>(position, task, stored.as_ref())
        {
            return score;
        }
        let hash_move = stored.and_then(|entry| entry.best);

        // Step 5. Internal iterative reduction: without a hash move the move order is poor, and a search of full depth
        // expensive. The next visit has a hash move. (Schröder, Rebel.)
        if self.techniques.internal_iterative_reductions
            && task.depth >= self.params.iir_min_depth
            && hash_move.is_none()
            && excluded.is_none()
        {
            task.depth -= 1;
        }
        let depth = task.depth;

        // Step 6. Static evaluation, and whether it has got better since the last own move.
        let raw_evaluation =
            (!in_check && self.uses_evaluation()).then(|| self.raw_evaluation(position, stored.as_ref()));
        let corrected = raw_evaluation.map(|raw| self.corrected(position, raw));
        let evaluation = corrected.map(|corrected| self.nearer_the_truth(corrected, stored.as_ref()));
        let improving = self.techniques.improving
            && corrected.is_some_and(|now| {
                let before = self.memory.line.before(ply, 2).and_then(|frame| frame.evaluation);
                before.is_some_and(|before| now > before)
            });
        let double_extensions = self.memory.line.before(ply, 1).map_or(0, |parent| parent.double_extensions);
        let frame = &mut self.memory.line[ply];
        frame.evaluation = corrected;
        frame.was_pv = N::PV || stored.is_some_and(|entry| entry.was_pv);
        frame.double_extensions = double_extensions;
        self.memory.line[ply + 2].cutoffs = 0;

        // Step 7. Pruning of the whole node.
        let node = Situation { position, task, evaluation, improving, is_pv: N::PV, stored };
        if !N::PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node)
        {
            return score;
        }
        if self.stopped {
            return DRAW;
        }

        // Step 8. The moves, best first as far as can be told.
        let mut picker = Picker::all(hash_move, self.refutations(ply));
        let hash_move_is_capture = hash_move.is_some_and(|mv| position.is_capture(mv));
        let mut quiets_tried = ArrayVec::<Move, MOST_MOVES>::new();
        let mut best = Best { ply, alpha, beta, score: -INFINITY, mv: None };
        let previous = self.previous(ply);
        let mut rank = 0;
        while let Some(mv) = picker.next(position, self.hints(previous)) {
            if Some(mv) == excluded {
                continue;
            }
            rank += 1;
            let is_quiet = !position.is_tactical(mv);
            let quiet_score = is_quiet.then(|| self.quiet_score(position, mv, &previous));

            // Step 9. Pruning of the move, once some move has shown that this is no mate.
            if best.score > -MATE + MAX_PLY as i32 && !in_check {
                match self.judge_move(&node, best.alpha, mv, quiet_score, quiets_tried.len()) {
                    MoveVerdict::Search => {}
                    MoveVerdict::Skip => continue,
                    MoveVerdict::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // Step 10. Extension.
            let extension = match self.singular_test(&node, mv) {
                _ if self.stopped => return DRAW,
                Singularity::Extend(plies) => plies,
                Singularity::Cut(score) => {
                    self.observer.pruned(ply, Pruning::Multicut);
                    return score;
                }
            };
            if extension != 0 {
                self.observer.extended(ply, extension);
            }
            self.memory.line[ply].double_extensions = double_extensions + i32::from(extension >= 2);

            // Step 11. Reduction, and the search of the move.
            self.observer.try_move(ply, mv, rank);
            let below = Task { depth: depth - 1 + extension, alpha: best.alpha, ..task };
            let is_late_kind = is_quiet || picker.is_at_losing_captures();
            let late = LateMove { depth, rank, quiet_score, cut_node: task.cut_node, hash_move_is_capture };
            let reduction = if is_late_kind && !in_check { self.reduction::<N>(ply, late) } else { 0 };
            let score = self.search_move::<N>(position, mv, rank, reduction, below);
            if self.stopped {
                return DRAW;
            }

            // Step 12. A better move raises alpha; at beta the node fails high.
            if self.compare::<N>(&mut best, mv, rank, score) == Comparison::Cutoff {
                let counts = if extension >= 2 { self.params.cutoff_count_double_extended } else { 1 };
                self.memory.line[ply].cutoffs += counts + i32::from(hash_move.is_none());
                if is_quiet {
                    self.learn_from_cutoff(position, ply, depth, mv, &quiets_tried);
                }
                break;
            }
            if is_quiet {
                quiets_tried.push(mv);
            }
        }

        // Step 13. No legal move: mate or stalemate; while a move is left out, only that one was legal.
        if rank == 0 {
            return match (excluded.is_some(), in_check) {
                (true, _) => alpha,
                (false, true) => mated_at(ply),
                (false, false) => DRAW,
            };
        }

        // Step 14. Keep what was found.
        if excluded.is_none() {
            let parent_was_pv = self.memory.line.before(ply, 1).is_some_and(|parent| parent.was_pv);
            if best.score <= alpha && parent_was_pv && depth > self.params.tt_pv_fail_low_depth {
                self.memory.line[ply].was_pv = true;
            }
            let found = Entry {
                best: best.mv,
                score: best.score,
                bound: Bound::of(best.score, alpha, beta),
                depth,
                evaluation: raw_evaluation,
                was_pv: self.memory.line[ply].was_pv,
            };
            self.store(position, ply, found);
            self.learn_correction(position, corrected, &found);
        }
        best.score
    }

    /// Holds the score of a move against the best so far. A better one raises alpha, and at beta no more moves are
    /// needed.
    pub(super) fn compare<N: NodeKind>(
        &mut self,
        best: &mut Best,
        mv: Move,
        rank: u32,
        score: i32,
    ) -> Comparison {
        if score <= best.score {
            return Comparison::Worse;
        }
        best.score = score;
        if score <= best.alpha {
            return Comparison::Worse;
        }
        best.mv = Some(mv);
        if N::PV {
            self.memory.pv.set(best.ply, mv);
        }
        if !self.techniques.alpha_beta {
            return Comparison::Better;
        }
        if score >= best.beta {
            self.observer.cutoff(best.ply, rank);
            return Comparison::Cutoff;
        }
        best.alpha = score;
        Comparison::Better
    }

    /// The score of a move, seen from the side that makes it.
    ///
    /// This is principal variation search. Of a well-ordered list the first move is probably best: it
    /// gets the whole window. Of each later one it is only asked whether it is better, with a null
    /// window, which far more stored and searched bounds can answer; if it is, it is searched again.
    /// (Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982.) It loses when
    /// the order is bad: a new best move costs two searches. `task.depth` is the child's.
    pub(super) fn search_move<N: NodeKind>(
        &mut self,
        parent: &Position,
        mv: Move,
        rank: u32,
        reduction: i32,
        task: Task,
    ) -> i32 {
        let Task { ply, depth, alpha, beta, cut_node } = task;
        let child = &self.make(parent, mv, ply);
        let below = Task { ply: ply + 1, ..task };
        let full_window = Task { alpha: -beta, beta: -alpha, cut_node: false, ..below };

        let score = if N::PV && rank == 1 {
            -self.node::<Pv>(child, full_window)
        } else {
            if N::PV {
                self.memory.pv.clear(ply + 1);
            }
            if !self.techniques.pvs {
                -self.node::<NonPv>(child, full_window)
            } else {
                let null_window = Task { alpha: -alpha - 1, beta: -alpha, cut_node: !cut_node, ..below };
                let reduction = reduction.clamp(0, (depth - 1).max(0));
                let mut score = if reduction > 0 {
                    self.observer.reduced(ply, reduction);
                    let reduced = Task { depth: depth - reduction, cut_node: true, ..null_window };
                    let mut score = -self.node::<NonPv>(child, reduced);
                    if score > alpha && !self.stopped {
                        self.observer.reduction_researched(ply);
                        score = -self.node::<NonPv>(child, null_window);
                    }
                    score
                } else {
                    -self.node::<NonPv>(child, null_window)
                };
                if N::PV && score > alpha && score < beta && !self.stopped {
                    // Whatever this gives stands, even if it is lower: instability must not loop.
                    self.observer.pvs_researched(ply);
                    score = -self.node::<Pv>(child, full_window);
                }
                score
            }
        };
        self.unmake();
        score
    }

    /// The position after a move, which becomes part of the line; [`Search::unmake`] takes it back.
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

    /// Takes the last move of the line back.
    pub(super) fn unmake(&mut self) {
        self.memory.path.pop();
    }

    /// A node at depth 0 when quiescence is off.
    fn leaf(&mut self, position: &Position, ply: usize) -> i32 {
        match self.is_draw(position, ply) {
            true => DRAW,
            false => self.evaluate(position),
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

    /// The quiet moves to try first.
    fn refutations(&self, ply: usize) -> Refutations {
        let [first, second] = if self.techniques.killers { self.memory.line[ply].killers } else { [None; 2] };
        let counter = match self.techniques.countermoves {
            true => self.memory.history.countermove(&self.previous(ply)),
            false => None,
        };
        [first, second, counter]
    }

    /// The quiet-move score, or 0 when nothing that is on looks at it.
    pub(super) fn quiet_score(&self, position: &Position, mv: Move, previous: &Previous) -> i32 {
        if !self.techniques.lmr && !self.techniques.history_pruning {
            return 0;
        }
        let scores = self.memory.history.quiet_scores(position.side_to_move(), previous, &self.techniques);
        scores.of(position, mv)
    }

    pub(super) fn hints(&self, previous: Previous) -> Hints<'_> {
        Hints { techniques: &self.techniques, history: &self.memory.history, previous }
    }

    /// The moves that led to the node at this ply.
    pub(super) fn previous(&self, ply: usize) -> Previous {
        [1, 2].map(|plies| self.memory.line.before(ply, plies).and_then(|frame| frame.played))
    }

    /// A quiet move cut: it is tried early in the sister nodes (killers) and, wherever it can be played
    /// again, before quiet moves that did not (history).
    fn learn_from_cutoff(&mut self, position: &Position, ply: usize, depth: i32, mv: Move, tried: &[Move]) {
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
