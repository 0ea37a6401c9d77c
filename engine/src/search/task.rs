//! Task of a node: what is asked of it, of which kind it is, and the best it has found.

use super::table::Entry;
use crate::position::{Move, Position};

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
#[derive(Clone, Copy, Debug)]
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

/// The best a node has found among the moves so far.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Plies from the root.
    pub ply: usize,
    /// What a move must beat to matter.
    pub alpha: i32,
    /// From this on the node fails high.
    pub beta: i32,
    /// The best score, perhaps below alpha.
    pub score: i32,
    /// The move that raised alpha last.
    pub mv: Option<Move>,
}

/// A move against the best before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It does not beat alpha.
    Worse,
    /// It is the new best move.
    Better,
    /// It is the new best move, and no other is needed.
    Cutoff,
}

/// A node as the rules see it.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Position,
    /// What is asked of it.
    pub task: Task,
    /// Static evaluation, corrected; none in check.
    pub evaluation: Option<i32>,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// The node may carry the principal variation.
    pub is_pv: bool,
    /// What the table knows.
    pub stored: Option<Entry>,
}
