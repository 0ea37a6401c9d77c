//! What people and programs are told: figures, progress, game files.

pub mod pgn_file;
pub mod progress;
pub mod summary;
pub mod sweep;
pub mod sweep_chart;
pub mod sweep_text;

use std::fmt::Display;
use std::io::Write;

/// A line to standard error. Nobody may be listening there, and that stops no run.
pub fn tell(line: impl Display) {
    _ = writeln!(std::io::stderr(), "{line}");
}
