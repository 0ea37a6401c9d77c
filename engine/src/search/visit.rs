//! Node visit: the node count, the limits and the observer, for the main search and quiescence alike.

use super::observer::{NodeInfo, Observer};
use super::score::DRAW;
use super::state::Search;
use super::task::{NodeKind, Task};

impl<O: Observer> Search<'_, O> {
    /// Counts the node, reports it to the observer and searches it, unless a limit is reached.
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
}
