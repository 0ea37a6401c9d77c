//! The report of a run: what was asked, what came out, what the searches did, and how to play it again.
//!
//! The content is gathered here, once, as a [`document`](RunReport::document) and as [`json`](RunReport::json). Nothing in it names a folder of the machine that played.

mod charts;
mod content;
mod json;
mod layout;

pub use charts::llr_chart;

use super::stored_run::StoredRun;

/// A report that can be written in several forms.
pub struct RunReport<'a> {
    run: &'a StoredRun,
}

impl RunReport<'_> {
    /// The report of this run.
    pub const fn new(run: &StoredRun) -> RunReport<'_> {
        RunReport { run }
    }
}
