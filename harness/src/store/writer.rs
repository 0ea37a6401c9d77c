//! Writer of the store: finished pairs get to the disk without the players waiting for it.
//!
//! One thread takes all pairs that wait, writes them in one transaction (group commit: a sync of the disk costs
//! the same for one pair or many), and only then hands each on to be counted. Its first error stops it for
//! good and is what every later [`Writer::send`] returns; the pairs of the failed transaction were not handed
//! on and will be played again.

use super::pairs::{self, Insertion};
use super::schema::NOW;
use super::{RunLock, Store, StoreError};
use crate::game::record::PairRecord;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Instant;

/// Pairs that may wait, and the most that one transaction takes. More would only cost memory: the disk is
/// synced some hundred times a second at least.
const CAPACITY: usize = 256;

/// Who plays from now on.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// The program and its version.
    pub program: &'a str,
    /// Games in parallel.
    pub threads: u32,
}

/// Writes the pairs of one run, from any number of threads, until finished or dropped.
///
/// It holds the lock of the run all that time.
#[derive(Debug)]
pub struct Writer {
    thread: WriterThread,
    lock: RunLock,
}

impl Writer {
    /// Begins a session of the locked run. `on_stored` is called on the writer's thread with each pair that
    /// is safely on disk, in the order of sending.
    ///
    /// # Errors
    /// If the store cannot be opened or the session cannot be written.
    pub fn spawn(
        lock: RunLock,
        session: &NewSession,
        on_stored: impl FnMut(PairRecord) + Send + 'static,
    ) -> Result<Writer, StoreError> {
        let store = Store::open(lock.dir())?;
        let session =
            begin_session(&store.connection, lock.run(), session).map_err(|error| store.error(error))?;
        let (sender, receiver) = mpsc::sync_channel(CAPACITY);
        let failure = Arc::new(OnceLock::new());
        let job = Job {
            run: lock.run().to_owned(),
            store,
            session,
            began: Instant::now(),
            search_micros: 0,
            failure: failure.clone(),
        };
        let handle = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || job.work(&receiver, on_stored))
            .map_err(|error| StoreError::io(lock.dir(), &error))?;
        Ok(Writer { thread: WriterThread { sender: Some(sender), handle: Some(handle), failure }, lock })
    }

    /// Hands over a finished pair; waits while too many others wait.
    ///
    /// # Errors
    /// The error that stopped the writer, if one has.
    pub fn send(&self, pair: PairRecord) -> Result<(), StoreError> {
        let sent = self.thread.sender.as_ref().is_some_and(|sender| sender.send(pair).is_ok());
        if sent { Ok(()) } else { Err(self.failure()) }
    }

    /// Stores what still waits and ends the session; gives the lock back, under which the verdict can be stored.
    ///
    /// # Errors
    /// The error that stopped the writer, if one has.
    ///
    /// # Panics
    /// If `on_stored` did, with its panic.
    pub fn finish(mut self) -> Result<RunLock, StoreError> {
        if let Some(Err(panic)) = self.thread.end() {
            std::panic::resume_unwind(panic);
        }
        match self.thread.failure.get() {
            Some(error) => Err(error.clone()),
            None => Ok(self.lock),
        }
    }

    fn failure(&self) -> StoreError {
        let stopped = || StoreError::Other {
            file: self.lock.dir().join(super::FILE_NAME),
            reason: "whoever was to count the stored pairs has panicked".to_owned(),
        };
        self.thread.failure.get().cloned().unwrap_or_else(stopped)
    }
}

/// Declared before the lock in [`Writer`], so that a dropped writer ends its thread and then unlocks the run.
#[derive(Debug)]
struct WriterThread {
    sender: Option<SyncSender<PairRecord>>,
    handle: Option<JoinHandle<()>>,
    failure: Arc<OnceLock<StoreError>>,
}

impl WriterThread {
    /// Closes the channel, whereupon the thread writes what waits and ends.
    fn end(&mut self) -> Option<std::thread::Result<()>> {
        self.sender = None;
        self.handle.take().map(JoinHandle::join)
    }
}

impl Drop for WriterThread {
    fn drop(&mut self) {
        self.end();
    }
}

/// What the writer's thread works with.
struct Job {
    store: Store,
    run: String,
    session: i64,
    began: Instant,
    search_micros: u64,
    failure: Arc<OnceLock<StoreError>>,
}

impl Job {
    fn work(mut self, waiting: &Receiver<PairRecord>, mut on_stored: impl FnMut(PairRecord)) {
        while let Ok(first) = waiting.recv() {
            let mut batch = vec![first];
            batch.extend(waiting.try_iter().take(CAPACITY - 1));
            match self.store_pairs(batch) {
                Ok(stored) => stored.into_iter().for_each(&mut on_stored),
                // Told before the channel closes, so that whoever finds it closed finds the reason.
                Err(error) => return self.fail(error),
            }
        }
        // No pairs, but the time until the end.
        if let Err(error) = self.store_pairs(Vec::new()) {
            self.fail(error);
        }
    }

    fn fail(&self, error: StoreError) {
        self.failure.set(error).expect("the thread ends with its first error");
    }

    /// Stores the pairs in one transaction and returns them; those that were stored before stay as they were.
    fn store_pairs(&mut self, batch: Vec<PairRecord>) -> Result<Vec<PairRecord>, StoreError> {
        let failed = |error| self.store.error(error);
        self.store.check_that_it_is_still_there()?;
        let transaction = Transaction::new_unchecked(&self.store.connection, TransactionBehavior::Immediate)
            .map_err(failed)?;
        let (mut is_news, mut micros) = (false, self.search_micros);
        for pair in &batch {
            match pairs::insert(&transaction, &self.run, self.session, pair).map_err(failed)? {
                Insertion::New => {
                    is_news = true;
                    micros = micros.saturating_add(search_micros(pair));
                }
                Insertion::Same => {}
                Insertion::Different => {
                    let (file, run) = (self.store.file(), self.run.clone());
                    return Err(StoreError::PairExists { file, run, pair: pair.index });
                }
            }
        }
        self.update_session(&transaction, micros).map_err(failed)?;
        if is_news {
            take_back_verdict(&transaction, &self.run).map_err(failed)?;
        }
        transaction.commit().map_err(failed)?;
        self.search_micros = micros;
        Ok(batch)
    }

    fn update_session(&self, connection: &Connection, search_micros: u64) -> rusqlite::Result<()> {
        let storable = |micros| i64::try_from(micros).unwrap_or(i64::MAX);
        let wall_micros = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        connection
            .prepare_cached(&format!(
                "UPDATE sessions SET updated = {NOW}, wall_micros = ?, search_micros = ? WHERE id = ?"
            ))?
            .execute((storable(wall_micros), storable(search_micros), self.session))?;
        Ok(())
    }
}

/// The time both players took over both games.
fn search_micros(pair: &PairRecord) -> u64 {
    let moves = pair.games.iter().flat_map(|game| &game.moves);
    moves.fold(0, |sum, played| sum.saturating_add(played.micros))
}

/// A verdict speaks of the pairs that were there when it fell.
fn take_back_verdict(connection: &Connection, run: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE runs SET verdict = NULL, summary = NULL, finished = NULL, counted = NULL
             WHERE id = ? AND finished IS NOT NULL",
        )?
        .execute([run])?;
    Ok(())
}

/// Stores that someone begins to play; returns the number of the session.
pub(super) fn begin_session(
    connection: &Connection,
    run: &str,
    session: &NewSession,
) -> rusqlite::Result<i64> {
    connection.query_row(
        &format!(
            "INSERT INTO sessions (run, program, threads, started, updated, wall_micros, search_micros)
             VALUES (?, ?, ?, {NOW}, {NOW}, 0, 0) RETURNING id"
        ),
        (run, session.program, session.threads),
        |row| row.get(0),
    )
}
