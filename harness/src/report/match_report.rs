//! The report of a match: who is how strong, and who scored what against whom?

use super::document::{Document, Part};
use super::origin::{self, every_value, identity, options_of, origin, own_limits_of};
use super::report_of::Report;
use super::shell_word;
use super::stored_match::StoredMatch;
use super::stored_run::NotRead;
use super::summary::readable_seconds;
use crate::run::tournament::Format;
use crate::store::{RunInfo, Store};
use serde_json::{Map, Value, json};

/// The report of a stored match.
///
/// # Errors
/// See [`StoredMatch::read`].
pub fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
    let run = StoredMatch::read(store, info)?;
    Ok(Report { document: document(&run), json: as_json(&run)? })
}

/// What `harness match --json` prints, and what else is in a report.
///
/// # Errors
/// A figure that is no number; there is none.
pub fn as_json(run: &StoredMatch) -> serde_json::Result<Map<String, Value>> {
    let mut json = origin::as_json(&run.summary, &run.info, &run.sessions)?;
    json.insert("command".to_owned(), json!(command(run)));
    Ok(json)
}

fn document(run: &StoredMatch) -> Document {
    let summary = &run.summary;
    let players: Vec<_> = run.spec.players.iter().map(|player| ("player", player)).collect();
    let mut parts = vec![
        Part::Heading("Standing"),
        table(summary.standing_rows()),
        Part::Heading("Points against each"),
        table(summary.cross_table_rows()),
        Part::Heading("Pairings, from the side of the first"),
        table(summary.pairing_rows()),
        Part::Heading("Faults"),
        table(summary.fault_rows()),
        Part::Heading("How to play it again"),
        Part::Code(command(run)),
        Part::Facts(identity(&players, &run.spec.conditions, &run.info, &run.sessions)),
    ];
    parts.extend(run.spec.players.iter().map(every_value));
    Document {
        title: run.info.question.clone(),
        question: run.info.question.clone(),
        origin: origin(&run.info),
        answer: answer(run),
        parts,
    }
}

/// Who leads, and after how many games.
fn answer(run: &StoredMatch) -> String {
    let summary = &run.summary;
    let leader = summary.standing_rows().get(1).and_then(|row| row.get(1).cloned()).unwrap_or_default();
    format!(
        "{leader} is first after {} games ({}) in {} on {} thread{}",
        summary.games,
        summary.end,
        readable_seconds(summary.seconds),
        summary.threads,
        if summary.threads == 1 { "" } else { "s" }
    )
}

/// Rows of cells, the first of them the heading.
fn table(mut rows: Vec<Vec<String>>) -> Part {
    let head = rows.remove(0);
    Part::Table { head, rows }
}

/// The command that plays it again.
fn command(run: &StoredMatch) -> String {
    let (spec, summary) = (&run.spec, &run.summary);
    let players: Vec<_> = spec.players.iter().map(|player| shell_word(&player.file)).collect();
    let gauntlet = if spec.format == Format::Gauntlet { " --gauntlet" } else { "" };
    let rounds = (summary.games / 2).div_ceil(summary.pairings.len() as u64).max(1);
    let options = options_of(&spec.conditions) + &own_limits_of(&spec.players);
    format!("harness match {}{gauntlet}{options} --max-pairs {rounds}", players.join(" "))
}
