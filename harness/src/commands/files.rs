//! The files that a run writes beside the store: its games and its events.

use super::Failure;
use super::job::date;
use crate::game::limit::Limit;
use crate::game::record::PairRecord;
use crate::report::events::EventFile;
use crate::report::pgn_file::{GameFile, PgnFile, Seat};
use crate::report::run_file::STANDARD_OUTPUT;
use crate::run::drive::ListenerError;
use crate::store::RunInfo;
use clap::Args;
use std::path::{Path, PathBuf};

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

/// Which files are wanted.
#[derive(Args, Clone, Debug, Default)]
pub struct FileOptions {
    /// Write every counted game to this file; - is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write what happens to this file as lines of JSON: the run, every counted pair, the end; - is standard output
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
}

impl FileOptions {
    /// Opens them for a run that begins or is `resumed`.
    ///
    /// # Errors
    /// One cannot be used.
    pub fn open(&self, resumed: bool) -> Result<OpenFiles, Failure> {
        let events = self.events.as_deref().map(|path| EventFile::open(path, resumed));
        Ok(OpenFiles {
            pgn: self
                .pgn
                .as_deref()
                .map(|path| GameFile::open(path, resumed))
                .transpose()
                .map_err(Failure::usage)?,
            events: events.transpose().map_err(Failure::usage)?,
        })
    }
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
