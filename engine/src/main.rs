//! Command line of the engine: UCI by default, and commands to measure and to explain.

use clap::{Args, Parser, Subcommand};
use engine::bench::{self, DEFAULT_DEPTH};
use engine::config::{EngineConfig, find_config, format_weights};
use engine::explain::Explainer;
use engine::params_format::{Format, format_params};
use engine::position::{self, Game, Position};
use engine::search::{Limits, Searcher, Signals};
use engine::uci;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

/// A chess engine made to be tuned. Without a command it speaks UCI on its standard streams.
#[derive(Parser)]
#[command(name = "engine", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    configuration: Configuration,
}

#[derive(Args)]
struct Configuration {
    /// Configuration file; without it, the full engine plays.
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// One parameter, technique or group of weights to override; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Search fixed positions; the node total is the engine's signature.
    Bench {
        /// Depth of each search, plies.
        #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
        depth: u32,
        /// Print one JSON object instead.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        configuration: Configuration,
    },
    /// Explain one search: windows, re-searches, best lines, counters.
    Explain {
        /// The position, in quotes.
        fen: String,
        /// Depth to search, plies.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
        depth: u32,
        /// Show the tree of the last iteration down to this ply, too.
        #[arg(long, value_name = "PLIES", default_value_t = 0)]
        tree: usize,
        #[command(flatten)]
        configuration: Configuration,
    },
    /// List every parameter: default, range, step, meaning.
    Params {
        /// How to write them.
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
        #[command(flatten)]
        configuration: Configuration,
    },
    /// List every weight of the static evaluation, as the [eval] section of a config.
    Weights {
        #[command(flatten)]
        configuration: Configuration,
    },
    /// Count the leaves of the legal move tree.
    Perft {
        /// The position, in quotes.
        fen: String,
        /// Depth of the tree, plies.
        depth: u32,
        /// Show the count below each move, too.
        #[arg(long)]
        divide: bool,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Every failure here is one of usage or configuration.
fn run(cli: Cli) -> Result<(), String> {
    match cli.command {
        None => uci::run(load(&cli.configuration)?, std::io::stdin().lock())
            .map_err(|error| format!("no thread to search on: {error}")),
        Some(Command::Bench { depth, json, configuration }) => run_bench(&load(&configuration)?, depth, json),
        Some(Command::Explain { fen, depth, tree, configuration }) => {
            let game = Game::new(parse_fen(&fen)?);
            let chess960 = game.position().is_chess960();
            let mut explainer = Explainer::new(std::io::stdout().lock(), chess960, depth, tree);
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let mut searcher = Searcher::new(&load(&configuration)?, uci::DEFAULT_HASH);
            searcher.search(&game, &[], &limits, Signals::none(), &mut explainer);
            explainer.finish(&game);
            Ok(())
        }
        Some(Command::Params { format, configuration }) => {
            print_out(format_params(&load(&configuration)?.params, format).trim_end());
            Ok(())
        }
        Some(Command::Weights { configuration }) => {
            print_out(format_weights(&load(&configuration)?.eval).trim_end());
            Ok(())
        }
        Some(Command::Perft { fen, depth, divide }) => run_perft(&parse_fen(&fen)?, depth, divide),
    }
}

fn run_bench(config: &EngineConfig, depth: u32, json: bool) -> Result<(), String> {
    let result = bench::bench(config, depth);
    if json {
        print_out(serde_json::to_string(&result).map_err(|error| error.to_string())?);
        return Ok(());
    }
    for (fen, nodes) in bench::POSITIONS.iter().zip(&result.nodes_by_position) {
        print_out(format_args!("{nodes:>10}  {fen}"));
    }
    print_out(format_args!("{} nodes {} nps", result.nodes, result.nps));
    Ok(())
}

fn run_perft(board: &Position, depth: u32, divide: bool) -> Result<(), String> {
    let started = Instant::now();
    let chess960 = board.is_chess960();
    let counts = position::divide(board, depth);
    let total: u64 = match depth {
        0 => 1,
        _ => counts.iter().map(|(_, nodes)| nodes).sum(),
    };
    if divide {
        for (mv, nodes) in &counts {
            print_out(format_args!("{}: {nodes}", mv.to_uci(chess960)));
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    print_out(format_args!("{total} nodes {} nps", (total as f64 / seconds.max(1e-9)) as u64));
    Ok(())
}

/// A line to standard output. A closed pipe means that the reader has seen enough; anything else that
/// keeps the line from being written is a failure.
fn print_out(line: impl Display) {
    match writeln!(std::io::stdout(), "{line}") {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("error: standard output takes no more ({error}): see where it leads");
            std::process::exit(1);
        }
    }
}

fn parse_fen(fen: &str) -> Result<Position, String> {
    match fen {
        "startpos" => Ok(Position::start()),
        _ => Position::from_fen(fen).map_err(|error| format!("error: {fen:?} is no position: {error}")),
    }
}

fn load(configuration: &Configuration) -> Result<EngineConfig, String> {
    let mut config = match &configuration.config {
        None => EngineConfig::default(),
        Some(argument) => {
            let folder =
                std::env::current_dir().map_err(|error| format!("error: no current folder: {error}"))?;
            let path = find_config(argument, &folder).map_err(|error| error.to_string())?;
            EngineConfig::load(&path).map_err(|errors| errors.to_string())?
        }
    };
    config.set_all(&configuration.overrides).map_err(|error| error.to_string())?;
    Ok(config)
}
