//! Pictures: axes, lines, points with errors, bars, a legend, as an SVG file or a part of a page.
//!
//! ```text
//! series of numbers ─▶ Chart (which scale, where) ─▶ <g> ─▶ document()
//! ```
//!
//! Colours are in a style sheet, for light and for dark surroundings; text is escaped by the template.

pub mod chart;
pub mod scale;

pub use chart::{Axis, Chart, Mark, Point, Series};
pub use scale::Scale;

use maud::{Markup, PreEscaped, html};

/// The style sheet of all pictures; series take the classes `s0` to `s3`.
pub const STYLE: &str = "\
text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-weight: 600; font-size: 14px } \
.frame { stroke: #888; fill: none } .grid { stroke: #e4e4e4 } .guide { stroke: #888; stroke-dasharray: 4 3 } \
.line { fill: none; stroke-width: 2 } .error { stroke-width: 1.5 } .ground { fill: #fff } \
.s0 { stroke: #1f6fb4; fill: #1f6fb4 } .s1 { stroke: #c4501b; fill: #c4501b } \
.s2 { stroke: #2a8a3e; fill: #2a8a3e } .s3 { stroke: #7a4fb0; fill: #7a4fb0 } .line { fill: none } \
@media (prefers-color-scheme: dark) { text { fill: #ddd } .ground { fill: #181a1d } .grid { stroke: #33363b } \
.s0 { stroke: #6db3f2; fill: #6db3f2 } .s1 { stroke: #f09463; fill: #f09463 } \
.s2 { stroke: #74cf88; fill: #74cf88 } .s3 { stroke: #bb9be8; fill: #bb9be8 } .line { fill: none } }";

/// A file with these charts below each other; `width` and each chart's `height` in pixels. `description` is what a
/// screen reader says.
pub fn document(width: f64, description: &str, charts: &[Chart]) -> String {
    let height: f64 = charts.iter().map(|chart| chart.height).sum();
    let mut top = 0.0;
    let parts: Vec<Markup> = charts
        .iter()
        .map(|chart| {
            let part = html! { g transform=(format!("translate(0 {top})")) { (chart.render(width)) } };
            top += chart.height;
            part
        })
        .collect();
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(description) {
            style { (PreEscaped(STYLE)) }
            rect.ground width="100%" height="100%" {}
            @for part in &parts { (part) }
        }
    };
    picture.into_string() + "\n"
}
