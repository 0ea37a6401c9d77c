//! Agreement of two measurements of the same strength.
//!
//! Pure functions on figures, each an estimate in Elo with its standard error; where they come from is not asked. The
//! two are taken as independent and normally distributed, so that their difference has the standard error √(a² + b²).
//!
//! The *95 % difference rule* names the outcome from two questions. Can chance explain the difference: does its 95 %
//! interval hold zero? And does a figure show a direction: does its own 95 % interval leave zero out? A figure that shows
//! none has still been a test of the other if it *had enough precision*: if its margin is smaller than the other's estimate, so
//! that it would have shown a direction at that strength. A wide interval fits anything, and agrees with nothing.
//!
//! | the difference | directions shown | outcome |
//! |---|---|---|
//! | chance can explain it | at least one, and each shows one or had enough precision | [`Agreement::Agrees`] |
//! | chance can explain it | otherwise | [`Agreement::NoEvidence`] |
//! | chance cannot explain it | both, the same | [`Agreement::SameDirection`] |
//! | chance cannot explain it | otherwise | [`Agreement::Contradicts`] |
//!
//! Of two measurements of the very same strength one in twenty differs by more than chance explains.

use super::elo::Estimate;
use super::normal::Confidence;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An estimate and its standard error, both in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    estimate: f64,
    standard_error: f64,
}

impl Figure {
    /// A figure; `None` unless both are of a size that Elo can have, up to a million, and the standard error is positive.
    pub fn new(estimate: f64, standard_error: f64) -> Option<Figure> {
        /// Differences of rated players stay far below.
        const MOST: f64 = 1e6;
        let is_error = standard_error > 0.0 && standard_error <= MOST;
        (estimate.abs() <= MOST && is_error).then_some(Figure { estimate, standard_error })
    }

    /// A figure that is published as `estimate ± margin` at this level; `None` as in [`Figure::new`].
    pub fn with_margin(estimate: f64, margin: f64, level: Confidence) -> Option<Figure> {
        Figure::new(estimate, margin / level.deviations())
    }

    /// The estimate, Elo.
    pub const fn estimate(self) -> f64 {
        self.estimate
    }

    /// The standard error, Elo.
    pub const fn standard_error(self) -> f64 {
        self.standard_error
    }

    /// The interval around the estimate.
    pub fn interval(self, level: Confidence) -> Estimate {
        let margin = level.deviations() * self.standard_error;
        Estimate {
            estimate: self.estimate,
            margin,
            low: self.estimate - margin,
            high: self.estimate + margin,
        }
    }

    /// How much more it is than the other, which is independent of it.
    pub fn minus(self, other: Figure) -> Figure {
        Figure {
            estimate: self.estimate - other.estimate,
            standard_error: self.standard_error.hypot(other.standard_error),
        }
    }

    /// The sign of the strength, if its 95 % interval leaves zero out: 1 or -1, otherwise 0.
    fn direction(self) -> i8 {
        let Estimate { low, high, .. } = self.interval(Confidence::DEFAULT);
        i8::from(low > 0.0) - i8::from(high < 0.0)
    }

    /// Whether it shows a direction, or would show one if the strength were what the other says.
    fn could_tell(self, other: Figure) -> bool {
        self.direction() != 0 || self.interval(Confidence::DEFAULT).margin < other.estimate.abs()
    }
}

/// What two figures say of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Chance can explain the difference, a direction is shown, and both were precise enough to show it.
    Agrees,
    /// Both show the same direction, and sizes that differ by more than chance.
    SameDirection,
    /// Chance can explain the difference, but neither figure shows a direction, or one is too wide to have done so.
    NoEvidence,
    /// They differ by more than chance, and do not show the same direction.
    Contradicts,
}

impl Agreement {
    /// What the 95 % difference rule says of two figures; their order does not matter.
    pub fn of(one: Figure, other: Figure) -> Agreement {
        let directions = (one.direction(), other.direction());
        let chance_explains = one.minus(other).direction() == 0;
        match (chance_explains, directions) {
            (true, (0, 0)) => Agreement::NoEvidence,
            (true, _) if one.could_tell(other) && other.could_tell(one) => Agreement::Agrees,
            (true, _) => Agreement::NoEvidence,
            (false, (first, second)) if first == second && first != 0 => Agreement::SameDirection,
            (false, _) => Agreement::Contradicts,
        }
    }

    /// The name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees",
            Agreement::SameDirection => "same direction",
            Agreement::NoEvidence => "no evidence either way",
            Agreement::Contradicts => "contradicts",
        }
    }

    /// The reason, as a clause.
    pub const fn reason(self) -> &'static str {
        match self {
            Agreement::Agrees => "chance can explain the difference",
            Agreement::SameDirection => {
                "both point the same way, and chance cannot explain the difference in size"
            }
            Agreement::NoEvidence => {
                "chance can explain the difference, but no direction is shown that both could have shown"
            }
            Agreement::Contradicts => "chance cannot explain the difference",
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn published(estimate: f64, margin: f64) -> Figure {
        Figure::with_margin(estimate, margin, Confidence::DEFAULT).unwrap()
    }

    #[test]
    fn the_outcomes_by_example() {
        for ((one, margin), (other, other_margin), outcome) in [
            // The two published runs of one test: 10.5 apart, 23.9 would be within chance.
            ((28.5, 13.1), (18.0, 20.0), Agreement::Agrees),
            ((28.5, 13.1), (45.7, 16.6), Agreement::Agrees),
            ((-1.8, 5.3), (2.0, 8.0), Agreement::NoEvidence),
            // Too wide to have shown what the other shows, whatever the estimate.
            ((28.5, 13.1), (0.0, 325.0), Agreement::NoEvidence),
            ((28.5, 13.1), (107.5, 203.3), Agreement::NoEvidence),
            ((6.1, 4.8), (-5.6, 15.7), Agreement::NoEvidence),
            ((6.1, 4.8), (-1.0, 6.0), Agreement::Agrees),
            ((10.0, 2.0), (20.0, 3.0), Agreement::SameDirection),
            ((-10.0, 2.0), (-20.0, 3.0), Agreement::SameDirection),
            ((13.0, 8.3), (-7.4, 8.0), Agreement::Contradicts),
            ((10.0, 4.0), (-10.0, 4.0), Agreement::Contradicts),
            ((30.0, 5.0), (5.0, 8.0), Agreement::Contradicts),
            ((-5.0, 6.0), (5.0, 6.0), Agreement::Contradicts),
        ] {
            assert_eq!(
                Agreement::of(published(one, margin), published(other, other_margin)),
                outcome,
                "{one} {other}"
            );
        }
    }

    #[test]
    fn the_difference_has_the_root_of_the_squares() {
        let difference = published(28.5, 3.0).minus(published(18.0, 4.0)).interval(Confidence::DEFAULT);
        assert!((difference.estimate - 10.5).abs() < 1e-12 && (difference.margin - 5.0).abs() < 1e-12);
    }

    #[test]
    fn no_figure_without_a_margin() {
        for (estimate, error) in
            [(f64::NAN, 1.0), (1.0, 0.0), (1.0, -2.0), (1.0, f64::INFINITY), (1.0, f64::NAN)]
        {
            assert_eq!(Figure::new(estimate, error), None);
        }
    }

    proptest! {
        #[test]
        fn neither_order_nor_sides_matter(a in -50.0..50.0_f64, b in -50.0..50.0_f64, s in 0.1..20.0_f64, t in 0.1..20.0_f64) {
            let (one, other) = (Figure::new(a, s).unwrap(), Figure::new(b, t).unwrap());
            let mirrored = [Figure::new(-a, s).unwrap(), Figure::new(-b, t).unwrap()];
            prop_assert_eq!(Agreement::of(one, other), Agreement::of(other, one));
            prop_assert_eq!(Agreement::of(one, other), Agreement::of(mirrored[0], mirrored[1]));
            prop_assert_ne!(Agreement::of(one, one), Agreement::Contradicts);
        }
    }
}
