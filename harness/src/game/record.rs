//! What is kept of one game: every move with what its player thought, how it ended, and why.

use super::details::Details;
use engine::search::observer::Counters;
use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use std::fmt;
use std::str::FromStr;

/// One of the two players of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player the candidate is measured against.
    Base,
    /// The player under test; all scores and counts are seen from its side.
    Candidate,
}

/// The result of a game, as PGN has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

impl GameResult {
    /// The PGN notation.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// The win of the player of this colour.
    pub const fn win_for(color: shakmaty::Color) -> GameResult {
        match color {
            shakmaty::Color::White => GameResult::WhiteWins,
            shakmaty::Color::Black => GameResult::BlackWins,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for GameResult {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw]
            .into_iter()
            .find(|result| result.as_str() == text)
            .ok_or_else(|| UnknownName { what: "game result", text: text.to_owned() })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Termination {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position stands on the board for the third time.
    Repetition,
    /// A hundred plies without capture or pawn move.
    FiftyMoves,
    /// Neither side has the pieces to mate.
    InsufficientMaterial,
    /// A player exceeded its time.
    TimeForfeit,
    /// A player answered with a move that is not legal.
    IllegalMove,
    /// A player broke down.
    Crash,
    /// A player is alive and does not answer, under a limit that has no clock.
    Stall,
    /// A player had legal moves and answered with none.
    NoMove,
    /// The players' scores, the length of the game, or tables of endgames decided.
    Adjudication,
}

impl Termination {
    /// Every kind of ending.
    pub const ALL: [Termination; 11] = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::Repetition,
        Termination::FiftyMoves,
        Termination::InsufficientMaterial,
        Termination::TimeForfeit,
        Termination::IllegalMove,
        Termination::Crash,
        Termination::Stall,
        Termination::NoMove,
        Termination::Adjudication,
    ];

    /// Whether a player lost by a fault of its own and not by the rules of chess.
    pub const fn is_fault(self) -> bool {
        match self {
            Termination::TimeForfeit
            | Termination::IllegalMove
            | Termination::Crash
            | Termination::Stall
            | Termination::NoMove => true,
            Termination::Checkmate
            | Termination::Stalemate
            | Termination::Repetition
            | Termination::FiftyMoves
            | Termination::InsufficientMaterial
            | Termination::Adjudication => false,
        }
    }

    /// The name under which it is stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "threefold repetition",
            Termination::FiftyMoves => "fifty moves",
            Termination::InsufficientMaterial => "insufficient material",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "illegal move",
            Termination::Crash => "crash",
            Termination::Stall => "stall",
            Termination::NoMove => "no move",
            Termination::Adjudication => "adjudication",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Termination {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Termination::ALL
            .into_iter()
            .find(|termination| termination.as_str() == text)
            .ok_or_else(|| UnknownName { what: "termination", text: text.to_owned() })
    }
}

/// A stored word that names no known value: the store was written by a newer program, or damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The kind of value expected.
    pub what: &'static str,
    /// What stood there.
    pub text: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no {} this version knows", self.text, self.what)
    }
}

impl std::error::Error for UnknownName {}

/// A player's own estimate of the position, from its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves; negative: being mated.
    Mate(i32),
}

impl fmt::Display for Score {
    /// `35`, `-120`, `#3`, `#-2`: the form in which the store keeps it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "{value}"),
            Score::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl FromStr for Score {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let parsed = match text.strip_prefix('#') {
            Some(moves) => moves.parse().map(Score::Mate),
            None => text.parse().map(Score::Centipawns),
        };
        parsed.map_err(|_| UnknownName { what: "score", text: text.to_owned() })
    }
}

/// One move and what its player said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// The move in UCI notation (castling as the game's variant writes it).
    pub uci: shakmaty::uci::UciMove,
    /// The player's score of the position, from its side; none if it gave none.
    pub score: Option<Score>,
    /// Iterations completed or begun, plies.
    pub depth: u32,
    /// Positions searched for this move.
    pub nodes: u64,
    /// Time from the question to the answer, microseconds.
    pub micros: u64,
    /// The time that the player itself says to have used, by its last `info`, ms; none if it told none.
    pub own_ms: Option<u32>,
}

impl MoveRecord {
    /// How much later than on the player's own clock its answer came, whole ms, rounded up; none if it told no time. Under a clock,
    /// a player that takes its last moves in less time than this loses games that it need not lose (its `Move Overhead`).
    pub fn latency_ms(&self) -> Option<u64> {
        Some(self.micros.div_ceil(1000).saturating_sub(u64::from(self.own_ms?)))
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The position it began from: FEN (Shredder-FEN castling rights in Chess960).
    pub opening: String,
    /// Who had White.
    pub white: Side,
    /// The moves in order.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
    /// The evidence of a fault (the offending move, the panic's message, the overrun), or what adjudicated. Empty otherwise.
    pub detail: String,
    /// What the players' searches counted.
    pub telemetry: Telemetry,
    /// What else is known of it, where that was asked for.
    pub details: Option<Details>,
}

/// The searches' own counters over one game; none from a player that does not count, and in games stored
/// before they were kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// Those of the base.
    pub base: Option<Counters>,
    /// Those of the candidate.
    pub candidate: Option<Counters>,
}

impl Telemetry {
    /// Those of one side.
    pub const fn of(&self, side: Side) -> Option<&Counters> {
        match side {
            Side::Base => self.base.as_ref(),
            Side::Candidate => self.candidate.as_ref(),
        }
    }
}

impl GameRecord {
    /// Of base and candidate, by their colours.
    pub fn by_color<T>(&self, [base, candidate]: [T; 2]) -> ByColor<T> {
        match self.white {
            Side::Base => ByColor { white: base, black: candidate },
            Side::Candidate => ByColor { white: candidate, black: base },
        }
    }

    /// Whether this side makes the first move: the one to move in the opening.
    pub fn is_first_to_move(&self, side: Side) -> bool {
        let black_begins = self.opening.split(' ').nth(1) == Some("b");
        (self.white == side) != black_begins
    }

    /// The moves of one side, in order.
    pub fn moves_of(&self, side: Side) -> impl Iterator<Item = &MoveRecord> {
        self.moves.iter().skip(usize::from(!self.is_first_to_move(side))).step_by(2)
    }

    /// Who lost by a fault of its own; none if the rules of chess or an adjudication ended the game.
    pub fn lost_by_fault_of(&self) -> Option<Side> {
        let loser = match self.candidate_half_points() {
            0 => Side::Candidate,
            _ => Side::Base,
        };
        self.termination.is_fault().then_some(loser)
    }

    /// The candidate's score in half points: 0 lost, 1 drawn, 2 won.
    pub fn candidate_half_points(&self) -> u8 {
        match (self.result, self.white) {
            (GameResult::Draw, _) => 1,
            (GameResult::WhiteWins, Side::Candidate) | (GameResult::BlackWins, Side::Base) => 2,
            _ => 0,
        }
    }
}

/// One opening played twice, the colours exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRecord {
    /// Its number in the experiment, from 0.
    pub index: u64,
    /// The candidate has White in the first game, Black in the second.
    pub games: [GameRecord; 2],
}

impl PairRecord {
    /// The candidate's half points over both games, 0 to 4: the pentanomial category.
    pub fn category(&self) -> usize {
        self.games.iter().map(|game| usize::from(game.candidate_half_points())).sum()
    }
}
