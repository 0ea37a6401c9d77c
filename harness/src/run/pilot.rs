//! What are the pairs of two players like, and how fast are they? A few are played to see, and none is kept.

use super::Interrupt;
use super::drive::{CarryingOut, RunError};
use super::measure::MeasureSpec;
use super::pool::play_pairs;
use super::tally::Tally;
use crate::experiment::Duel;
use crate::openings::Book;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a pilot found.
#[derive(Clone, Copy, Debug)]
pub struct Pilot {
    /// What was counted.
    pub tally: Tally,
    /// How long it took.
    pub wall: Duration,
}

/// Plays the first pairs, so many or as many as the book allows; after an interrupt fewer.
///
/// # Errors
/// The threads cannot be started, or a player cannot play.
pub fn pilot(
    spec: &MeasureSpec,
    book: impl Into<Arc<Book>>,
    pairs: u64,
    carrying_out: &CarryingOut,
    interrupt: &Interrupt,
) -> Result<Pilot, RunError> {
    let CarryingOut { terms, setup, threads } = carrying_out;
    let began = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(*threads)
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let duel = Duel::new(&spec.base, &spec.candidate, &spec.conditions, book);
    let begun = AtomicU64::new(0);
    let next = || {
        let index = begun.fetch_add(1, Ordering::Relaxed);
        (index < pairs && !interrupt.is_asked()).then(|| duel.pair(index)).flatten()
    };
    let tally = Mutex::new(Tally::default());
    // All pairs that begin are counted, so the order in which they end favours none.
    let ended = play_pairs(&pool, terms, setup, next, &AtomicBool::new(false), |pair| {
        tally.lock().unwrap_or_else(PoisonError::into_inner).add(&pair);
        true
    });
    if let Some(cause) = ended.cause {
        return Err(RunError::Player(cause));
    }
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Pilot { tally, wall: began.elapsed() })
}
