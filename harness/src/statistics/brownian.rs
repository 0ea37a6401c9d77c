//! Brownian motion with drift: where, and when, it leaves a strip.
//!
//! The running LLR of a test is close to such a motion that starts at 0 between the two bounds. Formulas: fishtest's
//! `brownian.py`; D. Siegmund, "Sequential Analysis" (1985), for the approximation.

use super::normal::cdf;
use std::f64::consts::PI;

/// Terms of the series below this size can no longer change the sum.
const SMALLEST_TERM: f64 = 1e-18;

/// Below this much spread (variance × time in squares of the strip's width) the series needs too many terms.
const LEAST_SPREAD: f64 = 1e-2;

/// Beyond this much drift across the strip (in units of the variance) the terms of the series cancel.
const MOST_DRIFT: f64 = 15.0;

/// Below this drift across the strip (in units of half the variance) the expected time is that without drift.
const SMALLEST_EXPONENT: f64 = 1e-6;

/// From this exponent on a reflected path is weighed with the asymptotic tail of the normal distribution.
const ASYMPTOTIC_FROM: f64 = 5.0;

/// A Brownian motion that starts at 0 and ends at the first touch of `lower` < 0 or `upper` > 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brownian {
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
    /// Mean change per unit of time.
    pub drift: f64,
    /// Variance per unit of time; positive.
    pub variance: f64,
}

impl Brownian {
    /// Probability of an outcome no better than "at `position` at `time`".
    ///
    /// Outcomes in order: touched the lower bound early, late; still between the bounds, by position; touched the upper
    /// bound late, early. A position on a bound means that it was touched at that time.
    pub fn outcome_cdf(&self, time: f64, position: f64) -> f64 {
        let width = self.upper - self.lower;
        let spread = self.variance * time / (width * width);
        if spread < LEAST_SPREAD || (self.drift / self.variance * width).abs() > MOST_DRIFT {
            self.siegmund(time, position)
        } else {
            self.series(time, position)
        }
    }

    /// [`outcome_cdf`](Self::outcome_cdf) as its expansion in eigenfunctions: exact, but slow for short times and inexact for strong drifts.
    pub fn series(&self, time: f64, position: f64) -> f64 {
        let width = self.upper - self.lower;
        let start = -self.lower;
        let end = position - self.lower;
        let gamma = self.drift / self.variance;
        let mut sum = 0.0;
        for n in 1.. {
            let wave = f64::from(n) * PI / width;
            let rate = 0.5 * self.variance * wave * wave + 0.5 * self.drift * gamma;
            let size = (gamma * (end - start) - rate * time).exp();
            let shape = 2.0 * (gamma * (wave * end).sin() - wave * (wave * end).cos())
                / (gamma * gamma + wave * wave);
            sum += size * (wave * start).sin() * shape / width;
            // A time of zero would never end; half a million terms are far beyond any use.
            if size < SMALLEST_TERM || n == 500_000 {
                break;
            }
        }
        (self.touches_lower_first() + sum).clamp(0.0, 1.0)
    }

    /// [`outcome_cdf`](Self::outcome_cdf) with one reflection at each bound (Siegmund): exact when the far bound is out of reach.
    pub fn siegmund(&self, time: f64, position: f64) -> f64 {
        let deviation = (self.variance * time).sqrt();
        let gamma = self.drift / self.variance;
        let mean = self.drift * time;
        let free = cdf((position - mean) / deviation);
        let at_lower = reflected(gamma * self.lower, (2.0 * self.lower - position + mean) / deviation);
        let at_upper = reflected(gamma * self.upper, (position - 2.0 * self.upper - mean) / deviation);
        (free + at_lower - at_upper).clamp(0.0, 1.0)
    }

    /// Probability that the upper bound is touched before the lower one, at any time.
    pub fn touches_upper_first(&self) -> f64 {
        let mirrored =
            Brownian { lower: -self.upper, upper: -self.lower, drift: -self.drift, variance: self.variance };
        mirrored.touches_lower_first()
    }

    /// Expected time until a bound is touched, by Wald's identity: what is gained on average by then, over the drift.
    pub fn expected_time(&self) -> f64 {
        if (2.0 * self.drift / self.variance).abs() * (self.upper - self.lower) < SMALLEST_EXPONENT {
            return -self.lower * self.upper / self.variance;
        }
        let gain = self.touches_upper_first() * self.upper + self.touches_lower_first() * self.lower;
        gain / self.drift
    }

    /// Probability that the lower bound is touched before the upper one, at any time.
    fn touches_lower_first(&self) -> f64 {
        let exponent = 2.0 * self.drift / self.variance;
        let (to_upper, width) = (self.upper, self.upper - self.lower);
        if (exponent * width).abs() < 1e-9 {
            to_upper / width
        } else if exponent < 0.0 {
            (exponent * to_upper).exp_m1() / (exponent * width).exp_m1()
        } else {
            // The same, multiplied by what would overflow far from the bounds.
            (exponent * self.lower).exp() * (-exponent * to_upper).exp_m1() / (-exponent * width).exp_m1()
        }
    }
}

/// e^(2·exponent)·Φ(z), the weight of the paths reflected at a bound.
///
/// With a large exponent the first factor is huge and the second tiny, so Φ is replaced by two terms of its asymptotic
/// series, as in fishtest; z is then below -2√exponent, where that is good to a percent.
fn reflected(exponent: f64, z: f64) -> f64 {
    if exponent < ASYMPTOTIC_FROM {
        return (2.0 * exponent).exp() * cdf(z);
    }
    let mills = (1.0 / (z * z) - 1.0) / z;
    (2.0 * exponent - 0.5 * z * z).exp() * mills / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_outcomes_are_less_likely_to_be_exceeded() {
        let motion = Brownian { lower: -2.0, upper: 3.0, drift: 0.05, variance: 0.5 };
        let order = [(1.0, -2.0), (9.0, -2.0), (9.0, -1.0), (9.0, 0.5), (9.0, 2.9), (9.0, 3.0), (2.0, 3.0)];
        let probabilities = order.map(|(time, position)| motion.outcome_cdf(time, position));
        assert!(probabilities.is_sorted(), "{probabilities:?}");
        assert!(probabilities[0] > 0.0 && probabilities[6] < 1.0);
    }

    #[test]
    fn both_forms_agree_where_both_hold() {
        for drift in [-0.3, 0.0, 0.2] {
            let motion = Brownian { lower: -3.0, upper: 3.0, drift, variance: 1.0 };
            let (series, siegmund) = (motion.series(1.0, 0.4), motion.siegmund(1.0, 0.4));
            assert!((series - siegmund).abs() < 1e-9, "{series} {siegmund}");
        }
    }

    #[test]
    fn without_drift_the_expected_time_is_the_product_of_the_distances() {
        let motion = |drift| Brownian { lower: -3.0, upper: 3.0, drift, variance: 0.5 };
        assert!((motion(0.0).expected_time() - 18.0).abs() < 1e-9);
        assert!((motion(1e-9).expected_time() - 18.0).abs() < 1e-3);
    }

    #[test]
    fn with_a_strong_drift_it_is_the_distance_over_the_drift() {
        let motion = |lower, drift, variance| Brownian { lower, upper: 3.0, drift, variance };
        assert!((motion(-3.0, 2.0, 0.1).expected_time() - 1.5).abs() < 1e-6);
        assert!((motion(-3.0, -2.0, 0.1).expected_time() - 1.5).abs() < 1e-6);
        assert!((motion(-3000.0, 2.0, 1e-4).expected_time() - 1.5).abs() < 1e-6);
    }

    #[test]
    fn one_bound_or_the_other_is_touched() {
        for drift in [-1e6, -0.7, -1e-12, 0.0, 0.3, 1e6] {
            let motion = Brownian { lower: -2.0, upper: 3.0, drift, variance: 0.5 };
            let (upper, lower) = (motion.touches_upper_first(), motion.touches_lower_first());
            assert!((upper + lower - 1.0).abs() < 1e-9, "{drift}: {upper} {lower}");
        }
    }

    #[test]
    fn never_out_of_range() {
        for drift in [-1e9, -1.0, 0.0, 1e-300, 7.0, 1e9] {
            for variance in [1e-12, 1.0, 1e12] {
                for (time, position) in [(1e-9, 0.0), (1.0, -2.0), (1e9, 2.0)] {
                    let p = Brownian { lower: -2.0, upper: 2.0, drift, variance }.outcome_cdf(time, position);
                    assert!((0.0..=1.0).contains(&p), "{drift} {variance} {time} {position}: {p}");
                }
            }
        }
    }
}
