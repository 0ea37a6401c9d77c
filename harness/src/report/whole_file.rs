//! How is a file replaced so that whoever reads it, and whoever kills this program, finds the old text or the new one?

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes the file whole or not at all, and makes its folder.
///
/// # Errors
/// It cannot be written; what was there still is.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // A temporary file is for its owner's eyes; what takes its place is for those whom the umask allows.
    let everybody = Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(everybody).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
