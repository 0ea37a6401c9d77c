//! Strength against value as a picture: in the terminal, and as an SVG that stands alone, in light and dark.

use crate::statistics::Interval;
use maud::{Markup, PreEscaped, html};

/// Columns of the terminal's picture.
const COLUMNS: usize = 61;

/// Size of the SVG, and the room around the plot for labels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const TOP: f64 = 48.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 56.0;
const LEFT: f64 = 64.0;

/// Height of a line of the SVG where values are no numbers.
const LINE: f64 = 26.0;

/// Width of a letter of a label, at most.
const LETTER: f64 = 7.5;

/// Between the error bars of two curves at the same value.
const APART: f64 = 6.0;

/// Colours tell this many curves apart; then they repeat.
const COLOURS: usize = 6;

const STYLE: &str = "
svg { background: #fff; font: 13px system-ui, sans-serif; fill: #222 }
.title { font-size: 16px; font-weight: 600 }
.grid { stroke: #e4e4e4 } .zero { stroke: #777; stroke-dasharray: 4 3 }
.curve { fill: none; stroke: currentColor; stroke-width: 2 } .bar { stroke: currentColor; stroke-width: 1.5 }
circle, .name { fill: currentColor }
.s0 { color: #1f6fb4 } .s1 { color: #c44e00 } .s2 { color: #2a8c3c } .s3 { color: #8e44ad } .s4 { color: #a8324a }
.s5 { color: #6d5c00 }
@media (prefers-color-scheme: dark) {
  svg { background: #16181c; fill: #ddd } .grid { stroke: #333 } .zero { stroke: #999 }
  .s0 { color: #6db3f2 } .s1 { color: #ff9d5c } .s2 { color: #6fd080 } .s3 { color: #c99be0 } .s4 { color: #f08a9e }
  .s5 { color: #d8c65a }
}";

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
    /// Whether there is anything to be drawn.
    fn is_known(&self) -> bool {
        [self.elo, self.interval.low, self.interval.high].iter().any(Option::is_some)
    }
}

/// Values and their strengths, in the order in which they are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is varied.
    pub key: String,
    /// Above the picture.
    pub title: String,
    /// What is shown.
    pub points: Vec<Point>,
}

/// A range of figures and the places it is drawn to.
#[derive(Clone, Copy, Debug)]
struct Scale {
    figures: [f64; 2],
    places: [f64; 2],
}

impl Scale {
    /// The figures with some room at either end.
    fn around(figures: impl Iterator<Item = f64>, places: [f64; 2]) -> Scale {
        let [low, high] = figures.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], figure| {
            [low.min(figure), high.max(figure)]
        });
        let room = if high > low { 0.06 * (high - low) } else { 1.0 };
        let figures = if low.is_finite() { [low - room, high + room] } else { [-1.0, 1.0] };
        Scale { figures, places }
    }

    /// Where a figure is drawn; at the edge if it is out of range.
    fn at(&self, figure: f64) -> f64 {
        let ([low, high], [from, to]) = (self.figures, self.places);
        from + (to - from) * ((figure - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// The same, drawn so far beside it.
    fn moved(self, distance: f64) -> Scale {
        Scale { places: self.places.map(|place| place + distance), ..self }
    }

    /// Round figures within the range, some six of them.
    fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.figures;
        let raw = (high - low) / 6.0;
        let power = 10.0_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= raw);
        let step = step.unwrap_or(raw);
        let first = (low / step).ceil() as i64;
        (first..).map(|index| index as f64 * step).take_while(|&tick| tick <= high).collect()
    }
}

impl Chart {
    fn elo_scale(&self, places: [f64; 2]) -> Scale {
        let ends = |point: &Point| [point.elo, point.interval.low, point.interval.high];
        Scale::around(self.points.iter().flat_map(ends).flatten().chain([0.0]), places)
    }

    /// The picture for a terminal: a line for each value, from the lowest strength to the highest.
    pub fn text(&self) -> String {
        let scale = self.elo_scale([0.0, (COLUMNS - 1) as f64]);
        let column = |elo: f64| scale.at(elo).round() as usize;
        let widest = self.points.iter().map(|point| point.label.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for point in &self.points {
            let Point { label, elo, interval, .. } = point;
            let mut line = [' '; COLUMNS];
            let [low, high] = [interval.low.map_or(0, column), interval.high.map_or(COLUMNS - 1, column)];
            if point.is_known() {
                line[low..=high].fill('─');
                line[low] = if interval.low.is_some() { '├' } else { '◂' };
                line[high] = if interval.high.is_some() { '┤' } else { '▸' };
            }
            if !(low..=high).contains(&column(0.0)) || (low < column(0.0) && column(0.0) < high) {
                line[column(0.0)] = '┊';
            }
            if let Some(elo) = elo {
                line[column(*elo)] = '●';
            }
            let line: String = line.iter().collect();
            text += &format!("{label:>widest$} {}\n", line.trim_end());
        }
        let [low, high] = scale.figures.map(|elo| format!("{elo:+.0}"));
        let mut axis = [' '; COLUMNS];
        axis[column(0.0)] = '0';
        axis.iter_mut().zip(low.chars()).for_each(|(place, letter)| *place = letter);
        axis.iter_mut().rev().zip(high.chars().rev()).for_each(|(place, letter)| *place = letter);
        let axis: String = axis.iter().collect();
        text + &format!("{:>widest$} {axis} Elo\n", "")
    }

    /// The picture as an SVG file: curves if the values are numbers, else a line for each value.
    pub fn svg(&self) -> String {
        let is_curve = self.points.iter().all(|point| point.at.is_some());
        let (height, plot) = if is_curve { (HEIGHT, self.curves()) } else { self.lines() };
        let document = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (height) } width=(WIDTH) height=(height) role="img" {
                title { (self.title) }
                style { (PreEscaped(STYLE)) }
                text.title x=(WIDTH / 2.0) y="26" text-anchor="middle" { (self.title) }
                (plot)
            }
        };
        document.into_string() + "\n"
    }

    fn curves(&self) -> Markup {
        let values = Scale::around(self.points.iter().filter_map(|point| point.at), [LEFT, WIDTH - RIGHT]);
        let elos = self.elo_scale([HEIGHT - BOTTOM, TOP]);
        let series = self.series();
        let mut named: Vec<_> = self.points.iter().filter_map(|point| point.at).collect();
        named.sort_by(f64::total_cmp);
        named.dedup();
        html! {
            @for tick in elos.ticks() {
                line.grid x1=(LEFT) x2=(WIDTH - RIGHT) y1=(elos.at(tick)) y2=(elos.at(tick)) {}
                text x=(LEFT - 8.0) y=(elos.at(tick) + 4.0) text-anchor="end" { (signed(tick)) }
            }
            line.zero x1=(LEFT) x2=(WIDTH - RIGHT) y1=(elos.at(0.0)) y2=(elos.at(0.0)) {}
            @for value in named {
                text x=(values.at(value)) y=(HEIGHT - BOTTOM + 20.0) text-anchor="middle" { (value) }
            }
            text x=(WIDTH / 2.0) y=(HEIGHT - 12.0) text-anchor="middle" { (self.key) }
            text x="16" y=(TOP - 8.0) { "Elo" }
            @for (index, name) in series.iter().enumerate() {
                g class={ "s" (index % COLOURS) } {
                    (self.curve(name, &values.moved(APART * (index as f64 - (series.len() - 1) as f64 / 2.0)), &elos))
                    @if series.len() > 1 {
                        text.name x=(WIDTH - RIGHT) y=(TOP + 16.0 * index as f64) text-anchor="end" { (name) }
                    }
                }
            }
        }
    }

    /// The points of one curve with their error bars, joined.
    fn curve(&self, series: &str, values: &Scale, elos: &Scale) -> Markup {
        let points = || self.points.iter().filter(|point| point.series == series && point.is_known());
        let corner = |point: &Point| Some(format!("{:.1},{:.1}", values.at(point.at?), elos.at(point.elo?)));
        let corners: Vec<_> = points().filter_map(corner).collect();
        html! {
            polyline.curve points=(corners.join(" ")) {}
            @for point in points() {
                @let x = values.at(point.at.unwrap_or_default());
                g {
                    line.bar x1=(x) x2=(x) y1=(low_end(point, elos)) y2=(high_end(point, elos)) {}
                    @if let Some(elo) = point.elo { circle cx=(x) cy=(elos.at(elo)) r="4" {} }
                    title { (described(point)) }
                }
            }
        }
    }

    fn lines(&self) -> (f64, Markup) {
        let letters = self.points.iter().map(|point| point.label.chars().count()).max().unwrap_or(0);
        let left = 24.0 + LETTER * letters as f64;
        let elos = self.elo_scale([left, (WIDTH - RIGHT).max(left + 100.0)]);
        let bottom = TOP + LINE * self.points.len() as f64;
        let plot = html! {
            @for tick in elos.ticks() {
                line.grid x1=(elos.at(tick)) x2=(elos.at(tick)) y1=(TOP) y2=(bottom) {}
                text x=(elos.at(tick)) y=(bottom + 18.0) text-anchor="middle" { (signed(tick)) }
            }
            line.zero x1=(elos.at(0.0)) x2=(elos.at(0.0)) y1=(TOP) y2=(bottom) {}
            @for (index, point) in self.points.iter().enumerate() {
                @let y = TOP + LINE * (index as f64 + 0.5);
                text x=(left - 10.0) y=(y + 4.0) text-anchor="end" { (point.label) }
                @if point.is_known() { g.s0 {
                    line.bar y1=(y) y2=(y) x1=(low_end(point, &elos)) x2=(high_end(point, &elos)) {}
                    @if let Some(elo) = point.elo { circle cx=(elos.at(elo)) cy=(y) r="4" {} }
                    title { (described(point)) }
                } }
            }
            text x=(left) y=(bottom + 38.0) { "Elo" }
        };
        (bottom + BOTTOM, plot)
    }

    /// The names of the curves, in the order of the points.
    fn series(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.points.iter().map(|point| point.series.as_str()).collect();
        names.dedup();
        names
    }
}

fn low_end(point: &Point, scale: &Scale) -> f64 {
    point.interval.low.map_or(scale.places[0], |elo| scale.at(elo))
}

fn high_end(point: &Point, scale: &Scale) -> f64 {
    point.interval.high.map_or(scale.places[1], |elo| scale.at(elo))
}

/// What a pointer over the point shows.
fn described(point: &Point) -> String {
    let figure = |elo: Option<f64>| elo.map_or("-".to_owned(), |elo| format!("{elo:+.1}"));
    let Interval { low, high } = point.interval;
    format!("{}: {} [{}, {}]", point.label, figure(point.elo), figure(low), figure(high))
}

/// A tick's figure: `+20`, `0`, `-2.5`.
fn signed(elo: f64) -> String {
    if elo == 0.0 {
        "0".to_owned()
    } else {
        format!("{}{}", if elo > 0.0 { "+" } else { "" }, (elo * 1e6).round() / 1e6)
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

    fn chart(points: Vec<Point>) -> Chart {
        Chart { key: "a<b".to_owned(), title: "a<b & \"c\"".to_owned(), points }
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
        ])
        .text();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].contains("├──") && lines[0].contains('●') && lines[0].contains("┤"), "{text}");
        assert!(lines[2].ends_with('▸'), "{text}");
        let letter = |line: &str, at| line.chars().nth(at);
        let zero = lines[1].chars().position(|letter| letter == '●').unwrap();
        assert_eq!((letter(lines[0], zero), letter(lines[3], zero)), (Some('┊'), Some('0')), "{text}");
        assert!(lines[3].trim_start().starts_with("-5") && lines[3].ends_with(" Elo"), "{text}");
    }

    #[test]
    fn ticks_are_round_and_few() {
        for (low, high) in [(-153.0, 73.0), (-0.2, 0.1), (-1200.0, 1200.0), (0.0, 0.0)] {
            let ticks = Scale::around([low, high].into_iter(), [0.0, 1.0]).ticks();
            assert!((2..=8).contains(&ticks.len()), "{low} {high}: {ticks:?}");
        }
    }
}
