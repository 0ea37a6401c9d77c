//! Pairs of games as rows of the store.
//!
//! The moves of a game are one text, separated by blanks, and so is each figure the players gave with them;
//! every text has one word a move, `-` for a score that was not given.

use super::{Store, StoreError, schema};
use crate::game::record::{GameRecord, MoveRecord, PairRecord, Side, Telemetry};
use rusqlite::types::Type;
use rusqlite::{Connection, Row};
use serde::Serialize;
use std::collections::VecDeque;
use std::fmt::Display;
use std::str::FromStr;

const NOT_TOLD: &str = "-";

/// What became of a pair that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Insertion {
    /// It is stored now.
    New,
    /// It was there, with the very same moves.
    Same,
    /// It was there, with other games.
    Different,
}

/// Stores a pair within the caller's transaction; one that is there already stays as it was.
pub(super) fn insert(
    connection: &Connection,
    run: &str,
    session: i64,
    pair: &PairRecord,
) -> rusqlite::Result<Insertion> {
    let inserted = connection
        .prepare_cached(
            "INSERT INTO pairs (run, number, session) VALUES (?, ?, ?) ON CONFLICT (run, number) DO NOTHING",
        )?
        .execute((run, pair.index, session))?;
    if inserted == 0 {
        let stored = read_from(connection, run, pair.index, 1)?;
        let same = stored.first().is_some_and(|stored| same_games(stored, pair));
        return Ok(if same { Insertion::Same } else { Insertion::Different });
    }
    let mut statement = connection.prepare_cached(
        "INSERT INTO games (run, pair, game, opening, white, result, termination, detail,
                            moves, scores, depths, nodes, micros, telemetry, own_millis, details)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (number, game) in pair.games.iter().enumerate() {
        statement.execute((
            run,
            pair.index,
            number,
            &game.opening,
            side_name(game.white),
            game.result.as_str(),
            game.termination.as_str(),
            &game.detail,
            words(&game.moves, |played| played.uci),
            words(&game.moves, |played| match played.score {
                Some(score) => score.to_string(),
                None => NOT_TOLD.to_owned(),
            }),
            words(&game.moves, |played| played.depth),
            words(&game.moves, |played| played.nodes),
            words(&game.moves, |played| played.micros),
            telemetry_text(&game.telemetry)?,
            own_times(&game.moves),
            game.details.as_ref().map(json).transpose()?,
        ))?;
    }
    Ok(Insertion::New)
}

/// The same moves from the same positions to the same end; times, details and counters may differ.
fn same_games(one: &PairRecord, other: &PairRecord) -> bool {
    let told = |game: &GameRecord| (game.opening.clone(), game.white, game.result, game.termination);
    let mut games = one.games.iter().zip(&other.games);
    one.index == other.index
        && games.all(|(one, other)| {
            told(one) == told(other)
                && one.moves.iter().map(|played| played.uci).eq(other.moves.iter().map(|played| played.uci))
        })
}

/// At most `limit` pairs from the number `from` on, in order.
fn read_from(connection: &Connection, run: &str, from: u64, limit: u64) -> rusqlite::Result<Vec<PairRecord>> {
    let later = ["telemetry", "own_millis", "details"]
        .map(|column| schema::column(connection, ("games", column), "NULL"));
    let [telemetry, own_millis, details] = later;
    let (telemetry, own_millis, details) = (telemetry?, own_millis?, details?);
    let mut statement = connection.prepare_cached(&format!(
        "SELECT pair, game, opening, white, result, termination, detail, moves, scores, depths, nodes,
                micros, {telemetry}, {own_millis}, {details}
         FROM games WHERE run = ? AND pair >= ? ORDER BY pair, game LIMIT 2 * ?"
    ))?;
    let mut rows = statement.query((run, from, limit))?;
    let mut pairs = Vec::new();
    while let Some(row) = rows.next()? {
        let (index, first) = (row.get(0)?, game(row, 0)?);
        let second = match rows.next()? {
            Some(row) if row.get::<_, u64>(0)? == index => game(row, 1)?,
            _ => return Err(damage(&format!("pair {index} of run {run} has one game"))),
        };
        pairs.push(PairRecord { index, games: [first, second] });
    }
    Ok(pairs)
}

/// The game of a row, which must be the first or second of its pair as expected.
fn game(row: &Row, number: u8) -> rusqlite::Result<GameRecord> {
    if row.get::<_, u8>("game")? != number {
        return Err(damage(&format!("game {number} of pair {} is missing", row.get::<_, u64>("pair")?)));
    }
    let ucis: Vec<_> = parsed_words(row, "moves", str::parse)?;
    let scores = parsed_words(row, "scores", if_told)?;
    let depths = parsed_words(row, "depths", str::parse)?;
    let nodes = parsed_words(row, "nodes", str::parse)?;
    let micros = parsed_words(row, "micros", str::parse)?;
    let own_times = match is_null(row, "own_millis")? {
        true => vec![None; ucis.len()],
        false => parsed_words(row, "own_millis", if_told)?,
    };
    let figures = [scores.len(), depths.len(), nodes.len(), micros.len(), own_times.len()];
    if figures.iter().any(|&count| count != ucis.len()) {
        return Err(damage(&format!(
            "pair {} has {} moves, but {figures:?} scores, depths, nodes, times and own times",
            row.get::<_, u64>("pair")?,
            ucis.len()
        )));
    }
    let moves = ucis.into_iter().zip(scores).zip(depths).zip(nodes).zip(micros).zip(own_times);
    Ok(GameRecord {
        opening: row.get("opening")?,
        white: parsed(row, "white", side_named)?,
        moves: moves
            .map(|(((((uci, score), depth), nodes), micros), own_ms)| MoveRecord {
                uci,
                score,
                depth,
                nodes,
                micros,
                own_ms,
            })
            .collect(),
        result: parsed(row, "result", FromStr::from_str)?,
        termination: parsed(row, "termination", FromStr::from_str)?,
        detail: row.get("detail")?,
        telemetry: match is_null(row, "telemetry")? {
            true => Telemetry::default(),
            false => parsed(row, "telemetry", |text| serde_json::from_str(text))?,
        },
        details: match is_null(row, "details")? {
            true => None,
            false => Some(parsed(row, "details", |text| serde_json::from_str(text))?),
        },
    })
}

fn is_null(row: &Row, column: &str) -> rusqlite::Result<bool> {
    Ok(row.get_ref(column)?.as_str_or_null()?.is_none())
}

/// A figure that was given with a move, if it was.
fn if_told<T: FromStr>(word: &str) -> Result<Option<T>, T::Err> {
    if word == NOT_TOLD { Ok(None) } else { word.parse().map(Some) }
}

/// The times on the players' own clocks, or nothing where no player told any.
fn own_times(moves: &[MoveRecord]) -> Option<String> {
    let told = |played: &MoveRecord| played.own_ms.map_or(NOT_TOLD.to_owned(), |time| time.to_string());
    moves.iter().any(|played| played.own_ms.is_some()).then(|| words(moves, told))
}

/// JSON, or nothing where no player counted.
fn telemetry_text(telemetry: &Telemetry) -> rusqlite::Result<Option<String>> {
    (*telemetry != Telemetry::default()).then(|| json(telemetry)).transpose()
}

fn json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn words<T: Display>(moves: &[MoveRecord], figure: impl Fn(&MoveRecord) -> T) -> String {
    moves.iter().map(|played| figure(played).to_string()).collect::<Vec<_>>().join(" ")
}

fn parsed_words<T, E: Display>(
    row: &Row,
    column: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) -> rusqlite::Result<Vec<T>> {
    parsed(row, column, |text| text.split_ascii_whitespace().map(&parse).collect())
}

fn parsed<T, E: Display>(
    row: &Row,
    column: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) -> rusqlite::Result<T> {
    let value = row.get_ref(column)?.as_str()?;
    parse(value).map_err(|error| damage(&format!("column {column} of a game: {error}")))
}

/// The error for a row that no version of this program wrote.
fn damage(what: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, what.into())
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Base => "base",
        Side::Candidate => "candidate",
    }
}

fn side_named(name: &str) -> Result<Side, String> {
    [Side::Base, Side::Candidate]
        .into_iter()
        .find(|&side| side_name(side) == name)
        .ok_or_else(|| format!("\"{name}\" is no side this version knows"))
}

impl Store {
    /// The stored pairs of a run from the number `from` on, in the order of their numbers.
    ///
    /// They are read some at a time, so memory stays small and other processes may write meanwhile; pairs
    /// they add ahead of the reader are read too. After an error the iterator ends.
    pub fn pairs(&self, run: &str, from: u64) -> impl Iterator<Item = Result<PairRecord, StoreError>> {
        const AT_ONCE: u64 = 32;
        let mut next = Some(from);
        let mut waiting = VecDeque::new();
        std::iter::from_fn(move || {
            if waiting.is_empty() {
                match read_from(&self.connection, run, next.take()?, AT_ONCE) {
                    Ok(pairs) => waiting.extend(pairs),
                    Err(error) => return Some(Err(self.error(error))),
                }
                next = waiting.back().map(|last: &PairRecord| last.index + 1);
            }
            waiting.pop_front().map(Ok)
        })
    }

    /// The stored pairs of a run from the first to the last before one is missing; another process may be playing it.
    pub fn pairs_in_order(&self, run: &str) -> impl Iterator<Item = Result<PairRecord, StoreError>> {
        let expected = (0..).zip(self.pairs(run, 0));
        let is_next = |(number, pair): &(u64, Result<PairRecord, StoreError>)| {
            pair.as_ref().map_or(true, |pair| pair.index == *number)
        };
        expected.take_while(is_next).map(|(_, pair)| pair)
    }

    /// The numbers of the stored pairs of a run, ascending.
    pub fn pair_indices(&self, run: &str) -> Result<Vec<u64>, StoreError> {
        self.query_all("SELECT number FROM pairs WHERE run = ? ORDER BY number", [run], |row| row.get(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::details::{Details, MoveDetails};
    use crate::game::record::{GameResult, Score, Termination};
    use crate::store::runs::tests::store;
    use engine::search::observer::{Counters, DepthCounts, Pruning};
    use proptest::prelude::*;
    use shakmaty::uci::UciMove;

    fn a_move() -> impl Strategy<Value = MoveRecord> {
        let uci = prop_oneof![
            "[a-h][1-8][a-h][1-8][nbrq]?"
                .prop_filter_map("squares differ", |text| text.parse::<UciMove>().ok()),
            Just(UciMove::Null),
        ];
        let score = proptest::option::of(prop_oneof![
            any::<i32>().prop_map(Score::Centipawns),
            any::<i32>().prop_map(Score::Mate)
        ]);
        (uci, score, any::<u32>(), any::<u64>(), any::<u64>(), any::<Option<u32>>()).prop_map(
            |(uci, score, depth, nodes, micros, own_ms)| MoveRecord {
                uci,
                score,
                depth,
                nodes,
                micros,
                own_ms,
            },
        )
    }

    fn some_details() -> impl Strategy<Value = Option<Details>> {
        let of_move = (any::<Option<u32>>(), "([a-h][1-8][a-h][1-8] ?){0,3}")
            .prop_map(|(seldepth, pv)| MoveDetails { seldepth, pv });
        let moves = proptest::collection::vec(of_move, 0..5);
        proptest::option::of(
            (any::<u64>(), any::<u64>(), any::<Option<String>>(), moves).prop_map(
                |(begun, ended, base, moves)| Details { begun, ended, base, candidate: None, moves },
            ),
        )
    }

    fn a_game() -> impl Strategy<Value = GameRecord> {
        (
            any::<String>(),
            prop_oneof![Just(Side::Base), Just(Side::Candidate)],
            proptest::collection::vec(a_move(), 0..40),
            prop_oneof![Just(GameResult::WhiteWins), Just(GameResult::BlackWins), Just(GameResult::Draw)],
            proptest::sample::select(&Termination::ALL[..]),
            any::<String>(),
            some_telemetry(),
            some_details(),
        )
            .prop_map(|(opening, white, moves, result, termination, detail, telemetry, details)| {
                GameRecord { opening, white, moves, result, termination, detail, telemetry, details }
            })
    }

    fn some_telemetry() -> impl Strategy<Value = Telemetry> {
        let counters = (
            any::<u64>(),
            any::<[u64; Pruning::ALL.len()]>(),
            proptest::collection::vec(any::<u64>(), 0..30),
        );
        let counters = counters.prop_map(|(main_nodes, prunings, depths)| Counters {
            main_nodes,
            prunings,
            depths: depths
                .into_iter()
                .map(|nodes_after| DepthCounts { nodes_after, ..Default::default() })
                .collect(),
            ..Counters::default()
        });
        (proptest::option::of(counters.clone()), proptest::option::of(counters))
            .prop_map(|(base, candidate)| Telemetry { base, candidate })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_pair_comes_back_as_it_was(
            games in proptest::collection::btree_map(0..=i64::MAX as u64 - 1, (a_game(), a_game()), 1..6),
            from in any::<prop::sample::Index>(),
        ) {
            let pairs: Vec<_> = games
                .into_iter()
                .map(|(index, (first, second))| PairRecord { index, games: [first, second] })
                .collect();
            let (_folder, store, session) = store();
            let transaction = store.connection.unchecked_transaction().unwrap();
            for pair in pairs.iter().rev() {
                prop_assert_eq!(insert(&transaction, "r", session, pair).unwrap(), Insertion::New);
            }
            transaction.commit().unwrap();
            let start = pairs[from.index(pairs.len())].index;
            let read: Vec<_> = store.pairs("r", start).collect::<Result<_, _>>().unwrap();
            let expected: Vec<_> = pairs.iter().filter(|pair| pair.index >= start).cloned().collect();
            prop_assert_eq!(read, expected);
            let indices: Vec<_> = pairs.iter().map(|pair| pair.index).collect();
            prop_assert_eq!(store.pair_indices("r").unwrap(), indices);
        }
    }

    fn pair(index: u64) -> PairRecord {
        let game = |white, uci: &str, micros| GameRecord {
            opening: "8/8/8/8/8/4k3/8/4K2R w - - 0 1".to_owned(),
            white,
            moves: vec![MoveRecord {
                uci: uci.parse().unwrap(),
                score: None,
                depth: 1,
                nodes: 2,
                micros,
                own_ms: None,
            }],
            result: GameResult::Draw,
            termination: Termination::FiftyMoves,
            detail: String::new(),
            telemetry: Telemetry::default(),
            details: None,
        };
        PairRecord { index, games: [game(Side::Candidate, "h1h2", 5), game(Side::Base, "h1h3", 6)] }
    }

    #[test]
    fn more_pairs_than_are_read_at_once_come_in_order_without_gap() {
        let (_folder, store, session) = store();
        let transaction = store.connection.unchecked_transaction().unwrap();
        for index in (0..200).rev() {
            insert(&transaction, "r", session, &pair(index)).unwrap();
        }
        transaction.commit().unwrap();
        let read: Vec<_> = store.pairs("r", 3).map(|pair| pair.unwrap().index).collect();
        assert_eq!(read, (3..200).collect::<Vec<_>>());
        assert_eq!(store.pairs("other", 0).count(), 0);
    }

    #[test]
    fn a_pair_played_again_counts_once_unless_it_went_differently() {
        let (_folder, store, session) = store();
        insert(&store.connection, "r", session, &pair(7)).unwrap();
        let mut again = pair(7);
        again.games[1].moves[0].micros += 1;
        assert_eq!(insert(&store.connection, "r", session, &again).unwrap(), Insertion::Same);
        again.games[1].moves[0].uci = "h1h4".parse().unwrap();
        assert_eq!(insert(&store.connection, "r", session, &again).unwrap(), Insertion::Different);
        let stored: Vec<_> = store.pairs("r", 0).collect::<Result<_, _>>().unwrap();
        assert_eq!(stored, [pair(7)], "the first stays");
    }

    #[test]
    fn rows_that_nobody_wrote_are_named_not_guessed_at() {
        for (damage, named) in [
            ("UPDATE games SET result = '2-0'", "\"2-0\" is no game result"),
            ("UPDATE games SET white = 'nobody'", "\"nobody\" is no side"),
            ("UPDATE games SET moves = 'h1h9'", "column moves"),
            ("UPDATE games SET scores = ''", "pair 7 has 1 moves, but [0, 1, 1, 1, 1]"),
            ("UPDATE games SET nodes = '-1'", "column nodes"),
            ("UPDATE games SET telemetry = '[]'", "column telemetry"),
            ("DELETE FROM games WHERE game = 0", "game 0 of pair 7 is missing"),
            ("DELETE FROM games WHERE game = 1", "pair 7 of run r has one game"),
        ] {
            let (_folder, store, session) = store();
            insert(&store.connection, "r", session, &pair(7)).unwrap();
            store.connection.execute_batch(damage).unwrap();
            let mut pairs = store.pairs("r", 0);
            let error = pairs.next().unwrap().unwrap_err();
            let is_kept = matches!(error, StoreError::Corrupt { .. } | StoreError::Unknown { .. });
            assert!(is_kept, "{error}");
            assert!(error.to_string().contains(named), "{error} should say {named}");
            assert!(pairs.next().is_none());
        }
    }

    #[test]
    fn a_number_beyond_the_integers_of_sqlite_is_an_error() {
        let (_folder, store, session) = store();
        assert!(insert(&store.connection, "r", session, &pair(u64::MAX)).is_err());
    }
}
