//! Principal variation search of a move, and the alpha-beta update with its score.

use super::observer::Observer;
use super::state::Search;
use super::task::{Best, Comparison, NodeKind, NonPv, Pv, Task};
use crate::position::{Move, Position};

impl<O: Observer> Search<'_, O> {
    /// Principal variation search of one move: its score, from the side that makes it. `task.depth` is the child's.
    ///
    /// In a well-ordered list the first move is probably best: it gets the full window. Each later move gets a null
    /// window, which stored bounds can settle far more often and which only shows whether the move is better; if it is,
    /// it is searched again. (Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982.) It loses
    /// when the move ordering is bad: a new best move costs two searches.
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

    /// Alpha-beta update: compares the score of a move with the best so far. A better one raises alpha; at beta the node
    /// fails high.
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
}
