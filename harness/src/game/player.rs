//! Player: what the game asks of any player, whether it runs in this process or another.

use super::details::MoveDetails;
use super::limit::MoveLimit;
use super::opening::Opening;
use super::record::Score;
use engine::search::observer::Counters;
use shakmaty::uci::UciMove;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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

    /// What else it said of its last answer; asked for only if the [`Question`] wanted details.
    fn details(&mut self) -> MoveDetails {
        MoveDetails::default()
    }

    /// What its engine calls itself; none if it has no name of its own, or has not said it yet.
    fn engine_name(&self) -> Option<String> {
        None
    }

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
    /// Whether [`Player::details`] will be asked for.
    pub details: bool,
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
    /// The time that it says to have used, ms; none if it tells none.
    pub own_ms: Option<u32>,
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
