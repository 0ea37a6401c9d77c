//! `harness plan`: before a run, what a test will pass and what it will cost.

use super::series::MEASURED;
use super::simulate::{DEFAULT_MAX_PAIRS, SimulationOptions, Simulations, in_words};
use crate::cli::conditions::conditions;
use crate::cli::engine_options::check_players;
use crate::cli::files::check_new;
use crate::cli::options::{RunOptions, current_folder};
use crate::cli::pair_options::{PairFacts, PairOptions};
use crate::cli::player::load_player;
use crate::cli::player_options::PlayerOptions;
use crate::cli::told_apart::told_apart;
use crate::cli::{Exit, Failure};
use crate::kinds::measure::MeasureSpec;
use crate::kinds::measure::pilot::pilot;
use crate::kinds::spec::RunSpec;
use crate::kinds::sprt::report::SprtReport;
use crate::kinds::sprt::speed::{Pace, Speed};
use crate::options::{self, Name, Options, whole};
use crate::report::conduct;
use crate::report::figures::readable_rate;
use crate::report::plan::{Picture, PlanRow};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::tally::Tally;
use crate::statistics::breakdown::rms_bias_elo;
use crate::statistics::{PairModel, power};
use crate::store::Store;
use crate::whole_file;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tests simulated at each strength unless another number is given.
const DEFAULT_RUNS: u64 = 1000;

/// Strengths looked at unless they are given: these shares of the way from H0 to H1.
const DEFAULT_STRENGTHS: [f64; 7] = [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0];

/// Plan a test: what does it pass and how many games does it take, by true Elo?
///
/// What pairs are like is taken from --ptnml or --draw-ratio and --bias; from the stored run --from; or from a short pilot
/// between BASE and CANDIDATE, which is not stored. Without any of these half of the games are drawn and openings
/// favour no side. Hours are those at the speed of the run or the pilot; that of a run is carried over to another limit
/// (--nodes, --movetime, --tc) and other --threads if they are given, while what its pairs are like stays as it was.
#[derive(Args)]
pub struct PlanArguments {
    /// Configuration or program the candidate is to be measured against
    #[arg(requires = "candidate", conflicts_with = "from")]
    base: Option<String>,
    /// Configuration or program that is to be measured
    candidate: Option<String>,
    /// Take what pairs are like, and the speed, from a stored run
    #[arg(long, value_name = "RUN")]
    from: Option<String>,
    /// Pairs of the pilot
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<u64>(1..), allow_negative_numbers = true)]
    pilot_pairs: u64,
    /// True leads of the candidate to look at, logistic Elo, separated by commas
    #[arg(long, value_name = "ELO,…", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    #[command(flatten)]
    set: PlayerOptions,
    #[command(flatten)]
    pairs: PairOptions,
    #[command(flatten)]
    effort: SimulationOptions,
    #[command(flatten)]
    options: Options<{ MEASURED & !options::of(&[Name::quiet]) }>,
    /// Write the picture to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
}

/// What is known of the pairs to come.
#[derive(Serialize)]
struct Known {
    #[serde(skip)]
    model: PairModel,
    /// From where, in words.
    source: String,
    #[serde(flatten)]
    facts: PairFacts,
    #[serde(flatten)]
    speed: KnownSpeed,
}

/// How fast games are played.
#[derive(Default, Serialize)]
struct KnownSpeed {
    games_per_second: Option<f64>,
    /// At what it was measured and to what it was carried over, if that is not the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_carried_over: Option<CarriedOver>,
}

#[derive(Serialize)]
struct CarriedOver {
    from: Pace,
    to: Pace,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: PlanArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let options = arguments.options.clone().or(RunOptions::settings(&folder)?);
    let spec = options.test()?;
    // Before anything is played for it.
    arguments.svg.as_deref().map_or(Ok(()), |file| check_new(file, "--svg"))?;
    let known = match known(&arguments, &options, &folder, interrupt) {
        // What an interrupted pilot found is too little, whatever it is.
        _ if interrupt.is_asked() => return Ok(Exit::Interrupted),
        known => known?,
    };

    let [low, high] = known.model.hypotheses(&spec);
    let elos = match arguments.elo.as_slice() {
        [] => DEFAULT_STRENGTHS.map(|share| low + share * (high - low)).to_vec(),
        given => given.to_vec(),
    };
    let simulations = Simulations {
        spec,
        pairs: &known.model,
        runs: arguments.effort.runs.unwrap_or(DEFAULT_RUNS),
        batch: arguments.effort.batch,
        overshoot: arguments.effort.overshoot,
        seed: options.seed.unwrap_or(1),
        max_pairs: options.max_pairs.unwrap_or(DEFAULT_MAX_PAIRS),
    };
    let hours = |games: f64| known.speed.games_per_second.map(|rate| games / rate / 3600.0);
    let rows: Vec<PlanRow> = simulations
        // The threads that are planned for may be those of a larger machine.
        .run(&elos, options.threads().min(num_cpus::get()))?
        .into_iter()
        .map(|row| PlanRow {
            elo: row.elo,
            theory: power::of_pairs(&spec, &known.model.at(row.elo)),
            hours: hours(row.outcomes.games.estimate),
            outcomes: row.outcomes,
        })
        .collect();

    let (test, pairs) = (in_words(&spec), known.in_words());
    let curve = |elo: f64| power::of_pairs(&spec, &known.model.at(elo));
    let picture =
        Picture { test: &test, pairs: &pairs, rows: &rows, hypotheses: [low, high], theory: &curve };
    if let Some(file) = &arguments.svg {
        let no_picture = |error| format!("the picture {} cannot be written: {error}", file.display());
        whole_file::create(file, &picture.svg()).map_err(|error| Failure::run(no_picture(error)))?;
    }
    options.print(&simulations.report(&known, &rows), || {
        format!("{test} · {pairs}\n{}\n\n{}", simulations.in_words(), picture.text())
    })?;
    Ok(Exit::Done)
}

/// Finds out what pairs are like: what is given wins, then what can be measured, then the defaults.
fn known(
    arguments: &PlanArguments,
    options: &RunOptions,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Known, Failure> {
    let played = if let Some(name) = &arguments.from {
        refuse_without_effect(&arguments.options)?;
        Some(stored(name, options, folder)?)
    } else if let (Some(base), Some(candidate)) = (&arguments.base, &arguments.candidate) {
        Some(piloted(([base, candidate], &arguments.set), arguments.pilot_pairs, options, folder, interrupt)?)
    } else {
        None
    };
    let given = &arguments.pairs;
    let Some(Played { tally, speed, source }) = played else {
        let source = if given.is_given() { "as given" } else { "assumed" };
        return Known::given(given, source.to_owned(), KnownSpeed::default());
    };
    if given.is_given() {
        return Known::given(given, format!("as given; speed of {source}"), speed);
    }
    let facts = PairFacts {
        draw_ratio: tally.games.draw_ratio(),
        bias: rms_bias_elo(&tally.pairs, &tally.games),
        pentanomial: Some(tally.pairs),
    };
    let model = PairModel::of_counts(tally.pairs, facts.draw_ratio).map_err(|error| {
        Failure::usage(format!(
            "{source} tells too little: {error}, or describe pairs with --draw-ratio and --bias"
        ))
    })?;
    Ok(Known { model, source, facts, speed })
}

/// Pairs that were played.
struct Played {
    tally: Tally,
    speed: KnownSpeed,
    source: String,
}

/// Refuses options of how games are played of which the speed of a stored run tells nothing.
fn refuse_without_effect(given: &RunOptions) -> Result<(), Failure> {
    // The limit is that which the speed is carried over to, and the seed that of the simulation.
    let has_effect = |name: Name| ["limit", "seed"].contains(&name.fact());
    let mut given = given.given().filter(|(option, _)| option.role.is_of_games() && !has_effect(option.name));
    given.next().map_or(Ok(()), |(option, _)| {
        Err(Failure::usage(format!(
            "--{} has no effect beside --from: pairs and speed are those of the run; leave it out, or name BASE and \
             CANDIDATE in the place of --from, which plays a pilot",
            option.long
        )))
    })
}

/// The pairs of a stored run, and its speed under the limit and on the threads that are asked for.
fn stored(name: &str, options: &RunOptions, folder: &Path) -> Result<Played, Failure> {
    let report = Store::read(&options.results(folder), |store| {
        let info = store.run(name)?;
        SprtReport::read(store, info)
    })?;
    let run = &report.run;
    let speed = match Speed::of(&report) {
        None => KnownSpeed::default(),
        Some(speed) => carried_over(&speed, options).map_err(|reason| {
            Failure::usage(format!(
                "{} was played at {} and {reason}: leave the limit out, or name BASE and CANDIDATE in the place of --from, \
                 which plays a pilot",
                run.info.id, run.spec.conditions.limit
            ))
        })?,
    };
    Ok(Played { tally: *run.contest.tally(), speed, source: format!("run {}", run.info.id) })
}

/// The speed of a run under the limit and on the threads that are asked for; what is not given is as it was.
fn carried_over(speed: &Speed, options: &RunOptions) -> Result<KnownSpeed, String> {
    let (from, cores) = (speed.pace(), num_cpus::get_physical());
    let to = Pace {
        limit: options.given_limit().unwrap_or(from.limit),
        threads: options.threads.map_or(from.threads, |threads| threads as usize),
    };
    Ok(KnownSpeed {
        games_per_second: Some(speed.games_per_second(to, cores)?),
        speed_carried_over: (from != to).then_some(CarriedOver { from, to }),
    })
}

/// A few pairs played now.
fn piloted(
    ([base, candidate], set): ([&str; 2], &PlayerOptions),
    pairs: u64,
    options: &RunOptions,
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Played, Failure> {
    let players = set.applied(vec![load_player(base, folder)?, load_player(candidate, folder)?], folder)?;
    let [base, candidate] = told_apart(players).try_into().expect("two players were named");
    let (conditions, book) = conditions(options, folder)?;
    let spec = Arc::new(MeasureSpec { base, candidate, conditions, part_of: None });
    let execution = options.execution(2, &spec.conditions)?;
    check_players([&spec.base, &spec.candidate], &spec.conditions, &book, &execution, interrupt)?;
    tell(format_args!("pilot: {pairs} pairs of {}, which are not stored", spec.question()));
    let found = pilot(&spec, book, pairs, &execution, interrupt).map_err(Failure::run)?;
    let remarks = conduct::lines(&spec.watched(&found.tally));
    if !remarks.is_empty() {
        tell(format_args!("warning: the pilot tells little of the pairs\n{}", remarks.trim_end()));
    }
    let (games, seconds) = (found.tally.games.games(), found.wall.as_secs_f64());
    Ok(Played {
        tally: found.tally,
        speed: KnownSpeed {
            games_per_second: (seconds > 0.0 && games > 0).then(|| games as f64 / seconds),
            speed_carried_over: None,
        },
        source: format!("a pilot of {} pairs", games / 2),
    })
}

impl Known {
    fn given(pairs: &PairOptions, source: String, speed: KnownSpeed) -> Result<Known, Failure> {
        Ok(Known { model: pairs.model()?, source, facts: pairs.facts(), speed })
    }

    fn in_words(&self) -> String {
        let number = |value: Option<f64>, decimals| {
            value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
        };
        let KnownSpeed { games_per_second, speed_carried_over } = &self.speed;
        let mut speed = games_per_second.map_or("speed unknown".to_owned(), readable_rate);
        if let Some(CarriedOver { from, to }) = speed_carried_over {
            let cores = num_cpus::get_physical();
            let no_faster = match to.threads > cores.max(from.threads) {
                true => format!("; more threads than the {cores} cores of this machine play no faster"),
                false => String::new(),
            };
            speed += &format!(" (carried over from {from} to {to}{no_faster})");
        }
        format!(
            "draw ratio {}, bias {} Elo ({}), {speed}",
            number(self.facts.draw_ratio, 2),
            number(self.facts.bias, 0),
            self.source
        )
    }
}
