//! What a measurement found, for screens, JSON and the store.

use super::figures::{interval, signed_with_margin};
use crate::run::tally::Tally;
use crate::statistics::{Confidence, Estimate, Interval, Pentanomial, elo};
use serde::{Deserialize, Serialize};

/// The figures of one measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Name of the run in the store.
    pub run: String,
    /// Games counted.
    pub games: u64,
    /// Won by the candidate.
    pub wins: u64,
    /// Lost by it.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// Pairs by the candidate's score: 0, ½, 1, 1½, 2.
    pub pentanomial: Pentanomial,
    /// The candidate's lead, logistic Elo, 95 %.
    pub elo: Option<Estimate>,
    /// Its interval where all pairs are alike, and there is no estimate.
    #[serde(default)]
    pub elo_exact: Option<Interval>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
}

impl Measured {
    /// Computes every figure.
    pub fn new(run: &str, tally: &Tally) -> Measured {
        let sample = tally.pairs.sample();
        Measured {
            run: run.to_owned(),
            games: tally.games.games(),
            wins: tally.games.wins,
            losses: tally.games.losses,
            draws: tally.games.draws,
            pentanomial: tally.pairs,
            elo: elo::elo(&sample, Confidence::DEFAULT),
            elo_exact: elo::one_category(&tally.pairs.0, Confidence::DEFAULT),
            los: elo::los(&sample),
        }
    }

    /// Half-width of the 95 % interval, Elo.
    pub fn margin(&self) -> f64 {
        elo::interval(&self.pentanomial.0, Confidence::DEFAULT).half_width()
    }

    /// The lead as a person reads it, or a dash.
    pub fn lead(&self) -> String {
        match (self.elo, self.elo_exact) {
            (None, Some(exact)) => interval(exact),
            (elo, _) => signed_with_margin(elo),
        }
    }

    /// Between which strengths it lies, Elo.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let exact = || self.elo_exact.and_then(|exact| exact.low.zip(exact.high));
        self.elo.map(|elo| (elo.low, elo.high)).or_else(exact)
    }
}
