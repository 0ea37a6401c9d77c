//! `harness tune FILE`: SPSA over several parameters, then an SPRT of what came out against the start.

use super::conditions::{check_memory, conditions, load_player, overridden};
use super::engine_options::{cannot_start, check_players};
use super::files::{OpenFiles, RunFiles};
use super::job::{self, Beginning, Finding, Job, refuse_another, stored_run};
use super::options::{RunOptions, current_folder};
use super::sprt;
use super::tune_files::TuneFiles;
use super::{Exit, Failure, print_out};
use crate::experiment::{Conditions, Experiment, PlayerSpec};
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::options::{self, Name, Options, Role, Set};
use crate::players::{self, Setup};
use crate::report::pgn_file::Seat;
use crate::report::progress::ProgressLine;
use crate::report::summary::Effort;
use crate::report::tell;
use crate::report::tuning::{TuneSummary, forecast_line, ranges_line, tune_line};
use crate::run::Interrupt;
use crate::run::dealer::Dealer;
use crate::run::drive::{CarryingOut, Listener, ListenerError, RunError};
use crate::run::measure::MeasureSpec;
use crate::run::pilot::pilot;
use crate::run::recount::recount;
use crate::run::sprt::End;
use crate::statistics::SprtSpec;
use crate::store::{RunInfo, Store, kind};
use crate::tuning::file::TuneFile;
use crate::tuning::forms::{self, Form};
use crate::tuning::spsa::{Parameter, Schedule};
use crate::tuning::tune::{Tune, TuneSpec};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The verdict of a run that played all of its iterations.
const VERDICT: &str = "tuned";

/// Pairs on each thread that show how fast a run will be.
const PILOT_ROUNDS: u64 = 2;

/// Two verdicts come out, that of the tuning and that of the test.
const TAKEN: Set = options::ALL & !options::of(&[Name::expect]);

/// Tune parameters by SPSA, then test the tuned values against the start
#[derive(Args)]
#[command(
    mut_arg("max-pairs", |argument| argument.help("End the test of the tuned values after this many pairs")),
    mut_arg("pgn", |argument| argument.help(
        "Write every game of the tuning to this file, with the values of both sides; those of the test after it are \
         written by `harness sprt --resume TEST --pgn FILE`"
    )),
    mut_arg("events", |argument| argument.help(
        "Write what happens in the tuning, but not in the test after it, to this file as lines of JSON: the run, every \
         counted pair with the values of both sides, the end"
    ))
)]
pub struct TuneArguments {
    /// What to tune: a TOML file, or OpenBench's or fishtest's lines, or weather-factory's config.json (with --base)
    #[arg(required_unless_present = "resume")]
    file: Option<PathBuf>,
    /// Configuration to tune, where the file names none
    #[arg(long, value_name = "CONFIG")]
    base: Option<String>,
    /// How often the values change [default: as the file says, or 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    #[command(flatten)]
    run: Options<TAKEN>,
    /// Print the parameters (of a stored run, with --resume: as they are now) in this form, and play nothing
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Output")]
    export: Option<Form>,
    /// Do not test the tuned values against the start
    #[arg(long, help_heading = "Test")]
    no_validation: bool,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: TuneArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    arguments.run.check_files()?;
    let in_force = arguments.run.clone().or(RunOptions::settings(&folder)?);
    let results = in_force.results(&folder);
    if let Some(form) = arguments.export {
        return export(&arguments, form, &in_force, &results, &folder);
    }
    // Whatever the test needs is looked at before the tuning, not hours later.
    let test = in_force.test()?;
    let Ready { job, spec, book, files, carrying_out } = match &arguments.run.resume {
        Some(name) => resume(&arguments, name, &in_force, (&results, &folder), interrupt)?,
        None => begin(&arguments, &in_force, (&results, &folder), interrupt)?,
    };
    let (mut summary, mut stopped) =
        carry_out((job, files), (&spec, &book), &arguments, &carrying_out, interrupt)?;
    let mut exit = if summary.is_finished() { Exit::Done } else { Exit::Interrupted };
    if summary.is_finished() && !arguments.no_validation {
        let options = (&in_force, test);
        (exit, stopped) =
            validate(&mut summary, &spec, book, &arguments, (options, &carrying_out), interrupt)?;
    }
    arguments.run.print(&summary, || summary.text())?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    if exit == Exit::Interrupted {
        tell(format_args!("to go on: {}", arguments.resume_command(&summary.run, &results)));
    }
    Ok(exit)
}

impl TuneArguments {
    /// What goes on with the run, and then tests it as these arguments say: that is not in the store.
    fn resume_command(&self, run: &str, results: &Path) -> String {
        let mut command = self.run.resume_command(kind::TUNE, run, results);
        command += &self.run.written(Role::is_of_test);
        if self.no_validation {
            command += " --no-validation";
        }
        command
    }
}

/// What a file asks for; how long and in which steps is as `usual` where neither it nor an option says so. The engine is asked
/// which options it has if it is another than the built-in one, run as in `setup`.
fn described(
    arguments: &TuneArguments,
    path: &Path,
    (conditions, setup): (Conditions, &Setup),
    usual: &Schedule,
    folder: &Path,
) -> Result<TuneSpec, Failure> {
    let file = TuneFile::read(path).map_err(Failure::usage)?;
    let base = load_base(arguments.base.as_deref(), file.base.as_deref(), path, folder)?;
    let declared = players::declared(&base, setup).map_err(cannot_start)?.unwrap_or_default();
    let wanted = file.wanted(&base, &declared, arguments.iterations, usual);
    let (parameters, schedule) = wanted.map_err(Failure::usage)?;
    let shown = file.names_as_written();
    let is_drawn_so = shown.iter().eq(parameters.iter().map(|parameter| &parameter.name));
    let shown = if is_drawn_so { Vec::new() } else { shown };
    from_start(TuneSpec { base, conditions, schedule, parameters, shown, sides_apart: true })
}

/// The same with its base at the start values, as the engine on this machine plays it now.
fn from_start(spec: TuneSpec) -> Result<TuneSpec, Failure> {
    let start: Vec<f64> = spec.parameters.iter().map(|parameter| parameter.start).collect();
    let base = spec.player(&start).and_then(|base| base.measured_anew()).map_err(Failure::run)?;
    Ok(TuneSpec { base, ..spec })
}

/// The configuration that `--base` names, or the file: there its path is seen from the file, then as any config's.
fn load_base(
    given: Option<&str>,
    named: Option<&str>,
    file: &Path,
    folder: &Path,
) -> Result<PlayerSpec, Failure> {
    let Some(name) = given.or(named) else {
        return Err(Failure::usage(format!(
            "{} does not say which configuration is tuned: give --base CONFIG",
            file.display()
        )));
    };
    let beside = file.with_file_name(name);
    match given {
        None if beside.is_file() => load_player(&beside.to_string_lossy(), folder),
        _ => load_player(name, folder),
    }
}

/// A run that is ready to be played.
struct Ready {
    job: Job,
    spec: Arc<TuneSpec>,
    book: Arc<Book>,
    files: OpenFiles,
    carrying_out: CarryingOut,
}

/// The specification that a new run's arguments describe.
fn new(
    arguments: &TuneArguments,
    conditions: Conditions,
    setup: &Setup,
    folder: &Path,
) -> Result<TuneSpec, Failure> {
    let path = arguments.file.as_deref().unwrap_or(Path::new(""));
    described(arguments, path, (conditions, setup), &Schedule::default(), folder)
}

/// Stores a new run.
fn begin(
    arguments: &TuneArguments,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let (conditions, book) = conditions(options, folder)?;
    let carrying_out = options.carrying_out(2, &conditions)?;
    let spec = new(arguments, conditions, &carrying_out.setup, folder)?;
    // One more, if the tuned values are to be tested.
    let needed = spec.pairs() + u64::from(!arguments.no_validation);
    let there = spec.conditions.openings.left();
    if spec.conditions.limit.is_deterministic() && needed > there {
        return Err(Failure::usage(format!(
            "{} iterations of {} pairs{} need {needed} openings, and {} has {there} left: with {} an opening can be played \
             once, so give fewer iterations or a larger book",
            spec.schedule.iterations,
            spec.schedule.pairs,
            if arguments.no_validation { "" } else { ", and a test after them," },
            book.path.display(),
            spec.conditions.limit,
        )));
    }
    check_memory_of_hash(&spec, carrying_out.threads)?;
    let ends = ends_of_ranges(&spec)?;
    let players = [&spec.base].into_iter().chain(&ends);
    check_players(players, &spec.conditions, &book, &carrying_out, interrupt)?;
    let beginning =
        Beginning { kind: kind::TUNE, question: &spec.question(), spec: &spec, digest: &spec.digest() };
    let (job, files) = Job::begin(results, &beginning, || arguments.run.open_files(false))?;
    Ok(Ready { job, spec: Arc::new(spec), book: book.into(), files, carrying_out })
}

/// The players at the ends of all ranges: what takes the values there takes those between.
fn ends_of_ranges(spec: &TuneSpec) -> Result<[PlayerSpec; 2], Failure> {
    let player = |end: fn(&Parameter) -> i32| {
        let values: Vec<f64> = spec.parameters.iter().map(|parameter| end(parameter).into()).collect();
        spec.player(&values).map_err(Failure::usage)
    };
    Ok([player(|parameter| parameter.min)?, player(|parameter| parameter.max)?])
}

/// Refuses to tune the table size of another engine up to more than there is memory for.
fn check_memory_of_hash(spec: &TuneSpec, threads: usize) -> Result<(), Failure> {
    let is_hash = |parameter: &&Parameter| parameter.name.eq_ignore_ascii_case("Hash");
    let Some(Parameter { name, max, .. }) = spec.parameters.iter().find(is_hash) else { return Ok(()) };
    let megabytes = u32::try_from(*max).unwrap_or(0);
    check_memory(2, threads, megabytes).map_err(|_| {
        Failure::usage(format!(
            "`{name}` is tuned up to {max} MB, and two tables of that size on each of {threads} threads need more memory than \
             there is: give it a smaller max, or fewer --threads"
        ))
    })
}

/// A stored run, if the options agree with it.
fn resume(
    arguments: &TuneArguments,
    name: &str,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let (store, info, stored): (_, _, TuneSpec) = stored_run(results, name, kind::TUNE)?;
    let (conditions, book) = overridden(&stored.conditions, &arguments.run, folder)?;
    let carrying_out = options.carrying_out(2, &conditions)?;
    let asked = match &arguments.file {
        Some(path) => {
            let surroundings = (conditions, &carrying_out.setup);
            let asked = described(arguments, path, surroundings, &stored.schedule, folder)?;
            TuneSpec { sides_apart: stored.sides_apart, ..asked }
        }
        None => {
            let base = arguments.base.as_deref().map(|name| load_player(name, folder)).transpose()?;
            let iterations = arguments.iterations.unwrap_or(stored.schedule.iterations);
            from_start(TuneSpec {
                base: base.unwrap_or_else(|| stored.base.clone()),
                conditions,
                schedule: Schedule { iterations, ..stored.schedule },
                ..stored.clone()
            })?
        }
    };
    refuse_another(&info.id, [stored.digest(), asked.digest()], || stored.differences(&asked))?;
    check_players([&stored.base], &asked.conditions, &book, &carrying_out, interrupt)?;
    warn_of_refused_values(&stored, &carrying_out.setup)?;
    let lock = store.lock_run(&info.id)?;
    let files = arguments.run.open_files(true)?;
    // The same conditions, with files found where they are now.
    let spec = TuneSpec { conditions: asked.conditions, ..stored };
    Ok(Ready { job: Job { store, lock, info }, spec: Arc::new(spec), book: book.into(), files, carrying_out })
}

/// Tells of parameters whose range in a stored run goes beyond what the engine declares: a new run is not begun so, but one that
/// was may end without ever playing such a value.
fn warn_of_refused_values(spec: &TuneSpec, setup: &Setup) -> Result<(), Failure> {
    let Some(declared) = players::declared(&spec.base, setup).map_err(cannot_start)? else { return Ok(()) };
    for Parameter { name, min, max, .. } in &spec.parameters {
        let Ok(spin) = declared.spin(name) else { continue };
        if !spin.takes((*min).into()) || !spin.takes((*max).into()) {
            tell(format_args!(
                "warning: `{name}` is tuned from {min} to {max}, and {} takes {spin} for it: the run fails when another value is \
                 to be played; begin a new one within that range, or bring back the engine as it was",
                spec.base.name()
            ));
        }
    }
    Ok(())
}

/// Prints the parameters in another tuner's form, or as a configuration.
fn export(
    arguments: &TuneArguments,
    form: Form,
    options: &RunOptions,
    results: &Path,
    folder: &Path,
) -> Result<Exit, Failure> {
    let (spec, values) = match &arguments.run.resume {
        Some(name) => {
            if arguments.file.is_some() || arguments.base.is_some() || arguments.iterations.is_some() {
                return Err(Failure::usage(
                    "--export prints the parameters of a stored run as they are: leave out FILE, --base and --iterations",
                ));
            }
            let (store, info, spec): (_, _, TuneSpec) = stored_run(results, name, kind::TUNE)?;
            let spec = Arc::new(spec);
            let mut tune = Tune::new(&spec);
            recount(&mut tune, (&store, &info.id), |_, _| ())?;
            let values = tune.values().to_vec();
            (spec, values)
        }
        None => {
            let (conditions, _) = conditions(options, folder)?;
            let setup = Setup::new(conditions.hash_megabytes);
            let spec = new(arguments, conditions, &setup, folder)?;
            let values = spec.parameters.iter().map(|parameter| parameter.start).collect();
            (Arc::new(spec), values)
        }
    };
    let player = match arguments.run.resume {
        Some(_) => spec.tuned(&values).map_err(Failure::run)?,
        None => spec.start(),
    };
    let text = forms::format(form, &spec.parameters, &values, &player.to_toml());
    print_out(text.trim_end())?;
    Ok(Exit::Done)
}

/// Plays the run and stores what came out: the figures, and why it was ended early if faults decided its games.
fn carry_out(
    (job, files): (Job, OpenFiles),
    (spec, book): (&Arc<TuneSpec>, &Arc<Book>),
    arguments: &TuneArguments,
    carrying_out: &CarryingOut,
    interrupt: &Interrupt,
) -> Result<(TuneSummary, Option<Failure>), Failure> {
    let mut tune = Tune::new(spec);
    let dealer = Dealer::new(&spec.conditions, Arc::clone(book));
    let mut outputs = TuneFiles::new(job.store.dir(), &job.info.id);
    if job.info.pairs == 0 {
        outputs.write(&tune)?;
    }
    if arguments.run.quiet.is_none() {
        tell(format_args!("{} · run {}", spec.question(), job.info.id));
        tell(ranges_line(spec));
        let speed = speed((&job.store, &job.info), spec, book, carrying_out, interrupt)?;
        tell(forecast_line(spec, speed));
    }
    let progress =
        arguments.run.quiet.is_none().then(|| ProgressLine::new(format!("tuning {}", spec.base.file)));
    let files = files.of_run(&job.info, &spec.question(), spec.conditions.limit)?;
    let mut listeners = Listeners { progress, files, outputs };
    let resume = arguments.resume_command(&job.info.id, job.store.dir());
    let played = job.play((&mut tune, &dealer), carrying_out, interrupt, &mut listeners, &resume)?;
    if let Some(reason) = tune.failure() {
        return Err(job::failed(&RunError::Listener(ListenerError(reason.to_owned())), &resume));
    }
    let mut summary = TuneSummary::new(&played.info.id, spec, &tune, &played.effort);
    listeners.outputs.write(&tune)?;
    summary.config = Some(listeners.outputs.config());
    let finding = Finding { games: summary.games, verdict: VERDICT, is_final: false };
    played.finish(finding, &summary)?;
    if summary.is_finished() {
        listeners.files.end(VERDICT, summary.games)?;
    }
    Ok((summary, played.stopped(&resume)))
}

/// Games a second: of the sessions before, or else of a few pairs that are not kept; none if that was interrupted.
fn speed(
    (store, info): (&Store, &RunInfo),
    spec: &TuneSpec,
    book: &Arc<Book>,
    carrying_out: &CarryingOut,
    interrupt: &Interrupt,
) -> Result<Option<f64>, Failure> {
    let (games, seconds) = if info.pairs > 0 {
        (info.games(), Effort::of(&store.sessions(&info.id)?).seconds)
    } else {
        let (base, conditions) = (spec.base.clone(), spec.conditions.clone());
        let measure = MeasureSpec { candidate: base.clone(), base, conditions, part_of: None };
        let pairs = (PILOT_ROUNDS * carrying_out.threads as u64).min(spec.pairs());
        let found =
            pilot(&measure, Arc::clone(book), pairs, carrying_out, interrupt).map_err(Failure::run)?;
        (found.tally.games.games(), found.wall.as_secs_f64())
    };
    let is_known = games > 0 && seconds > 0.0 && !interrupt.is_asked();
    Ok(is_known.then(|| games as f64 / seconds))
}

/// Tests the tuned values against the start, on openings that the tuning has not played: how it ended, and why early if
/// faults decided its games.
fn validate(
    summary: &mut TuneSummary,
    spec: &TuneSpec,
    book: Arc<Book>,
    arguments: &TuneArguments,
    ((options, test), carrying_out): ((&RunOptions, SprtSpec), &CarryingOut),
    interrupt: &Interrupt,
) -> Result<(Exit, Option<Failure>), Failure> {
    let tuned = spec.tuned(&summary.values).and_then(|tuned| tuned.measured_anew());
    let candidate = tuned.map_err(Failure::run)?;
    if candidate.digest == spec.base.digest {
        tell("the tuned values are the start values, so there is nothing to test");
        return Ok((Exit::Done, None));
    }
    let mut conditions = spec.conditions.clone();
    conditions.openings.first += spec.pairs();
    let max_pairs = options.max_pairs;
    let experiment = Experiment { base: spec.start(), candidate, conditions, test, max_pairs };
    let given = RunOptions { pgn: None, events: None, ..arguments.run.clone() };
    let results = options.results(&current_folder()?);
    let (job, experiment, dealer) = sprt::begin_or_go_on(experiment, book, &results)?;
    let sprt::Outcome { summary: validation, end, stopped } = sprt::carry_out(
        (job, OpenFiles::default()),
        (&experiment, &dealer),
        carrying_out,
        options.max_pairs,
        &given,
        interrupt,
    )?;
    summary.validation = Some(validation);
    Ok((if end == End::Interrupted { Exit::Interrupted } else { Exit::Done }, stopped))
}

/// Who hears of a counted pair.
struct Listeners {
    progress: Option<ProgressLine>,
    files: RunFiles,
    outputs: TuneFiles,
}

impl Listener<Tune> for Listeners {
    fn counted(&mut self, pair: &PairRecord, tune: &Tune, is_new: bool) -> Result<(), ListenerError> {
        if let Some((players, variations)) = tune.players(pair.index).zip(tune.variations(pair.index)) {
            let seat = |side: usize| Seat::of(&players[side]).with(Some(&variations[side]));
            self.files.add(pair, [seat(0), seat(1)])?;
        }
        if let Some(line) = &mut self.progress {
            line.counted(is_new, |rate| tune_line(tune, rate));
        }
        match is_new {
            true => self.outputs.refresh(tune),
            // What was counted before is no news: the files may be ahead of it.
            false => Ok(()),
        }
    }
}
