//! `harness sprt BASE CANDIDATE`: self-play pairs until the test decides.

use super::options::{RunOptions, current_folder};
use super::{Exit, Failure, print_out};
use crate::experiment::{Experiment, OpeningsSpec, Plan, PlayerSpec};
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::openings::check::{Repeated, repeated};
use crate::report::pgn_file::{GameFile, PgnFile};
use crate::report::progress::ProgressLine;
use crate::report::summary::{Effort, Summary};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::sprt::{End, Listener, ListenerError, Options, Outcome, Progress, RunError, run};
use crate::statistics::{SprtSpec, Verdict};
use crate::store::{NewRun, RunInfo, RunLock, Store, StoreError};
use clap::{Args, ValueEnum};
use engine::config::{EngineConfig, find_config};
use std::path::{Path, PathBuf};

/// The kind of run in the store.
const KIND: &str = "sprt";

/// Play pairs of games between two configurations until a sequential test decides
#[derive(Args)]
pub struct SprtArguments {
    /// Configuration the candidate is measured against
    #[arg(required_unless_present = "resume", requires = "candidate")]
    base: Option<String>,
    /// Configuration that is measured
    candidate: Option<String>,
    #[command(flatten)]
    options: RunOptions,
    /// Write every counted game to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Go on with a stored run; whatever else is given must agree with it
    #[arg(long, value_name = "RUN")]
    resume: Option<String>,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Exit with code 3 unless this is the verdict
    #[arg(long, value_enum)]
    expect: Option<Expected>,
}

/// A verdict to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Expected {
    /// The candidate is stronger.
    H1,
    /// It is not.
    H0,
}

impl Expected {
    fn is(self, end: End) -> bool {
        match self {
            Expected::H1 => end == End::Decided(Verdict::H1),
            Expected::H0 => end == End::Decided(Verdict::H0),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: SprtArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let in_force = arguments.options.clone().or(RunOptions::settings(&folder)?);
    let results = in_force.results(&folder);
    let job = match &arguments.resume {
        Some(name) => Job::resumed(&arguments, name, &in_force, &results, &folder)?,
        None => Job::new(&arguments, &in_force, &results, &folder)?,
    };
    let options = Options { threads: in_force.threads(), max_pairs: in_force.max_pairs };
    let (summary, end) = job.carry_out(&arguments, &options, interrupt)?;

    if arguments.json {
        print_out(serde_json::to_string(&summary).map_err(Failure::run)?)?;
    } else {
        print_out(format_args!("{}\n\n{}", summary.text(), summary.openbench_block()))?;
    }
    if end == End::Interrupted {
        tell(format_args!("to go on: {}", resume_command(&summary.run, &results, &arguments)));
        return Ok(Exit::Interrupted);
    }
    match arguments.expect {
        Some(expected) if !expected.is(end) => Ok(Exit::Unexpected),
        _ => Ok(Exit::Done),
    }
}

/// What the user types to go on: the run, and the options that are not part of its experiment.
fn resume_command(run: &str, results: &Path, arguments: &SprtArguments) -> String {
    let RunOptions { openings, threads, max_pairs, .. } = &arguments.options;
    // Cargo starts a program that is in no search path: only as it was called can it be called again.
    let program = std::env::args_os().next().map_or_else(|| PathBuf::from("harness"), PathBuf::from);
    let mut command = format!("{} sprt --resume {run} --results {}", quoted(&program), quoted(results));
    let mut add = |option: &str, value: Option<String>| {
        command.extend(value.map(|value| format!(" {option} {value}")));
    };
    add("--openings", openings.as_deref().map(quoted));
    add("--threads", threads.map(|threads| threads.to_string()));
    add("--max-pairs", max_pairs.map(|pairs| pairs.to_string()));
    add("--pgn", arguments.pgn.as_deref().map(quoted));
    command
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@".contains(c);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Where every pair is the same two games for ever, an opening that stands twice in the book would count twice.
fn refuse_repeated_openings(experiment: &Experiment, book: &Book) -> Result<(), Failure> {
    let repeated =
        if experiment.limit.is_deterministic() { repeated(&book.openings) } else { Repeated::default() };
    let Some((line, first)) = repeated.shown.first() else { return Ok(()) };
    Err(Failure::usage(format!(
        "the book {} repeats {} of its openings (line {line} is line {first}), and with {} a repeated opening is a \
         repeated pair: delete them (`book check` lists them), or play with a clock",
        book.path.display(),
        repeated.total,
        experiment.limit
    )))
}

/// A run that is ready to be played: stored, locked, its book read and its game file open.
struct Job {
    plan: Plan,
    store: Store,
    lock: RunLock,
    info: RunInfo,
    pgn: Option<GameFile>,
}

impl Job {
    /// A new run of the experiment that the arguments describe.
    fn new(
        arguments: &SprtArguments,
        options: &RunOptions,
        results: &Path,
        folder: &Path,
    ) -> Result<Job, Failure> {
        let base = load(arguments.base.as_deref(), folder)?;
        let candidate = load(arguments.candidate.as_deref(), folder)?;
        let test = options.test(&SprtSpec::default())?;
        let book = options.book(folder)?;
        let experiment = Experiment {
            base,
            candidate,
            limit: options.limit(),
            openings: openings_spec(&book, options),
            seed: options.seed.unwrap_or(1),
            hash_megabytes: options.hash.unwrap_or(16),
            test,
        };
        refuse_repeated_openings(&experiment, &book)?;
        if experiment.base.digest == experiment.candidate.digest && !arguments.quiet {
            tell("warning: both configurations are the same, so every pair will be level");
        }

        check_memory(options.threads(), experiment.hash_megabytes)?;
        let store = Store::open(results)?;
        let id = store.new_run_id(KIND)?;
        // Before the run is stored, so that a refused file leaves none behind.
        let pgn = open_pgn(arguments, false)?;
        let new_run = NewRun {
            id: &id,
            kind: KIND,
            question: &experiment.question(),
            spec_json: &serde_json::to_string(&experiment).map_err(Failure::run)?,
            digest: &experiment.digest(),
        };
        store.create_run(&new_run)?;
        let lock = store.lock_run(&id)?;
        let info = store.run(&id)?;
        Ok(Job { plan: Plan::new(experiment, book), store, lock, info, pgn })
    }

    /// A stored run, if it is the one that the arguments describe.
    fn resumed(
        arguments: &SprtArguments,
        name: &str,
        options: &RunOptions,
        results: &Path,
        folder: &Path,
    ) -> Result<Job, Failure> {
        let store = Store::open_existing(results)?;
        let info = store.run(name)?;
        if info.kind != KIND {
            return Err(Failure::usage(format!("{} is no sprt run but a {} run", info.id, info.kind)));
        }
        let stored: Experiment = serde_json::from_str(&info.spec_json).map_err(|error| {
            Failure::usage(format!("{} was stored by another version of this program: {error}", info.id))
        })?;
        let book = find_book(&arguments.options, &stored.openings, folder)?;
        let asked = overridden(&stored, arguments, &book, folder)?;
        if asked.digest() != stored.digest() {
            return Err(Failure::usage(format!(
                "{} is another experiment (stored → asked for):\n  {}\nleave out what differs to go on with it, or \
                 leave out --resume to begin a new run",
                info.id,
                stored.differences(&asked).join("\n  ")
            )));
        }
        check_memory(options.threads(), stored.hash_megabytes)?;
        let lock = store.lock_run(&info.id)?;
        let pgn = open_pgn(arguments, true)?;
        Ok(Job { plan: Plan::new(stored, book), store, lock, info, pgn })
    }

    /// Plays the run and stores what came out.
    fn carry_out(
        self,
        arguments: &SprtArguments,
        options: &Options,
        interrupt: &Interrupt,
    ) -> Result<(Summary, End), Failure> {
        let Job { plan, store, lock, info, pgn } = self;
        let experiment = &plan.experiment;
        let date = info.created.get(..10).unwrap_or("????-??-??").replace('-', ".");
        let pgn = pgn.map(|file| PgnFile::new(file, &info.id, &date, experiment));
        if !arguments.quiet {
            tell(format_args!("{} · {} · run {}", experiment.question(), experiment.bounds(), info.id));
        }
        let progress = (!arguments.quiet).then(|| ProgressLine::new(experiment));
        let mut listeners = Listeners { experiment, progress, pgn };
        let ran = run(&plan, &store, lock, options, interrupt, &mut listeners);
        if let Some(line) = &listeners.progress {
            line.finish();
        }
        let (outcome, _lock) = ran.map_err(|error| match error {
            RunError::Threads(_) | RunError::Unexplained => Failure::run(error),
            RunError::Store(_) | RunError::Listener(_) | RunError::Panic => {
                let command = resume_command(&info.id, store.dir(), arguments);
                Failure::run(format!("{error}\nto go on: {command}"))
            }
        })?;

        let effort = effort(&store, &info.id, options, &outcome)?;
        let summary = Summary::new(&info.id, experiment, &outcome.progress, outcome.end, &effort);
        // A look at a finished run, perhaps with a smaller --max-pairs, changes nothing of what is stored.
        let stored = store.run(&info.id)?;
        let leaves_pairs_out = !outcome.has_played() && stored.games() > summary.games;
        let is_news = outcome.has_played() || stored.finished.is_none();
        if outcome.end != End::Interrupted && is_news && !leaves_pairs_out {
            let json = serde_json::to_string(&summary).map_err(Failure::run)?;
            store.finish(&info.id, summary.verdict, &json)?;
        }
        Ok((summary, outcome.end))
    }
}

/// Who hears of a counted pair.
struct Listeners<'a> {
    experiment: &'a Experiment,
    progress: Option<ProgressLine>,
    pgn: Option<PgnFile>,
}

impl Listener for Listeners<'_> {
    fn counted(&mut self, pair: &PairRecord, progress: &Progress, is_new: bool) -> Result<(), ListenerError> {
        if let Some(file) = &mut self.pgn {
            file.add(pair).map_err(ListenerError)?;
        }
        if let Some(line) = &mut self.progress {
            line.counted(self.experiment, progress, is_new);
        }
        Ok(())
    }
}

/// What all sessions of the run took; this one's search time includes games that were given up.
fn effort(store: &Store, run: &str, options: &Options, outcome: &Outcome) -> Result<Effort, StoreError> {
    let sessions = store.sessions(run)?;
    let seconds = outcome.wall.as_secs_f64();
    let mut effort = Effort {
        threads: match sessions.last() {
            Some(last) if !outcome.has_played() => last.threads as usize,
            _ => options.threads,
        },
        seconds,
        thread_seconds: seconds * options.threads as f64,
        search_seconds: outcome.search.as_secs_f64(),
    };
    let earlier = sessions.len() - usize::from(outcome.has_played());
    for session in &sessions[..earlier] {
        let seconds = session.wall_micros as f64 / 1e6;
        effort.seconds += seconds;
        effort.thread_seconds += seconds * f64::from(session.threads);
        effort.search_seconds += session.search_micros as f64 / 1e6;
    }
    Ok(effort)
}

/// The stored experiment with everything replaced that the command line gives.
fn overridden(
    stored: &Experiment,
    arguments: &SprtArguments,
    book: &Book,
    folder: &Path,
) -> Result<Experiment, Failure> {
    let SprtArguments { base, candidate, options, .. } = arguments;
    let player = |name: &Option<String>, stored: &PlayerSpec| match name {
        Some(_) => load(name.as_deref(), folder),
        // The same configuration, as the engine of this program plays it.
        None => Ok(PlayerSpec::new(Path::new(&stored.file), stored.config.clone())),
    };
    Ok(Experiment {
        base: player(base, &stored.base)?,
        candidate: player(candidate, &stored.candidate)?,
        limit: options.given_limit().unwrap_or(stored.limit),
        openings: OpeningsSpec {
            order: options.order.unwrap_or(stored.openings.order),
            plies: options.plies.or(stored.openings.plies),
            ..openings_spec(book, options)
        },
        seed: options.seed.unwrap_or(stored.seed),
        hash_megabytes: options.hash.unwrap_or(stored.hash_megabytes),
        test: options.test(&stored.test)?,
    })
}

/// The book of a stored run: the one named now, the one it was, or the one the project ships if that is the same.
fn find_book(options: &RunOptions, stored: &OpeningsSpec, folder: &Path) -> Result<Book, Failure> {
    let named_then = PathBuf::from(&stored.file);
    let openings = match &options.openings {
        Some(path) => Some(path.clone()),
        None => named_then.is_file().then_some(named_then),
    };
    let plies = options.plies.or(stored.plies);
    let is_named = openings.is_some();
    match (RunOptions { openings, plies, ..RunOptions::default() }).book(folder) {
        Ok(book) if is_named || book.digest == stored.digest => Ok(book),
        Err(failure) if is_named => Err(failure),
        _ => Err(Failure::usage(format!(
            "the book of the run, {}, is no longer there; name it with --openings FILE",
            stored.file
        ))),
    }
}

pub(super) fn openings_spec(book: &Book, options: &RunOptions) -> OpeningsSpec {
    OpeningsSpec {
        file: std::path::absolute(&book.path).as_ref().unwrap_or(&book.path).display().to_string(),
        digest: book.digest.clone(),
        count: book.openings.len(),
        order: options.order.unwrap_or_default(),
        plies: options.plies,
    }
}

fn load(name: Option<&str>, folder: &Path) -> Result<PlayerSpec, Failure> {
    let path = find_config(name.unwrap_or_default(), folder).map_err(Failure::usage)?;
    // Messages name the file as the user sees it from here.
    let path = path.strip_prefix(folder).unwrap_or(&path);
    let config = EngineConfig::load(path).map_err(Failure::usage)?;
    Ok(PlayerSpec::new(path, config))
}

/// Refuses tables that no memory holds: they would end the process in the middle of the run.
fn check_memory(threads: usize, hash_megabytes: u32) -> Result<(), Failure> {
    let megabytes = 2 * threads * hash_megabytes as usize;
    let mut tables = Vec::<u8>::new();
    // Asked for and given back, never touched; looked at, or else the compiler would not ask.
    let held = tables.try_reserve_exact(megabytes.saturating_mul(1 << 20));
    std::hint::black_box(&tables);
    held.map_err(|_| {
        Failure::usage(format!(
            "2 tables of {hash_megabytes} MB on each of {threads} threads need {megabytes} MB, which cannot be had: \
             give fewer --threads or a smaller --hash"
        ))
    })
}

/// The file that `--pgn` names.
fn open_pgn(arguments: &SprtArguments, resumed: bool) -> Result<Option<GameFile>, Failure> {
    let open = |path: &PathBuf| GameFile::open(path, resumed);
    arguments.pgn.as_ref().map(open).transpose().map_err(Failure::usage)
}
