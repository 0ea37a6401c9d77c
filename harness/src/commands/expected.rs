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
    /// How a run with this verdict ends, a word as in summaries, if nothing or something was expected of it.
    pub fn exit(expected: Option<Expected>, verdict: &str) -> Exit {
        let word = expected.map(|expected| match expected {
            Expected::H1 => "h1",
            Expected::H0 => "h0",
        });
        if word.is_none_or(|word| word == verdict) { Exit::Done } else { Exit::Unexpected }
    }
}
