//! Games for a fit under way. Both games of a pair have openings of their own: with the same player on both sides, exchanging
//! colours would give the same game again.

use super::spec::SelfplaySpec;
use crate::game::record::PairRecord;
use crate::players::spec::PlayerSpec;
use crate::run::conduct::Watched;
use crate::run::contest::{Contest, End, Turn};
use crate::run::goal::PairGoal;
use crate::run::tally::Tally;
use std::sync::Arc;

/// What has been counted of games for a fit.
pub struct Selfplay {
    spec: Arc<SelfplaySpec>,
    /// The same player twice, each with an engine of its own.
    players: [Arc<PlayerSpec>; 2],
    goal: PairGoal,
    tally: Tally,
}

impl Selfplay {
    /// Nothing counted yet.
    pub fn new(spec: &Arc<SelfplaySpec>, goal: PairGoal) -> Selfplay {
        let players = [(); 2].map(|()| Arc::new(spec.base.clone()));
        Selfplay { spec: Arc::clone(spec), players, goal, tally: Tally::default() }
    }

    /// What is played.
    pub fn spec(&self) -> &SelfplaySpec {
        &self.spec
    }

    /// Pairs counted.
    pub fn counted(&self) -> u64 {
        self.tally.pairs.pairs()
    }

    fn has_openings(&self, pair: u64) -> bool {
        self.spec.conditions.has_opening(2 * pair + 1)
    }
}

impl Contest for Selfplay {
    fn turn(&self, pair: u64) -> Turn {
        match !self.goal.is_reached(pair) && self.has_openings(pair) {
            true => Turn::Play { openings: [2 * pair, 2 * pair + 1], players: self.players.clone() },
            false => Turn::Nothing,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        self.tally.add(pair);
    }

    fn end(&self) -> Option<End> {
        if self.goal.is_reached(self.counted()) {
            Some(End::GoalReached)
        } else {
            (!self.has_openings(self.counted())).then_some(End::BookExhausted)
        }
    }

    fn watched(&self) -> Vec<Watched> {
        let SelfplaySpec { base, conditions } = &*self.spec;
        Watched::two([base, base], conditions.limit, self.tally.conduct).into()
    }
}
