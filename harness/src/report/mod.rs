//! What people and programs are told: figures, progress, game files.

pub mod conduct;
pub mod document;
pub mod events;
pub mod figures;
pub mod games;
pub mod head;
pub mod lead;
pub mod origin;
pub mod pairs;
pub mod pgn_file;
pub mod plan;
pub mod progress;
pub mod run_file;
pub mod sealed;
pub mod section;
pub mod svg;
pub mod telemetry;
pub mod written;

use std::fmt::Display;
use std::io::Write;

/// A word as a shell takes it.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The text with a capital at its beginning.
pub fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A line to standard error. Nobody may be listening there, and that stops no run.
pub fn tell(line: impl Display) {
    _ = writeln!(std::io::stderr(), "{line}");
}
