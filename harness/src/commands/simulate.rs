//! `harness simulate`: how often a test errs and how long it takes, by running it over simulated pairs.

use super::options::{RunOptions, current_folder};
use super::pair_options::PairOptions;
use super::{Exit, Failure, print_out};
use crate::statistics::simulation::Measured;
use crate::statistics::{Figures, Model, PairModel, Simulation, SprtSpec};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use serde_json::json;

/// Tests simulated at each strength unless another number is given.
const DEFAULT_RUNS: u64 = 10_000;

/// Tests are stopped undecided after this many pairs unless another number is given.
pub const DEFAULT_MAX_PAIRS: u64 = 1_000_000;

/// A true Elo beyond this is refused, as bounds are.
const LARGEST_ELO: f64 = 2000.0;

/// A lead this little inside a hypothesis, in the scale of the model, still belongs to it.
const ROUNDING: f64 = 1e-6;

/// Run a sequential test over simulated pairs: how often does it err, how many games does it take?
#[derive(Args)]
pub struct SimulateArguments {
    /// True lead of the candidate, logistic Elo; several separated by commas [default: both hypotheses and between]
    #[arg(long, value_name = "ELO,…", value_delimiter = ',', allow_hyphen_values = true)]
    elo: Vec<f64>,
    /// Lead of the candidate if it is not better, Elo [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// Lead of the candidate if it is better, Elo [default: 5]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Risk of accepting H1 when H0 holds [default: 0.05]
    #[arg(long, value_name = "P")]
    alpha: Option<f64>,
    /// Risk of accepting H0 when H1 holds [default: 0.05]
    #[arg(long, value_name = "P")]
    beta: Option<f64>,
    #[command(flatten)]
    scale: ScaleOption,
    #[command(flatten)]
    pairs: PairOptions,
    #[command(flatten)]
    effort: SimulationOptions,
    /// Simulate on so many threads [default: the number of physical cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    threads: Option<u32>,
    /// Decides the random numbers [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop a test undecided after so many pairs [default: 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_pairs: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// In which scale the bounds are.
#[derive(Args, Clone, Debug)]
pub struct ScaleOption {
    /// Scale of the bounds
    #[arg(long, default_value = "logistic", value_parser = PossibleValuesParser::new(Model::ALL.map(Model::as_str)))]
    model: String,
}

impl ScaleOption {
    /// The test of the options in this scale.
    ///
    /// # Errors
    /// Its bounds or risks make no sense.
    pub fn test(&self, options: &RunOptions) -> Result<SprtSpec, Failure> {
        let usual = SprtSpec::default();
        let model = self.model.parse().map_err(Failure::usage)?;
        let usual = SprtSpec::new(usual.elo0(), usual.elo1(), usual.alpha(), usual.beta(), model);
        options.test(&usual.map_err(Failure::usage)?)
    }
}

/// How much is simulated.
#[derive(Args, Clone, Copy, Debug)]
pub struct SimulationOptions {
    /// Tests simulated at each true Elo [default: 10000, for a plan 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub runs: Option<u64>,
    /// Look at the LLR only after every so many pairs
    #[arg(long, value_name = "PAIRS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
}

/// Tests at several strengths.
pub struct Simulations<'a> {
    /// The test.
    pub spec: SprtSpec,
    /// How pairs end.
    pub pairs: &'a PairModel,
    /// Tests at each strength.
    pub runs: u64,
    /// Pairs between two looks at the LLR.
    pub batch: u64,
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
    pub false_accept: Option<Measured>,
    /// The share that wrongly accepted H0; none where H1 does not hold.
    pub false_reject: Option<Measured>,
    /// What the tests did.
    #[serde(flatten)]
    pub figures: Figures,
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

    /// The test, how much was simulated, and `points` that came out.
    pub fn as_json(&self, points: impl Serialize) -> serde_json::Value {
        let Simulations { spec, runs, batch, seed, max_pairs, .. } = self;
        let mut object = json!({
            "lower": spec.lower(),
            "upper": spec.upper(),
            "runs": runs,
            "seed": seed,
            "batch": batch,
            "max_pairs": max_pairs,
            "points": json!(points),
        });
        merge(&mut object, &json!(spec));
        object
    }

    fn row(&self, elo: f64) -> Option<Row> {
        let Simulations { spec, runs, batch, seed, max_pairs, .. } = *self;
        let odds = self.pairs.at(elo);
        let figures = Simulation { spec, odds, seed, batch, max_pairs }.run(runs)?;
        let lead = odds.lead(spec.model());
        let holds = |hypothesis: fn(f64, &SprtSpec) -> bool| lead.is_some_and(|lead| hypothesis(lead, &spec));
        Some(Row {
            elo,
            pair_probabilities: odds.scores,
            false_accept: holds(|lead, spec| lead <= spec.elo0() + ROUNDING).then_some(figures.h1),
            false_reject: holds(|lead, spec| lead >= spec.elo1() - ROUNDING).then_some(figures.h0),
            figures,
        })
    }
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: SimulateArguments) -> Result<Exit, Failure> {
    let SimulateArguments { elo, elo0, elo1, alpha, beta, scale, pairs, effort, .. } = arguments;
    let SimulateArguments { threads, seed, max_pairs, json, .. } = arguments;
    let given = RunOptions { elo0, elo1, alpha, beta, threads, seed, ..RunOptions::default() };
    let options = given.or(RunOptions::settings(&current_folder()?)?);
    let spec = scale.test(&options)?;
    let model = pairs.model()?;
    let elos = if elo.is_empty() {
        let [low, high] = [spec.elo0(), spec.elo1()].map(|bound| model.logistic_elo(spec.model(), bound));
        vec![low, (low + high) / 2.0, high]
    } else {
        elo
    };
    let simulations = Simulations {
        spec,
        pairs: &model,
        runs: effort.runs.unwrap_or(DEFAULT_RUNS),
        batch: effort.batch,
        seed: options.seed.unwrap_or(1),
        max_pairs: max_pairs.unwrap_or(DEFAULT_MAX_PAIRS),
    };
    let rows = simulations.run(&elos, options.threads())?;
    if json {
        return print_out(as_json(&simulations, &pairs, &rows)).map(|()| Exit::Done);
    }
    print_out(format_args!(
        "{} · {} · {} tests at each Elo, seed {}\n",
        in_words(&spec),
        pairs.in_words(),
        simulations.runs,
        simulations.seed
    ))?;
    print_out(table(&rows)).map(|()| Exit::Done)
}

fn as_json(simulations: &Simulations, pairs: &PairOptions, rows: &[Row]) -> serde_json::Value {
    let mut object = simulations.as_json(rows);
    let described =
        json!({ "draw_ratio": pairs.draw_ratio(), "bias": pairs.bias(), "pentanomial": pairs.ptnml });
    merge(&mut object, &described);
    object
}

/// Adds the keys of one object to another.
pub fn merge(object: &mut serde_json::Value, other: &serde_json::Value) {
    if let (Some(object), Some(other)) = (object.as_object_mut(), other.as_object()) {
        object.extend(other.clone());
    }
}

/// `[0, 5] logistic, alpha 0.05, beta 0.05`.
pub fn in_words(spec: &SprtSpec) -> String {
    format!(
        "[{}, {}] {}, alpha {}, beta {}",
        spec.elo0(),
        spec.elo1(),
        spec.model(),
        spec.alpha(),
        spec.beta()
    )
}

/// `4.9 ± 0.2 %`.
pub fn share(value: Measured) -> String {
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
    for Row { elo, false_accept, false_reject, figures, .. } in rows {
        let error = |wrong: &Option<Measured>| wrong.map_or("-".to_owned(), share);
        let games = format!("{:.0} ± {:.0}", figures.games.estimate, figures.games.error);
        let quantiles =
            figures.quantiles.map(|quantile| format!(" {:>7.0}", quantile.games.estimate)).concat();
        lines.push(format!(
            "{elo:>+9.2}  {:>14}  {:>14}  {:>14}  {games:>16} {quantiles}",
            error(false_accept),
            error(false_reject),
            share(figures.h1),
        ));
        if figures.undecided.estimate > 0.0 {
            lines.push(format!("{:>9}  undecided {}", "", share(figures.undecided)));
        }
    }
    lines.join("\n")
}
