//! `harness ladder`: every step of `configs/ladder/` against the one before.

use super::distort::{Searches, positions_of};
use super::series::{Series, SeriesOptions, TAKEN};
use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure};
use crate::conditions::Conditions;
use crate::kinds::measure::{Enough, MeasureSpec, PartOf};
use crate::players::spec::PlayerSpec;
use crate::run::Interrupt;
use crate::series::distortion::{Distortion, SearchLimit};
use crate::series::ladder::{DISTORTION_DEPTH, DISTORTION_POSITIONS, Ladder, Step};
use clap::Args;
use engine::config::EngineConfig;
use engine::suggest::nearest;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Pairs of each step unless `--max-pairs` says otherwise.
const PAIRS: u64 = 500;

/// Measure what each technique is worth on top of those before it
#[derive(Args)]
pub struct LadderArguments {
    /// Steps to play, named by their files without .toml; none: all
    steps: Vec<String>,
    #[command(flatten)]
    series: SeriesOptions<TAKEN>,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: LadderArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let series = arguments.series.open(&folder)?;
    let steps = steps(&folder, &series.conditions)?;
    let wanted = chosen(&arguments.steps, &steps)?;
    let enough = Enough { margin: None, pairs: series.options.max_pairs.unwrap_or(PAIRS) };

    let standing = |spec: &MeasureSpec| Step::standing(name_of(spec), spec, &series.results);
    let mut ladder =
        Ladder { steps: steps.iter().map(standing).collect::<Result<_, _>>().map_err(Failure::run)? };
    let mut told = Ladder { steps: Vec::new() };
    for place in &wanted {
        let spec = &steps[*place];
        let distortion = ladder.steps[*place].distortion.clone();
        told.steps.push(Step { distortion, ..Step::new(name_of(spec), spec, series.look(spec, enough)?) });
    }
    for (step, place) in told.steps.iter_mut().zip(wanted) {
        if arguments.series.stored || interrupt.is_asked() {
            break;
        }
        series.tell(format_args!("{}: {}", step.name, step.change.join(", ")));
        step.measured = Some(series.measure(&steps[place], enough, interrupt)?);
        step.distortion = distortion(&steps[place], &series, interrupt)?;
        // The table says under which limit each was played, but knows no other conditions.
        if series.is_usual {
            match ladder.take(place, step.clone()) {
                Ok(()) => ladder.write(&series.results).map_err(Failure::run)?,
                Err(sentence) => series.tell(sentence),
            }
        }
    }
    arguments.series.options.print(&told, || told.text())?;
    Ok(arguments.series.exit(interrupt))
}

/// What a step does to root scores; none if it was interrupted.
fn distortion(
    MeasureSpec { base, candidate, .. }: &MeasureSpec,
    series: &Series,
    interrupt: &Interrupt,
) -> Result<Option<Distortion>, Failure> {
    let count = DISTORTION_POSITIONS.min(series.book.openings.len() as u64);
    let positions = positions_of(&series.book, series.conditions.seed, count)?;
    let limit = SearchLimit { depth: DISTORTION_DEPTH, ..SearchLimit::default() };
    Searches::new(series.options.threads())?.measure([base, candidate], &positions, limit, interrupt)
}

fn name_of(spec: &MeasureSpec) -> &str {
    step_name(&spec.candidate)
}

/// A step is named by its file.
fn step_name(candidate: &PlayerSpec) -> &str {
    candidate.file.trim_end_matches(".toml")
}

/// Each configuration of the ladder against the one below, from the bottom.
fn steps(folder: &Path, conditions: &Conditions) -> Result<Vec<MeasureSpec>, Failure> {
    let mut files = folder.ancestors().map(|parent| parent.join("configs/ladder"));
    let ladder = files.find(|place| place.is_dir()).ok_or_else(|| {
        Failure::usage("there is no folder configs/ladder here or above: start in the project's folder")
    })?;
    let unreadable =
        |error: std::io::Error| Failure::usage(format!("{} cannot be read: {error}", ladder.display()));
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(&ladder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let player = |path: &PathBuf| {
        let config = EngineConfig::load(path).map_err(Failure::usage)?;
        Ok(PlayerSpec::new(path, config))
    };
    // Each searches for its fingerprint.
    let players = paths.par_iter().map(player).collect::<Result<Vec<_>, Failure>>()?;
    let step = |pair: &[PlayerSpec]| MeasureSpec {
        base: pair[0].clone(),
        candidate: pair[1].clone(),
        conditions: conditions.clone(),
        part_of: Some(PartOf::Ladder(step_name(&pair[1]).to_owned())),
    };
    Ok(players.windows(2).map(step).collect())
}

/// Which steps are asked for.
fn chosen(names: &[String], steps: &[MeasureSpec]) -> Result<Vec<usize>, Failure> {
    let known: Vec<&str> = steps.iter().map(name_of).collect();
    if names.is_empty() {
        return Ok((0..steps.len()).collect());
    }
    let place = |name: &String| {
        let name = name.trim_end_matches(".toml");
        known.iter().position(|step| *step == name).ok_or_else(|| {
            let near = nearest(name, known.iter().copied());
            let hint = near.map_or(String::new(), |near| format!(", did you mean \"{near}\"?"));
            Failure::usage(format!("the ladder has no step \"{name}\" with one below it{hint}"))
        })
    };
    names.iter().map(place).collect()
}
