//! The options that say how pairs end, for the commands that simulate them.

use super::Failure;
use super::counts;
use crate::statistics::{PairModel, Pentanomial};
use clap::Args;
use serde::Serialize;

/// Share of games drawn between equal players unless it is given or measured.
const DEFAULT_DRAW_RATIO: f64 = 0.5;

/// What pairs of games are like.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PairOptions {
    /// Share of games drawn between equal players, 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    pub draw_ratio: Option<f64>,
    /// Advantage that the openings give one side, root mean square, Elo [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub bias: Option<f64>,
    /// Pairs as counted before, whose distribution is shifted to each true Elo
    ///
    /// Pairs by the candidate's score: LL,LD,DD or WL,WD,WW. With --draw-ratio the level ones are split into two draws
    /// and a win each, which matters only to tests that look at games.
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = counts::pairs, allow_hyphen_values = true,
        conflicts_with = "bias")]
    pub ptnml: Option<Pentanomial>,
}

/// What is known of pairs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PairFacts {
    /// Share of games drawn, between equal players unless pairs were counted.
    pub draw_ratio: Option<f64>,
    /// Root mean square of the openings' advantage for one side, Elo.
    pub bias: Option<f64>,
    /// The pairs that were counted.
    pub pentanomial: Option<Pentanomial>,
}

impl PairOptions {
    /// Whether anything is given.
    pub const fn is_given(&self) -> bool {
        self.draw_ratio.is_some() || self.bias.is_some() || self.ptnml.is_some()
    }

    /// What is described, as reports tell it.
    pub fn facts(&self) -> PairFacts {
        let PairOptions { draw_ratio, bias, ptnml } = *self;
        match ptnml {
            Some(_) => PairFacts { draw_ratio, bias: None, pentanomial: ptnml },
            None => PairFacts {
                draw_ratio: draw_ratio.or(Some(DEFAULT_DRAW_RATIO)),
                bias: bias.or(Some(0.0)),
                pentanomial: None,
            },
        }
    }

    /// The model that is described.
    ///
    /// # Errors
    /// There is no such model.
    pub fn model(&self) -> Result<PairModel, Failure> {
        match self.ptnml {
            Some(pairs) => PairModel::of_counts(pairs, self.draw_ratio),
            None => PairModel::new(self.draw_ratio.unwrap_or(DEFAULT_DRAW_RATIO), self.bias.unwrap_or(0.0)),
        }
        .map_err(Failure::usage)
    }

    /// What is described, in words.
    pub fn in_words(&self) -> String {
        match self.ptnml {
            Some(pairs) => format!("pairs as in {:?}", pairs.0),
            None => format!(
                "draw ratio {}, bias {} Elo",
                self.draw_ratio.unwrap_or(DEFAULT_DRAW_RATIO),
                self.bias.unwrap_or(0.0)
            ),
        }
    }
}
