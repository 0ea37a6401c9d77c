//! The report as Markdown, for a repository or a pull request.

use super::RunReport;
use super::content::PAIR_SCORES;
use crate::report::sealed;

/// Characters of the longest bar.
const LONGEST_BAR: u64 = 40;

impl RunReport<'_> {
    /// The text.
    pub fn markdown(&self) -> String {
        let experiment = &self.run.experiment;
        let sections = [
            format!("<!-- {} -->\n# {}", sealed::mark(), escaped(&self.question())),
            format!("**{}.**", escaped(&self.verdict())),
            format!(
                "Run {}, begun {}, {}. With pictures: [report.html](report.html).",
                escaped(&self.run.info.id),
                escaped(&self.run.info.created),
                self.run.info.state.as_str()
            ),
            table(&["", ""], self.figures().into_iter().map(|(name, text)| vec![name.to_owned(), text])),
            format!("## Pairs by the candidate's points\n\n```\n{}\n```", self.pair_bars()),
            "## How the games ended".to_owned(),
            table(
                &["ending", "won by the candidate", "drawn", "lost"],
                self.endings().into_iter().map(|(name, results)| {
                    std::iter::once(name.to_owned()).chain(results.map(|count| count.to_string())).collect()
                }),
            ),
            "## What the searches did".to_owned(),
            self.missing_telemetry().unwrap_or_default(),
            table(
                &["", &experiment.base.file, &experiment.candidate.file],
                self.telemetry().into_iter().map(Vec::from),
            ),
            format!(
                "## What the candidate has different\n\n{}",
                list(&self.differences(), "Nothing: both configurations are the same.")
            ),
            format!("## Faults\n\n{}", list(&self.faults(), "None.")),
            format!("## How to play it again\n\n{}", code_block(&self.command())),
            table(&["", ""], self.identity().into_iter().map(|(name, text)| vec![name, text])),
        ];
        let mut text =
            sections.into_iter().filter(|section| !section.is_empty()).collect::<Vec<_>>().join("\n\n");
        text.push('\n');
        text
    }

    fn pair_bars(&self) -> String {
        let counts = self.run.replay.progress.tally.pairs.0;
        let most = counts.into_iter().max().unwrap_or(0).max(1);
        let line = |(name, count): (&str, u64)| {
            let bar = "█".repeat((count * LONGEST_BAR).div_ceil(most) as usize);
            format!("{name:<2} {count:>7} {bar}").trim_end().to_owned()
        };
        PAIR_SCORES.into_iter().zip(counts).map(line).collect::<Vec<_>>().join("\n")
    }
}

/// A table with this heading.
pub fn table(heading: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| {
        format!("| {} |", cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | "))
    };
    let heading: Vec<_> = heading.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = format!("|{}", "---|".repeat(heading.len()));
    [line(heading), rule].into_iter().chain(rows.map(line)).collect::<Vec<_>>().join("\n")
}

fn list(lines: &[String], nothing: &str) -> String {
    match lines {
        [] => nothing.to_owned(),
        _ => lines.iter().map(|line| format!("- {}", escaped(line))).collect::<Vec<_>>().join("\n"),
    }
}

/// A block whose fence is longer than any in the text.
pub fn code_block(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// Text that Markdown and HTML leave as it is, in one line.
pub fn escaped(text: &str) -> String {
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
        assert_eq!(
            table(&["a", "b"], [vec!["1".to_owned(), "2|3".to_owned()]].into_iter()),
            "| a | b |\n|---|---|\n| 1 | 2\\|3 |"
        );
    }
}
