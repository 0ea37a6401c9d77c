//! `harness nodes CONFIG…`: how many nodes each configuration needs to reach a depth.

use crate::cli::options::current_folder;
use crate::cli::told_apart::distinct;
use crate::cli::{Exit, Failure, print_out};
use crate::options::{self, Name, Options, whole};
use clap::Args;
use engine::config::{EngineConfig, find_config};
use engine::position::{Game, Position};
use engine::search::observer::{Iteration, Observer};
use engine::search::{Bound, Limits, Searcher, Signals};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::mpsc;

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
/// alone, added to the first configuration. A search that reaches the limit of --max-nodes is cut off: its position
/// shows `-`, and its line `>` with the nodes searched and the depth that was reached in every position.
#[derive(Args)]
pub struct NodesArguments {
    /// Configurations; the others are seen relative to the first
    #[arg(required = true)]
    configs: Vec<String>,
    /// Depth, plies
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole::<u32>(1..=40), allow_negative_numbers = true)]
    depth: u32,
    /// Nodes after which the search of a position is cut off
    #[arg(long, value_name = "N", default_value_t = 25_000_000, value_parser = whole::<u64>(1..), allow_negative_numbers = true)]
    max_nodes: u64,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::json]) }>,
}

/// One line of the table. What was cut off is not known: it is `null`, and so is what would be computed from it.
#[derive(Serialize)]
struct Row {
    config: String,
    depth: u32,
    /// The depth reached in every position; `depth`, unless a search was cut off.
    depth_reached: u32,
    nodes: Option<u64>,
    nodes_by_position: Vec<Option<u64>>,
    /// Nodes divided by those of the first line.
    relative: Option<f64>,
    /// Nodes of all searches, those cut off included.
    #[serde(skip)]
    searched: u64,
}

/// The search of one position.
struct Count {
    nodes: u64,
    depth_reached: u32,
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
    let mut configs: Vec<EngineConfig> = arguments.configs.iter().map(load).collect::<Result<_, _>>()?;
    let names = configs.iter().map(|config| config.name.clone()).collect();
    let names = distinct(names, std::slice::from_ref(&arguments.configs));
    configs.iter_mut().zip(names).for_each(|(config, name)| config.name = name);
    let configs = match configs.as_slice() {
        [first, second] => taken_apart(first, second),
        _ => configs,
    };

    let depth = arguments.depth;
    let limits = Limits { depth: Some(depth), nodes: Some(arguments.max_nodes), ..Limits::default() };
    let width = configs.iter().map(|config| config.name.chars().count()).max().unwrap_or(0);
    if arguments.options.json.is_none() {
        print_heading(width, depth)?;
    }
    let mut rows: Vec<Row> = Vec::new();
    in_order(
        &configs,
        |config| count(config, &limits),
        |config, counts| {
            let row = Row::new(&config.name, depth, &counts, rows.first());
            if arguments.options.json.is_none() {
                print_row(width, &row)?;
            }
            rows.push(row);
            Ok(())
        },
    )?;
    if arguments.options.json.is_some() {
        print_out(serde_json::to_string(&rows).map_err(Failure::run)?)?;
    }
    Ok(Exit::Done)
}

impl Row {
    fn new(config: &str, depth: u32, counts: &[Count], first: Option<&Row>) -> Row {
        let nodes_by_position: Vec<Option<u64>> =
            counts.iter().map(|count| (count.depth_reached == depth).then_some(count.nodes)).collect();
        let nodes: Option<u64> = nodes_by_position.iter().copied().sum();
        let of = first.map_or(nodes, |first| first.nodes);
        Row {
            config: config.to_owned(),
            depth,
            depth_reached: counts.iter().map(|count| count.depth_reached).min().unwrap_or(0),
            nodes,
            nodes_by_position,
            relative: nodes.zip(of).map(|(nodes, of)| nodes as f64 / of as f64),
            searched: counts.iter().map(|count| count.nodes).sum(),
        }
    }
}

/// Works on the items in parallel and hands the results on in the items' order, each as soon as it and those before it
/// are there.
fn in_order<I: Sync, T: Send>(
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
    mut hand_on: impl FnMut(&I, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let pool = ThreadPoolBuilder::new().build().map_err(Failure::run)?;
    let (sender, results) = mpsc::channel();
    pool.in_place_scope(|scope| {
        // A bridge deals the items in their order, so that the first are done first.
        scope.spawn(|_| {
            items.iter().enumerate().par_bridge().for_each_with(sender, |sender, (index, item)| {
                // Nobody listens any more once a line could not be printed.
                let _ = sender.send((index, work(item)));
            });
        });
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&next) {
                hand_on(&items[next], result)?;
                next += 1;
            }
        }
        Ok(())
    })
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

fn count(config: &EngineConfig, limits: &Limits) -> Vec<Count> {
    let mut searcher = Searcher::new(config, HASH_MEGABYTES);
    let count = |fen: &&str| {
        let game = Game::new(Position::from_fen(fen).expect("the six positions are valid"));
        searcher.new_game();
        let mut finished = Finished::default();
        let nodes = searcher.search(&game, &[], limits, Signals::none(), &mut finished).nodes;
        Count { nodes, depth_reached: finished.depth }
    };
    POSITIONS.iter().map(count).collect()
}

/// The last depth that was searched to its end.
#[derive(Default)]
struct Finished {
    depth: u32,
}

impl Observer for Finished {
    fn root_result(&mut self, iteration: &Iteration) {
        if iteration.bound == Bound::Exact {
            self.depth = iteration.depth;
        }
    }
}

fn print_heading(width: usize, depth: u32) -> Result<(), Failure> {
    print_out(format_args!(
        "{:<width$}  {:>12}  {:>8}   by position, to depth {depth}",
        "", "nodes", "relative"
    ))
}

fn print_row(width: usize, row: &Row) -> Result<(), Failure> {
    let nodes = row.nodes.map_or_else(|| format!("> {}", row.searched), |nodes| nodes.to_string());
    let relative = row.relative.map_or_else(|| "-  ".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let each: String = row
        .nodes_by_position
        .iter()
        .map(|nodes| format!(" {:>9}", nodes.map_or_else(|| "-".to_owned(), |nodes| nodes.to_string())))
        .collect();
    let reached = match row.nodes {
        Some(_) => String::new(),
        None => format!("  (depth {} reached)", row.depth_reached),
    };
    print_out(format_args!("{:<width$}  {nodes:>12}  {relative:>8}  {each}{reached}", row.config))
}
