//! The report of a match: who is how strong, who scored what against whom, and how to play it again; as a page, as
//! Markdown and as JSON. Nothing in it names a folder of the machine that played.

use super::command_line::{identity_of, options_of};
use super::run_report::{code_block, escaped, page, table};
use super::stored_match::StoredMatch;
use super::stored_run::sessions_json;
use super::summary::readable_seconds;
use super::{sealed, shell_word};
use crate::experiment::PlayerSpec;
use crate::run::tournament::Format;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

/// Rows of cells, the first of them the heading.
type Rows = Vec<Vec<String>>;

/// A report that can be written in several forms.
pub struct MatchReport<'a> {
    run: &'a StoredMatch,
}

impl MatchReport<'_> {
    /// The report of this match.
    pub const fn new(run: &StoredMatch) -> MatchReport<'_> {
        MatchReport { run }
    }

    /// `report.md`
    pub fn markdown(&self) -> String {
        let mut sections = vec![
            format!("<!-- {} -->\n# {}", sealed::mark(), escaped(&self.run.info.question)),
            escaped(&self.state()),
        ];
        for (name, rows) in self.tables() {
            let heading: Vec<&str> = rows[0].iter().map(String::as_str).collect();
            sections.push(format!("## {name}"));
            sections.push(table(&heading, rows[1..].iter().cloned()));
        }
        sections.push(format!("## How to play it again\n\n{}", code_block(&self.command())));
        sections.join("\n\n") + "\n"
    }

    /// `report.html`
    pub fn html(&self) -> String {
        page(&self.run.info.question, &self.body())
    }

    fn body(&self) -> Markup {
        html! {
            h1 { (self.run.info.question) }
            p.faint { (self.state()) }
            @for (name, rows) in self.tables() {
                h2 { (name) }
                table {
                    tr { @for cell in &rows[0] { th { (cell) } } }
                    @for row in &rows[1..] { tr { @for cell in row { td { (cell) } } } }
                }
            }
            h2 { "How to play it again" }
            pre { (self.command()) }
            @for player in &self.run.spec.players {
                details { summary { "Every value of " (player.file) } pre { (player.to_toml()) } }
            }
        }
    }

    /// What `harness match --json` prints, and what else is in a report.
    ///
    /// # Errors
    /// A figure that is no number; there is none.
    pub fn json(&self) -> serde_json::Result<Map<String, Value>> {
        let info = &self.run.info;
        let mut object = match serde_json::to_value(&self.run.summary)? {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        let more = [
            ("kind", json!(info.kind)),
            ("state", json!(info.state.as_str())),
            ("question", json!(info.question)),
            ("started", json!(info.created)),
            ("finished", json!(info.finished)),
            ("stored_games", json!(info.games())),
            ("digest", json!(info.digest)),
            ("sessions", json!(sessions_json(&self.run.sessions))),
            ("command", json!(self.command())),
        ];
        object.extend(more.map(|(key, value)| (key.to_owned(), value)));
        Ok(object)
    }

    fn state(&self) -> String {
        let (info, summary) = (&self.run.info, &self.run.summary);
        format!(
            "Run {}, begun {}, {}. {} games ({}) in {} on {} thread{}.",
            info.id,
            info.created,
            info.state.as_str(),
            summary.games,
            summary.end,
            readable_seconds(summary.seconds),
            summary.threads,
            if summary.threads == 1 { "" } else { "s" }
        )
    }

    fn tables(&self) -> Vec<(&'static str, Rows)> {
        let summary = &self.run.summary;
        vec![
            ("Standing", summary.standing_rows()),
            ("Points against each", summary.cross_table_rows()),
            ("Pairings, from the side of the first", summary.pairing_rows()),
            ("Faults", summary.fault_rows()),
            ("What must be the same to get the same games", self.identity()),
        ]
    }

    fn identity(&self) -> Rows {
        let row = |name: String, value: String| vec![name, value];
        let player = |player: &PlayerSpec| {
            row(player.file.clone(), format!("sha256 {}, engine {}", player.digest, player.build()))
        };
        let info = &self.run.info;
        let heading = row("what".to_owned(), "digest or value".to_owned());
        let conditions = identity_of(&self.run.spec.conditions);
        std::iter::once(heading)
            .chain(self.run.spec.players.iter().map(player))
            .chain(conditions.into_iter().map(|(name, value)| row(name, value)))
            .chain([row("match".to_owned(), format!("sha256 {}", info.digest))])
            .chain(self.run.sessions.last().map(|last| row("program".to_owned(), last.program.clone())))
            .collect()
    }

    /// The command that plays it again.
    fn command(&self) -> String {
        let (spec, summary) = (&self.run.spec, &self.run.summary);
        let players: Vec<_> = spec.players.iter().map(|player| shell_word(&player.file)).collect();
        let gauntlet = if spec.format == Format::Gauntlet { " --gauntlet" } else { "" };
        let rounds = (summary.games / 2).div_ceil(summary.pairings.len() as u64).max(1);
        format!(
            "harness match {}{gauntlet} {} --max-pairs {rounds}",
            players.join(" "),
            options_of(&spec.conditions)
        )
    }
}
