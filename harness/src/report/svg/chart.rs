//! One set of axes and what is drawn between them.

use super::scale::Scale;
use maud::{Markup, html};
use std::fmt::Write;

/// Room for labels left of the axes, pixels.
const LEFT: f64 = 72.0;
/// Room at the right.
const RIGHT: f64 = 20.0;
/// Room for the title and the legend.
const TOP: f64 = 58.0;
/// Room for the labels below.
const BOTTOM: f64 = 48.0;
/// Pixels that a label of the horizontal axis wants for itself.
const TICK_WIDTH: f64 = 80.0;
/// Pixels that one of the vertical axis wants.
const TICK_HEIGHT: f64 = 34.0;
/// Width of an error bar's cap to either side.
const CAP: f64 = 3.0;

/// One of the two axes.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub label: String,
    /// The lowest value.
    pub low: f64,
    /// The highest value.
    pub high: f64,
}

/// A measured value; `error` reaches to either side of it and may be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// Half the length of the error bar.
    pub error: f64,
}

/// How a series is drawn.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line through these (x, y).
    Line(Vec<(f64, f64)>),
    /// Dots with error bars.
    Points(Vec<Point>),
    /// Bars of these (x, y) from 0, `width` wide in units of the horizontal axis.
    Bars {
        /// Middle and height of each.
        values: Vec<(f64, f64)>,
        /// Of each.
        width: f64,
    },
}

/// Numbers that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend; with an empty name it has no entry there.
    pub name: String,
    /// Its numbers.
    pub mark: Mark,
    /// Which colour of the style sheet, 0 to 3.
    pub colour: usize,
}

/// A set of axes with its series.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Horizontal.
    pub x: Axis,
    /// Vertical.
    pub y: Axis,
    /// Height with all labels, pixels.
    pub height: f64,
    /// Values of the horizontal axis that get a dashed line, with what is written above it.
    pub guides: Vec<(f64, String)>,
    /// What is drawn; later ones lie above earlier ones.
    pub series: Vec<Series>,
}

/// Both scales of a chart of known width.
struct Frame {
    x: Scale,
    y: Scale,
    width: f64,
    height: f64,
}

impl Chart {
    /// The chart as a group of SVG elements, `width` pixels wide.
    pub fn render(&self, width: f64) -> Markup {
        let frame = Frame {
            x: Scale::new((self.x.low, self.x.high), (LEFT, width - RIGHT)),
            y: Scale::new((self.y.low, self.y.high), (self.height - BOTTOM, TOP)),
            width,
            height: self.height,
        };
        html! {
            text.title x=(LEFT) y="18" { (self.title) }
            (self.legend())
            (self.axes(&frame))
            @for (value, label) in &self.guides {
                (vertical_guide(&frame, *value, label))
            }
            @for series in &self.series { (series.render(&frame)) }
            rect.frame x=(LEFT) y=(TOP) width=(px(width - LEFT - RIGHT)) height=(px(self.height - TOP - BOTTOM)) {}
        }
    }

    fn axes(&self, frame: &Frame) -> Markup {
        let (right, bottom) = (frame.width - RIGHT, frame.height - BOTTOM);
        let across = ((right - LEFT) / TICK_WIDTH) as usize;
        let up = ((bottom - TOP) / TICK_HEIGHT) as usize;
        let middle = px((TOP + bottom) / 2.0);
        html! {
            @for tick in frame.y.ticks(up) {
                @let y = frame.y.at(tick.value);
                line.grid x1=(LEFT) x2=(px(right)) y1=(px(y)) y2=(px(y)) {}
                text x=(LEFT - 8.0) y=(px(y + 4.0)) text-anchor="end" { (tick.label) }
            }
            @for tick in frame.x.ticks(across) {
                @let x = frame.x.at(tick.value);
                line.grid x1=(px(x)) x2=(px(x)) y1=(TOP) y2=(px(bottom)) {}
                text x=(px(x)) y=(px(bottom + 18.0)) text-anchor="middle" { (tick.label) }
            }
            text x=(px((LEFT + right) / 2.0)) y=(px(bottom + 38.0)) text-anchor="middle" { (self.x.label) }
            text x="16" y=(middle) text-anchor="middle" transform=(format!("rotate(-90 16 {middle})")) {
                (self.y.label)
            }
        }
    }

    fn legend(&self) -> Markup {
        let mut x = LEFT;
        let named = self.series.iter().filter(|series| !series.name.is_empty());
        let entries: Vec<(f64, &Series)> = named
            .map(|series| {
                let at = x;
                // Widths of letters are not known here; this is enough for the usual ones.
                x += 40.0 + 6.6 * series.name.chars().count() as f64;
                (at, series)
            })
            .collect();
        html! {
            @for (x, series) in entries {
                @match series.mark {
                    Mark::Line(_) => {
                        line class=(format!("line s{}", series.colour)) x1=(px(x)) x2=(px(x + 18.0)) y1="34" y2="34" {}
                    }
                    _ => { circle class=(format!("s{}", series.colour)) cx=(px(x + 9.0)) cy="34" r="4" {} }
                }
                text x=(px(x + 24.0)) y="38" { (series.name) }
            }
        }
    }
}

impl Series {
    fn render(&self, frame: &Frame) -> Markup {
        let class = format!("s{}", self.colour);
        match &self.mark {
            Mark::Line(values) => html! {
                polyline class=(format!("line {class}")) points=(polyline(frame, values)) {}
            },
            Mark::Points(points) => html! {
                @for point in points { (dot(frame, point, &class)) }
            },
            Mark::Bars { values, width } => html! {
                @for (x, y) in values {
                    @let (zero, top) = (frame.y.at(0.0), frame.y.at(*y));
                    @let (left, right) = (frame.x.at(x - width / 2.0), frame.x.at(x + width / 2.0));
                    rect class=(class) x=(px(left)) width=(px(right - left)) y=(px(zero.min(top)))
                        height=(px((zero - top).abs())) {}
                }
            },
        }
    }
}

fn dot(frame: &Frame, point: &Point, class: &str) -> Markup {
    let (x, y) = (frame.x.at(point.x), frame.y.at(point.y));
    let (low, high) = (frame.y.at(point.y - point.error), frame.y.at(point.y + point.error));
    html! {
        g class=(format!("error {class}")) {
            @if point.error > 0.0 {
                line x1=(px(x)) x2=(px(x)) y1=(px(low)) y2=(px(high)) {}
                @for end in [low, high] {
                    line x1=(px(x - CAP)) x2=(px(x + CAP)) y1=(px(end)) y2=(px(end)) {}
                }
            }
            circle cx=(px(x)) cy=(px(y)) r="3.5" {}
        }
    }
}

fn vertical_guide(frame: &Frame, value: f64, label: &str) -> Markup {
    let x = px(frame.x.at(value));
    html! {
        line.guide x1=(x) x2=(x) y1=(TOP) y2=(px(frame.height - BOTTOM)) {}
        text x=(x) y=(TOP - 4.0) text-anchor="middle" { (label) }
    }
}

fn polyline(frame: &Frame, values: &[(f64, f64)]) -> String {
    values.iter().fold(String::new(), |mut text, (x, y)| {
        let _ = write!(text, "{},{} ", px(frame.x.at(*x)), px(frame.y.at(*y)));
        text
    })
}

/// Tenths of a pixel are enough.
fn px(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::super::document;
    use super::*;

    fn axis(label: &str) -> Axis {
        Axis { label: label.to_owned(), low: 0.0, high: 10.0 }
    }

    #[test]
    fn every_mark_is_drawn_and_text_is_escaped() {
        let series = |name: &str, mark| Series { name: name.to_owned(), mark, colour: 1 };
        let chart = Chart {
            title: "a < b & c".to_owned(),
            x: axis("time, s"),
            y: axis("Elo"),
            height: 300.0,
            guides: vec![(5.0, "middle".to_owned())],
            series: vec![
                series("line", Mark::Line(vec![(0.0, 0.0), (10.0, 10.0)])),
                series("", Mark::Points(vec![Point { x: 5.0, y: 5.0, error: 1.0 }])),
                series("bars", Mark::Bars { values: vec![(2.0, 3.0)], width: 1.0 }),
            ],
        };
        let text = document(600.0, "a \"picture\"", &[chart]);
        assert!(text.contains("a &lt; b &amp; c") && text.contains("a &quot;picture&quot;"), "{text}");
        assert!(text.contains("points=\"72,252 580,58 \""), "{text}");
        assert!(text.contains("cx=\"326\" cy=\"155\""), "{text}");
        assert!(text.contains("width=\"50.8\""), "{text}");
        assert!(!text.contains("NaN"));
    }
}
