//! Chart of a tuning run: a line for each parameter over the iterations, all on one scale.
//!
//! The scale is the distance from the start in steps of `c_end`, the size by which a user says that a parameter matters:
//! a margin of hundreds and a divisor of tens can be compared.

use super::summary::Tuned;
use crate::report::figures::to_digits;
use crate::report::svg::{Axis, Chart, Series};

/// Lines that are told apart by their colours.
const LINES: usize = 6;

/// A picture of all parameters after some of so many iterations, as an SVG file.
pub fn file(heading: &[&str], parameters: &[Tuned], iterations: [u64; 2]) -> String {
    Chart::render_together(heading, &charts(parameters, iterations))
}

/// The charts, of which each shows as many parameters as there are colours; all have the same scale. `iterations` are
/// those that are completed, and all of the run.
pub fn charts(parameters: &[Tuned], [done, all]: [u64; 2]) -> Vec<Chart> {
    let moved = parameters.iter().flat_map(|tuned| tuned.trajectory.iter().map(|value| tuned.moved(*value)));
    let (low, high) = moved.fold((-1.0_f64, 1.0_f64), |(low, high), at| (low.min(at), high.max(at)));
    let chart = |parameters: &[Tuned]| {
        let x = Axis::linear("iterations", 0.0, all as f64, 8);
        let y = Axis::linear("moved from the start, in steps of c_end", low, high, 6);
        let mut chart = Chart::new("Parameters, start → now", x, y);
        chart.rule_at_y(0.0, "");
        for (index, tuned) in parameters.iter().enumerate() {
            let series = Series::numbered(index);
            chart.line(series, &points(tuned, done));
            let Tuned { parameter, value, .. } = tuned;
            chart.name(series, &format!("{} {} → {}", parameter.name, parameter.start, to_digits(*value, 1)));
        }
        chart
    };
    parameters.chunks(LINES).map(chart).collect()
}

/// Iteration and distance from the start; the values kept are evenly spaced.
fn points(tuned: &Tuned, iterations: u64) -> Vec<(f64, f64)> {
    let last = tuned.trajectory.len().saturating_sub(1).max(1) as f64;
    let point =
        |(place, value): (usize, &f64)| (iterations as f64 * place as f64 / last, tuned.moved(*value));
    tuned.trajectory.iter().enumerate().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::spsa::Parameter;

    fn tuned(name: &str, trajectory: &[f64]) -> Tuned {
        let start = trajectory[0];
        let parameter =
            Parameter { name: name.to_owned(), start, min: 0, max: 300, c_end: 8.0, r_end: 0.002 };
        Tuned { parameter, value: *trajectory.last().unwrap(), trajectory: trajectory.to_vec() }
    }

    #[test]
    fn every_parameter_has_its_line_and_its_values_are_named() {
        let seven: Vec<Tuned> =
            (0..7).map(|index| tuned(&format!("p{index}"), &[200.0, 180.0, 160.5])).collect();
        let svg = file(&["a < b"], &seven, [2, 4]);
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
        let lines = document.descendants().filter(|node| node.tag_name().name() == "polyline");
        assert_eq!(lines.count(), 7);
        assert!(svg.contains("p6 200 → 160.5") && svg.contains("a &lt; b"), "{svg}");
        assert_eq!(charts(&seven, [2, 4]).len(), 2, "colours are not used twice in a chart");
    }

    #[test]
    fn a_run_that_has_not_moved_is_a_point_at_the_start() {
        let still = tuned("p", &[200.0]);
        assert_eq!(points(&still, 0), [(0.0, 0.0)]);
        assert_eq!(points(&tuned("p", &[200.0, 208.0, 184.0]), 10), [(0.0, 0.0), (5.0, 1.0), (10.0, -2.0)]);
        assert!(file(&[], &[still], [0, 0]).contains("</svg>"));
    }
}
