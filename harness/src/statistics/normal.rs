//! How likely is a standard normal variable below z, far into the tail too; and how many standard deviations does a
//! confidence level span?

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf;
use std::f64::consts::SQRT_2;
use std::fmt;

/// Probability that a standard normal variable is at most `z`.
pub fn cdf(z: f64) -> f64 {
    0.5 * erf::erfc(-z / SQRT_2)
}

/// The value that a standard normal variable is below with this `probability`, strictly between 0 and 1.
pub fn quantile(probability: f64) -> f64 {
    -SQRT_2 * erf::erfc_inv(2.0 * probability)
}

/// The probability with which an interval is meant to cover the truth, strictly between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Confidence(f64);

impl Confidence {
    /// The customary 95 %.
    pub const DEFAULT: Confidence = Confidence(0.95);

    /// A level strictly between 0 and 1.
    ///
    /// # Errors
    /// The value given, if it is no such level.
    pub fn new(level: f64) -> Result<Self, NotAConfidence> {
        if level > 0.0 && level < 1.0 { Ok(Confidence(level)) } else { Err(NotAConfidence(level)) }
    }

    /// The level, between 0 and 1.
    pub const fn level(self) -> f64 {
        self.0
    }

    /// The level of each of so many intervals that cover the truth all together at this level (C. E. Bonferroni, 1936).
    pub fn shared_by(self, intervals: usize) -> Confidence {
        Confidence(1.0 - (1.0 - self.0) / intervals.max(1) as f64)
    }

    /// Half the width of the two-sided interval in standard deviations: 1.96 for 95 %.
    pub fn deviations(self) -> f64 {
        SQRT_2 * erf::erfc_inv(1.0 - self.0)
    }
}

impl Confidence {
    /// The same for a standard deviation that is itself estimated from so few observations: by Student's t-distribution, 12.7
    /// of two, 2.26 of ten. Infinite of one or none, which have no deviation.
    pub fn deviations_of(self, observations: u64) -> f64 {
        let freedom = observations.saturating_sub(1) as f64;
        let quantile = |t: StudentsT| t.inverse_cdf(0.5 + 0.5 * self.0);
        StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, quantile)
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Confidence::DEFAULT
    }
}

/// A number that is no confidence level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotAConfidence(f64);

impl fmt::Display for NotAConfidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a confidence level of {} is impossible: give one strictly between 0 and 1, such as 0.95",
            self.0
        )
    }
}

impl std::error::Error for NotAConfidence {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_observations_ask_for_more_deviations() {
        for (observations, deviations) in [(2, 12.706_2), (10, 2.262_2), (31, 2.042_3), (100_001, 1.959_99)] {
            let ours = Confidence::DEFAULT.deviations_of(observations);
            assert!((ours - deviations).abs() < 1e-3, "{observations}: {ours}");
        }
        assert_eq!([0, 1].map(|few| Confidence::DEFAULT.deviations_of(few)), [f64::INFINITY; 2]);
    }

    #[test]
    fn known_values() {
        assert!((cdf(0.0) - 0.5).abs() < 1e-16);
        // Probabilities by the C library's erfc.
        for (z, probability) in [
            (1.959_963_984_540_054, 0.975),
            (-0.3, 0.382_088_577_811_047_4),
            (-8.0, 6.220_960_574_271_819e-16),
            (-29.0, 3.289_785_266_704_565e-185),
        ] {
            assert!((cdf(z) / probability - 1.0).abs() < 1e-10, "{z}: {}", cdf(z));
        }
        for probability in [1e-15, 0.01, 0.5, 0.975] {
            assert!((cdf(quantile(probability)) / probability - 1.0).abs() < 1e-9, "{probability}");
        }
        assert!((Confidence::DEFAULT.deviations() - 1.959_963_984_540_054).abs() < 1e-12);
    }

    #[test]
    fn impossible_levels_are_refused() {
        for level in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
            assert!(Confidence::new(level).is_err());
        }
        assert_eq!(
            Confidence::new(95.0).unwrap_err().to_string(),
            "a confidence level of 95 is impossible: give one strictly between 0 and 1, such as 0.95"
        );
    }
}
