//! Standing of one player of a match.

use crate::game::record::{PairRecord, Side};
use crate::run::conduct::Conduct;
use crate::run::cost::Cost;
use crate::statistics::Trinomial;

/// What one player has done in all its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its games, from its side.
    pub games: Trinomial,
    /// What it did besides.
    pub conduct: Conduct,
    /// What it searched.
    pub cost: Cost,
}

impl Standing {
    /// Adds the games of a pair that it played on this side.
    pub fn add(&mut self, pair: &PairRecord, side: Side) {
        self.conduct.add(pair, side);
        for game in &pair.games {
            game.moves_of(side).for_each(|played| self.cost.add(played));
            let candidates = game.candidate_half_points();
            let half_points = if side == Side::Candidate { candidates } else { 2 - candidates };
            match half_points {
                0 => self.games.losses += 1,
                1 => self.games.draws += 1,
                _ => self.games.wins += 1,
            }
        }
    }
}
