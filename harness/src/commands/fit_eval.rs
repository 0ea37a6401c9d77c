//! `harness fit-eval [RUN…]`: fits the weights of the evaluation to the results of games.

use crate::cli::carry_out::{Session, carry_out};
use crate::cli::files::{OpenFiles, check_folder, check_new, check_whole_file};
use crate::cli::job::{Job, refuse_another};
use crate::cli::options::{RunOptions, current_folder};
use crate::cli::play::Surroundings;
use crate::cli::resumed::{Resumed, StoredRun};
use crate::cli::{Exit, Failure};
use crate::conditions::Conditions;
use crate::fit::extract::{Extracted, Selection, extract};
use crate::fit::model::{values, weights};
use crate::fit::repeats::Repeat;
use crate::fit::train::{Epoch, FitError, Fitted, Settings, check, fit, fit_k, hold};
use crate::fit::{data::weight_name, output};
use crate::kinds::selfplay::SelfplaySpec;
use crate::options::{self, Name, Options, Set, whole};
use crate::players::spec::PlayerSpec;
use crate::report::{shell_word, tell};
use crate::run::Interrupt;
use crate::run::goal::PairGoal;
use crate::store::Store;
use crate::whole_file;
use clap::Args;
use engine::config::{EngineConfig, find_config};
use engine::evaluation::EvalWeights;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::time::Instant;

/// Nodes of a self-play move unless told otherwise: enough to punish a blunder, few enough for many games.
const SELF_PLAY_NODES: u64 = 1500;

/// How games are played with --play, and on how many threads everything is done.
const TAKEN: Set = options::of(&[Name::nodes, Name::openings, Name::seed, Name::threads])
    | options::of(&[Name::results, Name::json, Name::quiet]);

/// Fit the weights of the evaluation to the results of stored games, or of games played for it first
#[derive(Args)]
#[command(mut_args(|argument| match argument.get_id().as_str() {
    "nodes" => argument.help("Nodes to search for each move of the games played with --play [default: 1500]"),
    "seed" => argument.help("Seed of the order of openings, the choice of games to validate by, and the order of positions [default: 1]"),
    _ => argument,
}))]
pub struct FitArguments {
    /// Stored runs whose games are learnt from; with --play, the first is a self-play run to go on with
    #[arg(required_unless_present = "play")]
    runs: Vec<String>,
    /// Play games of the configuration with itself until its run has so many pairs
    #[arg(long, value_name = "PAIRS", value_parser = whole::<u64>(1..), allow_negative_numbers = true)]
    play: Option<u64>,
    /// Configuration whose weights the fit starts from, and that plays [default: what the engine ships]
    #[arg(long, value_name = "CONFIG")]
    from: Option<String>,
    #[command(flatten)]
    fitting: Fitting,
    #[command(flatten)]
    options: Options<TAKEN>,
    /// Write the weights as a config file; it must not exist
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Write the weights as the table the engine ships (engine/src/evaluation/shipped.rs), in its place
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    table: Option<PathBuf>,
}

/// What is learnt from, and how.
#[derive(Args)]
struct Fitting {
    /// Plies after the opening that are left out
    #[arg(long, value_name = "N", default_value_t = 4)]
    skip_plies: usize,
    /// Share of the player's own score in what a position is said to be worth; the rest is the game's result
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    lambda: f64,
    /// Share of the openings whose games only tell when to stop
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    validation: f64,
    /// Passes over the positions, at most
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u32>(1..), allow_negative_numbers = true)]
    epochs: u32,
    /// Passes without progress on the validation games after which the fit ends
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<u32>(1..), allow_negative_numbers = true)]
    patience: u32,
    /// Size of the first steps, centipawns
    #[arg(long, value_name = "CP", default_value_t = 1.0, value_parser = positive)]
    rate: f64,
    /// Positions to a step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = whole::<u64>(1..), allow_negative_numbers = true)]
    batch: u64,
    /// A weight that makes a difference in fewer positions is not determined, and the fit is refused
    #[arg(long, value_name = "N", default_value_t = 100)]
    least: usize,
    /// Keep such weights as they are instead
    #[arg(long)]
    keep_rare: bool,
    /// By how much the weights of the start are believed to be wrong: the less, the nearer the fit stays to them; a game
    /// counts as one observation against it [default: nothing is believed]
    #[arg(long, value_name = "CP", value_parser = positive)]
    prior: Option<f64>,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "give a share from 0 to 1".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0 && number <= 1000.0);
    number.ok_or_else(|| "give a number above 0, at most 1000".to_owned())
}

/// What came out, for the report.
#[derive(Serialize)]
struct Report {
    runs: Vec<String>,
    from: String,
    games: u64,
    repeated_games: Vec<Repeat>,
    training_positions: usize,
    validation_positions: usize,
    /// Expected score = 1 / (1 + exp(−k · centipawns)).
    k: f32,
    lambda: f64,
    epochs: u32,
    training_loss_before: f64,
    training_loss: f64,
    /// With the weights that came out; `training_loss` is the mean while they were being fitted.
    training_loss_of_weights: f64,
    /// Whether that is more than before: the steps were too large.
    training_loss_rose: bool,
    validation_loss_before: f64,
    validation_loss: f64,
    kept_weights: Vec<String>,
    seconds: f64,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: FitArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    // Of the settings neither limit nor seed holds.
    let nodes = arguments.options.nodes.or(Some(SELF_PLAY_NODES));
    let seed = arguments.options.seed.or(Some(1));
    let given = RunOptions { nodes, seed, ..arguments.options.clone() };
    let options = given.or(RunOptions::settings(&folder)?);
    let start = match &arguments.from {
        Some(name) => EngineConfig::load(&find_config(name, &folder).map_err(Failure::usage)?)
            .map_err(Failure::usage)?,
        None => EngineConfig::default(),
    };
    // Known before the games are played, not after.
    arguments.out.as_deref().map_or(Ok(()), |file| check_new(file, "--out"))?;
    if let Some(file) = &arguments.table {
        check_whole_file(file, "--table")?;
        check_folder(file, "--table")?;
    }
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(options.threads()).build().map_err(Failure::run)?;
    pool.install(|| Fit { arguments, options, folder, start, interrupt }.carry_out())
}

/// Refuses a book that has not an opening for both games of every pair.
fn refuse_short_book(conditions: &Conditions, pairs: u64) -> Result<(), Failure> {
    let there = conditions.openings.left();
    match pairs.checked_mul(2).is_none_or(|needed| needed > there) {
        true => Err(Failure::usage(format!(
            "{pairs} pairs need two openings each, and {} has {there}: give fewer pairs with --play, or a larger book",
            conditions.openings.file
        ))),
        false => Ok(()),
    }
}

/// A fit that is ready to be carried out.
struct Fit<'a> {
    arguments: FitArguments,
    options: RunOptions,
    folder: PathBuf,
    start: EngineConfig,
    interrupt: &'a Interrupt,
}

impl Fit<'_> {
    fn carry_out(self) -> Result<Exit, Failure> {
        let named = match self.arguments.play {
            Some(pairs) => self.play(pairs)?,
            None => self.stored_runs()?,
        };
        let runs = self.each_once(named);
        if self.interrupt.is_asked() {
            tell(format_args!("to go on: {}", self.go_on(&runs)));
            return Ok(Exit::Interrupted);
        }
        let began = Instant::now();
        let (positions, k) = self.positions(&runs)?;
        let fitted = match self.fit(&positions, k) {
            Err(FitError::Interrupted) => return Ok(Exit::Interrupted),
            fitted => fitted.map_err(Failure::usage)?,
        };
        let report = Report {
            from: self.start.name.clone(),
            games: positions.games,
            repeated_games: positions.repeats().to_vec(),
            training_positions: positions.training.len(),
            validation_positions: positions.validation.len(),
            k,
            lambda: self.arguments.fitting.lambda,
            epochs: fitted.after.number,
            training_loss_before: fitted.before.training,
            training_loss: fitted.after.training,
            training_loss_of_weights: fitted.training,
            training_loss_rose: fitted.training_rose(),
            validation_loss_before: fitted.before.validation,
            validation_loss: fitted.after.validation,
            kept_weights: fitted.kept.iter().map(|&index| weight_name(index)).collect(),
            seconds: began.elapsed().as_secs_f64(),
            runs,
        };
        self.write(&weights(&fitted.values), &report)?;
        self.options.print(&report, || report.text())?;
        Ok(Exit::Done)
    }

    fn tell(&self, line: impl std::fmt::Display) {
        if self.options.quiet.is_none() {
            tell(line);
        }
    }

    /// The full names of the runs that were named.
    fn stored_runs(&self) -> Result<Vec<String>, Failure> {
        let id = |store: &Store, name: &String| Ok(store.run(name)?.id);
        Store::read(&self.options.results(&self.folder), |store| {
            self.arguments.runs.iter().map(|name| id(store, name)).collect()
        })
    }

    /// The runs without those that are named again.
    fn each_once(&self, named: Vec<String>) -> Vec<String> {
        let mut runs: Vec<String> = Vec::new();
        for run in named {
            match runs.contains(&run) {
                true => self.tell(format_args!("{run} is named twice, and its games count once")),
                false => runs.push(run),
            }
        }
        runs
    }

    /// Plays a run of self-play until it has so many pairs, and gives all runs with it first.
    fn play(&self, pairs: u64) -> Result<Vec<String>, Failure> {
        let results = self.options.results(&self.folder);
        let (named, others) = match &self.arguments.runs[..] {
            [] => (None, &[][..]),
            [first, others @ ..] => (Some(first), others),
        };
        let others = match others {
            [] => Vec::new(),
            others => {
                let store = Store::open_existing(&results)?;
                others.iter().map(|name| Ok(store.run(name)?.id)).collect::<Result<_, Failure>>()?
            }
        };
        let stored = named.map(|name| StoredRun::<SelfplaySpec>::find(&results, name)).transpose()?;
        let given = &*self.arguments.options;
        let conditions = stored.as_ref().map(|run| &run.spec.conditions);
        let found = Surroundings::find(conditions, (given, &self.options), &self.folder, 2)?;
        let Surroundings { conditions, book, execution } = &found;
        refuse_short_book(conditions, pairs)?;
        let base = match &stored {
            Some(run) if self.arguments.from.is_none() => {
                run.spec.base.measured_anew().map_err(Failure::run)?
            }
            _ => PlayerSpec::new(Path::new(&self.start.name), self.start.clone()),
        };
        let spec = Arc::new(SelfplaySpec { base, conditions: conditions.clone() });
        let mut goal = PairGoal::of(pairs);
        let job = match stored {
            Some(run) => {
                refuse_another(&run.info.id, &*run.spec, &*spec)?;
                if let Resumed::Again(known) | Resumed::Onwards(Some(known)) = run.resumed(Some(goal))? {
                    goal = known;
                }
                Job { lock: run.store.lock_run(&run.info.id)?, store: run.store, info: run.info }
            }
            None => Job::begin(&results, &*spec, &goal, || Ok(()))?.0,
        };
        let run = job.info.id.clone();
        let quiet = self.options.quiet.is_some();
        let resume = self.go_on(&[slice::from_ref(&run), &others[..]].concat());
        let session = Session { book, execution, interrupt: self.interrupt, quiet, resume };
        let outcome = carry_out((job, OpenFiles::default()), (&spec, &goal), &session, &mut ())?;
        outcome.stopped.map_or(Ok([vec![run], others].concat()), Err)
    }

    /// The same command, which goes on with the run it names, or with the one that it has begun.
    fn go_on(&self, runs: &[String]) -> String {
        let mut words: Vec<String> = std::env::args().collect();
        let command = words.iter().position(|word| word == "fit-eval");
        if let (Some(command), []) = (command, &self.arguments.runs[..]) {
            words.splice(command + 1..command + 1, runs.iter().cloned());
        }
        words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
    }

    /// The positions of the runs, and the scale of scores in them.
    fn positions(&self, runs: &[String]) -> Result<(Extracted, f32), Failure> {
        let Fitting { skip_plies, lambda, validation, least, keep_rare, .. } = self.arguments.fitting;
        let seed = self.options.seed.unwrap_or(1);
        let results = self.options.results(&self.folder);
        let read = |lambda: f32, k: f32| {
            let selection = Selection { skip_plies, lambda, k, validation, seed };
            let mut positions = Extracted::default();
            Store::read(&results, |store| {
                runs.iter().try_for_each(|run| {
                    extract(store, run, &selection, &self.start.eval, &mut positions).map_err(Failure::run)
                })
            })?;
            Ok::<_, Failure>(positions)
        };
        let by_results = read(0.0, 0.0)?;
        // Of positions that no fit is made of, no scale is told.
        let sets = (&by_results.training, &by_results.validation);
        check(sets, least, keep_rare).map_err(Failure::usage)?;
        let k = fit_k(&by_results.training, &values(&self.start.eval));
        self.tell(format_args!(
            "{} games: {} positions to learn from, {} to judge by; a centipawn is worth k = {k:.5}",
            by_results.games,
            by_results.training.len(),
            by_results.validation.len()
        ));
        let positions = if lambda == 0.0 { by_results } else { read(lambda as f32, k)? };
        Ok((positions, k))
    }

    fn fit(&self, positions: &Extracted, k: f32) -> Result<Fitted, FitError> {
        let Fitting { epochs, patience, rate, batch, least, keep_rare, prior, .. } = self.arguments.fitting;
        let seed = self.options.seed.unwrap_or(1);
        let batch = usize::try_from(batch).unwrap_or(usize::MAX);
        let hold = prior.map_or(0.0, |deviation| hold(deviation, positions.games));
        let settings = Settings { epochs, patience, rate: rate as f32, batch, seed, least, keep_rare, hold };
        let progress = |epoch: &Epoch, best: &Epoch| {
            let Epoch { number, training, validation } = epoch;
            self.tell(format_args!(
                "pass {number:3}: training loss {training:.6}   validation loss {validation:.6}   best {:.6} (pass {})",
                best.validation, best.number
            ));
        };
        let sets = (&positions.training, &positions.validation);
        fit(sets, &values(&self.start.eval), k, &settings, self.interrupt.flag(), progress)
    }

    fn write(&self, weights: &EvalWeights, report: &Report) -> Result<(), Failure> {
        let unwritable =
            |file: &Path, error| Failure::run(format!("{} cannot be written: {error}", file.display()));
        if let Some(file) = &self.arguments.out {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let origin = format!("Fitted by `harness fit-eval` to {} games.", report.games);
            let text = output::config_file(&name, &origin, weights);
            whole_file::create(file, &text).map_err(|error| unwritable(file, error))?;
        }
        match &self.arguments.table {
            Some(file) => whole_file::replace(file, &output::rust_table(weights))
                .map_err(|error| unwritable(file, error)),
            None => Ok(()),
        }
    }
}

impl Report {
    fn text(&self) -> String {
        let kept = match self.kept_weights.len() {
            0 => String::new(),
            count => format!(
                "\nKept      {count} weights as they were, for want of positions: {}",
                self.kept_weights.join(" ")
            ),
        };
        let repeated = |Repeat { run, of, games }: &Repeat| match run == of {
            true => format!("\nRepeated  {games} games of {run}, which count once"),
            false => {
                format!("\nRepeated  {games} games of {run}, which are also those of {of} and count once")
            }
        };
        let repeated: String = self.repeated_games.iter().map(repeated).collect();
        let rose = match self.training_loss_rose {
            true => format!(
                "\nWarning   with these weights the training loss is {:.6}, more than before: the steps are too large for so \
                 few positions; give a smaller --rate or --batch, or more games",
                self.training_loss_of_weights
            ),
            false => String::new(),
        };
        format!(
            "Positions {} to learn from, {} to judge by, of {} games{repeated}\n\
             Scale     k = {:.5}\n\
             Training  log loss {:.6} before, {:.6} after\n\
             Judged    log loss {:.6} before, {:.6} after {} passes{rose}{kept}",
            self.training_positions,
            self.validation_positions,
            self.games,
            self.k,
            self.training_loss_before,
            self.training_loss,
            self.validation_loss_before,
            self.validation_loss,
            self.epochs,
        )
    }
}
