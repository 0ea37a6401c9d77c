//! Where is the evidence? Every run, its sessions and every game, in one SQLite file `harness.db` of the
//! results folder, which several processes may use at once.
//!
//! What is counted is on disk first: the [`Writer`] hands a pair on only after its transaction was synced.
//! Nothing here knows how pairs are played or what they prove; counts and verdicts are recomputed from the
//! games, which are kept unrounded, as integers and text.

mod error;
pub mod kind;
mod lock;
mod pairs;
mod runs;
mod schema;
mod writer;

pub use error::StoreError;
pub use lock::RunLock;
pub use runs::{NewRun, RunInfo, RunState, Session};
pub use writer::{NewSession, Writer};

use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, Row};
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

    /// Opens a store that is there already, to look into it or to continue a run; also on read-only media,
    /// where only writing is refused.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] where there is none; otherwise as [`Store::open`].
    pub fn open_existing(dir: &Path) -> Result<Store, StoreError> {
        let file = dir.join(FILE_NAME);
        refuse_orphaned_log(&file)?;
        if length(&file) == 0 {
            return Err(StoreError::NoStore { dir: dir.to_owned() });
        }
        Store::connect(dir, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    fn connect(dir: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let file = dir.join(FILE_NAME);
        let connection = open_at_all(&file, flags).map_err(|error| StoreError::sql(&file, error))?;
        schema::prepare(&connection, &file)?;
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

/// Opens the file as asked, or unchangeably: SQLite reads a database in WAL mode only with an index file
/// beside it, which a read-only medium cannot take. Nobody can change the file there, so it is safe to read
/// it without, provided no log waits to be merged.
fn open_at_all(file: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(schema::BUSY_TIMEOUT)?;
    let first_look = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()));
    match first_look {
        Err(error)
            if error.sqlite_error_code() == Some(ErrorCode::CannotOpen)
                && connection.is_readonly(MAIN_DB)?
                && length(&log_of(file)) == 0
                && let Some(name) = file.to_str() =>
        {
            let escaped = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                | OpenFlags::SQLITE_OPEN_URI
                | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
        }
        Err(error) => Err(error),
        Ok(()) => Ok(connection),
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
