//! The commands, a file each: arguments in, a call of the library, output out.

pub mod book;
pub mod check_engine;
pub mod compare;
pub mod distort;
pub mod documents;
pub mod elo;
pub mod fastchess;
pub mod fit_eval;
pub mod ladder;
pub mod matches;
pub mod nodes;
pub mod plan;
pub mod report;
pub mod reproduce;
pub mod runs;
pub mod series;
pub mod show;
pub mod simulate;
pub mod sprt;
pub mod sweep;
pub mod sweep_files;
pub mod tune;
pub mod tune_files;
pub mod verify;

use crate::cli::{Exit, Failure, interrupts};
use clap::Subcommand;
use engine::config::EngineConfig;

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
    Fastchess(fastchess::FastchessArguments),
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
            Command::Fastchess(arguments) => fastchess::execute(arguments),
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
