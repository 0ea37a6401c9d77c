//! A match as a run: which pair is played under a number, and what its outcome changes.

use super::spec::TournamentSpec;
use super::standing::Standing;
use crate::experiment::{Draw, Pair, PlayerSpec};
use crate::game::record::{PairRecord, Side};
use crate::openings::Book;
use crate::run::contest::{Contest, Next};
use crate::run::tally::Tally;
use std::sync::Arc;

/// A match with its openings at hand.
///
/// It goes in rounds: in each, every pairing plays one pair from the same opening, so that all have met in the same
/// openings whenever it is stopped between two rounds.
pub struct TournamentPlan {
    /// What is played.
    pub spec: TournamentSpec,
    pairings: Vec<[usize; 2]>,
    players: Vec<Arc<PlayerSpec>>,
    draw: Draw,
}

impl TournamentPlan {
    /// Joins a match and the book it names.
    pub fn new(spec: TournamentSpec, book: Book) -> TournamentPlan {
        let draw = Draw::new(&spec.conditions, book);
        let players = spec.players.iter().cloned().map(Arc::new).collect();
        TournamentPlan { pairings: spec.pairings(), players, draw, spec }
    }

    /// Who meets whom, in the order of playing.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The place in [`TournamentPlan::pairings`] of those who play the pair of this number.
    pub fn pairing_of(&self, index: u64) -> usize {
        (index % self.pairings.len() as u64) as usize
    }

    /// The names of those who play the pair of this number, the base first.
    pub fn names_of(&self, index: u64) -> [&str; 2] {
        let [candidate, base] = self.pairings[self.pairing_of(index)];
        [base, candidate].map(|player| self.players[player].name())
    }

    /// The pair of this number; none when the book has no opening left for it.
    fn pair(&self, index: u64) -> Option<Pair> {
        let opening = self.draw.opening(index / self.pairings.len() as u64)?.clone();
        let [candidate, base] =
            self.pairings[self.pairing_of(index)].map(|player| Arc::clone(&self.players[player]));
        Some(Pair { index, opening, base, candidate })
    }
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All its pairs were played.
    Complete,
    /// Every opening has been played; to repeat one would be to repeat its games.
    BookExhausted,
    /// It was asked to end.
    Interrupted,
}

/// A match under way.
pub struct Tournament<'a> {
    plan: &'a TournamentPlan,
    /// Pairs to play in all.
    pairs: u64,
    counted: u64,
    /// What each pairing's pairs came to, from the side of its first player.
    meetings: Vec<Tally>,
    standings: Vec<Standing>,
    end: Option<End>,
}

impl<'a> Tournament<'a> {
    /// Nothing counted yet; each pairing is to play so many pairs.
    pub fn new(plan: &'a TournamentPlan, pairs_per_pairing: u64) -> Tournament<'a> {
        let mut tournament = Tournament {
            plan,
            pairs: pairs_per_pairing.saturating_mul(plan.pairings.len() as u64),
            counted: 0,
            meetings: vec![Tally::default(); plan.pairings.len()],
            standings: vec![Standing::default(); plan.players.len()],
            end: None,
        };
        tournament.end = tournament.end_after(0);
        tournament
    }

    /// What is played.
    pub fn plan(&self) -> &TournamentPlan {
        self.plan
    }

    /// What the pairs of each pairing came to, in the order of [`TournamentPlan::pairings`], from the side of the first.
    pub fn meetings(&self) -> &[Tally] {
        &self.meetings
    }

    /// What each player has done.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// Pairs counted.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// Pairs to play in all; fewer will be if the book is too short.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Why it ended; if it has not by itself, then it was interrupted.
    pub fn end(&self) -> End {
        self.end.unwrap_or(End::Interrupted)
    }

    fn end_after(&self, counted: u64) -> Option<End> {
        if counted >= self.pairs {
            Some(End::Complete)
        } else if self.plan.pair(counted).is_none() {
            Some(End::BookExhausted)
        } else {
            None
        }
    }
}

impl Contest for Tournament<'_> {
    fn pair(&self, index: u64) -> Next {
        let pair = (index < self.pairs).then(|| self.plan.pair(index)).flatten();
        pair.map_or(Next::Nothing, Next::Pair)
    }

    fn count(&mut self, pair: &PairRecord) {
        let pairing = self.plan.pairing_of(pair.index);
        let [candidate, base] = self.plan.pairings[pairing];
        self.meetings[pairing].add(pair);
        self.standings[candidate].add(pair, Side::Candidate);
        self.standings[base].add(pair, Side::Base);
        self.counted += 1;
        self.end = self.end_after(self.counted);
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }
}
