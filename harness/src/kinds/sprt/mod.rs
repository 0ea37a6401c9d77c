//! SPRT: whether the candidate is stronger than the base. Pairs are played until a sequential test decides.
//!
//! | file | holds |
//! |---|---|
//! | [`spec`] | all that decides the games and the verdict |
//! | [`contest`] | the run under way: the counts and the test |
//! | [`summary`] | every figure, for the screen, JSON and the store |
//! | [`report`] | the page, Markdown and JSON of a stored run |
//! | [`speed`] | how fast it was, carried over to another limit |

pub mod contest;
pub mod report;
pub mod spec;
pub mod speed;
pub mod summary;

pub use contest::Sprt;
pub use spec::SprtSpec;

use self::summary::SprtSummary;
use super::not_read::NotRead;
use super::shown::Shown;
use super::spec::{Role, RunSpec};
use crate::conditions::{Conditions, test_facts};
use crate::facts::{Fact, fact};
use crate::players::spec::PlayerSpec;
use crate::report::figures::hypotheses_in_words;
use crate::report::head::Effort;
use crate::report::written::Report;
use crate::run::goal::PairGoal;
use crate::store::{RunInfo, Store};
use std::sync::Arc;

impl RunSpec for SprtSpec {
    const KIND: &'static str = "sprt";
    type Goal = PairGoal;
    type Contest = Sprt;
    type Summary = SprtSummary;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn players(&self) -> Vec<(Role, &PlayerSpec)> {
        vec![(Role::Base, &self.base), (Role::Candidate, &self.candidate)]
    }

    fn facts(&self) -> Vec<Fact> {
        let SprtSpec { base, candidate, conditions, test } = self;
        let engines =
            [fact("engine (of base)", base.build()), fact("engine (of candidate)", candidate.build())];
        engines.into_iter().chain(conditions.facts()).chain(test_facts(test)).collect()
    }

    fn question(&self) -> String {
        format!("{} against {} · {}", self.candidate.label(), self.base.label(), self.conditions.limit)
    }

    fn contest(self: &Arc<Self>, goal: &PairGoal) -> Sprt {
        Sprt::new(self, *goal)
    }

    fn goal_of_ended(&self, _: Option<PairGoal>, counted: u64, _: &str) -> Option<PairGoal> {
        Some(PairGoal::of(counted))
    }

    fn heading(&self) -> String {
        format!("{} · {}", self.question(), self.bounds())
    }

    fn introduction(&self) -> Option<String> {
        Some(hypotheses_in_words(&self.test))
    }

    fn progress_line(contest: &Sprt, rate: f64) -> String {
        summary::sprt_line(contest, rate)
    }

    fn summary(run: &str, contest: &Sprt, effort: &Effort) -> SprtSummary {
        SprtSummary::new(run, contest, effort)
    }

    fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
        report::report(store, info)
    }

    fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        report::shown(store, info)
    }
}
