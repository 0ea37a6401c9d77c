//! Run specification: what a kind of run must tell of itself. Everything else about the life of a run is written once and
//! asks here.

use super::not_read::NotRead;
use super::shown::Shown;
use crate::conditions::Conditions;
use crate::facts::{self, Fact, digest_of, fact};
use crate::players::spec::PlayerSpec;
use crate::report::head::Effort;
use crate::report::written::Report;
use crate::run::contest::Contest;
use crate::store::{RunInfo, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The part of a player in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Whom others are measured against.
    Base,
    /// Who is measured.
    Candidate,
    /// One of several of equal standing, as in a match.
    Player,
    /// The base with other values, as in a sweep.
    Value,
}

impl Role {
    /// The fact that holds the digests of the players of this role.
    const fn fact(self) -> &'static str {
        match self {
            Role::Base => "base",
            Role::Candidate => "candidate",
            Role::Player => "players",
            Role::Value => "arms",
        }
    }

    /// The role in a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Base => "base",
            Role::Candidate => "candidate",
            Role::Player => "player",
            Role::Value => "value",
        }
    }

    /// What stands before a difference of this player.
    fn prefix(self, player: &PlayerSpec) -> String {
        match self {
            Role::Base | Role::Candidate => format!("{}.", self.as_str()),
            Role::Player => format!("{}.", player.file),
            Role::Value => format!("{}: ", player.file),
        }
    }
}

/// All that decides the games of a run of one kind.
///
/// How far the run goes is its goal. That is no part of it: the same run can be made longer.
pub trait RunSpec: Serialize + DeserializeOwned + Clone + Send + Sync {
    /// The kind, in the word of the store.
    const KIND: &'static str;
    /// How far a run goes, next to what its games decide. The default is without an end.
    type Goal: Clone + Default + Serialize + DeserializeOwned;
    /// The run under way.
    type Contest: Contest;
    /// What came out.
    type Summary: RunSummary;

    /// Under what circumstances pairs are played.
    fn conditions(&self) -> &Conditions;

    /// The players with their roles, those of one role together, in the order of their digests.
    fn players(&self) -> Vec<(Role, &PlayerSpec)>;

    /// What decides the games and the verdict besides the configurations of the players, under the names of the options that
    /// set it. The digest hashes it in this order: to change it is to orphan every stored run.
    fn facts(&self) -> Vec<Fact>;

    /// What is asked, in words.
    fn question(&self) -> String;

    /// The run, of which nothing has been counted.
    fn contest(self: &Arc<Self>, goal: &Self::Goal) -> Self::Contest;

    /// The goal with which a run that was ended after so many pairs, with this verdict, ends there again. What was asked of it
    /// last is not known of runs that were stored before goals were.
    fn goal_of_ended(&self, asked: Option<Self::Goal>, counted: u64, verdict: &str) -> Option<Self::Goal>;

    /// What is played, for whoever watches: the question, and what else tells the run from others like it.
    fn heading(&self) -> String {
        self.question()
    }

    /// What is told of a run before it is played, above its heading.
    fn introduction(&self) -> Option<String> {
        None
    }

    /// How a run stands, in a line, at `rate` games a second.
    fn progress_line(contest: &Self::Contest, rate: f64) -> String;

    /// The figures of a run.
    fn summary(run: &str, contest: &Self::Contest, effort: &Effort) -> Self::Summary;

    /// The report of a stored run.
    ///
    /// # Errors
    /// See [`NotRead`].
    fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead>;

    /// What `harness show` tells of a stored run.
    ///
    /// # Errors
    /// See [`NotRead`].
    fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead>;

    /// SHA-256 of everything that decides the games and the verdict; the names given to files and configurations do not.
    fn digest(&self) -> String {
        let mut digests: Vec<(&'static str, Vec<&str>)> = Vec::new();
        for (role, player) in self.players() {
            match digests.last_mut() {
                Some((fact, of_role)) if *fact == role.fact() => of_role.push(&player.digest),
                _ => digests.push((role.fact(), vec![&player.digest])),
            }
        }
        let of_players = digests.into_iter().map(|(name, digests)| fact(name, digests.join(" ")));
        digest_of(&of_players.chain(self.facts()).collect::<Vec<_>>())
    }

    /// What another run has different, a line each: `limit: 5000 nodes/move → 1000 nodes/move`.
    fn differences(&self, other: &Self) -> Vec<String> {
        let (ours, theirs) = (self.players(), other.players());
        let files = |players: &[(Role, &PlayerSpec)]| {
            players.iter().map(|(_, player)| player.file.as_str()).collect::<Vec<_>>().join(" ")
        };
        let as_many = ours.len() == theirs.len();
        let comparable = ours.iter().zip(&theirs).filter(|((role, _), _)| as_many || *role == Role::Base);
        let mut lines: Vec<String> = comparable
            .flat_map(|((role, ours), (_, theirs))| {
                let prefix = role.prefix(ours);
                ours.differences(theirs).into_iter().map(move |line| format!("{prefix}{line}"))
            })
            .collect();
        if !as_many {
            lines.push(format!("players: {} → {}", files(&ours), files(&theirs)));
        }
        lines.extend(facts::differences(&self.facts(), &other.facts()));
        lines
    }
}

/// What came out of a run, computed once: for the screen, for JSON, for the store.
pub trait RunSummary: Serialize {
    /// Games counted.
    fn games(&self) -> u64;

    /// The verdict or the end, in a word.
    fn verdict(&self) -> &str;

    /// The lines a person reads.
    fn text(&self) -> String;

    /// What the command that played the run prints after that.
    fn ending(&self) -> String {
        String::new()
    }

    /// What `harness show` adds to the games of each two players.
    fn progress(&self) -> Option<(String, Map<String, Value>)> {
        None
    }
}
