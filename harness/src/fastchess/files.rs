//! Files of games and of final positions, which grow by a pair when it is counted.

use super::pgn::{Frame, written};
use super::tournament::{EpdOut, PgnOut, Tournament};
use crate::game::limit::Limit;
use crate::game::record::{PairRecord, Side};
use flate2::Crc;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The open files of a tournament.
pub struct Files {
    pgn: Option<(Appended, PgnOut)>,
    epd: Option<Appended>,
    names: Vec<String>,
    limits: Vec<Limit>,
    date: String,
}

/// A file that is written at its end.
struct Appended {
    path: PathBuf,
    file: File,
    /// Of all that is in it.
    crc: Crc,
}

impl Appended {
    fn open(path: &Path, append: bool, with_crc: bool) -> Result<Appended, String> {
        let failed = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        let mut crc = Crc::new();
        if append && with_crc && path.is_file() {
            crc.update(&std::fs::read(path).map_err(failed)?);
        }
        let mut options = OpenOptions::new();
        options.create(true);
        match append {
            true => options.append(true),
            false => options.write(true).truncate(true),
        };
        Ok(Appended { path: path.to_owned(), file: options.open(path).map_err(failed)?, crc })
    }

    fn write(&mut self, text: &str) -> Result<(), String> {
        self.crc.update(text.as_bytes());
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| format!("{} cannot be written: {error}", self.path.display()))
    }
}

impl Files {
    /// Opens the files that are asked for; the games were played on this day (`2026.01.31`).
    ///
    /// # Errors
    /// A sentence: one cannot be written.
    pub fn open(tournament: &Tournament, date: &str) -> Result<Files, String> {
        let pgn =
            tournament.pgn.clone().map(|pgn| Ok((Appended::open(&pgn.file, pgn.append, pgn.crc32)?, pgn)));
        let epd = tournament.epd.as_ref().map(|EpdOut { file, append }| Appended::open(file, *append, false));
        Ok(Files {
            pgn: pgn.transpose().map_err(|error: String| format!("-pgnout: {error}"))?,
            epd: epd.transpose().map_err(|error| format!("-epdout: {error}"))?,
            names: tournament.engines.iter().map(|engine| engine.name.clone()).collect(),
            limits: tournament.engines.iter().map(|engine| engine.limit).collect(),
            date: date.to_owned(),
        })
    }

    /// Adds the games of a pair between these engines, by their places, the base first. What is printed of them is the checksum.
    ///
    /// # Errors
    /// A sentence: a file cannot be written.
    pub fn add(&mut self, pair: &PairRecord, [base, candidate]: [usize; 2]) -> Result<String, String> {
        let mut told = String::new();
        if self.pgn.is_none() && self.epd.is_none() {
            return Ok(told);
        }
        for game in &pair.games {
            let colours = if game.white == Side::Candidate { [candidate, base] } else { [base, candidate] };
            let pgn = self.pgn.as_ref().map(|(_, pgn)| pgn);
            let frame = Frame {
                event: [pgn.map_or("", |pgn| &pgn.event), pgn.map_or("", |pgn| &pgn.site), &self.date],
                round: pair.index + 1,
                names: colours.map(|place| self.names[place].as_str()),
                limits: colours.map(|place| self.limits[place]),
                detail: pgn.map_or_else(Default::default, |pgn| pgn.detail),
            };
            let (text, epd) = written(game, &frame)?;
            if let Some((file, pgn)) = &mut self.pgn {
                file.write(&text)?;
                if pgn.crc32 {
                    told += &format!("File {} has CRC32: {:#x}\n", pgn.file.display(), file.crc.sum());
                }
            }
            if let Some(file) = &mut self.epd {
                file.write(&epd)?;
            }
        }
        Ok(told)
    }
}
