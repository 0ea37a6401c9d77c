//! `harness verify RUN`: plays stored games again and compares them move by move.

use super::options::{RunOptions, current_folder};
use super::{Exit, Failure, print_out};
use crate::experiment::{Experiment, PlayerSpec};
use crate::game::record::PairRecord;
use crate::report::stored_run::experiment;
use crate::run::Interrupt;
use crate::run::verify::{Difference, verify};
use crate::store::Store;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Pairs that are read and played at a time: memory stays small, and an interrupt is soon heard.
const AT_ONCE: usize = 64;

/// Differences beyond this many are counted and not printed.
const MOST_SHOWN: usize = 10;

/// Play stored games again and compare them move by move; exit code 1 if one differs
///
/// Moves, scores, depths, nodes, results and the searches' counters must be the same; times may differ. Only games under
/// a node or depth limit can be played again.
#[derive(Args)]
pub struct VerifyArguments {
    /// Name of the run, or its beginning
    run: String,
    /// Play only so many pairs, evenly spread over the run [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Games in parallel [default: the number of physical cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
    /// Folder of the store [default: results/ beside the configs folder]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// The run cannot be played again, or a game differs.
pub fn execute(arguments: VerifyArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let VerifyArguments { run, sample, threads, results, json } = arguments;
    let store = Store::open_existing(&RunOptions::results_or_default(results, &folder)?)?;
    let info = store.run(&run)?;
    let experiment = experiment(&info)?;
    if !experiment.conditions.limit.is_deterministic() {
        return Err(Failure::usage(format!(
            "{} was played at {}, and with a clock no game comes twice: only runs under --nodes or --depth can be verified",
            info.id, experiment.conditions.limit
        )));
    }
    let terms = experiment.conditions.terms().map_err(Failure::usage)?;
    let threads = RunOptions { threads, ..RunOptions::default() }.threads();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        Failure::run(format!("the threads cannot be started ({error}); ask for fewer with --threads"))
    })?;

    let numbers = spread(&store.pair_indices(&info.id)?, sample);
    let mut differences = Vec::new();
    for some in numbers.chunks(AT_ONCE) {
        let read = |&index: &u64| store.pairs(&info.id, index).next().transpose();
        let pairs: Vec<Option<PairRecord>> = some.iter().map(read).collect::<Result<_, _>>()?;
        let pairs: Vec<PairRecord> = pairs.into_iter().flatten().collect();
        match verify(&pool, &experiment, &terms, &pairs, interrupt.flag()) {
            Some(found) => differences.extend(found),
            None => return Ok(Exit::Interrupted),
        }
    }
    let games = 2 * numbers.len();
    if json {
        let found: Vec<_> = differences.iter().map(as_json).collect();
        print_out(
            json!({"run": info.id, "games": games, "differing_games": found.len(), "differences": found}),
        )?;
    } else if differences.is_empty() {
        print_out(format_args!("{games} games of {} played again, every move the same", info.id))?;
    }
    match differences.as_slice() {
        [] => Ok(Exit::Done),
        found => Err(Failure::run(message(&info.id, games, found, &experiment))),
    }
}

/// As many of the numbers as are wanted, evenly spread, the first among them.
fn spread(numbers: &[u64], wanted: Option<u64>) -> Vec<u64> {
    match wanted.and_then(|wanted| usize::try_from(wanted).ok()) {
        Some(wanted) if wanted < numbers.len() => {
            (0..wanted).map(|place| numbers[place * numbers.len() / wanted]).collect()
        }
        _ => numbers.to_vec(),
    }
}

fn message(run: &str, games: usize, found: &[Difference], experiment: &Experiment) -> String {
    let shown: Vec<_> = found.iter().take(MOST_SHOWN).map(Difference::to_string).collect();
    format!(
        "{} of {games} games of {run} differ from what this program plays{}:\n  {}",
        found.len(),
        other_engine(experiment).unwrap_or_default(),
        shown.join("\n  ")
    )
}

/// The likeliest reason, if it is one: the engine has changed since.
fn other_engine(experiment: &Experiment) -> Option<String> {
    let changed =
        |player: &&PlayerSpec| player.measured_anew().map_or(true, |now| now.build() != player.build());
    let player = [&experiment.base, &experiment.candidate].into_iter().find(changed)?;
    Some(format!(
        ", whose engine searches {} otherwise than the one that played: use that version",
        player.file
    ))
}

fn as_json(difference: &Difference) -> serde_json::Value {
    let Difference { game, ply, stored, played } = difference;
    json!({"game": game, "ply": ply, "stored": stored, "played": played})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_the_run() {
        let numbers: Vec<u64> = (0..10).collect();
        assert_eq!(spread(&numbers, Some(4)), [0, 2, 5, 7]);
        assert_eq!(spread(&numbers, Some(1)), [0]);
        for wanted in [None, Some(10), Some(u64::MAX)] {
            assert_eq!(spread(&numbers, wanted), numbers);
        }
        assert_eq!(spread(&[], Some(3)), [0; 0]);
    }
}
