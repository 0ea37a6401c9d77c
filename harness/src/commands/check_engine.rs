//! `harness check-engine COMMAND…`: does an engine speak UCI?

use crate::cli::files::{check_new, no_file};
use crate::cli::options::current_folder;
use crate::cli::player::load_player;
use crate::cli::{Exit, Failure, print_out};
use crate::options::{self, Name, Options};
use crate::players::BUILT_IN_COMMAND;
use crate::players::external::ExternalEngine;
use crate::players::external_file::ExternalFile;
use crate::players::restart::Restart;
use crate::players::spec::EngineSpec;
use crate::players::uci::{Outcome, Step, check};
use crate::report::tell;
use crate::whole_file;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Check that an engine speaks UCI: a list of steps, and the dialogue of those it fails (exit code 1)
#[derive(Args)]
pub struct CheckEngineArguments {
    #[command(flatten)]
    options: Options<{ options::of(&[Name::json]) }>,
    /// A configuration, or a program with its arguments; arguments that begin with a dash come after --
    #[arg(value_name = "COMMAND", required = true)]
    command: Vec<String>,
    /// Write a configuration of the engine, which says what options it has, to this file; it must not exist
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    write: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// The engine is not there, or failed a step.
pub fn execute(arguments: &CheckEngineArguments) -> Result<Exit, Failure> {
    let engine = find_engine(&arguments.command, &current_folder()?)?;
    if let Some(file) = &arguments.write {
        check_new(file, "--write")?;
    }
    let (steps, introduction) = check(&engine);
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
    if let Some(file) = &arguments.write {
        let text = config_file(engine.clone(), &introduction);
        whole_file::create(file, &text).map_err(|error| no_file(file, "--write", &error))?;
        tell(format_args!("{} describes this engine", file.display()));
    }
    match failed {
        0 => Ok(Exit::Done),
        _ => Err(Failure::run(format!("{} failed {failed} of {} steps", engine.name, steps.len()))),
    }
}

/// A single word is what names a player anywhere; several are a program with its arguments.
fn find_engine(command: &[String], folder: &Path) -> Result<ExternalEngine, Failure> {
    if let [word] = command {
        let player = load_player(word, folder)?;
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
        folder: folder.to_owned(),
        restart: Restart::Never,
        ..ExternalFile::default()
    };
    ExternalEngine::find(file, Path::new("the command line")).map_err(Failure::run)
}

/// A configuration of the engine under the name it gives itself, with the options it declares as comments.
fn config_file(mut engine: ExternalEngine, introduction: &[String]) -> String {
    let name = introduction.iter().find_map(|line| line.trim().strip_prefix("id name "));
    engine.name = name.unwrap_or(&engine.name).trim().to_owned();
    // From any folder.
    engine.command[0] = engine.program.display().to_string();
    engine.restart = Restart::AfterCrash;
    let options = introduction.iter().filter(|line| line.trim().starts_with("option "));
    let options: String = options.map(|line| format!("#   {}\n", line.trim())).collect();
    format!("{}\n# What it declares; set some of it in `options` above:\n{options}", engine.to_toml())
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
