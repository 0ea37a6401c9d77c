//! Pruning: nodes and moves that are not searched because they probably do not matter.
//!
//! Every rule is a bet that a cheap test predicts the result of a search. Each says what it bets on and what it loses
//! when it is wrong.

use super::observer::{Observer, Pruning};
use super::ordering::MovePicker;
use super::score::{Bound, is_mate};
use super::see::see_at_least;
use super::state::Search;
use super::table::Entry;
use super::task::{NonPv, Situation, Task};
use crate::position::Move;

/// Verdict of the move pruning rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveVerdict {
    /// The move is searched.
    Search,
    /// The move is pruned.
    Skip,
    /// The move is pruned, and so are all quiet moves after it.
    SkipQuiets,
}

impl<O: Observer> Search<'_, O> {
    /// Node pruning: the score of a node that returns before a move is searched. Not on the principal variation, in check,
    /// or during singular verification.
    pub(super) fn prune_node(&mut self, node: &Situation) -> Option<i32> {
        let evaluation = node.evaluation?;
        if is_mate(node.task.beta) {
            return None;
        }
        (self.reverse_futility(node, evaluation))
            .or_else(|| self.razoring(node, evaluation))
            .or_else(|| self.null_move(node, evaluation))
            .or_else(|| self.probcut(node, evaluation))
    }

    /// Reverse futility pruning (static null move): the evaluation is so far above beta that some quiet move will probably
    /// keep it there. It loses to threats that the evaluation does not see.
    fn reverse_futility(&mut self, node: &Situation, evaluation: i32) -> Option<i32> {
        let Task { ply, depth, beta, .. } = node.task;
        if !self.techniques.reverse_futility || depth > self.params.rfp_max_depth {
            return None;
        }
        let relief = if node.improving { self.params.rfp_improving } else { 0 };
        let safe = evaluation - (self.params.rfp_margin - relief) * depth;
        (safe >= beta).then(|| {
            self.observer.pruned(ply, Pruning::ReverseFutility);
            safe
        })
    }

    /// Razoring: the evaluation is so far below alpha that only captures can help; if quiescence fails low, so does the
    /// node. It loses where a quiet move was best.
    fn razoring(&mut self, node: &Situation, evaluation: i32) -> Option<i32> {
        let Task { ply, depth, alpha, .. } = node.task;
        if !self.techniques.razoring
            || depth > self.params.razor_max_depth
            || evaluation + self.params.razor_margin * depth >= alpha
        {
            return None;
        }
        let score = self.quiescence::<NonPv>(node.position, ply, alpha, alpha + 1);
        (score <= alpha && !self.stopped).then(|| {
            self.observer.pruned(ply, Pruning::Razoring);
            score
        })
    }

    /// Null move pruning: if passing fails high, a real move will fail high too. It is wrong in zugzwang, hence not with
    /// pawns alone. (Donninger, "Null Move and Deep Search", ICCA Journal 1993.)
    fn null_move(&mut self, node: &Situation, evaluation: i32) -> Option<i32> {
        let Task { ply, depth, beta, cut_node, .. } = node.task;
        let position = node.position;
        if !self.techniques.null_move
            || depth < self.params.null_min_depth
            || evaluation < beta
            || self.memory.line.before(ply, 1).is_some_and(|parent| parent.is_null_move)
            || !position.has_non_pawn_material(position.side_to_move())
        {
            return None;
        }
        let reduction = self.params.null_reduction + depth / self.params.null_depth_divisor;
        let below = Task {
            ply: ply + 1,
            depth: depth - 1 - reduction,
            alpha: -beta,
            beta: -beta + 1,
            cut_node: !cut_node,
        };
        let frame = &mut self.memory.line[ply];
        (frame.played, frame.is_null_move) = (None, true);
        self.memory.path.push(position.key());
        let score = -self.node::<NonPv>(&position.play_null(), below);
        self.memory.path.pop();
        self.memory.line[ply].is_null_move = false;
        (score >= beta && !self.stopped).then(|| {
            self.observer.pruned(ply, Pruning::NullMove);
            // A mate found after passing is not proved.
            if is_mate(score) { beta } else { score }
        })
    }

    /// ProbCut: a capture that beats beta by a margin in a shallower search will beat beta in this one. It loses when
    /// the answer lies beyond the shallower depth. (Buro, "ProbCut", ICCA Journal 1995; in this form Stockfish's.)
    fn probcut(&mut self, node: &Situation, evaluation: i32) -> Option<i32> {
        let Task { ply, depth, beta, cut_node, .. } = node.task;
        let raised = beta + self.params.probcut_margin;
        if !self.techniques.probcut || depth < self.params.probcut_min_depth || is_mate(raised) {
            return None;
        }
        let shallower = depth - self.params.probcut_reduction;
        // A stored score of that depth below the raised beta shows that it will fail.
        if node.stored.is_some_and(|entry| entry.depth >= shallower && entry.score < raised) {
            return None;
        }
        let position = node.position;
        let mut picker = MovePicker::tactical(node.stored.and_then(|entry| entry.best));
        let previous = self.previous(ply);
        while let Some(mv) = picker.next(position, self.hints(previous)) {
            if !see_at_least(position, mv, raised - evaluation) {
                continue;
            }
            let child = self.make(position, mv, ply);
            let quiet = -self.quiescence::<NonPv>(&child, ply + 1, -raised, -raised + 1);
            let score = match quiet >= raised && !self.stopped {
                true => {
                    let below = Task {
                        ply: ply + 1,
                        depth: shallower - 1,
                        alpha: -raised,
                        beta: -raised + 1,
                        cut_node: !cut_node,
                    };
                    -self.node::<NonPv>(&child, below)
                }
                false => quiet,
            };
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= raised {
                self.observer.pruned(ply, Pruning::ProbCut);
                let entry = Entry {
                    best: Some(mv),
                    score,
                    bound: Bound::Lower,
                    depth: shallower,
                    evaluation: node.stored.and_then(|entry| entry.evaluation),
                    was_pv: self.memory.line[ply].was_pv,
                };
                self.store(position, ply, entry);
                return Some(score);
            }
        }
        None
    }

    /// Move pruning, once some move has a score that is no mate against the side to move.
    pub(super) fn prune_move(
        &mut self,
        node: &Situation,
        alpha: i32,
        mv: Move,
        quiet_score: Option<i32>,
        quiets_tried: usize,
    ) -> MoveVerdict {
        let verdict = match quiet_score {
            Some(score) => self.prune_quiet(node, alpha, mv, score, quiets_tried),
            None => self.prune_capture(node, mv),
        };
        let Some((pruning, verdict)) = verdict else { return MoveVerdict::Search };
        self.observer.pruned(node.task.ply, pruning);
        verdict
    }

    fn prune_quiet(
        &self,
        node: &Situation,
        alpha: i32,
        mv: Move,
        score: i32,
        quiets_tried: usize,
    ) -> Option<(Pruning, MoveVerdict)> {
        let (techniques, params, depth) = (&self.techniques, self.params, node.task.depth);
        // Late move pruning: near the leaves, after so many quiet moves the good one has probably been tried. Not at PV
        // nodes: PVS relies on the PV re-search to verify a fail high. If the child of that re-search skips late moves as
        // well, a root move whose refutation is ordered late looks won, its score is stored as exact, and the maximum over the
        // root moves picks such errors. Measured at depth 2 over 250 positions: root scores 65 centipawns too high on
        // average with it, 0.0 without.
        let acts_here = !node.is_pv || params.lmp_pv != 0;
        if techniques.late_move_pruning && acts_here && depth <= params.lmp_max_depth {
            let factor = if node.improving { params.lmp_improving } else { 1 };
            if quiets_tried as i32 >= (params.lmp_base + depth * depth) * factor {
                return Some((Pruning::LateMove, MoveVerdict::SkipQuiets));
            }
        }
        // History pruning: a move with a bad history score will probably fail here, too.
        if techniques.history_pruning
            && depth <= params.history_pruning_max_depth
            && score < -params.history_pruning_margin * depth
        {
            return Some((Pruning::History, MoveVerdict::Skip));
        }
        // Futility pruning: the evaluation is so far below alpha that a quiet move cannot gain enough in the depth left.
        if techniques.futility
            && depth <= params.futility_max_depth
            && let Some(evaluation) = node.evaluation
            && evaluation + params.futility_base + params.futility_per_depth * depth <= alpha
        {
            return Some((Pruning::Futility, MoveVerdict::SkipQuiets));
        }
        // SEE pruning: the move loses its piece in the exchange.
        let loses_piece = techniques.see_pruning
            && depth <= params.see_max_depth
            && !see_at_least(node.position, mv, -params.see_quiet_margin * depth);
        loses_piece.then_some((Pruning::See, MoveVerdict::Skip))
    }

    /// SEE pruning of captures: the exchange loses more than the depth left can win back.
    fn prune_capture(&self, node: &Situation, mv: Move) -> Option<(Pruning, MoveVerdict)> {
        let (params, depth) = (self.params, node.task.depth);
        let loses = self.techniques.see_pruning
            && depth <= params.see_max_depth
            && !see_at_least(node.position, mv, -params.see_capture_margin * depth);
        loses.then_some((Pruning::See, MoveVerdict::Skip))
    }
}
