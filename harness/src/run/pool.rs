//! Plays pairs on all threads of a rayon pool.

use crate::experiment::{Experiment, Pair};
use crate::game::play::{Cancelled, Played, play_game};
use crate::game::record::{PairRecord, Side};
use crate::players::{self, Player, Setup};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Both players of one thread; they live as long as it does, and begin each game with empty memory.
struct Players {
    base: Box<dyn Player>,
    candidate: Box<dyn Player>,
}

impl Players {
    fn of(experiment: &Experiment, setup: &Setup) -> Players {
        Players {
            base: players::player(&experiment.base, setup),
            candidate: players::player(&experiment.candidate, setup),
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
pub fn play_pairs<'a>(
    pool: &rayon::ThreadPool,
    experiment: &Experiment,
    setup: &Setup,
    next: impl Fn() -> Option<Pair<'a>> + Sync,
    stop: &AtomicBool,
    deliver: impl Fn(PairRecord) -> bool + Sync,
) -> Ended {
    let search_micros = AtomicU64::new(0);
    let cause = Mutex::new(None);
    pool.broadcast(|_| {
        let _guard = StopOnPanic(stop);
        let mut players = Players::of(experiment, setup);
        while !stop.load(Ordering::Relaxed)
            && let Some(pair) = next()
        {
            match play_pair(&mut players, experiment, pair, stop, &search_micros) {
                Ok(record) => {
                    if !deliver(record) {
                        break;
                    }
                }
                Err(None) => break,
                Err(why) => {
                    stop.store(true, Ordering::Relaxed);
                    *cause.lock().unwrap_or_else(PoisonError::into_inner) = why;
                }
            }
        }
    });
    Ended {
        search: Duration::from_micros(search_micros.into_inner()),
        cause: cause.into_inner().unwrap_or_else(PoisonError::into_inner),
    }
}

/// How playing went.
pub struct Ended {
    /// Time spent waiting for players' answers, all threads together.
    pub search: Duration,
    /// Why no further game can be played, if a player cannot play on.
    pub cause: Option<String>,
}

/// Both games of a pair; the candidate has White first.
///
/// # Errors
/// It was stopped; with the reason if a player cannot play on.
fn play_pair(
    players: &mut Players,
    experiment: &Experiment,
    pair: Pair,
    stop: &AtomicBool,
    search_micros: &AtomicU64,
) -> Result<PairRecord, Option<String>> {
    let mut game = |white| {
        let Players { base, candidate } = players;
        let (record, search_time) = match play_game(
            pair.opening,
            white,
            base.as_mut(),
            candidate.as_mut(),
            experiment.conditions(),
            stop,
        ) {
            Ok(Played { record, search_time }) => (Ok(record), search_time),
            Err(Cancelled { cause, search_time }) => (Err(cause), search_time),
        };
        search_micros.fetch_add(search_time.as_micros() as u64, Ordering::Relaxed);
        record
    };
    let games = [game(Side::Candidate)?, game(Side::Base)?];
    Ok(PairRecord { index: pair.index, games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{OpeningsSpec, PlayerSpec};
    use crate::game::adjudication::Adjudication;
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
            adjudication: Adjudication::default(),
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
        let played = || play_pairs(&pool, &experiment, &Setup::new(1), next, &stop, deliver);
        assert!(catch_unwind(AssertUnwindSafe(played)).is_err());
        assert!(handed_out.into_inner() < MANY);
    }
}
