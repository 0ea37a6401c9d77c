//! `harness show RUN`: what is stored of one run, or one of its games.

use super::options::{RunOptions, current_folder};
use super::{Exit, Failure, print_out};
use crate::experiment::Experiment;
use crate::game::pgn::{Header, write_pgn};
use crate::game::record::{GameRecord, PairRecord};
use crate::report::run_report::RunReport;
use crate::report::stored_run::{StoredRun, experiment};
use crate::report::summary::readable_seconds;
use crate::store::{RunInfo, Session, Store};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Show a stored run: its question, state, figures and sessions; or single games of it
#[derive(Args)]
pub struct ShowArguments {
    /// Name of the run, or its beginning
    run: String,
    /// Show this game with its moves and scores; games are numbered from 1, two to a pair
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "pair")]
    game: Option<u64>,
    /// Show both games of this pair; pairs are numbered from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pair: Option<u64>,
    /// Folder of the store [default: results/ beside the configs folder]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Print one JSON object; games are an array in it
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// There is no such run or game, or it cannot be read.
pub fn execute(arguments: ShowArguments) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let ShowArguments { run, game, pair, results, json } = arguments;
    let store = Store::open_existing(&RunOptions::results_or_default(results, &folder)?)?;
    let wanted = match (game, pair) {
        (Some(game), _) => Some(((game - 1) / 2, vec![((game - 1) % 2) as usize])),
        (None, Some(pair)) => Some((pair - 1, vec![0, 1])),
        (None, None) => None,
    };
    match wanted {
        Some((index, games)) => show_games(&store, &run, index, &games, json),
        None => show_run(&StoredRun::read(&store, &run)?, json),
    }?;
    Ok(Exit::Done)
}

fn show_run(run: &StoredRun, json: bool) -> Result<(), Failure> {
    if json {
        let object = RunReport::new(run).json().map_err(Failure::run)?;
        return print_out(Value::Object(object));
    }
    let RunInfo { id, kind, question, created, finished, state, .. } = &run.info;
    print_out(format_args!("{id} · {kind} · {}", state.as_str()))?;
    print_out(format_args!("{question} · {}", run.experiment.bounds()))?;
    print_out(format_args!("begun {created}, ended {}\n", finished.as_deref().unwrap_or("-")))?;
    print_out(run.summary.text())?;
    print_out("\nSessions")?;
    run.sessions.iter().try_for_each(|session| print_out(session_line(session)))
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
    let experiment = experiment(&info)?;
    let pair = store.pairs(&info.id, index).next().transpose()?.filter(|pair| pair.index == index);
    let pair = pair.ok_or_else(|| {
        Failure::usage(format!(
            "{} has no pair {} (games {} and {}): {} pairs are stored",
            info.id,
            index + 1,
            2 * index + 1,
            2 * index + 2,
            info.pairs
        ))
    })?;
    if json {
        let games: Vec<_> = games.iter().map(|&game| game_as_json(&pair, game)).collect();
        return print_out(json!({"run": info.id, "games": games}));
    }
    let texts = games.iter().map(|&game| game_as_pgn(&info, &experiment, &pair, game));
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    print_out(texts.concat().trim_end())
}

fn game_as_pgn(
    info: &RunInfo,
    experiment: &Experiment,
    pair: &PairRecord,
    game: usize,
) -> Result<String, Failure> {
    let date = info.created.get(..10).unwrap_or("????-??-??").replace('-', ".");
    let header = Header {
        event: &format!("{}: {}", info.id, info.question),
        site: "?",
        date: &date,
        pair: pair.index + 1,
        game: game as u8 + 1,
        base: experiment.base.name(),
        candidate: experiment.candidate.name(),
        limit: experiment.conditions.limit,
    };
    write_pgn(&pair.games[game], &header).map_err(Failure::run)
}

fn game_as_json(pair: &PairRecord, game: usize) -> Value {
    let GameRecord { opening, white, moves, result, termination, detail, telemetry } = &pair.games[game];
    let moves: Vec<_> = moves
        .iter()
        .map(|played| {
            json!({
                "move": played.uci.to_string(),
                "score": played.score.map(|score| score.to_string()),
                "depth": played.depth,
                "nodes": played.nodes,
                "micros": played.micros,
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
    })
}
