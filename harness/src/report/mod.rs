//! What people and programs are told: figures, progress, game files.

pub mod asked;
pub mod collection;
pub mod conduct;
pub mod document;
pub mod events;
pub mod figures;
pub mod games;
pub mod known_figure;
pub mod ladder;
pub mod match_chart;
pub mod match_report;
pub mod measure_report;
pub mod measured;
pub mod origin;
pub mod overview;
pub mod pairs;
pub mod pgn_file;
pub mod plan;
pub mod progress;
pub mod replay;
pub mod report_of;
pub mod reproduction;
pub mod run_file;
pub mod run_report;
pub mod sealed;
pub mod section;
pub mod speed;
pub mod stored_match;
pub mod stored_run;
pub mod stored_spec;
pub mod summary;
pub mod svg;
pub mod sweep;
pub mod sweep_chart;
mod sweep_pairs;
pub mod sweep_report;
pub mod sweep_text;
pub mod telemetry;
pub mod tournament;
pub mod tournament_text;
pub mod tuning;
pub mod tuning_chart;
pub mod tuning_report;

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
fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A line to standard error. Nobody may be listening there, and that stops no run.
pub fn tell(line: impl Display) {
    _ = writeln!(std::io::stderr(), "{line}");
}
