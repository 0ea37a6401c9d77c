//! The options that say how pairs end, for the commands that simulate them.

use super::Failure;
use crate::statistics::{PairModel, Pentanomial};
use clap::Args;

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
    /// and a win each, which only the bayesian model looks at.
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = pentanomial, conflicts_with = "bias")]
    pub ptnml: Option<Pentanomial>,
}

impl PairOptions {
    /// Whether anything is given.
    pub const fn is_given(&self) -> bool {
        self.draw_ratio.is_some() || self.bias.is_some() || self.ptnml.is_some()
    }

    /// Share of games drawn between equal players; none if that follows from counted pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        self.draw_ratio.or(self.ptnml.is_none().then_some(DEFAULT_DRAW_RATIO))
    }

    /// Root mean square of the openings' advantage, Elo; none if it is in counted pairs.
    pub fn bias(&self) -> Option<f64> {
        self.bias.or(self.ptnml.is_none().then_some(0.0))
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

/// Reads `LL,LD,DD,WD,WW`.
fn pentanomial(text: &str) -> Result<Pentanomial, String> {
    let counts: Vec<u64> = text
        .split(',')
        .map(|count| count.trim().parse().map_err(|_| format!("{count:?} is no number of pairs")))
        .collect::<Result<_, _>>()?;
    let counts = counts.try_into().map_err(|given: Vec<u64>| {
        format!("{} numbers of pairs are given: give five, LL,LD,DD,WD,WW", given.len())
    })?;
    Ok(Pentanomial(counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read() {
        assert_eq!(pentanomial("1, 2,3,4,5").unwrap(), Pentanomial([1, 2, 3, 4, 5]));
        assert_eq!(pentanomial("1,2,x,4,5").unwrap_err(), "\"x\" is no number of pairs");
        assert_eq!(
            pentanomial("1,2,3").unwrap_err(),
            "3 numbers of pairs are given: give five, LL,LD,DD,WD,WW"
        );
    }
}
