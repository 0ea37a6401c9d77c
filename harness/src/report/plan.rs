//! What a test passes and costs, as a table with bars for a terminal and as a picture.

use super::figures::signed_to;
use super::svg::{Axis, Chart, IntervalMark, Series};
use crate::statistics::Outcomes;
use crate::statistics::power::Expectation;
use crate::statistics::simulation::Simulated;
use serde::Serialize;

/// Points of each curve.
const CURVE_POINTS: i32 = 120;

/// Letters of a full bar.
const BAR: usize = 16;

/// What is to be expected at one strength.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlanRow {
    /// True lead of the candidate, logistic Elo.
    pub elo: f64,
    /// By formula, which ignores the overshoot at the end.
    pub theory: Expectation,
    /// Hours at the known speed for the games on average; none if no speed is known.
    pub hours: Option<f64>,
    /// By simulation.
    #[serde(flatten)]
    pub outcomes: Outcomes,
}

/// All that is drawn.
pub struct Picture<'a> {
    /// The test, in words.
    pub test: &'a str,
    /// What pairs are like, in words.
    pub pairs: &'a str,
    /// By strength.
    pub rows: &'a [PlanRow],
    /// Logistic Elo of H0 and H1.
    pub hypotheses: [f64; 2],
    /// What is to be expected at any lead, by formula.
    pub theory: &'a dyn Fn(f64) -> Expectation,
}

impl Picture<'_> {
    /// A table with bars; the hypotheses are marked.
    pub fn text(&self) -> String {
        let most = self.rows.iter().map(|row| row.outcomes.games.estimate).fold(1.0, f64::max);
        let time = TimeUnit::of(self.rows);
        let mut lines = vec![format!(
            "{:>9}     {:<width$}  {:<14}  {:<width$}  {:>15}  {:>8} {:>8} {:>8}  {:>8}",
            "true Elo",
            "H1 accepted",
            "",
            "games",
            "",
            "5 %",
            "50 %",
            "95 %",
            time.name(),
            width = BAR
        )];
        for PlanRow { elo, hours, outcomes, .. } in self.rows {
            let [q5, _, q50, _, q95] = outcomes.quantiles.map(|quantile| quantile.games.estimate);
            let Simulated { estimate, error } = outcomes.games;
            lines.push(format!(
                "{:>9} {}  {}  {:<14}  {}  {:>15}  {q5:>8.0} {q50:>8.0} {q95:>8.0}  {:>8}",
                signed_to(*elo, 2),
                self.mark(*elo),
                bar(outcomes.h1.estimate),
                format!("{:.1} ± {:.1} %", 100.0 * outcomes.h1.estimate, 100.0 * outcomes.h1.error),
                bar(estimate / most),
                format!("{estimate:.0} ± {error:.0}"),
                hours.map_or("-".to_owned(), |hours| time.write(hours)),
            ));
            if outcomes.undecided.estimate > 0.0 {
                lines.push(format!("{:>13} {:.1} % undecided", "", 100.0 * outcomes.undecided.estimate));
            }
        }
        lines.join("\n")
    }

    /// `H0` or `H1` beside the lead that it states.
    fn mark(&self, elo: f64) -> &'static str {
        let [h0, h1] = self.hypotheses.map(|hypothesis| (elo - hypothesis).abs() < 1e-9);
        match (h0, h1) {
            (true, _) => "H0",
            (_, true) => "H1",
            _ => "  ",
        }
    }

    /// Two charts as a file: the lines are the formula's, the dots with their bars (two standard errors) the simulation's.
    pub fn svg(&self) -> String {
        let longest = self.rows.iter().map(|row| row.outcomes.quantiles[4].games);
        let longest = longest.map(|games| games.estimate + 2.0 * games.error).fold(1.0, f64::max);

        let mut passes = self.chart("What it passes", Axis::linear("% of tests", 0.0, 100.0, 5));
        self.curve(&mut passes, |expected| 100.0 * expected.pass);
        self.dots(&mut passes, (Series::Second, "H1 accepted"), 100.0, |outcomes| outcomes.h1);

        let mut takes = self.chart("How long it takes", Axis::linear("games", 0.0, longest, 5));
        self.curve(&mut takes, |expected| expected.games);
        self.dots(&mut takes, (Series::Second, "on average"), 1.0, |outcomes| outcomes.games);
        self.dots(&mut takes, (Series::Third, "half are over"), 1.0, |outcomes| outcomes.quantiles[2].games);
        self.dots(&mut takes, (Series::Neutral, "95 % are over"), 1.0, |outcomes| {
            outcomes.quantiles[4].games
        });

        let marks = "line: by formula; dots: simulated, with two standard errors";
        Chart::render_together(&[self.test, self.pairs, marks], &[passes, takes])
    }

    /// An empty chart over the true lead, with both hypotheses marked.
    fn chart(&self, title: &str, y: Axis) -> Chart {
        let [low, high] = self.range();
        let mut chart = Chart::new(title, Axis::linear("true lead of the candidate, Elo", low, high, 8), y);
        for (elo, name) in self.hypotheses.into_iter().zip(["H0", "H1"]) {
            chart.rule_at_x(elo, name);
        }
        chart
    }

    /// The lowest and the highest lead that is shown.
    fn range(&self) -> [f64; 2] {
        let elos = self.rows.iter().map(|row| row.elo).chain(self.hypotheses);
        elos.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], elo| [low.min(elo), high.max(elo)])
    }

    /// Draws what the formula says.
    fn curve(&self, chart: &mut Chart, value: fn(&Expectation) -> f64) {
        let [low, high] = self.range();
        let elo = |step| low + (high - low) * f64::from(step) / f64::from(CURVE_POINTS);
        let points = (0..=CURVE_POINTS).map(elo).map(|elo| (elo, value(&(self.theory)(elo))));
        chart.line(Series::First, &points.collect::<Vec<_>>());
        chart.name(Series::First, "by formula");
    }

    /// Draws what the simulation found, multiplied by `scale`.
    fn dots(
        &self,
        chart: &mut Chart,
        (series, name): (Series, &str),
        scale: f64,
        value: fn(&Outcomes) -> Simulated,
    ) {
        for PlanRow { elo, outcomes, .. } in self.rows {
            let Simulated { estimate, error } = value(outcomes);
            let [value, low, high] =
                [estimate, estimate - 2.0 * error, estimate + 2.0 * error].map(|value| scale * value);
            chart.interval(series, IntervalMark { at: *elo, value, low, high });
        }
        chart.name(series, name);
    }
}

/// In what the times of a table are written.
#[derive(Clone, Copy, PartialEq)]
enum TimeUnit {
    Hours,
    Days,
}

impl TimeUnit {
    /// Hours, unless one of them is easier thought of in days.
    fn of(rows: &[PlanRow]) -> TimeUnit {
        const MOST_HOURS: f64 = 72.0;
        match rows.iter().filter_map(|row| row.hours).any(|hours| hours >= MOST_HOURS) {
            true => TimeUnit::Days,
            false => TimeUnit::Hours,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            TimeUnit::Hours => "hours",
            TimeUnit::Days => "days",
        }
    }

    fn write(self, hours: f64) -> String {
        match self {
            TimeUnit::Hours => format!("{hours:.1}"),
            TimeUnit::Days => format!("{:.1}", hours / 24.0),
        }
    }
}

/// A bar for a share, 0 to 1, in eighths of a letter.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * BAR as f64).round() as usize;
    format!("{:<BAR$}", "█".repeat(eighths / 8) + EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_share_and_keep_their_width() {
        assert_eq!(bar(0.0).trim(), "");
        assert_eq!(bar(0.5), format!("{:<16}", "████████"));
        assert_eq!(bar(1.0 / 128.0).trim(), "▏");
        assert!([0.0, 0.33, 1.0, 7.0].iter().all(|share| bar(*share).chars().count() == BAR));
    }
}
