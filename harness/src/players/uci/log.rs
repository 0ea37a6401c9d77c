//! `--log FILE`: the dialogue between the harness and the engines.

use super::complaints::Complaints;
use super::text::printable_line;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Characters written of one line: a long game and a long variation are there as a whole.
const LONGEST_LOGGED: usize = 8000;

/// The file of the dialogue, shared by all engines of a run.
#[derive(Clone)]
pub struct DialogueLog {
    file: Arc<Mutex<File>>,
    began: Instant,
}

impl DialogueLog {
    /// A new file.
    ///
    /// # Errors
    /// It is there already, or cannot be made.
    pub fn create(path: &Path) -> io::Result<DialogueLog> {
        let file = Arc::new(Mutex::new(File::create_new(path)?));
        Ok(DialogueLog { file, began: Instant::now() })
    }

    /// A line each: seconds since the start, the engine with its process, the direction (`<` to the engine, `>` from
    /// it), the text. A log that cannot be written stops no run.
    pub(super) fn lines(&self, name: &str, process: u32, direction: char, text: &[u8]) {
        let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n');
        self.write(name, process, direction, lines.map(|line| printable_line(line, LONGEST_LOGGED)));
    }

    /// What an engine that broke down wrote to standard error, marked `!`.
    pub(super) fn complaints(&self, name: &str, process: u32, complaints: &Complaints) {
        self.write(name, process, '!', complaints.lines().into_iter());
    }

    fn write(&self, name: &str, process: u32, direction: char, lines: impl Iterator<Item = String>) {
        let seconds = self.began.elapsed().as_secs_f64();
        let entries: String =
            lines.map(|line| format!("{seconds:.6} {name}[{process}] {direction} {line}\n")).collect();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(entries.as_bytes());
    }
}
