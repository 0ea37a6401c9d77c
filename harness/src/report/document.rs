//! What is in a report, whatever kind of run it is of: an answer, tables, pictures, code. Written once, laid out as a
//! page that needs nothing beside it (no script, no font, no other file) and as Markdown.

use super::sealed;
use super::svg::{Chart, Colour, style, themed};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A report.
pub struct Document {
    /// Name of the page.
    pub title: String,
    /// The question that was put to the games, a sentence.
    pub question: String,
    /// Which run it was, and when: a sentence.
    pub origin: String,
    /// The answer in words, without a full stop.
    pub answer: String,
    /// What follows.
    pub parts: Vec<Part>,
}

/// A piece of a report.
pub enum Part {
    /// What the next parts are about.
    Heading(&'static str),
    /// A paragraph; none if it is empty.
    Text(String),
    /// Names and what they are, a line each.
    Facts(Vec<(String, String)>),
    /// A table, of which all columns but the first hold figures.
    Table {
        /// A name for each column.
        head: Vec<String>,
        /// The lines.
        rows: Vec<Vec<String>>,
    },
    /// Sentences, or what is said if there are none.
    List {
        /// The sentences.
        lines: Vec<String>,
        /// If there are none.
        nothing: &'static str,
    },
    /// Text that is shown as it is.
    Code(String),
    /// Pictures; Markdown has a drawing in letters instead, or leaves them out if that is empty.
    Pictures {
        /// The pictures, below each other.
        charts: Vec<Chart>,
        /// The same in letters.
        letters: String,
    },
    /// Long text that only the page has, folded away under its name.
    Folded(String, String),
}

/// The shapes of the page around the charts.
const SHAPES: &str = "\
:root { color-scheme: light dark; } body { font: 15px/1.5 system-ui, 'DejaVu Sans', sans-serif; max-width: 46rem; \
margin: 2rem auto; padding: 0 1rem; } h1 { font-size: 1.5rem; margin-bottom: 0.2rem; } \
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; } .verdict { font-size: 1.1rem; border-left: 4px solid; \
padding: 0.2rem 0.8rem; margin: 1rem 0; } table { border-collapse: collapse; width: 100%; } \
th, td { text-align: left; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid; vertical-align: top; } \
th { font-weight: 500; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; } \
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; } \
pre { padding: 0.7rem; white-space: pre-wrap; } figure { margin: 1.2rem 0; } figure .chart { width: 100%; } ";

/// Its colours.
const COLOURS: [Colour; 6] = [
    ("body", "background", "#fcfcfb", "#191918"),
    ("body", "color", "#1c1b1a", "#f0eee9"),
    ("th, .faint", "color", "#6b6964", "#a5a29b"),
    ("th, td", "border-color", "#e5e3de", "#3a3936"),
    (".verdict", "border-color", "#cf5a1b", "#f08c55"),
    ("pre", "background", "#f1efeb", "#262523"),
];

impl Document {
    /// The page.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            (PreEscaped(format!("<!-- {} -->\n", sealed::mark())))
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    // Constants of this program; nothing that others wrote is in them.
                    style { (PreEscaped(SHAPES)) (PreEscaped(themed(&COLOURS))) (PreEscaped(style())) }
                }
                body {
                    h1 { (self.question) }
                    p.faint { (self.origin) }
                    p.verdict { (self.answer) "." }
                    @for part in &self.parts { (part.html()) }
                }
            }
        };
        format!("{}\n", page.into_string())
    }

    /// The text for a repository or a pull request.
    pub fn markdown(&self) -> String {
        let head = [
            format!("<!-- {} -->\n# {}", sealed::mark(), escaped(&self.question)),
            format!("**{}.**", escaped(&self.answer)),
            format!("{} With pictures: [report.html](report.html).", escaped(&self.origin)),
        ];
        let parts = self.parts.iter().map(Part::markdown).filter(|part| !part.is_empty());
        head.into_iter().chain(parts).collect::<Vec<_>>().join("\n\n") + "\n"
    }
}

impl Part {
    fn html(&self) -> Markup {
        html! {
            @match self {
                Part::Heading(heading) => h2 { (heading) },
                Part::Text(text) => @if !text.is_empty() { p { (text) } },
                Part::Facts(facts) => table { @for (name, text) in facts { tr { th { (name) } td { (text) } } } },
                Part::Table { head, rows } => table {
                    tr { @for (place, cell) in head.iter().enumerate() { th.number[place > 0] { (cell) } } }
                    @for row in rows {
                        tr { @for (place, cell) in row.iter().enumerate() { td.number[place > 0] { (cell) } } }
                    }
                },
                Part::List { lines, nothing } => @if lines.is_empty() { p { (nothing) } } @else {
                    ul { @for line in lines { li { (line) } } }
                },
                Part::Code(text) => pre { (text) },
                Part::Pictures { charts, .. } => @for chart in charts { figure { (chart.render()) } },
                Part::Folded(name, text) => details { summary { (name) } pre { (text) } },
            }
        }
    }

    fn markdown(&self) -> String {
        match self {
            Part::Heading(heading) => format!("## {heading}"),
            Part::Text(text) => escaped(text),
            Part::Facts(facts) => {
                let rows = facts.iter().map(|(name, text)| [name, text].map(String::as_str));
                table(&["", ""], rows)
            }
            Part::Table { head, rows } => {
                let rows = rows.iter().map(|row| row.iter().map(String::as_str));
                table(&head.iter().map(String::as_str).collect::<Vec<_>>(), rows)
            }
            Part::List { lines, nothing } if lines.is_empty() => (*nothing).to_owned(),
            Part::List { lines, .. } => {
                lines.iter().map(|line| format!("- {}", escaped(line))).collect::<Vec<_>>().join("\n")
            }
            Part::Code(text) | Part::Pictures { letters: text, .. } => match text.as_str() {
                "" => String::new(),
                text => code_block(text),
            },
            Part::Folded(..) => String::new(),
        }
    }
}

fn table<'a, Row: IntoIterator<Item = &'a str>>(head: &[&str], rows: impl Iterator<Item = Row>) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let rule = format!("|{}", "---|".repeat(head.len()));
    let rows = rows.map(|row| line(row.into_iter().map(escaped).collect()));
    let head = line(head.iter().map(|cell| escaped(cell)).collect());
    [head, rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

/// A block whose fence is longer than any in the text.
fn code_block(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// Text that Markdown and HTML leave as it is, in one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\n' | '\r' => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        assert_eq!(escaped("a|b <i>*x*</i>\n[l](u)"), r"a\|b &lt;i&gt;\*x\*&lt;/i&gt; \[l\](u)");
        assert_eq!(code_block("a ```` b"), "`````\na ```` b\n`````");
        assert_eq!(table(&["a", "b"], [["1", "2|3"]].into_iter()), "| a | b |\n|---|---|\n| 1 | 2\\|3 |");
    }
}
