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
