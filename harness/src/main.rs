//! The harness's program: reads the command line and maps outcomes to exit codes.

use clap::{Parser, Subcommand};
use harness::commands::{Exit, Failure, book, fit_eval, nodes, runs, sprt};
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
    Nodes(nodes::NodesArguments),
    Book(book::BookArguments),
    Runs(runs::RunsArguments),
    #[command(name = "fit-eval")]
    FitEval(Box<fit_eval::FitArguments>),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let ended = match cli.command {
        Command::Sprt(arguments) => {
            listen_for_interrupts().and_then(|interrupt| sprt::execute(*arguments, &interrupt))
        }
        Command::Nodes(arguments) => nodes::execute(arguments),
        Command::Book(arguments) => {
            listen_for_interrupts().and_then(|interrupt| book::execute(arguments, &interrupt))
        }
        Command::FitEval(arguments) => {
            listen_for_interrupts().and_then(|interrupt| fit_eval::execute(*arguments, &interrupt))
        }
        Command::Runs(arguments) => runs::execute(arguments),
    };
    match ended {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Unexpected) => ExitCode::from(3),
        Ok(Exit::Interrupted) => ExitCode::from(130),
        Err(Failure::Run(message)) => fail(&message, 1),
        Err(Failure::Usage(message)) => fail(&message, 2),
    }
}

fn fail(message: &str, code: u8) -> ExitCode {
    tell(message);
    ExitCode::from(code)
}

/// The first Ctrl-C lets the pairs in flight finish; the second ends the process, and nothing stored is lost.
fn listen_for_interrupts() -> Result<Arc<Interrupt>, Failure> {
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
