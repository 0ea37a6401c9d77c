//! Pentanomial and trinomial counts. Pairs of games by the candidate's points, and single games by result: integers, kept
//! exactly.

use super::sample::Sample;
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign};

/// Pairs by the candidate's points: LL, LD, DD or WL, WD, WW (0, ½, 1, 1½, 2).
///
/// The two games of a pair share their opening with colours reversed, so their results depend on each other;
/// counting pairs keeps that dependence in the variance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Number of games: two a pair.
    pub fn games(&self) -> u64 {
        self.pairs().saturating_mul(2)
    }

    /// The candidate's points in halves: 0 to 4 a pair.
    pub fn half_points(&self) -> u64 {
        (0..).zip(&self.0).fold(0, |sum, (halves, &count)| sum.saturating_add(count.saturating_mul(halves)))
    }

    /// Mean score of a game, 0 to 1, of the counts as they are; `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        average(&self.0, |score| score)
    }

    /// Population variance of the pair's mean score, of the counts as they are; `None` without pairs.
    pub fn variance(&self) -> Option<f64> {
        variance(&self.0)
    }

    /// Share of pairs that ended level (two draws, or a win each); `None` without pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.0[2] as f64 / self.pairs() as f64)
    }

    /// Pairs won for each pair lost; `None` if none was lost.
    pub fn pair_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0.map(|count| count as f64);
        (ll + ld > 0.0).then(|| (wd + ww) / (ll + ld))
    }

    /// The same pairs from the base's side.
    pub fn mirror(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The regularised distribution the formulas work on.
    pub fn sample(&self) -> Sample<5> {
        Sample::new(self.0)
    }
}

impl Add for Pentanomial {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Pentanomial(std::array::from_fn(|index| self.0[index].saturating_add(other.0[index])))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Single games by the candidate's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games the candidate won.
    pub wins: u64,
    /// Games the candidate lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl Trinomial {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins.saturating_add(self.losses).saturating_add(self.draws)
    }

    /// Share of games drawn; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// Losses, draws and wins, by the candidate's score.
    pub const fn by_score(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// Population variance of a game's score, of the counts as they are; `None` without games.
    pub fn variance(&self) -> Option<f64> {
        variance(&self.by_score())
    }

    /// The same games from the base's side.
    pub fn mirror(self) -> Self {
        Trinomial { wins: self.losses, losses: self.wins, draws: self.draws }
    }

    /// The regularised distribution the formulas work on; its cells are losses, draws, wins.
    pub fn sample(&self) -> Sample<3> {
        Sample::new(self.by_score())
    }
}

impl Add for Trinomial {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Trinomial {
            wins: self.wins.saturating_add(other.wins),
            losses: self.losses.saturating_add(other.losses),
            draws: self.draws.saturating_add(other.draws),
        }
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

fn average<const N: usize>(counts: &[u64; N], value: impl Fn(f64) -> f64) -> Option<f64> {
    let size: f64 = counts.iter().map(|&count| count as f64).sum();
    let total: f64 = (0..N).map(|index| counts[index] as f64 * value(Sample::<N>::score(index))).sum();
    (size > 0.0).then(|| total / size)
}

fn variance<const N: usize>(counts: &[u64; N]) -> Option<f64> {
    let mean = average(counts, |score| score)?;
    average(counts, |score| (score - mean).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_small_match() {
        let pairs = Pentanomial([50, 180, 460, 240, 70]);
        assert_eq!((pairs.pairs(), pairs.games(), pairs.half_points()), (1000, 2000, 2100));
        assert_eq!(pairs.mean(), Some(0.525));
        assert!((pairs.variance().unwrap() - 0.055_625).abs() < 1e-12);
        assert_eq!(pairs.draw_ratio(), Some(0.46));
        assert_eq!(pairs.pair_ratio(), Some(310.0 / 230.0));
    }

    #[test]
    fn nothing_counted_gives_no_figure() {
        let none = Pentanomial::default();
        assert_eq!(
            (none.mean(), none.variance(), none.draw_ratio(), none.pair_ratio()),
            (None, None, None, None)
        );
        assert_eq!(Trinomial::default().draw_ratio(), None);
        assert_eq!(Pentanomial([0, 0, 0, 0, 9]).pair_ratio(), None);
    }

    #[test]
    fn absurd_counts_do_not_overflow() {
        let huge = Pentanomial([u64::MAX; 5]);
        assert_eq!((huge.pairs(), huge.games(), huge.half_points()), (u64::MAX, u64::MAX, u64::MAX));
        assert_eq!(huge + huge, huge);
    }

    #[test]
    fn stored_as_a_plain_array() {
        let pairs = Pentanomial([1, 2, 3, 4, 5]);
        assert_eq!(serde_json::to_string(&pairs).unwrap(), "[1,2,3,4,5]");
        assert_eq!(serde_json::from_str::<Pentanomial>("[1,2,3,4,5]").unwrap(), pairs);
    }
}
