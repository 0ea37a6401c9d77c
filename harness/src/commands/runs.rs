//! `harness runs`: what is stored, what people say of it, and the end of what is no longer wanted.

use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure, print_out};
use crate::options::{self, Name, Options};
use crate::report::figures::{signed, to_digits};
use crate::report::tell;
use crate::store::{RunInfo, Store};
use clap::Args;
use serde_json::{Value, json};
use std::io::{IsTerminal, stdin};

/// List the stored runs, newest first; or label, annotate or delete one
#[derive(Args)]
pub struct RunsArguments {
    /// Name of a run, or its beginning: only what begins so is listed
    run: Option<String>,
    /// Label the run: a word or two by which you know it; an empty text takes it away
    #[arg(long, value_name = "TEXT", requires = "run")]
    label: Option<String>,
    /// Say something of the run, which is shown with it; an empty text takes it away
    #[arg(long, value_name = "TEXT", requires = "run")]
    note: Option<String>,
    /// Delete the run with all its games; it asks first
    #[arg(long, requires = "run", conflicts_with_all = ["label", "note"])]
    delete: bool,
    /// Delete without asking
    #[arg(long, requires = "delete")]
    yes: bool,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::results, Name::json]) }>,
}

/// Runs the command.
///
/// # Errors
/// There is no store or no such run, it is being played, or it cannot be read or written.
pub fn execute(arguments: RunsArguments) -> Result<Exit, Failure> {
    let results = arguments.options.results_in(&current_folder()?)?;
    let RunsArguments { run, label, note, delete, yes, options } = arguments;
    if let Some(run) = run.as_deref().filter(|_| delete || label.is_some() || note.is_some()) {
        // A store that is not there is not made for this.
        let info = Store::read(&results, |store| store.run(run))?;
        let mut store = Store::open(&results)?;
        if delete {
            return deleted(&mut store, &info, yes);
        }
        for text in label.iter().chain(&note) {
            if text.contains(|c: char| c.is_control() && c != '\n') {
                return Err(Failure::usage("a label or note has no control characters"));
            }
        }
        store.describe(&info.id, label.as_deref(), note.as_deref())?;
        return Ok(Exit::Done);
    }
    let mut runs = Store::read(&results, Store::runs)?;
    if let Some(beginning) = &run {
        runs.retain(|run| run.id.starts_with(beginning.as_str()));
        if runs.is_empty() {
            // The sentence about a run that is not there, with the nearest name.
            Store::read(&results, |store| store.run(beginning))?;
        }
    }
    if options.json.is_some() {
        let array: Vec<_> = runs.iter().map(as_json).collect();
        print_out(serde_json::to_string(&array).map_err(Failure::run)?)?;
        return Ok(Exit::Done);
    }
    let width = runs.iter().map(|run| run.id.len()).max().unwrap_or_default();
    runs.iter().try_for_each(|run| print_out(line(run, width)))?;
    Ok(Exit::Done)
}

/// Deletes a run, if that is meant.
fn deleted(store: &mut Store, run: &RunInfo, is_sure: bool) -> Result<Exit, Failure> {
    let RunInfo { id, question, .. } = run;
    let lock = store.lock_run(id)?;
    if !is_sure {
        if !stdin().is_terminal() {
            return Err(Failure::usage(format!("{id} is not deleted: give --yes where nobody can be asked")));
        }
        tell(format_args!(
            "{id} · {question}\n{} games would be gone, and nothing brings them back (`harness report {id}` and --pgn keep what they tell).",
            run.games()
        ));
        tell("Delete it? Type yes:");
        let mut answer = String::new();
        stdin().read_line(&mut answer).map_err(Failure::run)?;
        if answer.trim() != "yes" {
            tell("nothing was deleted");
            return Ok(Exit::Interrupted);
        }
    }
    store.delete(&lock)?;
    tell(format_args!("{id} is deleted, with {} games", run.games()));
    Ok(Exit::Done)
}

/// One run in a line, its note in another.
fn line(run: &RunInfo, width: usize) -> String {
    let RunInfo { id, state, verdict, question, label, note, .. } = run;
    let verdict = verdict.as_deref().unwrap_or("-");
    let (elo, llr) = figures(run);
    let elo = elo.map_or("-".to_owned(), |[estimate, margin]| {
        format!("{} ± {}", signed(estimate), to_digits(margin, 1))
    });
    let llr = llr.map_or("-".to_owned(), |llr| to_digits(llr, 2));
    let label = label.as_ref().map(|label| format!("[{label}] ")).unwrap_or_default();
    let note = note
        .as_ref()
        .map(|note| format!("\n{:width$}  {}", "", note.replace('\n', &format!("\n{:width$}  ", ""))))
        .unwrap_or_default();
    format!(
        "{id:<width$}  {:<11}  {verdict:<14}  {:>7} games  {elo:>15}  {llr:>6}  {label}{question}{note}",
        state.as_str(),
        counted_games(run)
    )
}

/// Elo with its margin, and the LLR, of a run that has ended and has one of each.
fn figures(run: &RunInfo) -> (Option<[f64; 2]>, Option<f64>) {
    let summary: Option<Value> =
        run.summary_json.as_deref().and_then(|summary| serde_json::from_str(summary).ok());
    let Some(summary) = summary else { return (None, None) };
    let number = |value: &Value| value.as_f64();
    let elo = &summary["elo"];
    let elo =
        number(&elo["estimate"]).zip(number(&elo["margin"])).map(|(estimate, margin)| [estimate, margin]);
    (elo, number(&summary["llr"]))
}

/// The games behind the verdict; while there is none, those stored.
fn counted_games(run: &RunInfo) -> u64 {
    run.counted.map_or_else(|| run.games(), |pairs| 2 * pairs)
}

fn as_json(run: &RunInfo) -> Value {
    let (elo, llr) = figures(run);
    json!({
        "run": run.id,
        "kind": run.kind,
        "state": run.state.as_str(),
        "started": run.created,
        "verdict": run.verdict,
        "games": counted_games(run),
        "question": run.question,
        "elo": elo.map(|[estimate, margin]| json!({"estimate": estimate, "margin": margin})),
        "llr": llr,
        "label": run.label,
        "note": run.note,
    })
}
