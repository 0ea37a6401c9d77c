//! Making of a book. Candidates are tried in the order of their numbers, and those that the filter lets pass are written
//! down until there are enough.
//!
//! A book depends on its [`MakeOptions`] and the engine's evaluation and search, and on nothing else:
//! neither on the number of threads nor on the machine. Positions are regenerated from their numbers
//! without any engine ([`candidate`]).

use super::candidate::candidate;
use super::filter::{Filter, Rejection, Requirements};
use crate::game::fen::fen_of;
use crate::whole_file;
use base16ct::lower::encode_string;
use engine::position::Position as EnginePosition;
use engine::search::MATE;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};
use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, Color, EnPassantMode, FromSetup, Position};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};

/// Candidates tried between two words of progress.
const BATCH: u64 = 1024;

/// If so many candidates in a row are all rejected, no more are expected to pass.
const BARREN: u64 = 100_000;

/// More random plies than these make no opening.
const MOST_PLIES: u32 = 100;

/// What book to make. The defaults are those of the shipped book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakeOptions {
    /// Number of positions.
    pub count: usize,
    /// Fixes the candidates.
    pub seed: u64,
    /// Random plies from the starting position, at most 100; about every other candidate has one more.
    pub plies: u32,
    /// Whether it begins from the 960 starting positions of Chess960.
    pub chess960: bool,
    /// What a candidate must be to be taken.
    pub requirements: Requirements,
    /// Threads at work; 0 means as many as there are logical cores. The book does not depend on it.
    pub threads: usize,
}

impl Default for MakeOptions {
    fn default() -> MakeOptions {
        MakeOptions {
            count: 40_000,
            seed: 1,
            plies: 8,
            chess960: false,
            requirements: Requirements {
                least: 0,
                limit: 50,
                margin: 60,
                fewer_nodes: 1_000,
                more_nodes: 10_000,
            },
            threads: 0,
        }
    }
}

/// How far the work has come, and how it went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Candidates tried.
    pub tried: u64,
    /// Positions taken.
    pub taken: usize,
    /// Those of them with White to move.
    pub white_to_move: usize,
    /// How many candidates were not taken, by reason.
    pub rejected: BTreeMap<Rejection, u64>,
}

/// A finished book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal.
    pub digest: String,
    /// How it came about.
    pub tally: Tally,
}

/// Why no book was made. Nothing was written then.
#[derive(Debug)]
pub enum MakeError {
    /// An option makes no sense; the sentence says which and what would.
    BadOption(String),
    /// There is such a file.
    Exists(PathBuf),
    /// The file cannot be written.
    Unwritable(PathBuf, io::Error),
    /// The threads cannot be started.
    NoThreads(rayon::ThreadPoolBuildError),
    /// Hardly any candidate passes.
    Barren(Tally),
    /// The caller called it off.
    Cancelled(Tally),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MakeError::BadOption(sentence) => f.write_str(sentence),
            MakeError::Exists(path) => {
                write!(f, "{} exists and is not overwritten; name another file or remove it", path.display())
            }
            MakeError::Unwritable(path, error) => {
                write!(
                    f,
                    "the book {} cannot be written: {error}; check its folder and the space left",
                    path.display()
                )
            }
            MakeError::NoThreads(error) => {
                write!(f, "the threads cannot be started: {error}; ask for fewer")
            }
            MakeError::Barren(tally) => write!(
                f,
                "the last {BARREN} of {} candidates were all rejected, with {} positions taken; \
                 play more plies, widen the limits or ask for fewer positions",
                tally.tried, tally.taken
            ),
            MakeError::Cancelled(tally) => write!(
                f,
                "interrupted after {} positions, and nothing was written; \
                 start again, the same options give the same book",
                tally.taken
            ),
        }
    }
}

impl std::error::Error for MakeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MakeError::Unwritable(_, error) => Some(error),
            MakeError::NoThreads(error) => Some(error),
            _ => None,
        }
    }
}

/// Makes a book: EPD lines of the position, the filter's score (`ce`, centipawns from the side to move) and
/// the candidate's number (`id`), in the order of the numbers. The file appears when it is complete.
///
/// `progress` hears of every batch of candidates, and once `stop` is set the work ends soon.
///
/// # Errors
///
/// The options make no sense, the file exists or cannot be written, too few candidates pass, or `stop`
/// was set.
pub fn make(
    path: &Path,
    options: &MakeOptions,
    stop: &AtomicBool,
    progress: impl FnMut(&Tally),
) -> Result<Made, MakeError> {
    options.check()?;
    // Asked now, since the work takes minutes, and again when the file is put in place.
    if path.exists() {
        return Err(MakeError::Exists(path.to_owned()));
    }
    whole_file::try_folder(path).map_err(|error| MakeError::Unwritable(path.to_owned(), error))?;
    let pool = ThreadPoolBuilder::new().num_threads(options.threads).build().map_err(MakeError::NoThreads)?;
    let (text, tally) = collect(options, &pool, stop, progress)?;
    write_new(path, &text)?;
    Ok(Made { path: path.to_owned(), digest: encode_string(&Sha256::digest(&text)), tally })
}

impl MakeOptions {
    fn check(&self) -> Result<(), MakeError> {
        let Requirements { least, limit, margin, fewer_nodes, more_nodes } = self.requirements;
        let sentence = if self.count == 0 {
            "a book of 0 positions is none; ask for at least 1".to_owned()
        } else if self.plies > MOST_PLIES {
            format!("{} random plies lead past any opening; ask for at most {MOST_PLIES}", self.plies)
        } else if [least, limit, margin].iter().any(|centipawns| !(0..=MATE).contains(centipawns)) {
            format!("the limit {limit} and the margin {margin} are centipawns; give numbers from 0 to {MATE}")
        } else if least > limit {
            format!("no score is between {least} and {limit} centipawns; give the smaller number first")
        } else if fewer_nodes == 0 || more_nodes <= fewer_nodes {
            format!(
                "the searches of {fewer_nodes} and {more_nodes} nodes say nothing new; \
                 give at least 1 node to the first and more to the second"
            )
        } else {
            return Ok(());
        };
        Err(MakeError::BadOption(sentence))
    }
}

/// The lines of the book.
fn collect(
    options: &MakeOptions,
    pool: &ThreadPool,
    stop: &AtomicBool,
    mut progress: impl FnMut(&Tally),
) -> Result<(String, Tally), MakeError> {
    let mut text = String::new();
    let mut tally = Tally::default();
    let mut seen = HashSet::new();
    let mut last_taken = 0;
    loop {
        let numbers = tally.tried..tally.tried + BATCH;
        let batch = pool.install(|| judge_batch(options, numbers, &mut seen, stop));
        // What the filter says after being stopped is not used.
        if stop.load(Ordering::Relaxed) {
            return Err(MakeError::Cancelled(tally));
        }
        for verdict in batch {
            tally.tried += 1;
            match verdict {
                Err(rejection) => *tally.rejected.entry(rejection).or_default() += 1,
                Ok(Taken { number, position, score }) => {
                    let fen = fen_of(&position);
                    let fields: Vec<&str> = fen.split(' ').take(4).collect();
                    text += &format!("{} ce {score}; id \"{number}\";\n", fields.join(" "));
                    tally.taken += 1;
                    tally.white_to_move += usize::from(position.turn() == Color::White);
                    last_taken = tally.tried;
                }
            }
            if tally.taken == options.count {
                progress(&tally);
                return Ok((text, tally));
            }
        }
        progress(&tally);
        if tally.tried - last_taken >= BARREN {
            return Err(MakeError::Barren(tally));
        }
    }
}

/// A candidate that passed.
struct Taken {
    number: u64,
    position: Chess,
    score: i32,
}

/// The verdicts on these candidates, in their order. `seen` are the identities of all candidates so far.
fn judge_batch(
    options: &MakeOptions,
    numbers: std::ops::Range<u64>,
    seen: &mut HashSet<Zobrist128>,
    stop: &AtomicBool,
) -> Vec<Result<Taken, Rejection>> {
    let candidates: Vec<_> = numbers
        .into_par_iter()
        .map(|number| {
            let position =
                candidate(options.seed, number, options.plies, options.chess960).ok_or(Rejection::Over)?;
            Ok((number, identity(&position), position))
        })
        .collect();
    // Which of two equal ones came first is a question of order, so this step is not parallel.
    let new: Vec<_> = candidates
        .into_iter()
        .map(|candidate| {
            let (number, identity, position) = candidate?;
            if seen.insert(identity) { Ok((number, position)) } else { Err(Rejection::Repeated) }
        })
        .collect();
    new.into_par_iter()
        .map_init(
            || Filter::new(options.requirements),
            |filter, candidate| {
                let (number, position) = candidate?;
                let board = EnginePosition::from_fen(&fen_of(&position))
                    .expect("a position reached by legal moves is legal to the engine too");
                filter.judge(&board, stop).map(|score| Taken { number, position, score })
            },
        )
        .collect()
}

/// Equal for equal positions and for those that differ by an exchange of colours: the key of the one of the
/// two that has White to move. Move counters do not count.
fn identity(position: &Chess) -> Zobrist128 {
    if position.turn() == Color::White {
        return position.zobrist_hash(EnPassantMode::Legal);
    }
    let mirrored = position.to_setup(EnPassantMode::Legal).into_mirrored();
    Chess::from_setup(mirrored, position.castles().mode())
        .expect("the mirror image of a legal position is legal")
        .zobrist_hash(EnPassantMode::Legal)
}

/// Writes a file that did not exist.
fn write_new(path: &Path, text: &str) -> Result<(), MakeError> {
    whole_file::create(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => MakeError::Exists(path.to_owned()),
        _ => MakeError::Unwritable(path.to_owned(), error),
    })
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let (taken, white) = (self.taken as u64, self.white_to_move as u64);
        writeln!(f, "candidates {:>9}", self.tried)?;
        for (rejection, &count) in &self.rejected {
            writeln!(f, "  {:<29}{count:>9} ({:.1} %)", rejection.to_string(), share(count, self.tried))?;
        }
        writeln!(f, "  {:<29}{taken:>9} ({:.1} %)", "taken", share(taken, self.tried))?;
        let black = taken - white;
        write!(
            f,
            "to move    White {white} ({:.1} %), Black {black} ({:.1} %)",
            share(white, taken),
            share(black, taken)
        )
    }
}
