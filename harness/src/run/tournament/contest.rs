//! A match as a run: which pair is played under a number, and what its outcome changes.

use super::results::Results;
use super::spec::{TournamentSpec, turn_of};
use crate::experiment::{Draw, Pair, PlayerSpec};
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::run::conduct::Watched;
use crate::run::contest::{Contest, Next};
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

    /// Candidate and base of the pair of this number.
    fn pairing(&self, index: u64) -> [usize; 2] {
        self.pairings[turn_of(index, self.pairings.len())]
    }

    /// Those who play the pair of this number, the base first.
    pub fn players_of(&self, index: u64) -> [&PlayerSpec; 2] {
        let [candidate, base] = self.pairing(index);
        [base, candidate].map(|player| &*self.players[player])
    }

    /// The pair of this number; none when the book has no opening left for it.
    fn pair(&self, index: u64) -> Option<Pair> {
        let opening = self.draw.opening(index / self.pairings.len() as u64)?.clone();
        let [candidate, base] = self.pairing(index).map(|player| Arc::clone(&self.players[player]));
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

impl End {
    /// `complete`, `book-exhausted` or `interrupted`.
    pub const fn as_str(self) -> &'static str {
        match self {
            End::Complete => "complete",
            End::BookExhausted => "book-exhausted",
            End::Interrupted => "interrupted",
        }
    }
}

/// A match under way.
pub struct Tournament<'a> {
    plan: &'a TournamentPlan,
    /// Pairs to play in all.
    pairs: u64,
    results: Results,
    end: Option<End>,
}

impl<'a> Tournament<'a> {
    /// Nothing counted yet; each pairing is to play so many pairs.
    pub fn new(plan: &'a TournamentPlan, pairs_per_pairing: u64) -> Tournament<'a> {
        let mut tournament = Tournament {
            plan,
            pairs: pairs_per_pairing.saturating_mul(plan.pairings.len() as u64),
            results: Results::new(&plan.spec),
            end: None,
        };
        tournament.end = tournament.end_after(0);
        tournament
    }

    /// What is played.
    pub fn plan(&self) -> &TournamentPlan {
        self.plan
    }

    /// What has come of it so far.
    pub fn results(&self) -> &Results {
        &self.results
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
        self.results.add(pair);
        self.end = self.end_after(self.results.counted());
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn watched(&self) -> Vec<Watched> {
        self.results.watched(&self.plan.spec)
    }
}
