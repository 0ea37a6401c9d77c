//! Setup of players: how their engines are run, tried before the first game, and why one cannot play.

use super::cores::Cores;
use super::uci::log::DialogueLog;
use crate::game::limit::Limit;
use crate::game::opening::Opening;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How players are run; none of it changes which moves an engine that answers in time plays.
#[derive(Clone)]
pub struct Setup {
    /// Table size of each player, MB.
    pub hash_megabytes: u32,
    /// Wall time of one move under a limit without a clock, for engines in other processes.
    pub move_timeout: Duration,
    /// How long the start of an engine in another process may take, until `uciok`.
    pub start_timeout: Duration,
    /// How long such an engine may take to get ready, until `readyok`: it may have a large table to clear.
    pub ready_timeout: Duration,
    /// The program that plays the built-in engine when it is called with [`BUILT_IN_COMMAND`]; none: it plays in
    /// this process.
    pub out_of_process: Option<PathBuf>,
    /// Where the dialogue with engines in other processes is written.
    pub log: Option<DialogueLog>,
    /// Players that each thread keeps ready for its next games, at least the two of a game.
    pub kept_players: usize,
    /// The cores that each game keeps to, with its engines; none: the system decides.
    pub cores: Option<Arc<Cores>>,
    /// Hears of harmless habits of engines, each once.
    pub note: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Setup {
    /// The wall time of one move unless another is given.
    pub const MOVE_TIMEOUT: Duration = Duration::from_secs(60);

    /// The time to start unless another is given.
    pub const START_TIMEOUT: Duration = Duration::from_secs(10);

    /// The time to get ready unless another is given.
    pub const READY_TIMEOUT: Duration = Duration::from_secs(60);

    /// Built-in engines in this process with tables of this size, nothing logged and nothing told.
    pub fn new(hash_megabytes: u32) -> Setup {
        Setup {
            hash_megabytes,
            move_timeout: Setup::MOVE_TIMEOUT,
            start_timeout: Setup::START_TIMEOUT,
            ready_timeout: Setup::READY_TIMEOUT,
            out_of_process: None,
            log: None,
            kept_players: 2,
            cores: None,
            note: Arc::new(|_| ()),
        }
    }
}

/// The argument with which the harness's own program plays the built-in engine over UCI.
pub const BUILT_IN_COMMAND: &str = "uci";

/// What a player is tried in before the first game.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// It is asked for a move in this position.
    pub opening: &'a Opening,
    /// Its limit.
    pub limit: Limit,
    /// There are openings of Chess960 in the book.
    pub needs_chess960: bool,
    /// Set when nobody wants to know any more.
    pub stop: &'a AtomicBool,
}

/// Why an engine cannot play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The configuration wants what the engine does not have.
    Config(String),
    /// The engine does not start, or does not speak UCI.
    Run(String),
    /// The engine starts, and its first search comes to nothing.
    Trial(String),
    /// It was not to be known any more.
    Interrupted,
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Config(message) | StartError::Run(message) | StartError::Trial(message) => {
                f.write_str(message)
            }
            StartError::Interrupted => f.write_str("it was interrupted before it had answered"),
        }
    }
}

impl std::error::Error for StartError {}
