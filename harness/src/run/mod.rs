//! Runs: where pairs are played, and how their results become a verdict.
//!
//! ```text
//! contest ─▶ dealer (book) ─▶ threads ─▶ finished pairs, any order ─▶ store ─▶ collector ─▶ counted in order ─▶ listeners
//!    ▲                                                                                          │
//!    └──────────────────────────────── counts each pair ◀───────────────────────────────────────┘
//! ```
//!
//! What is counted is on disk first; what is told to the listeners has been counted.

pub mod collector;
pub mod conduct;
pub mod contest;
pub mod cost;
pub mod dealer;
pub mod drive;
pub mod faults;
pub mod goal;
pub mod latency;
pub mod node_use;
pub mod pool;
pub mod recount;
pub mod searches;
pub mod tally;
pub mod verify;
pub mod watch;

use std::sync::atomic::{AtomicBool, Ordering};

/// The words that end a run early.
#[derive(Debug, Default)]
pub struct Interrupt {
    /// Begin no further pair; those in flight are finished and counted.
    finish: AtomicBool,
}

impl Interrupt {
    /// Asks the run to end with the pairs in flight. True if it was asked before.
    pub fn ask(&self) -> bool {
        self.finish.swap(true, Ordering::SeqCst)
    }

    /// The word itself, for work that looks for it.
    pub fn flag(&self) -> &AtomicBool {
        &self.finish
    }

    /// Whether it was asked to end.
    pub fn is_asked(&self) -> bool {
        self.finish.load(Ordering::SeqCst)
    }
}
