//! Quiescence search: captures and promotions at depth 0, until the position is quiet.
//!
//! The static evaluation does not see that a piece is taken next move. At depth 0 the search therefore goes on with
//! captures and promotions (all evasions when in check). The side to move may "stand pat": take the static evaluation
//! instead of a capture.

use super::observer::{Observer, Pruning};
use super::ordering::MovePicker;
use super::score::{Bound, DRAW, INFINITY, MAX_PLY, mated_at};
use super::see::SEE_VALUES;
use super::state::Search;
use super::table::Entry;
use super::task::{Best, Comparison, NodeKind, Task};
use crate::position::{Move, Position};

impl<O: Observer> Search<'_, O> {
    /// Quiescence search: the score of a position at depth 0, from the side to move.
    pub(super) fn quiescence<N: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let task = Task { ply, depth: 0, alpha, beta, cut_node: false };
        self.observed::<N>(task, |search| search.quiescence_node::<N>(position, task))
    }

    fn quiescence_node<N: NodeKind>(&mut self, position: &Position, task: Task) -> i32 {
        let Task { ply, alpha, beta, .. } = task;
        if self.is_draw(position, ply) {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(position);
        }

        let stored = self.probe(position, ply);
        if let Some(score) = self.table_cutoff::<N>(position, task, stored.as_ref()) {
            return score;
        }
        let hash_move = stored.and_then(|entry| entry.best);

        // Stalemate comes before standing pat, or the score would depend on the window. With pieces left
        // it is too rare to be worth the test.
        let in_check = position.in_check();
        if !in_check && !position.has_non_pawn_material(position.side_to_move()) && !position.has_legal_move()
        {
            return DRAW;
        }
        let raw_evaluation = (!in_check).then(|| self.raw_evaluation(position, stored.as_ref()));
        let evaluation = raw_evaluation.map(|raw| self.corrected(position, raw));
        let mut best = Best { ply, alpha, beta, score: evaluation.unwrap_or(-INFINITY), mv: None };
        if self.techniques.alpha_beta {
            if best.score >= beta {
                self.observer.pruned(ply, Pruning::StandPat);
                return best.score;
            }
            best.alpha = alpha.max(best.score);
        }

        let mut picker = match in_check {
            true => MovePicker::all(hash_move, [None; 3]),
            false => MovePicker::tactical(hash_move),
        };
        let previous = self.previous(ply);
        let mut rank = 0;
        while let Some(mv) = picker.next(position, self.hints(previous)) {
            rank += 1;
            if let Some(evaluation) = evaluation
                && let Some(hopeless) = self.prune_in_quiescence(position, mv, &picker, evaluation, best)
            {
                best.score = best.score.max(hopeless);
                continue;
            }
            self.observer.try_move(ply, mv, rank);
            let child = self.make(position, mv, ply);
            let score = -self.quiescence::<N>(&child, ply + 1, -beta, -best.alpha);
            self.unmake();
            if self.stopped {
                return DRAW;
            }
            if self.compare::<N>(&mut best, mv, rank, score) == Comparison::Cutoff {
                break;
            }
        }

        if rank == 0 && in_check {
            return mated_at(ply);
        }
        let found = Entry {
            best: best.mv,
            score: best.score,
            bound: Bound::of(best.score, alpha, beta),
            depth: 0,
            evaluation: raw_evaluation,
            was_pv: N::PV || stored.is_some_and(|entry| entry.was_pv),
        };
        self.store(position, ply, found);
        best.score
    }

    /// Leaf evaluation: the score of a node at depth 0 when quiescence is off.
    pub(super) fn leaf(&mut self, position: &Position, ply: usize) -> i32 {
        match self.is_draw(position, ply) {
            true => DRAW,
            false => self.evaluate(position),
        }
    }

    /// Pruning in quiescence: an upper bound for a capture that is not searched; the side to move is not in check.
    fn prune_in_quiescence(
        &mut self,
        position: &Position,
        mv: Move,
        picker: &MovePicker,
        evaluation: i32,
        best: Best,
    ) -> Option<i32> {
        let Best { ply, alpha, .. } = best;
        // Delta pruning: the captured piece and a margin do not reach alpha.
        if self.techniques.delta_pruning {
            let value = |piece| SEE_VALUES[piece as usize];
            let gain = position.captured_piece(mv).map_or(0, value) + mv.promotion().map_or(0, value);
            let most = evaluation + gain + self.params.delta_margin;
            if most <= alpha {
                self.observer.pruned(ply, Pruning::Delta);
                return Some(most);
            }
        }
        // SEE pruning: the exchange loses material, and the side to move can stand pat instead.
        if self.techniques.see_pruning_quiescence && !picker.keeps_material(position, mv) {
            self.observer.pruned(ply, Pruning::See);
            return Some(evaluation);
        }
        None
    }
}
