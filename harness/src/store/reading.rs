//! Opening a store to read it: no right to write is needed, nothing is written into the database, and no file is left
//! beside it.
//!
//! SQLite reads a database in WAL mode only with an index file (`-shm`) beside it. Whoever may write has it made and
//! removed again. Whoever may not uses the one that a player of a run has made, or reads the file as one that nobody
//! changes (`immutable`). That holds as long as nobody plays: the file is looked at before and after, and what was read
//! from a file that changed meanwhile is not to be relied on.

use super::{FILE_NAME, Store, StoreError, identity, length, lock, log_of, refuse_orphaned_log, schema};
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

impl Store {
    /// Reads a store that is there, whoever may write it; a schema of before is read as it is.
    ///
    /// # Errors
    /// What `read` returns; [`StoreError::NoStore`], [`StoreError::Empty`], [`StoreError::NotReadable`],
    /// [`StoreError::NewerSchema`] or [`StoreError::Corrupt`] where it cannot be opened; [`StoreError::Changed`] if somebody
    /// wrote meanwhile and could not be waited for.
    pub fn read<T, E: From<StoreError>>(
        dir: &Path,
        read: impl FnOnce(&Store) -> Result<T, E>,
    ) -> Result<T, E> {
        let (store, guard) = open(dir)?;
        let outcome = read(&store);
        match guard.is_some() && guard != Still::of(dir) {
            true => Err(StoreError::Changed { file: store.file() }.into()),
            false => outcome,
        }
    }
}

/// The store, and what must still be so at the end for what was read to hold; none if SQLite itself sees to that.
pub(super) fn open(dir: &Path) -> Result<(Store, Option<Still>), StoreError> {
    let file = dir.join(FILE_NAME);
    refuse_orphaned_log(&file)?;
    let not_readable = |reason: String| StoreError::NotReadable { file: file.clone(), reason };
    match File::open(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(StoreError::NoStore { dir: dir.to_owned() });
        }
        Err(error) => return Err(not_readable(error.to_string())),
        Ok(_) if length(&file) == 0 => return Err(StoreError::Empty { file, length: 0 }),
        Ok(_) => {}
    }
    if OpenOptions::new().write(true).open(&file).is_ok()
        && let Ok(store) = connect(dir, OpenFlags::SQLITE_OPEN_READ_WRITE)
    {
        return Ok((store, None));
    }
    let index = file.with_file_name(format!("{FILE_NAME}-shm"));
    let still = Still::of(dir);
    if still.is_none() || index.exists() {
        match connect(dir, OpenFlags::SQLITE_OPEN_READ_ONLY) {
            Err(error) if still.is_none() && length(&log_of(&file)) > 0 && !is_about_content(&error) => {
                return Err(not_readable(format!(
                    "{} holds games that only somebody who may write can add to it: let its owner list the runs",
                    log_of(&file).display()
                )));
            }
            Err(error) if still.is_none() || is_about_content(&error) => return Err(error),
            // An index that a killed process has left.
            Err(_) => {}
            Ok(store) => return Ok((store, None)),
        }
    }
    connect(dir, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI).map(|store| (store, still))
}

/// Opens the file with these flags; with those of an address as one that nobody changes.
fn connect(dir: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
    let file = dir.join(FILE_NAME);
    let failed = |error| match StoreError::sql(&file, error) {
        // Nothing was to be written.
        StoreError::NotWritable { path: file, reason } => StoreError::NotReadable { file, reason },
        error => error,
    };
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match flags.contains(OpenFlags::SQLITE_OPEN_URI) {
        true => Connection::open_with_flags(immutable_address(&file)?, flags),
        false => Connection::open_with_flags(&file, flags),
    };
    let connection = connection.map_err(failed)?;
    connection.busy_timeout(schema::BUSY_TIMEOUT).map_err(failed)?;
    connection.pragma_update(None, "query_only", true).map_err(failed)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(())).map_err(failed)?;
    schema::check(&connection, &file)?;
    Store::of(connection, dir)
}

fn immutable_address(file: &Path) -> Result<String, StoreError> {
    let name = file.to_str().ok_or_else(|| StoreError::NotReadable {
        file: file.to_owned(),
        reason: "its name is no UTF-8, and the folder cannot be written".to_owned(),
    })?;
    let escaped = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(format!("file:{escaped}?immutable=1"))
}

/// Whether it is the content that is wrong, which no other way to open the file would mend.
fn is_about_content(error: &StoreError) -> bool {
    matches!(error, StoreError::Corrupt { .. } | StoreError::NewerSchema { .. } | StoreError::Empty { .. })
}

/// A database that nobody writes: none of its runs is played, and no log waits to be added to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Still {
    file: (u64, u64),
    length: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

impl Still {
    /// The state of the file; none while somebody may be writing it.
    fn of(dir: &Path) -> Option<Still> {
        let file = dir.join(FILE_NAME);
        if length(&log_of(&file)) > 0 || lock::is_any_held(dir) {
            return None;
        }
        let metadata = std::fs::metadata(&file).ok()?;
        Some(Still {
            file: identity(&metadata),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        })
    }
}
