//! Searches under way on the threads of a run, and their end: of all at once, or, once the run is to end, of one that lasts
//! too long.
//!
//! After an interrupt the pairs in flight are finished. But an engine that stalls would keep everybody waiting until its time
//! is over, so a search far beyond what the player usually takes is ended, and its pair is not stored.

use crate::game::details::MoveDetails;
use crate::game::opening::Opening;
use crate::game::player::{Answer, Fault, Player, Question};
use crate::players::spec::PlayerSpec;
use engine::search::observer::Counters;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A search is overdue beyond so many times the player's median answer, …
const MANY_MEDIANS: u32 = 10;

/// … and not before this time.
const SHORTEST: Duration = Duration::from_secs(1);

/// Answers of which the median is taken.
const RECENT: usize = 63;

/// What the threads of a run are at.
pub struct Searches {
    is_stopped: AtomicBool,
    threads: Vec<Thread>,
}

/// What one thread is at.
#[derive(Default)]
pub(super) struct Thread {
    /// Set when its game is to be given up.
    stop: AtomicBool,
    search: Mutex<Option<Search>>,
}

/// A player that is waited for.
struct Search {
    player: Arc<PlayerSpec>,
    since: Instant,
    /// From when on it is overdue.
    patience: Duration,
}

impl Searches {
    /// Nothing under way on so many threads.
    pub fn new(threads: usize) -> Searches {
        Searches {
            is_stopped: AtomicBool::new(false),
            threads: std::iter::repeat_with(Thread::default).take(threads).collect(),
        }
    }

    /// Gives up all games, and begins no other.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.threads.iter().for_each(|thread| thread.stop.store(true, Ordering::Relaxed));
    }

    /// Whether all games are to be given up.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Gives up the games in which a player is overdue; a sentence about each.
    pub fn end_overdue(&self) -> Vec<String> {
        self.threads.iter().filter_map(Thread::end_if_overdue).collect()
    }

    /// The thread of this number.
    pub(super) fn thread(&self, number: usize) -> &Thread {
        &self.threads[number]
    }
}

impl Thread {
    /// Set when its game is to be given up.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn search(&self) -> MutexGuard<'_, Option<Search>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end_if_overdue(&self) -> Option<String> {
        let search = self.search();
        let Search { player, since, patience } = search.as_ref()?;
        let lasted = since.elapsed();
        let is_overdue = lasted > *patience && !self.stop.swap(true, Ordering::Relaxed);
        is_overdue.then(|| {
            format!(
                "note: {} has not answered for {:.1} s and is ended; its pair is not stored",
                player.name(),
                lasted.as_secs_f64()
            )
        })
    }
}

/// How long a player's latest answers took.
pub(super) struct AnswerTimes {
    recent: [Duration; RECENT],
    count: usize,
}

impl AnswerTimes {
    /// No answer yet.
    pub const fn new() -> AnswerTimes {
        AnswerTimes { recent: [Duration::ZERO; RECENT], count: 0 }
    }

    fn add(&mut self, time: Duration) {
        self.recent[self.count % RECENT] = time;
        self.count += 1;
    }

    /// How long the next may take before it is overdue.
    fn patience(&self) -> Duration {
        let mut known = self.recent;
        let known = &mut known[..self.count.min(RECENT)];
        let median = match known.len() {
            0 => Duration::ZERO,
            count => *known.select_nth_unstable(count / 2).1,
        };
        SHORTEST.max(median.saturating_mul(MANY_MEDIANS))
    }
}

/// A player whose thread knows how long it has been waited for.
pub(super) struct TimedPlayer<'a> {
    pub spec: &'a Arc<PlayerSpec>,
    pub player: &'a mut dyn Player,
    pub times: &'a mut AnswerTimes,
    pub thread: &'a Thread,
}

impl TimedPlayer<'_> {
    fn timed<T>(&mut self, ask: impl FnOnce(&mut dyn Player) -> T) -> (T, Duration) {
        let since = Instant::now();
        let patience = self.times.patience();
        *self.thread.search() = Some(Search { player: Arc::clone(self.spec), since, patience });
        let answer = ask(self.player);
        *self.thread.search() = None;
        (answer, since.elapsed())
    }
}

impl Player for TimedPlayer<'_> {
    fn new_game(&mut self, opening: &Opening, stop: &AtomicBool) -> Result<(), Fault> {
        self.timed(|player| player.new_game(opening, stop)).0
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        let (answer, time) = self.timed(|player| player.answer(question));
        if answer.is_ok() {
            self.times.add(time);
        }
        answer
    }

    fn details(&mut self) -> MoveDetails {
        self.player.details()
    }

    fn engine_name(&self) -> Option<String> {
        self.player.engine_name()
    }

    fn counters(&self) -> Option<Counters> {
        self.player.counters()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::config::EngineConfig;
    use std::path::Path;

    #[test]
    fn ten_medians_and_at_least_a_second() {
        let mut times = AnswerTimes::new();
        assert_eq!(times.patience(), SHORTEST);
        (0..20).for_each(|_| times.add(Duration::from_millis(3)));
        assert_eq!(times.patience(), SHORTEST);
        (0..RECENT).for_each(|_| times.add(Duration::from_secs(3)));
        (0..20).for_each(|_| times.add(Duration::from_secs(99)));
        assert_eq!(times.patience(), Duration::from_secs(30));
    }

    #[test]
    fn only_what_is_overdue_is_ended_and_once() {
        let searches = Searches::new(3);
        let player = Arc::new(PlayerSpec::new(Path::new("any.toml"), EngineConfig::default()));
        for (thread, patience) in [(0, Duration::ZERO), (1, Duration::from_secs(1 << 20))] {
            let player = Arc::clone(&player);
            *searches.thread(thread).search() = Some(Search { player, since: Instant::now(), patience });
        }
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(searches.end_overdue().len(), 1);
        assert_eq!(searches.end_overdue().len(), 0);
        let stops = || [0, 1, 2].map(|thread| searches.thread(thread).stop().load(Ordering::Relaxed));
        assert_eq!((stops(), searches.is_stopped()), ([true, false, false], false));
        searches.stop();
        assert_eq!((stops(), searches.is_stopped()), ([true; 3], true));
    }
}
