//! Tuning: which values of several parameters together are best. SPSA by self-play.
//!
//! | file | holds |
//! |---|---|
//! | [`mod@file`], [`mod@read`] | the file that asks for a run |
//! | [`file_toml`], [`forms`] | its TOML form, and the forms of other tuners |
//! | [`check`], [`ranges`] | whether the parameters are there, and their ranges |
//! | [`spec`] | all that decides what is played |
//! | [`spsa`] | perturbations and steps |
//! | [`forecast`] | what can be expected of a run |
//! | [`contest`] | the tuning run under way |
//! | [`follow_up`] | the test of the tuned values |
//! | [`summary`] | every figure, for the screen, JSON and the store; [`chart`] draws it |
//! | [`report`] | the page, Markdown and JSON of a stored tuning run |

pub mod chart;
pub mod check;
pub mod contest;
pub mod file;
pub mod file_toml;
pub mod follow_up;
pub mod forecast;
pub mod forms;
pub mod ranges;
pub mod read;
pub mod report;
pub mod spec;
pub mod spsa;
pub mod summary;

pub use contest::Tune;
pub use follow_up::FollowUp;
pub use spec::{START, TUNED, TuneSpec};

use self::follow_up::stored_test;
use self::spsa::{Parameter, SpsaSchedule};
use self::summary::TuneSummary;
use super::not_read::NotRead;
use super::overview::Overview;
use super::shown::Shown;
use super::spec::{Role, RunSpec};
use super::sprt::SprtSpec;
use super::stored::Stored;
use crate::conditions::Conditions;
use crate::facts::{Fact, fact};
use crate::players::spec::PlayerSpec;
use crate::report::head::Effort;
use crate::report::written::Report;
use crate::store::{RunInfo, Store};
use std::sync::Arc;

impl RunSpec for TuneSpec {
    const KIND: &'static str = "tune";
    /// The tuning itself ends with its last iteration.
    type Goal = FollowUp;
    type Contest = Tune;
    type Summary = TuneSummary;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn players(&self) -> Vec<(Role, &PlayerSpec)> {
        vec![(Role::Base, &self.base)]
    }

    fn facts(&self) -> Vec<Fact> {
        let TuneSpec { base, conditions, schedule, parameters, shown: _, sides_apart } = self;
        let SpsaSchedule { iterations, pairs, a_ratio, alpha, gamma, lag } = schedule;
        let schedule = [
            fact("engine (of base)", base.build()),
            fact("iterations", iterations),
            fact("pairs", pairs),
            fact("a_ratio", a_ratio),
            fact("alpha", alpha),
            fact("gamma", gamma),
            fact("lag", lag),
        ];
        let parameters = parameters.iter().map(|Parameter { name, start, min, max, c_end, r_end }| {
            fact("parameter", format!("{name} = {start} in {min}..={max}, c_end {c_end}, r_end {r_end}"))
        });
        let sides = sides_apart.then(|| fact("sides", "apart at the ends of ranges"));
        schedule.into_iter().chain(conditions.facts()).chain(parameters).chain(sides).collect()
    }

    fn question(&self) -> String {
        let names = self.places_as_shown().map(|place| self.parameters[place].name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        format!("{names} of {} · {}", self.base.file, self.conditions.limit)
    }

    fn contest(self: &Arc<Self>, _goal: &FollowUp) -> Tune {
        Tune::new(self)
    }

    fn goal_of_ended(&self, asked: Option<FollowUp>, _: u64, _: &str) -> Option<FollowUp> {
        asked
    }

    fn progress_line(contest: &Tune, rate: f64) -> String {
        summary::tune_line(contest, rate)
    }

    fn summary(run: &str, contest: &Tune, effort: &Effort) -> TuneSummary {
        TuneSummary::new(run, contest, effort)
    }

    fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
        report::report(store, info)
    }

    fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        let mut overview = Overview::<Self>::read(store, info)?;
        let test = stored_test(store, (&overview.info, &overview.spec), &overview.summary.values)?;
        let test = test.map(|info| Stored::<SprtSpec>::read(store, info, |_, _| ())).transpose()?;
        overview.summary.validation = test.map(|test| test.summary());
        Ok(overview.to_shown())
    }
}
