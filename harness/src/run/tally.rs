//! Counts of the pairs between two players: by score, and how each player conducted itself.

use super::conduct::Conduct;
use super::faults::Faults;
use crate::game::record::{PairRecord, Side};
use crate::statistics::{Pentanomial, Trinomial};

/// Integer counts of the pairs counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs by the candidate's score.
    pub pairs: Pentanomial,
    /// Games by the candidate's result.
    pub games: Trinomial,
    /// What base and candidate did.
    pub conduct: [Conduct; 2],
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
        }
        let [base, candidate] = &mut self.conduct;
        base.add(pair, Side::Base);
        candidate.add(pair, Side::Candidate);
    }

    /// Games lost by faults of either player.
    pub fn faults(&self) -> Faults {
        let [base, candidate] = self.conduct;
        base.faults.and(candidate.faults)
    }
}
