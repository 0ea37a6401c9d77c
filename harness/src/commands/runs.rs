//! `harness runs`: what is stored.

use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure, print_out};
use crate::options::{self, Name, Options};
use crate::store::{RunInfo, Store};
use clap::Args;
use serde_json::{Value, json};

/// List the stored runs, newest first
#[derive(Args)]
pub struct RunsArguments {
    #[command(flatten)]
    options: Options<{ options::of(&[Name::results, Name::json]) }>,
}

/// Runs the command.
///
/// # Errors
/// There is no store, or it cannot be read.
pub fn execute(arguments: RunsArguments) -> Result<Exit, Failure> {
    let results = arguments.options.results_in(&current_folder()?)?;
    let runs = Store::read(&results, Store::runs)?;
    if arguments.options.json.is_some() {
        let array: Vec<_> = runs.iter().map(as_json).collect();
        print_out(serde_json::to_string(&array).map_err(Failure::run)?)?;
        return Ok(Exit::Done);
    }
    for run in &runs {
        let RunInfo { id, state, verdict, question, .. } = run;
        let verdict = verdict.as_deref().unwrap_or("-");
        print_out(format_args!(
            "{id}  {:<11}  {verdict:<9}  {:>7} games  {question}",
            state.as_str(),
            counted_games(run)
        ))?;
    }
    Ok(Exit::Done)
}

/// The games behind the verdict; while there is none, those stored.
fn counted_games(run: &RunInfo) -> u64 {
    run.counted.map_or_else(|| run.games(), |pairs| 2 * pairs)
}

fn as_json(run: &RunInfo) -> Value {
    json!({
        "run": run.id,
        "kind": run.kind,
        "state": run.state.as_str(),
        "started": run.created,
        "verdict": run.verdict,
        "games": counted_games(run),
        "question": run.question,
    })
}
