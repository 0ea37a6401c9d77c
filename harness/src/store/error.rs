//! Errors of the store, and what to do about each.

use rusqlite::ErrorCode;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why the store did not do what it was asked; each a sentence that says what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The folder or a file in it cannot be written.
    NotWritable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// No space is left; what was committed is safe.
    DiskFull {
        /// The file that could not grow.
        file: PathBuf,
    },
    /// The file is no store, or a damaged one.
    Corrupt {
        /// The database.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something in it means nothing to this program.
    Unknown {
        /// The database.
        file: PathBuf,
        /// What it is.
        reason: String,
    },
    /// A newer version of the program wrote the store.
    NewerSchema {
        /// The database.
        file: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// The folder has no store.
    NoStore {
        /// The folder.
        dir: PathBuf,
    },
    /// The file is there and has nothing in it.
    Empty {
        /// The database.
        file: PathBuf,
        /// Its length, bytes: a database without tables has some.
        length: u64,
    },
    /// The database cannot be read.
    NotReadable {
        /// The database.
        file: PathBuf,
        /// What is in the way.
        reason: String,
    },
    /// Somebody wrote into the database while it was read in a way that cannot follow it.
    Changed {
        /// The database.
        file: PathBuf,
    },
    /// No run has this name.
    UnknownRun {
        /// The database.
        file: PathBuf,
        /// The name asked for.
        run: String,
        /// The most similar name there is, if one is near.
        nearest: Option<String>,
    },
    /// The names of several runs begin like this.
    AmbiguousRun {
        /// The database.
        file: PathBuf,
        /// The beginning asked for.
        prefix: String,
        /// The runs it may mean, newest first.
        matches: Vec<String>,
    },
    /// A new run cannot have the name of another.
    RunExists {
        /// The database.
        file: PathBuf,
        /// The name.
        run: String,
    },
    /// The name cannot be that of a file.
    BadRunName {
        /// The name.
        run: String,
    },
    /// A pair of this number is stored, and its games went differently.
    PairExists {
        /// The database.
        file: PathBuf,
        /// The run.
        run: String,
        /// The number of the pair.
        pair: u64,
    },
    /// Another process plays the run.
    Locked {
        /// The lock file.
        file: PathBuf,
        /// The run.
        run: String,
        /// The other process, if it wrote its number.
        pid: Option<u32>,
    },
    /// The database was deleted or replaced while it was in use.
    Vanished {
        /// The database.
        file: PathBuf,
    },
    /// Anything else.
    Other {
        /// The file.
        file: PathBuf,
        /// What happened.
        reason: String,
    },
}

impl StoreError {
    /// What an error of SQLite means for the store in `file`.
    pub(super) fn sql(file: &Path, error: rusqlite::Error) -> StoreError {
        let file = file.to_owned();
        if let rusqlite::Error::SqliteFailure(failure, _) = &error {
            let reason = error.to_string();
            return match failure.code {
                ErrorCode::DiskFull => StoreError::DiskFull { file },
                // The index of the log could not grow, for which a full disk is the cause that occurs.
                _ if failure.extended_code == SQLITE_IOERR_SHMSIZE => StoreError::DiskFull { file },
                ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                    StoreError::NotWritable { path: file, reason }
                }
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Corrupt { file, reason },
                _ => StoreError::Other { file, reason },
            };
        }
        match error {
            rusqlite::Error::FromSqlConversionFailure(_, _, cause) => {
                StoreError::Unknown { file, reason: cause.to_string() }
            }
            rusqlite::Error::InvalidColumnType(..) | rusqlite::Error::IntegralValueOutOfRange(..) => {
                StoreError::Corrupt { file, reason: error.to_string() }
            }
            _ => StoreError::Other { file, reason: error.to_string() },
        }
    }

    /// What an error of the file system means for a file of the store.
    pub(super) fn io(path: &Path, error: &io::Error) -> StoreError {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull { file: path },
            io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::AlreadyExists => StoreError::NotWritable { path, reason: error.to_string() },
            _ => StoreError::Other { file: path, reason: error.to_string() },
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NotWritable { path, reason } => write!(
                f,
                "{} cannot be written ({reason}): make it writable, or choose another results folder",
                path.display()
            ),
            StoreError::DiskFull { file } => write!(
                f,
                "no space is left to write {}: every stored pair is safe; free some space, then resume the run",
                file.display()
            ),
            StoreError::Corrupt { file, reason } => write!(
                f,
                "{} cannot be read as a store ({reason}): nothing was changed in it; restore a copy, or move it \
                 away to begin a new one",
                file.display()
            ),
            StoreError::Unknown { file, reason } => write!(
                f,
                "{} has something in it that this program does not know ({reason}): a newer version wrote it, which can \
                 read it, or it is damaged; nothing was changed",
                file.display()
            ),
            StoreError::Vanished { file } => write!(
                f,
                "{} was deleted or replaced while games were played, and what was not in it by then is lost: put it \
                 back and resume, or begin a new run",
                file.display()
            ),
            StoreError::NewerSchema { file, found, known } => write!(
                f,
                "{} was written by a newer version of this program (schema {found}, this one knows {known}): use \
                 that version, or another results folder",
                file.display()
            ),
            StoreError::NoStore { dir } => write!(
                f,
                "there is no store in {} (no {}): name the results folder, or begin a run to create one",
                dir.display(),
                super::FILE_NAME
            ),
            StoreError::Empty { file, length } => write!(
                f,
                "{} is empty ({length} bytes, no tables): no run has been stored in it, or it was cut off; restore a copy, name \
                 another results folder, or begin a run",
                file.display()
            ),
            StoreError::NotReadable { file, reason } => write!(
                f,
                "{} cannot be read ({reason}): make it readable, or copy the results folder to where you may write",
                file.display()
            ),
            StoreError::Changed { file } => write!(
                f,
                "{} was written while it was read, and cannot be followed without the right to write beside it: give the \
                 command again",
                file.display()
            ),
            StoreError::UnknownRun { file, run, nearest: Some(nearest) } => {
                write!(f, "no run in {} is called \"{run}\": did you mean \"{nearest}\"?", file.display())
            }
            StoreError::UnknownRun { file, run, nearest: None } => write!(
                f,
                "no run in {} is called \"{run}\": list what is there with `harness runs`",
                file.display()
            ),
            StoreError::AmbiguousRun { file, prefix, matches } => write!(
                f,
                "\"{prefix}\" begins the names of {} runs in {} ({}): write more of the one you mean",
                matches.len(),
                file.display(),
                shortened(matches)
            ),
            StoreError::RunExists { file, run } => {
                write!(f, "{} already has a run \"{run}\": resume it, or choose another name", file.display())
            }
            StoreError::BadRunName { run } => write!(
                f,
                "\"{run}\" cannot name a run: use up to 100 of the characters a-z, A-Z, 0-9, `-`, `_` and `.`, \
                 the first a letter or digit"
            ),
            StoreError::PairExists { file, run, pair } => write!(
                f,
                "pair {pair} of run {run} is already stored in {} with other games, so the players or settings \
                 are not those that began the run: begin a new one",
                file.display()
            ),
            StoreError::Locked { file, run, pid } => {
                write!(f, "run {run} is being played by another process (")?;
                if let Some(pid) = pid {
                    write!(f, "pid {pid}, ")?;
                }
                write!(f, "lock {}): wait for it, or stop it and then resume the run", file.display())
            }
            StoreError::Other { file, reason } => write!(
                f,
                "{} failed ({reason}): every stored pair is safe; remove the cause, then resume the run",
                file.display()
            ),
        }
    }
}

/// The first few names, and whether there are more.
fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { shown + ", …" } else { shown }
}

impl std::error::Error for StoreError {}
