//! What has been counted: the pairs by score, and the faults.

use crate::game::record::{PairRecord, Termination};
use crate::statistics::{Pentanomial, Trinomial};

/// Integer counts of the pairs counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs by the candidate's score.
    pub pairs: Pentanomial,
    /// Games by the candidate's result.
    pub games: Trinomial,
    /// Games lost on time, by either player.
    pub time_losses: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
    /// Games lost because a player broke down or had no answer.
    pub crashes: u64,
}

impl Tally {
    /// Counts one pair more.
    pub fn add(&mut self, pair: &PairRecord) {
        self.pairs.0[pair.category()] += 1;
        for game in &pair.games {
            match game.candidate_half_points() {
                0 => self.games.losses += 1,
                1 => self.games.draws += 1,
                _ => self.games.wins += 1,
            }
            match game.termination {
                Termination::TimeForfeit => self.time_losses += 1,
                Termination::IllegalMove => self.illegal_moves += 1,
                Termination::Crash | Termination::Stall | Termination::NoMove => self.crashes += 1,
                _ => {}
            }
        }
    }
}
