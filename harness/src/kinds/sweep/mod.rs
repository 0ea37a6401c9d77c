//! Sweep: which value of a parameter is best, and how the strength depends on it. Several *arms* (each the base with other
//! values) play the base, and the pairs are shared out among them.
//!
//! | file | holds |
//! |---|---|
//! | [`grid`] | from `key=1,2,3` to the arms |
//! | [`arms`] | the base with other values |
//! | [`spec`] | all that decides what is played |
//! | [`thompson`] | which arm the next pairs go to, where a winner is sought |
//! | [`schedule`] | the blocks of pairs, the counts, the arms' tests, the end |
//! | [`contest`] | the schedule as a run that can be played |
//! | [`summary`] | every figure, for the screen, JSON and the store; [`text`] and `chart` show it |
//! | [`report`] | the page, Markdown and JSON of a stored sweep |

pub mod arms;
mod chart;
pub mod contest;
pub mod grid;
mod pairs;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod summary;
pub mod text;
pub mod thompson;

pub use contest::Sweep;
pub use spec::SweepSpec;

use self::arms::{Arm, joined};
use self::schedule::{Goal, Mode};
use self::spec::Question;
use self::summary::SweepSummary;
use super::not_read::NotRead;
use super::overview::Overview;
use super::shown::Shown;
use super::spec::{Role, RunSpec};
use crate::conditions::{Conditions, test_facts};
use crate::facts::{Fact, fact};
use crate::players::spec::PlayerSpec;
use crate::report::head::Effort;
use crate::report::written::Report;
use crate::store::{RunInfo, Store};
use std::sync::Arc;

impl RunSpec for SweepSpec {
    const KIND: &'static str = "sweep";
    type Goal = Goal;
    type Contest = Sweep;
    type Summary = SweepSummary;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn players(&self) -> Vec<(Role, &PlayerSpec)> {
        let arms = self.arms.iter().map(|arm| (Role::Value, &arm.player));
        std::iter::once((Role::Base, &self.base)).chain(arms).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        let of_arms = |separator: &str, figure: fn(&Arm) -> String| {
            self.arms.iter().map(figure).collect::<Vec<_>>().join(separator)
        };
        let mode = match self.mode {
            Mode::Find => "find",
            Mode::Measure => "measure",
        };
        let own = [
            fact("values", of_arms(", ", |arm| joined(&arm.settings, " "))),
            fact("engine (of base)", self.base.build()),
            fact("engine (of values)", of_arms(" ", |arm| arm.player.build().to_string())),
            fact("mode", mode),
            fact("block", self.block),
        ];
        own.into_iter().chain(self.conditions.facts()).chain(test_facts(&self.test)).collect()
    }

    fn question(&self) -> String {
        let asked = match &self.question {
            Question::Values(_) => self.axes().join(" "),
            Question::Ablation => format!("each of {} techniques off", self.arms.len()),
        };
        format!("{asked} against {} · {}", self.base.file, self.conditions.limit)
    }

    fn contest(self: &Arc<Self>, goal: &Goal) -> Sweep {
        Sweep::new(self, *goal)
    }

    fn goal_of_ended(&self, _: Option<Goal>, counted: u64, _: &str) -> Option<Goal> {
        Some(Goal { max_pairs: Some(counted), margin: None, already: counted })
    }

    fn progress_line(contest: &Sweep, rate: f64) -> String {
        text::sweep_line(contest, rate)
    }

    fn summary(run: &str, contest: &Sweep, effort: &Effort) -> SweepSummary {
        SweepSummary::new(run, contest, effort)
    }

    fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
        report::report(store, info)
    }

    fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        Overview::<Self>::shown_with_report(store, info)
    }
}
