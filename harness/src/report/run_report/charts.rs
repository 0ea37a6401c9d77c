//! The pictures of a report.

use super::RunReport;
use super::content::PAIR_SCORES;
use crate::report::svg::{Axis, Chart, Interval, Series};
use crate::report::telemetry::SideTelemetry;

/// More points than this are not told apart in the picture of the log-likelihood ratio.
const MOST_POINTS: usize = 800;

/// Depths that a smaller share of the searches finished are not drawn: where the end is near, the last hundred plies
/// cost nothing.
const LEAST_SHARE: f64 = 0.005;

/// Bars of the picture of game lengths, about.
const LENGTH_BARS: usize = 24;

impl RunReport<'_> {
    /// Every picture there is something to draw for, in order.
    pub fn charts(&self) -> Vec<Chart> {
        if self.run.replay.llr.is_empty() {
            return Vec::new();
        }
        let charts = [
            Some(self.llr_chart()),
            self.elo_chart(),
            Some(self.pairs_chart()),
            self.lengths_chart(),
            self.depths_chart(),
        ];
        charts.into_iter().flatten().collect()
    }

    fn llr_chart(&self) -> Chart {
        let (summary, llr) = (&self.run.summary, &self.run.replay.llr);
        let least = llr.iter().copied().fold(summary.figures.lower, f64::min);
        let most = llr.iter().copied().fold(summary.figures.upper, f64::max);
        let x = Axis::linear("pairs", 0.0, llr.len() as f64, 8);
        let mut chart =
            Chart::new("Log-likelihood ratio over the pairs", x, Axis::linear("LLR", least, most, 6));
        let bounds = &self.run.experiment.test;
        chart.rule_at_y(summary.figures.upper, &format!("H1: {} Elo", bounds.elo1()));
        chart.rule_at_y(summary.figures.lower, &format!("H0: {} Elo", bounds.elo0()));
        let path = std::iter::once((0.0, 0.0)).chain((1..).map(f64::from).zip(llr.iter().copied()));
        chart.line(Series::Second, &thinned(&path.collect::<Vec<_>>()));
        chart
    }

    fn elo_chart(&self) -> Option<Chart> {
        let elo = self.elo();
        let least = elo.iter().map(|elo| elo.low).reduce(f64::min)?;
        let most = elo.iter().map(|elo| elo.high).reduce(f64::max)?;
        let names: Vec<_> = elo.iter().map(|elo| elo.short.to_owned()).collect();
        let x = Axis::linear("Elo, 95 % interval", least.min(0.0), most.max(0.0), 8);
        let mut chart = Chart::rows("Gain of the candidate", x, &names);
        chart.rule_at_x(0.0);
        for (row, elo) in (0..).zip(&elo) {
            let row = f64::from(row) + 0.5;
            chart.interval(
                Series::Second,
                Interval { row, value: elo.estimate, low: elo.low, high: elo.high },
            );
        }
        Some(chart)
    }

    fn pairs_chart(&self) -> Chart {
        let counts = self.run.replay.progress.tally.pairs.0;
        let most = counts.into_iter().max().unwrap_or(0);
        let x = Axis::categories("the candidate's points in a pair", PAIR_SCORES);
        let mut chart = Chart::new("Pairs by result", x, Axis::linear("pairs", 0.0, most as f64, 5));
        for (index, count) in (0..).zip(counts) {
            let series = match index {
                0 | 1 => Series::First,
                2 => Series::Neutral,
                _ => Series::Second,
            };
            let left = f64::from(index);
            chart.bar(series, (left + 0.15, left + 0.85), count as f64, &count.to_string());
        }
        chart.name(Series::First, "to the base");
        chart.name(Series::Neutral, "level");
        chart.name(Series::Second, "to the candidate");
        chart
    }

    fn lengths_chart(&self) -> Option<Chart> {
        let lengths = &self.run.replay.lengths;
        let longest = *lengths.iter().max()?;
        let width = round_width(longest / LENGTH_BARS + 1);
        let mut bars = vec![0_u64; longest / width + 1];
        for length in lengths {
            bars[length / width] += 1;
        }
        let most = bars.iter().copied().max()?;
        let x = Axis::linear("plies", 0.0, (bars.len() * width) as f64, 10);
        let mut chart = Chart::new("Length of the games", x, Axis::linear("games", 0.0, most as f64, 5));
        for (index, count) in bars.into_iter().enumerate() {
            let (from, to) = ((index * width) as f64, ((index + 1) * width) as f64);
            let gap = 0.06 * width as f64;
            chart.bar(Series::Neutral, (from + gap, to - gap), count as f64, "");
        }
        Some(chart)
    }

    fn depths_chart(&self) -> Option<Chart> {
        let experiment = &self.run.experiment;
        let sides = [
            (Series::First, &experiment.base.file, depth_points(&self.run.replay.base)),
            (Series::Second, &experiment.candidate.file, depth_points(&self.run.replay.candidate)),
        ];
        let deepest = sides.iter().map(|(_, _, points)| points.len()).max().filter(|&depth| depth > 1)?;
        let x = Axis::linear("depth, plies", 0.0, deepest as f64, deepest.min(12));
        let mut chart = Chart::new("Searches that finished a depth", x, Axis::linear("%", 0.0, 100.0, 5));
        for (series, name, points) in &sides {
            chart.line(*series, points);
            chart.dots(*series, points);
            chart.name(*series, name);
        }
        Some(chart)
    }
}

/// Each depth with the percentage of searches that finished it.
fn depth_points(side: &SideTelemetry) -> Vec<(f64, f64)> {
    let shares = side.depth_shares().into_iter().take_while(|&share| share >= LEAST_SHARE);
    (1..).map(f64::from).zip(shares.map(|share| 100.0 * share)).collect()
}

/// The points, or of many the lowest and highest of each stretch, in order: no peak is lost.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Vec::new() };
    let mut thinned = vec![first];
    for stretch in points.chunks(points.len().div_ceil(MOST_POINTS / 2)) {
        let by_height = |one: &&(f64, f64), other: &&(f64, f64)| one.1.total_cmp(&other.1);
        let extremes = [stretch.iter().min_by(by_height), stretch.iter().max_by(by_height)];
        let mut extremes: Vec<_> = extremes.into_iter().flatten().copied().collect();
        extremes.sort_by(|one, other| one.0.total_cmp(&other.0));
        thinned.extend(extremes);
    }
    thinned.push(last);
    thinned
}

/// The next of 1, 2, 5, 10, 20, … from `width` on.
fn round_width(width: usize) -> usize {
    let powers = std::iter::successors(Some(1), |power: &usize| power.checked_mul(10));
    powers.flat_map(|power| [power, 2 * power, 5 * power]).find(|&round| round >= width).unwrap_or(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_ends_order_and_peaks() {
        let few: Vec<_> = (0..10).map(|x| (f64::from(x), f64::from(x % 3))).collect();
        assert_eq!(thinned(&few), few);
        let mut many: Vec<_> = (0..50_000).map(|x| (f64::from(x), (f64::from(x) / 900.0).sin())).collect();
        many[31_234].1 = 9.0;
        let thin = thinned(&many);
        assert!(thin.len() <= MOST_POINTS + 4, "{}", thin.len());
        assert_eq!((thin.first(), thin.last()), (many.first(), many.last()));
        assert!(thin.is_sorted_by(|one, other| one.0 <= other.0));
        assert!(thin.contains(&(31_234.0, 9.0)));
    }

    #[test]
    fn bars_have_round_widths() {
        assert_eq!([1, 3, 6, 11, 51].map(round_width), [1, 5, 10, 20, 100]);
    }
}
