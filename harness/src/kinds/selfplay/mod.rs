//! Games of a configuration with itself, for a fit of its evaluation to learn from.
//!
//! | file | holds |
//! |---|---|
//! | [`spec`] | the player and all that decides the games |
//! | [`contest`] | the run under way; both games of a pair have openings of their own |
//! | [`summary`] | what was played |

pub mod contest;
pub mod spec;
pub mod summary;

pub use contest::Selfplay;
pub use spec::SelfplaySpec;

use self::summary::SelfplaySummary;
use super::not_read::NotRead;
use super::overview::Overview;
use super::shown::Shown;
use super::spec::{Role, RunSpec};
use crate::conditions::Conditions;
use crate::facts::{Fact, fact};
use crate::players::spec::PlayerSpec;
use crate::report::head::Effort;
use crate::report::written::Report;
use crate::run::goal::PairGoal;
use crate::store::{RunInfo, Store};
use std::sync::Arc;

/// The first runs of this kind were stored with the default test of their time, which their digests hash.
const TEST_FACTS: [(&str, &str); 5] =
    [("elo0", "0"), ("elo1", "5"), ("alpha", "0.05"), ("beta", "0.05"), ("model", "logistic")];

impl RunSpec for SelfplaySpec {
    const KIND: &'static str = "selfplay";
    type Goal = PairGoal;
    type Contest = Selfplay;
    type Summary = SelfplaySummary;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn players(&self) -> Vec<(Role, &PlayerSpec)> {
        vec![(Role::Base, &self.base), (Role::Candidate, &self.base)]
    }

    fn facts(&self) -> Vec<Fact> {
        let engines = ["engine (of base)", "engine (of candidate)"].map(|key| fact(key, self.base.build()));
        let test = TEST_FACTS.map(|(key, value)| fact(key, value));
        engines.into_iter().chain(self.conditions.facts()).chain(test).collect()
    }

    fn question(&self) -> String {
        format!("games of {} with itself · {}", self.base.name(), self.conditions.limit)
    }

    fn contest(self: &Arc<Self>, goal: &PairGoal) -> Selfplay {
        Selfplay::new(self, *goal)
    }

    fn goal_of_ended(&self, _: Option<PairGoal>, counted: u64, _: &str) -> Option<PairGoal> {
        Some(PairGoal::of(counted))
    }

    fn progress_line(contest: &Selfplay, rate: f64) -> String {
        summary::selfplay_line(contest, rate)
    }

    fn summary(run: &str, contest: &Selfplay, effort: &Effort) -> SelfplaySummary {
        SelfplaySummary::new(run, contest, effort)
    }

    fn report(_store: &Store, info: RunInfo) -> Result<Report, NotRead> {
        Err(NotRead::NoReport { run: info.id, kind: Self::KIND })
    }

    fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        Overview::<Self>::shown(store, info)
    }
}
