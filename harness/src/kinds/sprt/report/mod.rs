//! Report of an SPRT: what was asked, what came out, what the searches did, and how to play it again. Nothing in it names a
//! folder of the machine that played.

mod charts;
mod content;

pub use charts::llr_chart;

use super::spec::SprtSpec;
use super::summary::SprtSummary;
use crate::kinds::not_read::NotRead;
use crate::kinds::shown::Shown;
use crate::kinds::spec::RunSummary;
use crate::kinds::stored::Stored;
use crate::report::document::{Document, Part};
use crate::report::origin::{self, every_value, origin};
use crate::report::pairs::pairs_in_letters;
use crate::report::written::Report;
use crate::store::{RunInfo, Store};
use serde_json::{Map, Value, json};

/// A stored SPRT with its figures.
pub struct SprtReport {
    /// The run, counted again.
    pub run: Stored<SprtSpec>,
    /// Every figure.
    pub summary: SprtSummary,
    /// The log-likelihood ratio after each counted pair.
    llr: Vec<f64>,
}

/// The report of a stored run.
///
/// # Errors
/// See [`NotRead`].
pub fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
    let report = SprtReport::read(store, info)?;
    Ok(Report { document: report.document(), json: report.json()? })
}

/// What `harness show` tells of a stored run.
///
/// # Errors
/// See [`NotRead`].
pub fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
    let report = SprtReport::read(store, info)?;
    let SprtReport { run, summary, .. } = &report;
    let faults = run.games.list_of_faults(run.games.faults(report.names()));
    let question = format!("{} · {}", run.info.question, run.spec.bounds());
    Ok(Shown { question, text: summary.text() + &faults, json: report.json()? })
}

impl SprtReport {
    /// Counts the pairs of a stored run.
    ///
    /// # Errors
    /// See [`NotRead`].
    pub fn read(store: &Store, info: RunInfo) -> Result<SprtReport, NotRead> {
        let mut llr = Vec::new();
        let run = Stored::<SprtSpec>::read(store, info, |_, sprt| llr.push(sprt.status().llr))?;
        Ok(SprtReport { summary: run.summary(), run, llr })
    }

    /// The report of the whole run, for people.
    fn document(&self) -> Document {
        let (info, spec, games) = (&self.run.info, &self.run.spec, &self.run.games);
        let players = [&spec.base, &spec.candidate];
        let pairs = &self.run.contest.tally().pairs;
        let mut parts = vec![
            Part::Facts(self.figures()),
            Part::Pictures { charts: self.charts(), letters: pairs_in_letters(pairs) },
        ];
        parts.extend(games.parts_of_two(players));
        parts.extend([
            Part::Heading("How to play it again"),
            Part::Code(self.command()),
            Part::Facts(self.identity()),
        ]);
        parts.extend(players.map(every_value));
        Document {
            title: self.title(),
            question: self.question(),
            origin: origin(info),
            answer: self.verdict(),
            parts,
        }
    }

    /// The object that `harness sprt --json` prints, with what else is in a report.
    fn json(&self) -> serde_json::Result<Map<String, Value>> {
        let games = &self.run.games;
        // The folder of the book is this machine's affair.
        let mut experiment = self.run.spec.as_ref().clone();
        experiment.conditions.openings.file = origin::book(&experiment.conditions);
        let mut object = origin::as_json(&self.summary, &self.run.info, &self.run.sessions)?;
        let more = [
            ("verdict_in_words", json!(self.verdict())),
            ("endings", games.endings_as_json()),
            ("faults", json!(games.faults(self.names()))),
            ("differences", json!(self.differences())),
            ("telemetry", json!({"base": games.base.as_json(), "candidate": games.candidate.as_json()})),
            ("command", json!(self.command())),
            ("experiment", serde_json::to_value(experiment)?),
        ];
        object.extend(more.map(|(key, value)| (key.to_owned(), value)));
        Ok(object)
    }
}
