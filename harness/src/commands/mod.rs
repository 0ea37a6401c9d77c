//! The commands, a file each: arguments in, a call of the library, output out.

pub mod book;
pub mod nodes;
pub mod options;
pub mod runs;
pub mod sprt;

use std::fmt::Display;
use std::io::Write;

/// Why a command did not do its job; the message is printed as it is.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or configuration: exit code 2.
    Usage(String),
    /// The run failed: exit code 1.
    Run(String),
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

/// A line of the report. A closed pipe means that the reader has seen enough.
pub fn print_out(line: impl Display) {
    if writeln!(std::io::stdout(), "{line}").is_err() {
        std::process::exit(0);
    }
}
