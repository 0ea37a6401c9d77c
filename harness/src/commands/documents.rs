//! `harness completions SHELL` and `harness man`: what the command line says of itself, for shells and for man.

use crate::cli::{Exit, Failure, print_out};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

/// Print the completions for a shell: `harness completions bash > ~/.local/share/bash-completion/completions/harness`
#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the man page: `harness man > harness.1`, or `harness man sprt | man -l -`
#[derive(Args)]
pub struct ManArguments {
    /// The page of this command [default: the page of the program]
    command: Option<String>,
}

/// Prints the completions of the program with this command line.
///
/// # Errors
/// Standard output cannot be written.
pub fn completions(arguments: &CompletionsArguments, mut program: Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let name = program.get_name().to_owned();
    clap_complete::generate(arguments.shell, &mut program, name, &mut script);
    print_out(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Done)
}

/// Prints a man page of the program with this command line.
///
/// # Errors
/// There is no such command, or standard output cannot be written.
pub fn man(arguments: &ManArguments, mut program: Command) -> Result<Exit, Failure> {
    // Gives the commands their full names, `harness sprt`.
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::usage(format!("there is no command {name:?}: `harness --help` lists them"))
        })?,
    };
    let mut roff = Vec::new();
    Man::new(page).render(&mut roff).map_err(Failure::run)?;
    print_out(String::from_utf8_lossy(&roff).trim_end())?;
    Ok(Exit::Done)
}
