//! Plays pairs on all threads of a rayon pool.

use crate::experiment::{Conditions, Pair, PlayerSpec};
use crate::game::play::{Cancelled, Played, play_game};
use crate::game::record::{PairRecord, Side};
use crate::players::Player;
use crate::players::builtin::BuiltIn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The player on one side of a thread's games. It stays until another takes its place, and begins each game with
/// empty memory.
#[derive(Default)]
struct Seat(Option<(Arc<PlayerSpec>, Box<dyn Player>)>);

impl Seat {
    fn take(&mut self, spec: &Arc<PlayerSpec>, conditions: &Conditions) -> &mut dyn Player {
        let seated = self.0.take().filter(|(seated, _)| Arc::ptr_eq(seated, spec));
        let new = || {
            let player = BuiltIn::new(&spec.config, conditions.hash_megabytes as usize);
            (Arc::clone(spec), Box::new(player) as Box<dyn Player>)
        };
        self.0.insert(seated.unwrap_or_else(new)).1.as_mut()
    }
}

/// Stops the players when the thread that has it panics: the pair it was at will never be counted, and none after it.
pub(super) struct StopOnPanic<'a>(pub &'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Plays the pairs that `next` hands out, on every thread of the pool, until it has none left or `stop` is set;
/// a game under way is then given up. Each finished pair goes to `deliver`, which says whether to go on.
/// Returns the time spent waiting for players' answers, all threads together.
pub fn play_pairs(
    pool: &rayon::ThreadPool,
    conditions: &Conditions,
    next: impl Fn() -> Option<Pair> + Sync,
    stop: &AtomicBool,
    deliver: impl Fn(PairRecord) -> bool + Sync,
) -> Duration {
    let search_micros = AtomicU64::new(0);
    pool.broadcast(|_| {
        let _guard = StopOnPanic(stop);
        let mut seats = [Seat::default(), Seat::default()];
        while !stop.load(Ordering::Relaxed)
            && let Some(pair) = next()
        {
            let record = play_pair(&mut seats, conditions, &pair, stop, &search_micros);
            if !record.is_some_and(&deliver) {
                break;
            }
        }
    });
    Duration::from_micros(search_micros.into_inner())
}

/// Both games of a pair; the candidate has White first. None if it was stopped.
fn play_pair(
    [base, candidate]: &mut [Seat; 2],
    conditions: &Conditions,
    pair: &Pair,
    stop: &AtomicBool,
    search_micros: &AtomicU64,
) -> Option<PairRecord> {
    let base = base.take(&pair.base, conditions);
    let candidate = candidate.take(&pair.candidate, conditions);
    let mut game = |white| {
        let (record, search_time) =
            match play_game(&pair.opening, white, base, candidate, conditions.limit, stop) {
                Ok(Played { record, search_time }) => (Some(record), search_time),
                Err(Cancelled { search_time }) => (None, search_time),
            };
        search_micros.fetch_add(search_time.as_micros() as u64, Ordering::Relaxed);
        record
    };
    let games = [game(Side::Candidate)?, game(Side::Base)?];
    Some(PairRecord { index: pair.index, games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::OpeningsSpec;
    use crate::game::limit::Limit;
    use crate::openings::Opening;
    use crate::openings::order::Order;
    use engine::config::EngineConfig;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    #[test]
    fn a_thread_that_breaks_down_stops_the_others() {
        const MANY: u64 = 100_000;
        let player = Arc::new(PlayerSpec::new(Path::new("any.toml"), EngineConfig::default()));
        let openings = OpeningsSpec {
            file: String::new(),
            digest: String::new(),
            count: 1,
            order: Order::Sequential,
            plies: None,
            first: 0,
        };
        let conditions = Conditions { limit: Limit::Depth(1), openings, seed: 1, hash_megabytes: 1 };
        let opening = Opening::parse("4k3/8/8/8/8/8/8/4KQ2 w - -", 1).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (stop, handed_out) = (AtomicBool::new(false), AtomicU64::new(0));
        let next = || {
            let index = handed_out.fetch_add(1, Ordering::Relaxed);
            let (base, candidate) = (Arc::clone(&player), Arc::clone(&player));
            (index < MANY).then(|| Pair { index, opening: opening.clone(), base, candidate })
        };
        let deliver = |pair: PairRecord| {
            assert_ne!(pair.index, 1, "as the test wants it");
            true
        };
        let played = || play_pairs(&pool, &conditions, next, &stop, deliver);
        assert!(catch_unwind(AssertUnwindSafe(played)).is_err());
        assert!(handed_out.into_inner() < MANY);
    }
}
