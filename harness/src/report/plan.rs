//! What a test passes and costs, as a table with bars for a terminal and as a picture.

use super::svg::{Axis, Chart, Mark, Point, Series, document};
use crate::statistics::Figures;
use crate::statistics::power::Expectation;
use crate::statistics::simulation::Measured;
use serde::Serialize;

/// Size of the picture, pixels.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 300.0;

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
    pub figures: Figures,
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
        let most = self.rows.iter().map(|row| row.figures.games.estimate).fold(1.0, f64::max);
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
            "hours",
            width = BAR
        )];
        for PlanRow { elo, hours, figures, .. } in self.rows {
            let [q5, _, q50, _, q95] = figures.quantiles.map(|quantile| quantile.games.estimate);
            let Measured { estimate, error } = figures.games;
            lines.push(format!(
                "{elo:>+9.2} {}  {}  {:<14}  {}  {:>15}  {q5:>8.0} {q50:>8.0} {q95:>8.0}  {:>8}",
                self.mark(*elo),
                bar(figures.h1.estimate),
                format!("{:.1} ± {:.1} %", 100.0 * figures.h1.estimate, 100.0 * figures.h1.error),
                bar(estimate / most),
                format!("{estimate:.0} ± {error:.0}"),
                hours.map_or("-".to_owned(), |hours| format!("{hours:.1}")),
            ));
            if figures.undecided.estimate > 0.0 {
                lines.push(format!("{:>13} {:.1} % undecided", "", 100.0 * figures.undecided.estimate));
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

    /// Two charts as a file: the lines are the formula's, the points and their errors (two standard errors) the simulation's.
    pub fn svg(&self) -> String {
        let elos = self.rows.iter().map(|row| row.elo).chain(self.hypotheses);
        let (low, high) =
            elos.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), elo| (low.min(elo), high.max(elo)));
        let curve: Vec<(f64, Expectation)> = (0..=CURVE_POINTS)
            .map(|step| low + (high - low) * f64::from(step) / f64::from(CURVE_POINTS))
            .map(|elo| (elo, (self.theory)(elo)))
            .collect();
        let line = |value: fn(&Expectation) -> f64| Series {
            name: "by formula".to_owned(),
            mark: Mark::Line(curve.iter().map(|(elo, expected)| (*elo, value(expected))).collect()),
            colour: 0,
        };
        let points = |name: &str, colour, value: fn(&Figures) -> Measured| {
            let point = |row: &PlanRow| {
                let Measured { estimate, error } = value(&row.figures);
                Point { x: row.elo, y: estimate, error: 2.0 * error }
            };
            let mark = Mark::Points(self.rows.iter().map(point).collect());
            Series { name: name.to_owned(), mark, colour }
        };
        let chart = |title: &str, y: Axis, series: Vec<Series>| Chart {
            title: title.to_owned(),
            x: Axis { label: "true lead of the candidate, logistic Elo".to_owned(), low, high },
            y,
            height: HEIGHT,
            guides: vec![(self.hypotheses[0], "H0".to_owned()), (self.hypotheses[1], "H1".to_owned())],
            series,
        };
        let longest = self.rows.iter().map(|row| row.figures.quantiles[4].games);
        let longest = longest.map(|games| games.estimate + 2.0 * games.error).fold(1.0, f64::max);
        let share = Axis { label: "share of tests".to_owned(), low: 0.0, high: 1.0 };
        let games = Axis { label: "games".to_owned(), low: 0.0, high: 1.02 * longest };
        let description = format!("Pass probability and length of the test {}", self.test);
        let charts = [
            chart(
                &format!("What the test passes: {}", self.test),
                share,
                vec![
                    line(|expected| expected.pass),
                    points("tests that accept H1, simulated", 1, |figures| figures.h1),
                ],
            ),
            chart(
                &format!("How long it takes: {}", self.pairs),
                games,
                vec![
                    line(|expected| expected.games),
                    points("on average, simulated", 1, |figures| figures.games),
                    points("half are over", 2, |figures| figures.quantiles[2].games),
                    points("95 % are over", 3, |figures| figures.quantiles[4].games),
                ],
            ),
        ];
        document(WIDTH, &description, &charts)
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
