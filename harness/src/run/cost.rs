//! Cost of a player's moves: depth, nodes and time.

use crate::game::record::MoveRecord;

/// Sums over all moves of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    moves: u64,
    nodes: u64,
    plies: u64,
    micros: u64,
}

impl Cost {
    /// Adds one move.
    pub fn add(&mut self, played: &MoveRecord) {
        self.moves += 1;
        // Engines may claim any number.
        self.nodes = self.nodes.saturating_add(played.nodes);
        self.plies += u64::from(played.depth);
        self.micros += played.micros;
    }

    /// Positions searched for a move, on average; none without moves.
    pub fn nodes_per_move(&self) -> Option<f64> {
        self.per_move(self.nodes)
    }

    /// Depth reached for a move, on average, plies; none without moves.
    pub fn depth_per_move(&self) -> Option<f64> {
        self.per_move(self.plies)
    }

    /// Positions searched a second; none if it took no time.
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.micros > 0).then(|| 1e6 * self.nodes as f64 / self.micros as f64)
    }

    fn per_move(&self, sum: u64) -> Option<f64> {
        (self.moves > 0).then(|| sum as f64 / self.moves as f64)
    }
}
