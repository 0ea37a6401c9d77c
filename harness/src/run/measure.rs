//! How much stronger, to a wished precision? A fixed number of pairs, or as many as a margin needs; unlike a test's, such
//! an end does not depend on who is winning, so the plain estimate stands.

use super::conduct::Watched;
use super::contest::{Contest, Turn};
use super::tally::Tally;
use crate::experiment::{Conditions, PlayerSpec};
use crate::facts::{digest_of, fact};
use crate::game::record::PairRecord;
use crate::statistics::{Confidence, Estimate, elo};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The margin is looked at whenever this many pairs more have been counted.
const LOOK_EVERY: u64 = 50;

/// The margin of fewer pairs is a guess itself.
const FEWEST: u64 = 200;

/// Two players and what decides their games. When to stop is no part of it, so that the same run can be made longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureSpec {
    /// Who the candidate is measured against.
    pub base: PlayerSpec,
    /// Who is measured.
    pub candidate: PlayerSpec,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// Of what it is a part, if it was begun by a command that makes many. It decides no game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<PartOf>,
}

/// What a measurement is a part of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartOf {
    /// A step of the ladder.
    Ladder(String),
    /// A published experiment.
    Reproduction(String),
}

impl MeasureSpec {
    /// What is asked, in words.
    pub fn question(&self) -> String {
        let MeasureSpec { base, candidate, conditions, .. } = self;
        format!("{} against {} · {}", candidate.file, base.file, conditions.limit)
    }

    /// Base and candidate, with what they did.
    pub fn watched(&self, tally: &Tally) -> [Watched; 2] {
        Watched::two([&self.base, &self.candidate], self.conditions.limit, tally.conduct)
    }

    /// SHA-256 of everything that decides the games.
    pub fn digest(&self) -> String {
        let MeasureSpec { base, candidate, conditions, .. } = self;
        let players = [
            fact("base", &base.digest),
            fact("candidate", &candidate.digest),
            fact("engine (of base)", base.build()),
            fact("engine (of candidate)", candidate.build()),
        ];
        let facts: Vec<_> = players.into_iter().chain(conditions.facts()).collect();
        digest_of(&facts)
    }
}

/// When a measurement is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enough {
    /// Half-width of the 95 % interval that is wanted, Elo; none: all pairs are played.
    pub margin: Option<f64>,
    /// The most pairs that are played.
    pub pairs: u64,
}

impl Enough {
    /// Whether so many pairs with this margin, Elo, are enough.
    pub fn is_met(&self, pairs: u64, margin: f64) -> bool {
        let is_narrow = self.margin.is_some_and(|wanted| margin <= wanted);
        pairs >= self.pairs || (pairs >= FEWEST && is_narrow)
    }
}

/// A measurement under way.
pub struct Measure {
    spec: MeasureSpec,
    /// Base and candidate.
    players: [Arc<PlayerSpec>; 2],
    enough: Enough,
    tally: Tally,
    is_over: bool,
}

impl Measure {
    /// Nothing counted yet.
    pub fn new(spec: &MeasureSpec, enough: Enough) -> Measure {
        let players = [&spec.base, &spec.candidate].map(|player| Arc::new(player.clone()));
        let is_over = enough.pairs == 0;
        Measure { spec: spec.clone(), players, enough, tally: Tally::default(), is_over }
    }

    /// The counts.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The lead of the candidate, logistic Elo, 95 %.
    pub fn elo(&self) -> Option<Estimate> {
        elo::elo(&self.tally.pairs.sample(), Confidence::DEFAULT)
    }

    /// Half-width of the lead's 95 % interval, Elo: where all pairs are alike, that of the exact one.
    fn margin(&self) -> f64 {
        elo::interval(&self.tally.pairs.0, Confidence::DEFAULT).half_width()
    }

    /// Pairs that are likely to be played in all, the margin shrinking with their square root.
    pub fn expected_pairs(&self) -> u64 {
        let counted = self.tally.pairs.pairs();
        let needed = self
            .enough
            .margin
            .map(|wanted| (counted as f64 * (self.margin() / wanted).powi(2)).ceil() as u64);
        needed.unwrap_or(u64::MAX).clamp(counted.min(self.enough.pairs), self.enough.pairs)
    }

    fn has_enough(&self) -> bool {
        let counted = self.tally.pairs.pairs();
        let looks = counted >= self.enough.pairs || counted.is_multiple_of(LOOK_EVERY);
        (looks && self.enough.is_met(counted, self.margin())) || !self.spec.conditions.has_opening(counted)
    }
}

impl Contest for Measure {
    fn turn(&self, pair: u64) -> Turn {
        match pair < self.enough.pairs && self.spec.conditions.has_opening(pair) {
            true => Turn::of(pair, self.players.each_ref()),
            false => Turn::Nothing,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        self.tally.add(pair);
        self.is_over = self.has_enough();
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn watched(&self) -> Vec<Watched> {
        self.spec.watched(&self.tally).into()
    }
}
