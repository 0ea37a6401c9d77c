//! `harness simulate`: how often a test errs and how long it takes, by running it over simulated pairs.

use crate::cli::options::{RunOptions, current_folder};
use crate::cli::pair_options::PairOptions;
use crate::cli::{Exit, Failure};
use crate::options::{self, Name, Options, Set, whole};
use crate::report::figures::signed_to;
use crate::statistics::simulation::Simulated;
use crate::statistics::{Outcomes, PairModel, Simulation, SprtBounds};
use clap::Args;
use serde::Serialize;
use std::num::NonZeroU64;

/// Tests simulated at each strength unless another number is given.
const DEFAULT_RUNS: u64 = 10_000;

/// Tests are stopped undecided after this many pairs unless another number is given.
pub const DEFAULT_MAX_PAIRS: u64 = 1_000_000;

/// A true Elo beyond this is refused, as bounds are.
const LARGEST_ELO: f64 = 2000.0;

/// A lead this little inside a hypothesis, in the scale of the model, still belongs to it.
const ROUNDING: f64 = 1e-6;

/// What is asked of a test, and how it is simulated.
const TAKEN: Set = options::TEST | options::of(&[Name::seed, Name::threads, Name::max_pairs, Name::json]);

/// Run a sequential test over simulated pairs: how often does it err, how many games does it take?
#[derive(Args)]
#[command(
    mut_arg("seed", |argument| argument.help("Seed of the simulation [default: 1]").help_heading("Where and how")),
    mut_arg("max-pairs", |argument| argument.help("Stop a test undecided after this many pairs [default: 1000000]"))
)]
pub struct SimulateArguments {
    /// True lead of the candidate, logistic Elo; several separated by commas [default: both hypotheses and between]
    #[arg(long, value_name = "ELO,…", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    #[command(flatten)]
    pairs: PairOptions,
    #[command(flatten)]
    effort: SimulationOptions,
    #[command(flatten)]
    options: Options<TAKEN>,
}

/// How much is simulated.
#[derive(Args, Clone, Copy, Debug)]
pub struct SimulationOptions {
    /// Tests simulated at each true Elo [default: 10000, for a plan 1000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=100_000_000), allow_negative_numbers = true)]
    pub runs: Option<u64>,
    /// Look at the LLR only after every so many pairs
    #[arg(long, value_name = "PAIRS", default_value_t = NonZeroU64::MIN,
        value_parser = whole::<NonZeroU64>(1..), allow_negative_numbers = true)]
    pub batch: NonZeroU64,
    /// Move the bounds inwards by what the LLR is expected to jump over them, as fishtest does
    #[arg(long)]
    pub overshoot: bool,
}

/// Tests at several strengths.
pub struct Simulations<'a> {
    /// The test.
    pub spec: SprtBounds,
    /// How pairs end.
    pub pairs: &'a PairModel,
    /// Tests at each strength.
    pub runs: u64,
    /// Pairs between two looks at the LLR.
    pub batch: NonZeroU64,
    /// Whether the bounds allow for the overshoot.
    pub overshoot: bool,
    /// Decides the luck.
    pub seed: u64,
    /// Tests end undecided after so many pairs.
    pub max_pairs: u64,
}

/// What the tests did at one strength.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Row {
    /// The true lead, logistic Elo.
    pub elo: f64,
    /// Probabilities of LL, LD, DD or WL, WD, WW.
    pub pair_probabilities: [f64; 5],
    /// The share that wrongly accepted H1; none where H0 does not hold.
    pub false_accept: Option<Simulated>,
    /// The share that wrongly accepted H0; none where H1 does not hold.
    pub false_reject: Option<Simulated>,
    /// What the tests did.
    #[serde(flatten)]
    pub outcomes: Outcomes,
}

/// The object that `--json` prints.
#[derive(Serialize)]
pub struct SimulationReport<'a, Pairs, Point> {
    #[serde(flatten)]
    test: SprtBounds,
    lower: f64,
    upper: f64,
    runs: u64,
    seed: u64,
    batch: NonZeroU64,
    overshoot: bool,
    max_pairs: u64,
    #[serde(flatten)]
    pairs: Pairs,
    points: &'a [Point],
}

impl Simulations<'_> {
    /// Simulates at each of these leads, logistic Elo, on so many threads.
    ///
    /// # Errors
    /// A lead is out of range, or the threads cannot be started.
    pub fn run(&self, elos: &[f64], threads: usize) -> Result<Vec<Row>, Failure> {
        if let Some(elo) = elos.iter().find(|elo| !(-LARGEST_ELO..=LARGEST_ELO).contains(*elo)) {
            return Err(Failure::usage(format!(
                "the true Elo {elo} is out of range: give a number between -{LARGEST_ELO} and {LARGEST_ELO}"
            )));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
            Failure::run(format!("the threads cannot be started ({error}); ask for fewer with --threads"))
        })?;
        Ok(pool.install(|| elos.iter().filter_map(|elo| self.row(*elo)).collect()))
    }

    /// What was simulated, what is known of `pairs`, and the `points` that came out.
    pub fn report<'a, Pairs, Point>(
        &self,
        pairs: Pairs,
        points: &'a [Point],
    ) -> SimulationReport<'a, Pairs, Point> {
        let Simulations { spec, runs, batch, overshoot, seed, max_pairs, .. } = *self;
        let (lower, upper) = (spec.lower(), spec.upper());
        SimulationReport { test: spec, lower, upper, runs, seed, batch, overshoot, max_pairs, pairs, points }
    }

    /// How much is simulated, and what is unlike a test of `harness sprt`.
    pub fn in_words(&self) -> String {
        let mut words = format!("{} tests at each Elo, seed {}", self.runs, self.seed);
        if self.batch > NonZeroU64::MIN {
            words += &format!(", a look after every {} pairs", self.batch);
        }
        if self.overshoot {
            words += ", bounds corrected for the overshoot";
        }
        words
    }

    fn row(&self, elo: f64) -> Option<Row> {
        let Simulations { spec, runs, batch, overshoot, seed, max_pairs, .. } = *self;
        let odds = self.pairs.at(elo);
        let outcomes = Simulation { spec, odds, seed, batch, overshoot, max_pairs }.run(runs)?;
        let lead = odds.lead(&spec);
        let holds =
            |hypothesis: fn(f64, &SprtBounds) -> bool| lead.is_some_and(|lead| hypothesis(lead, &spec));
        Some(Row {
            elo,
            pair_probabilities: odds.scores,
            false_accept: holds(|lead, spec| lead <= spec.elo0() + ROUNDING).then_some(outcomes.h1),
            false_reject: holds(|lead, spec| lead >= spec.elo1() - ROUNDING).then_some(outcomes.h0),
            outcomes,
        })
    }
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: SimulateArguments) -> Result<Exit, Failure> {
    let SimulateArguments { elo, pairs, effort, options: given } = arguments;
    let options = given.clone().or(RunOptions::settings(&current_folder()?)?);
    let spec = options.test()?;
    let model = pairs.model()?;
    let elos = if elo.is_empty() {
        let [low, high] = model.hypotheses(&spec);
        vec![low, (low + high) / 2.0, high]
    } else {
        elo
    };
    let simulations = Simulations {
        spec,
        pairs: &model,
        runs: effort.runs.unwrap_or(DEFAULT_RUNS),
        batch: effort.batch,
        overshoot: effort.overshoot,
        seed: options.seed.unwrap_or(1),
        // Those of the settings are pairs that are played.
        max_pairs: given.max_pairs.unwrap_or(DEFAULT_MAX_PAIRS),
    };
    let rows = simulations.run(&elos, options.threads())?;
    options.print(&simulations.report(pairs.facts(), &rows), || {
        let (test, pairs, simulated) = (in_words(&spec), pairs.in_words(), simulations.in_words());
        format!("{test} · {pairs} · {simulated}\n\n{}", table(&rows))
    })?;
    Ok(Exit::Done)
}

/// `[0, 5] logistic, alpha 0.05, beta 0.05`.
pub fn in_words(spec: &SprtBounds) -> String {
    format!("{}, alpha {}, beta {}", spec.bounds(), spec.alpha(), spec.beta())
}

/// `4.9 ± 0.2 %`.
pub fn share(value: Simulated) -> String {
    format!("{:.1} ± {:.1} %", 100.0 * value.estimate, 100.0 * value.error)
}

fn table(rows: &[Row]) -> String {
    let mut lines = vec![format!(
        "{:>9}  {:>14}  {:>14}  {:>14}  {:>15}  {:>7} {:>7} {:>7} {:>7} {:>7}",
        "true Elo",
        "false accept",
        "false reject",
        "H1 accepted",
        "games on average",
        "5 %",
        "25 %",
        "50 %",
        "75 %",
        "95 %"
    )];
    for Row { elo, false_accept, false_reject, outcomes, .. } in rows {
        let error = |wrong: &Option<Simulated>| wrong.map_or("-".to_owned(), share);
        let games = format!("{:.0} ± {:.0}", outcomes.games.estimate, outcomes.games.error);
        let quantiles =
            outcomes.quantiles.map(|quantile| format!(" {:>7.0}", quantile.games.estimate)).concat();
        lines.push(format!(
            "{:>9}  {:>14}  {:>14}  {:>14}  {games:>16} {quantiles}",
            signed_to(*elo, 2),
            error(false_accept),
            error(false_reject),
            share(outcomes.h1),
        ));
        if outcomes.undecided.estimate > 0.0 {
            lines.push(format!("{:>9}  undecided {}", "", share(outcomes.undecided)));
        }
    }
    lines.join("\n")
}
