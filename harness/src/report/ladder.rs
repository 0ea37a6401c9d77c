//! What is each technique worth on top of those before it? The ladder of configurations, step by step, as a table and a
//! waterfall.

use super::collection::{self, Entry};
use super::figures::signed_with_margin;
use super::measured::Measured;
use super::svg::{Axis, Chart, Interval, Series};
use crate::whole_file;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Subfolder of the results.
const FOLDER: &str = "ladder";

/// The file of the picture.
const PICTURE: &str = "waterfall.svg";

/// All steps, from the bottom.
#[derive(Clone, Debug, Serialize)]
pub struct Ladder {
    /// Limit of each move, in words.
    pub limit: String,
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
    /// Its gain; none if it has not been played.
    pub measured: Option<Measured>,
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
    fn gain(&self) -> String {
        signed_with_margin(self.measured.as_ref().and_then(|measured| measured.elo))
    }

    fn pairs(&self) -> String {
        self.measured.as_ref().map_or("-".to_owned(), |measured| format!("{:?}", measured.pentanomial.0))
    }
}

impl Ladder {
    /// The table as a person reads it in a terminal.
    pub fn text(&self) -> String {
        let width = self.steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
        let mut text = format!("{:width$}  {:>16}  {:>6}  pairs · {}\n", "", "Elo", "games", self.limit);
        for step in &self.steps {
            let (gain, games, pairs) = (step.gain(), step.games(), step.pairs());
            _ = writeln!(text, "{:width$}  {gain:>16}  {games:>6}  {pairs}", step.name);
        }
        text.trim_end().to_owned()
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
            "## The ladder\n\n`harness ladder`: what each technique adds to all before it, in the order of `configs/ladder/`, at \
             {}. A technique may be worth little at its place and more above it, or the other way round.\n\n\
             ![a bar for each step]({FOLDER}/waterfall.svg)\n\n\
             | step | Elo over the step before, 95 % | games | pairs |\n|---|---|---|---|\n",
            self.limit
        );
        for step in &self.steps {
            let name = step.link(FOLDER);
            _ = writeln!(text, "| {name} | {} | {} | {} |", step.gain(), step.games(), step.pairs());
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
            let elo = step.measured.as_ref()?.elo?;
            let before = sum;
            sum += elo.estimate;
            Some((place as f64 + 0.5, before, elo))
        })
        .collect();
    let ends = bars.iter().flat_map(|(_, before, elo)| [before + elo.low, before + elo.high]);
    let (low, high) = ends.fold((0.0_f64, 10.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let names: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
    let title = "Elo over the first step, each on top of those before it";
    let mut chart = Chart::rows(title, Axis::linear("Elo", low, high, 8), &names);
    for (row, before, elo) in bars {
        let (value, low, high) = (before + elo.estimate, before + elo.low, before + elo.high);
        let series = if elo.estimate >= 0.0 { Series::First } else { Series::Second };
        chart.span(series, row, (before, value));
        chart.interval(Series::Neutral, Interval { at: row, value, low, high });
    }
    chart.name(Series::First, "gain");
    chart.name(Series::Second, "loss");
    chart.name(Series::Neutral, "95 % of the step");
    chart.render_file()
}
