//! `harness reproduce [ID…]`: published experiments once more, ours beside theirs.

use super::numbers::positive_elo;
use super::options::current_folder;
use super::series::{Series, SeriesOptions};
use super::{Exit, Failure};
use crate::experiment::{Conditions, PlayerSpec};
use crate::game::limit::Limit;
use crate::report::measure_report::MeasureReport;
use crate::report::measured::Measured;
use crate::report::origin::options_of;
use crate::report::reproduction::{Campaign, Repeated};
use crate::reproduction::Reproduction;
use crate::run::Interrupt;
use crate::run::measure::{Enough, MeasureSpec};
use crate::statistics::Confidence;
use crate::store::Store;
use crate::whole_file;
use clap::Args;
use engine::suggest::nearest;
use std::path::{Path, PathBuf};

/// The margin of the first round, Elo: some hundred games each.
const FIRST_MARGIN: f64 = 32.0;

/// Games of one experiment unless another budget is given.
const BUDGET: u64 = 40_000;

/// Repeat published experiments and set our results beside theirs
#[derive(Args)]
#[command(mut_arg("nodes", |argument| argument.help(
    "Positions searched for each move [default: as each experiment says]; with a limit of its own it is a trial, which \
     results/README.md does not show"
)))]
pub struct ReproduceArguments {
    /// Experiments to repeat: names of files in configs/experiments/; none: list what there is
    ids: Vec<String>,
    /// Repeat every one
    #[arg(long, conflicts_with = "ids")]
    all: bool,
    /// Half-width of the 95 % interval to be reached, Elo [default: as each experiment says]
    #[arg(long, value_name = "ELO", value_parser = positive_elo)]
    precision: Option<f64>,
    /// The most games of each experiment
    #[arg(long, value_name = "GAMES", default_value_t = BUDGET, value_parser = clap::value_parser!(u64).range(2..))]
    budget: u64,
    #[command(flatten)]
    series: SeriesOptions,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: ReproduceArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    if arguments.series.options.max_pairs.is_some() {
        return Err(Failure::usage(
            "--max-pairs has no place here: --budget says how many games an experiment may take",
        ));
    }
    let all = Reproduction::read_all(&experiments(&folder)?).map_err(Failure::usage)?;
    let wanted = chosen(&arguments, &all)?;
    let series = arguments.series.open(&folder)?;
    let prepared = |one| Prepared::new(one, &arguments, &series.conditions);
    let prepared: Vec<Prepared> = all.iter().map(prepared).collect::<Result<_, _>>()?;

    let mut campaign = Campaign::default();
    for (one, prepared) in all.iter().zip(&prepared) {
        let measured = series.look(&prepared.spec, prepared.enough(prepared.precision))?;
        campaign.entries.push(Repeated::new(one, prepared.limit(), measured));
    }
    let finest = wanted.iter().map(|&place| prepared[place].precision).reduce(f64::min);
    for (margin, place) in turns(&rounds(finest.unwrap_or(FIRST_MARGIN)), &wanted) {
        if arguments.series.stored || interrupt.is_asked() {
            break;
        }
        let (one, prepared) = (&all[place], &prepared[place]);
        if prepared.has_had_enough(margin, campaign.entries[place].ours.as_ref()) {
            continue;
        }
        let enough = prepared.enough(margin);
        series.tell(format_args!("{}: {}, to ± {:.1}", one.id, one.question, margin.max(prepared.precision)));
        let measured = series.measure(&prepared.spec, enough, interrupt)?;
        campaign.entries[place] = Repeated::new(one, prepared.limit(), Some(measured));
        // After each one: a campaign takes days, and what is there is worth reading. A trial under another limit leaves it alone.
        if arguments.series.options.given_limit().is_none() {
            campaign.write(&series.results).map_err(Failure::run)?;
            write_report(&series, &campaign.entries[place], prepared)?;
        }
    }
    arguments.series.print(&campaign, || campaign.text())?;
    Ok(arguments.series.exit(interrupt))
}

/// The margins that all experiments are brought to, one after the other. Each round has about four times the games
/// of the one before, so a campaign that ends early has a figure for every experiment, and has lost nothing.
fn rounds(finest: f64) -> Vec<f64> {
    let halves = std::iter::successors(Some(FIRST_MARGIN), |margin| Some(0.5 * margin));
    halves.take_while(|margin| *margin > finest).chain([finest]).collect()
}

/// Pairs that are enough for a margin between players near each other: a pair's score deviates by ½ at most, and at
/// level strength is worth 400·4/ln 10 Elo a point.
fn most_pairs(margin: f64) -> u64 {
    let deviation = 0.5 * 1600.0 / std::f64::consts::LN_10;
    (Confidence::DEFAULT.deviations() * deviation / margin).powi(2).ceil() as u64
}

/// Round for round, everything that is wanted.
fn turns(rounds: &[f64], wanted: &[usize]) -> Vec<(f64, usize)> {
    rounds.iter().flat_map(|&margin| wanted.iter().map(move |&place| (margin, place))).collect()
}

/// Writes the folder of an experiment.
fn write_report(series: &Series, entry: &Repeated, prepared: &Prepared) -> Result<(), Failure> {
    let Some(ours) = &entry.ours else { return Ok(()) };
    let store = Store::open_existing(&series.results)?;
    let command = format!(
        "harness reproduce {} --precision {} --budget {}{}",
        entry.id,
        prepared.precision,
        2 * prepared.pairs,
        options_of(&prepared.spec.conditions)
    );
    let counted = MeasureReport::read(&store, store.run(&ours.run)?, Some(ours.games / 2))?;
    let report = counted.within(entry.context(command));
    let folder = entry.folder(&series.results);
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::run(format!("{} cannot be made: {error}", folder.display())))?;
    report.report()?.write(&folder)?;
    if let Some(chart) = report.chart() {
        let path = folder.join("estimate.svg");
        whole_file::replace(&path, &chart.render_file())
            .map_err(|error| Failure::run(format!("{} cannot be written: {error}", path.display())))?;
    }
    Ok(())
}

/// The folder of the experiments.
fn experiments(folder: &Path) -> Result<PathBuf, Failure> {
    let places = folder.ancestors().map(|parent| parent.join("configs/experiments"));
    places.into_iter().find(|place| place.is_dir()).ok_or_else(|| {
        Failure::usage("there is no folder configs/experiments here or above: start in the project's folder")
    })
}

/// Which of all are asked for.
fn chosen(arguments: &ReproduceArguments, all: &[Reproduction]) -> Result<Vec<usize>, Failure> {
    if arguments.all {
        return Ok((0..all.len()).collect());
    }
    let place = |id: &String| {
        all.iter().position(|one| one.id == *id).ok_or_else(|| {
            let known = all.iter().map(|one| one.id.as_str());
            Failure::usage(match nearest(id, known.clone()) {
                Some(near) => format!("there is no experiment \"{id}\": did you mean \"{near}\"?"),
                None => {
                    format!(
                        "there is no experiment \"{id}\": there are {}",
                        known.collect::<Vec<_>>().join(", ")
                    )
                }
            })
        })
    };
    arguments.ids.iter().map(place).collect()
}

/// An experiment that is ready to be played.
struct Prepared {
    spec: MeasureSpec,
    /// The margin that it is to have in the end, Elo.
    precision: f64,
    /// The most pairs.
    pairs: u64,
}

impl Prepared {
    fn new(
        one: &Reproduction,
        arguments: &ReproduceArguments,
        conditions: &Conditions,
    ) -> Result<Prepared, Failure> {
        let limit = arguments.series.options.given_limit().unwrap_or(Limit::nodes(one.nodes));
        let players = one.players().map_err(Failure::usage)?;
        let [base, candidate] =
            players.map(|config| PlayerSpec::new(Path::new(&config.name.clone()), config));
        let spec = MeasureSpec { base, candidate, conditions: Conditions { limit, ..conditions.clone() } };
        let precision = arguments.precision.unwrap_or(one.precision);
        Ok(Prepared { spec, precision, pairs: arguments.budget / 2 })
    }

    fn limit(&self) -> Limit {
        self.spec.conditions.limit
    }

    /// When it is measured well enough in a round that asks for this margin. Where all pairs are alike there is no
    /// margin, and a round ends all the same; the last one takes all that is allowed.
    fn enough(&self, margin: f64) -> Enough {
        let pairs = match margin > self.precision {
            true => self.pairs.min(most_pairs(margin)),
            false => self.pairs,
        };
        Enough { margin: Some(margin.max(self.precision)), pairs }
    }

    /// Whether an earlier round, or another session, has played all that this round asks for.
    fn has_had_enough(&self, margin: f64, ours: Option<&Measured>) -> bool {
        ours.is_some_and(|ours| {
            let is_narrow = ours.elo.is_some_and(|elo| elo.margin <= margin.max(self.precision));
            ours.games >= 2 * self.enough(margin).pairs || is_narrow
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_measured_roughly_before_anything_is_measured_well() {
        assert_eq!(rounds(5.0), [32.0, 16.0, 8.0, 5.0]);
        assert_eq!(rounds(8.0), [32.0, 16.0, 8.0]);
        assert_eq!(rounds(50.0), [50.0]);
        assert_eq!(most_pairs(32.0), 453);
        assert_eq!(turns(&[32.0, 16.0], &[4, 7]), [(32.0, 4), (32.0, 7), (16.0, 4), (16.0, 7)]);
    }
}
