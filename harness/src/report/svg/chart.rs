//! A picture: two axes, marks between them, a legend.

use super::axis::Axis;
use super::legend::Legend;
use super::series::Series;
use super::{LINE, MARGIN, RIGHT, WIDTH, style, themed};
use crate::report::figures::to_digits;
use maud::{Markup, PreEscaped, html};

/// Above and below what is drawn, without the lines of the legend.
const TOP: f64 = 52.0;
const BOTTOM: f64 = 46.0;
/// Half the length of a bar across the end of an interval.
const CAP: f64 = 4.0;
/// Height of a horizontal bar.
const SPAN: f64 = 14.0;
/// Letters of a row's name that there is room for.
const NAME: usize = 48;

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntervalMark {
    /// Where it stands on the other axis; among categories 0.5 is the middle of the first.
    pub at: f64,
    /// The estimate; NaN if there is none, and then it has no dot.
    pub value: f64,
    /// Lower end; negative infinity if it is open.
    pub low: f64,
    /// Upper end; infinity if it is open.
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
    /// The categories are below each other, the first on top, and values go from left to right.
    has_rows: bool,
    marks: Vec<Markup>,
    legend: Legend,
}

impl Chart {
    /// An empty chart with a horizontal and a vertical axis.
    pub fn new(title: &str, x: Axis, y: Axis) -> Chart {
        Chart {
            title: title.to_owned(),
            height: 300.0,
            left: 62.0,
            x,
            y,
            has_rows: false,
            marks: Vec::new(),
            legend: Legend::default(),
        }
    }

    /// An empty chart with a row for each of these names, the first on top.
    pub fn rows(title: &str, x: Axis, names: &[String]) -> Chart {
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let y = Axis::categories("", names.iter().cloned());
        Chart {
            height: TOP + BOTTOM + 34.0 * names.len() as f64,
            left: 24.0 + 7.0 * longest.min(NAME) as f64,
            has_rows: true,
            ..Chart::new(title, x, y)
        }
    }

    /// A line through these points.
    pub fn line(&mut self, series: Series, points: &[(f64, f64)]) {
        let path: Vec<_> =
            points.iter().map(|&(x, y)| format!("{:.1},{:.1}", self.px(x), self.py(y))).collect();
        self.marks.push(html! { polyline class=(series.class()) points=(path.join(" ")) {} });
    }

    /// A dot at each of these points.
    pub fn dots(&mut self, series: Series, points: &[(f64, f64)]) {
        let dots = points.iter().map(|&(x, y)| dot((self.px(x), self.py(y))));
        let dots = html! { g class=(series.class()) { @for dot in dots { (dot) } } };
        self.marks.push(dots);
    }

    /// A bar from the lower end of the vertical axis up to `y`, between two horizontal values, with a text on it.
    pub fn bar(&mut self, series: Series, (from, to): (f64, f64), y: f64, text: &str) {
        let (left, right, top, bottom) = (self.px(from), self.px(to), self.py(y), self.py(self.y.low()));
        self.marks.push(html! {
            rect class=(series.class()) x=(tenth(left)) y=(tenth(top)) width=(tenth((right - left).max(0.5)))
                height=(tenth(bottom - top)) {}
            @if !text.is_empty() {
                text class="value" x=(tenth(0.5 * (left + right))) y=(tenth(top - 5.0)) text-anchor="middle" { (text) }
            }
        });
    }

    /// An estimate with its interval, along the axis of values. An open end reaches the end of the axis and has no bar across.
    pub fn interval(&mut self, series: Series, interval: IntervalMark) {
        let IntervalMark { at, value, low, high } = interval;
        let place = |value| {
            if self.has_rows { (self.px(value), self.py(at)) } else { (self.px(at), self.py(value)) }
        };
        let (dx, dy) = if self.has_rows { (0.0, CAP) } else { (CAP, 0.0) };
        let across = |(x, y)| segment((x - dx, y - dy), (x + dx, y + dy));
        let mark = html! {
            g class=(series.class()) {
                title { (figure(value)) " [" (figure(low)) ", " (figure(high)) "]" }
                (segment(place(low), place(high)))
                @for end in [low, high].into_iter().filter(|end| end.is_finite()) { (across(place(end))) }
                @if value.is_finite() { (dot(place(value))) }
            }
        };
        self.marks.push(mark);
    }

    /// A horizontal bar in a row, between two values.
    pub fn span(&mut self, series: Series, row: f64, (from, to): (f64, f64)) {
        let (left, right, middle) = (self.px(from.min(to)), self.px(from.max(to)), self.py(row));
        self.marks.push(html! {
            rect class=(series.class()) x=(tenth(left)) y=(tenth(middle - SPAN / 2.0))
                width=(tenth((right - left).max(0.5))) height=(tenth(SPAN)) {}
        });
    }

    /// A dashed line across the chart at a height, with a text above it.
    pub fn rule_at_y(&mut self, y: f64, text: &str) {
        let (y, right) = (self.py(y), WIDTH - RIGHT);
        self.rule((self.left, y), (right, y));
        self.text("end", (right - 4.0, y - 5.0), text);
    }

    /// A dashed line from top to bottom, with a text above it.
    pub fn rule_at_x(&mut self, x: f64, text: &str) {
        let x = self.px(x);
        self.rule((x, TOP), (x, self.height - BOTTOM));
        self.text("middle", (x, TOP - 4.0), text);
    }

    /// Says in the legend what a series is.
    pub fn name(&mut self, series: Series, name: &str) {
        self.legend.add(series, name);
    }

    /// The chart for a page that has the style sheet.
    pub fn render(&self) -> Markup {
        picture(&self.title, self.height(), &self.content())
    }

    /// The chart as a file of its own.
    pub fn render_file(&self) -> String {
        file(&self.title, self.height(), &self.content())
    }

    /// Charts below each other as a file, under a heading of some lines, of which the first is the title.
    pub fn render_together(heading: &[&str], charts: &[Chart]) -> String {
        let mut top = 0.5 * LINE + LINE * heading.len() as f64;
        let placed: Vec<Markup> = charts
            .iter()
            .map(|chart| {
                let group = html! { g transform=(format!("translate(0 {top})")) { (chart.content()) } };
                top += chart.height();
                group
            })
            .collect();
        let content = html! {
            @for (number, line) in (1..).zip(heading) {
                text class=[(number == 1).then_some("title")] x=(MARGIN) y=(LINE * f64::from(number)) { (line) }
            }
            @for chart in &placed { (chart) }
        };
        file(heading.first().unwrap_or(&""), top, &content)
    }

    /// With the lines of the legend.
    fn height(&self) -> f64 {
        self.height + self.legend.height(&self.title)
    }

    fn content(&self) -> Markup {
        html! {
            text class="title" x=(MARGIN) y=(LINE) { (self.title) }
            (self.legend.draw(&self.title))
            g transform=(format!("translate(0 {})", self.legend.height(&self.title))) {
                (self.axes())
                @for mark in &self.marks { (mark) }
            }
        }
    }

    fn axes(&self) -> Markup {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - RIGHT);
        let middle = 0.5 * (self.left + right);
        html! {
            @for (value, name) in self.y.ticks() {
                @let y = self.py(*value);
                @if !self.has_rows {
                    line class="grid" x1=(self.left) x2=(right) y1=(tenth(y)) y2=(tenth(y)) {}
                }
                text x=(tenth(self.left - 8.0)) y=(tenth(y + 4.0)) text-anchor="end" { (name) }
            }
            @for (value, name) in self.x.ticks() {
                @let x = self.px(*value);
                @if self.has_rows {
                    line class="grid" x1=(tenth(x)) x2=(tenth(x)) y1=(TOP) y2=(bottom) {}
                }
                text x=(tenth(x)) y=(bottom + 17.0) text-anchor="middle" { (name) }
            }
            line class="axis" x1=(self.left) x2=(right) y1=(bottom) y2=(bottom) {}
            text x=(tenth(middle)) y=(self.height - 8.0) text-anchor="middle" { (self.x.label) }
            text x=(MARGIN) y=(2.0 * LINE) { (self.y.label) }
        }
    }

    fn rule(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.marks.push(html! { g class="rule" { (segment(from, to)) } });
    }

    fn text(&mut self, anchor: &str, (x, y): (f64, f64), text: &str) {
        if !text.is_empty() {
            self.marks.push(html! { text x=(tenth(x)) y=(tenth(y)) text-anchor=(anchor) { (text) } });
        }
    }

    fn px(&self, x: f64) -> f64 {
        self.left + self.x.at(x) * (WIDTH - RIGHT - self.left)
    }

    fn py(&self, y: f64) -> f64 {
        let part = self.y.at(y);
        let from_top = if self.has_rows { part } else { 1.0 - part };
        TOP + from_top * (self.height - BOTTOM - TOP)
    }
}

fn segment((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Markup {
    html! { line x1=(tenth(x1)) y1=(tenth(y1)) x2=(tenth(x2)) y2=(tenth(y2)) stroke-width="1.5" {} }
}

fn dot((x, y): (f64, f64)) -> Markup {
    html! { circle cx=(tenth(x)) cy=(tenth(y)) r="4" {} }
}

/// A picture of this height that holds the content.
fn picture(title: &str, height: f64, content: &Markup) -> Markup {
    html! {
        svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {WIDTH} {height}")) width=(WIDTH)
            height=(height) role="img" aria-label=(title) { (content) }
    }
}

/// The same with a style sheet, as a file of its own.
fn file(title: &str, height: f64, content: &Markup) -> String {
    let sheet = style() + &themed(&[("svg", "background", "#fcfcfb", "#191918")]);
    // Made of constants of this program; escaped, a style element would not be read.
    let styled = html! { style { (PreEscaped(sheet)) } (content) };
    format!("{}\n", picture(title, height, &styled).into_string())
}

/// What a pointer over a mark shows.
fn figure(value: f64) -> String {
    if value.is_finite() { to_digits(value, 1) } else { "-".to_owned() }
}

/// Coordinates finer than this cannot be seen.
fn tenth(coordinate: f64) -> String {
    to_digits(coordinate, 1)
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
        chart.interval(
            Series::Third,
            IntervalMark { at: f64::NAN, value: 1.0, low: f64::NEG_INFINITY, high: f64::NAN },
        );
        chart.rule_at_x(0.5, hostile);
        chart.rule_at_y(0.5, hostile);
        chart.name(Series::Neutral, hostile);
        for svg in [chart.render_file(), Chart::render_together(&[hostile, hostile], &[chart])] {
            assert!(!svg.contains("<script") && svg.matches("</svg>").count() == 1, "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        let drawn = |interval| {
            let mut chart = Chart::new("", Axis::linear("", 0.0, 1.0, 2), Axis::linear("", 0.0, 1.0, 2));
            chart.interval(Series::First, interval);
            let mark = chart.marks[0].clone().into_string();
            ["<line", "<circle", "-]"].map(|part| mark.matches(part).count())
        };
        let whole = IntervalMark { at: 0.5, value: 0.5, low: 0.2, high: 0.8 };
        assert_eq!(drawn(whole), [3, 1, 0]);
        assert_eq!(drawn(IntervalMark { high: f64::INFINITY, ..whole }), [2, 1, 1]);
        assert_eq!(drawn(IntervalMark { value: f64::NAN, ..whole }), [3, 0, 0]);
    }

    #[test]
    fn charts_below_each_other_do_not_overlap() {
        let chart = || Chart::new("", Axis::linear("", 0.0, 1.0, 2), Axis::linear("", 0.0, 1.0, 2));
        let svg = Chart::render_together(&["two", "charts"], &[chart(), chart()]);
        assert!(svg.contains("translate(0 45)") && svg.contains("translate(0 345)"), "{svg}");
        assert!(svg.contains(&format!("viewBox=\"0 0 {WIDTH} 645\"")), "{svg}");
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
