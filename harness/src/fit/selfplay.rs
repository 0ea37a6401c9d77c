//! Games of a configuration with itself, for a fit to learn from.
//!
//! They are a run of the store like any other, except that both games of a pair have openings of their own: with the same
//! player on both sides, exchanging colours would give the same game again.

use crate::experiment::Experiment;
use crate::game::play::{Terms, play_game};
use crate::game::record::{GameRecord, PairRecord, Side};
use crate::players::{self, Player, Setup};
use crate::run::Interrupt;
use crate::run::dealer::Dealer;
use crate::store::{NewSession, RunLock, Store, StoreError, Writer};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Plays the pairs below `pairs` that the locked run does not have yet, on every thread of the current rayon pool, until
/// there is none left, the book has no more openings, or it is told to end. `progress` hears how many pairs are stored.
///
/// # Errors
/// The store failed; what was stored stays.
pub fn play(
    (experiment, dealer): (&Experiment, &Dealer),
    store: &Store,
    lock: RunLock,
    (terms, pairs): (&Terms, u64),
    interrupt: &Interrupt,
    progress: impl Fn(u64) + Send + Sync + 'static,
) -> Result<RunLock, StoreError> {
    let stored: BTreeSet<u64> = store.pair_indices(lock.run())?.into_iter().collect();
    let done = AtomicU64::new(stored.len() as u64);
    let todo = Mutex::new((0..pairs).filter(|index| !stored.contains(index)));
    let threads = u32::try_from(rayon::current_num_threads()).unwrap_or(u32::MAX);
    let session = NewSession { program: concat!("harness ", env!("CARGO_PKG_VERSION")), threads };
    let writer = Writer::spawn(lock, &session, move |_| progress(done.fetch_add(1, Ordering::Relaxed) + 1))?;
    // A failed writer keeps its error for `finish`.
    rayon::broadcast(|_| {
        let mut sides = [(); 2].map(|()| player(experiment));
        while !interrupt.is_asked()
            && let Some(index) = todo.lock().ok().and_then(|mut todo| todo.next())
            && let Some(pair) = play_pair(dealer, terms, index, &mut sides)
        {
            if writer.send(pair).is_err() {
                break;
            }
        }
    });
    writer.finish()
}

fn player(Experiment { base, conditions, .. }: &Experiment) -> Box<dyn Player> {
    players::player(base, &Setup::new(conditions.hash_megabytes))
}

/// The two games of this number; none when the book has no opening left for them.
fn play_pair(
    dealer: &Dealer,
    terms: &Terms,
    index: u64,
    sides: &mut [Box<dyn Player>; 2],
) -> Option<PairRecord> {
    let never = AtomicBool::new(false);
    let mut game = |number: u64, white| -> Option<GameRecord> {
        let opening = dealer.opening(2 * index + number).ok()?;
        let [base, candidate] = sides.each_mut().map(|side| &mut **side);
        play_game(opening, white, base, candidate, terms.clone(), &never).ok().map(|played| played.record)
    };
    Some(PairRecord { index, games: [game(0, Side::Candidate)?, game(1, Side::Base)?] })
}
