//! Lock of a run: who plays it is whoever holds the lock on the file `<run>.lock` beside the database.
//!
//! The lock is the operating system's and advisory: it is gone the instant its holder is, however that ended,
//! and a file left behind locks nothing.

use super::{StoreError, identity};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Long enough for another process that only looks (see [`is_held`]) to be done.
const PATIENCE: Duration = Duration::from_millis(250);

/// The right to play a run, held by one process at a time until dropped.
#[derive(Debug)]
pub struct RunLock {
    file: File,
    dir: PathBuf,
    run: String,
}

impl RunLock {
    /// Takes the lock of a run, or says who has it.
    pub(super) fn acquire(dir: &Path, run: &str) -> Result<RunLock, StoreError> {
        let path = lock_file(dir, run);
        let failed = |error| StoreError::io(&path, &error);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut options = OpenOptions::new();
            let mut file =
                options.read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
            match file.try_lock() {
                // Its last holder may have removed the file after we opened it: then nobody else would meet our lock.
                Ok(()) if !is_still_at(&file, &path).map_err(failed)? => {}
                Ok(()) => {
                    let mut lock = RunLock { file, dir: dir.to_owned(), run: run.to_owned() };
                    lock.sign().map_err(failed)?;
                    return Ok(lock);
                }
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let pid = file.read_to_string(&mut holder).ok().and_then(|_| holder.trim().parse().ok());
                    return Err(StoreError::Locked { file: path, run: run.to_owned(), pid });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }

    /// Leaves our process number for whoever finds the run locked.
    fn sign(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        writeln!(self.file, "{}", std::process::id())
    }

    /// The run it is for.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The results folder it is in.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Removed while still locked, so that the file of no other holder is meant. An error of either leaves a
        // file that locks nothing once this process has ended.
        let _ = std::fs::remove_file(lock_file(&self.dir, &self.run));
        let _ = self.file.unlock();
    }
}

/// Is someone playing the run?
pub(super) fn is_held(dir: &Path, run: &str) -> bool {
    File::open(lock_file(dir, run))
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Is someone playing any run of this folder, as far as can be seen?
pub(super) fn is_any_held(dir: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(dir) else { return false };
    let mut locks = entries.flatten().map(|entry| entry.path());
    locks.any(|path| {
        path.extension().is_some_and(|extension| extension == "lock")
            // One that cannot be opened may be held by whoever made it.
            && File::open(&path).map_or(true, |file| file.try_lock_shared().is_err())
    })
}

fn lock_file(dir: &Path, run: &str) -> PathBuf {
    dir.join(format!("{run}.lock"))
}

fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(named) => Ok(identity(&named) == identity(&ours)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn no_two_hold_it_at_once_though_the_file_comes_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, taken) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        if let Ok(lock) = RunLock::acquire(folder.path(), "r") {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            taken.fetch_add(1, Ordering::SeqCst);
                            assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                            drop(lock);
                        }
                        is_held(folder.path(), "r");
                    }
                });
            }
        });
        assert!(taken.into_inner() > 100);
        assert!(!is_held(folder.path(), "r"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
