//! Measurement under way: a fixed number of pairs, or as many as a margin needs. Unlike a test's, such an end does not depend
//! on who is winning, so the plain estimate stands.

use super::spec::MeasureSpec;
use crate::game::record::PairRecord;
use crate::players::spec::PlayerSpec;
use crate::run::conduct::Watched;
use crate::run::contest::{Contest, End, Turn};
use crate::run::tally::Tally;
use crate::statistics::{Confidence, Estimate, elo};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The margin is looked at whenever this many pairs more have been counted.
const LOOK_EVERY: u64 = 50;

/// The margin of fewer pairs is a guess itself.
const FEWEST: u64 = 200;

/// When a measurement is over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Enough {
    /// Half-width of the 95 % interval that is wanted, Elo; none: all pairs are played.
    pub margin: Option<f64>,
    /// The most pairs that are played.
    pub pairs: u64,
}

impl Default for Enough {
    fn default() -> Enough {
        Enough { margin: None, pairs: u64::MAX }
    }
}

impl Enough {
    /// Whether so many pairs with this margin, Elo, are enough.
    pub fn is_met(&self, pairs: u64, margin: f64) -> bool {
        let is_narrow = self.margin.is_some_and(|wanted| margin <= wanted);
        pairs >= self.pairs || (pairs >= FEWEST && is_narrow)
    }
}

/// What has been counted of a measurement.
pub struct Measure {
    spec: Arc<MeasureSpec>,
    /// Base and candidate.
    players: [Arc<PlayerSpec>; 2],
    enough: Enough,
    tally: Tally,
    end: Option<End>,
}

impl Measure {
    /// Nothing counted yet.
    pub fn new(spec: &Arc<MeasureSpec>, enough: Enough) -> Measure {
        let players = [&spec.base, &spec.candidate].map(|player| Arc::new(player.clone()));
        let end = (enough.pairs == 0).then_some(End::GoalReached);
        Measure { spec: Arc::clone(spec), players, enough, tally: Tally::default(), end }
    }

    /// What is played.
    pub fn spec(&self) -> &MeasureSpec {
        &self.spec
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

    fn end_after_count(&self) -> Option<End> {
        let counted = self.tally.pairs.pairs();
        let looks = counted >= self.enough.pairs || counted.is_multiple_of(LOOK_EVERY);
        if looks && self.enough.is_met(counted, self.margin()) {
            Some(End::GoalReached)
        } else {
            (!self.spec.conditions.has_opening(counted)).then_some(End::BookExhausted)
        }
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
        self.end = self.end_after_count();
    }

    fn end(&self) -> Option<End> {
        self.end.clone()
    }

    fn watched(&self) -> Vec<Watched> {
        self.spec.watched(&self.tally).into()
    }
}
