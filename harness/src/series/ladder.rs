//! The ladder of configurations: what each technique is worth on top of those before it, as a table and a waterfall.

use crate::game::limit::Limit;
use crate::kinds::measure::MeasureSpec;
use crate::kinds::measure::summary::Measured;
use crate::report::figures::{percent, signed};
use crate::report::svg::{Axis, Chart, IntervalMark, Series};
use crate::series::collection::{self, Entry};
use crate::series::distortion::Distortion;
use crate::whole_file;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Depth at which a step's root scores are compared with those of the step before, plies.
pub const DISTORTION_DEPTH: u32 = 4;

/// Positions over which they are compared; fewer if the book has fewer.
pub const DISTORTION_POSITIONS: u64 = 200;

/// Subfolder of the results.
const FOLDER: &str = "ladder";

/// The file of the picture.
const PICTURE: &str = "waterfall.svg";

/// All steps, from the bottom.
#[derive(Clone, Debug, Serialize)]
pub struct Ladder {
    /// One for each configuration but the first.
    pub steps: Vec<Step>,
}

/// A configuration and what it gains on the one below.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The file's name without its ending.
    pub name: String,
    /// What it changes, `key: before → after`.
    pub change: Vec<String>,
    /// Limit of each move.
    #[serde(default)]
    pub limit: Limit,
    /// Its gain; none if it has not been played.
    pub measured: Option<Measured>,
    /// What it does to root scores; none where it was not looked at.
    #[serde(default)]
    pub distortion: Option<Distortion>,
}

impl Entry for Step {
    fn name(&self) -> &str {
        &self.name
    }

    fn measured(&self) -> Option<&Measured> {
        self.measured.as_ref()
    }
}

impl Step {
    /// A step and what was measured of it.
    pub fn new(name: &str, spec: &MeasureSpec, measured: Option<Measured>) -> Step {
        let MeasureSpec { base, candidate, conditions, .. } = spec;
        let change = base.differences(candidate);
        Step { name: name.to_owned(), change, limit: conditions.limit, measured, distortion: None }
    }

    /// What the results hold of a step; without a figure if they have none.
    ///
    /// # Errors
    /// A sentence about the file that cannot be read.
    pub fn standing(name: &str, spec: &MeasureSpec, results: &Path) -> Result<Step, String> {
        let standing = collection::standing((results, FOLDER), name)?;
        Ok(standing.unwrap_or_else(|| Step::new(name, spec, None)))
    }

    fn gain(&self) -> String {
        self.measured.as_ref().map_or("-".to_owned(), |measured| measured.lead.text())
    }

    fn played_at(&self) -> String {
        self.measured.as_ref().map_or("-".to_owned(), |_| self.limit.to_string())
    }

    /// Mean difference of root scores, share over 100 cp, share of the same best move, ratio of nodes.
    fn distortion(&self) -> [String; 4] {
        let Some(found) = &self.distortion else { return ["-"; 4].map(str::to_owned) };
        [
            found.mean_difference.map_or("-".to_owned(), signed),
            percent(found.far),
            percent(found.same_move),
            found.nodes_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
        ]
    }

    fn pairs(&self) -> String {
        self.measured.as_ref().map_or("-".to_owned(), |measured| format!("{:?}", measured.lead.pentanomial.0))
    }
}

impl Ladder {
    /// The table as a person reads it in a terminal.
    pub fn text(&self) -> String {
        let width = self.steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
        let mut text = format!(
            "{:width$}  {:>16}  {:>6}  {:>16}  {:>8}  {:>8}  {:>9}  {:>7}  pairs\n",
            "", "Elo", "games", "limit", "score cp", "> 100 cp", "same move", "nodes ×"
        );
        for step in &self.steps {
            let (gain, games, limit, pairs) = (step.gain(), step.games(), step.played_at(), step.pairs());
            let [score, far, same, nodes] = step.distortion();
            _ = writeln!(
                text,
                "{:width$}  {gain:>16}  {games:>6}  {limit:>16}  {score:>8}  {far:>8}  {same:>9}  {nodes:>7}  {pairs}",
                step.name
            );
        }
        text.trim_end().to_owned()
    }

    /// Takes in what has been measured of a step, if it says no less than what stands there.
    ///
    /// # Errors
    /// It says less. The sentence is for the user.
    pub fn take(&mut self, place: usize, step: Step) -> Result<(), String> {
        collection::take((&mut self.steps, place), step, 0.0)
    }

    /// Writes the table into `README.md` of the results, and picture and figures into their folder.
    ///
    /// # Errors
    /// A sentence about the file that cannot be written.
    pub fn write(&self, results: &Path) -> Result<(), String> {
        let picture = (PICTURE, &*waterfall(&self.steps));
        collection::write((results, FOLDER), &self.steps, picture, &self.markdown())
    }

    fn markdown(&self) -> String {
        let mut text = format!(
            "## The ladder\n\n`harness ladder`: what each technique adds to all before it, in the order of `configs/ladder/`. A \
             technique may be worth little at its place and more above it, or the other way round.\n\n\
             ![a bar for each step]({FOLDER}/waterfall.svg)\n\n\
             The four columns of root scores compare a step with the step before as `harness distort` does, at depth \
             {DISTORTION_DEPTH} over {DISTORTION_POSITIONS} positions: mean difference in centipawns, share of positions \
             that differ by more than 100 centipawns, share with the same best move, nodes relative to the step before.\n\n\
             | step | Elo over the step before, 95 % | games | limit | root score | > 100 cp | same move | nodes × | pairs |\n\
             |---|---|---|---|---|---|---|---|---|\n"
        );
        for step in &self.steps {
            let (name, gain, games, limit) = (step.link(FOLDER), step.gain(), step.games(), step.played_at());
            let distortion = step.distortion().join(" | ");
            _ = writeln!(text, "| {name} | {gain} | {games} | {limit} | {distortion} | {} |", step.pairs());
        }
        text
    }
}

/// Draws the picture again from the figures that [`Ladder::write`] left in a folder, and returns its file: a repository
/// has them where no store is.
///
/// # Errors
/// The folder holds no such figures, or the picture cannot be written.
pub fn redraw(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join(PICTURE);
    let steps: Vec<Step> = collection::read(folder)?;
    whole_file::replace(&path, &waterfall(&steps))
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(path)
}

/// A bar from the sum of the steps before to the sum with this one, and the interval of its end. A step that was
/// not played adds nothing.
fn waterfall(steps: &[Step]) -> String {
    let mut sum = 0.0;
    let bars: Vec<_> = (steps.iter().enumerate())
        .filter_map(|(place, step)| {
            let measured = step.measured.as_ref()?;
            let (low, high) = measured.lead.interval()?;
            let gain = measured.lead.elo.map_or(0.0, |elo| elo.estimate);
            let before = sum;
            sum += gain;
            Some((place as f64 + 0.5, before, gain, (low, high)))
        })
        .collect();
    let ends = bars.iter().flat_map(|(_, before, _, (low, high))| [before + low, before + high]);
    let known = ends.filter(|end| end.is_finite());
    let (low, high) = known.fold((0.0_f64, 10.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let names: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
    let title = "Elo over the first step, each on top of those before it";
    let mut chart = Chart::rows(title, Axis::linear("Elo", low, high, 8), &names);
    for (row, before, gain, (low, high)) in bars {
        let (value, low, high) = (before + gain, before + low, before + high);
        let series = if gain >= 0.0 { Series::First } else { Series::Second };
        chart.span(series, row, (before, value));
        chart.interval(Series::Neutral, IntervalMark { at: row, value, low, high });
    }
    chart.name(Series::First, "gain");
    chart.name(Series::Second, "loss");
    chart.name(Series::Neutral, "95 % of the step");
    chart.render_file()
}
