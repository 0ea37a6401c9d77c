//! A file that grows with a run: a regular file belongs to the run alone and is gone on with; anything else (a pipe, a
//! terminal, standard output) is a stream, to which everything is written once more, from the first pair.

use super::tell;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use std::fs::{File, FileType, OpenOptions, TryLockError};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// The name of standard output as a file.
pub const STANDARD_OUTPUT: &str = "-";

/// Long enough for a reader that was started together with this program to open its end of a named pipe.
const PATIENCE: Duration = Duration::from_secs(3);

/// Between two looks whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// An open file of a run.
pub enum RunFile {
    /// A regular file, locked as long as it is open: what it holds is read again when the run goes on.
    Regular(File),
    /// Anything else: it is only appended to, never read, moved in or cut off.
    Stream(File),
}

/// Opens the file that this option names, for a run that begins (a regular file must not exist, or be empty) or is `resumed`.
///
/// # Errors
/// A sentence that says why the file cannot be used.
pub fn open(path: &Path, option: &str, resumed: bool) -> Result<RunFile, String> {
    let unwritable = |error: io::Error| format!("{} cannot be written: {error}", path.display());
    let refused = |why| format!("{} {why}: give another {option} file", path.display());
    if let Some(stream) = standard_stream(path) {
        return stream.map(|stream| RunFile::Stream(stream.into())).map_err(unwritable);
    }
    match std::fs::metadata(path).map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_file() => {}
        Ok(kind) => {
            let unfit =
                |why| format!("{} cannot be written: {why}; give another {option} file", path.display());
            return stream(path, kind).map(RunFile::Stream).map_err(unfit);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unwritable(error)),
    }
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(unwritable)?;
    // Where files cannot be locked, runs that share one are not noticed.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(refused("is being written by another run"));
    }
    if !resumed && file.metadata().map_err(unwritable)?.len() > 0 {
        return Err(refused("exists already and is not overwritten"));
    }
    Ok(RunFile::Regular(file))
}

/// Opens what is no regular file.
///
/// # Errors
/// Why it cannot be written.
fn stream(path: &Path, kind: FileType) -> Result<File, String> {
    if kind.is_dir() {
        return Err("it is a folder".to_owned());
    }
    if kind.is_block_device() {
        return Err("it is a disk, which would be overwritten".to_owned());
    }
    if kind.is_fifo() {
        return pipe_with_reader(path);
    }
    OpenOptions::new().append(true).open(path).map_err(|error| error.to_string())
}

/// A named pipe. While nobody reads it, opening it would hold the run up for ever, deaf to interrupts.
fn pipe_with_reader(path: &Path) -> Result<File, String> {
    let failed = |error: io::Error| error.to_string();
    let began = Instant::now();
    let mut is_told = false;
    loop {
        let mut options = OpenOptions::new();
        match options.append(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path) {
            Ok(file) => {
                // From here on a write waits for a reader that is slow.
                let flags = FcntlArg::F_SETFL(OFlag::O_APPEND);
                return fcntl(&file, flags).map(|_| file).map_err(|error| failed(error.into()));
            }
            Err(error) if error.raw_os_error() != Some(Errno::ENXIO as i32) => return Err(failed(error)),
            Err(_) if began.elapsed() > PATIENCE => {
                return Err("it is a pipe that nobody reads (start its reader first)".to_owned());
            }
            Err(_) if !is_told => {
                tell(format_args!("waiting for a reader of {}", path.display()));
                is_told = true;
            }
            Err(_) => std::thread::sleep(LOOK_EVERY),
        }
    }
}

/// Whether what is written to this path comes out of standard output, where the report then has no place.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new(STANDARD_OUTPUT) || leads_to(&io::stdout(), path)
}

/// Standard output or standard error, if the path leads there: a second handle of the same file would begin at its first
/// byte and overwrite what the other writes.
fn standard_stream(path: &Path) -> Option<io::Result<OwnedFd>> {
    if is_standard_output(path) {
        return Some(io::stdout().as_fd().try_clone_to_owned());
    }
    leads_to(&io::stderr(), path).then(|| io::stderr().as_fd().try_clone_to_owned())
}

/// Whether the path is that of the file or pipe behind an open stream. Devices such as terminals keep nothing that could be
/// overwritten, and each handle of them will do.
fn leads_to(stream: &impl AsFd, path: &Path) -> bool {
    let of_stream = stream.as_fd().try_clone_to_owned().and_then(|stream| File::from(stream).metadata());
    let identity = |metadata: std::fs::Metadata| {
        (!metadata.file_type().is_char_device()).then(|| (metadata.dev(), metadata.ino()))
    };
    let [behind, named] =
        [of_stream, std::fs::metadata(path)].map(|metadata| metadata.ok().and_then(identity));
    behind.is_some() && behind == named
}
