//! `harness sweep KEY=V1,V2,… [BASE]`: strength as a function of one parameter, or of two.

use super::again::quoted;
use super::conditions::{conditions, load_player, overridden};
use super::engine_options::{cannot_start, check_players};
use super::files::{OpenFiles, RunFiles, check_new};
use super::job::{Beginning, Finding, Job, refuse_another, stored_run};
use super::numbers::positive_elo;
use super::options::{RunOptions, current_folder};
use super::{Exit, Failure};
use super::{sweep_files, sweep_limits};
use crate::experiment::PlayerSpec;
use crate::game::record::PairRecord;
use crate::options::{self, Options};
use crate::players::{self, Setup};
use crate::report::pgn_file::Seat;
use crate::report::progress::ProgressLine;
use crate::report::sweep::SweepSummary;
use crate::report::sweep_text::sweep_line;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::dealer::Dealer;
use crate::run::drive::{CarryingOut, Listener, ListenerError};
use crate::store::kind;
use crate::tuning::sweep::arms::{Setting, Variant, joined};
use crate::tuning::sweep::contest::Sweep;
use crate::tuning::sweep::grid::{self, Axis, Grid};
use crate::tuning::sweep::schedule::{End, Limits, Mode};
use crate::tuning::sweep::spec::{Question, SweepSpec};
use clap::Args;
use engine::config::{EngineConfig, find_config};
use std::iter::once;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Pairs in a block unless another number is given: few enough to change course often, enough that a test is not
/// looked at after every pair, and that as many threads are not kept waiting.
const DEFAULT_BLOCK: u64 = 32;

/// Play several values of a parameter against the base's, most pairs where they matter
#[derive(Args)]
#[command(mut_arg("expect", |argument| argument.help(
    "Exit with code 3 unless this is the verdict: h1 if a value is stronger, h0 if none is by elo1 or more"
)))]
pub struct SweepArguments {
    /// Values of a parameter or technique, as in aspiration_delta=10,40 or lmr=true,false, or of a UCI option of another
    /// engine (two keys make a grid), then the configuration they change [default: the full engine]
    #[arg(value_name = "KEY=V1,V2,… | BASE", required_unless_present_any = ["resume", "ablate"])]
    what: Vec<String>,
    /// Turn off each technique of the base in turn, with those that need it
    #[arg(long)]
    ablate: bool,
    /// Seek a value that is stronger than the base's, and stop once one is shown to be [the default]
    #[arg(long, conflicts_with = "measure")]
    find: bool,
    /// Play equally many pairs of every value
    #[arg(long)]
    measure: bool,
    /// With --measure: stop once every value's 95 % margin is as small as this
    #[arg(long, value_name = "ELO", value_parser = positive_elo)]
    margin: Option<f64>,
    /// Pairs that go to one value at a time; more than the threads keep them busy [default: 32]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    block: Option<u64>,
    #[command(flatten)]
    run: Options<{ options::ALL }>,
    /// Draw the strength by value to this SVG file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: SweepArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    arguments.run.check_files()?;
    let in_force = arguments.run.clone().or(RunOptions::settings(&folder)?);
    let results = in_force.results(&folder);
    let ready = match &arguments.run.resume {
        Some(name) => resume(&arguments, name, &in_force, (&results, &folder), interrupt)?,
        None => begin(&arguments, &in_force, (&results, &folder), interrupt)?,
    };
    let Outcome { summary, spec, end, stopped } = carry_out(ready, &arguments, interrupt)?;
    arguments.run.print(&summary, || summary.text())?;
    if end == End::Interrupted && stopped.is_none() {
        tell(format_args!("to go on: {}", arguments.resume_command(&summary.run, &results)));
    }
    let files = sweep_files::Files::of_run(&results, &summary.run)?;
    files.draw(&summary, arguments.svg.as_deref())?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    if end == End::Interrupted {
        return Ok(Exit::Interrupted);
    }
    files.recommend(&spec, summary.best_arm())?;
    Ok(Exit::expecting(arguments.run.expect, summary.verdict))
}

impl SweepArguments {
    fn resume_command(&self, run: &str, results: &Path) -> String {
        let mut command = self.run.resume_command(kind::SWEEP, run, results);
        if let Some(margin) = self.margin {
            command += &format!(" --margin {margin}");
        }
        if let Some(svg) = &self.svg {
            command += &format!(" --svg {}", quoted(svg));
        }
        command
    }

    /// The values and the base, told apart by the `=`.
    fn axes_and_base(&self) -> Result<(Vec<Axis>, Option<&str>), Failure> {
        let (values, bases): (Vec<_>, Vec<_>) = self.what.iter().partition(|argument| argument.contains('='));
        let axes = values.into_iter().map(|argument| Axis::parse(argument));
        let axes: Vec<_> = axes.collect::<Result<_, _>>().map_err(Failure::usage)?;
        match bases[..] {
            [] => Ok((axes, None)),
            [base] => Ok((axes, Some(base))),
            [first, second, ..] => Err(Failure::usage(format!(
                "{first} and {second} are both no values: name one configuration, and values as in \
                 aspiration_delta=10,25,40"
            ))),
        }
    }

    /// The arms, of which there are none if only a run to resume is named.
    fn arms(&self, axes: &[Axis], base: &PlayerSpec) -> Result<(Question, Grid), Failure> {
        let arms = match (self.ablate, axes) {
            (true, []) => {
                let grid = |variants| Grid { variants, idle: Vec::new() };
                grid::ablation(base).map(|variants| (Question::Ablation, grid(variants)))
            }
            (true, _) => {
                Err("--ablate turns techniques off by itself: leave out the values, or --ablate".to_owned())
            }
            (false, []) => Err("no values are given: name some, as in aspiration_delta=10,25,40".to_owned()),
            (false, axes) => {
                let keys = axes.iter().map(|axis| axis.key.clone()).collect();
                grid::grid(base, axes).map(|grid| (Question::Values(keys), grid))
            }
        };
        arms.map_err(Failure::usage)
    }

    fn mode(&self) -> Option<Mode> {
        match (self.find, self.measure) {
            (true, _) => Some(Mode::Find),
            (_, true) => Some(Mode::Measure),
            _ => None,
        }
    }
}

/// A run that is ready to be played.
struct Ready {
    job: Job,
    spec: Arc<SweepSpec>,
    dealer: Dealer,
    limits: Limits,
    files: OpenFiles,
    carrying_out: CarryingOut,
}

/// The base and the file it was read from.
fn load_base(name: Option<&str>, folder: &Path) -> Result<(PlayerSpec, Option<PathBuf>), Failure> {
    let Some(name) = name else {
        let config = EngineConfig { name: "full".to_owned(), ..EngineConfig::default() };
        return Ok((PlayerSpec::new(Path::new("the full engine"), config), None));
    };
    let player = load_player(name, folder)?;
    let path = find_config(name, folder).map_err(Failure::usage)?;
    Ok((player, Some(path)))
}

/// A new run of the sweep that the arguments describe.
fn begin(
    arguments: &SweepArguments,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let (axes, name) = arguments.axes_and_base()?;
    let (base, base_file) = load_base(name, folder)?;
    let (question, Grid { variants, idle }) = arguments.arms(&axes, &base)?;
    let test = options.test()?;
    let (conditions, book) = conditions(options, folder)?;
    let spec = SweepSpec {
        question,
        base,
        base_file,
        variants,
        conditions,
        test,
        mode: arguments.mode().unwrap_or(Mode::Find),
        margin: arguments.margin,
        max_pairs: options.max_pairs,
        block: arguments.block.unwrap_or(DEFAULT_BLOCK),
    };
    let limits = sweep_limits::of_new(&spec)?;
    refuse_short_book(&spec)?;
    let carrying_out = options.carrying_out(2, &spec.conditions)?;
    if let Some(svg) = &arguments.svg {
        check_new(svg, "--svg")?;
    }
    check_players(players(&spec), &spec.conditions, &book, &carrying_out, interrupt)?;
    if arguments.run.quiet.is_none() {
        values_of_the_base(&spec, &carrying_out.setup)?.into_iter().for_each(tell);
    }
    if !idle.is_empty() && arguments.run.quiet.is_none() {
        tell(format_args!(
            "left out, as they would play the same games as the base or another: {}",
            idle.join(", ")
        ));
    }
    let beginning =
        Beginning { kind: kind::SWEEP, question: &spec.question(), spec: &spec, digest: &spec.digest() };
    let (job, files) = Job::begin(results, &beginning, || arguments.run.open_files(false))?;
    let dealer = Dealer::new(&spec.conditions, book);
    Ok(Ready { job, spec: Arc::new(spec), dealer, limits, files, carrying_out })
}

/// A warning for each value that another engine has anyway, since the base does not set the option: it plays against itself.
fn values_of_the_base(spec: &SweepSpec, setup: &Setup) -> Result<Vec<String>, Failure> {
    let Some(declared) = players::declared(&spec.base, setup).map_err(cannot_start)? else {
        return Ok(Vec::new());
    };
    let is_default = |setting: &Setting| {
        let value = setting.value.to_string().parse().ok();
        let unset = match setting.key.eq_ignore_ascii_case("Hash") {
            // Set for all engines alike.
            true => Some(i64::from(setup.hash_megabytes)),
            false => declared.spin(&setting.key).ok().and_then(|spin| spin.default),
        };
        value.is_some() && value == unset && Setting::of(&spec.base, &setting.key).is_none()
    };
    let same = spec.variants.iter().filter(|variant| variant.settings.iter().all(is_default));
    let warning = |variant: &Variant| {
        format!(
            "warning: {} is what {} plays with anyway, since its configuration does not set it: that value plays against itself",
            joined(&variant.settings, " "),
            spec.base.name()
        )
    };
    Ok(same.map(warning).collect())
}

/// The base and the arms.
fn players(spec: &SweepSpec) -> impl Iterator<Item = &PlayerSpec> {
    once(&spec.base).chain(spec.variants.iter().map(|variant| &variant.player))
}

/// Refuses a book in which not even one block finds its openings.
fn refuse_short_book(spec: &SweepSpec) -> Result<(), Failure> {
    match spec.rules().openings {
        Some(openings) if openings < spec.block => Err(Failure::usage(format!(
            "the book {} has {openings} openings, fewer than the {} pairs of a block: use a larger book or a smaller --block",
            spec.conditions.openings.file, spec.block
        ))),
        _ => Ok(()),
    }
}

/// A stored run, if it is the one that the arguments describe.
fn resume(
    arguments: &SweepArguments,
    name: &str,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let (store, info, stored): (_, _, SweepSpec) = stored_run(results, name, kind::SWEEP)?;
    let (conditions, book) = overridden(&stored.conditions, &arguments.run, folder)?;
    let (axes, base_name) = arguments.axes_and_base()?;
    // The same configurations, as the engine of this program plays them.
    let again = |player: &PlayerSpec| player.measured_anew().map_err(Failure::run);
    let base = match base_name {
        Some(name) => load_base(Some(name), folder)?.0,
        None => again(&stored.base)?,
    };
    let (question, variants) = match axes.is_empty() && !arguments.ablate {
        false => arguments.arms(&axes, &base).map(|(question, grid)| (question, grid.variants))?,
        true => {
            let again =
                |variant: &Variant| Ok(Variant { player: again(&variant.player)?, ..variant.clone() });
            (stored.question.clone(), stored.variants.iter().map(again).collect::<Result<_, Failure>>()?)
        }
    };
    let asked = SweepSpec {
        question,
        base,
        variants,
        conditions,
        test: arguments.run.clone().or((&stored.test).into()).test()?,
        mode: arguments.mode().unwrap_or(stored.mode),
        block: arguments.block.unwrap_or(stored.block),
        ..stored.clone()
    };
    refuse_another(&info.id, [stored.digest(), asked.digest()], || stored.differences(&asked))?;
    let (max_pairs, margin) = (arguments.run.max_pairs, arguments.margin);
    let limits = sweep_limits::of_stored(&stored, &info, Limits { max_pairs, margin, ..Limits::default() })?;
    if let Some(svg) = &arguments.svg {
        sweep_files::check_replaceable(svg)?;
    }
    let carrying_out = options.carrying_out(2, &asked.conditions)?;
    check_players(players(&stored), &asked.conditions, &book, &carrying_out, interrupt)?;
    let lock = store.lock_run(&info.id)?;
    let files = arguments.run.open_files(true)?;
    let job = Job { store, lock, info };
    let dealer = Dealer::new(&stored.conditions, book);
    Ok(Ready { job, spec: Arc::new(stored), dealer, limits, files, carrying_out })
}

/// What came out of a run.
struct Outcome {
    summary: SweepSummary,
    spec: Arc<SweepSpec>,
    end: End,
    /// Why it was ended early, if faults decided its games.
    stopped: Option<Failure>,
}

/// Plays the run and stores what came out.
fn carry_out(
    Ready { job, spec, dealer, limits, files, carrying_out }: Ready,
    arguments: &SweepArguments,
    interrupt: &Interrupt,
) -> Result<Outcome, Failure> {
    let files = files.of_run(&job.info, &spec.question(), spec.conditions.limit)?;
    if arguments.run.quiet.is_none() {
        tell(format_args!("{} · run {}", spec.question(), job.info.id));
    }
    let progress = arguments.run.quiet.is_none().then(|| ProgressLine::new(spec.question()));
    let mut listeners = Listeners { progress, files };
    let mut sweep = Sweep::new(&spec, limits);
    let resume = arguments.resume_command(&job.info.id, job.store.dir());
    let played = job.play((&mut sweep, &dealer), &carrying_out, interrupt, &mut listeners, &resume)?;
    let summary = SweepSummary::new(&played.info.id, &sweep, &played.effort);
    let end = sweep.end();
    let is_final = matches!(end, End::Winner(_) | End::AllDropped);
    let finding = Finding { games: summary.games, verdict: summary.verdict, is_final };
    played.finish(finding, &summary)?;
    if end != End::Interrupted {
        listeners.files.end(summary.verdict, summary.games)?;
    }
    Ok(Outcome { summary, spec, end, stopped: played.stopped(&resume) })
}

/// Who hears of a counted pair.
struct Listeners {
    progress: Option<ProgressLine>,
    files: RunFiles,
}

impl Listener<Sweep> for Listeners {
    fn counted(&mut self, pair: &PairRecord, sweep: &Sweep, is_new: bool) -> Result<(), ListenerError> {
        if let Some(arm) = sweep.last_arm() {
            let spec = sweep.spec();
            self.files.add(pair, [&spec.base, &spec.variants[arm].player].map(Seat::of))?;
        }
        if let Some(line) = &mut self.progress {
            line.counted(is_new, |rate| sweep_line(sweep, rate));
        }
        Ok(())
    }
}
