//! What is known of a stored run: its experiment, its sessions, and every figure, counted again from its games.

use super::replay::Replay;
use super::summary::{Effort, Summary};
use crate::experiment::Experiment;
use crate::store::{RunInfo, Session, Store, StoreError};
use serde_json::{Value, json};
use std::fmt;

/// The only kind of run whose pairs answer the question of two configurations.
pub const KIND: &str = "sprt";

/// A run that was read from the store.
pub struct StoredRun {
    /// As it is listed.
    pub info: RunInfo,
    /// What was played.
    pub experiment: Experiment,
    /// When, and on how many threads.
    pub sessions: Vec<Session>,
    /// The games, counted again.
    pub replay: Replay,
    /// The figures that follow.
    pub summary: Summary,
}

/// Why a stored run cannot be looked at.
#[derive(Debug)]
pub enum NotRead {
    /// The store cannot be read.
    Store(StoreError),
    /// The run is of another kind.
    OtherKind {
        /// Its name.
        run: String,
        /// What it is.
        kind: String,
    },
    /// Its experiment cannot be understood.
    OtherVersion {
        /// Its name.
        run: String,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRead::Store(error) => error.fmt(f),
            NotRead::OtherKind { run, kind } => {
                write!(
                    f,
                    "{run} is a {kind} run, and this command reads tests (sprt) and matches: `harness runs` lists them"
                )
            }
            NotRead::OtherVersion { run, reason } => {
                write!(f, "{run} was stored by another version of this program ({reason}): use that version")
            }
        }
    }
}

impl std::error::Error for NotRead {}

impl From<StoreError> for NotRead {
    fn from(error: StoreError) -> NotRead {
        NotRead::Store(error)
    }
}

impl StoredRun {
    /// The run of this name, or the only one whose name begins so.
    ///
    /// # Errors
    /// See [`NotRead`].
    pub fn read(store: &Store, name: &str) -> Result<StoredRun, NotRead> {
        let info = store.run(name)?;
        let experiment = experiment(&info)?;
        let sessions = store.sessions(&info.id)?;
        let replay = Replay::of(store, &info, &experiment)?;
        let effort = Effort::of(&sessions);
        let summary = Summary::new(&info.id, &experiment, &replay.progress, replay.end, &effort);
        Ok(StoredRun { info, experiment, sessions, replay, summary })
    }
}

/// Sessions as programs read them.
pub fn sessions_json(sessions: &[Session]) -> Vec<Value> {
    let session = |session: &Session| {
        json!({
            "program": session.program,
            "threads": session.threads,
            "started": session.started,
            "updated": session.updated,
            "seconds": session.wall_micros as f64 / 1e6,
            "search_seconds": session.search_micros as f64 / 1e6,
        })
    };
    sessions.iter().map(session).collect()
}

/// The experiment of a run.
///
/// # Errors
/// The run is of another kind or version.
fn experiment(info: &RunInfo) -> Result<Experiment, NotRead> {
    let run = info.id.clone();
    if info.kind != KIND {
        return Err(NotRead::OtherKind { run, kind: info.kind.clone() });
    }
    serde_json::from_str(&info.spec_json)
        .map_err(|error| NotRead::OtherVersion { run, reason: error.to_string() })
}
