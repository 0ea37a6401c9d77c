//! `--expect`: scripts that ask for a verdict are told by the exit code whether it came.

use super::Exit;
use clap::ValueEnum;

/// A verdict to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Expected {
    /// The candidate is stronger; in a sweep, one of the values is.
    H1,
    /// It is not; in a sweep, none is.
    H0,
}

impl Expected {
    /// The option as it was given, with a blank before it.
    pub fn in_words(expected: Option<Expected>) -> String {
        expected.map_or(String::new(), |expected| format!(" --expect {}", expected.verdict()))
    }

    /// The verdict, a word as in summaries.
    const fn verdict(self) -> &'static str {
        match self {
            Expected::H1 => "h1",
            Expected::H0 => "h0",
        }
    }

    /// How a run with this verdict ends, a word as in summaries, if nothing or something was expected of it.
    pub fn exit(expected: Option<Expected>, verdict: &str) -> Exit {
        match expected.is_none_or(|expected| expected.verdict() == verdict) {
            true => Exit::Done,
            false => Exit::Unexpected,
        }
    }
}
