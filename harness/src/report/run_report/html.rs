//! The report as one page that needs nothing beside it: no script, no font, no other file.

use super::RunReport;
use crate::report::sealed;
use crate::report::svg::{Colour, style, themed};
use maud::{DOCTYPE, Markup, PreEscaped, html};

const SHAPES: &str = "\
:root { color-scheme: light dark; } body { font: 15px/1.5 system-ui, 'DejaVu Sans', sans-serif; max-width: 46rem; \
margin: 2rem auto; padding: 0 1rem; } h1 { font-size: 1.5rem; margin-bottom: 0.2rem; } \
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; } .verdict { font-size: 1.1rem; border-left: 4px solid; \
padding: 0.2rem 0.8rem; margin: 1rem 0; } table { border-collapse: collapse; width: 100%; } \
th, td { text-align: left; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid; vertical-align: top; } \
th { font-weight: 500; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } \
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; } \
pre { padding: 0.7rem; white-space: pre-wrap; } figure { margin: 1.2rem 0; } figure .chart { width: 100%; } ";

/// The colours of the page around the charts.
const COLOURS: [Colour; 6] = [
    ("body", "background", "#fcfcfb", "#191918"),
    ("body", "color", "#1c1b1a", "#f0eee9"),
    ("th, .faint", "color", "#6b6964", "#a5a29b"),
    ("th, td", "border-color", "#e5e3de", "#3a3936"),
    (".verdict", "border-color", "#cf5a1b", "#f08c55"),
    ("pre", "background", "#f1efeb", "#262523"),
];

/// A page of this title with the style of all reports, sealed when it is written.
pub fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        (PreEscaped(format!("<!-- {} -->\n", sealed::mark())))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                // Constants of this program; nothing that others wrote is in them.
                style { (PreEscaped(SHAPES)) (PreEscaped(themed(&COLOURS))) (PreEscaped(style())) }
            }
            body { (body) }
        }
    };
    format!("{}\n", page.into_string())
}

impl RunReport<'_> {
    /// The page.
    pub fn html(&self) -> String {
        page(&self.title(), &self.body())
    }

    fn body(&self) -> Markup {
        let experiment = &self.run.experiment;
        html! {
            h1 { (self.question()) }
            p.faint { "Run " (self.run.info.id) ", begun " (self.run.info.created) ", " (self.run.info.state.as_str()) "." }
            p.verdict { (self.verdict()) "." }
            (pairs_of_text(&self.figures()))
            @for chart in self.charts() { figure { (chart.render()) } }
            h2 { "How the games ended" }
            (self.endings_table())
            h2 { "What the searches did" }
            @if let Some(missing) = self.missing_telemetry() { p.faint { (missing) } }
            table {
                tr { th {} th.number { (experiment.base.file) } th.number { (experiment.candidate.file) } }
                @for [name, base, candidate] in self.telemetry() {
                    tr { td { (name) } td.number { (base) } td.number { (candidate) } }
                }
            }
            h2 { "What the candidate has different" }
            @if self.differences().is_empty() { p { "Nothing: both configurations are the same." } }
            @else { pre { @for line in self.differences() { (line) "\n" } } }
            h2 { "Faults" }
            @if self.faults().is_empty() { p { "None." } }
            @else { ul { @for fault in self.faults() { li { (fault) } } } }
            h2 { "How to play it again" }
            pre { (self.command()) }
            (pairs_of_text(&self.identity()))
            @for player in [&experiment.base, &experiment.candidate] {
                details { summary { "Every value of " (player.file) } pre { (player.to_toml()) } }
            }
        }
    }

    fn endings_table(&self) -> Markup {
        html! {
            table {
                tr { th { "ending" } th.number { "won by the candidate" } th.number { "drawn" } th.number { "lost" } }
                @for (name, results) in self.endings() {
                    tr { td { (name) } @for count in results { td.number { (count) } } }
                }
            }
        }
    }
}

fn pairs_of_text<T: AsRef<str>>(rows: &[(T, String)]) -> Markup {
    html! { table { @for (name, text) in rows { tr { th { (name.as_ref()) } td { (text) } } } } }
}
