//! Strength against value as a picture: in the terminal, and as an SVG that stands alone, in light and dark.

use crate::report::figures::signed_to;
use crate::report::svg::{self, Axis, Series};
use crate::statistics::Interval;

/// Columns of the terminal's picture.
const COLUMNS: usize = 61;

/// Ticks of the picture's axis of strengths, about.
const TICKS: usize = 8;

/// Between two curves at the same value, in parts of the axis of values.
const APART: f64 = 0.01;

/// More curves than this would share their colours: then each value has a row of its own.
pub const MOST_CURVES: usize = 6;

/// One value and its strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// How it is called.
    pub label: String,
    /// Where it is on the axis of values; none if it is no number.
    pub at: Option<f64>,
    /// Which curve it is on.
    pub series: String,
    /// Its strength, Elo; none if there is no figure.
    pub elo: Option<f64>,
    /// Where that lies. An end that is not known is drawn to the edge.
    pub interval: Interval,
}

impl Point {
    fn figures(&self) -> impl Iterator<Item = f64> {
        [self.elo, self.interval.low, self.interval.high].into_iter().flatten()
    }

    /// What is drawn of it, at this place.
    fn mark(&self, at: f64) -> svg::IntervalMark {
        let Interval { low, high } = self.interval;
        svg::IntervalMark {
            at,
            value: self.elo.unwrap_or(f64::NAN),
            low: low.unwrap_or(f64::NEG_INFINITY),
            high: high.unwrap_or(f64::INFINITY),
        }
    }
}

/// Values and their strengths, in the order in which they are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepChart {
    /// What is varied.
    pub key: String,
    /// Above the picture.
    pub title: String,
    /// What is shown.
    pub points: Vec<Point>,
}

impl SweepChart {
    /// Every figure, and the base's.
    fn elos(&self) -> impl Iterator<Item = f64> {
        self.points.iter().flat_map(Point::figures).chain([0.0])
    }

    /// The picture for a terminal: a line for each value, from the lowest strength to the highest.
    pub fn text(&self) -> String {
        let scale = Axis::of_values("Elo", self.elos());
        let column = |elo: f64| (scale.at(elo) * (COLUMNS - 1) as f64).round() as usize;
        let widest = self.points.iter().map(|point| point.label.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for point in &self.points {
            let Point { label, elo, interval, .. } = point;
            let mut line = [' '; COLUMNS];
            let [low, high] = [interval.low.map_or(0, column), interval.high.map_or(COLUMNS - 1, column)];
            line[low..=high].fill('─');
            line[low] = if interval.low.is_some() { '├' } else { '◂' };
            line[high] = if interval.high.is_some() { '┤' } else { '▸' };
            if !(low..=high).contains(&column(0.0)) || (low < column(0.0) && column(0.0) < high) {
                line[column(0.0)] = '┊';
            }
            if let Some(elo) = elo {
                line[column(*elo)] = '●';
            }
            let line: String = line.iter().collect();
            text += &format!("{label:>widest$} {}\n", line.trim_end());
        }
        let [low, high] = [scale.low(), scale.high()].map(|elo| signed_to(elo, 0));
        let mut axis = [' '; COLUMNS];
        axis[column(0.0)] = '0';
        axis.iter_mut().zip(low.chars()).for_each(|(place, letter)| *place = letter);
        axis.iter_mut().rev().zip(high.chars().rev()).for_each(|(place, letter)| *place = letter);
        let axis: String = axis.iter().collect();
        text + &format!("{:>widest$} {axis} Elo\n", "")
    }

    /// The picture as an SVG file.
    pub fn svg(&self) -> String {
        self.picture().render_file()
    }

    /// The picture: curves if the values are numbers, else a row for each value.
    pub fn picture(&self) -> svg::Chart {
        let has_places = self.points.iter().all(|point| point.at.is_some());
        match has_places && self.by_series().count() <= MOST_CURVES {
            true => self.curves(),
            false => self.rows(),
        }
    }

    /// The points of each curve.
    fn by_series(&self) -> impl Iterator<Item = &[Point]> {
        self.points.chunk_by(|one, next| one.series == next.series)
    }

    fn rows(&self) -> svg::Chart {
        let names: Vec<_> = self.points.iter().map(|point| point.label.clone()).collect();
        let mut chart = svg::Chart::rows(&self.title, self.elo_axis(), &names);
        chart.rule_at_x(0.0, "");
        for (row, point) in (0..).map(f64::from).zip(&self.points) {
            chart.interval(Series::First, point.mark(row + 0.5));
        }
        chart
    }

    fn curves(&self) -> svg::Chart {
        let values = Axis::of_values(&self.key, self.points.iter().filter_map(|point| point.at));
        let apart = APART * (values.high() - values.low());
        let mut chart = svg::Chart::new(&self.title, values, self.elo_axis());
        chart.rule_at_y(0.0, "");
        let curves: Vec<_> = self.by_series().collect();
        for (index, points) in curves.iter().enumerate() {
            let series = Series::numbered(index);
            let shift = apart * (index as f64 - 0.5 * (curves.len() - 1) as f64);
            let marks: Vec<_> =
                points.iter().filter_map(|point| Some(point.mark(point.at? + shift))).collect();
            let dots = marks.iter().filter(|mark| !mark.value.is_nan()).map(|mark| (mark.at, mark.value));
            chart.line(series, &dots.collect::<Vec<_>>());
            marks.into_iter().for_each(|mark| chart.interval(series, mark));
            if curves.len() > 1 {
                chart.name(series, &points[0].series);
            }
        }
        chart
    }

    fn elo_axis(&self) -> Axis {
        let (low, high) =
            self.elos().fold((0.0_f64, 0.0_f64), |(low, high), elo| (low.min(elo), high.max(elo)));
        Axis::linear("Elo, 95 % all together", low, high, TICKS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(
        label: &str,
        at: Option<f64>,
        series: &str,
        elo: Option<f64>,
        [low, high]: [Option<f64>; 2],
    ) -> Point {
        let [label, series] = [label, series].map(str::to_owned);
        Point { label, at, series, elo, interval: Interval { low, high } }
    }

    fn chart(points: Vec<Point>) -> SweepChart {
        SweepChart { key: "a<b".to_owned(), title: "a<b & \"c\"".to_owned(), points }
    }

    /// The points, curves and texts of a picture, which must be well-formed.
    fn drawn(svg: &str) -> [usize; 3] {
        let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        ["circle", "polyline", "text"].map(|name| {
            document
                .descendants()
                .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
                .count()
        })
    }

    #[test]
    fn numbers_are_drawn_as_curves() {
        let ends = [Some(-10.0), Some(20.0)];
        let one = chart(vec![
            point("10", Some(10.0), "", Some(5.0), ends),
            point("25 (base)", Some(25.0), "", Some(0.0), [Some(0.0); 2]),
            point("40", Some(40.0), "", None, [None, Some(9.0)]),
            point("60", Some(60.0), "", None, [None, None]),
        ]);
        assert_eq!(drawn(&one.svg())[..2], [2, 1]);
        let points = ["x=true", "x=<false>"].map(|series| point("p", Some(1.0), series, Some(1.0), ends));
        assert_eq!(drawn(&chart(points.to_vec()).svg())[..2], [2, 2]);
        // A colour of their own for so many, then a row for each point.
        for (curves, drawn_curves) in [(MOST_CURVES, MOST_CURVES), (MOST_CURVES + 1, 0)] {
            let points =
                (0..curves).map(|curve| point("p", Some(1.0), &format!("x={curve}"), Some(1.0), ends));
            assert_eq!(drawn(&chart(points.collect()).svg())[..2], [curves, drawn_curves]);
        }
    }

    #[test]
    fn names_are_drawn_as_lines() {
        let points = ["lmr", "pvs & <co>"].map(|name| point(name, None, "", Some(-3.0), [None, Some(2.0)]));
        let [circles, curves, texts] = drawn(&chart(points.to_vec()).svg());
        assert_eq!((circles, curves), (2, 0));
        assert!(texts > 4);
        drawn(&chart(Vec::new()).svg());
    }

    #[test]
    fn the_terminal_shows_points_and_intervals() {
        let text = chart(vec![
            point("5", Some(5.0), "", Some(-30.0), [Some(-50.0), Some(-10.0)]),
            point("25 (base)", Some(25.0), "", Some(0.0), [Some(0.0); 2]),
            point("100", Some(100.0), "", Some(40.0), [Some(10.0), None]),
            point("200", Some(200.0), "", None, [None, None]),
        ])
        .text();
        let mut lines: Vec<_> = text.lines().collect();
        let nothing_known = lines.remove(3);
        assert!(nothing_known.contains("200 ◂──") && nothing_known.ends_with("──▸"), "{text}");
        assert_eq!(lines.len(), 4);
        assert!(lines[0].contains("├──") && lines[0].contains('●') && lines[0].contains("┤"), "{text}");
        assert!(lines[2].ends_with('▸'), "{text}");
        let letter = |line: &str, at| line.chars().nth(at);
        let zero = lines[1].chars().position(|letter| letter == '●').unwrap();
        assert_eq!((letter(lines[0], zero), letter(lines[3], zero)), (Some('┊'), Some('0')), "{text}");
        assert!(lines[3].trim_start().starts_with("-5") && lines[3].ends_with(" Elo"), "{text}");
    }
}
