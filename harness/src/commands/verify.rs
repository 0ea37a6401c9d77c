//! `harness verify RUN`: plays stored games again and compares them move by move.

use crate::cli::conditions::check_memory;
use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure, print_out};
use crate::kinds::AnySpec;
use crate::options::{self, Name, Options, whole};
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::run::Interrupt;
use crate::run::recount::played_pairs;
use crate::run::verify::{Difference, verify};
use crate::store::{RunInfo, Store};
use clap::Args;
use serde_json::json;
use std::collections::BTreeSet;

/// Pairs that are read and played at a time: memory stays small, and an interrupt is soon heard.
const AT_ONCE: usize = 64;

/// Differences beyond this many are counted and not printed.
const MOST_SHOWN: usize = 10;

/// Play stored games again and compare them move by move; exit code 1 if one differs
///
/// Moves, scores, depths, nodes, results and the searches' counters must be the same; times may differ. Only games under
/// a node or depth limit can be played again, of a run of any kind; in a sweep or a tuning run who plays follows from the
/// pairs before.
#[derive(Args)]
pub struct VerifyArguments {
    /// Name of the run, or its beginning
    run: String,
    /// Play only so many pairs, evenly spread over the run [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..), allow_negative_numbers = true)]
    sample: Option<u64>,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::threads, Name::results, Name::json]) }>,
}

/// Runs the command.
///
/// # Errors
/// The run cannot be played again, or a game differs.
pub fn execute(arguments: VerifyArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let results = arguments.options.results_in(&current_folder()?)?;
    Store::read(&results, |store| verify_stored(store, &arguments, interrupt))
}

fn verify_stored(store: &Store, arguments: &VerifyArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let VerifyArguments { run, sample, options } = arguments;
    let info = store.run(run)?;
    let spec = AnySpec::of(&info)?;
    let common = spec.conditions().limit;
    let limits = spec.players().into_iter().map(|(_, player)| player.limit.unwrap_or(common));
    if let Some(limit) = limits.into_iter().find(|limit| !limit.is_deterministic()) {
        return Err(Failure::usage(format!(
            "{} was played at {limit}, and with a clock no game comes twice: only runs under --nodes or --depth can be \
             verified",
            info.id
        )));
    }
    let numbers = spread(&store.pair_indices(&info.id)?, *sample).into_iter().collect();
    let Some((pairs, differences)) = replay((store, &info), &spec, &numbers, options.threads(), interrupt)?
    else {
        return Ok(Exit::Interrupted);
    };
    let games = 2 * pairs;
    if options.json.is_some() {
        let found: Vec<_> = differences.iter().map(as_json).collect();
        print_out(
            json!({"run": info.id, "games": games, "differing_games": found.len(), "differences": found}),
        )?;
    } else if games == 0 {
        print_out(format_args!("no games of {} are stored, so none was played again", info.id))?;
    } else if differences.is_empty() {
        print_out(format_args!("{games} games of {} played again, every move the same", info.id))?;
    }
    match differences.as_slice() {
        [] => Ok(Exit::Done),
        found => Err(Failure::run(message(&info.id, games, found, &spec))),
    }
}

/// Plays the pairs of these numbers again: how many there were, and what differs. None if it was interrupted.
fn replay(
    (store, info): (&Store, &RunInfo),
    spec: &AnySpec,
    numbers: &BTreeSet<u64>,
    threads: usize,
    interrupt: &Interrupt,
) -> Result<Option<(usize, Vec<Difference>)>, Failure> {
    let unplayable = spec.players().into_iter().find_map(|(_, player)| player.is_playable().err());
    unplayable.map_or(Ok(()), |why| Err(Failure::run(why)))?;
    let conditions = spec.conditions();
    let terms = conditions.terms().map_err(Failure::usage)?;
    let setup = Setup::new(conditions.hash_megabytes);
    check_memory(setup.kept_players, threads, setup.hash_megabytes)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        Failure::run(format!("the threads cannot be started ({error}); ask for fewer with --threads"))
    })?;
    let (mut pairs, mut differences) = (0, Vec::new());
    let mut contest = spec.contest();
    let mut stored = played_pairs(&mut *contest, (store, &info.id));
    loop {
        let mut some = Vec::new();
        while some.len() < AT_ONCE
            && let Some(pair) = stored.next().transpose()?
        {
            if numbers.contains(&pair.record.index) {
                some.push(pair);
            }
        }
        if some.is_empty() {
            return Ok(Some((pairs, differences)));
        }
        pairs += some.len();
        match verify(&pool, &setup, &terms, &some, interrupt.flag()) {
            Some(found) => differences.extend(found),
            None => return Ok(None),
        }
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

fn message(run: &str, games: usize, found: &[Difference], spec: &AnySpec) -> String {
    let shown: Vec<_> = found.iter().take(MOST_SHOWN).map(Difference::to_string).collect();
    format!(
        "{} of {games} games of {run} differ from what this program plays{}:\n  {}",
        found.len(),
        other_engine(spec).unwrap_or_default(),
        shown.join("\n  ")
    )
}

/// The likeliest reason, if it is one: the engine has changed since.
fn other_engine(spec: &AnySpec) -> Option<String> {
    let is_changed =
        |player: &&PlayerSpec| player.measured_anew().map_or(true, |now| now.build() != player.build());
    let player = spec.players().into_iter().map(|(_, player)| player).find(is_changed)?;
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
