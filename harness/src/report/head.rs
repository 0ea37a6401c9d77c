//! Head of a summary: what every kind of run tells of how and where it was played.

use super::conduct;
use super::figures::{percent, readable_rate, readable_seconds};
use crate::conditions::{Conditions, OpeningsSpec};
use crate::game::limit::Limit;
use crate::players::spec::PlayerSpec;
use crate::run::conduct::Watched;
use crate::run::latency::Latency;
use crate::run::node_use::NodesSearched;
use crate::store::Session;
use serde::Serialize;
use std::path::Path;

/// How a run was carried out, over all its sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Games in parallel, in the last session.
    pub threads: usize,
    /// Wall time.
    pub seconds: f64,
    /// Wall time, multiplied by the threads of each session.
    pub thread_seconds: f64,
    /// Time inside searches, all threads together.
    pub search_seconds: f64,
}

impl Effort {
    /// What these sessions took; the threads are those of the last.
    pub fn of(sessions: &[Session]) -> Effort {
        let mut effort = Effort::default();
        for session in sessions {
            let seconds = session.wall_micros as f64 / 1e6;
            effort.threads = session.threads as usize;
            effort.seconds += seconds;
            effort.thread_seconds += seconds * f64::from(session.threads);
            effort.search_seconds += session.search_micros as f64 / 1e6;
        }
        effort
    }
}

/// The part of a summary that is the same for every kind of run.
#[derive(Clone, Debug, Serialize)]
pub struct Head {
    /// Name of the run in the store.
    pub run: String,
    /// The kind, in the word of the store.
    pub kind: &'static str,
    /// Limit of each move.
    pub limit: Limit,
    /// The book.
    pub openings: BookName,
    /// Decides the order of the openings, and whatever else is drawn.
    pub seed: u64,
    /// Games in parallel.
    pub threads: usize,
    /// Wall time of all sessions.
    pub seconds: f64,
    /// Games counted per second of it; none if it took no time.
    pub games_per_second: Option<f64>,
    /// Share of the threads' time spent waiting for the players' answers; none if nothing was played.
    pub utilization: Option<f64>,
    /// Players that were not seen to honour their limit of nodes.
    pub node_limits: Vec<NodesSearched>,
    /// How late the answers of players come under a clock, of those that tell their own time.
    pub latency: Vec<Latency>,
    /// The players with what they did.
    #[serde(skip)]
    pub watched: Vec<Watched>,
}

impl Head {
    /// That of this run of a kind, with so many games counted.
    pub fn of(
        (run, kind): (&str, &'static str),
        conditions: &Conditions,
        (games, effort): (u64, &Effort),
        watched: Vec<Watched>,
    ) -> Head {
        let Conditions { limit, openings, seed, .. } = conditions;
        let ratio = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        Head {
            run: run.to_owned(),
            kind,
            limit: *limit,
            openings: BookName::of(openings),
            seed: *seed,
            threads: effort.threads,
            seconds: effort.seconds,
            games_per_second: ratio(games as f64, effort.seconds),
            utilization: ratio(effort.search_seconds, effort.thread_seconds),
            node_limits: conduct::node_limits(&watched),
            latency: conduct::latencies(&watched),
            watched,
        }
    }

    /// `Time  42 s   10.1 games/s   96.0 % of the threads' time inside the search   run sprt-20261129-203229-k3f9`
    pub fn effort_line(&self) -> String {
        let Head { run, seconds, games_per_second, utilization, .. } = self;
        let rate = games_per_second.map_or("- games/s".to_owned(), readable_rate);
        format!(
            "Time  {}   {rate}   {} of the threads' time inside the search   run {run}",
            readable_seconds(*seconds),
            percent(*utilization),
        )
    }
}

/// A player as reports name it.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// Name of the configuration.
    pub name: String,
    /// SHA-256 of its values.
    pub digest: String,
    /// Its own limit, if it has not that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

impl Named {
    /// A player's.
    pub fn of(player: &PlayerSpec) -> Named {
        Named { name: player.name().to_owned(), digest: player.digest.clone(), limit: player.limit }
    }
}

/// A book as reports name it.
#[derive(Clone, Debug, Serialize)]
pub struct BookName {
    /// File name.
    pub file: String,
    /// SHA-256 of its bytes, unpacked.
    pub digest: String,
}

impl BookName {
    /// The name and digest of the book that openings come from.
    pub fn of(openings: &OpeningsSpec) -> BookName {
        let path = Path::new(&openings.file);
        let name = path.file_name().unwrap_or(path.as_os_str());
        BookName { file: name.to_string_lossy().into_owned(), digest: openings.digest.clone() }
    }
}
