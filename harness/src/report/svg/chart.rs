//! A picture: two axes, marks between them, a legend.

use super::axis::Axis;
use super::{style, themed};
use maud::{Markup, PreEscaped, html};

const WIDTH: f64 = 640.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 46.0;
/// Half the height of a bar across the end of an interval.
const CAP: f64 = 4.0;
/// Height of a horizontal bar.
const SPAN: f64 = 14.0;

/// Which colour marks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// The base, or what is only one.
    First,
    /// The candidate.
    Second,
    /// What stands beside them.
    Neutral,
}

impl Series {
    const fn stroke(self) -> &'static str {
        match self {
            Series::First => "stroke-first",
            Series::Second => "stroke-second",
            Series::Neutral => "stroke-neutral",
        }
    }

    const fn fill(self) -> &'static str {
        match self {
            Series::First => "fill-first",
            Series::Second => "fill-second",
            Series::Neutral => "fill-neutral",
        }
    }
}

/// An estimate with its interval, horizontal, in a row of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its row: 0.5 is the middle of the first category.
    pub row: f64,
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A chart that is being drawn.
pub struct Chart {
    title: String,
    height: f64,
    /// Room for the names of the vertical axis' ticks.
    left: f64,
    x: Axis,
    y: Axis,
    /// Rows are read from the top.
    y_is_downwards: bool,
    marks: Vec<Markup>,
    legend: Vec<(Series, String)>,
}

impl Chart {
    /// An empty chart with a horizontal and a vertical axis.
    pub fn new(title: &str, x: Axis, y: Axis) -> Chart {
        let (marks, legend) = (Vec::new(), Vec::new());
        Chart {
            title: title.to_owned(),
            height: 300.0,
            left: 62.0,
            x,
            y,
            y_is_downwards: false,
            marks,
            legend,
        }
    }

    /// An empty chart with a row for each of these names, the first on top.
    pub fn rows(title: &str, x: Axis, names: &[String]) -> Chart {
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let y = Axis::categories("", names.iter().cloned());
        Chart {
            height: TOP + BOTTOM + 34.0 * names.len() as f64,
            left: 24.0 + 7.0 * longest.min(30) as f64,
            y_is_downwards: true,
            ..Chart::new(title, x, y)
        }
    }

    /// A line through these points.
    pub fn line(&mut self, series: Series, points: &[(f64, f64)]) {
        let path: Vec<_> =
            points.iter().map(|&(x, y)| format!("{:.1},{:.1}", self.px(x), self.py(y))).collect();
        self.marks.push(html! { polyline class={ "line " (series.stroke()) } points=(path.join(" ")) {} });
    }

    /// A dot at each of these points.
    pub fn dots(&mut self, series: Series, points: &[(f64, f64)]) {
        for &(x, y) in points {
            self.dot(series, self.px(x), self.py(y));
        }
    }

    /// A bar from the lower end of the vertical axis up to `y`, between two horizontal values, with a text on it.
    pub fn bar(&mut self, series: Series, (from, to): (f64, f64), y: f64, text: &str) {
        let (left, right, top, bottom) = (self.px(from), self.px(to), self.py(y), self.py(self.y.low()));
        self.marks.push(html! {
            rect class=(series.fill()) x=(tenth(left)) y=(tenth(top)) width=(tenth((right - left).max(0.5)))
                height=(tenth(bottom - top)) {}
            @if !text.is_empty() {
                text class="value" x=(tenth(0.5 * (left + right))) y=(tenth(top - 5.0)) text-anchor="middle" { (text) }
            }
        });
    }

    /// An estimate with its interval.
    pub fn interval(&mut self, series: Series, interval: Interval) {
        let Interval { row, value, low, high } = interval;
        let (y, left, right) = (self.py(row), self.px(low), self.px(high));
        self.segment(series.stroke(), (left, y), (right, y));
        for x in [left, right] {
            self.segment(series.stroke(), (x, y - CAP), (x, y + CAP));
        }
        self.dot(series, self.px(value), y);
    }

    /// A horizontal bar in a row, between two values.
    pub fn span(&mut self, series: Series, row: f64, (from, to): (f64, f64)) {
        let (left, right, middle) = (self.px(from.min(to)), self.px(from.max(to)), self.py(row));
        self.marks.push(html! {
            rect class=(series.fill()) x=(tenth(left)) y=(tenth(middle - SPAN / 2.0))
                width=(tenth((right - left).max(0.5))) height=(tenth(SPAN)) {}
        });
    }

    /// A dashed line across the chart at a height, with a text above it.
    pub fn rule_at_y(&mut self, y: f64, text: &str) {
        let y = self.py(y);
        self.segment("rule", (self.left, y), (WIDTH - RIGHT, y));
        self.marks.push(html! {
            text x=(tenth(WIDTH - RIGHT - 4.0)) y=(tenth(y - 5.0)) text-anchor="end" { (text) }
        });
    }

    /// A dashed line from top to bottom.
    pub fn rule_at_x(&mut self, x: f64) {
        let x = self.px(x);
        self.segment("rule", (x, TOP), (x, self.height - BOTTOM));
    }

    /// Says in the legend what a series is.
    pub fn name(&mut self, series: Series, name: &str) {
        self.legend.push((series, name.to_owned()));
    }

    /// The chart for a page that has the style sheet.
    pub fn render(&self) -> Markup {
        self.svg(None)
    }

    /// The chart as a file of its own.
    pub fn render_file(&self) -> String {
        let sheet = style() + &themed(&[("svg", "background", "#fcfcfb", "#191918")]);
        format!("{}\n", self.svg(Some(&sheet)).into_string())
    }

    fn svg(&self, style: Option<&str>) -> Markup {
        let size = format!("0 0 {WIDTH} {}", self.height);
        html! {
            svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox=(size) width=(WIDTH) height=(self.height)
                role="img" aria-label=(self.title) {
                // Made of constants of this program; escaped, a style element would not be read.
                @if let Some(sheet) = style { style { (PreEscaped(sheet)) } }
                text class="title" x="8" y="18" { (self.title) }
                (self.legend())
                (self.axes())
                @for mark in &self.marks { (mark) }
            }
        }
    }

    /// The names of the series in a line that ends at the right edge.
    fn legend(&self) -> Markup {
        let mut end = WIDTH - RIGHT;
        let placed = self.legend.iter().rev().map(|(series, name)| {
            end -= 26.0 + 6.8 * name.chars().count() as f64;
            (end, series, name)
        });
        html! {
            @for (x, series, name) in placed {
                rect class=(series.fill()) x=(tenth(x)) y="9" width="10" height="10" rx="2" {}
                text x=(tenth(x + 15.0)) y="18" { (name) }
            }
        }
    }

    fn axes(&self) -> Markup {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - RIGHT);
        let middle = 0.5 * (self.left + right);
        html! {
            @for (value, name) in self.y.ticks() {
                @let y = self.py(*value);
                @if !self.y_is_downwards {
                    line class="grid" x1=(self.left) x2=(right) y1=(tenth(y)) y2=(tenth(y)) {}
                }
                text x=(tenth(self.left - 8.0)) y=(tenth(y + 4.0)) text-anchor="end" { (name) }
            }
            @for (value, name) in self.x.ticks() {
                @let x = self.px(*value);
                @if self.y_is_downwards {
                    line class="grid" x1=(tenth(x)) x2=(tenth(x)) y1=(TOP) y2=(bottom) {}
                }
                text x=(tenth(x)) y=(bottom + 17.0) text-anchor="middle" { (name) }
            }
            line class="axis" x1=(self.left) x2=(right) y1=(bottom) y2=(bottom) {}
            text x=(tenth(middle)) y=(self.height - 8.0) text-anchor="middle" { (self.x.label) }
            text x="8" y="36" { (self.y.label) }
        }
    }

    fn segment(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.marks.push(html! {
            line class=(class) x1=(tenth(x1)) y1=(tenth(y1)) x2=(tenth(x2)) y2=(tenth(y2)) stroke-width="1.5" {}
        });
    }

    fn dot(&mut self, series: Series, x: f64, y: f64) {
        self.marks.push(html! { circle class=(series.fill()) cx=(tenth(x)) cy=(tenth(y)) r="4" {} });
    }

    fn px(&self, x: f64) -> f64 {
        self.left + self.x.at(x) * (WIDTH - RIGHT - self.left)
    }

    fn py(&self, y: f64) -> f64 {
        let part = self.y.at(y);
        let from_top = if self.y_is_downwards { part } else { 1.0 - part };
        TOP + from_top * (self.height - BOTTOM - TOP)
    }
}

/// Coordinates finer than this cannot be seen.
fn tenth(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_written_by_others_becomes_markup_and_no_coordinate_is_nan() {
        let hostile = "</svg><script>alert(1)</script>&\"";
        let mut chart = Chart::new(
            hostile,
            Axis::linear(hostile, 0.0, f64::NAN, 5),
            Axis::categories(hostile, [hostile]),
        );
        chart.line(Series::First, &[(f64::NAN, 0.0), (f64::INFINITY, -1.0)]);
        chart.bar(Series::Second, (0.0, 1.0), 0.5, hostile);
        chart.rule_at_y(0.5, hostile);
        chart.name(Series::Neutral, hostile);
        let svg = chart.render_file();
        assert!(!svg.contains("<script") && svg.matches("</svg>").count() == 1, "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn bars_stand_on_the_axis_and_rows_are_read_from_the_top() {
        let mut chart = Chart::new("", Axis::categories("", ["a", "b"]), Axis::linear("", 0.0, 10.0, 5));
        chart.bar(Series::First, (0.0, 1.0), 10.0, "");
        let bar = format!("y=\"{TOP:.1}\" width=\"279.0\" height=\"{:.1}\"", 300.0 - TOP - BOTTOM);
        assert!(chart.render_file().contains(&bar), "{}", chart.render_file());
        let rows = Chart::rows("", Axis::linear("", 0.0, 1.0, 2), &["first".to_owned(), "second".to_owned()]);
        assert!(rows.py(0.5) < rows.py(1.5));
    }
}
