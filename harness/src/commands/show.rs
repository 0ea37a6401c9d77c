//! `harness show RUN`: what is stored of one run, or one of its games.

use crate::cli::job::date;
use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure, print_out};
use crate::game::details::rfc3339;
use crate::game::limit::Limit;
use crate::game::pgn::{Header, write_pgn};
use crate::game::record::{GameRecord, PairRecord};
use crate::kinds::shown::Shown;
use crate::kinds::{AnySpec, shown};
use crate::options::{self, MOST_PAIRS, Name, Options, whole};
use crate::report::events::variations_as_json;
use crate::report::figures::readable_seconds;
use crate::report::pgn_file::{Seat, remark};
use crate::run::recount::{PlayedPair, played_pair};
use crate::store::{RunInfo, Session, Store};
use clap::Args;
use serde_json::{Value, json};

/// Show a stored run: its question, state, figures and sessions; or single games of it
#[derive(Args)]
pub struct ShowArguments {
    /// Name of the run, or its beginning
    run: String,
    /// Show this game with its moves and scores; games are numbered from 1, two to a pair
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_PAIRS), allow_negative_numbers = true, conflicts_with = "pair")]
    game: Option<u64>,
    /// Show both games of this pair; pairs are numbered from 1
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_PAIRS), allow_negative_numbers = true)]
    pair: Option<u64>,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::results, Name::json]) }>,
}

/// Runs the command.
///
/// # Errors
/// There is no such run or game, or it cannot be read.
pub fn execute(arguments: ShowArguments) -> Result<Exit, Failure> {
    let ShowArguments { run, game, pair, options } = arguments;
    let (results, json) = (options.results_in(&current_folder()?)?, options.json.is_some());
    let wanted = match (game, pair) {
        (Some(game), _) => Some(((game - 1) / 2, vec![((game - 1) % 2) as usize])),
        (None, Some(pair)) => Some((pair - 1, vec![0, 1])),
        (None, None) => None,
    };
    Store::read(&results, |store| match wanted {
        Some((index, games)) => show_games(store, &run, index, &games, json),
        None => show_run(store, store.run(&run)?, json),
    })?;
    Ok(Exit::Done)
}

fn show_run(store: &Store, info: RunInfo, json: bool) -> Result<(), Failure> {
    let Shown { question, text, json: object } = shown(store, info.clone())?;
    if json {
        return print_out(Value::Object(object));
    }
    let RunInfo { id, kind, created, finished, state, .. } = &info;
    print_out(format_args!("{id} · {kind} · {}", state.as_str()))?;
    print_out(question)?;
    print_out(format_args!("begun {created}, ended {}\n", finished.as_deref().unwrap_or("-")))?;
    print_out(text)?;
    print_out("\nSessions")?;
    store.sessions(id)?.iter().try_for_each(|session| print_out(session_line(session)))
}

fn session_line(session: &Session) -> String {
    let Session { program, threads, started, updated, wall_micros, .. } = session;
    format!(
        "{started} to {updated}   {} on {threads} thread{}   {program}",
        readable_seconds(*wall_micros as f64 / 1e6),
        if *threads == 1 { "" } else { "s" }
    )
}

fn show_games(store: &Store, run: &str, index: u64, games: &[usize], json: bool) -> Result<(), Failure> {
    let info = store.run(run)?;
    let spec = AnySpec::of(&info)?;
    let mut contest = spec.contest();
    let found = played_pair(&mut *contest, (store, &info.id), index)?;
    let PlayedPair { record: pair, players, variations } = found.ok_or_else(|| {
        Failure::usage(format!(
            "{} has no pair {} (games {} and {}): {} pairs are stored",
            info.id,
            index + 1,
            2 * index + 1,
            2 * index + 2,
            info.pairs
        ))
    })?;
    let variations = match &variations {
        Some([base, candidate]) => [Some(base), Some(candidate)],
        None => [None; 2],
    };
    if json {
        let games = games.iter().map(|&game| {
            let mut object = game_as_json(&pair, game);
            variations_as_json(variations).into_iter().for_each(|(key, value)| object[key] = value);
            object
        });
        let games: Vec<_> = games.collect();
        return print_out(json!({"run": info.id, "games": games}));
    }
    let limit = spec.conditions().limit;
    let [base, candidate] = &players;
    let seats = [Seat::of(base).with(variations[0]), Seat::of(candidate).with(variations[1])];
    let texts = games.iter().map(|&game| game_as_pgn(&info, limit, seats, (&pair, game)));
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    print_out(texts.concat().trim_end())
}

fn game_as_pgn(
    info: &RunInfo,
    limit: Limit,
    players: [Seat; 2],
    (pair, game): (&PairRecord, usize),
) -> Result<String, Failure> {
    let header = Header {
        event: &format!("{}: {}", info.id, info.question),
        site: "?",
        date: &date(info),
        pair: pair.index + 1,
        game: game as u8 + 1,
        base: players[0].name,
        candidate: players[1].name,
        limits: players.map(|player| player.limit.unwrap_or(limit)),
        remark: &remark(players),
    };
    write_pgn(&pair.games[game], &header).map_err(Failure::run)
}

fn game_as_json(pair: &PairRecord, game: usize) -> Value {
    let record = &pair.games[game];
    let GameRecord { opening, white, moves, result, termination, detail, telemetry, details } = record;
    let told = details.iter().flat_map(|details| &details.moves).map(Some).chain(std::iter::repeat(None));
    let moves: Vec<_> = moves
        .iter()
        .zip(told)
        .map(|(played, told)| {
            json!({
                "move": played.uci.to_string(),
                "score": played.score.map(|score| score.to_string()),
                "depth": played.depth,
                "nodes": played.nodes,
                "micros": played.micros,
                "own_ms": played.own_ms,
                "seldepth": told.and_then(|told| told.seldepth),
                "pv": told.map(|told| &told.pv),
            })
        })
        .collect();
    json!({
        "game": 2 * pair.index + 1 + game as u64,
        "pair": pair.index + 1,
        "opening": opening,
        "white": white,
        "result": result.as_str(),
        "termination": termination.as_str(),
        "detail": detail,
        "moves": moves,
        "telemetry": telemetry,
        "begun": details.as_ref().map(|details| rfc3339(details.begun)),
        "ended": details.as_ref().map(|details| rfc3339(details.ended)),
        "engines": details.as_ref().map(|details| json!({"base": details.base, "candidate": details.candidate})),
    })
}
