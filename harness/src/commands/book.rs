//! `harness book make|check|info`: builds and vets opening books.

use crate::cli::files::check_whole_file;
use crate::cli::{Exit, Failure, print_out};
use crate::openings::check::{BookCheck, check_book};
use crate::openings::filter::Requirements;
use crate::openings::make::{MakeError, MakeOptions, Tally, make};
use crate::options::{self, Name, Options};
use crate::run::Interrupt;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use std::path::PathBuf;

/// Build and vet opening books
#[derive(Args)]
pub struct BookArguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Make a book of quiet positions after random plies, balanced ones or unbalanced; the same options make the same book
    Make(MakeArguments),
    /// Check every entry of a book: legality, duplicates, mirror images; exit code 2 if anything is found
    Check(BookFile),
    /// Show what a book holds
    Info(BookFile),
}

#[derive(Args)]
struct MakeArguments {
    /// The EPD file to write; it must not exist
    file: PathBuf,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = MakeOptions::default().count)]
    count: usize,
    /// Fixes the candidates
    #[arg(long, value_name = "N", default_value_t = MakeOptions::default().seed)]
    seed: u64,
    /// Random plies from the starting position; about every other candidate has one more
    #[arg(long, value_name = "N", default_value_t = MakeOptions::default().plies)]
    plies: u32,
    /// Both searches give a score within ± this, centipawns
    #[arg(long, value_name = "CP", default_value_t = MakeOptions::default().requirements.limit)]
    limit: i32,
    /// Both searches find this advantage for one side or the other, centipawns: 80,120; strong engines draw from balanced positions
    #[arg(long, value_name = "FROM,TO", conflicts_with = "limit", value_parser = between)]
    between: Option<(i32, i32)>,
    /// Begin from the 960 starting positions of Chess960
    #[arg(long)]
    chess960: bool,
    /// Static evaluation and the larger search agree within this, centipawns
    #[arg(long, value_name = "CP", default_value_t = MakeOptions::default().requirements.margin)]
    margin: i32,
    /// Nodes of the smaller search
    #[arg(long, value_name = "N", default_value_t = MakeOptions::default().requirements.fewer_nodes)]
    fewer_nodes: u64,
    /// Nodes of the larger search
    #[arg(long, value_name = "N", default_value_t = MakeOptions::default().requirements.more_nodes)]
    more_nodes: u64,
    /// Threads at work; 0 means all cores. The book does not depend on it
    #[arg(long, value_name = "N", default_value_t = MakeOptions::default().threads)]
    threads: usize,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::quiet]) }>,
}

#[derive(Args)]
struct BookFile {
    /// The book: EPD, FEN or PGN
    file: PathBuf,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::plies]) }>,
}

impl BookFile {
    fn look(&self) -> Result<BookCheck, Failure> {
        check_book(&self.file, self.options.plies.map(|plies| plies as usize)).map_err(Failure::usage)
    }
}

/// Runs the command.
///
/// # Errors
/// The book cannot be read or written, or is not what was asked for.
pub fn execute(arguments: BookArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    match arguments.command {
        BookCommand::Make(arguments) => make_book(&arguments, interrupt),
        BookCommand::Info(file) => {
            print_out(file.look()?)?;
            Ok(Exit::Done)
        }
        BookCommand::Check(file) => {
            let report = file.look()?;
            print_out(&report)?;
            match report.is_clean() {
                true => Ok(Exit::Done),
                false => Err(Failure::usage(format!(
                    "{} is not clean: correct or delete the entries above",
                    file.file.display()
                ))),
            }
        }
    }
}

/// Reads `80,120`.
fn between(text: &str) -> Result<(i32, i32), String> {
    let numbers = text
        .split_once(',')
        .and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
    numbers.ok_or_else(|| "write two numbers of centipawns, the smaller first: 80,120".to_owned())
}

fn make_book(arguments: &MakeArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let &MakeArguments {
        count, seed, plies, limit, margin, fewer_nodes, more_nodes, threads, chess960, ..
    } = arguments;
    let (least, limit) = arguments.between.unwrap_or((0, limit));
    check_whole_file(&arguments.file, "book make")?;
    let requirements = Requirements { least, limit, margin, fewer_nodes, more_nodes };
    let options = MakeOptions { count, seed, plies, chess960, requirements, threads };
    let bar = if arguments.options.quiet.is_some() {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(count as u64)
    };
    let progress = |tally: &Tally| bar.set_position(tally.taken as u64);
    match make(&arguments.file, &options, interrupt.flag(), progress) {
        Ok(made) => {
            print_out(format_args!("{}\nsha256     {}\n{}", made.path.display(), made.digest, made.tally))?;
            Ok(Exit::Done)
        }
        Err(MakeError::Cancelled(..)) => Ok(Exit::Interrupted),
        Err(error @ MakeError::Unwritable(..)) => Err(Failure::run(error)),
        Err(error) => Err(Failure::usage(error)),
    }
}
