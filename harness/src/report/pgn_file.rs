//! `--pgn FILE`: every counted game, in the order of counting.
//!
//! A run that is resumed finds its own file and goes on where it ended; the games that are there already are
//! compared with those of the store, and any difference ends the run before a byte is changed. A stream (a pipe, standard
//! output) gets all games of the run again.

use super::run_file::{self, RunFile};
use crate::game::limit::Limit;
use crate::game::pgn::{Header, write_pgn};
use crate::game::record::PairRecord;
use crate::players::spec::PlayerSpec;
use crate::run::contest::Variation;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A computer; which one does not matter.
const SITE: &str = "?";

/// A player as the files of a run know it.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its own limit, if it has not that of the run.
    pub limit: Option<Limit>,
    /// Its values in this pair of a tuning run.
    pub variation: Option<&'a Variation>,
}

impl<'a> Seat<'a> {
    /// That of a player of this description.
    pub fn of(player: &'a PlayerSpec) -> Seat<'a> {
        Seat { name: player.name(), limit: player.limit, variation: None }
    }

    /// The same with these values.
    pub fn with(self, variation: Option<&'a Variation>) -> Seat<'a> {
        Seat { variation, ..self }
    }
}

/// What stands before the moves of a tuning run: `iteration 3: full+ rfp_margin=320, full- rfp_margin=280`. Empty otherwise.
pub fn remark(players: [Seat; 2]) -> String {
    let [base, candidate] = players;
    let (Some(of_base), Some(of_candidate)) = (base.variation, candidate.variation) else {
        return String::new();
    };
    let Variation { iteration, .. } = of_candidate;
    format!("iteration {iteration}: {} {of_candidate}, {} {of_base}", candidate.name, base.name)
}

/// The file for the games of a run: open, and nobody else's.
pub struct GameFile {
    path: PathBuf,
    state: State,
}

/// A PGN file that grows with a run.
pub struct PgnFile {
    file: GameFile,
    event: String,
    date: String,
    limit: Limit,
}

enum State {
    /// The file was there: what it holds must be the games that come again from the store.
    Comparing {
        file: BufReader<File>,
        good_bytes: u64,
    },
    Writing(File),
}

impl GameFile {
    /// The file of a run that begins (it must not exist, or be empty) or is `resumed`.
    ///
    /// # Errors
    /// A sentence that says why the file cannot be used.
    pub fn open(path: &Path, resumed: bool) -> Result<GameFile, String> {
        let state = match run_file::open(path, "--pgn", resumed)? {
            RunFile::Regular(file) if resumed => {
                State::Comparing { file: BufReader::new(file), good_bytes: 0 }
            }
            RunFile::Regular(file) | RunFile::Stream(file) => State::Writing(file),
        };
        Ok(GameFile { path: path.to_owned(), state })
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

impl PgnFile {
    /// Writes the games of this run, which answers the `question` and began on this day (`2026.01.31`), to the file.
    pub fn new(file: GameFile, run: &str, date: &str, question: &str, limit: Limit) -> PgnFile {
        PgnFile { file, event: format!("{run}: {question}"), date: date.to_owned(), limit }
    }

    /// Adds the games of a pair between these players, the base first.
    ///
    /// # Errors
    /// The file cannot be written, or holds other games than the run.
    pub fn add(&mut self, pair: &PairRecord, players: [Seat; 2]) -> Result<(), String> {
        let [base, candidate] = players.map(|player| player.name);
        let remark = remark(players);
        let limits = players.map(|player| player.limit.unwrap_or(self.limit));
        let mut text = String::new();
        for (game, record) in (1..).zip(&pair.games) {
            let header = Header {
                event: &self.event,
                site: SITE,
                date: &self.date,
                pair: pair.index + 1,
                game,
                base,
                candidate,
                limits,
                remark: &remark,
            };
            text += &write_pgn(record, &header).map_err(|error| error.to_string())?;
        }
        self.file.append(text.as_bytes()).map_err(|error| {
            format!("{} cannot be written: {error}; resume the run when it can", self.file.path.display())
        })?
    }
}
