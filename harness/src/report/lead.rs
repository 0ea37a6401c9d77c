//! Lead of one player over another: what the pairs between two came to, from the side of the one that is measured.

use super::figures::{interval, signed_with_margin};
use crate::run::tally::Tally;
use crate::statistics::{Confidence, Estimate, Interval, Pentanomial, elo};
use serde::{Deserialize, Serialize};

/// The counts of two players and their Elo, as if the number of games had been fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lead {
    /// Games counted.
    pub games: u64,
    /// Won by the one that is measured.
    pub wins: u64,
    /// Lost by it.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// Pairs by its score: 0, ½, 1, 1½, 2.
    pub pentanomial: Pentanomial,
    /// Its lead, logistic Elo, 95 %.
    pub elo: Option<Estimate>,
    /// The interval of the lead where all pairs are alike, and there is no estimate.
    #[serde(default)]
    pub elo_exact: Option<Interval>,
    /// Its lead in normalized Elo; none in summaries of before.
    #[serde(default)]
    pub nelo: Option<Estimate>,
    /// Likelihood that it is the stronger, 0 to 1.
    pub los: Option<f64>,
}

impl Lead {
    /// Computes every figure.
    pub fn of(Tally { pairs, games, .. }: &Tally) -> Lead {
        let (sample, confidence) = (pairs.sample(), Confidence::DEFAULT);
        Lead {
            games: games.games(),
            wins: games.wins,
            losses: games.losses,
            draws: games.draws,
            pentanomial: *pairs,
            elo: elo::elo(&sample, confidence),
            elo_exact: elo::one_category(&pairs.0, confidence),
            nelo: elo::nelo(&sample, confidence),
            los: elo::los(&sample),
        }
    }

    /// A point a win, half a point a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Half-width of the 95 % interval, Elo.
    pub fn margin(&self) -> f64 {
        elo::interval(&self.pentanomial.0, Confidence::DEFAULT).half_width()
    }

    /// The lead as a person reads it, or a dash.
    pub fn text(&self) -> String {
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
