//! `harness book make|check|info`: builds and vets opening books.

use super::{Exit, Failure, print_out};
use crate::openings::check::check_book;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Build and vet opening books
#[derive(Args)]
pub struct BookArguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Check every entry of a book: legality, duplicates, mirror images
    Check {
        /// The book: EPD, FEN or PGN
        file: PathBuf,
        /// Plies played from each line of a PGN book [default: all]
        #[arg(long, value_name = "N")]
        plies: Option<usize>,
    },
}

/// Runs the command.
///
/// # Errors
/// The book cannot be read, or has bad entries.
pub fn execute(arguments: BookArguments) -> Result<Exit, Failure> {
    match arguments.command {
        BookCommand::Check { file, plies } => {
            let report = check_book(&file, plies).map_err(Failure::usage)?;
            print_out(&report)?;
            match report.is_clean() {
                true => Ok(Exit::Done),
                false => Err(Failure::usage(format!("{} is not clean", file.display()))),
            }
        }
    }
}
