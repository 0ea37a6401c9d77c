//! The files that a run writes beside the store: its games and its events.

use super::job::date;
use super::options::RunOptions;
use super::{Failure, print_out};
use crate::game::limit::Limit;
use crate::game::record::PairRecord;
use crate::report::events::EventFile;
use crate::report::pgn_file::{GameFile, PgnFile, Seat};
use crate::report::run_file::{STANDARD_OUTPUT, is_standard_output};
use crate::report::tell;
use crate::run::drive::ListenerError;
use crate::store::RunInfo;
use crate::whole_file;
use serde::Serialize;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Refuses what is no regular file for an option that puts a whole file in its place, which a pipe or a device does not
/// survive. Called before anything is played for it.
///
/// # Errors
/// It is standard output, or there is something else than a file.
pub fn check_whole_file(path: &Path, option: &str) -> Result<(), Failure> {
    if path == Path::new(STANDARD_OUTPUT) {
        return Err(Failure::usage(format!(
            "{option} writes a whole file and nothing to standard output: name a file (./- is one of this name)"
        )));
    }
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => Err(Failure::usage(format!(
            "{} is no regular file, and {option} puts a whole file in its place: name another",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Refuses a new file of this option that is there, or cannot be made. Called before anything is done for it.
///
/// # Errors
/// See above.
pub fn check_new(path: &Path, option: &str) -> Result<(), Failure> {
    check_whole_file(path, option)?;
    match path.exists() {
        true => Err(Failure::usage(format!(
            "{} exists already and is not overwritten: give another {option} file",
            path.display()
        ))),
        false => check_folder(path, option),
    }
}

/// Refuses a file of this option that cannot be made.
///
/// # Errors
/// See above.
pub fn check_folder(path: &Path, option: &str) -> Result<(), Failure> {
    whole_file::try_folder(path).map_err(|error| no_file(path, option, &error))
}

/// Why a file of this option is refused.
pub fn no_file(path: &Path, option: &str, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{} cannot be written: {error}; give another {option} file", path.display()))
}

impl RunOptions {
    /// Refuses two files in one.
    ///
    /// # Errors
    /// Two of the options name standard output, or one path that is no device.
    pub fn check_files(&self) -> Result<(), Failure> {
        let files = self.named_files();
        for (nth, (option, path)) in files.iter().enumerate() {
            let is_same = |(_, other): &&(_, &Path)| {
                is_standard_output(path) && is_standard_output(other) || path == other && !is_device(path)
            };
            if let Some((other, _)) = files[..nth].iter().find(is_same) {
                return Err(Failure::usage(format!(
                    "{other} and {option} would be mixed in {}: give one of them another file",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// Prints the report as JSON or in words, as it was asked for, on standard output unless something else is written there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, report: &impl Serialize, words: impl FnOnce() -> String) -> Result<(), Failure> {
        let report = match self.json {
            Some(()) => serde_json::to_string(report).map_err(Failure::run)?,
            None => words(),
        };
        match self.named_files().iter().any(|(_, path)| is_standard_output(path)) {
            true => tell(report),
            false => print_out(report)?,
        }
        Ok(())
    }

    /// The files that are wanted, with their options.
    fn named_files(&self) -> Vec<(&'static str, &Path)> {
        let files = [("--pgn", &self.pgn), ("--events", &self.events), ("--log", &self.log)];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect()
    }

    /// Opens the files of games and events for a run that begins or is `resumed`.
    ///
    /// # Errors
    /// One cannot be used.
    pub fn open_files(&self, resumed: bool) -> Result<OpenFiles, Failure> {
        let events = self.events.as_deref().map(|path| EventFile::open(path, resumed));
        let pgn = self.pgn.as_deref().map(|path| GameFile::open(path, resumed)).transpose();
        Ok(OpenFiles {
            pgn: pgn.map_err(Failure::usage)?,
            events: events.transpose().map_err(Failure::usage)?,
        })
    }
}

/// Whether it keeps nothing, so that any number may write to it.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.file_type().is_char_device())
}

/// Files that are open, and nobody else's; none unless they were asked for.
#[derive(Default)]
pub struct OpenFiles {
    pgn: Option<GameFile>,
    events: Option<EventFile>,
}

impl OpenFiles {
    /// Begins or goes on with the files of this run.
    ///
    /// # Errors
    /// The events are those of another run, or cannot be written.
    pub fn of_run(self, info: &RunInfo, question: &str, limit: Limit) -> Result<RunFiles, Failure> {
        let OpenFiles { pgn, mut events } = self;
        if let Some(events) = &mut events {
            events.begin(info).map_err(Failure::run)?;
        }
        let pgn = pgn.map(|file| PgnFile::new(file, &info.id, &date(info), question, limit));
        Ok(RunFiles { pgn, events })
    }
}

/// The files of a run.
pub struct RunFiles {
    pgn: Option<PgnFile>,
    events: Option<EventFile>,
}

impl RunFiles {
    /// Adds a counted pair between these players, the base first.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn add(&mut self, pair: &PairRecord, players: [Seat; 2]) -> Result<(), ListenerError> {
        if let Some(file) = &mut self.pgn {
            file.add(pair, players).map_err(ListenerError)?;
        }
        if let Some(file) = &mut self.events {
            file.add(pair, players).map_err(ListenerError)?;
        }
        Ok(())
    }

    /// Adds how the run ended by itself.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn end(&mut self, verdict: &str, games: u64) -> Result<(), Failure> {
        self.events.as_mut().map_or(Ok(()), |file| file.end(verdict, games)).map_err(Failure::run)
    }
}
