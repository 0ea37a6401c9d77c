//! Extensions: the singular test of the hash move, and multicut.

use super::observer::Observer;
use super::score::{Bound, is_mate};
use super::state::Search;
use super::task::{NonPv, Situation, Task};
use crate::position::Move;

/// Result of the singular test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Singularity {
    /// The move is searched so many plies deeper (less deep, if negative).
    Extend(i32),
    /// The whole node has this score at least.
    Cut(i32),
}

impl<O: Observer> Search<'_, O> {
    /// Singular extension: by how many plies the hash move is searched deeper (or less deep, if negative).
    ///
    /// If every other move fails low against a bound a little below the hash move's score, in a search of half the depth,
    /// the line hangs on this one move, and a mistake about it is a mistake about the node. It costs that search.
    /// (Anantharaman, Campbell and Hsu, "Singular Extensions", 1988; with the hash move, and doubled, Stockfish's.)
    ///
    /// Multicut: if the others beat beta as well, the node has two moves that do, one of them probably at full depth, too.
    /// It loses when the shallower search was wrong about all of them. (Björnsson and Marsland, "Multi-cut Alpha-Beta
    /// Pruning", 1998; within the singular test Stockfish's.)
    pub(super) fn singular_test(&mut self, node: &Situation, mv: Move) -> Singularity {
        let Task { ply, depth, beta, .. } = node.task;
        let (techniques, params) = (self.techniques, self.params);
        let Some(entry) = node.stored.filter(|entry| entry.best == Some(mv)) else {
            return Singularity::Extend(0);
        };
        if !techniques.singular_extensions
            || ply == 0
            || depth < params.singular_min_depth
            || entry.depth < depth - params.singular_tt_depth_margin
            || entry.bound == Bound::Upper
            || is_mate(entry.score)
        {
            return Singularity::Extend(0);
        }

        let singular_beta = entry.score - params.singular_margin * depth;
        let verification = Task {
            depth: ((depth - 1) / 2).max(1),
            alpha: singular_beta - 1,
            beta: singular_beta,
            ..node.task
        };
        let frame = self.memory.line[ply];
        self.memory.line[ply].excluded = Some(mv);
        let others = self.node::<NonPv>(node.position, verification);
        // The verification was a node of its own at this ply.
        self.memory.line[ply] = frame;
        if self.stopped {
            return Singularity::Extend(0);
        }

        if others < singular_beta {
            let far = techniques.double_extensions
                && !node.is_pv
                && others < singular_beta - params.double_extension_margin
                && self.memory.line[ply].double_extensions < params.double_extension_limit;
            Singularity::Extend(if far { 2 } else { 1 })
        } else if techniques.multicut && !node.is_pv && singular_beta >= beta {
            Singularity::Cut(singular_beta)
        } else if techniques.negative_extensions && entry.score >= beta {
            Singularity::Extend(-params.negative_extension_plies)
        } else {
            Singularity::Extend(0)
        }
    }
}
