//! Plays a contest: hands its pairs to the threads, stores what they bring back, and counts it in order.

use super::Interrupt;
use super::collector::Collector;
use super::conduct::Watched;
use super::contest::Contest;
use super::dealer::{Dealer, Dealt, NoOpening, Pair};
use super::pool::{self, StopOnPanic, play_pairs};
use super::recount::PlayedPair;
use super::searches::Searches;
use super::watch::{FaultsDecide, OnFaults, Watch};
use crate::game::play::Terms;
use crate::game::record::PairRecord;
use crate::players::Setup;
use crate::store::{NewSession, RunLock, Store, StoreError, Writer};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often those who wait for pairs look whether the run has been interrupted.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Hears of every counted pair, in order.
pub trait Listener<C> {
    /// The pair has been counted by the contest. `is_new` tells pairs played now from those that an earlier
    /// session stored.
    ///
    /// # Errors
    /// Ends the run: what was counted stays stored.
    fn counted(&mut self, pair: &PlayedPair, contest: &C, is_new: bool) -> Result<(), ListenerError>;
}

/// A listener that could not do its work, such as writing a file.
#[derive(Debug)]
pub struct ListenerError(pub String);

/// How games are played; apart from the terms, none of it changes what is found.
#[derive(Clone)]
pub struct Execution {
    /// What ends a game besides the rules of chess.
    pub terms: Terms,
    /// How the players are run.
    pub setup: Setup,
    /// Games in parallel.
    pub threads: usize,
    /// What happens when faults decide the games.
    pub on_faults: OnFaults,
}

/// How a session went.
#[derive(Clone, Debug)]
pub struct Ended {
    /// It ended before the contest was over: it was asked to, or faults decided the games.
    pub interrupted: bool,
    /// The faults that ended it.
    pub stopped: Option<FaultsDecide>,
    /// Wall time of playing in this session.
    pub wall: Duration,
    /// Time that players took for answers in this session, all threads together.
    pub search: Duration,
}

impl Ended {
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
    /// The book is not the one of the run.
    Book(NoOpening),
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
            RunError::Book(error) => error.fmt(f),
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

/// Hears what is to be told of the players.
type Note = Arc<dyn Fn(&str) + Send + Sync>;

/// A contest that several threads play and one counts.
struct Table<'a, C> {
    state: Mutex<State<'a, C>>,
    dealer: &'a Dealer,
    note: Note,
    /// Something was counted, so that what was undecided may be decided.
    counted: Condvar,
}

struct State<'a, C> {
    contest: &'a mut C,
    collector: Collector,
    watch: Watch,
    /// Set once faults decide the games.
    alarm: Option<FaultsDecide>,
    /// The number of the next pair to hand out.
    next: u64,
    /// Pairs that an earlier session stored.
    stored: BTreeSet<u64>,
    /// The opening that the book lacks.
    lacks: Option<NoOpening>,
}

impl<C: Contest> State<'_, C> {
    /// Whether no further pair is wanted.
    fn is_enough(&self) -> bool {
        self.contest.is_over() || self.alarm.is_some()
    }

    /// Sets the alarm if faults decide the games, which does not matter any more once the contest is over.
    fn look_for_faults(&mut self, players: &[Watched]) {
        if !self.contest.is_over() {
            self.alarm = self.watch.alarm(players);
        }
    }
}

impl<'a, C: Contest> Table<'a, C> {
    fn new(
        (contest, dealer): (&'a mut C, &'a Dealer),
        stored: BTreeSet<u64>,
        (on_faults, note): (OnFaults, Note),
    ) -> Table<'a, C> {
        let state = State {
            contest,
            collector: Collector::default(),
            watch: Watch::new(on_faults),
            alarm: None,
            next: 0,
            stored,
            lacks: None,
        };
        Table { state: Mutex::new(state), dealer, note, counted: Condvar::new() }
    }

    /// A thread that panics in here ends the run, and what it was at is not looked at again.
    fn lock(&self) -> MutexGuard<'_, State<'a, C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a finished pair and counts what is complete. True once no further pair is wanted.
    fn take(&self, pair: PairRecord, is_new: bool, listener: &mut dyn Listener<C>) -> Result<bool, RunError> {
        let state = &mut *self.lock();
        state.collector.add(pair);
        while !state.is_enough()
            && let Some(record) = state.collector.take_next()
        {
            let Some(pair) = PlayedPair::of(record, state.contest) else { break };
            state.contest.count(&pair.record);
            listener.counted(&pair, state.contest, is_new).map_err(RunError::Listener)?;
            let players = state.contest.watched();
            state.watch.news(&players).iter().for_each(|news| (self.note)(news));
            if is_new {
                state.watch.count_pair();
            }
            state.look_for_faults(&players);
        }
        self.counted.notify_all();
        Ok(state.is_enough())
    }

    /// Begins to watch over the faults of a session. True if those of the sessions before are enough to end it.
    fn begin_watch(&self, on_faults: OnFaults) -> bool {
        let state = &mut *self.lock();
        let players = state.contest.watched();
        state.watch.begin(on_faults, &players);
        state.look_for_faults(&players);
        state.is_enough()
    }

    /// The next pair that is to be played; waits while it is undecided, and has none once `is_stopped`.
    fn next(&self, is_stopped: impl Fn() -> bool) -> Option<Pair> {
        let mut state = self.lock();
        loop {
            if is_stopped() || state.is_enough() || state.lacks.is_some() {
                return None;
            }
            while state.stored.contains(&state.next) {
                state.next += 1;
            }
            match self.dealer.deal(state.contest, state.next) {
                Ok(Dealt::Pair(pair)) => {
                    state.next += 1;
                    return Some(pair);
                }
                Ok(Dealt::Nothing) => return None,
                Err(lack) => {
                    state.lacks = Some(lack);
                    return None;
                }
                Ok(Dealt::Undecided) => {
                    let waited = self.counted.wait_timeout(state, LOOK_EVERY);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }
}

/// Counts what is stored of the locked run, then plays on until the contest is over or is asked to end. Gives the
/// lock back, under which the verdict can be stored. `before_playing` is called unless what is stored is enough.
///
/// # Errors
/// If the store or the listener fails; nothing that was counted is lost.
pub fn drive<C: Contest>(
    (contest, dealer): (&mut C, &Dealer),
    (store, lock): (&Store, RunLock),
    execution: &Execution,
    interrupt: &Interrupt,
    listener: &mut dyn Listener<C>,
    before_playing: impl FnOnce() -> Result<(), StoreError>,
) -> Result<(Ended, RunLock), RunError> {
    let stored = store.pair_indices(lock.run())?.into_iter().collect();
    // What has ended is counted as it did, whatever its faults.
    let on_faults = match store.run(lock.run())?.finished {
        Some(_) => OnFaults::PlayOn,
        None => execution.on_faults,
    };
    let table = Table::new((contest, dealer), stored, (on_faults, Arc::clone(&execution.setup.note)));
    let mut is_over = table.lock().contest.is_over();
    for pair in store.pairs(lock.run(), 0) {
        if is_over {
            break;
        }
        is_over = table.take(pair?, false, listener)?;
    }
    let is_over = is_over || table.begin_watch(execution.on_faults);
    let (Spent { wall, search }, lock) = match is_over {
        true => (Spent::default(), lock),
        false => {
            before_playing()?;
            play(&table, lock, execution, interrupt, listener)?
        }
    };
    let state = table.lock();
    if let Some(lack) = state.lacks {
        return Err(RunError::Book(lack));
    }
    let (is_over, stopped) = (state.contest.is_over(), state.alarm.clone());
    if !is_over && stopped.is_none() && !interrupt.is_asked() {
        return Err(RunError::Unexplained);
    }
    Ok((Ended { interrupted: !is_over, stopped, wall, search }, lock))
}

/// Plays the pairs that are not stored yet, and counts them as they come.
fn play<C: Contest>(
    table: &Table<C>,
    lock: RunLock,
    execution: &Execution,
    interrupt: &Interrupt,
    listener: &mut dyn Listener<C>,
) -> Result<(Spent, RunLock), RunError> {
    let Execution { terms, setup, threads, .. } = execution;
    let began = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(*threads)
        .thread_name(|index| format!("player {index}"))
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let session = NewSession {
        program: concat!("harness ", env!("CARGO_PKG_VERSION")),
        threads: u32::try_from(*threads).unwrap_or(u32::MAX),
    };
    let (sender, receiver) = mpsc::channel();
    // When the counting side has gone, it has seen enough.
    let writer = Writer::spawn(lock, &session, move |pair| _ = sender.send(pair))?;

    let searches = Searches::new(*threads);
    let next = || table.next(|| interrupt.is_asked() || searches.is_stopped());
    std::thread::scope(|scope| {
        let play = || {
            let deliver = |pair| writer.send(pair).is_ok();
            let ended = play_pairs(&pool, terms, setup, next, &searches, deliver);
            writer.finish().map(|lock| (ended, lock))
        };
        let players = std::thread::Builder::new()
            .spawn_scoped(scope, play)
            .map_err(|error| RunError::Threads(error.to_string()))?;
        let _guard = StopOnPanic(&searches);
        let mut counted = Ok(());
        loop {
            let taken = match receiver.recv_timeout(LOOK_EVERY) {
                Ok(pair) => table.take(pair, true, listener),
                Err(RecvTimeoutError::Timeout) => Ok(false),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if interrupt.is_asked() {
                searches.end_overdue().iter().for_each(|ended| (table.note)(ended));
            }
            match taken {
                Ok(false) => continue,
                Ok(true) => {}
                Err(error) => counted = Err(error),
            }
            searches.stop();
            break;
        }
        let (pool::Ended { search, cause }, lock) = players.join().map_err(|_| RunError::Panic)??;
        counted?;
        match cause {
            // What was decided before needs no further game.
            Some(cause) if !table.lock().is_enough() => Err(RunError::Player(cause)),
            _ => Ok((Spent { wall: began.elapsed(), search }, lock)),
        }
    })
}
