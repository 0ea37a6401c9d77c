//! The report as a document.

use super::RunReport;
use crate::report::document::{Document, Part};
use crate::report::origin::origin;
use crate::report::pairs::pairs_in_letters;

impl RunReport<'_> {
    /// The report of the whole run.
    pub fn document(&self) -> Document {
        let (run, games) = (self.run, &self.run.replay.games);
        let figures = self.figures().into_iter().map(|(name, text)| (name.to_owned(), text));
        let configs = [&run.experiment.base, &run.experiment.candidate]
            .map(|player| Part::Folded(format!("Every value of {}", player.file), player.to_toml()));
        let mut parts = vec![
            Part::Facts(figures.collect()),
            Part::Pictures {
                charts: self.charts(),
                letters: pairs_in_letters(&run.replay.progress.tally.pairs),
            },
            Part::Heading("How the games ended"),
            games.endings_table("the candidate"),
            Part::Heading("What the searches did"),
            Part::Text(games.missing_telemetry().unwrap_or_default()),
            games.telemetry_table(self.names()),
            Part::Heading("What the candidate has different"),
            Part::List { lines: self.differences(), nothing: "Nothing: both configurations are the same." },
            Part::Heading("Faults"),
            Part::List { lines: games.faults(self.names()), nothing: "None." },
            Part::Heading("How to play it again"),
            Part::Code(self.command()),
            Part::Facts(self.identity()),
        ];
        parts.extend(configs);
        Document {
            title: self.title(),
            question: self.question(),
            origin: origin(&run.info),
            answer: self.verdict(),
            parts,
        }
    }
}
