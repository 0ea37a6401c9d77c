//! What have the pairs of a match come to? Counts alone, which need no openings: a stored match is counted again by them.

use super::spec::{TournamentSpec, turn_of};
use super::standing::Standing;
use crate::game::record::{PairRecord, Side};
use crate::run::conduct::Watched;
use crate::run::tally::Tally;

/// The counts of a match.
#[derive(Clone, Debug)]
pub struct Results {
    pairings: Vec<[usize; 2]>,
    meetings: Vec<Tally>,
    standings: Vec<Standing>,
    counted: u64,
}

impl Results {
    /// Nothing counted yet.
    pub fn new(spec: &TournamentSpec) -> Results {
        let pairings = spec.pairings();
        Results {
            meetings: vec![Tally::default(); pairings.len()],
            standings: vec![Standing::default(); spec.players.len()],
            counted: 0,
            pairings,
        }
    }

    /// Takes the outcome of a pair.
    pub fn add(&mut self, pair: &PairRecord) {
        let pairing = turn_of(pair.index, self.pairings.len());
        let [candidate, base] = self.players_of(pair.index);
        self.meetings[pairing].add(pair);
        self.standings[candidate].add(pair, Side::Candidate);
        self.standings[base].add(pair, Side::Base);
        self.counted += 1;
    }

    /// Candidate and base of the pair of this number, by number.
    pub fn players_of(&self, pair: u64) -> [usize; 2] {
        self.pairings[turn_of(pair, self.pairings.len())]
    }

    /// Two players by number and what their pairs came to, from the side of the first; in the order of playing.
    pub fn meetings(&self) -> impl ExactSizeIterator<Item = ([usize; 2], &Tally)> {
        self.pairings.iter().copied().zip(&self.meetings)
    }

    /// What each player has done.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The players of this match with what they did.
    pub fn watched(&self, spec: &TournamentSpec) -> Vec<Watched> {
        let players = spec.players.iter().zip(&self.standings);
        players
            .map(|(player, standing)| Watched {
                name: player.name().to_owned(),
                limit: player.limit.unwrap_or(spec.conditions.limit),
                conduct: standing.conduct,
            })
            .collect()
    }

    /// Pairs counted.
    pub fn counted(&self) -> u64 {
        self.counted
    }
}
