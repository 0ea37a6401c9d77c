//! Store: where the evidence is. Every run, its sessions and every game, in one SQLite file `harness.db` of the results
//! folder, which several processes may use at once.
//!
//! What is counted is on disk first: the [`Writer`] hands a pair on only after its transaction was synced.
//! Nothing here knows how pairs are played or what they prove; counts and verdicts are recomputed from the
//! games, which are kept unrounded, as integers and text.

mod error;
mod lock;
mod pairs;
mod reading;
mod runs;
mod schema;
mod writer;

pub use error::StoreError;
pub use lock::RunLock;
pub use runs::{NewRun, RunInfo, RunState, Session};
pub use writer::{NewSession, Writer};

use rusqlite::{Connection, MAIN_DB, OpenFlags, Row};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The name of the database in the results folder.
pub const FILE_NAME: &str = "harness.db";

/// One connection to the store of a results folder.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    dir: PathBuf,
    /// Device and inode of the database.
    identity: (u64, u64),
}

impl Store {
    /// Opens the store of a results folder to write in it, creating folder and database where missing.
    ///
    /// # Errors
    /// [`StoreError::NotWritable`], [`StoreError::DiskFull`], [`StoreError::NewerSchema`], and
    /// [`StoreError::Corrupt`] for a file that is not a store; such a file is left as it is.
    pub fn open(dir: &Path) -> Result<Store, StoreError> {
        let file = dir.join(FILE_NAME);
        std::fs::create_dir_all(dir).map_err(|error| match StoreError::io(dir, &error) {
            // Nothing has begun yet that could be resumed.
            StoreError::Other { file: path, reason } => StoreError::NotWritable { path, reason },
            known => known,
        })?;
        refuse_orphaned_log(&file)?;
        let store = Store::connect(dir, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        match store.connection.is_readonly(MAIN_DB) {
            Ok(false) => Ok(store),
            Ok(true) => Err(StoreError::NotWritable { path: file, reason: "it is read-only".to_owned() }),
            Err(error) => Err(store.error(error)),
        }
    }

    /// Opens a store that is there already, to continue a run; where it cannot be written, only that is refused. To look
    /// into it, [`Store::read`] is enough.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] where there is none; otherwise as [`Store::open`].
    pub fn open_existing(dir: &Path) -> Result<Store, StoreError> {
        let file = dir.join(FILE_NAME);
        refuse_orphaned_log(&file)?;
        let to_write = match length(&file) {
            0 => None,
            _ => Store::connect(dir, OpenFlags::SQLITE_OPEN_READ_WRITE).ok(),
        };
        to_write.map_or_else(|| reading::open(dir).map(|(store, _)| store), Ok)
    }

    fn connect(dir: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let file = dir.join(FILE_NAME);
        let failed = |error| StoreError::sql(&file, error);
        let connection = Connection::open_with_flags(&file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = connection.map_err(failed)?;
        connection.busy_timeout(schema::BUSY_TIMEOUT).map_err(failed)?;
        schema::prepare(&connection, &file)?;
        Store::of(connection, dir)
    }

    /// A connection to the database of this folder, which has been looked at.
    fn of(connection: Connection, dir: &Path) -> Result<Store, StoreError> {
        let file = dir.join(FILE_NAME);
        let metadata = std::fs::metadata(&file).map_err(|error| StoreError::io(&file, &error))?;
        Ok(Store { connection, dir: dir.to_owned(), identity: identity(&metadata) })
    }

    /// The results folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A database that was deleted or replaced takes everything that is written to it and keeps nothing.
    fn check_that_it_is_still_there(&self) -> Result<(), StoreError> {
        match std::fs::metadata(self.file()) {
            Ok(now) if identity(&now) == self.identity => Ok(()),
            _ => Err(StoreError::Vanished { file: self.file() }),
        }
    }

    fn file(&self) -> PathBuf {
        self.dir.join(FILE_NAME)
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.file(), error)
    }

    fn query_all<T>(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let query = || -> rusqlite::Result<_> {
            self.connection.prepare_cached(sql)?.query_map(parameters, read)?.collect()
        };
        query().map_err(|error| self.error(error))
    }
}

/// SQLite deletes a log whose database is missing or empty; but that log holds games.
fn refuse_orphaned_log(file: &Path) -> Result<(), StoreError> {
    if length(file) == 0 && length(&log_of(file)) > 0 {
        let reason = format!("it is missing or empty, but {} still holds games", log_of(file).display());
        return Err(StoreError::Corrupt { file: file.to_owned(), reason });
    }
    Ok(())
}

fn log_of(file: &Path) -> PathBuf {
    file.with_file_name(format!("{FILE_NAME}-wal"))
}

/// Device and inode: the same for two names or handles only if they are of the same file.
fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// The length of a file in bytes, 0 if there is none.
fn length(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |metadata| metadata.len())
}
