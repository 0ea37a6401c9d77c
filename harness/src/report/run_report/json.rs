//! The report for programs: the object that `harness sprt --json` prints, with what else is in a report.

use super::RunReport;
use crate::report::origin;
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
        experiment.conditions.openings.file = origin::book(&experiment.conditions);
        let mut object = origin::as_json(&self.run.summary, info, &self.run.sessions)?;
        let more = [
            ("verdict_in_words", json!(self.verdict())),
            ("endings", replay.games.endings_as_json()),
            ("faults", json!(replay.games.faults(self.names()))),
            ("differences", json!(self.differences())),
            (
                "telemetry",
                json!({"base": replay.games.base.as_json(), "candidate": replay.games.candidate.as_json()}),
            ),
            ("command", json!(self.command())),
            ("experiment", serde_json::to_value(experiment)?),
        ];
        object.extend(more.map(|(key, value)| (key.to_owned(), value)));
        Ok(object)
    }
}
