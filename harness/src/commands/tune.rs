//! `harness tune FILE`: SPSA over several parameters, then an SPRT of what came out against the start.

use super::tune_files::TuneFiles;
use crate::cli::carry_out::{Outcome, Session, carry_out, count_again};
use crate::cli::conditions::{check_memory, conditions};
use crate::cli::engine_options::{cannot_start, check_players};
use crate::cli::files::OpenFiles;
use crate::cli::job::{Job, refuse_another};
use crate::cli::options::{RunOptions, current_folder};
use crate::cli::play::{Asked, Played, Plays, Ready, Surroundings, play};
use crate::cli::player::load_player;
use crate::cli::player_options::PlayerOptions;
use crate::cli::resumed::{Resumed, StoredRun};
use crate::cli::{Exit, Failure, print_out};
use crate::conditions::Conditions;
use crate::kinds::spec::RunSpec;
use crate::kinds::sprt::SprtSpec;
use crate::kinds::tune::follow_up::{conditions_of_test, test_of};
use crate::kinds::tune::forms::{self, Form};
use crate::kinds::tune::read::read;
use crate::kinds::tune::spsa::{Parameter, SpsaSchedule};
use crate::kinds::tune::{FollowUp, START, TUNED, Tune, TuneSpec};
use crate::options::{self, Name, Options, Set};
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::players::{self};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::goal::PairGoal;
use crate::run::recount::recount;
use crate::statistics::SprtBounds;
use clap::Args;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    #[arg(long, value_name = "N", value_parser = iterations, allow_negative_numbers = true)]
    iterations: Option<u64>,
    #[command(flatten)]
    run: Options<TAKEN>,
    #[command(flatten)]
    set: PlayerOptions,
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
    if let Some(form) = arguments.export {
        return export(&arguments, form);
    }
    let outputs = |job: &Job| Box::new(TuneFiles::new(job.store.dir(), &job.info.id)) as Box<_>;
    let mut played = play(&arguments, outputs, interrupt)?;
    let tested = match played.outcome.end.is_some() {
        true => test_of_the_values(&mut played, &arguments, interrupt)?,
        false => None,
    };
    played.outcome.print(&arguments.run)?;
    match tested {
        None => played.outcome.exit(),
        Some(Outcome { stopped: Some(stopped), .. }) => Err(stopped),
        // The tuning goes on with its test.
        Some(Outcome { end, .. }) => Outcome { end, ..played.outcome }.exit(),
    }
}

impl Plays for TuneArguments {
    type Spec = TuneSpec;

    fn given(&self) -> &RunOptions {
        &self.run
    }

    fn spec(&self, asked: &Asked<TuneSpec>) -> Result<TuneSpec, Failure> {
        let Asked { stored, folder, .. } = *asked;
        let (conditions, setup) = (asked.conditions()?, asked.setup()?);
        let Some(stored) = stored else {
            return new(self, (conditions, setup), folder);
        };
        match &self.file {
            Some(path) => {
                let asked = described(self, path, (conditions, setup), &stored.schedule, folder)?;
                Ok(TuneSpec { sides_apart: stored.sides_apart, ..asked })
            }
            None => {
                let base = match &self.base {
                    Some(name) => load_player(name, folder)?,
                    None => stored.base.clone(),
                };
                let iterations = self.iterations.unwrap_or(stored.schedule.iterations);
                from_start(TuneSpec {
                    base: self.set.applied(vec![base], folder)?.remove(0),
                    conditions,
                    schedule: SpsaSchedule { iterations, ..stored.schedule },
                    ..stored.clone()
                })
            }
        }
    }

    /// Whatever the test needs is looked at before the tuning, not hours later.
    fn goal(&self, options: &RunOptions, previous: Option<&FollowUp>) -> Result<Option<FollowUp>, Failure> {
        let is_given = self.no_validation
            || options.max_pairs.is_some()
            || options.given().any(|(option, _)| option.role.is_of_test());
        if !is_given {
            return Ok(None);
        }
        let usual = previous.and_then(|previous| previous.test).unwrap_or_default();
        let max_pairs = options.max_pairs.or(previous.and_then(|previous| previous.max_pairs));
        let test = options.clone().or((&usual).into()).test()?;
        Ok(Some(FollowUp { test: (!self.no_validation).then_some(test), max_pairs }))
    }

    fn usual_goal(&self) -> FollowUp {
        FollowUp { test: Some(SprtBounds::default()), max_pairs: None }
    }

    fn describes(&self) -> bool {
        self.file.is_some() || self.base.is_some() || self.iterations.is_some() || self.set.are_given()
    }

    fn check(&self, ready: &Ready<TuneSpec>) -> Result<(), Failure> {
        if ready.is_new {
            refuse_short_book(ready)?;
            check_memory_of_hash(ready.spec, ready.execution.threads)?;
        }
        Ok(())
    }

    fn warn(&self, Ready { spec, execution, is_new, .. }: &Ready<TuneSpec>) -> Result<(), Failure> {
        if *is_new { Ok(()) } else { warn_of_refused_values(spec, &execution.setup) }
    }

    fn players_to_try<'a>(&self, spec: &'a TuneSpec) -> Result<Vec<Cow<'a, PlayerSpec>>, Failure> {
        let ends = match self.run.resume {
            Some(_) => Vec::new(),
            None => ends_of_ranges(spec)?.map(Cow::Owned).into(),
        };
        Ok([Cow::Borrowed(&spec.base)].into_iter().chain(ends).collect())
    }
}

/// Refuses a book with too few openings for all iterations, and one more for the test if the tuned values are to be tested.
fn refuse_short_book(Ready { spec, goal, book, .. }: &Ready<TuneSpec>) -> Result<(), Failure> {
    let needed = spec.pairs() + u64::from(goal.test.is_some());
    let there = spec.conditions.openings.left();
    match spec.conditions.limit.is_deterministic() && needed > there {
        true => Err(Failure::usage(format!(
            "{} iterations of {} pairs{} need {needed} openings, and {} has {there} left: with {} an opening can be played \
             once, so give fewer iterations or a larger book",
            spec.schedule.iterations,
            spec.schedule.pairs,
            if goal.test.is_some() { ", and a test after them," } else { "" },
            book.path.display(),
            spec.conditions.limit,
        ))),
        false => Ok(()),
    }
}

/// The specification that a new run's arguments describe.
fn new(
    arguments: &TuneArguments,
    surroundings: (Conditions, &Setup),
    folder: &Path,
) -> Result<TuneSpec, Failure> {
    let path = arguments.file.as_deref().unwrap_or(Path::new(""));
    described(arguments, path, surroundings, &SpsaSchedule::default(), folder)
}

/// What a file asks for; how long and in which steps is as `usual` where neither it nor an option says so. The engine is asked
/// which options it has if it is another than the built-in one, run as in `setup`.
fn described(
    arguments: &TuneArguments,
    path: &Path,
    (conditions, setup): (Conditions, &Setup),
    usual: &SpsaSchedule,
    folder: &Path,
) -> Result<TuneSpec, Failure> {
    let file = read(path).map_err(Failure::usage)?;
    let base = load_base(arguments.base.as_deref(), file.base.as_deref(), path, folder)?;
    let base = arguments.set.applied(vec![base], folder)?.remove(0);
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

/// Reads `--iterations`, of which the file's message is the same.
fn iterations(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|&count: &u64| count > 0);
    count.ok_or_else(|| format!("`iterations` takes an integer of 1 or more, not {text}"))
}

/// Prints the parameters in another tuner's form, or as a configuration.
fn export(arguments: &TuneArguments, form: Form) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    arguments.run.check_files()?;
    let options = arguments.run.clone().or(RunOptions::settings(&folder)?);
    let (spec, values) = match &arguments.run.resume {
        Some(name) => {
            if arguments.file.is_some() || arguments.base.is_some() || arguments.iterations.is_some() {
                return Err(Failure::usage(
                    "--export prints the parameters of a stored run as they are: leave out FILE, --base and --iterations",
                ));
            }
            let StoredRun { store, info, spec } =
                StoredRun::<TuneSpec>::find(&options.results(&folder), name)?;
            let mut tune = Tune::new(&spec);
            recount(&mut tune, (&store, &info.id), |_, _| ())?;
            let values = tune.values().to_vec();
            (spec, values)
        }
        None => {
            let (conditions, _) = conditions(&options, &folder)?;
            let setup = Setup::new(conditions.hash_megabytes);
            let spec = new(arguments, (conditions, &setup), &folder)?;
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

/// Tests the tuned values against the start, on openings that the tuning has not played, if that is asked for. A test that was
/// ended, and of which no more is asked, is only counted again.
fn test_of_the_values(
    Played { outcome, goal, results, surroundings }: &mut Played<TuneSpec>,
    arguments: &TuneArguments,
    interrupt: &Interrupt,
) -> Result<Option<Outcome<SprtSpec>>, Failure> {
    let tuning = StoredRun::<TuneSpec>::find(results, &outcome.summary.head.run)?;
    // What is asked of the test is asked of the tuning: to go on it need not be said again.
    let asked = serde_json::to_string(goal).map_err(Failure::run)?;
    if tuning.info.goal_json.as_ref() != Some(&asked) {
        tuning.store.set_goal(&tuning.info.id, &asked)?;
    }
    let FollowUp { test: Some(bounds), max_pairs } = *goal else { return Ok(None) };
    let (spec, values) = (&outcome.spec, &outcome.summary.values);
    let tuned = spec.tuned(values).map_err(Failure::run)?;
    if tuned.digest == spec.base.digest {
        tell("the tuned values are the start values, so there is nothing to test");
        return Ok(None);
    }
    let asked = arguments.run.max_pairs.map(PairGoal::of);
    let quiet = arguments.run.quiet.is_some();
    let without_files = RunOptions { pgn: None, events: None, ..arguments.run.clone() };
    let resume = |run: &str| without_files.resume_command(SprtSpec::KIND, run, results);
    let tested = match test_of(&tuning.store, spec, values, Some(bounds))? {
        Some(info) => {
            let test = StoredRun::<SprtSpec>::find(results, &info.id)?;
            test.resumed(asked)?.again().map(|goal| (test, goal))
        }
        None => None,
    };
    let tested = match tested {
        Some((StoredRun { store, info, spec }, goal)) => {
            let (lock, resume) = (store.lock_run(&info.id)?, resume(&info.id));
            let job = (Job { lock, store, info }, OpenFiles::default());
            count_again(job, (&spec, &goal), (quiet, resume), &mut ())?
        }
        None => {
            let folder = current_folder()?;
            let Surroundings { conditions, book, execution } = match surroundings.take() {
                Some(surroundings) => surroundings,
                None => surroundings_again(&tuning, arguments, &folder, interrupt)?,
            };
            let in_folder = |player: PlayerSpec, file: &str| {
                let path = results.join(&tuning.info.id).join(file);
                player.typed_as(&path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy())
            };
            let candidate = tuned.measured_anew().map_err(Failure::run)?;
            let test = Arc::new(SprtSpec {
                base: in_folder(spec.start(), START),
                candidate: in_folder(candidate, TUNED),
                conditions: conditions_of_test(spec, &conditions),
                test: bounds,
            });
            let goal = PairGoal { max_pairs };
            let job = Job::begin_or_go_on(results, &*test, &goal)?;
            let stored = StoredRun::<SprtSpec>::find(results, &job.info.id)?;
            let goal = match stored.resumed(asked)? {
                Resumed::Again(goal) | Resumed::Onwards(Some(goal)) => goal,
                Resumed::Onwards(None) => goal,
            };
            let resume = resume(&job.info.id);
            let session = Session { book: &book, execution: &execution, interrupt, quiet, resume };
            carry_out((job, OpenFiles::default()), (&test, &goal), &session, &mut ())?
        }
    };
    outcome.summary.validation = Some(tested.summary.clone());
    Ok(Some(tested))
}

/// The book and the engine of a tuning whose report was only printed, to play its test with: they must be what they were.
fn surroundings_again(
    tuning: &StoredRun<TuneSpec>,
    arguments: &TuneArguments,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Surroundings, Failure> {
    let StoredRun { info, spec, .. } = tuning;
    let given = &*arguments.run;
    let options = given.clone().or(RunOptions::settings(folder)?);
    let found = Surroundings::find(Some(&spec.conditions), (given, &options), folder, 2)?;
    let now = from_start(TuneSpec { conditions: found.conditions.clone(), ..(**spec).clone() })?;
    refuse_another(&info.id, &**spec, &now)?;
    check_players([&now.base], &found.conditions, &found.book, &found.execution, interrupt)?;
    Ok(found)
}
