//! A match as a contest: which pair is played under a number, and what its outcome changes.

use super::results::Results;
use super::spec::TournamentSpec;
use crate::experiment::PlayerSpec;
use crate::game::record::PairRecord;
use crate::run::conduct::Watched;
use crate::run::contest::{Contest, Turn};
use std::sync::Arc;

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
///
/// It goes in rounds: in each, every pairing plays one pair from the same opening, so that all have met in the same
/// openings whenever it is stopped between two rounds.
pub struct Tournament {
    spec: Arc<TournamentSpec>,
    players: Vec<Arc<PlayerSpec>>,
    pairs: u64,
    results: Results,
    end: Option<End>,
}

impl Tournament {
    /// A match of which nothing has been counted.
    pub fn new(spec: &Arc<TournamentSpec>, pairs_per_pairing: u64) -> Tournament {
        let mut tournament = Tournament {
            spec: Arc::clone(spec),
            players: spec.players.iter().cloned().map(Arc::new).collect(),
            pairs: pairs_per_pairing.saturating_mul(spec.pairings().len() as u64),
            results: Results::new(spec),
            end: None,
        };
        tournament.end = tournament.end_after(0);
        tournament
    }

    /// What is played.
    pub fn spec(&self) -> &TournamentSpec {
        &self.spec
    }

    /// Those who play the pair of this number, the base first.
    pub fn players_of(&self, pair: u64) -> [&PlayerSpec; 2] {
        let [candidate, base] = self.results.players_of(pair);
        [base, candidate].map(|player| &*self.players[player])
    }

    /// The counts.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Pairs of all pairings together, if the book has enough openings.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Why it ended; if it has not by itself, then it was interrupted.
    pub fn end(&self) -> End {
        self.end.unwrap_or(End::Interrupted)
    }

    /// Number of the opening of a pair: that of its round.
    fn opening_of(&self, pair: u64) -> u64 {
        pair / self.results.meetings().len() as u64
    }

    fn end_after(&self, counted: u64) -> Option<End> {
        if counted >= self.pairs {
            Some(End::Complete)
        } else if !self.spec.conditions.has_opening(self.opening_of(counted)) {
            Some(End::BookExhausted)
        } else {
            None
        }
    }
}

impl Contest for Tournament {
    fn turn(&self, pair: u64) -> Turn {
        let opening = self.opening_of(pair);
        if pair >= self.pairs || !self.spec.conditions.has_opening(opening) {
            return Turn::Nothing;
        }
        let [candidate, base] = self.results.players_of(pair);
        Turn::of(opening, [&self.players[base], &self.players[candidate]])
    }

    fn count(&mut self, pair: &PairRecord) {
        self.results.add(pair);
        self.end = self.end_after(self.results.counted());
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn watched(&self) -> Vec<Watched> {
        self.results.watched(&self.spec)
    }
}
