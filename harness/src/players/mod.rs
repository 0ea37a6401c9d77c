//! Who plays? What the game asks of any player, whether it runs in this process or another.

pub mod builtin;
pub mod external;
pub mod external_file;
pub mod spec;
pub mod uci;

use crate::game::limit::{Limit, MoveLimit};
use crate::game::record::Score;
use crate::openings::Opening;
use builtin::BuiltIn;
use engine::search::observer::Counters;
use external::ExternalEngine;
use shakmaty::uci::UciMove;
use spec::{EngineSpec, PlayerSpec};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use uci::{Declared, DialogueLog, UciPlayer};

/// How players are run; none of it changes which moves an engine that answers in time plays.
#[derive(Clone)]
pub struct Setup {
    /// Table size of each player, MB.
    pub hash_megabytes: u32,
    /// Wall time of one move under a limit without a clock, for engines in other processes.
    pub move_timeout: Duration,
    /// The program that plays the built-in engine when it is called with [`BUILT_IN_COMMAND`]; none: it plays in
    /// this process.
    pub out_of_process: Option<PathBuf>,
    /// Where the dialogue with engines in other processes is written.
    pub log: Option<DialogueLog>,
    /// Players that each thread keeps ready for its next games, at least the two of a game.
    pub kept_players: usize,
    /// Hears of harmless habits of engines, each once.
    pub note: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Setup {
    /// The wall time of one move unless another is given.
    pub const MOVE_TIMEOUT: Duration = Duration::from_secs(60);

    /// Built-in engines in this process with tables of this size, nothing logged and nothing told.
    pub fn new(hash_megabytes: u32) -> Setup {
        Setup {
            hash_megabytes,
            move_timeout: Setup::MOVE_TIMEOUT,
            out_of_process: None,
            log: None,
            kept_players: 2,
            note: Arc::new(|_| ()),
        }
    }
}

/// The argument with which the harness's own program plays the built-in engine over UCI.
pub const BUILT_IN_COMMAND: &str = "uci";

/// A player of this description, ready for its first game.
pub fn player(spec: &PlayerSpec, setup: &Setup) -> Box<dyn Player> {
    match process_of(spec, setup) {
        Some(engine) => Box::new(UciPlayer::new(engine, setup.clone())),
        None => {
            let config = spec.config().expect("`check` refuses what this version cannot play");
            Box::new(BuiltIn::new(config, setup.hash_megabytes as usize))
        }
    }
}

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

/// Sees that a player can play, before the first game. The built-in engine in this process can.
///
/// # Errors
/// Its engine does not start, does not take what the configuration wants of it, or has no answer.
pub fn check(spec: &PlayerSpec, setup: &Setup, trial: &Trial) -> Result<(), StartError> {
    match process_of(spec, setup) {
        Some(engine) => UciPlayer::new(engine, setup.clone()).check(trial).map_err(|error| {
            // An engine that was left in the middle of its answer is not to blame for it.
            if trial.stop.load(Ordering::Relaxed) { StartError::Interrupted } else { error }
        }),
        None => spec.is_playable().map_err(StartError::Config),
    }
}

/// The options that an external engine declares, asked of the program itself; none of the built-in engine, which has tables
/// of its own.
///
/// # Errors
/// As [`check`].
pub fn declared(spec: &PlayerSpec, setup: &Setup) -> Result<Option<Declared>, StartError> {
    let declared = |engine: &ExternalEngine| UciPlayer::new(engine.clone(), setup.clone()).declared();
    spec.external_engine().map(declared).transpose()
}

/// The program that plays for this player, if it is not this one.
fn process_of(spec: &PlayerSpec, setup: &Setup) -> Option<ExternalEngine> {
    match (&spec.engine, &setup.out_of_process) {
        (EngineSpec::External(engine), _) => Some(engine.clone()),
        (EngineSpec::BuiltIn { config, .. }, Some(program)) => {
            Some(ExternalEngine::built_in(program, BUILT_IN_COMMAND, config))
        }
        (EngineSpec::BuiltIn { .. }, None) | (EngineSpec::OtherVersion { .. }, _) => None,
    }
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

/// One of the two sides of a game. It must not panic: what breaks inside is caught there and
/// reported as [`Fault::Crash`].
pub trait Player {
    /// Begins a game from this opening, with nothing remembered of any game before. `stop` is as in a [`Question`].
    ///
    /// # Errors
    ///
    /// The player cannot play; it loses this game, unless it was told to stop.
    fn new_game(&mut self, opening: &Opening, stop: &AtomicBool) -> Result<(), Fault>;

    /// Chooses a move.
    ///
    /// # Errors
    ///
    /// The player has no answer; it loses the game, unless it was told to stop.
    fn answer(&mut self, question: &Question) -> Result<Answer, Fault>;

    /// What its searches have counted since the game began; none from a player that does not count.
    fn counters(&self) -> Option<Counters> {
        None
    }
}

/// A position to find a move in.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// All moves since the opening, castling as the variant writes it (`e1g1`, in Chess960 `e1h1`).
    pub moves: &'a [UciMove],
    /// How long the player may think.
    pub limit: MoveLimit,
    /// How late the answer may come before it counts as late.
    pub margin: Duration,
    /// Set when the answer is no longer wanted; the player then returns as soon as it can.
    pub stop: &'a AtomicBool,
}

/// A player's move and what it thought of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; the referee decides whether it is legal.
    pub best: UciMove,
    /// The player's score of the position, from its side.
    pub score: Option<Score>,
    /// Iterations completed or begun, plies.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
}

/// Why there is no answer. The texts are the evidence kept with the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The player broke down: a panic, an exit, a broken pipe.
    Crash(String),
    /// The player is alive and silent, under a limit that has no clock.
    Stall(String),
    /// The player is alive and silent, and its clock has run out.
    Late(String),
    /// The player answered with something that is no move at all.
    Unreadable(String),
    /// The player says that it has no move.
    NoMove(String),
    /// The player was told to stop. Not its fault: the game does not count.
    Cancelled,
    /// The player cannot be had any more, so no further game can be played: the run ends, and this game does not
    /// count.
    Gone(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crash(evidence) => write!(f, "the player broke down: {evidence}"),
            Fault::Stall(evidence) => write!(f, "the player does not answer: {evidence}"),
            Fault::Late(evidence) => write!(f, "the player's time ran out: {evidence}"),
            Fault::Unreadable(evidence) => write!(f, "the player's answer is no move: {evidence}"),
            Fault::NoMove(evidence) => write!(f, "the player gave no move: {evidence}"),
            Fault::Cancelled => f.write_str("the player was told to stop"),
            Fault::Gone(evidence) => write!(f, "the player cannot play on: {evidence}"),
        }
    }
}

impl std::error::Error for Fault {}
