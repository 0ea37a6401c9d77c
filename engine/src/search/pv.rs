//! Principal variation table: the best line of every ply, in a triangular table.

use super::score::MAX_PLY;
use crate::position::Move;
use arrayvec::ArrayVec;

/// A line of best play.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// The best line found below each ply of the present path.
pub struct PvTable {
    lines: Box<[Line]>,
}

impl PvTable {
    /// Empty lines.
    pub fn new() -> PvTable {
        PvTable { lines: (0..=MAX_PLY).map(|_| Line::new()).collect() }
    }

    /// The best line from `ply` on.
    pub fn line(&self, ply: usize) -> &Line {
        &self.lines[ply]
    }

    /// A node at `ply` is entered: nothing is known below it yet.
    pub fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// `mv` is best at `ply`: the line is that move, then the best line of the node it leads to.
    pub fn set(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend(lower[0].iter().copied().take(MAX_PLY - 1));
    }
}
