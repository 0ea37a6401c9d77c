//! How strong is the candidate, given that the test stopped when it did?
//!
//! A test that stops on a good run overstates the lead, and the usual interval, made for a fixed number of games, is wrong.
//! Here the LLR is taken as a Brownian motion whose drift depends on the true strength, and the outcomes of the
//! test are put in order (failed early < failed late < still running < passed late < passed early). The estimate is the
//! strength at which the observed outcome is the median one, the ends of the interval those at which it would be extreme.
//! (Method and details: fishtest's `sprt.py`, by M. Van den Bergh.)
//!
//! The result is in logistic Elo whatever the scale of the bounds. It can be negative after more wins than losses:
//! a test that just failed late says so. A test that was continued past its bound is treated as stopped there.

use super::brownian::Brownian;
use super::elo::score_of_elo;
use super::motion::Motion;
use super::normal::Confidence;
use super::pentanomial::{Pentanomial, Trinomial};
use super::roots::falling_root;
use super::sprt::SprtSpec;
use serde::Serialize;

/// Estimates are sought within this many Elo of zero and end there.
const LARGEST_ELO: f64 = 1000.0;

/// Accuracy in Elo.
const TOLERANCE: f64 = 1e-7;

/// Strength of the candidate after a sequential test, in logistic Elo, between -1000 and 1000.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AfterStop {
    /// Median-unbiased estimate: too high as often as too low.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Probability that an equal player would have done worse, 0 to 1.
    pub los: f64,
}

impl AfterStop {
    /// The estimate after these pairs, which consist of these games; the test decides which are looked at, as in
    /// [`SprtSpec::evaluate`]. `None` unless at least two different outcomes were counted.
    pub fn of(
        spec: &SprtSpec,
        pairs: &Pentanomial,
        games: &Trinomial,
        confidence: Confidence,
    ) -> Option<Self> {
        Some(estimate(spec, &Motion::of(spec, pairs, games)?, confidence))
    }

    /// The estimate if the games are taken as independent of each other, as in [`SprtSpec::evaluate_games`].
    pub fn of_games(spec: &SprtSpec, games: &Trinomial, confidence: Confidence) -> Option<Self> {
        Some(estimate(spec, &Motion::of_games(spec, games)?, confidence))
    }
}

fn estimate(spec: &SprtSpec, motion: &Motion, confidence: Confidence) -> AfterStop {
    let (lower, upper) = (spec.lower(), spec.upper());
    let observed_drift = motion.drift(motion.mean);
    let reached = motion.size * observed_drift;
    let position = reached.clamp(lower, upper);
    let time = if position == reached { motion.size } else { position / observed_drift };

    let worse = |score: f64| {
        let (drift, variance) = (motion.drift(score), motion.variance());
        Brownian { lower, upper, drift, variance }.outcome_cdf(time, position)
    };
    let elo_at = |probability: f64| {
        let excess = |elo: f64| worse(score_of_elo(elo)) - probability;
        let (at_low, at_high) = (excess(-LARGEST_ELO), excess(LARGEST_ELO));
        if at_low <= 0.0 {
            -LARGEST_ELO
        } else if at_high >= 0.0 {
            LARGEST_ELO
        } else {
            falling_root(excess, (-LARGEST_ELO, at_low), (LARGEST_ELO, at_high), TOLERANCE)
        }
    };
    let tail = 0.5 * (1.0 - confidence.level());
    AfterStop { estimate: elo_at(0.5), low: elo_at(1.0 - tail), high: elo_at(tail), los: worse(0.5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_category_gives_no_estimate() {
        for pairs in [Pentanomial::default(), Pentanomial([0, 0, 0, 0, 500])] {
            assert_eq!(
                AfterStop::of(&SprtSpec::default(), &pairs, &Trinomial::default(), Confidence::DEFAULT),
                None
            );
        }
    }

    #[test]
    fn a_passed_test_is_corrected_downwards() {
        let pairs = Pentanomial([50, 180, 460, 240, 70]);
        let games = Trinomial::default();
        let naive = super::super::elo::elo(&pairs.sample(), Confidence::DEFAULT).unwrap();
        let corrected = AfterStop::of(&SprtSpec::default(), &pairs, &games, Confidence::DEFAULT).unwrap();
        assert!(corrected.estimate < naive.estimate);
        assert!(corrected.low < corrected.estimate && corrected.estimate < corrected.high);
    }
}
