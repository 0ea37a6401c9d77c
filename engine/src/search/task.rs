//! Node types and tasks: PV or not, ply, depth and window of a node, and the best move found so far.

use super::table::Entry;
use crate::position::{Move, Position};

/// Node type, known at compile time.
pub trait NodeKind {
    /// The node may carry the principal variation.
    const PV: bool;
}

/// PV node: the root, and nodes reached from PV nodes by a first move or a re-search with the full window.
pub struct Pv;

/// Non-PV node. With `pvs` its window is a null window; without `pvs` it is open, as all windows are.
pub struct NonPv;

/// Whether the window is a null window.
pub const fn is_null_window(alpha: i32, beta: i32) -> bool {
    beta - alpha == 1
}

impl NodeKind for Pv {
    const PV: bool = true;
}

impl NodeKind for NonPv {
    const PV: bool = false;
}

/// Task of a node: its ply, its depth and its window.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Plies from the root.
    pub ply: usize,
    /// Plies left to search.
    pub depth: i32,
    /// Lower bound of the window: scores up to this fail low.
    pub alpha: i32,
    /// Upper bound of the window: scores from this on fail high.
    pub beta: i32,
    /// The node is expected to fail high.
    pub cut_node: bool,
}

/// Best move and score of a node so far.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Plies from the root.
    pub ply: usize,
    /// The score that a move must beat.
    pub alpha: i32,
    /// From this on the node fails high.
    pub beta: i32,
    /// The best score, perhaps below alpha.
    pub score: i32,
    /// The move that raised alpha last.
    pub mv: Option<Move>,
}

/// Result of the comparison of a move with the best before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It does not beat alpha.
    Worse,
    /// It is the new best move.
    Better,
    /// It is the new best move, and no other is needed.
    Cutoff,
}

/// Node as the pruning and extension rules read it.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Position,
    /// Its ply, depth and window.
    pub task: Task,
    /// Static evaluation, corrected; none in check.
    pub evaluation: Option<i32>,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// The node may carry the principal variation.
    pub is_pv: bool,
    /// Its table entry.
    pub stored: Option<Entry>,
}
