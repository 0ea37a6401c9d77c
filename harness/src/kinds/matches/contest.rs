//! Match under way: which pair is played under a number, and what its outcome changes.

use super::spec::MatchSpec;
use super::standing::Standing;
use crate::game::record::{PairRecord, Side};
use crate::players::spec::PlayerSpec;
use crate::run::conduct::Watched;
use crate::run::contest::{Contest, End, Turn};
use crate::run::goal::PairGoal;
use crate::run::tally::Tally;
use crate::statistics::Confidence;
use crate::statistics::elo::one_category;
use crate::statistics::ratings::{Anchor, Encounter, Rating, ratings};
use std::sync::Arc;

/// What has been counted of a match.
///
/// It goes in rounds: in each, every pairing plays one pair from the same opening, so that all have met in the same
/// openings whenever it is stopped between two rounds.
pub struct Match {
    spec: Arc<MatchSpec>,
    players: Vec<Arc<PlayerSpec>>,
    /// Candidate and base of each pairing by number, in the order of playing.
    pairings: Vec<[usize; 2]>,
    goal: PairGoal,
    meetings: Vec<Tally>,
    standings: Vec<Standing>,
    counted: u64,
}

impl Match {
    /// A match of which nothing has been counted.
    pub fn new(spec: &Arc<MatchSpec>, goal: PairGoal) -> Match {
        let pairings = spec.pairings();
        Match {
            spec: Arc::clone(spec),
            players: spec.players.iter().cloned().map(Arc::new).collect(),
            goal,
            meetings: vec![Tally::default(); pairings.len()],
            standings: vec![Standing::default(); spec.players.len()],
            counted: 0,
            pairings,
        }
    }

    /// What is played.
    pub fn spec(&self) -> &MatchSpec {
        &self.spec
    }

    /// Pairs counted.
    pub const fn counted(&self) -> u64 {
        self.counted
    }

    /// Pairs that are still to be counted, if the book has enough openings; none without an end.
    pub fn left(&self) -> Option<u64> {
        let all = self.goal.max_pairs?.saturating_mul(self.pairings.len() as u64);
        Some(all.saturating_sub(self.counted))
    }

    /// Candidate and base of the pair of this number, by number.
    pub fn players_of(&self, pair: u64) -> [usize; 2] {
        self.pairings[self.pairing_of(pair)]
    }

    /// Two players by number and what their pairs came to, from the side of the first; in the order of playing.
    pub fn meetings(&self) -> impl ExactSizeIterator<Item = ([usize; 2], &Tally)> {
        self.pairings.iter().copied().zip(&self.meetings)
    }

    /// What each player has done.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// Who met whom, and what came of it.
    pub fn encounters(&self) -> Vec<Encounter> {
        let encounter = |(players, tally): ([usize; 2], &Tally)| Encounter { players, pairs: tally.pairs };
        self.meetings().map(encounter).collect()
    }

    /// The ratings of the players as far as it has been played. Who met the zero of the scale alone, in pairs that all ended
    /// alike, has the interval of these pairs, which is wherever they are shown.
    pub fn ratings(&self) -> Vec<Rating> {
        let (met, anchor) = (self.encounters(), self.spec.anchor());
        let mut ratings = ratings(self.players.len(), &met, anchor, Confidence::DEFAULT);
        for Encounter { players, pairs } in met.iter().filter(|_| anchor == Anchor::First) {
            let (player, pairs) = match *players {
                [0, player] => (player, pairs.mirror()),
                [player, 0] => (player, *pairs),
                _ => continue,
            };
            let meetings = met.iter().filter(|met| met.players.contains(&player)).count();
            let exact = one_category(&pairs.0, Confidence::DEFAULT).filter(|_| meetings == 1);
            if exact.is_some() {
                ratings[player] = Rating { estimate: None, bound: exact };
            }
        }
        ratings
    }

    /// The place of the pairing of a pair: they take turns.
    fn pairing_of(&self, pair: u64) -> usize {
        (pair % self.pairings.len() as u64) as usize
    }

    /// Number of the opening of a pair: that of its round.
    fn opening_of(&self, pair: u64) -> u64 {
        pair / self.pairings.len() as u64
    }

    fn has_opening(&self, pair: u64) -> bool {
        self.spec.conditions.has_opening(self.opening_of(pair))
    }
}

impl Contest for Match {
    fn turn(&self, pair: u64) -> Turn {
        let opening = self.opening_of(pair);
        if self.goal.is_reached(opening) || !self.has_opening(pair) {
            return Turn::Nothing;
        }
        let [candidate, base] = self.players_of(pair);
        Turn::of(opening, [&self.players[base], &self.players[candidate]])
    }

    fn count(&mut self, pair: &PairRecord) {
        let (pairing, [candidate, base]) = (self.pairing_of(pair.index), self.players_of(pair.index));
        self.meetings[pairing].add(pair);
        self.standings[candidate].add(pair, Side::Candidate);
        self.standings[base].add(pair, Side::Base);
        self.counted += 1;
    }

    fn end(&self) -> Option<End> {
        if self.goal.is_reached(self.opening_of(self.counted)) {
            Some(End::GoalReached)
        } else {
            (!self.has_opening(self.counted)).then_some(End::BookExhausted)
        }
    }

    fn watched(&self) -> Vec<Watched> {
        let players = self.spec.players.iter().zip(&self.standings);
        players
            .map(|(player, standing)| Watched {
                name: player.name().to_owned(),
                limit: player.limit.unwrap_or(self.spec.conditions.limit),
                conduct: standing.conduct,
            })
            .collect()
    }
}
