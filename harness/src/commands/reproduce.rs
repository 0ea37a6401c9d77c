//! `harness reproduce [ID…]`: published experiments once more, ours beside theirs.

use super::series::{self, Series, SeriesOptions};
use crate::cli::numbers::positive_elo;
use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure};
use crate::conditions::Conditions;
use crate::game::limit::Limit;
use crate::kinds::measure::report::MeasureReport;
use crate::kinds::measure::summary::Measured;
use crate::kinds::measure::{Enough, MeasureSpec, PartOf};
use crate::options::{self, Name, Set, whole};
use crate::players::spec::PlayerSpec;
use crate::report::origin::options_of;
use crate::run::Interrupt;
use crate::series::published::Reproduction;
use crate::series::reproduction::{Campaign, Repeated};
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

/// How far each goes, `--budget` says.
const TAKEN: Set = series::TAKEN & !options::of(&[Name::max_pairs]);

/// Repeat published experiments and set our results beside theirs
#[derive(Args)]
#[command(mut_arg("nodes", |argument| argument.help(
    "Nodes to search for each move [default: as each experiment says]. With other conditions than its own (limit, book, \
     seed, adjudication, …) it is a trial, which results/README.md does not show"
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
    #[arg(long, value_name = "GAMES", default_value_t = BUDGET, value_parser = whole::<u64>(2..), allow_negative_numbers = true)]
    budget: u64,
    #[command(flatten)]
    series: SeriesOptions<TAKEN>,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: ReproduceArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let all = Reproduction::read_all(&experiments(&folder)?).map_err(Failure::usage)?;
    let wanted = chosen(&arguments, &all)?;
    let is_list = arguments.series.stored || (arguments.ids.is_empty() && !arguments.all);
    let series = arguments.series.open(&folder)?;
    let mut runs = Vec::new();
    for place in &wanted {
        let prepared = Prepared::new(&all[*place], &arguments, &series)?;
        let stored = series.look(&prepared.spec, prepared.enough(prepared.precision))?;
        runs.push((*place, prepared, stored));
    }
    let mut campaign = Campaign::standing(&all, &series.results).map_err(Failure::run)?;
    // The store may know more than the results that stand: they were deleted, or a stop came between the two.
    for (place, prepared, stored) in runs.iter().filter(|_| !is_list) {
        if let Some(stored) = stored {
            write_down(&mut campaign, (*place, &all[*place]), prepared, stored, &series)?;
        }
    }
    let finest = runs.iter().map(|(_, prepared, _)| prepared.precision).reduce(f64::min);
    for (margin, turn) in turns(&rounds(finest.unwrap_or(FIRST_MARGIN)), runs.len()) {
        if is_list || interrupt.is_asked() {
            break;
        }
        let (place, prepared, stored) = &mut runs[turn];
        if prepared.has_had_enough(margin, stored.as_ref()) {
            continue;
        }
        let one = &all[*place];
        series.tell(format_args!("{}: {}, to ± {:.1}", one.id, one.question, margin.max(prepared.precision)));
        let measured = series.measure(&prepared.spec, prepared.enough(margin), interrupt)?;
        // After each one: a campaign takes days, and what is there is worth reading.
        write_down(&mut campaign, (*place, one), prepared, &measured, &series)?;
        *stored = Some(measured);
    }
    let told = Campaign {
        entries: (runs.into_iter())
            .map(|(place, prepared, stored)| match stored {
                None if !prepared.is_trial => campaign.entries[place].clone(),
                stored => Repeated::new(&all[place], prepared.limit(), stored),
            })
            .collect(),
    };
    arguments.series.options.print(&told, || told.text())?;
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

/// Round for round, each of so many.
fn turns(rounds: &[f64], count: usize) -> Vec<(f64, usize)> {
    rounds.iter().flat_map(|&margin| (0..count).map(move |turn| (margin, turn))).collect()
}

/// Writes table, picture and report of what was measured, unless it is a trial, stands there already, or says less than
/// what stands there.
fn write_down(
    campaign: &mut Campaign,
    (place, one): (usize, &Reproduction),
    prepared: &Prepared,
    measured: &Measured,
    series: &Series,
) -> Result<(), Failure> {
    if prepared.is_trial || campaign.entries[place].ours.as_ref() == Some(measured) {
        return Ok(());
    }
    let entry = Repeated::new(one, prepared.limit(), Some(measured.clone()));
    match campaign.take(place, entry, one.precision) {
        Ok(()) => {
            campaign.write(&series.results).map_err(Failure::run)?;
            write_report(series, &campaign.entries[place], prepared)
        }
        Err(standing) => {
            series.tell(standing);
            Ok(())
        }
    }
}

/// Writes the folder of an experiment.
fn write_report(series: &Series, entry: &Repeated, prepared: &Prepared) -> Result<(), Failure> {
    let Some(ours) = &entry.ours else { return Ok(()) };
    let store = Store::open_existing(&series.results)?;
    let command = format!(
        "harness reproduce {} --precision {} --budget {}{}",
        entry.id,
        prepared.precision,
        ours.lead.games,
        options_of(&prepared.spec.conditions)
    );
    let counted = MeasureReport::read(&store, store.run(&ours.run)?, Some(ours.lead.games / 2))?;
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
    if arguments.all || arguments.ids.is_empty() {
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
    /// It is played under other conditions than it is to be, so the results' table is not the place for it.
    is_trial: bool,
}

impl Prepared {
    fn new(one: &Reproduction, arguments: &ReproduceArguments, series: &Series) -> Result<Prepared, Failure> {
        let limit = arguments.series.options.given_limit().unwrap_or(one.limit());
        let players = one.players().map_err(Failure::usage)?;
        let [base, candidate] =
            players.map(|config| PlayerSpec::new(Path::new(&config.name.clone()), config));
        let conditions = Conditions { limit, ..series.conditions.clone() };
        let part_of = Some(PartOf::Reproduction(one.id.clone()));
        let precision = arguments.precision.unwrap_or(one.precision);
        let is_trial = limit != one.limit() || !series.is_usual;
        let spec = MeasureSpec { base, candidate, conditions, part_of };
        Ok(Prepared { spec, precision, pairs: arguments.budget / 2, is_trial })
    }

    fn limit(&self) -> Limit {
        self.spec.conditions.limit
    }

    /// When it is measured well enough in a round that asks for this margin. The last round takes all that is allowed.
    fn enough(&self, margin: f64) -> Enough {
        let pairs = match margin > self.precision {
            true => self.pairs.min(most_pairs(margin)),
            false => self.pairs,
        };
        Enough { margin: Some(margin.max(self.precision)), pairs }
    }

    /// Whether an earlier round, or another session, has played all that this round asks for.
    fn has_had_enough(&self, margin: f64, ours: Option<&Measured>) -> bool {
        ours.is_some_and(|ours| self.enough(margin).is_met(ours.lead.games / 2, ours.lead.margin()))
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
        assert_eq!(turns(&[32.0, 16.0], 2), [(32.0, 0), (32.0, 1), (16.0, 0), (16.0, 1)]);
    }
}
