//! `--pgn FILE`: every counted game, in the order of counting.
//!
//! A run that is resumed finds its own file and goes on where it ended; the games that are there already are
//! compared with those of the store, and any difference ends the run before a byte is changed.

use crate::experiment::Experiment;
use crate::game::limit::Limit;
use crate::game::pgn::{Header, write_pgn};
use crate::game::record::PairRecord;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A computer; which one does not matter.
const SITE: &str = "?";

/// A PGN file that grows with a run.
pub struct PgnFile {
    path: PathBuf,
    event: String,
    date: String,
    names: [String; 2],
    limit: Limit,
    state: State,
}

enum State {
    /// The file was there: what it holds must be the games that come again from the store.
    Comparing {
        file: BufReader<File>,
        good_bytes: u64,
    },
    Writing(File),
}

impl PgnFile {
    /// The file of a run that begins (a file of that name must not exist) or is `resumed`.
    ///
    /// # Errors
    /// A sentence that says why the file cannot be used.
    pub fn open(
        path: &Path,
        run: &str,
        date: &str,
        experiment: &Experiment,
        resumed: bool,
    ) -> Result<PgnFile, String> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        match resumed {
            true => options.create(true).truncate(false),
            false => options.create_new(true),
        };
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{} exists already and is not overwritten: give another --pgn file", path.display())
            }
            _ => format!("{} cannot be written: {error}", path.display()),
        })?;
        let state = match resumed {
            true => State::Comparing { file: BufReader::new(file), good_bytes: 0 },
            false => State::Writing(file),
        };
        let names = [experiment.base.config.name.clone(), experiment.candidate.config.name.clone()];
        let event = format!("{run}: {}", experiment.question());
        Ok(PgnFile {
            path: path.to_owned(),
            event,
            date: date.to_owned(),
            names,
            limit: experiment.limit,
            state,
        })
    }

    /// Adds the games of a pair.
    ///
    /// # Errors
    /// The file cannot be written, or holds other games than the run.
    pub fn add(&mut self, pair: &PairRecord) -> Result<(), String> {
        let mut text = String::new();
        let [base, candidate] = &self.names;
        for (game, record) in (1..).zip(&pair.games) {
            let header = Header {
                event: &self.event,
                site: SITE,
                date: &self.date,
                pair: pair.index + 1,
                game,
                base,
                candidate,
                limit: self.limit,
            };
            text += &write_pgn(record, &header).map_err(|error| error.to_string())?;
        }
        self.append(text.as_bytes()).map_err(|error| {
            format!("{} cannot be written: {error}; resume the run when it can", self.path.display())
        })?
    }

    fn append(&mut self, text: &[u8]) -> io::Result<Result<(), String>> {
        if let State::Comparing { file, good_bytes } = &mut self.state {
            let mut there = Vec::with_capacity(text.len());
            file.take(text.len() as u64).read_to_end(&mut there)?;
            if there == text {
                *good_bytes += text.len() as u64;
                return Ok(Ok(()));
            }
            // A killed run may have left the beginning of its last game, but nothing else.
            if !text.starts_with(&there) {
                return Ok(Err(format!(
                    "{} holds other games than this run: move it away or give another --pgn file",
                    self.path.display()
                )));
            }
            let mut writer = file.get_ref().try_clone()?;
            writer.set_len(*good_bytes)?;
            writer.seek(SeekFrom::Start(*good_bytes))?;
            self.state = State::Writing(writer);
        }
        if let State::Writing(file) = &mut self.state {
            file.write_all(text)?;
        }
        Ok(Ok(()))
    }
}
