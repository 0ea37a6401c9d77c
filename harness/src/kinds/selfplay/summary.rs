//! Summary of games for a fit.

use super::contest::Selfplay;
use super::spec::SelfplaySpec;
use crate::kinds::spec::{RunSpec, RunSummary};
use crate::report::figures::readable_rate;
use crate::report::head::{Effort, Head};
use crate::run::contest::Contest;
use serde::Serialize;

/// What was played.
#[derive(Clone, Debug, Serialize)]
pub struct SelfplaySummary {
    /// How and where it was played.
    #[serde(flatten)]
    pub head: Head,
    /// Games counted.
    pub games: u64,
}

impl SelfplaySummary {
    /// Computes every figure.
    pub fn new(run: &str, selfplay: &Selfplay, effort: &Effort) -> SelfplaySummary {
        let (conditions, games) = (&selfplay.spec().conditions, 2 * selfplay.counted());
        let head = Head::of((run, SelfplaySpec::KIND), conditions, (games, effort), selfplay.watched());
        SelfplaySummary { head, games }
    }
}

impl RunSummary for SelfplaySummary {
    fn games(&self) -> u64 {
        self.games
    }

    fn verdict(&self) -> &str {
        "played"
    }

    fn text(&self) -> String {
        format!("{} games\n{}", self.games, self.head.effort_line())
    }
}

/// How far it is, at `rate` games a second.
pub fn selfplay_line(selfplay: &Selfplay, rate: f64) -> String {
    format!("{} pairs   {}", selfplay.counted(), readable_rate(rate))
}
