//! The harness's program: reads the command line and maps outcomes to exit codes.

use clap::{CommandFactory, Parser};
use harness::cli::{Exit, Failure, not_taken};
use harness::commands::Command;
use harness::commands::fastchess::FastchessArguments;
use harness::report::tell;
use std::process::ExitCode;

/// Is the candidate stronger than the base? Self-play tests of chess engine configurations.
#[derive(Parser)]
#[command(name = "harness", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let command = match FastchessArguments::of_program(words) {
        Some(arguments) => Command::Fastchess(arguments),
        None => parsed(),
    };
    match command.execute(Cli::command) {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Unexpected) => ExitCode::from(3),
        Ok(Exit::Interrupted) => ExitCode::from(130),
        Err(Failure::Interrupted) => fail("interrupted before the first game", 130),
        Err(Failure::Run(message)) => fail(&message, 1),
        Err(Failure::Usage(message)) => fail(&message, 2),
    }
}

/// The command of a command line of this program.
fn parsed() -> Command {
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        let words: Vec<_> =
            std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        not_taken::with_tip(error, &Cli::command(), &words).exit()
    });
    cli.command
}

fn fail(message: &str, code: u8) -> ExitCode {
    tell(message);
    ExitCode::from(code)
}
