//! The harness's program: reads the command line and maps outcomes to exit codes.

use clap::{CommandFactory, Parser, Subcommand};
use engine::config::EngineConfig;
use harness::commands::{
    Exit, Failure, book, check_engine, compare, distort, documents, elo, fit_eval, ladder, nodes, not_taken,
    plan, report, reproduce, runs, show, simulate, sprt, sweep, tournament, tune, verify,
};
use harness::report::tell;
use harness::run::Interrupt;
use std::process::ExitCode;
use std::sync::Arc;

/// Is the candidate stronger than the base? Self-play tests of chess engine configurations.
#[derive(Parser)]
#[command(name = "harness", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Sprt(Box<sprt::SprtArguments>),
    Match(Box<tournament::MatchArguments>),
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

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        let named = std::env::args().nth(1).unwrap_or_default();
        not_taken::with_tip(error, &Cli::command(), &named).exit()
    });
    let ended = match cli.command {
        Command::Sprt(arguments) => listen().and_then(|stop| sprt::execute(*arguments, &stop)),
        Command::Match(arguments) => listen().and_then(|stop| tournament::execute(*arguments, &stop)),
        Command::Tune(arguments) => listen().and_then(|stop| tune::execute(*arguments, &stop)),
        Command::Ladder(arguments) => listen().and_then(|stop| ladder::execute(*arguments, &stop)),
        Command::Reproduce(arguments) => listen().and_then(|stop| reproduce::execute(*arguments, &stop)),
        Command::Plan(arguments) => listen().and_then(|stop| plan::execute(*arguments, &stop)),
        Command::Simulate(arguments) => simulate::execute(*arguments),
        Command::Elo(arguments) => elo::execute(arguments),
        Command::Sweep(arguments) => listen().and_then(|stop| sweep::execute(*arguments, &stop)),
        Command::Nodes(arguments) => nodes::execute(arguments),
        Command::Distort(arguments) => listen().and_then(|stop| distort::execute(arguments, &stop)),
        Command::Book(arguments) => listen().and_then(|stop| book::execute(arguments, &stop)),
        Command::FitEval(arguments) => listen().and_then(|stop| fit_eval::execute(*arguments, &stop)),
        Command::CheckEngine(arguments) => check_engine::execute(&arguments),
        Command::Runs(arguments) => runs::execute(arguments),
        Command::Uci { config } => serde_json::from_str::<EngineConfig>(&config)
            .map_err(|error| Failure::usage(format!("no configuration of the built-in engine: {error}")))
            .and_then(|config| {
                engine::uci::run(config, std::io::stdin().lock())
                    .map_err(|error| Failure::Run(format!("no thread to search on: {error}")))
            })
            .map(|()| Exit::Done),
        Command::Show(arguments) => show::execute(arguments),
        Command::Report(arguments) => report::execute(arguments),
        Command::Verify(arguments) => listen().and_then(|stop| verify::execute(arguments, &stop)),
        Command::Compare(arguments) => compare::execute(arguments),
        Command::Completions(arguments) => documents::completions(&arguments, Cli::command()),
        Command::Man(arguments) => documents::man(&arguments, Cli::command()),
    };
    match ended {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Unexpected) => ExitCode::from(3),
        Ok(Exit::Interrupted) => ExitCode::from(130),
        Err(Failure::Interrupted) => fail("interrupted before the first game", 130),
        Err(Failure::Run(message)) => fail(&message, 1),
        Err(Failure::Usage(message)) => fail(&message, 2),
    }
}

fn fail(message: &str, code: u8) -> ExitCode {
    tell(message);
    ExitCode::from(code)
}

/// The first Ctrl-C lets the pairs in flight finish; the second ends the process, and nothing stored is lost.
fn listen() -> Result<Arc<Interrupt>, Failure> {
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
