//! `harness reproduce [ID…]`: published experiments once more, ours beside theirs.

use super::conditions::conditions;
use super::engine_options::EngineOptions;
use super::measured::{Playing, look, measure};
use super::numbers::positive_elo;
use super::options::{RunOptions, current_folder};
use super::{Exit, Failure, print_out};
use crate::experiment::{Conditions, PlayerSpec};
use crate::game::limit::Limit;
use crate::report::reproduction::{Campaign, Repeated};
use crate::report::tell;
use crate::reproduction::Reproduction;
use crate::run::Interrupt;
use crate::run::measure::{Enough, MeasureSpec};
use clap::Args;
use engine::suggest::nearest;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Games of one experiment unless another budget is given.
const BUDGET: u64 = 40_000;

/// Repeat published experiments and set our results beside theirs
#[derive(Args)]
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
    /// Play nothing: tell what is stored
    #[arg(long)]
    stored: bool,
    #[command(flatten)]
    options: RunOptions,
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
pub fn execute(arguments: ReproduceArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let options = arguments.options.clone().or(RunOptions::settings(&folder)?);
    let results = options.results(&folder);
    let all = Reproduction::read_all(&experiments(&folder)?).map_err(Failure::usage)?;
    let wanted = chosen(&arguments, &all)?;
    let (conditions, book) = conditions(&options, &folder)?;
    let book = Arc::new(book);
    let prepared = |one| Prepared::new(one, &arguments, &conditions);
    let prepared: Vec<Prepared> = all.iter().map(prepared).collect::<Result<_, _>>()?;
    let carrying_out = EngineOptions::default().carrying_out(&conditions, &options, arguments.quiet)?;

    let mut campaign = Campaign::default();
    for (one, prepared) in all.iter().zip(&prepared) {
        let measured = look(&prepared.spec, &book, prepared.enough, &results)?;
        campaign.entries.push(Repeated::new(one, measured));
    }
    for place in wanted {
        if arguments.stored || interrupt.is_asked() {
            break;
        }
        let (one, Prepared { spec, enough }) = (&all[place], &prepared[place]);
        if !arguments.quiet {
            tell(format_args!("{}: {}", one.id, one.question));
        }
        let playing =
            Playing { results: &results, carrying_out: &carrying_out, interrupt, quiet: arguments.quiet };
        let measured = measure(spec, &book, *enough, playing)?;
        campaign.entries[place] = Repeated::new(one, Some(measured));
        // After each one: a campaign takes days, and what is there is worth reading.
        campaign.write(&results).map_err(Failure::run)?;
    }
    match arguments.json {
        true => print_out(serde_json::to_string(&campaign).map_err(Failure::run)?)?,
        false => print_out(campaign.text())?,
    }
    Ok(if interrupt.is_asked() { Exit::Interrupted } else { Exit::Done })
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
    enough: Enough,
}

impl Prepared {
    fn new(
        one: &Reproduction,
        arguments: &ReproduceArguments,
        conditions: &Conditions,
    ) -> Result<Prepared, Failure> {
        let limit = arguments.options.given_limit().unwrap_or(Limit::Nodes(one.nodes));
        let players = one.players().map_err(Failure::usage)?;
        let [base, candidate] =
            players.map(|config| PlayerSpec::new(Path::new(&config.name.clone()), config));
        let spec = MeasureSpec { base, candidate, conditions: Conditions { limit, ..conditions.clone() } };
        let margin = Some(arguments.precision.unwrap_or(one.precision));
        Ok(Prepared { spec, enough: Enough { margin, pairs: arguments.budget / 2 } })
    }
}
