//! Tapered score: a middlegame and an endgame value in one number.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A tapered score in centipawns: the value with all pieces on the board and the value with none.
///
/// Both halves share one `i64` (endgame in the upper 32 bits, middlegame in the lower), so that one
/// addition serves both; the trick is explained on the chess programming wiki under "Tapered Eval".
/// No sum of legal weights comes near the end of a half.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Score(i64);

/// Shorthand constructor, for tables: `s(middlegame, endgame)` in centipawns.
#[inline(always)]
pub const fn s(middlegame: i32, endgame: i32) -> Score {
    Score(((endgame as i64) << 32) + middlegame as i64)
}

impl Score {
    /// No advantage in either phase.
    pub const ZERO: Score = Score(0);

    /// The middlegame half, centipawns.
    #[inline(always)]
    pub const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// The endgame half, centipawns. A negative middlegame half has borrowed one from it, which the
    /// rounding constant gives back.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        ((self.0 + 0x8000_0000) >> 32) as i32
    }
}

impl std::fmt::Debug for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s({}, {})", self.middlegame(), self.endgame())
    }
}

impl Add for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn mul(self, factor: i32) -> Score {
        Score(self.0 * i64::from(factor))
    }
}

impl AddAssign for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: Score) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    #[inline(always)]
    fn sub_assign(&mut self, other: Score) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn halves_do_not_disturb_each_other(a in -9000..9000, b in -9000..9000, c in -9000..9000, d in -9000..9000, k in -3..4) {
            let sum = s(a, b) + s(c, d);
            prop_assert_eq!((sum.middlegame(), sum.endgame()), (a + c, b + d));
            let difference = s(a, b) - s(c, d);
            prop_assert_eq!((difference.middlegame(), difference.endgame()), (a - c, b - d));
            let scaled = s(a, b) * k;
            prop_assert_eq!((scaled.middlegame(), scaled.endgame()), (a * k, b * k));
            prop_assert_eq!((-s(a, b)).endgame(), -b);
        }
    }
}
