//! Conduct of a player over the games of a run: its faults, and whether it searches the nodes that are asked for.

use super::faults::Faults;
use super::latency::{Latencies, Latency};
use super::node_use::{NodeUse, NodesSearched};
use crate::game::limit::Limit;
use crate::game::record::{GameRecord, PairRecord, Side};
use crate::players::spec::PlayerSpec;

/// What is watched of a player, over the games it played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Games counted.
    pub games: u64,
    /// Those that it lost by its own faults.
    pub faults: Faults,
    /// How many from the first on it lost so, without another between.
    pub faulty_from_start: u64,
    /// How many from the first on ended by a fault of one side or the other.
    pub decided_from_start: u64,
    nodes: NodeUse,
    latencies: Latencies,
}

impl Conduct {
    /// Adds both games of a pair that it played on this side.
    pub fn add(&mut self, pair: &PairRecord, side: Side) {
        for game in &pair.games {
            self.add_game(game, game.lost_by_fault_of() == Some(side));
            self.add_answers(game, side);
        }
    }

    /// Adds a pair that it played against itself.
    pub fn add_both_sides(&mut self, pair: &PairRecord) {
        for game in &pair.games {
            self.add_game(game, game.lost_by_fault_of().is_some());
            [Side::Base, Side::Candidate].into_iter().for_each(|side| self.add_answers(game, side));
        }
    }

    fn add_answers(&mut self, game: &GameRecord, side: Side) {
        self.nodes.add(game, side);
        self.latencies.add(game, side);
    }

    fn add_game(&mut self, game: &GameRecord, is_at_fault: bool) {
        if is_at_fault {
            self.faults.add(game.termination);
            self.faulty_from_start += u64::from(self.faulty_from_start == self.games);
        }
        if game.termination.is_fault() {
            self.decided_from_start += u64::from(self.decided_from_start == self.games);
        }
        self.games += 1;
    }
}

/// A player of a run with what has been counted of it.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Its name, which no other player of the run has.
    pub name: String,
    /// Its limit.
    pub limit: Limit,
    /// What it did.
    pub conduct: Conduct,
}

impl Watched {
    /// Base and candidate of a run of two, under this limit unless they have one of their own.
    pub fn two([base, candidate]: [&PlayerSpec; 2], limit: Limit, conduct: [Conduct; 2]) -> [Watched; 2] {
        let names = match (base.name() == candidate.name(), base.file == candidate.file) {
            (false, _) => [base.name(), candidate.name()],
            (true, false) => [base.file.as_str(), candidate.file.as_str()],
            (true, true) => ["the base", "the candidate"],
        };
        let own = [base, candidate].map(|player| player.limit.unwrap_or(limit));
        [0, 1].map(|side| Watched { name: names[side].to_owned(), limit: own[side], conduct: conduct[side] })
    }

    /// How it did not honour its limit of nodes, or cannot be seen to.
    pub fn nodes_searched(&self) -> Option<NodesSearched> {
        self.conduct.nodes.against(self.limit, &self.name)
    }

    /// How late its answers come under a clock; none under other limits, and if it tells no time.
    pub fn latency(&self) -> Option<Latency> {
        self.conduct.latencies.of(&self.name).filter(|_| self.limit.has_clock())
    }

    /// How many of its games it lost by its faults, in a sentence; none without any.
    pub fn share_of_faults(&self) -> Option<String> {
        self.conduct.faults.share(&self.name, self.conduct.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::record::{GameResult, Termination};
    use crate::run::collector::tests::pair;

    /// A pair in whose games the candidate loses by a fault, or nobody does.
    fn faulty(index: u64, faults: [bool; 2]) -> PairRecord {
        let mut pair = pair(index);
        for (game, is_faulty) in pair.games.iter_mut().zip(faults) {
            if is_faulty {
                let candidate_loses = if game.white == Side::Candidate { "0-1" } else { "1-0" };
                game.result = candidate_loses.parse::<GameResult>().unwrap();
                game.termination = Termination::Crash;
            }
        }
        pair
    }

    #[test]
    fn faults_are_those_of_the_loser_and_the_first_without_one_ends_the_streak() {
        let [mut base, mut candidate, mut both] = [Conduct::default(); 3];
        for pair in [faulty(0, [true; 2]), faulty(1, [true, false]), faulty(2, [true; 2])] {
            base.add(&pair, Side::Base);
            candidate.add(&pair, Side::Candidate);
            both.add_both_sides(&pair);
        }
        assert_eq!((candidate.games, candidate.faults.crashes, candidate.faulty_from_start), (6, 5, 3));
        assert_eq!((base.games, base.faults.sum(), base.faulty_from_start), (6, 0, 0));
        assert_eq!(base.decided_from_start, 3);
        assert_eq!((both.games, both.faults.crashes, both.faulty_from_start), (6, 5, 3));
    }
}
