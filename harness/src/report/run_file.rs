//! A file that grows with a run, and belongs to it alone.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// Opens the file that this option names, for a run that begins (it must not exist, or be empty) or is `resumed`. It is
/// locked as long as it is open.
///
/// # Errors
/// A sentence that says why the file cannot be used.
pub fn open(path: &Path, option: &str, resumed: bool) -> Result<File, String> {
    let unwritable = |error| format!("{} cannot be written: {error}", path.display());
    let refused = |why| format!("{} {why}: give another {option} file", path.display());
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(unwritable)?;
    // Where files cannot be locked, runs that share one are not noticed.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(refused("is being written by another run"));
    }
    if !resumed && file.metadata().map_err(unwritable)?.len() > 0 {
        return Err(refused("exists already and is not overwritten"));
    }
    Ok(file)
}
