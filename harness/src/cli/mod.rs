//! What commands share: options and what follows from them, the life of a run, how a command ends.

pub mod again;
pub mod blocks;
pub mod carry_out;
pub mod conditions;
pub mod counts;
pub mod engine_options;
pub mod files;
mod foreign;
pub mod job;
pub mod named_players;
pub mod not_taken;
pub mod numbers;
pub mod options;
pub mod own_limit;
pub mod pair_options;
pub mod play;
pub mod player;
pub mod player_options;
pub mod resumed;
pub mod told_apart;

use crate::kinds::not_read::NotRead;
use crate::options::Expected;
use crate::report::sealed::NotWritten;
use crate::report::tell;
use crate::run::Interrupt;
use crate::store::StoreError;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::sync::Arc;

/// The first Ctrl-C lets the pairs in flight finish; the second ends the process, and nothing stored is lost.
pub fn interrupts() -> Result<Arc<Interrupt>, Failure> {
    let interrupt = Arc::new(Interrupt::default());
    let heard = Arc::clone(&interrupt);
    ctrlc::set_handler(move || {
        if heard.ask() {
            std::process::exit(130);
        }
        tell("finishing what is in flight; interrupt again to stop at once");
    })
    .map_err(|error| Failure::run(format!("interrupts cannot be caught: {error}")))?;
    Ok(interrupt)
}

/// Why a command did not do its job; the message is printed as it is.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or configuration: exit code 2.
    Usage(String),
    /// The run failed: exit code 1.
    Run(String),
    /// It was interrupted before there was a run that could be gone on with: exit code 130.
    Interrupted,
}

impl Failure {
    /// What the user asked for cannot be.
    pub fn usage(message: impl Display) -> Failure {
        Failure::Usage(labelled(message))
    }

    /// What the user asked for did not work.
    pub fn run(message: impl Display) -> Failure {
        Failure::Run(labelled(message))
    }
}

impl From<StoreError> for Failure {
    /// A run that is not there is a slip of the user's; anything else is the store's fault.
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::NoStore { .. }
            | StoreError::Empty { .. }
            | StoreError::UnknownRun { .. }
            | StoreError::AmbiguousRun { .. } => Failure::usage(error),
            _ => Failure::run(error),
        }
    }
}

impl From<NotRead> for Failure {
    fn from(error: NotRead) -> Failure {
        match error {
            NotRead::Store(error) => error.into(),
            NotRead::Json(_) => Failure::run(error),
            NotRead::OtherKind { .. } | NotRead::NoReport { .. } | NotRead::OtherVersion { .. } => {
                Failure::usage(error)
            }
        }
    }
}

impl From<NotWritten> for Failure {
    fn from(error: NotWritten) -> Failure {
        match error {
            NotWritten::NotOurs(_) => Failure::usage(error),
            NotWritten::Io(..) => Failure::run(error),
        }
    }
}

/// Messages of config files come with their label and several lines; sentences get one.
fn labelled(message: impl Display) -> String {
    let text = message.to_string();
    if text.starts_with("error:") { text } else { format!("error: {text}") }
}

/// How a command ended that did its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Exit code 0.
    Done,
    /// Another verdict than `--expect` wanted: exit code 3.
    Unexpected,
    /// Interrupted; what was found is stored: exit code 130.
    Interrupted,
}

impl Exit {
    /// How a run with this verdict ends, a word as in summaries, if nothing or something was expected of it.
    pub fn expecting(expected: Option<Expected>, verdict: &str) -> Exit {
        match expected.is_none_or(|expected| expected.verdict() == verdict) {
            true => Exit::Done,
            false => Exit::Unexpected,
        }
    }
}

/// A line of the report.
///
/// # Errors
/// It cannot be written, as on a full disk. A closed pipe is no error: its reader has seen enough.
pub fn print_out(line: impl Display) -> Result<(), Failure> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::run(format!("the report cannot be written to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
