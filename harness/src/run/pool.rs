//! Plays pairs on all threads of a rayon pool.

use super::searches::{AnswerTimes, Searches, TimedPlayer};
use crate::game::play::{Cancelled, Played, Terms, play_game};
use crate::game::player::Player;
use crate::game::record::{PairRecord, Side};
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::players::{self};
use crate::run::dealer::Pair;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The players that a thread keeps for its next games; each begins a game with empty memory.
pub(super) struct Bench<'a> {
    setup: &'a Setup,
    /// The one that played last is last.
    kept: Vec<Seated>,
}

/// A player and its description.
pub(super) struct Seated {
    spec: Arc<PlayerSpec>,
    pub(super) player: Box<dyn Player>,
    times: AnswerTimes,
}

impl<'a> Bench<'a> {
    pub(super) fn new(setup: &'a Setup) -> Bench<'a> {
        Bench { setup, kept: Vec::new() }
    }

    /// Both players of a pair, base and candidate.
    pub(super) fn take_both(&mut self, base: &Arc<PlayerSpec>, candidate: &Arc<PlayerSpec>) -> [Seated; 2] {
        [self.take(base, 0), self.take(candidate, 1)]
    }

    /// Takes them back when they have played.
    pub(super) fn keep(&mut self, players: [Seated; 2]) {
        self.kept.extend(players);
    }

    /// Takes the player of this description, or makes one, in the place of the one that has not played for longest if
    /// it and the `others` that are playing would be too many.
    fn take(&mut self, spec: &Arc<PlayerSpec>, others: usize) -> Seated {
        match self.kept.iter().position(|seated| Arc::ptr_eq(&seated.spec, spec)) {
            Some(place) => self.kept.remove(place),
            None => {
                let too_many = (self.kept.len() + others + 1).saturating_sub(self.setup.kept_players);
                self.kept.drain(..too_many.min(self.kept.len()));
                let player = players::player(spec, self.setup);
                Seated { spec: Arc::clone(spec), player, times: AnswerTimes::new() }
            }
        }
    }
}

/// Stops the players when the thread that has it panics: the pair it was at will never be counted, and none after it.
pub(super) struct StopOnPanic<'a>(pub &'a Searches);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// How playing went.
pub struct Ended {
    /// Time spent waiting for players' answers, all threads together.
    pub search: Duration,
    /// Why no further game can be played, if a player cannot play on.
    pub cause: Option<String>,
}

/// Plays the pairs that `next` hands out, on every thread of the pool, until it has none left or the `searches`, as many as
/// threads, are stopped; a game under way is then given up. Each finished pair goes to `deliver`, which says whether to go on.
pub fn play_pairs(
    pool: &rayon::ThreadPool,
    terms: &Terms,
    setup: &Setup,
    next: impl Fn() -> Option<Pair> + Sync,
    searches: &Searches,
    deliver: impl Fn(PairRecord) -> bool + Sync,
) -> Ended {
    let search_micros = AtomicU64::new(0);
    let cause = Mutex::new(None);
    pool.broadcast(|place| {
        let _guard = StopOnPanic(searches);
        let thread = searches.thread(place.index());
        let mut bench = Bench::new(setup);
        while !searches.is_stopped()
            && let Some(pair) = next()
        {
            if let Some(cores) = &setup.cores {
                // Before the engines of the pair are started, which keep to the cores of this thread.
                let threads = [&pair.base, &pair.candidate].map(|player| player.search_threads());
                cores.bind(place.index(), threads[0].max(threads[1]));
            }
            let [mut base, mut candidate] = bench.take_both(&pair.base, &pair.candidate);
            let [mut timed_base, mut timed_candidate] =
                [&mut base, &mut candidate].map(|Seated { spec, player, times }| TimedPlayer {
                    spec,
                    player: &mut **player,
                    times,
                    thread,
                });
            let players: [&mut dyn Player; 2] = [&mut timed_base, &mut timed_candidate];
            let played = play_pair(players, terms, &pair, thread.stop(), &search_micros);
            bench.keep([base, candidate]);
            match played {
                Ok(record) => {
                    if !deliver(record) {
                        break;
                    }
                }
                Err(None) => break,
                Err(why) => {
                    searches.stop();
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

/// Both games of a pair between base and candidate; the candidate has White first.
///
/// # Errors
/// It was stopped; with the reason if a player cannot play on.
fn play_pair(
    [base, candidate]: [&mut dyn Player; 2],
    terms: &Terms,
    pair: &Pair,
    stop: &AtomicBool,
    search_micros: &AtomicU64,
) -> Result<PairRecord, Option<String>> {
    let terms = Terms { own: [pair.base.own_terms(), pair.candidate.own_terms()], ..terms.clone() };
    let mut game = |opening, white| {
        let (record, search_time) = match play_game(opening, white, base, candidate, terms.clone(), stop) {
            Ok(Played { record, search_time }) => (Ok(record), search_time),
            Err(Cancelled { cause, search_time }) => (Err(cause), search_time),
        };
        search_micros.fetch_add(search_time.as_micros() as u64, Ordering::Relaxed);
        record
    };
    let [first, second] = &pair.openings;
    let games = [game(first, Side::Candidate)?, game(second, Side::Base)?];
    Ok(PairRecord { index: pair.index, games })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::limit::Limit;
    use crate::game::opening::Opening;
    use engine::config::EngineConfig;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    #[test]
    fn a_thread_that_breaks_down_stops_the_others() {
        const MANY: u64 = 100_000;
        let player = Arc::new(PlayerSpec::new(Path::new("any.toml"), EngineConfig::default()));
        let opening = Opening::parse("4k3/8/8/8/8/8/8/4KQ2 w - -", 1).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (searches, handed_out) = (Searches::new(2), AtomicU64::new(0));
        let next = || {
            let index = handed_out.fetch_add(1, Ordering::Relaxed);
            let (base, candidate) = (Arc::clone(&player), Arc::clone(&player));
            (index < MANY).then(|| Pair {
                index,
                openings: [opening.clone(), opening.clone()],
                base,
                candidate,
            })
        };
        let deliver = |pair: PairRecord| {
            assert_ne!(pair.index, 1, "as the test wants it");
            true
        };
        let played = || play_pairs(&pool, &Limit::depth(1).into(), &Setup::new(1), next, &searches, deliver);
        assert!(catch_unwind(AssertUnwindSafe(played)).is_err());
        assert!(handed_out.into_inner() < MANY);
    }
}
