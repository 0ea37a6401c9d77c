//! Atomic replacement of a file: whoever reads it, and whoever kills this program, finds the old text or the new one.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes the file whole or not at all, and makes its folder.
///
/// # Errors
/// It cannot be written, or is there and no regular file; what was there still is.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("it is no regular file"));
    }
    fs::create_dir_all(folder(path))?;
    beside(path, text)?.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a file that does not exist into a folder that does, whole or not at all.
///
/// # Errors
/// It cannot be written, or is there: then it is as it was.
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    beside(path, text)?.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// Tries whether a file can be made in the folder of this one, which is known only once one has been.
///
/// # Errors
/// It cannot: the folder is not there, or may not be written to.
pub fn try_folder(path: &Path) -> io::Result<()> {
    tempfile::tempfile_in(folder(path)).map(drop)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The text in a temporary file that can take the place of the other.
fn beside(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    // A temporary file is for its owner's eyes; what takes its place is for those whom the umask allows.
    let everybody = Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(everybody).tempfile_in(folder(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}
