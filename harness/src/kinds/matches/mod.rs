//! Match: a fixed number of pairs between two or more players.
//!
//! | file | holds |
//! |---|---|
//! | [`spec`] | the players, who meets whom, and all that decides the games |
//! | [`contest`] | the match under way: the counts of each pairing and each player |
//! | [`summary`] | every figure, for the screen, JSON and the store; [`text`] and `chart` show it |
//! | [`report`] | the page, Markdown and JSON of a stored match |

mod chart;
pub mod contest;
pub mod report;
pub mod spec;
mod standing;
pub mod summary;
pub mod text;

pub use contest::Match;
pub use spec::{Format, MatchSpec};

use self::summary::{BOOK_EXHAUSTED, MatchSummary};
use super::not_read::NotRead;
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

impl RunSpec for MatchSpec {
    const KIND: &'static str = "match";
    /// Pairs of each two players.
    type Goal = PairGoal;
    type Contest = Match;
    type Summary = MatchSummary;

    fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    fn players(&self) -> Vec<(Role, &PlayerSpec)> {
        self.players.iter().map(|player| (Role::Player, player)).collect()
    }

    fn facts(&self) -> Vec<Fact> {
        let builds: Vec<_> = self.players.iter().map(PlayerSpec::build).collect();
        let own = [fact("format", self.format), fact("engines (bench or sha256)", builds.join(" "))];
        own.into_iter().chain(self.conditions.facts()).collect()
    }

    fn question(&self) -> String {
        let files: Vec<_> = self.players.iter().map(PlayerSpec::label).collect();
        let limit = self.conditions.limit;
        match (self.format, &files[..]) {
            (_, [one, other]) => format!("{one} against {other} · {limit}"),
            (Format::Gauntlet, [first, others @ ..]) => {
                format!("{first} against {} · {limit}", others.join(", "))
            }
            _ => format!("{} · {} · {limit}", files.join(", "), self.format),
        }
    }

    fn contest(self: &Arc<Self>, goal: &PairGoal) -> Match {
        Match::new(self, *goal)
    }

    fn goal_of_ended(&self, _: Option<PairGoal>, counted: u64, verdict: &str) -> Option<PairGoal> {
        Some(match verdict {
            BOOK_EXHAUSTED => PairGoal::default(),
            _ => PairGoal::of(counted / self.pairings().len() as u64),
        })
    }

    fn progress_line(contest: &Match, rate: f64) -> String {
        text::match_line(contest, rate)
    }

    fn summary(run: &str, contest: &Match, effort: &Effort) -> MatchSummary {
        MatchSummary::new(run, contest, effort)
    }

    fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
        report::report(store, info)
    }

    fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        report::shown(store, info)
    }
}
