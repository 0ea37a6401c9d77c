//! Errors of reading a stored run.

use crate::store::StoreError;
use std::fmt;

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
        /// What it should be.
        wanted: &'static str,
    },
    /// Runs of its kind have no report.
    NoReport {
        /// Its name.
        run: String,
        /// What it is.
        kind: &'static str,
    },
    /// Its specification cannot be understood.
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
            NotRead::OtherKind { run, kind, wanted } => {
                write!(
                    f,
                    "{run} is no {wanted} run but a {kind} run: `harness show {run}` tells what is stored of it, `harness runs` lists \
                     all with their kinds"
                )
            }
            NotRead::NoReport { run, kind } => {
                write!(
                    f,
                    "{run} is a {kind} run, which has no report: `harness show {run}` tells what is stored of it, `harness runs` \
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
