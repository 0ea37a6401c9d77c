//! The main job: plays an experiment's pairs until its test decides.

use super::Interrupt;
use super::collector::Collector;
use super::pool::{Ended, StopOnPanic, play_pairs};
use super::tally::Tally;
use crate::experiment::Plan;
use crate::game::record::PairRecord;
use crate::players::Setup;
use crate::statistics::{Status, Verdict};
use crate::store::{NewSession, RunLock, Store, StoreError, Writer};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How the run is carried out; none of it changes what is found.
#[derive(Clone)]
pub struct Options {
    /// Games in parallel.
    pub threads: usize,
    /// End undecided after this many pairs.
    pub max_pairs: Option<u64>,
    /// How the players are run.
    pub setup: Setup,
}

/// Why the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The test decided.
    Decided(Verdict),
    /// As many pairs were counted as were allowed.
    MaxPairs,
    /// Every opening has been played; to repeat one would be to repeat its games.
    BookExhausted,
    /// It was asked to end.
    Interrupted,
}

/// What has been found so far.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The counts.
    pub tally: Tally,
    /// Where the test stands.
    pub status: Status,
}

/// Hears of every counted pair, in order.
pub trait Listener {
    /// The pair has been counted, with this outcome so far. `is_new` tells pairs played now from those that
    /// an earlier session stored.
    ///
    /// # Errors
    /// Ends the run: what was counted stays stored.
    fn counted(&mut self, pair: &PairRecord, progress: &Progress, is_new: bool) -> Result<(), ListenerError>;
}

/// A listener that could not do its work, such as writing a file.
#[derive(Debug)]
pub struct ListenerError(pub String);

/// How the run went.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// What was found.
    pub progress: Progress,
    /// Why it ended.
    pub end: End,
    /// Wall time of playing in this session.
    pub wall: Duration,
    /// Time that players took for answers in this session, all threads together.
    pub search: Duration,
}

impl Outcome {
    /// Whether anything was played in this session.
    pub fn has_played(&self) -> bool {
        !self.wall.is_zero()
    }
}

/// Time spent playing.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    wall: Duration,
    search: Duration,
}

/// A run that failed; everything counted is stored and the run can be resumed.
#[derive(Debug)]
pub enum RunError {
    /// The store failed.
    Store(StoreError),
    /// A listener failed.
    Listener(ListenerError),
    /// A player cannot play on.
    Player(String),
    /// The threads could not be started.
    Threads(String),
    /// No pair is left to play, and some were never counted.
    Unexplained,
    /// A thread broke down, and has said why on standard error.
    Panic,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Store(error) => error.fmt(f),
            RunError::Listener(ListenerError(message)) | RunError::Player(message) => f.write_str(message),
            RunError::Unexplained => f.write_str(
                "the games ended without a reason and with pairs missing, as if another process had played them: see \
                 that only one plays this run, then resume it",
            ),
            RunError::Threads(message) => {
                write!(f, "the threads cannot be started ({message}); ask for fewer with --threads")
            }
            RunError::Panic => f.write_str(
                "a thread broke down, which is a bug of this program: report the message above; every stored pair is safe",
            ),
        }
    }
}

impl std::error::Error for RunError {}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> RunError {
        RunError::Store(error)
    }
}

/// The counting side of a run: it decides when enough has been seen.
struct Count<'a> {
    plan: &'a Plan,
    max_pairs: u64,
    collector: Collector,
    progress: Progress,
    end: Option<End>,
}

impl<'a> Count<'a> {
    fn new(plan: &'a Plan, max_pairs: Option<u64>) -> Count<'a> {
        let tally = Tally::default();
        let status = plan.experiment.test.evaluate(&tally.pairs, &tally.games);
        let mut count = Count {
            plan,
            max_pairs: max_pairs.unwrap_or(u64::MAX),
            collector: Collector::default(),
            progress: Progress { tally, status },
            end: None,
        };
        count.end = count.end_without_verdict();
        count
    }

    /// Takes a finished pair and counts what is complete. True once the run is over.
    fn take(
        &mut self,
        pair: PairRecord,
        is_new: bool,
        listener: &mut dyn Listener,
    ) -> Result<bool, ListenerError> {
        self.collector.add(pair);
        while self.end.is_none()
            && let Some(pair) = self.collector.take_next()
        {
            let Progress { tally, status } = &mut self.progress;
            tally.add(&pair);
            *status = self.plan.experiment.test.evaluate(&tally.pairs, &tally.games);
            listener.counted(&pair, &self.progress, is_new)?;
            self.end = self.progress.status.verdict.map(End::Decided).or_else(|| self.end_without_verdict());
        }
        Ok(self.end.is_some())
    }

    fn end_without_verdict(&self) -> Option<End> {
        let counted = self.progress.tally.pairs.pairs();
        if counted >= self.max_pairs {
            Some(End::MaxPairs)
        } else if self.plan.pair(counted).is_none() {
            Some(End::BookExhausted)
        } else {
            None
        }
    }
}

/// Counts what is stored of the locked run, then plays on until the test decides, a limit is reached, or it is
/// asked to end. Gives the lock back, under which the verdict can be stored.
///
/// # Errors
/// If the store or the listener fails; nothing that was counted is lost.
pub fn run(
    plan: &Plan,
    store: &Store,
    lock: RunLock,
    options: &Options,
    interrupt: &Interrupt,
    listener: &mut dyn Listener,
) -> Result<(Outcome, RunLock), RunError> {
    let mut count = Count::new(plan, options.max_pairs);
    let stored: BTreeSet<u64> = store.pair_indices(lock.run())?.into_iter().collect();
    for pair in store.pairs(lock.run(), 0) {
        if count.take(pair?, false, listener).map_err(RunError::Listener)? {
            break;
        }
    }
    let (Spent { wall, search }, lock) = match count.end {
        Some(_) => (Spent::default(), lock),
        None => play(plan, lock, options, interrupt, &stored, &mut count, listener)?,
    };
    let end = match count.end {
        Some(end) => end,
        None if interrupt.is_asked() => End::Interrupted,
        None => return Err(RunError::Unexplained),
    };
    Ok((Outcome { progress: count.progress, end, wall, search }, lock))
}

/// Plays the pairs that are not stored yet, and counts them as they come.
fn play(
    plan: &Plan,
    lock: RunLock,
    options: &Options,
    interrupt: &Interrupt,
    stored: &BTreeSet<u64>,
    count: &mut Count,
    listener: &mut dyn Listener,
) -> Result<(Spent, RunLock), RunError> {
    let began = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .thread_name(|index| format!("player {index}"))
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let session = NewSession {
        program: concat!("harness ", env!("CARGO_PKG_VERSION")),
        threads: u32::try_from(options.threads).unwrap_or(u32::MAX),
    };
    let (sender, receiver) = mpsc::channel();
    // When the counting side has gone, it has seen enough.
    let writer = Writer::spawn(lock, &session, move |pair| _ = sender.send(pair))?;

    let todo = Mutex::new((0..count.max_pairs).filter(|index| !stored.contains(index)));
    let next = || {
        let index = (!interrupt.is_asked()).then(|| todo.lock().ok()?.next()).flatten()?;
        plan.pair(index)
    };
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let players = scope.spawn(|| {
            let deliver = |pair| writer.send(pair).is_ok();
            let ended = play_pairs(&pool, &plan.experiment, &options.setup, next, &stop, deliver);
            writer.finish().map(|lock| (ended, lock))
        });
        let _guard = StopOnPanic(&stop);
        let mut counted = Ok(());
        for pair in receiver {
            match count.take(pair, true, listener) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(error) => counted = Err(RunError::Listener(error)),
            }
            stop.store(true, Ordering::Relaxed);
            break;
        }
        let (Ended { search, cause }, lock) = players.join().map_err(|_| RunError::Panic)??;
        counted?;
        match cause {
            // What was decided before needs no further game.
            Some(cause) if count.end.is_none() => Err(RunError::Player(cause)),
            _ => Ok((Spent { wall: began.elapsed(), search }, lock)),
        }
    })
}
