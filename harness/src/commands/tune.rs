//! `harness tune FILE`: SPSA over several parameters, then an SPRT of what came out against the start.

use super::conditions::{conditions, load_player, overridden};
use super::engine_options::{EngineOptions, check_players};
use super::files::{FileOptions, OpenFiles};
use super::job::{self, Beginning, Job, ResumeCommand, refuse_differences, stored_run};
use super::options::{RunOptions, current_folder};
use super::sprt::{self, Presentation};
use super::{Exit, Failure, print_out};
use crate::experiment::{Experiment, PlayerSpec};
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::report::progress::ProgressLine;
use crate::report::tell;
use crate::report::tuning::{TuneSummary, forecast_line, tune_line};
use crate::run::Interrupt;
use crate::run::contest::Contest;
use crate::run::drive::{CarryingOut, Listener, ListenerError, RunError, drive};
use crate::run::sprt::End;
use crate::statistics::SprtSpec;
use crate::store::Store;
use crate::tuning::file::{self, TuneFile};
use crate::tuning::forms::{self, Form};
use crate::tuning::tune::{Tune, TuneSpec};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The kind of run in the store.
const KIND: &str = "tune";

/// Tune parameters by SPSA, then test the tuned values against the start
#[derive(Args)]
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
    options: RunOptions,
    #[command(flatten)]
    engines: EngineOptions,
    /// Go on with a stored run
    #[arg(long, value_name = "RUN")]
    resume: Option<String>,
    /// Print the parameters (of a stored run, with --resume: as they are now) in this form, and play nothing
    #[arg(long, value_enum, value_name = "FORM")]
    export: Option<Form>,
    /// Do not test the tuned values against the start
    #[arg(long)]
    no_validation: bool,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: TuneArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let in_force = arguments.options.clone().or(RunOptions::settings(&folder)?);
    let results = in_force.results(&folder);
    if let Some(form) = arguments.export {
        return export(&arguments, form, &in_force, &results, &folder);
    }
    let (job, spec, book) = match &arguments.resume {
        Some(name) => resume(&arguments, name, &results, &folder)?,
        None => begin(&arguments, &in_force, &results, &folder)?,
    };
    let carrying_out = arguments.engines.carrying_out(&spec.conditions, &in_force, arguments.quiet)?;
    check_players([&spec.base], &book, &carrying_out.setup)?;
    let mut summary = carry_out(job, &spec, &book, &arguments, &carrying_out, interrupt)?;
    let mut exit = if summary.is_finished() { Exit::Done } else { Exit::Interrupted };
    if summary.is_finished() && !arguments.no_validation {
        exit = validate(&mut summary, &spec, book, &arguments, (&in_force, &carrying_out), interrupt)?;
    }
    match arguments.json {
        true => print_out(serde_json::to_string(&summary).map_err(Failure::run)?)?,
        false => print_out(summary.text())?,
    }
    if exit == Exit::Interrupted {
        tell(format_args!("to go on: {}", arguments.resume_command(&summary.run, &results)));
    }
    Ok(exit)
}

impl TuneArguments {
    fn resume_command<'a>(&'a self, run: &'a str, results: &'a Path) -> ResumeCommand<'a> {
        ResumeCommand { command: KIND, run, results, options: &self.options, pgn: None, events: None }
    }
}

/// The specification that a new run's arguments describe, and its book.
fn described(
    arguments: &TuneArguments,
    options: &RunOptions,
    folder: &Path,
) -> Result<(TuneSpec, Arc<Book>), Failure> {
    let (conditions, book) = conditions(options, folder)?;
    let path = arguments.file.as_deref().unwrap_or(Path::new(""));
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("{name} cannot be read: {error}")))?;
    let wrong = |reason: String| Failure::usage(format!("in {name}: {reason}"));
    let (base, parameters, mut schedule) = if path.extension().is_some_and(|extension| extension == "toml") {
        let file = TuneFile::parse(&text).map_err(wrong)?;
        let base = load_base(arguments.base.as_deref(), &file.base, path, folder)?;
        let parameters = file.parameters(&base, &text).map_err(wrong)?;
        (base, parameters, file.schedule())
    } else {
        let base = arguments.base.as_deref().ok_or_else(|| {
            Failure::usage(format!("{name} does not say which configuration is tuned: give --base CONFIG"))
        })?;
        let parameters = forms::parse(&text).map_err(|error| wrong(error.to_string()))?;
        (load_player(base, folder)?, parameters, Default::default())
    };
    schedule.iterations = arguments.iterations.unwrap_or(schedule.iterations);
    file::check(&base, &parameters, &schedule).map_err(wrong)?;
    let unstarted = TuneSpec { base, conditions, schedule, parameters };
    let start: Vec<f64> = unstarted.parameters.iter().map(|parameter| parameter.start).collect();
    let base = rounded(&unstarted, &start, &unstarted.base.file).map_err(wrong)?;
    let spec = TuneSpec { base, ..unstarted };
    spec.check_corners().map_err(wrong)?;
    Ok((spec, book.into()))
}

/// The player with these values, as a run of its own would know it.
fn rounded(spec: &TuneSpec, values: &[f64], file: &str) -> Result<PlayerSpec, String> {
    spec.player(values, file)?.measured_anew()
}

/// The configuration that `--base` names, or the file: there its path is seen from the file, then as any config's.
fn load_base(given: Option<&str>, named: &str, file: &Path, folder: &Path) -> Result<PlayerSpec, Failure> {
    let beside = file.with_file_name(named);
    match given {
        None if beside.is_file() => load_player(&beside.to_string_lossy(), folder),
        _ => load_player(given.unwrap_or(named), folder),
    }
}

/// Stores a new run.
fn begin(
    arguments: &TuneArguments,
    options: &RunOptions,
    results: &Path,
    folder: &Path,
) -> Result<(Job, TuneSpec, Arc<Book>), Failure> {
    let (spec, book) = described(arguments, options, folder)?;
    let (needed, there) = (spec.pairs(), book.openings.len() as u64);
    if spec.conditions.limit.is_deterministic() && needed > there {
        return Err(Failure::usage(format!(
            "{} iterations of {} pairs need {needed} openings, and {} has {there}: with {} an opening can be played \
             once, so give fewer iterations or a larger book",
            spec.schedule.iterations,
            spec.schedule.pairs,
            book.path.display(),
            spec.conditions.limit,
        )));
    }
    let beginning = Beginning { kind: KIND, question: &spec.question(), spec: &spec, digest: &spec.digest() };
    let (job, ()) = Job::begin(results, &beginning, || Ok(()))?;
    Ok((job, spec, book))
}

/// A stored run, if the options agree with it.
fn resume(
    arguments: &TuneArguments,
    name: &str,
    results: &Path,
    folder: &Path,
) -> Result<(Job, TuneSpec, Arc<Book>), Failure> {
    let (store, info, stored): (_, _, TuneSpec) = stored_run(results, name, KIND)?;
    let (conditions, book) = overridden(&stored.conditions, &arguments.options, folder)?;
    let base = stored.base.measured_anew().map_err(Failure::run)?;
    let mut schedule = stored.schedule;
    schedule.iterations = arguments.iterations.unwrap_or(schedule.iterations);
    let asked = TuneSpec { base, conditions, schedule, parameters: stored.parameters.clone() };
    refuse_differences(&info.id, &stored.differences(&asked))?;
    let lock = store.lock_run(&info.id)?;
    // The same conditions, with files found where they are now.
    let spec = TuneSpec { conditions: asked.conditions, ..stored };
    Ok((Job { store, lock, info }, spec, book.into()))
}

/// Prints the parameters in another tuner's form, or as a configuration.
fn export(
    arguments: &TuneArguments,
    form: Form,
    options: &RunOptions,
    results: &Path,
    folder: &Path,
) -> Result<Exit, Failure> {
    let (spec, values) = match &arguments.resume {
        Some(name) => {
            let (store, info, spec): (_, _, TuneSpec) = stored_run(results, name, KIND)?;
            let (_, book) = overridden(&spec.conditions, &arguments.options, folder)?;
            let values = replayed(&store, &info.id, &spec, &book.into())?;
            (spec, values)
        }
        None => {
            let (spec, _) = described(arguments, options, folder)?;
            let values = spec.parameters.iter().map(|parameter| parameter.start).collect();
            (spec, values)
        }
    };
    let player = spec.player(&values, &spec.base.file).map_err(Failure::run)?;
    let text = forms::format(form, &spec.parameters, &values, &player.to_toml());
    print_out(text.trim_end())?;
    Ok(Exit::Done)
}

/// Where the stored pairs of a run have led to; another process may be playing it.
fn replayed(store: &Store, run: &str, spec: &TuneSpec, book: &Arc<Book>) -> Result<Vec<f64>, Failure> {
    let mut tune = Tune::new(spec, book);
    for (index, pair) in store.pairs(run, 0).enumerate() {
        let pair = pair?;
        if pair.index != index as u64 || tune.is_over() {
            break;
        }
        tune.count(&pair);
    }
    Ok(tune.values().to_vec())
}

/// Plays the run and stores what came out.
fn carry_out(
    Job { store, lock, info }: Job,
    spec: &TuneSpec,
    book: &Arc<Book>,
    arguments: &TuneArguments,
    carrying_out: &CarryingOut,
    interrupt: &Interrupt,
) -> Result<TuneSummary, Failure> {
    if !arguments.quiet {
        tell(format_args!("{} · run {}", spec.question(), info.id));
        tell(forecast_line(spec));
    }
    let progress = (!arguments.quiet).then(|| ProgressLine::new(format!("tuning {}", spec.base.file)));
    let mut listener = Shown(progress);
    let mut tune = Tune::new(spec, book);
    let driven = drive(&mut tune, (&store, lock), carrying_out, interrupt, &mut listener);
    if let Some(line) = &listener.0 {
        line.finish();
    }
    let resume = arguments.resume_command(&info.id, store.dir());
    let (ended, _lock) = driven.map_err(|error| job::failed(&error, &resume))?;
    if let Some(reason) = tune.failure() {
        return Err(job::failed(&RunError::Listener(ListenerError(reason.to_owned())), &resume));
    }
    let effort = job::effort(&store, &info.id, carrying_out.threads, &ended)?;
    let mut summary = TuneSummary::new(&info.id, spec, &tune, &effort);
    summary.config = Some(write_values(store.dir(), &info.id, spec, &tune)?);
    Job::finish(&store, &info.id, &ended, 2 * tune.pairs(), "tuned", &summary)?;
    Ok(summary)
}

/// Writes the values as they are now to a config in the run's own folder, where only this run writes.
fn write_values(results: &Path, run: &str, spec: &TuneSpec, tune: &Tune) -> Result<PathBuf, Failure> {
    let folder = results.join(run);
    let path = folder.join("tuned.toml");
    let player = spec.player(tune.values(), "tuned.toml").map_err(Failure::run)?;
    let unwritable = |error| Failure::run(format!("{} cannot be written: {error}", path.display()));
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(unwritable)?;
    file.write_all(player.to_toml().as_bytes()).map_err(unwritable)?;
    file.persist(&path).map_err(|error| unwritable(error.error))?;
    Ok(path)
}

/// Tests the tuned values against the start, on openings that the tuning has not played.
fn validate(
    summary: &mut TuneSummary,
    spec: &TuneSpec,
    book: Arc<Book>,
    arguments: &TuneArguments,
    (options, carrying_out): (&RunOptions, &CarryingOut),
    interrupt: &Interrupt,
) -> Result<Exit, Failure> {
    let candidate = rounded(spec, &summary.values(), "tuned.toml").map_err(Failure::run)?;
    if candidate.digest == spec.base.digest {
        tell("the tuned values are the start values, so there is nothing to test");
        return Ok(Exit::Done);
    }
    let mut conditions = spec.conditions.clone();
    conditions.openings.first = spec.pairs();
    let test = options.test(&SprtSpec::default())?;
    let experiment = Experiment { base: spec.base.clone(), candidate, conditions, test };
    let presentation =
        Presentation { options: &arguments.options, files: &FileOptions::default(), quiet: arguments.quiet };
    let results = options.results(&current_folder()?);
    let (job, plan) = sprt::begin_or_go_on(experiment, book, &results)?;
    let (validation, end) = sprt::carry_out(
        (job, &plan, OpenFiles::default()),
        carrying_out,
        options.max_pairs,
        presentation,
        interrupt,
    )?;
    summary.validation = Some(validation);
    Ok(if end == End::Interrupted { Exit::Interrupted } else { Exit::Done })
}

/// Shows how the values move.
struct Shown(Option<ProgressLine>);

impl Listener<Tune<'_>> for Shown {
    fn counted(&mut self, _: &PairRecord, tune: &Tune, is_new: bool) -> Result<(), ListenerError> {
        if let Some(line) = &mut self.0 {
            line.counted(is_new, |rate| tune_line(tune, rate));
        }
        Ok(())
    }
}
