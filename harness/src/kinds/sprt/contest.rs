//! SPRT under way: pairs of one base and one candidate until the sequential test decides.

use super::spec::SprtSpec;
use crate::game::record::PairRecord;
use crate::players::spec::PlayerSpec;
use crate::run::conduct::Watched;
use crate::run::contest::{Contest, End, Turn};
use crate::run::goal::PairGoal;
use crate::run::tally::Tally;
use crate::statistics::Status;
use std::sync::Arc;

/// What has been counted of an SPRT, and where its test stands.
pub struct Sprt {
    spec: Arc<SprtSpec>,
    /// Base and candidate.
    players: [Arc<PlayerSpec>; 2],
    goal: PairGoal,
    tally: Tally,
    status: Status,
}

impl Sprt {
    /// Nothing counted yet. It ends undecided when the goal is reached.
    pub fn new(spec: &Arc<SprtSpec>, goal: PairGoal) -> Sprt {
        let tally = Tally::default();
        let players = [&spec.base, &spec.candidate].map(|player| Arc::new(player.clone()));
        let status = spec.test.evaluate(&tally.pairs, &tally.games);
        Sprt { spec: Arc::clone(spec), players, goal, tally, status }
    }

    /// What is played.
    pub fn spec(&self) -> &SprtSpec {
        &self.spec
    }

    /// The counts.
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Where the test stands.
    pub const fn status(&self) -> &Status {
        &self.status
    }

    fn has_opening(&self, pair: u64) -> bool {
        self.spec.conditions.has_opening(pair)
    }
}

impl Contest for Sprt {
    fn turn(&self, pair: u64) -> Turn {
        match !self.goal.is_reached(pair) && self.has_opening(pair) {
            true => Turn::of(pair, self.players.each_ref()),
            false => Turn::Nothing,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        self.tally.add(pair);
        self.status = self.spec.test.evaluate(&self.tally.pairs, &self.tally.games);
    }

    fn end(&self) -> Option<End> {
        let counted = self.tally.pairs.pairs();
        if self.status.verdict.is_some() {
            Some(End::Decided)
        } else if !self.has_opening(counted) {
            Some(End::BookExhausted)
        } else {
            self.goal.is_reached(counted).then_some(End::GoalReached)
        }
    }

    fn watched(&self) -> Vec<Watched> {
        let SprtSpec { base, candidate, conditions, .. } = &*self.spec;
        Watched::two([base, candidate], conditions.limit, self.tally.conduct).into()
    }
}
