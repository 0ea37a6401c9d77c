//! A sweep as a run: which pair is played under a number, and what its outcome changes.

use super::schedule::{End, Limits, Schedule, Turn};
use super::spec::{SweepPlan, SweepSpec};
use crate::game::record::{PairRecord, Side};
use crate::run::conduct::{Conduct, Watched};
use crate::run::contest::{Contest, Next};
use crate::run::cost::Cost;
use crate::run::faults::Faults;

/// A sweep under way.
pub struct Sweep<'a> {
    plan: &'a SweepPlan,
    schedule: Schedule,
    /// What each arm searched.
    costs: Vec<Cost>,
    base_cost: Cost,
    base_conduct: Conduct,
    last: Option<usize>,
}

impl<'a> Sweep<'a> {
    /// Nothing counted yet.
    pub fn new(plan: &'a SweepPlan, limits: Limits) -> Sweep<'a> {
        let arms = plan.spec.variants.len();
        Sweep {
            plan,
            schedule: Schedule::new(plan.spec.rules(), arms, limits),
            costs: vec![Cost::default(); arms],
            base_cost: Cost::default(),
            base_conduct: Conduct::default(),
            last: None,
        }
    }

    /// What is played.
    pub fn spec(&self) -> &SweepSpec {
        &self.plan.spec
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

    /// The arm of the pair that was counted last.
    pub fn last_arm(&self) -> Option<usize> {
        self.last
    }

    /// Why it ended; if it has not by itself, then it was interrupted.
    pub fn end(&self) -> End {
        self.schedule.end().unwrap_or(End::Interrupted)
    }
}

impl Contest for Sweep<'_> {
    fn pair(&self, index: u64) -> Next {
        match self.schedule.turn(index) {
            Turn::Arm { arm, opening } => {
                self.plan.pair(index, arm, opening).map_or(Next::Nothing, Next::Pair)
            }
            Turn::Undecided => Next::Undecided,
            Turn::Nothing => Next::Nothing,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        self.last = self.schedule.count(|tally| tally.add(pair));
        self.base_conduct.add(pair, Side::Base);
        for game in &pair.games {
            game.moves_of(Side::Base).for_each(|played| self.base_cost.add(played));
            if let Some(arm) = self.last {
                game.moves_of(Side::Candidate).for_each(|played| self.costs[arm].add(played));
            }
        }
    }

    fn is_over(&self) -> bool {
        self.schedule.end().is_some()
    }

    /// The base, then the arms.
    fn watched(&self) -> Vec<Watched> {
        let SweepSpec { base, variants, conditions, .. } = &self.plan.spec;
        let limit = base.limit.unwrap_or(conditions.limit);
        let watched = |name, conduct| Watched { name, limit, conduct };
        let arms = variants.iter().zip(self.schedule.arms()).map(|(variant, arm)| {
            let [_, conduct] = arm.tally.conduct;
            watched(self.plan.spec.player_in_words(variant), conduct)
        });
        std::iter::once(watched(base.name().to_owned(), self.base_conduct)).chain(arms).collect()
    }
}
