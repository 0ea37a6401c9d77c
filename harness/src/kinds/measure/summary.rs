//! Summary of a measurement, for the screen, JSON, the store and the files of a series of many.

use super::contest::Measure;
use crate::kinds::spec::RunSummary;
use crate::report::figures::{readable_rate, readable_seconds, signed_with_margin};
use crate::report::lead::Lead;
use crate::run::tally::Tally;
use serde::{Deserialize, Serialize};

/// The figures of one measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name of the run in the store.
    pub run: String,
    /// The candidate's lead.
    #[serde(flatten)]
    pub lead: Lead,
}

impl Measured {
    /// Computes every figure.
    pub fn new(run: &str, tally: &Tally) -> Measured {
        Measured { run: run.to_owned(), lead: Lead::of(tally) }
    }
}

impl RunSummary for Measured {
    fn games(&self) -> u64 {
        self.lead.games
    }

    fn verdict(&self) -> &str {
        "measured"
    }

    fn text(&self) -> String {
        format!("{} Elo (95 %) after {} games · run {}", self.lead.text(), self.lead.games, self.run)
    }
}

/// How a measurement stands, with what is left of it at `rate` games a second.
pub fn measure_line(measure: &Measure, rate: f64) -> String {
    let counted = measure.tally().pairs.pairs();
    let left = 2 * (measure.expected_pairs() - counted);
    format!(
        "Elo {}   {} games   {}   about {left} games left ({})",
        signed_with_margin(measure.elo()),
        2 * counted,
        readable_rate(rate),
        readable_seconds(left as f64 / rate)
    )
}
