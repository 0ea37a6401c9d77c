//! The pictures of a report.

use super::SprtReport;
use crate::report::pairs::pairs_chart;
use crate::report::svg::{Axis, Chart, IntervalMark, Series};
use crate::statistics::SprtBounds;

/// More points than this are not told apart in the picture of the log-likelihood ratio.
const MOST_POINTS: usize = 800;

impl SprtReport {
    /// Every picture there is something to draw for, in order.
    pub fn charts(&self) -> Vec<Chart> {
        let games = &self.run.games;
        if self.llr.is_empty() {
            return Vec::new();
        }
        let charts = [
            Some(self.llr_chart()),
            self.elo_chart(),
            Some(pairs_chart(&self.run.contest.tally().pairs)),
            games.lengths_chart(),
            games.depths_chart(self.names()),
        ];
        charts.into_iter().flatten().collect()
    }

    fn llr_chart(&self) -> Chart {
        let path = (1..).map(f64::from).zip(self.llr.iter().copied()).collect();
        let title = "Log-likelihood ratio over the pairs";
        llr_chart(title, &self.run.spec.test, &[(Series::Second, path)])
    }

    fn elo_chart(&self) -> Option<Chart> {
        let elo = self.elo();
        let known = || elo.iter().flat_map(|elo| [elo.ends.low, elo.estimate, elo.ends.high]).flatten();
        let (least, most) = (known().reduce(f64::min)?, known().reduce(f64::max)?);
        let names: Vec<_> = elo.iter().map(|elo| elo.short.to_owned()).collect();
        let x = Axis::linear("Elo, 95 % interval", least.min(0.0), most.max(0.0), 8);
        let mut chart = Chart::rows("Gain of the candidate", x, &names);
        chart.rule_at_x(0.0, "");
        for (row, elo) in (0..).zip(&elo) {
            let mark = IntervalMark {
                at: f64::from(row) + 0.5,
                value: elo.estimate.unwrap_or(f64::NAN),
                low: elo.ends.low.unwrap_or(f64::NEG_INFINITY),
                high: elo.ends.high.unwrap_or(f64::INFINITY),
            };
            chart.interval(Series::Second, mark);
        }
        Some(chart)
    }
}

/// Where log-likelihood ratios of this test stood after so many pairs, from 0 on.
pub fn llr_chart(title: &str, test: &SprtBounds, paths: &[(Series, Vec<(f64, f64)>)]) -> Chart {
    let points = || paths.iter().flat_map(|(_, path)| path.iter().copied());
    let least = points().map(|(_, llr)| llr).fold(test.lower(), f64::min);
    let most = points().map(|(_, llr)| llr).fold(test.upper(), f64::max);
    let x = Axis::linear("pairs", 0.0, points().map(|(pairs, _)| pairs).fold(0.0, f64::max), 8);
    let mut chart = Chart::new(title, x, Axis::linear("LLR", least, most, 6));
    chart.rule_at_y(test.upper(), &format!("H1: {} Elo", test.elo1()));
    chart.rule_at_y(test.lower(), &format!("H0: {} Elo", test.elo0()));
    for (series, path) in paths {
        let path: Vec<_> = std::iter::once((0.0, 0.0)).chain(path.iter().copied()).collect();
        chart.line(*series, &thinned(&path));
    }
    chart
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
}
