//! `--log FILE`: the dialogue between the harness and the engines.

use super::complaints::Complaints;
use super::text::printable_line;
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Characters written of one line: a long game and a long variation are there as a whole.
const LONGEST_LOGGED: usize = 8000;

/// The file of the dialogue, shared by all engines of a run.
#[derive(Clone)]
pub struct DialogueLog {
    /// None once it could not be written.
    file: Arc<Mutex<Option<File>>>,
    began: Instant,
    /// Hears why it could not.
    note: Arc<dyn Fn(&str) + Send + Sync>,
}

impl DialogueLog {
    /// Writes to this file, where it stands; `note` hears of it when that fails, once.
    pub fn new(file: File, note: Arc<dyn Fn(&str) + Send + Sync>) -> DialogueLog {
        DialogueLog { file: Arc::new(Mutex::new(Some(file))), began: Instant::now(), note }
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
        if let Some(Err(error)) = file.as_mut().map(|file| file.write_all(entries.as_bytes())) {
            *file = None;
            (self.note)(&format!("note: the log ends here, as it cannot be written: {error}"));
        }
    }
}
