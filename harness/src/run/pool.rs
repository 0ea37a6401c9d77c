//! Plays pairs on all threads of a rayon pool.

use crate::experiment::{Experiment, Pair};
use crate::game::play::{Cancelled, Played, play_game};
use crate::game::record::{PairRecord, Side};
use crate::players::Player;
use crate::players::builtin::BuiltIn;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Both players of one thread; they live as long as it does, and begin each game with empty memory.
struct Players {
    base: Box<dyn Player>,
    candidate: Box<dyn Player>,
}

impl Players {
    fn of(experiment: &Experiment) -> Players {
        let hash = experiment.hash_megabytes as usize;
        Players {
            base: Box::new(BuiltIn::new(&experiment.base.config, hash)),
            candidate: Box::new(BuiltIn::new(&experiment.candidate.config, hash)),
        }
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
pub fn play_pairs<'a>(
    pool: &rayon::ThreadPool,
    experiment: &Experiment,
    next: impl Fn() -> Option<Pair<'a>> + Sync,
    stop: &AtomicBool,
    deliver: impl Fn(PairRecord) -> bool + Sync,
) -> Duration {
    let search_micros = AtomicU64::new(0);
    pool.broadcast(|_| {
        let _guard = StopOnPanic(stop);
        let mut players = Players::of(experiment);
        while !stop.load(Ordering::Relaxed)
            && let Some(pair) = next()
        {
            let record = play_pair(&mut players, experiment, pair, stop, &search_micros);
            if !record.is_some_and(&deliver) {
                break;
            }
        }
    });
    Duration::from_micros(search_micros.into_inner())
}

/// Both games of a pair; the candidate has White first. None if it was stopped.
fn play_pair(
    players: &mut Players,
    experiment: &Experiment,
    pair: Pair,
    stop: &AtomicBool,
    search_micros: &AtomicU64,
) -> Option<PairRecord> {
    let mut game = |white| {
        let Players { base, candidate } = players;
        let (record, search_time) =
            match play_game(pair.opening, white, base.as_mut(), candidate.as_mut(), experiment.limit, stop) {
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
    use crate::experiment::{OpeningsSpec, PlayerSpec};
    use crate::game::limit::Limit;
    use crate::openings::Opening;
    use crate::openings::order::Order;
    use crate::statistics::SprtSpec;
    use engine::config::EngineConfig;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    #[test]
    fn a_thread_that_breaks_down_stops_the_others() {
        const MANY: u64 = 100_000;
        let player = PlayerSpec::new(Path::new("any.toml"), EngineConfig::default());
        let openings = OpeningsSpec {
            file: String::new(),
            digest: String::new(),
            count: 1,
            order: Order::Sequential,
            plies: None,
        };
        let experiment = Experiment {
            base: player.clone(),
            candidate: player,
            limit: Limit::Depth(1),
            openings,
            seed: 1,
            hash_megabytes: 1,
            test: SprtSpec::default(),
        };
        let opening = Opening::parse("4k3/8/8/8/8/8/8/4KQ2 w - -", 1).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (stop, handed_out) = (AtomicBool::new(false), AtomicU64::new(0));
        let next = || {
            let index = handed_out.fetch_add(1, Ordering::Relaxed);
            (index < MANY).then_some(Pair { index, opening: &opening })
        };
        let deliver = |pair: PairRecord| {
            assert_ne!(pair.index, 1, "as the test wants it");
            true
        };
        let played = || play_pairs(&pool, &experiment, next, &stop, deliver);
        assert!(catch_unwind(AssertUnwindSafe(played)).is_err());
        assert!(handed_out.into_inner() < MANY);
    }
}
