//! The report as a document.

use super::RunReport;
use crate::report::document::{Document, Part};
use crate::report::origin::{every_value, origin};
use crate::report::pairs::pairs_in_letters;

impl RunReport<'_> {
    /// The report of the whole run.
    pub fn document(&self) -> Document {
        let (run, games) = (self.run, &self.run.replay.games);
        let players = [&run.experiment.base, &run.experiment.candidate];
        let mut parts = vec![
            Part::Facts(self.figures()),
            Part::Pictures {
                charts: self.charts(),
                letters: pairs_in_letters(&run.replay.progress.tally.pairs),
            },
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
            origin: origin(&run.info),
            answer: self.verdict(),
            parts,
        }
    }
}
