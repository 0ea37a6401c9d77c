//! Extraction of training positions: quiet positions of games, whose result the evaluation alone should have known.

use super::data::{Data, TooMuch};
use super::model::expected;
use super::repeats::{Repeat, Seen};
use crate::game::record::{GameRecord, GameResult, PairRecord, Score, Termination};
use crate::store::{Store, StoreError};
use engine::evaluation::{EvalWeights, trace};
use engine::position::{Color, Game, Position};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::fmt;

/// Which positions are taken, and what is said of them.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Plies after the opening that are left out: they tell of the book.
    pub skip_plies: usize,
    /// The share of the player's own score in the target, 0 to 1; the rest is the game's result.
    pub lambda: f32,
    /// What turns a score into an expected result, where `lambda` is not 0.
    pub k: f32,
    /// The share of openings whose games are for validation.
    pub validation: f64,
    /// Decides which.
    pub seed: u64,
}

/// The positions of some games.
#[derive(Clone, Debug, Default)]
pub struct Extracted {
    /// To learn from.
    pub training: Data,
    /// To judge by.
    pub validation: Data,
    /// Games that gave them.
    pub games: u64,
    seen: Seen,
}

impl Extracted {
    /// The games that were left out since they had been taken already.
    pub fn repeats(&self) -> &[Repeat] {
        self.seen.repeats()
    }
}

/// Why positions could not be had.
#[derive(Debug)]
pub enum ExtractError {
    /// The store failed.
    Store(StoreError),
    /// There are too many positions.
    TooMuch(TooMuch),
    /// A stored game cannot be played on the engine's board.
    Unplayable {
        /// The run.
        run: String,
        /// The number of the pair.
        pair: u64,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtractError::Store(error) => error.fmt(f),
            ExtractError::TooMuch(error) => error.fmt(f),
            ExtractError::Unplayable { run, pair, reason } => write!(
                f,
                "pair {pair} of {run} is no game that can be played ({reason}): the store is damaged, leave this run out"
            ),
        }
    }
}

impl std::error::Error for ExtractError {}

impl From<TooMuch> for ExtractError {
    fn from(error: TooMuch) -> ExtractError {
        ExtractError::TooMuch(error)
    }
}

/// Pairs that are worked on at once.
const AT_ONCE: usize = 256;

/// Takes the quiet positions of all stored games of a run, in their order. A game that has been taken already, of whatever
/// run, is left out: the same game again is no second observation.
///
/// # Errors
/// See [`ExtractError`].
pub fn extract(
    store: &Store,
    run: &str,
    selection: &Selection,
    weights: &EvalWeights,
    into: &mut Extracted,
) -> Result<(), ExtractError> {
    let mut pairs = store.pairs(run, 0);
    loop {
        let batch: Vec<PairRecord> =
            pairs.by_ref().take(AT_ONCE).collect::<Result<_, _>>().map_err(ExtractError::Store)?;
        if batch.is_empty() {
            return Ok(());
        }
        let games = batch.iter().flat_map(|pair| pair.games.iter().map(move |game| (pair.index, game)));
        let games = games.filter(|(_, game)| ended_by_play(game.termination));
        let new: Vec<(u64, &GameRecord)> = games.filter(|(_, game)| into.seen.is_new(run, game)).collect();
        let of_game = |&(pair, game): &(u64, &GameRecord)| {
            let data = quiet_positions(game, selection, weights).map_err(|error| match error {
                GameError::TooMuch(error) => ExtractError::TooMuch(error),
                GameError::Unplayable(reason) => {
                    ExtractError::Unplayable { run: run.to_owned(), pair, reason }
                }
            })?;
            Ok::<_, ExtractError>((is_validation(&game.opening, selection), data))
        };
        let found: Vec<_> = new.par_iter().map(of_game).collect();
        for game in found {
            let (is_validation, data) = game?;
            let Extracted { training, validation, games, .. } = &mut *into;
            *games += 1;
            if is_validation { validation.append(data)? } else { training.append(data)? }
        }
    }
}

/// A game that a fault decided says nothing about its positions. One that was adjudicated does: without those, few but the
/// drawn games of a run with `--resign` would be left.
fn ended_by_play(termination: Termination) -> bool {
    use Termination::*;
    matches!(
        termination,
        Checkmate | Stalemate | Repetition | FiftyMoves | InsufficientMaterial | Adjudication
    )
}

/// Whether games from this opening are for validation: all on one side, so that none is judged by its twin.
fn is_validation(opening: &str, selection: &Selection) -> bool {
    let digest = Sha256::digest(format!("{} {opening}", selection.seed));
    let number = digest.iter().take(8).fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
    (number as f64 / u64::MAX as f64) < selection.validation
}

/// What is wrong with one game.
enum GameError {
    TooMuch(TooMuch),
    Unplayable(String),
}

/// The positions of a game in which nothing hangs in the air: not in check, the player chose a quiet move, and its score
/// was no mate.
fn quiet_positions(
    game: &GameRecord,
    selection: &Selection,
    weights: &EvalWeights,
) -> Result<Data, GameError> {
    let unplayable = |error: &dyn fmt::Display| GameError::Unplayable(error.to_string());
    let mut board = Game::new(Position::from_fen(&game.opening).map_err(|error| unplayable(&error))?);
    let result = match game.result {
        GameResult::WhiteWins => 1.0,
        GameResult::Draw => 0.5,
        GameResult::BlackWins => 0.0,
    };
    let mut data = Data::default();
    for (ply, played) in game.moves.iter().enumerate() {
        let position = board.position();
        let mv = position.parse_uci(&played.uci.to_string()).map_err(|error| unplayable(&error))?;
        if let Some(Score::Centipawns(own)) = played.score
            && ply >= selection.skip_plies
            && !position.in_check()
            && !position.is_tactical(mv)
        {
            // Engines may claim any number.
            let white = if position.side_to_move() == Color::White { own as f32 } else { -(own as f32) };
            let score = expected(selection.k * white);
            let target = selection.lambda * score + (1.0 - selection.lambda) * result;
            data.push(&trace(position, weights), target).map_err(GameError::TooMuch)?;
        }
        board.play(mv);
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::record::{MoveRecord, Side, Telemetry};

    const SELECTION: Selection =
        Selection { skip_plies: 0, lambda: 0.0, k: 0.004, validation: 0.25, seed: 1 };

    fn game(moves: &[(&str, Option<Score>)], result: GameResult) -> GameRecord {
        let record = |&(uci, score): &(&str, Option<Score>)| MoveRecord {
            uci: uci.parse().unwrap(),
            score,
            depth: 1,
            nodes: 1,
            micros: 1,
            own_ms: None,
        };
        GameRecord {
            opening: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
            white: Side::Base,
            moves: moves.iter().map(record).collect(),
            result,
            termination: Termination::Repetition,
            detail: String::new(),
            telemetry: Telemetry::default(),
            details: None,
        }
    }

    fn targets(selection: &Selection, game: &GameRecord) -> Vec<f32> {
        let data = quiet_positions(game, selection, &EvalWeights::default()).ok().unwrap();
        (0..data.len()).map(|number| data.sample(number).target).collect()
    }

    #[test]
    fn only_quiet_positions_with_a_plain_score_are_taken() {
        let cp = |value| Some(Score::Centipawns(value));
        let moves = [
            ("e2e4", cp(10)),
            ("d7d5", cp(-10)),
            ("e4d5", cp(100)), // a capture
            ("g8f6", None),    // no score
            ("f1b5", cp(5)),
            ("c7c6", cp(5)), // in check
            ("b1c3", Some(Score::Mate(3))),
        ];
        let game = game(&moves, GameResult::WhiteWins);
        assert_eq!(targets(&SELECTION, &game), [1.0, 1.0, 1.0]);
        assert_eq!(targets(&Selection { skip_plies: 2, ..SELECTION }, &game), [1.0]);
    }

    #[test]
    fn lambda_mixes_the_score_in_from_whites_side() {
        let moves = [("e2e4", Some(Score::Centipawns(200))), ("e7e5", Some(Score::Centipawns(200)))];
        let game = game(&moves, GameResult::Draw);
        let sure = expected(0.004 * 200.0);
        assert_eq!(targets(&Selection { lambda: 1.0, ..SELECTION }, &game), [sure, expected(-0.8)]);
        let half = targets(&Selection { lambda: 0.5, ..SELECTION }, &game)[0];
        assert!((half - (sure + 0.5) / 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_game_that_cannot_be_played_is_an_error_not_a_position() {
        let broken = game(&[("e2e5", None)], GameResult::Draw);
        assert!(quiet_positions(&broken, &SELECTION, &EvalWeights::default()).is_err());
    }

    #[test]
    fn about_the_asked_share_of_openings_is_for_validation_and_the_seed_decides_which() {
        let chosen = |seed| -> Vec<bool> {
            let selection = Selection { seed, ..SELECTION };
            (0..2000).map(|number| is_validation(&number.to_string(), &selection)).collect()
        };
        let count = chosen(1).iter().filter(|&&is_validation| is_validation).count();
        assert!((400..600).contains(&count), "{count}");
        assert_ne!(chosen(1), chosen(2));
        assert_eq!(chosen(1), chosen(1));
    }
}
