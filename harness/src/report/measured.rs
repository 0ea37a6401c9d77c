//! What a measurement found, for screens, JSON and the store.

use crate::run::tally::Tally;
use crate::statistics::{Confidence, Estimate, Pentanomial, elo};
use serde::{Deserialize, Serialize};

/// The figures of one measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
            los: elo::los(&sample),
        }
    }
}
