//! Anytime-valid interval: it holds the strength however often one looks and whenever one stops.
//!
//! The usual interval covers the truth in 95 of 100 *looks*; whoever watches a running test and picks the moment is
//! wrong far more often. A *confidence sequence* covers it in 95 of 100 whole *runs*, at all looks together.
//!
//! # Betting
//!
//! Somebody claims that each observation has the mean score m. Bet against it: before each observation stake a
//! fraction λ of the wealth on scores above m (λ < 0: below), which multiplies the wealth by 1 + λ(a - m). If the claim is
//! true, no way of betting gains on average, so the wealth reaches 20 with a probability of at most 1/20 ever
//! (J. Ville, 1939). The interval holds every m against which the wealth is still below 1/α. It assumes nothing of the
//! distribution, of the number of observations or of why one stops (I. Waudby-Smith and A. Ramdas,
//! "Estimating means of bounded random variables by betting", arXiv:2010.09686).
//!
//! Here the stakes are spread over all λ by a normal density around 0, which makes the wealth an integral that
//! depends on the counts alone, not on their order. Compared with the interval for a fixed number of games, this
//! one is 4.2 times as wide after 100 pairs, 1.83 after 1,000, 1.55 after 10⁴ and 2.0 after 10⁷ (`docs/statistics.md`).
//!
//! # Normal mixture
//!
//! [`NormalMixture`] is the closed form for large samples (H. Robbins, 1970; I. Waudby-Smith and others,
//! arXiv:2103.06476). It trusts the estimated deviation, so it holds only from some 250 pairs on.

use super::elo::{Interval, elo_of_score};
use super::normal::{self, Confidence};
use super::roots::falling_root;
use super::sample::Sample;
use std::f64::consts::PI;

/// Standard deviation of the stakes: best when the mean score lies some hundredths off after some hundred pairs.
pub const STAKE_DEVIATION: f64 = 0.15;

/// Never more than this part of the wealth is lost in one observation.
const LARGEST_LOSS: f64 = 0.98;

/// Where the integrand has fallen by this factor (as a logarithm) from its top, the rest is left out.
const NEGLIGIBLE: f64 = 40.0;

/// Pieces into which each side of the integrand's top is cut: the error is then below 10⁻⁵ of the wealth.
const PIECES: usize = 64;

/// Accuracy of a stake.
const STAKE_TOLERANCE: f64 = 1e-10;

/// Accuracy of a score at an end of the interval.
const SCORE_TOLERANCE: f64 = 1e-10;

/// An end is looked for no nearer to the scores 0 and 1 than this, which is 2,800 Elo: only tens of millions of pairs all alike reach it,
/// and it is then a true bound.
const SCORE_MARGIN: f64 = 1e-7;

/// The anytime-valid interval of logistic Elo, from the counts of equally spaced outcomes (pairs or
/// games) as they are, without regularisation.
///
/// An end is `None` while the counts do not exclude any strength on that side (none played; all won).
pub fn always_valid<const N: usize>(counts: &[u64; N], confidence: Confidence) -> Interval {
    let mut mirrored = *counts;
    mirrored.reverse();
    Interval { low: lower_end(counts, confidence), high: lower_end(&mirrored, confidence).map(|elo| -elo) }
}

fn lower_end<const N: usize>(counts: &[u64; N], confidence: Confidence) -> Option<f64> {
    let size: f64 = counts.iter().map(|&count| count as f64).sum();
    let total: f64 = (0..N).map(|index| counts[index] as f64 * Sample::<N>::score(index)).sum();
    let mean = (total / size).min(1.0 - SCORE_MARGIN);
    // Without observations the mean is no number.
    if size == 0.0 || mean <= SCORE_MARGIN {
        return None;
    }
    let needed = -(1.0 - confidence.level()).ln();
    let excess = |score: f64| log_wealth(counts, score, STAKE_DEVIATION) - needed;
    let (at_margin, at_mean) = (excess(SCORE_MARGIN), excess(mean));
    if at_margin <= 0.0 {
        return None;
    }
    if at_mean > 0.0 {
        // Even the last score that is looked at is too low.
        return Some(elo_of_score(mean));
    }
    let score = falling_root(excess, (SCORE_MARGIN, at_margin), (mean, at_mean), SCORE_TOLERANCE);
    Some(elo_of_score(score))
}

/// Logarithm of what a stake of 1 against the mean score `mean` (strictly between 0 and 1) has become, the bets
/// being spread with this standard deviation over the stakes λ for which 1 + λ(a - mean) stays positive for every score.
///
/// Finite for any counts. This is the logarithm of an e-value: its exponential averages at most 1 if the claim holds.
pub fn log_wealth<const N: usize>(counts: &[u64; N], mean: f64, deviation: f64) -> f64 {
    let bets = Bets { counts, mean, deviation };
    let (lowest, highest) = (-LARGEST_LOSS / (1.0 - mean), LARGEST_LOSS / mean);
    let best = bets.best_stake(lowest, highest);
    let top = bets.log_density(best);
    let fall = |stake: f64| bets.log_density(stake) - top;
    let integral = integral_of_exp(|step| fall(best - step), best - lowest)
        + integral_of_exp(|step| fall(best + step), highest - best);
    let share_inside = normal::cdf(highest / deviation) - normal::cdf(lowest / deviation);
    top + integral.ln() - ((2.0 * PI).sqrt() * deviation * share_inside).ln()
}

/// The integrand of the wealth over the stakes: what each stake would have made of 1, weighed by the normal density.
struct Bets<'a, const N: usize> {
    counts: &'a [u64; N],
    mean: f64,
    deviation: f64,
}

impl<const N: usize> Bets<'_, N> {
    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        (0..N).map(|index| self.counts[index] as f64 * term(Sample::<N>::score(index) - self.mean)).sum()
    }

    /// Logarithm of the integrand but for a constant factor: a concave function of the stake.
    fn log_density(&self, stake: f64) -> f64 {
        self.sum(|offset| (stake * offset).ln_1p()) - 0.5 * (stake / self.deviation).powi(2)
    }

    /// The stake between these at which the integrand is largest.
    fn best_stake(&self, lowest: f64, highest: f64) -> f64 {
        let slope = |stake: f64| {
            self.sum(|offset| offset / (1.0 + stake * offset)) - stake / (self.deviation * self.deviation)
        };
        match (slope(lowest), slope(highest)) {
            (at_lowest, _) if at_lowest <= 0.0 => lowest,
            (_, at_highest) if at_highest >= 0.0 => highest,
            (at_lowest, at_highest) => {
                falling_root(slope, (lowest, at_lowest), (highest, at_highest), STAKE_TOLERANCE)
            }
        }
    }
}

/// ∫ e^fall(step) from 0 to `limit` by Simpson's rule, where `fall` is concave, 0 at 0 and falling.
fn integral_of_exp(fall: impl Fn(f64) -> f64, limit: f64) -> f64 {
    let above = |step: f64| fall(step) + NEGLIGIBLE;
    let at_limit = above(limit);
    let end = if at_limit >= 0.0 {
        limit
    } else {
        falling_root(above, (0.0, NEGLIGIBLE), (limit, at_limit), STAKE_TOLERANCE)
    };
    let half = 0.5 * end / PIECES as f64;
    let value = |index: usize| fall(half * index as f64).exp();
    let pieces =
        (0..PIECES).map(|piece| value(2 * piece) + 4.0 * value(2 * piece + 1) + value(2 * piece + 2));
    pieces.sum::<f64>() * half / 3.0
}

/// A confidence sequence for the mean of many observations with a known or well estimated deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalMixture {
    alpha: f64,
    rho_squared: f64,
}

impl NormalMixture {
    /// The sequence with this confidence that is narrowest, for what it is, after `tightest_at` observations.
    pub fn new(confidence: Confidence, tightest_at: f64) -> NormalMixture {
        let alpha = 1.0 - confidence.level();
        let log = -2.0 * alpha.ln();
        NormalMixture { alpha, rho_squared: (log + log.ln_1p()) / tightest_at }
    }

    /// ρ², the variance of the mixing density.
    pub const fn rho_squared(&self) -> f64 {
        self.rho_squared
    }

    /// How far the mean may lie on either side of the observed one, in its units.
    pub fn radius(&self, deviation: f64, observations: f64) -> f64 {
        let growth = observations * self.rho_squared + 1.0;
        self.scaled(deviation, observations, (growth.sqrt() / self.alpha).ln())
    }

    /// The same if only one side is asked for.
    pub fn one_sided_radius(&self, deviation: f64, observations: f64) -> f64 {
        let growth = observations * self.rho_squared + 1.0;
        self.scaled(deviation, observations, (growth.sqrt() / (2.0 * self.alpha)).ln_1p())
    }

    fn scaled(&self, deviation: f64, observations: f64, log: f64) -> f64 {
        let growth = observations * self.rho_squared + 1.0;
        deviation * (2.0 * growth * log / self.rho_squared).sqrt() / observations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_excluded_before_anything_is_played() {
        let nothing = Interval { low: None, high: None };
        assert_eq!(always_valid(&[0; 5], Confidence::DEFAULT), nothing);
        assert!(log_wealth(&[0; 5], 0.3, STAKE_DEVIATION).abs() < 1e-6);
    }

    #[test]
    fn wider_than_the_interval_for_a_fixed_number_of_games() {
        let counts = [320, 12_431, 27_275, 12_858, 316];
        let fixed = super::super::elo::elo(&Sample::new(counts), Confidence::DEFAULT).unwrap();
        let always = always_valid(&counts, Confidence::DEFAULT);
        let widening = (always.high.unwrap() - always.low.unwrap()) / (fixed.high - fixed.low);
        assert!((1.4..1.9).contains(&widening), "{widening}");
    }

    #[test]
    fn results_on_one_side_bound_one_side() {
        let won = always_valid(&[0, 0, 0, 0, 1000], Confidence::DEFAULT);
        assert!(won.low.unwrap() > 300.0 && won.high.is_none(), "{won:?}");
        let level = always_valid(&[0, 0, 1000, 0, 0], Confidence::DEFAULT);
        assert!(level.low.unwrap() < 0.0 && level.high == level.low.map(|low| -low), "{level:?}");
        // Beyond what is looked for: its last value is still a true bound.
        let lost = always_valid(&[1_000_000_000, 0, 0, 0, 0], Confidence::DEFAULT);
        assert!(
            lost.low.is_none() && (lost.high.unwrap() - elo_of_score(SCORE_MARGIN)).abs() < 0.1,
            "{lost:?}"
        );
    }

    /// The defining property, by simulation: in at most 5 of 100 runs is the truth outside at any look.
    #[test]
    fn the_truth_stays_inside_over_the_whole_run() {
        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        // Pairs of a lead of some 20 Elo.
        let shares = [0.04, 0.2, 0.46, 0.22, 0.08];
        let truth: f64 = (0..5).map(|index| shares[index] * Sample::<5>::score(index)).sum();
        let runs = 400;
        let left = (0..runs).filter(|_| {
            let mut counts = [0; 5];
            (0..1000).any(|pair| {
                let mut rest = random();
                let outcome = shares.iter().position(|share| {
                    rest -= share;
                    rest < 0.0
                });
                counts[outcome.unwrap_or(4)] += 1;
                pair % 10 == 9 && log_wealth(&counts, truth, STAKE_DEVIATION) >= 20.0_f64.ln()
            })
        });
        // Three standard errors above 5 %.
        let share = left.count() as f64 / f64::from(runs);
        assert!(share < 0.05 + 3.0 * (0.05 * 0.95 / f64::from(runs)).sqrt(), "{share}");
    }
}
