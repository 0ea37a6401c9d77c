//! `harness fastchess …`: a command line of fastchess, played by this program and told in fastchess's words.

use super::check_engine::{self, CheckEngineArguments};
use super::matches::MatchArguments;
use super::sprt::SprtArguments;
use crate::cli::carry_out::{Outputs, Session};
use crate::cli::job::{Job, date};
use crate::cli::options::{RunOptions, current_folder};
use crate::cli::play::{Plays, play};
use crate::cli::{Exit, Failure};
use crate::fastchess::announcer::Announcer;
use crate::fastchess::files::Files;
use crate::fastchess::help::{help, version};
use crate::fastchess::options::{Request, read};
use crate::fastchess::tournament::{Log, Tournament};
use crate::fastchess::translate::translated;
use crate::fastchess::{Dialect, words};
use crate::game::fen::fen_of;
use crate::kinds::spec::RunSpec;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::contest::End;
use crate::run::drive::ListenerError;
use crate::run::recount::PlayedPair;
use clap::Args;
use shakmaty::Chess;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The book of those who name none.
const START_POSITION: &str = "startpos.epd";

/// Take a command line of fastchess, play it, and print in its words; -help lists its options
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct FastchessArguments {
    /// The command line as fastchess takes it; with -translate the command of this program that does the same is printed
    #[arg(value_name = "OPTION", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
    /// Whose defaults hold: the name under which the program was called decides.
    #[arg(skip)]
    dialect: Dialect,
}

impl FastchessArguments {
    /// The command line of a program that was called by the name of fastchess or cutechess-cli; none if it was not, or names one
    /// of this program's commands, as fastchess's own lines never do.
    pub fn of_program(mut words: impl Iterator<Item = String>) -> Option<FastchessArguments> {
        let dialect = Dialect::of_program(&words.next()?)?;
        let words: Vec<String> = words.collect();
        let is_ours = words.first().is_some_and(|first| !words::is_option(first));
        (!is_ours).then_some(FastchessArguments { words, dialect })
    }
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: FastchessArguments) -> Result<Exit, Failure> {
    let FastchessArguments { words, dialect } = arguments;
    let tournament = match read(&words, dialect).map_err(Failure::usage)? {
        Request::Play(tournament) => *tournament,
        Request::Help => return print(&help()),
        Request::Version => return print(&version()),
        Request::Compliance(engine) => {
            return check_engine::execute(&parsed::<CheckEngineArguments>("check-engine", engine)?);
        }
    };
    let folder = current_folder()?;
    let start = RunOptions::default().results_in(&folder)?.join(START_POSITION);
    let start = start.strip_prefix(&folder).map(Path::to_owned).unwrap_or(start);
    let command = translated(&tournament, &folder, &start).map_err(Failure::usage)?;
    tournament.notes.iter().for_each(|note| tell(format_args!("note: {note}")));
    if tournament.openings.file.is_none() {
        write_start_position(&start)?;
    }
    if tournament.only_translate {
        return print(&(command.shown() + "\n"));
    }
    make_room_for_log(&tournament)?;
    let given = command.words.iter().cloned().chain(["--quiet".to_owned()]).collect();
    match command.command {
        "sprt" => announced(&parsed::<SprtArguments>("sprt", given)?, &tournament, command.players),
        _ => announced(&parsed::<MatchArguments>("match", given)?, &tournament, command.players),
    }
}

/// The arguments of a command of this program.
fn parsed<Arguments: Args>(command: &'static str, words: Vec<String>) -> Result<Arguments, Failure> {
    let parser = Arguments::augment_args(clap::Command::new(command).no_binary_name(true));
    let read = parser.try_get_matches_from(words).and_then(|matches| Arguments::from_arg_matches(&matches));
    read.map_err(|error| {
        let text = error.to_string();
        let what = text.split("\n\n").next().unwrap_or_default();
        Failure::usage(format!("{what}\n(in the words of `harness {command}`, which -translate prints)"))
    })
}

/// Plays the command and announces its pairs. The players have these names in this program.
fn announced<Command: Plays>(
    command: &Command,
    tournament: &Tournament,
    players: Vec<String>,
) -> Result<Exit, Failure> {
    let began = Instant::now();
    let resume = Arc::new(Mutex::new(None));
    let interrupt = ends_at_once(&resume)?;
    let announcer = Arc::new(Mutex::new(Announcer::new(tournament)));
    let printer = Printer {
        tournament: tournament.clone(),
        players,
        resume,
        announcer: Arc::clone(&announcer),
        files: None,
    };
    let played = play(command, |_| Box::new(printer), &interrupt)?;
    if played.outcome.end == Some(End::BookExhausted) {
        tell(
            "note: every opening of the book was played, and without a clock a second time would give the same games",
        );
    }
    let exit = played.outcome.exit()?;
    print(&locked(&announcer).ended(began.elapsed()))?;
    Ok(exit)
}

/// Prints what fastchess prints, and writes its files.
struct Printer {
    tournament: Tournament,
    players: Vec<String>,
    /// How to go on with the run, for whoever interrupts it.
    resume: Arc<Mutex<Option<String>>>,
    announcer: Arc<Mutex<Announcer>>,
    files: Option<Files>,
}

impl<Spec: RunSpec> Outputs<Spec> for Printer {
    fn begin(&mut self, job: &Job, _: &Spec::Contest, session: &Session) -> Result<(), Failure> {
        *locked(&self.resume) = Some(session.resume.clone());
        self.files = Some(Files::open(&self.tournament, &date(&job.info)).map_err(Failure::usage)?);
        Ok(())
    }

    fn counted(&mut self, pair: &PlayedPair, _: &Spec::Contest) -> Result<(), ListenerError> {
        let place = |side: usize| {
            let name = pair.players[side].name();
            self.players.iter().position(|player| player == name)
        };
        let (Some(base), Some(candidate)) = (place(0), place(1)) else {
            return Err(ListenerError("a player of the run is none of the engines".to_owned()));
        };
        let engines = [base, candidate];
        let checksums = match &mut self.files {
            Some(files) => files.add(&pair.record, engines).map_err(ListenerError)?,
            None => String::new(),
        };
        let text = checksums + &locked(&self.announcer).counted(&pair.record, engines);
        print(&text).map(drop).map_err(|_| ListenerError("standard output cannot be written".to_owned()))
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first Ctrl-C ends the process: workers wait for nothing, engines end with it, and what was counted is stored.
fn ends_at_once(resume: &Arc<Mutex<Option<String>>>) -> Result<Interrupt, Failure> {
    let resume = Arc::clone(resume);
    let heard = move || {
        match &*locked(&resume) {
            Some(command) => tell(format_args!("interrupted; to go on: {command}")),
            None => tell("interrupted before the first game"),
        }
        std::process::exit(130);
    };
    ctrlc::set_handler(heard)
        .map_err(|error| Failure::run(format!("interrupts cannot be caught: {error}")))?;
    Ok(Interrupt::default())
}

/// The book of those who name none: one opening, the start position.
fn write_start_position(file: &Path) -> Result<(), Failure> {
    if file.is_file() {
        return Ok(());
    }
    let fen = fen_of(&Chess::new());
    let fields: Vec<_> = fen.split(' ').take(4).collect();
    let folder = file.parent().unwrap_or(Path::new(""));
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, fields.join(" ") + "\n"));
    written.map_err(|error| {
        Failure::run(format!(
            "{} cannot be written: {error}; name a book with -openings file=FILE",
            file.display()
        ))
    })
}

/// A dialogue is written to a file of its own: what is in it goes if `append=false` says so.
fn make_room_for_log(tournament: &Tournament) -> Result<(), Failure> {
    let Some(Log { file, append }) = &tournament.log else { return Ok(()) };
    let is_empty = file.metadata().map_or(true, |metadata| !metadata.is_file() || metadata.len() == 0);
    match (is_empty, append) {
        (true, _) => Ok(()),
        (false, true) => Err(Failure::usage(format!(
            "-log: {} exists, and a dialogue is not written behind another: add append=false, or name another file",
            file.display()
        ))),
        (false, false) => std::fs::File::create(file)
            .map(drop)
            .map_err(|error| Failure::usage(format!("-log: {} cannot be written: {error}", file.display()))),
    }
}

/// Prints at once: scripts wait for whole lines. A closed pipe is no error: its reader has seen enough.
fn print(text: &str) -> Result<Exit, Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::run(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(Exit::Done),
    }
}
