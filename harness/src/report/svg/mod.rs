//! SVG charts: scales with readable ticks, axes, and marks in series.
//!
//! A [`Chart`] is two [`Axis`] and the marks added to it; it renders to markup that is set into a page with
//! [`style`], or to a file of its own, alone or with others. Colours are CSS classes, and the style sheet has them for light and dark
//! (`prefers-color-scheme`), so that one picture suits both.
//!
//! Drawn with `maud`, which escapes every text and makes the page around the pictures too. `plotters` would bring more
//! kinds of charts, but writes each colour into the element it paints, so that a picture is light or dark when it is made; it
//! needs a font of the machine to measure text. What is drawn here needs lines, bars and intervals only.

mod axis;
mod chart;
mod legend;
mod series;

pub use axis::Axis;
pub use chart::{Chart, IntervalMark};
pub use series::Series;

/// Width of a chart.
const WIDTH: f64 = 640.0;
/// Left of the texts above what is drawn.
const MARGIN: f64 = 8.0;
/// Right of everything.
const RIGHT: f64 = 20.0;
/// From one line of text to the next.
const LINE: f64 = 18.0;

/// The shapes of a chart's style sheet. Whatever is drawn has its own colour or that of the group it is in.
const SHAPES: &str = "\
.chart { font: 12px system-ui, 'DejaVu Sans', sans-serif; max-width: 100%; height: auto; } \
.chart text, .chart rect, .chart circle { fill: currentColor; } .chart line, .chart polyline { stroke: currentColor; } \
.chart .title { font-weight: 600; font-size: 13px; } .chart .rule { stroke-dasharray: 5 4; } \
.chart polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round; } ";

/// The colours: selector, property, light, dark.
const COLOURS: [Colour; 11] = [
    (".chart text", "color", "#6b6964", "#a5a29b"),
    (".chart .title, .chart .value", "color", "#1c1b1a", "#f0eee9"),
    (".chart .grid", "color", "#e5e3de", "#3a3936"),
    (".chart .axis, .chart .rule", "color", "#7d7a74", "#9b978f"),
    (".chart .first", "color", "#2f6fc4", "#6ea6ee"),
    (".chart .second", "color", "#cf5a1b", "#f08c55"),
    (".chart .third", "color", "#2c8a4b", "#6cc487"),
    (".chart .fourth", "color", "#8a44ad", "#c99be0"),
    (".chart .fifth", "color", "#ab2f5c", "#f087a5"),
    (".chart .sixth", "color", "#77690f", "#d2c05c"),
    (".chart .neutral", "color", "#8a867f", "#908c85"),
];

/// Selector and property with its value in light and in dark surroundings.
pub type Colour = (&'static str, &'static str, &'static str, &'static str);

/// The style sheet that charts need.
pub fn style() -> String {
    format!("{SHAPES}{}", themed(&COLOURS))
}

/// The colours as a style sheet that follows the reader's theme. Written out twice and not as variables, which many
/// programs that show pictures do not know.
pub fn themed(colours: &[Colour]) -> String {
    let rules = |value: fn(&Colour) -> &'static str| -> String {
        let rule = |colour: &Colour| format!("{} {{ {}: {}; }} ", colour.0, colour.1, value(colour));
        colours.iter().map(rule).collect()
    };
    let (light, dark) = (rules(|colour| colour.2), rules(|colour| colour.3));
    format!("{light}@media (prefers-color-scheme: dark) {{ {dark}}} ")
}
