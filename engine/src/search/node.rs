//! Main search: one node in numbered steps, from the check extension to the transposition table store.
//!
//! Each step is a call into the file of its subject, or a short block under the name that the literature gives it. The
//! search is fail-soft: the score returned may lie outside the window, and is then a bound.

use super::extensions::Singularity;
use super::observer::{Observer, Pruning};
use super::ordering::{MOST_MOVES, MovePicker};
use super::pruning::MoveVerdict;
use super::reductions::LateMove;
use super::score::{Bound, DRAW, INFINITY, MATE, MAX_PLY, mated_at};
use super::state::Search;
use super::table::Entry;
use super::task::{Best, Comparison, NodeKind, Situation, Task};
use crate::position::{Move, Position};
use arrayvec::ArrayVec;

impl<O: Observer> Search<'_, O> {
    /// Main search: the score of a position from the side to move; not to be used once the search has been stopped.
    pub(super) fn node<N: NodeKind>(&mut self, position: &Position, mut task: Task) -> i32 {
        // Step 1. Check extension: a check has few replies, and the threat behind it may lie just beyond the depth. Not
        // in singular verification, which searches the same node again at less depth.
        let is_verification = self.memory.line[task.ply].excluded.is_some();
        if self.techniques.check_extension && position.in_check() && !is_verification {
            task.depth = task.depth.max(0) + 1;
        }
        // Step 2. Quiescence search at depth 0.
        if task.depth <= 0 && self.techniques.quiescence {
            return self.quiescence::<N>(position, task.ply, task.alpha, task.beta);
        }
        self.observed::<N>(task, |search| match task.depth <= 0 {
            true => search.leaf(position, task.ply),
            false => search.interior::<N>(position, task),
        })
    }

    fn interior<N: NodeKind>(&mut self, position: &Position, mut task: Task) -> i32 {
        let Task { ply, alpha, beta, .. } = task;
        let in_check = position.in_check();
        let excluded = self.memory.line[ply].excluded;

        // Step 3. Draws by rule, and the maximum ply.
        if self.is_draw(position, ply) {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(position);
        }

        // Step 4. Transposition table cutoff. During singular verification the entry does not apply.
        let stored = self.probe(position, ply);
        if excluded.is_none()
            && let Some(score) = self.table_cutoff::<N>(position, task, stored.as_ref())
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

        // Step 6. Static evaluation, and whether it has improved since the last move of the same side.
        let raw_evaluation =
            (!in_check && self.uses_evaluation()).then(|| self.raw_evaluation(position, stored.as_ref()));
        let corrected = raw_evaluation.map(|raw| self.corrected(position, raw));
        let evaluation = corrected.map(|corrected| self.table_evaluation(corrected, stored.as_ref()));
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

        // Step 7. Node pruning: reverse futility, razoring, null move, ProbCut.
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

        // Step 8. Move loop, in the order of the move picker.
        let mut picker = MovePicker::all(hash_move, self.refutations(ply));
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

            // Step 9. Move pruning, once some move has a score that is no mate against this side.
            if best.score > -MATE + MAX_PLY as i32 && !in_check {
                match self.prune_move(&node, best.alpha, mv, quiet_score, quiets_tried.len()) {
                    MoveVerdict::Search => {}
                    MoveVerdict::Skip => continue,
                    MoveVerdict::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // Step 10. Singular extension and multicut, for the hash move.
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

            // Step 11. Late move reduction, then principal variation search of the move.
            self.observer.try_move(ply, mv, rank);
            let below = Task { depth: depth - 1 + extension, alpha: best.alpha, ..task };
            let is_late_kind = is_quiet || picker.is_at_losing_captures();
            let late = LateMove { depth, rank, quiet_score, cut_node: task.cut_node, hash_move_is_capture };
            let reduction = if is_late_kind && !in_check { self.reduction::<N>(ply, late) } else { 0 };
            let score = self.search_move::<N>(position, mv, rank, reduction, below);
            if self.stopped {
                return DRAW;
            }

            // Step 12. Alpha-beta update: a better move raises alpha; at beta the node fails high.
            if self.compare::<N>(&mut best, mv, rank, score) == Comparison::Cutoff {
                let counts = if extension >= 2 { self.params.cutoff_count_double_extended } else { 1 };
                self.memory.line[ply].cutoffs += counts + i32::from(hash_move.is_none());
                if is_quiet {
                    self.update_quiet_histories(position, ply, depth, mv, &quiets_tried);
                }
                break;
            }
            if is_quiet {
                quiets_tried.push(mv);
            }
        }

        // Step 13. No legal move: checkmate or stalemate. During singular verification the excluded move was the only one.
        if rank == 0 {
            return match (excluded.is_some(), in_check) {
                (true, _) => alpha,
                (false, true) => mated_at(ply),
                (false, false) => DRAW,
            };
        }

        // Step 14. Transposition table store, and update of the correction history.
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
            self.update_correction_history(position, corrected, &found);
        }
        best.score
    }
}
