//! What is known of a stored run: its experiment, its sessions, and every figure, counted again from its games.

use super::replay::Replay;
use super::summary::{Effort, Summary};
use crate::experiment::Experiment;
use crate::store::{RunInfo, Session, Store, StoreError, kind};
use serde::de::DeserializeOwned;
use std::fmt;

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
    /// Its figures cannot be written down.
    Json(serde_json::Error),
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRead::Store(error) => error.fmt(f),
            NotRead::OtherKind { run, kind } => {
                write!(
                    f,
                    "{run} is a {kind} run, which has no such figures: `harness show {run}` tells what is stored of it, `harness runs` \
                     lists all with their kinds"
                )
            }
            NotRead::OtherVersion { run, reason } => {
                write!(f, "{run} was stored by another version of this program ({reason}): use that version")
            }
            NotRead::Json(error) => {
                write!(f, "the figures cannot be written as JSON ({error}), which is a bug: please report it")
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

impl From<serde_json::Error> for NotRead {
    fn from(error: serde_json::Error) -> NotRead {
        NotRead::Json(error)
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

/// The experiment of a run.
///
/// # Errors
/// The run is of another kind or version.
pub fn experiment(info: &RunInfo) -> Result<Experiment, NotRead> {
    if info.kind != kind::SPRT {
        return Err(NotRead::OtherKind { run: info.id.clone(), kind: info.kind.clone() });
    }
    spec_of(info)
}

/// What a run of any kind played, as its kind stores it.
///
/// # Errors
/// It was stored by another version.
pub fn spec_of<Spec: DeserializeOwned>(info: &RunInfo) -> Result<Spec, NotRead> {
    serde_json::from_str(&info.spec_json)
        .map_err(|error| NotRead::OtherVersion { run: info.id.clone(), reason: error.to_string() })
}
