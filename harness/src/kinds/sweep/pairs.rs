//! Pairs of each arm of a sweep: how they ended, and how the arm's test came to where it stands.

use super::chart::MOST_CURVES;
use super::contest::Sweep;
use super::schedule::Mode;
use super::summary::ArmSummary;
use crate::kinds::sprt::report::llr_chart;
use crate::report::document::Part;
use crate::report::lead::Lead;
use crate::report::svg::{Axis, Chart, Series};

/// The counts of each arm: games, and pairs by the arm's points.
pub fn counts(arms: &[ArmSummary]) -> Part {
    let head = ["", "games", "won", "drawn", "lost", "pairs 0", "½", "1", "1½", "2"];
    let row = |arm: &ArmSummary| {
        let Lead { games, wins, draws, losses, pentanomial, .. } = &arm.lead;
        let games = [*games, *wins, *draws, *losses];
        let figures = games.into_iter().chain(pentanomial.0).map(|count| count.to_string());
        [arm.label.clone()].into_iter().chain(figures).collect()
    };
    Part::Table { head: head.map(str::to_owned).into(), rows: arms.iter().map(row).collect() }
}

/// Whom the pairs of each arm went to.
pub fn pairs_chart(arms: &[ArmSummary]) -> Chart {
    let names: Vec<_> = arms.iter().map(|arm| arm.label.clone()).collect();
    let mut chart =
        Chart::rows("Pairs by result", Axis::linear("share of the pairs, %", 0.0, 100.0, 5), &names);
    for (row, arm) in (0..).map(f64::from).zip(arms) {
        let [lost, half_lost, level, half_won, won] = arm.lead.pentanomial.0;
        let percent = 100.0 / arm.lead.pentanomial.pairs() as f64;
        let mut from = 0.0;
        let shares =
            [(Series::First, lost + half_lost), (Series::Neutral, level), (Series::Second, half_won + won)];
        for (series, pairs) in shares.into_iter().filter(|(_, pairs)| *pairs > 0) {
            let to = from + percent * pairs as f64;
            chart.span(series, row + 0.5, (from, to));
            from = to;
        }
    }
    chart.name(Series::First, "to the base");
    chart.name(Series::Neutral, "level");
    chart.name(Series::Second, "to the value");
    chart
}

/// The log-likelihood ratio of each arm whenever its test was looked at: its pairs, and the ratio.
pub struct Paths(Vec<Vec<(f64, f64)>>);

impl Paths {
    /// Nothing has been looked at yet.
    pub fn new(arms: usize) -> Paths {
        Paths(vec![Vec::new(); arms])
    }

    /// Looks at this arm, whose pair was counted last.
    pub fn add(&mut self, sweep: &Sweep, arm: usize) {
        if sweep.spec().mode != Mode::Find {
            return;
        }
        let pairs = sweep.schedule().arms()[arm].tally.pairs.pairs();
        if pairs.is_multiple_of(sweep.spec().block) {
            self.0[arm].push((pairs as f64, sweep.schedule().status(arm).llr));
        }
    }

    /// The paths, of many the highest; none where nothing was tested.
    pub fn chart(&self, sweep: &Sweep) -> Option<Chart> {
        let spec = sweep.spec();
        let height = |arm: &usize| self.0[*arm].last().map_or(f64::NEG_INFINITY, |&(_, llr)| llr);
        let mut arms: Vec<usize> = (0..self.0.len()).filter(|&arm| !self.0[arm].is_empty()).collect();
        let title = match arms.len() {
            0 => return None,
            few if few <= MOST_CURVES => "Log-likelihood ratio over the pairs of each value".to_owned(),
            many => {
                format!("Log-likelihood ratio over the pairs of a value, the {MOST_CURVES} highest of {many}")
            }
        };
        arms.sort_by(|ours, theirs| height(theirs).total_cmp(&height(ours)));
        arms.truncate(MOST_CURVES);
        arms.sort_unstable();
        let series = |(number, &arm): (usize, &usize)| (Series::numbered(number), self.0[arm].clone());
        let paths: Vec<_> = arms.iter().enumerate().map(series).collect();
        let mut chart = llr_chart(&title, &spec.arm_test(), &paths);
        for ((series, _), arm) in paths.iter().zip(arms) {
            chart.name(*series, &spec.label(&spec.arms[arm]));
        }
        Some(chart)
    }
}
