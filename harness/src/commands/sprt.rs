//! `harness sprt BASE CANDIDATE`: self-play pairs until the test decides.

use super::conditions::{conditions, overridden};
use super::engine_options::check_players;
use super::files::{OpenFiles, RunFiles};
use super::job::{Beginning, Finding, Job, refuse_another, stored_run};
use super::options::{RunOptions, current_folder};
use super::own_limit::{OwnLimits, refuse_idle_clock};
use super::{Exit, Failure};
use crate::experiment::{Experiment, PlayerSpec};
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::options::{self, Options};
use crate::report::figures::hypotheses_in_words;
use crate::report::pgn_file::Seat;
use crate::report::progress::{ProgressLine, sprt_line};
use crate::report::summary::Summary;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::dealer::Dealer;
use crate::run::drive::{CarryingOut, Listener, ListenerError};
use crate::run::sprt::{End, Sprt};
use crate::store::{RunInfo, Store, kind};
use clap::Args;
use std::path::Path;
use std::sync::Arc;

/// Play pairs of games between two configurations until a sequential test decides
#[derive(Args)]
pub struct SprtArguments {
    /// Configuration the candidate is measured against
    #[arg(required_unless_present = "resume", requires = "candidate")]
    base: Option<String>,
    /// Configuration that is measured
    candidate: Option<String>,
    #[command(flatten)]
    run: Options<{ options::ALL }>,
    #[command(flatten)]
    own_limits: OwnLimits,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: SprtArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    arguments.run.check_files()?;
    let in_force = arguments.run.clone().or(RunOptions::settings(&folder)?);
    let results = in_force.results(&folder);
    let Ready { job, experiment, dealer, files, carrying_out } = match &arguments.run.resume {
        Some(name) => resume(&arguments, name, &in_force, (&results, &folder), interrupt)?,
        None => begin(&arguments, &in_force, (&results, &folder), interrupt)?,
    };
    let given = arguments.run.max_pairs;
    let max_pairs = given.or(still_asked_for(&job.info, experiment.max_pairs)).or(in_force.max_pairs);
    let Outcome { summary, end, stopped } =
        carry_out((job, files), (&experiment, &dealer), &carrying_out, max_pairs, &arguments.run, interrupt)?;

    let words = || [summary.text(), summary.openbench_block(), summary.conclusion()].join("\n\n");
    arguments.run.print(&summary, words)?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    if end == End::Interrupted {
        tell(format_args!("to go on: {}", arguments.run.resume_command(kind::SPRT, &summary.run, &results)));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::expecting(arguments.run.expect, summary.verdict))
}

/// A run that is ready to be played.
struct Ready {
    job: Job,
    experiment: Arc<Experiment>,
    dealer: Dealer,
    files: OpenFiles,
    carrying_out: CarryingOut,
}

/// A new run of the experiment that the arguments describe.
fn begin(
    arguments: &SprtArguments,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let [base, candidate] =
        [&arguments.base, &arguments.candidate].map(|name| name.as_deref().unwrap_or_default());
    let players = arguments.own_limits.load_players(&[base, candidate], folder)?;
    let test = options.test()?;
    let (conditions, book) = conditions(options, folder)?;
    refuse_idle_clock(&players, conditions.limit)?;
    let [base, candidate] = both(players);
    let experiment = Experiment { base, candidate, conditions, test, max_pairs: options.max_pairs };
    if experiment.base.digest == experiment.candidate.digest && arguments.run.quiet.is_none() {
        tell("warning: both configurations are the same, so every pair will be level");
    }
    let carrying_out = options.carrying_out(2, &experiment.conditions)?;
    check_players(
        [&experiment.base, &experiment.candidate],
        &experiment.conditions,
        &book,
        &carrying_out,
        interrupt,
    )?;
    let beginning = Beginning {
        kind: kind::SPRT,
        question: &experiment.question(),
        spec: &experiment,
        digest: &experiment.digest(),
    };
    let (job, files) = Job::begin(results, &beginning, || arguments.run.open_files(false))?;
    let dealer = Dealer::new(&experiment.conditions, book);
    Ok(Ready { job, experiment: Arc::new(experiment), dealer, files, carrying_out })
}

/// Base and candidate.
fn both(players: Vec<PlayerSpec>) -> [PlayerSpec; 2] {
    players.try_into().expect("two players were named")
}

/// A stored run, if it is the one that the arguments describe.
fn resume(
    arguments: &SprtArguments,
    name: &str,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let (store, info, stored): (_, _, Experiment) = stored_run(results, name, kind::SPRT)?;
    let (conditions, book) = overridden(&stored.conditions, &arguments.run, folder)?;
    let players = match (&arguments.base, &arguments.candidate) {
        (Some(base), Some(candidate)) => arguments.own_limits.load_players(&[base, candidate], folder)?,
        _ => arguments.own_limits.again(&[stored.base.clone(), stored.candidate.clone()], folder)?,
    };
    refuse_idle_clock(&players, conditions.limit)?;
    let [base, candidate] = both(players);
    let asked = Experiment {
        base,
        candidate,
        conditions,
        test: arguments.run.clone().or((&stored.test).into()).test()?,
        max_pairs: stored.max_pairs,
    };
    refuse_another(&info.id, [stored.digest(), asked.digest()], || stored.differences(&asked))?;
    let carrying_out = options.carrying_out(2, &asked.conditions)?;
    check_players([&stored.base, &stored.candidate], &asked.conditions, &book, &carrying_out, interrupt)?;
    let lock = store.lock_run(&info.id)?;
    let files = arguments.run.open_files(true)?;
    let job = Job { store, lock, info };
    let dealer = Dealer::new(&stored.conditions, book);
    Ok(Ready { job, experiment: Arc::new(stored), dealer, files, carrying_out })
}

/// The most pairs of a run that stopped before it had them: to go on as if nothing had happened is to stop there, too.
fn still_asked_for(info: &RunInfo, max_pairs: Option<u64>) -> Option<u64> {
    max_pairs.filter(|&pairs| info.finished.is_none() && info.pairs < pairs)
}

/// A run of this experiment: the stored one if there is one, so that a command that makes several runs can be taken up
/// again, or else a new one.
///
/// # Errors
/// The store cannot be used, or another process plays that run.
pub fn begin_or_go_on(
    experiment: Experiment,
    book: Arc<Book>,
    results: &Path,
) -> Result<(Job, Arc<Experiment>, Dealer), Failure> {
    let digest = experiment.digest();
    let store = Store::open(results)?;
    let stored = store.runs()?.into_iter().find(|run| run.kind == kind::SPRT && run.digest == digest);
    let job = match stored {
        Some(info) => Job { lock: store.lock_run(&info.id)?, store, info },
        None => {
            let question = experiment.question();
            let beginning =
                Beginning { kind: kind::SPRT, question: &question, spec: &experiment, digest: &digest };
            Job::begin(results, &beginning, || Ok(()))?.0
        }
    };
    let dealer = Dealer::new(&experiment.conditions, book);
    Ok((job, Arc::new(experiment), dealer))
}

/// What came out of a run.
pub struct Outcome {
    /// The figures.
    pub summary: Summary,
    /// Why it ended.
    pub end: End,
    /// Why it was ended early, if faults decided its games.
    pub stopped: Option<Failure>,
}

/// Plays the run, with the options given for it, and stores what came out.
///
/// # Errors
/// See [`Failure`].
pub fn carry_out(
    (job, files): (Job, OpenFiles),
    (experiment, dealer): (&Arc<Experiment>, &Dealer),
    carrying_out: &CarryingOut,
    max_pairs: Option<u64>,
    given: &RunOptions,
    interrupt: &Interrupt,
) -> Result<Outcome, Failure> {
    let limit = experiment.conditions.limit;
    let files = files.of_run(&job.info, &experiment.question(), limit)?;
    if given.quiet.is_none() {
        tell(hypotheses_in_words(&experiment.test));
        tell(format_args!("{} · {} · run {}", experiment.question(), experiment.bounds(), job.info.id));
    }
    let heading = format!("{} {}", experiment.question(), experiment.bounds());
    let progress = given.quiet.is_none().then(|| ProgressLine::new(heading));
    let mut listeners = Listeners { experiment, progress, files };
    let mut sprt = Sprt::new(experiment, max_pairs);
    let resume = given.resume_command(kind::SPRT, &job.info.id, job.store.dir());
    let played = job.play((&mut sprt, dealer), carrying_out, interrupt, &mut listeners, &resume)?;
    let summary = Summary::new(&played.info.id, experiment, sprt.progress(), sprt.end(), &played.effort);
    let is_final = matches!(sprt.end(), End::Decided(_));
    let finding = Finding { games: summary.figures.games, verdict: summary.verdict, is_final };
    played.finish(finding, &summary)?;
    if sprt.end() != End::Interrupted {
        listeners.files.end(summary.verdict, summary.figures.games)?;
    }
    Ok(Outcome { summary, end: sprt.end(), stopped: played.stopped(&resume) })
}

/// Who hears of a counted pair.
struct Listeners<'a> {
    experiment: &'a Experiment,
    progress: Option<ProgressLine>,
    files: RunFiles,
}

impl Listener<Sprt> for Listeners<'_> {
    fn counted(&mut self, pair: &PairRecord, sprt: &Sprt, is_new: bool) -> Result<(), ListenerError> {
        let Experiment { base, candidate, .. } = self.experiment;
        self.files.add(pair, [base, candidate].map(Seat::of))?;
        if let Some(line) = &mut self.progress {
            line.counted(is_new, |rate| sprt_line(self.experiment, sprt.progress(), rate));
        }
        Ok(())
    }
}
