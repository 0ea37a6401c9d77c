//! `harness sweep KEY=V1,V2,… [BASE]`: strength as a function of one parameter, or of two.

use super::sweep_files;
use crate::cli::again::quoted;
use crate::cli::engine_options::cannot_start;
use crate::cli::files::check_new;
use crate::cli::numbers::positive_elo;
use crate::cli::options::RunOptions;
use crate::cli::play::{Asked, Plays, Ready, play};
use crate::cli::player::load_player;
use crate::cli::player_options::PlayerOptions;
use crate::cli::{Exit, Failure};
use crate::kinds::sweep::SweepSpec;
use crate::kinds::sweep::arms::{Arm, Setting, joined};
use crate::kinds::sweep::grid::{self, Axis, Grid};
use crate::kinds::sweep::schedule::{Goal, Mode};
use crate::kinds::sweep::spec::Question;
use crate::options::{self, Options, whole};
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::players::{self};
use crate::report::tell;
use crate::run::Interrupt;
use clap::Args;
use engine::config::{EngineConfig, find_config};
use std::path::{Path, PathBuf};

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
    /// Configuration or program that is changed, where its name has a `=`
    #[arg(long, value_name = "CONFIG", help_heading = "Players")]
    base: Option<String>,
    #[command(flatten)]
    set: PlayerOptions,
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
    #[arg(long, value_name = "PAIRS", value_parser = whole::<u64>(1..=1_000_000), allow_negative_numbers = true)]
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
    match (&arguments.svg, &arguments.run.resume) {
        (Some(svg), None) => check_new(svg, "--svg")?,
        (Some(svg), Some(_)) => sweep_files::check_replaceable(svg)?,
        (None, _) => {}
    }
    let played = play(&arguments, |_| Box::new(()), interrupt)?;
    let outcome = played.outcome;
    outcome.print(&arguments.run)?;
    let files = sweep_files::Files::of_run(&played.results, &outcome.summary.head.run)?;
    files.draw(&outcome.summary, arguments.svg.as_deref())?;
    let (spec, best, verdict) = (outcome.spec.clone(), outcome.summary.best_arm(), outcome.summary.verdict);
    match outcome.exit()? {
        Exit::Done => {
            files.recommend(&spec, best)?;
            Ok(Exit::expecting(arguments.run.expect, verdict))
        }
        exit => Ok(exit),
    }
}

impl Plays for SweepArguments {
    type Spec = SweepSpec;

    fn given(&self) -> &RunOptions {
        &self.run
    }

    fn spec(&self, asked: &Asked<SweepSpec>) -> Result<SweepSpec, Failure> {
        let Asked { stored, options, folder, .. } = *asked;
        let (axes, base_name) = self.axes_and_base()?;
        let Some(stored) = stored else {
            let (base, base_file) = self.load_base(base_name, folder)?;
            let (question, Grid { arms, idle }) = self.arms(&axes, &base)?;
            let (test, mode) = (options.test()?, self.mode().unwrap_or(Mode::Find));
            let (block, conditions) = (self.block.unwrap_or(DEFAULT_BLOCK), asked.conditions()?);
            let spec = SweepSpec { question, base, base_file, arms, conditions, test, mode, block };
            if !idle.is_empty() {
                (asked.setup()?.note)(&format!(
                    "left out, as they would play the same games as the base or another: {}",
                    idle.join(", ")
                ));
            }
            return Ok(spec);
        };
        // The same configurations, as the engine of this program plays them.
        let again = |player: &PlayerSpec| player.measured_anew().map_err(Failure::run);
        let base = match base_name {
            Some(name) => self.load_base(Some(name), folder)?.0,
            None => again(&stored.base)?,
        };
        let (question, arms) = match axes.is_empty() && !self.ablate {
            false => self.arms(&axes, &base).map(|(question, grid)| (question, grid.arms))?,
            true => {
                let again = |arm: &Arm| Ok(Arm { player: again(&arm.player)?, ..arm.clone() });
                let arms = stored.arms.iter().map(again).collect::<Result<_, Failure>>()?;
                (stored.question.clone(), arms)
            }
        };
        Ok(SweepSpec {
            question,
            base,
            base_file: stored.base_file.clone(),
            arms,
            conditions: asked.conditions()?,
            test: self.run.clone().or((&stored.test).into()).test()?,
            mode: self.mode().unwrap_or(stored.mode),
            block: self.block.unwrap_or(stored.block),
        })
    }

    fn goal(&self, options: &RunOptions, previous: Option<&Goal>) -> Result<Option<Goal>, Failure> {
        let (max_pairs, margin) = (options.max_pairs, self.margin);
        let already = previous.map_or(0, |previous| previous.already);
        Ok((max_pairs.is_some() || margin.is_some()).then_some(Goal { max_pairs, margin, already }))
    }

    fn describes(&self) -> bool {
        let is_named = !self.what.is_empty() || self.base.is_some() || self.set.are_given();
        is_named || self.ablate || self.mode().is_some() || self.block.is_some()
    }

    fn check(&self, ready: &Ready<SweepSpec>) -> Result<(), Failure> {
        let Ready { spec, goal, is_new, is_goal_new, .. } = ready;
        if *is_goal_new {
            check_goal(spec, goal)?;
        }
        if *is_new {
            refuse_short_book(spec)?;
        }
        Ok(())
    }

    fn warn(&self, Ready { spec, execution, is_new, quiet, .. }: &Ready<SweepSpec>) -> Result<(), Failure> {
        if *is_new && !quiet {
            values_of_the_base(spec, &execution.setup)?.into_iter().for_each(tell);
        }
        Ok(())
    }

    fn also(&self) -> String {
        let margin = self.margin.map_or(String::new(), |margin| format!(" --margin {margin}"));
        let svg = self.svg.as_ref().map_or(String::new(), |svg| format!(" --svg {}", quoted(svg)));
        margin + &svg
    }
}

impl SweepArguments {
    /// The values and the base, told apart by the `=`.
    fn axes_and_base(&self) -> Result<(Vec<Axis>, Option<&str>), Failure> {
        let (values, bases): (Vec<_>, Vec<_>) = self.what.iter().partition(|argument| argument.contains('='));
        let axes = values.into_iter().map(|argument| Axis::parse(argument));
        let axes: Vec<_> = axes.collect::<Result<_, _>>().map_err(Failure::usage)?;
        let bases: Vec<&String> = bases.into_iter().chain(&self.base).collect();
        match bases[..] {
            [] => Ok((axes, None)),
            [base] => Ok((axes, Some(base))),
            [first, second, ..] => Err(Failure::usage(format!(
                "{first} and {second} are both no values: name one configuration, and values as in \
                 aspiration_delta=10,25,40"
            ))),
        }
    }

    /// The base and the file it was read from.
    fn load_base(&self, name: Option<&str>, folder: &Path) -> Result<(PlayerSpec, Option<PathBuf>), Failure> {
        let Some(name) = name else {
            let config = EngineConfig { name: "full".to_owned(), ..EngineConfig::default() };
            return Ok((PlayerSpec::new(Path::new("the full engine"), config), None));
        };
        let player = load_player(name, folder)?;
        // A program is read from no file.
        let path = find_config(name, folder).ok().filter(|_| player.external_engine().is_none());
        Ok((self.set.applied(vec![player], folder)?.remove(0), path))
    }

    /// The arms, of which there are none if only a run to resume is named.
    fn arms(&self, axes: &[Axis], base: &PlayerSpec) -> Result<(Question, Grid), Failure> {
        let arms = match (self.ablate, axes) {
            (true, []) => {
                let grid = |arms| Grid { arms, idle: Vec::new() };
                grid::ablation(base).map(|arms| (Question::Ablation, grid(arms)))
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

/// Refuses a run that would not say how far it goes, or that goes nowhere.
fn check_goal(spec: &SweepSpec, Goal { max_pairs, margin, already }: &Goal) -> Result<(), Failure> {
    match (spec.mode, margin, max_pairs) {
        (Mode::Find, Some(_), _) => {
            Err(Failure::usage("--margin says how far to measure: give --measure with it"))
        }
        (Mode::Measure, None, None) => {
            Err(Failure::usage("how far to measure is not said: give --margin ELO, or --max-pairs N"))
        }
        (Mode::Measure, _, Some(pairs)) if *pairs.max(already) < spec.round() => {
            Err(Failure::usage(format!(
                "--max-pairs {pairs} is less than one block of {} pairs for each of {} arms: give at least {}, or a smaller \
                 --block",
                spec.block,
                spec.arms.len(),
                spec.round()
            )))
        }
        _ => Ok(()),
    }
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
    let same = spec.arms.iter().filter(|arm| arm.settings.iter().all(is_default));
    let warning = |arm: &Arm| {
        format!(
            "warning: {} is what {} plays with anyway, since its configuration does not set it: that value plays against itself",
            joined(&arm.settings, " "),
            spec.base.name()
        )
    };
    Ok(same.map(warning).collect())
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
