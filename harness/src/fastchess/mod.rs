//! Command line and output of fastchess (Disservin and others, MIT licence), and of cutechess-cli, whose place it takes: a
//! command line is [read](options), [translated](translate) into one of this program's, played, and [announced](announcer) in
//! the words that scripts, OpenBench's and fishtest's workers look for.
//!
//! ```text
//! words ─▶ options (table) ─▶ Tournament ─▶ translate ─▶ `harness sprt …` or `harness match …`
//!                                  │                          │ counted pairs
//!                                  └──▶ announcer, files ◀────┘
//! ```
//!
//! Written from what fastchess 1.8.2 accepts and prints; nothing of it is copied.

pub mod announcer;
pub mod engine;
pub mod files;
pub mod help;
pub mod notation;
pub mod options;
pub mod pgn;
pub mod reading;
pub mod score;
pub mod tournament;
pub mod translate;
pub mod words;

use std::path::Path;

/// The version of fastchess whose command line and output these are. OpenBench's workers ask for it.
pub const VERSION: &str = "1.8.2";

/// Whose defaults hold and whose lines are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Two games a round, pentanomial statistics, blocks of several lines.
    #[default]
    Fastchess,
    /// One game a round unless it is said otherwise, statistics of games, a line of the score after each.
    Cutechess,
}

impl Dialect {
    /// That of a program of this name (`argv[0]`), if it has one.
    pub fn of_program(name: &str) -> Option<Dialect> {
        match Path::new(name).file_name()?.to_str()? {
            "fastchess" | "fastchess-ob" => Some(Dialect::Fastchess),
            "cutechess-cli" | "cutechess-ob" => Some(Dialect::Cutechess),
            _ => None,
        }
    }
}
