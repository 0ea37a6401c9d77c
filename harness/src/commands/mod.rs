//! The commands, a file each: arguments in, a call of the library, output out.

pub mod book;
pub mod check_engine;
pub mod compare;
pub mod conditions;
pub mod counts;
pub mod distort;
pub mod documents;
pub mod elo;
pub mod engine_options;
pub mod expected;
pub mod files;
pub mod fit_eval;
pub mod job;
pub mod ladder;
pub mod matches;
pub mod nodes;
pub mod numbers;
pub mod options;
pub mod own_limit;
pub mod pair_options;
pub mod plan;
pub mod play;
pub mod preset;
pub mod report;
pub mod reproduce;
pub mod run_arguments;
pub mod runs;
pub mod series;
pub mod show;
pub mod simulate;
pub mod sprt;
pub mod sweep;
pub mod sweep_files;
pub mod test_options;
pub mod told_apart;
pub mod tune;
pub mod tune_files;
pub mod verify;

use crate::kinds::not_read::NotRead;
use crate::report::sealed::NotWritten;
use crate::report::tell;
use crate::run::Interrupt;
use crate::store::StoreError;
use clap::Subcommand;
use engine::config::EngineConfig;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::sync::Arc;

/// What the program is asked to do; each is described by its arguments.
#[derive(Subcommand)]
#[expect(missing_docs, reason = "a variant's comment would stand in the help in the place of its arguments'")]
pub enum Command {
    Sprt(Box<sprt::SprtArguments>),
    Match(Box<matches::MatchArguments>),
    Tune(Box<tune::TuneArguments>),
    Ladder(Box<ladder::LadderArguments>),
    Reproduce(Box<reproduce::ReproduceArguments>),
    Plan(Box<plan::PlanArguments>),
    Simulate(Box<simulate::SimulateArguments>),
    Elo(elo::EloArguments),
    Sweep(Box<sweep::SweepArguments>),
    Nodes(nodes::NodesArguments),
    Distort(distort::DistortArguments),
    Book(book::BookArguments),
    CheckEngine(check_engine::CheckEngineArguments),
    Runs(runs::RunsArguments),
    /// The built-in engine over UCI, for --out-of-process.
    #[command(hide = true)]
    Uci {
        /// Every value of its configuration, JSON
        config: String,
    },
    Show(show::ShowArguments),
    Report(report::ReportArguments),
    Verify(verify::VerifyArguments),
    Compare(compare::CompareArguments),
    Completions(documents::CompletionsArguments),
    Man(documents::ManArguments),
    #[command(name = "fit-eval")]
    FitEval(Box<fit_eval::FitArguments>),
}

impl Command {
    /// Does it. `program` describes the command line as a whole.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn execute(self, program: impl FnOnce() -> clap::Command) -> Result<Exit, Failure> {
        match self {
            Command::Sprt(arguments) => sprt::execute(*arguments, &*interrupts()?),
            Command::Match(arguments) => matches::execute(*arguments, &*interrupts()?),
            Command::Tune(arguments) => tune::execute(*arguments, &*interrupts()?),
            Command::Ladder(arguments) => ladder::execute(*arguments, &*interrupts()?),
            Command::Reproduce(arguments) => reproduce::execute(*arguments, &*interrupts()?),
            Command::Plan(arguments) => plan::execute(*arguments, &*interrupts()?),
            Command::Simulate(arguments) => simulate::execute(*arguments),
            Command::Elo(arguments) => elo::execute(arguments),
            Command::Sweep(arguments) => sweep::execute(*arguments, &*interrupts()?),
            Command::Nodes(arguments) => nodes::execute(arguments),
            Command::Distort(arguments) => distort::execute(arguments, &*interrupts()?),
            Command::Book(arguments) => book::execute(arguments, &*interrupts()?),
            Command::FitEval(arguments) => fit_eval::execute(*arguments, &*interrupts()?),
            Command::CheckEngine(arguments) => check_engine::execute(&arguments),
            Command::Runs(arguments) => runs::execute(arguments),
            Command::Uci { config } => uci(&config),
            Command::Show(arguments) => show::execute(arguments),
            Command::Report(arguments) => report::execute(arguments),
            Command::Verify(arguments) => verify::execute(arguments, &*interrupts()?),
            Command::Compare(arguments) => compare::execute(arguments),
            Command::Completions(arguments) => documents::completions(&arguments, program()),
            Command::Man(arguments) => documents::man(&arguments, program()),
        }
    }
}

fn uci(config: &str) -> Result<Exit, Failure> {
    let config: EngineConfig = serde_json::from_str(config)
        .map_err(|error| Failure::usage(format!("no configuration of the built-in engine: {error}")))?;
    let played = engine::uci::run(config, std::io::stdin().lock());
    played.map_err(|error| Failure::Run(format!("no thread to search on: {error}")))?;
    Ok(Exit::Done)
}

/// The first Ctrl-C lets the pairs in flight finish; the second ends the process, and nothing stored is lost.
fn interrupts() -> Result<Arc<Interrupt>, Failure> {
    let interrupt = Arc::new(Interrupt::default());
    let heard = Arc::clone(&interrupt);
    ctrlc::set_handler(move || {
        if heard.ask() {
            std::process::exit(130);
        }
        tell("finishing what is in flight; interrupt again to stop at once");
    })
    .map_err(|error| Failure::run(format!("interrupts cannot be caught: {error}")))?;
    Ok(interrupt)
}

/// Why a command did not do its job; the message is printed as it is.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or configuration: exit code 2.
    Usage(String),
    /// The run failed: exit code 1.
    Run(String),
    /// It was interrupted before there was a run that could be gone on with: exit code 130.
    Interrupted,
}

impl Failure {
    /// What the user asked for cannot be.
    pub fn usage(message: impl Display) -> Failure {
        Failure::Usage(labelled(message))
    }

    /// What the user asked for did not work.
    pub fn run(message: impl Display) -> Failure {
        Failure::Run(labelled(message))
    }
}

impl From<StoreError> for Failure {
    /// A run that is not there is a slip of the user's; anything else is the store's fault.
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::NoStore { .. }
            | StoreError::Empty { .. }
            | StoreError::UnknownRun { .. }
            | StoreError::AmbiguousRun { .. } => Failure::usage(error),
            _ => Failure::run(error),
        }
    }
}

impl From<NotRead> for Failure {
    fn from(error: NotRead) -> Failure {
        match error {
            NotRead::Store(error) => error.into(),
            NotRead::Json(_) => Failure::run(error),
            NotRead::OtherKind { .. } | NotRead::NoReport { .. } | NotRead::OtherVersion { .. } => {
                Failure::usage(error)
            }
        }
    }
}

impl From<NotWritten> for Failure {
    fn from(error: NotWritten) -> Failure {
        match error {
            NotWritten::NotOurs(_) => Failure::usage(error),
            NotWritten::Io(..) => Failure::run(error),
        }
    }
}

/// Messages of config files come with their label and several lines; sentences get one.
fn labelled(message: impl Display) -> String {
    let text = message.to_string();
    if text.starts_with("error:") { text } else { format!("error: {text}") }
}

/// How a command ended that did its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Exit code 0.
    Done,
    /// Another verdict than `--expect` wanted: exit code 3.
    Unexpected,
    /// Interrupted; what was found is stored: exit code 130.
    Interrupted,
}

/// A line of the report.
///
/// # Errors
/// It cannot be written, as on a full disk. A closed pipe is no error: its reader has seen enough.
pub fn print_out(line: impl Display) -> Result<(), Failure> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::run(format!("the report cannot be written to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
