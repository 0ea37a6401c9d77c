//! Sweep under way: which pair is played under a number, and what its outcome changes.

use super::schedule::{self, Goal, Schedule};
use super::spec::SweepSpec;
use crate::game::record::{PairRecord, Side};
use crate::players::spec::PlayerSpec;
use crate::run::conduct::{Conduct, Watched};
use crate::run::contest::{Contest, End, Turn};
use crate::run::cost::Cost;
use crate::run::faults::Faults;
use std::sync::Arc;

/// A sweep under way.
pub struct Sweep {
    spec: Arc<SweepSpec>,
    base: Arc<PlayerSpec>,
    arms: Vec<Arc<PlayerSpec>>,
    schedule: Schedule,
    /// What each arm searched.
    costs: Vec<Cost>,
    base_cost: Cost,
    base_conduct: Conduct,
}

impl Sweep {
    /// Nothing counted yet.
    pub fn new(spec: &Arc<SweepSpec>, goal: Goal) -> Sweep {
        let arms: Vec<_> = spec.arms.iter().map(|arm| Arc::new(arm.player.clone())).collect();
        Sweep {
            spec: Arc::clone(spec),
            base: Arc::new(spec.base.clone()),
            schedule: Schedule::new(spec.rules(), arms.len(), goal),
            costs: vec![Cost::default(); arms.len()],
            arms,
            base_cost: Cost::default(),
            base_conduct: Conduct::default(),
        }
    }

    /// What is played.
    pub fn spec(&self) -> &SweepSpec {
        &self.spec
    }

    /// The counts and where the arms stand.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// What each arm searched.
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// What the base searched against all of them.
    pub fn base_cost(&self) -> &Cost {
        &self.base_cost
    }

    /// Games that the base lost by its own faults.
    pub fn base_faults(&self) -> Faults {
        self.base_conduct.faults
    }

    /// The arm that plays the pair of this number; none before that is decided.
    pub fn arm_of(&self, pair: u64) -> Option<usize> {
        match self.schedule.turn(pair) {
            schedule::Turn::Arm { arm, .. } => Some(arm),
            schedule::Turn::Undecided | schedule::Turn::Nothing => None,
        }
    }
}

impl Contest for Sweep {
    fn turn(&self, pair: u64) -> Turn {
        match self.schedule.turn(pair) {
            schedule::Turn::Arm { arm, opening } if self.spec.conditions.has_opening(opening) => {
                Turn::of(opening, [&self.base, &self.arms[arm]])
            }
            schedule::Turn::Undecided => Turn::Undecided,
            schedule::Turn::Arm { .. } | schedule::Turn::Nothing => Turn::Nothing,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        let arm = self.schedule.count(|tally| tally.add(pair));
        self.base_conduct.add(pair, Side::Base);
        for game in &pair.games {
            game.moves_of(Side::Base).for_each(|played| self.base_cost.add(played));
            if let Some(arm) = arm {
                game.moves_of(Side::Candidate).for_each(|played| self.costs[arm].add(played));
            }
        }
    }

    fn end(&self) -> Option<End> {
        Some(match self.schedule.end()? {
            schedule::End::Winner(_) | schedule::End::AllDropped => End::Decided,
            schedule::End::Margin | schedule::End::MaxPairs => End::GoalReached,
            schedule::End::BookExhausted => End::BookExhausted,
        })
    }

    /// The base, then the arms.
    fn watched(&self) -> Vec<Watched> {
        let SweepSpec { base, arms, conditions, .. } = &*self.spec;
        let limit = base.limit.unwrap_or(conditions.limit);
        let watched = |name, conduct| Watched { name, limit, conduct };
        let arms = arms.iter().zip(self.schedule.arms()).map(|(arm, counts)| {
            let [_, conduct] = counts.tally.conduct;
            watched(self.spec.player_in_words(arm), conduct)
        });
        std::iter::once(watched(base.name().to_owned(), self.base_conduct)).chain(arms).collect()
    }
}
