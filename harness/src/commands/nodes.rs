//! `harness nodes CONFIG…`: how many nodes each configuration needs to reach a depth.

use super::options::current_folder;
use super::{Exit, Failure, print_out};
use clap::Args;
use engine::config::{EngineConfig, find_config};
use engine::position::{Game, Position};
use engine::search::observer::Unobserved;
use engine::search::{Limits, Searcher, Signals};
use rayon::prelude::*;
use serde::Serialize;

/// Six positions from opening to endgame, with and without tactics.
pub const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQkq - 3 8",
    "2rq1rk1/pp1bppbp/3p1np1/4n3/3NP3/1BN1BP2/PPPQ2PP/2KR3R b - - 4 11",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// More techniques than this are not taken apart one by one.
const MOST_APART: usize = 4;

/// Table size of each search, MB.
pub const HASH_MEGABYTES: usize = 64;

/// Count the nodes each configuration needs to reach a depth over six positions
///
/// Two configurations that differ in a few techniques are taken apart: each of these techniques is also counted
/// alone, added to the first configuration.
#[derive(Args)]
pub struct NodesArguments {
    /// Configurations; the others are seen relative to the first
    #[arg(required = true)]
    configs: Vec<String>,
    /// Depth, plies
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// One line of the table.
#[derive(Serialize)]
struct Row {
    config: String,
    depth: u32,
    nodes: u64,
    nodes_by_position: Vec<u64>,
    /// Nodes divided by those of the first line.
    relative: f64,
}

/// Runs the command.
///
/// # Errors
/// A configuration cannot be loaded.
pub fn execute(arguments: NodesArguments) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let load = |name: &String| {
        let path = find_config(name, &folder).map_err(Failure::usage)?;
        EngineConfig::load(&path).map_err(Failure::usage)
    };
    let configs: Vec<EngineConfig> = arguments.configs.iter().map(load).collect::<Result<_, _>>()?;
    let configs = match configs.as_slice() {
        [first, second] => taken_apart(first, second),
        _ => configs,
    };

    let counts: Vec<Vec<u64>> =
        configs.par_iter().map(|config| nodes_to_depth(config, arguments.depth)).collect();
    let first: u64 = counts[0].iter().sum();
    let rows: Vec<Row> = configs
        .into_iter()
        .zip(counts)
        .map(|(config, nodes_by_position)| {
            let nodes = nodes_by_position.iter().sum();
            let relative = nodes as f64 / first as f64;
            Row { config: config.name, depth: arguments.depth, nodes, nodes_by_position, relative }
        })
        .collect();
    match arguments.json {
        true => print_out(serde_json::to_string(&rows).map_err(Failure::run)?)?,
        false => print_table(&rows)?,
    }
    Ok(Exit::Done)
}

/// Both configurations, and between them the first with each technique of the second's alone, if there are few.
fn taken_apart(first: &EngineConfig, second: &EngineConfig) -> Vec<EngineConfig> {
    let added: Vec<&str> = first
        .techniques
        .iter()
        .zip(second.techniques.iter())
        .filter(|((_, before), (_, after))| !before && *after)
        .map(|((info, _), _)| info.name)
        .collect();
    let mut configs = vec![first.clone()];
    if (2..=MOST_APART).contains(&added.len()) {
        configs.extend(added.iter().filter_map(|name| {
            let mut techniques = first.techniques;
            techniques.set(name, true).ok()?;
            let name = format!("{} + {name}", first.name);
            // One that needs another of them cannot stand alone.
            techniques.check().is_empty().then(|| EngineConfig { name, techniques, ..second.clone() })
        }));
    }
    configs.push(second.clone());
    configs
}

fn nodes_to_depth(config: &EngineConfig, depth: u32) -> Vec<u64> {
    let mut searcher = Searcher::new(config, HASH_MEGABYTES);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let count = |fen: &&str| {
        let game = Game::new(Position::from_fen(fen).expect("the six positions are valid"));
        searcher.new_game();
        searcher.search(&game, &[], &limits, Signals::none(), &mut Unobserved).nodes
    };
    POSITIONS.iter().map(count).collect()
}

fn print_table(rows: &[Row]) -> Result<(), Failure> {
    let width = rows.iter().map(|row| row.config.chars().count()).max().unwrap_or(0);
    let depth = rows.first().map_or(0, |row| row.depth);
    print_out(format_args!(
        "{:<width$}  {:>12}  {:>8}   by position, to depth {depth}",
        "", "nodes", "relative"
    ))?;
    for Row { config, nodes, nodes_by_position, relative, .. } in rows {
        let each: String = nodes_by_position.iter().map(|nodes| format!(" {nodes:>9}")).collect();
        print_out(format_args!("{config:<width$}  {nodes:>12}  {:>6.1} %  {each}", 100.0 * relative))?;
    }
    Ok(())
}
