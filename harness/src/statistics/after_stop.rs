//! Elo corrected for optional stopping: how strong the candidate is, given that the test stopped when it did.
//!
//! A test that stops on a good run overstates the lead, and the usual interval, made for a fixed number of games, is wrong.
//! Here the LLR is taken as a Brownian motion whose drift depends on the true strength, and the outcomes of the
//! test are put in order (failed early < failed late < still running < passed late < passed early). The estimate is the
//! strength at which the observed outcome is the median one, the ends of the interval those at which it would be extreme.
//! (Method and details: fishtest's `sprt.py`, by M. Van den Bergh.)
//!
//! The method assumes that the test stopped when its LLR reached a bound. [`AfterStop::of_stopped`] checks that; the
//! plain formula takes counts past a bound for those of a test that stopped there, which they are not.
//!
//! The result is in logistic Elo whatever the scale of the bounds. It can be negative after more wins than losses:
//! a test that just failed late says so.

use super::brownian::Brownian;
use super::elo::score_of_elo;
use super::motion::Motion;
use super::normal::Confidence;
use super::pentanomial::{Pentanomial, Trinomial};
use super::roots::falling_root;
use super::sprt::SprtBounds;
use serde::Serialize;

/// Estimates are sought within this many Elo of zero; what lies beyond is not told apart.
const LARGEST_ELO: f64 = 1000.0;

/// Accuracy in Elo.
const TOLERANCE: f64 = 1e-7;

/// Strength of the candidate after a sequential test, in logistic Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AfterStop {
    /// Median-unbiased estimate: too high as often as too low.
    pub estimate: f64,
    /// Lower end of the interval; `None` if it lies below -1000.
    pub low: Option<f64>,
    /// Upper end of the interval; `None` if it lies above 1000.
    pub high: Option<f64>,
    /// Probability that an equal player would have done worse, 0 to 1.
    pub los: f64,
}

/// Why there is no corrected estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum NotCorrected {
    /// The LLR is between the bounds.
    #[serde(rename = "the test has not stopped: the LLR is between its bounds")]
    NotStopped,
    /// The LLR is past a bound, and would be whatever the last pair had been.
    #[serde(
        rename = "the test did not stop at its bound: the LLR is further past it than one pair can move it"
    )]
    PastBound,
    /// Fewer than two different outcomes, or an estimate beyond ±1000 Elo.
    #[serde(rename = "the results are too one-sided for an estimate")]
    OneSided,
}

impl AfterStop {
    /// The estimate for a test that stopped after these pairs, which consist of these games; the test decides which are
    /// looked at, as in [`SprtBounds::evaluate`]. A test of games also takes pairs of which nothing is known.
    ///
    /// # Errors
    /// The test did not stop at a bound, or there is no estimate.
    pub fn of_stopped(
        spec: &SprtBounds,
        pairs: &Pentanomial,
        games: &Trinomial,
        confidence: Confidence,
    ) -> Result<Self, NotCorrected> {
        if spec.evaluate(pairs, games).verdict.is_none() {
            return Err(NotCorrected::NotStopped);
        }
        if !last_pair_decided(spec, pairs, games) {
            return Err(NotCorrected::PastBound);
        }
        AfterStop::of(spec, pairs, games, confidence).ok_or(NotCorrected::OneSided)
    }

    /// The formula for these counts: one past a bound is taken for stopped there. `None` unless at least two different
    /// outcomes were counted, and for estimates beyond ±1000 Elo.
    pub fn of(
        spec: &SprtBounds,
        pairs: &Pentanomial,
        games: &Trinomial,
        confidence: Confidence,
    ) -> Option<Self> {
        estimate(spec, &Motion::of(spec, pairs, games)?, confidence)
    }

    /// The formula if the games are taken as independent of each other, as in [`SprtBounds::evaluate_games`].
    pub fn of_games(spec: &SprtBounds, games: &Trinomial, confidence: Confidence) -> Option<Self> {
        estimate(spec, &Motion::of_games(spec, games)?, confidence)
    }
}

/// Whether the test was undecided before the last pair, whichever of the counted ones that was.
fn last_pair_decided(spec: &SprtBounds, pairs: &Pentanomial, games: &Trinomial) -> bool {
    let is_undecided = |pairs: &Pentanomial, games: &Trinomial| spec.evaluate(pairs, games).verdict.is_none();
    if spec.is_trinomial() {
        // Two games are a pair; counts of games alone may also be odd.
        let one_less: Vec<Trinomial> = without_one_game(games).collect();
        let two_less = one_less.iter().flat_map(without_one_game);
        return one_less.iter().copied().chain(two_less).any(|games| is_undecided(pairs, &games));
    }
    (0..pairs.0.len()).any(|last| {
        let mut before = *pairs;
        before.0[last] = before.0[last].saturating_sub(1);
        before != *pairs && is_undecided(&before, games)
    })
}

/// The counts with one game less, for each result that was counted.
fn without_one_game(games: &Trinomial) -> impl Iterator<Item = Trinomial> + use<> {
    let Trinomial { wins, losses, draws } = *games;
    let less = |count: u64| count.checked_sub(1);
    [
        less(wins).map(|wins| Trinomial { wins, losses, draws }),
        less(losses).map(|losses| Trinomial { wins, losses, draws }),
        less(draws).map(|draws| Trinomial { wins, losses, draws }),
    ]
    .into_iter()
    .flatten()
}

fn estimate(spec: &SprtBounds, motion: &Motion, confidence: Confidence) -> Option<AfterStop> {
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
        (at_low > 0.0 && at_high < 0.0)
            .then(|| falling_root(excess, (-LARGEST_ELO, at_low), (LARGEST_ELO, at_high), TOLERANCE))
    };
    let tail = 0.5 * (1.0 - confidence.level());
    Some(AfterStop { estimate: elo_at(0.5)?, low: elo_at(1.0 - tail), high: elo_at(tail), los: worse(0.5) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_category_gives_no_estimate() {
        for pairs in [Pentanomial::default(), Pentanomial([0, 0, 0, 0, 500])] {
            assert_eq!(
                AfterStop::of(&SprtBounds::default(), &pairs, &Trinomial::default(), Confidence::DEFAULT),
                None
            );
        }
    }

    #[test]
    fn a_passed_test_is_corrected_downwards() {
        let pairs = Pentanomial([50, 180, 460, 240, 70]);
        let games = Trinomial::default();
        let naive = super::super::elo::elo(&pairs.sample(), Confidence::DEFAULT).unwrap();
        let corrected = AfterStop::of(&SprtBounds::default(), &pairs, &games, Confidence::DEFAULT).unwrap();
        assert!(corrected.estimate < naive.estimate);
        let [low, high] = [corrected.low, corrected.high].map(Option::unwrap);
        assert!(low < corrected.estimate && corrected.estimate < high);
    }
}
