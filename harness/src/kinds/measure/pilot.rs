//! Pilot: a few pairs of two players that show what their pairs are like and how fast they are. None is kept.

use super::contest::{Enough, Measure};
use super::spec::MeasureSpec;
use crate::openings::Book;
use crate::run::Interrupt;
use crate::run::dealer::{Dealer, Dealt};
use crate::run::drive::{Execution, RunError};
use crate::run::pool::play_pairs;
use crate::run::searches::Searches;
use crate::run::tally::Tally;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often it is looked whether it has been interrupted.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What a pilot found.
#[derive(Clone, Copy, Debug)]
pub struct Pilot {
    /// What was counted.
    pub tally: Tally,
    /// How long it took.
    pub wall: Duration,
}

/// Plays the first pairs, so many or as many as the book allows; after an interrupt fewer, and what is under way is given up.
///
/// # Errors
/// The threads cannot be started, or a player cannot play.
pub fn pilot(
    spec: &Arc<MeasureSpec>,
    book: impl Into<Arc<Book>>,
    pairs: u64,
    execution: &Execution,
    interrupt: &Interrupt,
) -> Result<Pilot, RunError> {
    let Execution { terms, setup, threads, .. } = execution;
    let began = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(*threads)
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let (contest, dealer) =
        (Measure::new(spec, Enough { margin: None, pairs }), Dealer::new(&spec.conditions, book));
    let begun = AtomicU64::new(0);
    let next = || {
        let index = begun.fetch_add(1, Ordering::Relaxed);
        match dealer.deal(&contest, index) {
            Ok(Dealt::Pair(pair)) if !interrupt.is_asked() => Some(pair),
            _ => None,
        }
    };
    let (sender, receiver) = mpsc::channel();
    let searches = Searches::new(*threads);
    let mut tally = Tally::default();
    let ended = std::thread::scope(|scope| {
        let (pool, searches, next) = (&pool, &searches, &next);
        let play = move || play_pairs(pool, terms, setup, next, searches, |pair| sender.send(pair).is_ok());
        let players = std::thread::Builder::new()
            .spawn_scoped(scope, play)
            .map_err(|error| RunError::Threads(error.to_string()))?;
        // All pairs that begin are counted, so the order in which they end favours none.
        loop {
            match receiver.recv_timeout(LOOK_EVERY) {
                Ok(pair) => tally.add(&pair),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if interrupt.is_asked() => searches.stop(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        players.join().map_err(|_| RunError::Panic)
    })?;
    if let Some(cause) = ended.cause {
        return Err(RunError::Player(cause));
    }
    Ok(Pilot { tally, wall: began.elapsed() })
}
