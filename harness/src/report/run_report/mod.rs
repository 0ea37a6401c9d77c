//! The report of a run: what was asked, what came out, what the searches did, and how to play it again.
//!
//! The content is gathered here, once; [`html`](RunReport::html), [`markdown`](RunReport::markdown) and
//! [`json`](RunReport::json) only lay it out. Nothing in it names a folder of the machine that played.

mod charts;
mod content;
mod html;
mod json;
mod markdown;

use super::stored_run::StoredRun;

pub(super) use html::page;
pub(super) use markdown::{code_block, escaped, table};

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
