//! The report for programs: the object that `harness sprt --json` prints, with what else is in a report.

use super::RunReport;
use crate::report::command_line::book;
use crate::report::stored_run::sessions_json;
use serde_json::{Map, Value, json};

impl RunReport<'_> {
    /// Every figure of the run, of its sessions and its searches.
    ///
    /// # Errors
    /// A figure that is no number; there is none.
    pub fn json(&self) -> serde_json::Result<Map<String, Value>> {
        let (info, replay) = (&self.run.info, &self.run.replay);
        // The folder of the book is this machine's affair.
        let mut experiment = self.run.experiment.clone();
        experiment.conditions.openings.file = book(&self.run.experiment.conditions);
        let mut object = match serde_json::to_value(&self.run.summary)? {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        let endings: Map<_, _> = (self.endings().into_iter())
            .map(|(name, [wins, draws, losses])| {
                (name.to_owned(), json!({"wins": wins, "draws": draws, "losses": losses}))
            })
            .collect();
        let more = [
            ("kind", json!(info.kind)),
            ("state", json!(info.state.as_str())),
            ("question", json!(info.question)),
            ("verdict_in_words", json!(self.verdict())),
            ("started", json!(info.created)),
            ("finished", json!(info.finished)),
            ("stored_games", json!(info.games())),
            ("digest", json!(info.digest)),
            ("sessions", json!(sessions_json(&self.run.sessions))),
            ("endings", Value::Object(endings)),
            ("faults", json!(self.faults())),
            ("differences", json!(self.differences())),
            ("telemetry", json!({"base": replay.base.as_json(), "candidate": replay.candidate.as_json()})),
            ("command", json!(self.command())),
            ("experiment", serde_json::to_value(experiment)?),
        ];
        object.extend(more.map(|(key, value)| (key.to_owned(), value)));
        Ok(object)
    }
}
