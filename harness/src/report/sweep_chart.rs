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

/// Colours tell this many curves apart; then they repeat.
const COLOURS: usize = 6;

const STYLE: &str = "
svg { background: #fff; font: 13px system-ui, sans-serif; fill: #222 }
.title { font-size: 16px; font-weight: 600 }
.grid { stroke: #e4e4e4 } .zero { stroke: #777; stroke-dasharray: 4 3 }
.curve { fill: none; stroke-width: 2 } .bar { stroke-width: 1.5 }
.s0 { stroke: #1f6fb4; fill: #1f6fb4 } .s1 { stroke: #c44e00; fill: #c44e00 } .s2 { stroke: #2a8c3c; fill: #2a8c3c }
.s3 { stroke: #8e44ad; fill: #8e44ad } .s4 { stroke: #a8324a; fill: #a8324a } .s5 { stroke: #6d5c00; fill: #6d5c00 }
text { stroke: none } .curve.curve { fill: none }
@media (prefers-color-scheme: dark) {
  svg { background: #16181c; fill: #ddd } .grid { stroke: #333 } .zero { stroke: #999 }
  .s0 { stroke: #6db3f2; fill: #6db3f2 } .s1 { stroke: #ff9d5c; fill: #ff9d5c } .s2 { stroke: #6fd080; fill: #6fd080 }
  .s3 { stroke: #c99be0; fill: #c99be0 } .s4 { stroke: #f08a9e; fill: #f08a9e } .s5 { stroke: #d8c65a; fill: #d8c65a }
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
        for Point { label, elo, interval, .. } in &self.points {
            let mut line = [' '; COLUMNS];
            let [low, high] = [interval.low.map_or(0, column), interval.high.map_or(COLUMNS - 1, column)];
            line[low..=high].fill('─');
            line[column(0.0)] = '┊';
            line[low] = if interval.low.is_some() { '├' } else { '◂' };
            line[high] = if interval.high.is_some() { '┤' } else { '▸' };
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
        let named: Vec<_> = self.points.iter().filter_map(|point| point.at).collect();
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
                @let class = format!("s{}", index % COLOURS);
                @let points: Vec<_> = self.points.iter().filter(|point| point.series == *name).collect();
                @let path: Vec<_> = points.iter().filter_map(|point| Some(format!("{:.1},{:.1}", values.at(point.at?), elos.at(point.elo?)))).collect();
                polyline.curve class=(class) points=(path.join(" ")) {}
                @for point in points {
                    @let x = values.at(point.at.unwrap_or_default());
                    g class=(class) {
                        line.bar x1=(x) x2=(x) y1=(low_end(point, &elos)) y2=(high_end(point, &elos)) {}
                        @if let Some(elo) = point.elo { circle cx=(x) cy=(elos.at(elo)) r="4" {} }
                        title { (described(point)) }
                    }
                }
                @if series.len() > 1 {
                    text class=(class) x=(WIDTH - RIGHT) y=(TOP + 16.0 * index as f64) text-anchor="end" { (name) }
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
                g.s0 {
                    line.bar y1=(y) y2=(y) x1=(low_end(point, &elos)) x2=(high_end(point, &elos)) {}
                    @if let Some(elo) = point.elo { circle cx=(elos.at(elo)) cy=(y) r="4" {} }
                    title { (described(point)) }
                }
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
