//! `harness check-engine COMMAND…`: does an engine speak UCI?

use crate::cli::conditions::load_player;
use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure, print_out};
use crate::options::{self, Name, Options};
use crate::players::BUILT_IN_COMMAND;
use crate::players::external::ExternalEngine;
use crate::players::external_file::ExternalFile;
use crate::players::spec::EngineSpec;
use crate::players::uci::{Outcome, Step, check};
use clap::Args;
use engine::config::find_config;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Check that an engine speaks UCI: a list of steps, and the dialogue of those it fails (exit code 1)
#[derive(Args)]
pub struct CheckEngineArguments {
    #[command(flatten)]
    options: Options<{ options::of(&[Name::json]) }>,
    /// A configuration, or a program with its arguments
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// The engine is not there, or failed a step.
pub fn execute(arguments: &CheckEngineArguments) -> Result<Exit, Failure> {
    let engine = find_engine(&arguments.command, &current_folder()?)?;
    let steps = check(&engine);
    let [passed, warned, failed, skipped] =
        [Outcome::Passed, Outcome::Warned, Outcome::Failed, Outcome::Skipped]
            .map(|outcome| steps.iter().filter(|step| step.outcome == outcome).count());
    if arguments.options.json.is_some() {
        print_out(json!({
            "engine": engine.name,
            "steps": steps,
            "passed": passed,
            "warned": warned,
            "failed": failed,
            "skipped": skipped,
        }))?;
    } else {
        steps.iter().try_for_each(|step| print_out(in_words(step)))?;
        print_out(format_args!(
            "{passed} passed, {warned} with a warning, {failed} failed, {skipped} skipped"
        ))?;
    }
    match failed {
        0 => Ok(Exit::Done),
        _ => Err(Failure::run(format!("{} failed {failed} of {} steps", engine.name, steps.len()))),
    }
}

/// A single word may name a configuration; everything else is a program.
fn find_engine(command: &[String], folder: &Path) -> Result<ExternalEngine, Failure> {
    if let [name] = command
        && (name.ends_with(".toml")
            || find_config(name, folder).is_ok_and(|path| path.extension().is_some_and(|end| end == "toml")))
    {
        let player = load_player(name, folder)?;
        if let EngineSpec::External(engine) = player.engine {
            return Ok(engine);
        }
        let config = player.config().expect("a configuration that was loaded can be played");
        let program = std::env::current_exe().map_err(Failure::run)?;
        return Ok(ExternalEngine::built_in(&program, BUILT_IN_COMMAND, config));
    }
    let file = ExternalFile {
        name: Some(command.join(" ")),
        command: command.to_vec(),
        dir: None,
        env: BTreeMap::new(),
        options: Vec::new(),
        sha256: None,
        restart: false,
    };
    ExternalEngine::find(file, Path::new("the command line")).map_err(Failure::run)
}

/// A line, and below it the dialogue if that is of interest.
fn in_words(step: &Step) -> String {
    let Step { name, outcome, detail, dialogue } = step;
    let outcome = match outcome {
        Outcome::Passed => "passed",
        Outcome::Warned => "WARNING",
        Outcome::Failed => "FAILED",
        Outcome::Skipped => "skipped",
    };
    let mut line = format!("{outcome:<8} {name}");
    if !detail.is_empty() {
        line += &format!(": {detail}");
    }
    line.extend(dialogue.iter().map(|said| format!("\n             {said}")));
    line
}
