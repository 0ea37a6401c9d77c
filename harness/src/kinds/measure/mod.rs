//! Measurement: how much stronger the candidate is, to a wished precision. A step of a ladder, or a published experiment.
//!
//! | file | holds |
//! |---|---|
//! | [`spec`] | the two players and all that decides their games |
//! | [`contest`] | the measurement under way, and when it is precise enough |
//! | [`summary`] | every figure, for the screen, JSON and the store |
//! | [`report`] | the page, Markdown and JSON of a stored measurement |
//! | [`pilot`] | a few pairs that are not stored: what pairs are like, and how fast |

pub mod contest;
pub mod pilot;
pub mod report;
pub mod spec;
pub mod summary;

pub use contest::{Enough, Measure};
pub use spec::{MeasureSpec, PartOf};

use self::summary::Measured;
use super::not_read::NotRead;
use super::overview::Overview;
use super::shown::Shown;
use super::spec::{Role, RunSpec};
use crate::conditions::Conditions;
use crate::facts::{Fact, fact};
use crate::players::spec::PlayerSpec;
use crate::report::head::Effort;
use crate::report::written::Report;
use crate::store::{RunInfo, Store};
use std::sync::Arc;

impl RunSpec for MeasureSpec {
    const KIND: &'static str = "measure";
    type Goal = Enough;
    type Contest = Measure;
    type Summary = Measured;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn players(&self) -> Vec<(Role, &PlayerSpec)> {
        vec![(Role::Base, &self.base), (Role::Candidate, &self.candidate)]
    }

    fn facts(&self) -> Vec<Fact> {
        let MeasureSpec { base, candidate, conditions, .. } = self;
        let engines =
            [fact("engine (of base)", base.build()), fact("engine (of candidate)", candidate.build())];
        engines.into_iter().chain(conditions.facts()).collect()
    }

    fn question(&self) -> String {
        format!("{} against {} · {}", self.candidate.file, self.base.file, self.conditions.limit)
    }

    fn contest(self: &Arc<Self>, goal: &Enough) -> Measure {
        Measure::new(self, *goal)
    }

    fn goal_of_ended(&self, _: Option<Enough>, counted: u64, _: &str) -> Option<Enough> {
        Some(Enough { margin: None, pairs: counted })
    }

    fn progress_line(contest: &Measure, rate: f64) -> String {
        summary::measure_line(contest, rate)
    }

    fn summary(run: &str, contest: &Measure, _effort: &Effort) -> Measured {
        Measured::new(run, contest.tally())
    }

    fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
        report::MeasureReport::read(store, info, None)?.report()
    }

    fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        Overview::<Self>::shown_with_report(store, info)
    }
}
