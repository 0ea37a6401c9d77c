//! Sample: the distribution that the counts describe. The cells as the formulas want them: equally spaced scores from 0 to
//! 1, no cell empty, and the moments of that distribution.

/// What an empty cell counts as. It keeps every likelihood finite and is far below the weight of one game;
/// the value is that of fishtest, OpenBench and fastchess, so that results can be compared.
pub const EMPTY_CELL: f64 = 1e-3;

/// Regularised counts of `N` outcomes with the scores 0, 1/(N-1), …, 1.
///
/// `N` is 3 for games (loss, draw, win) and 5 for pairs (0, ½, 1, 1½, 2 points of two).
/// Every formula below works on these cells; the integers they came from stay with the caller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<const N: usize> {
    cells: [f64; N],
    size: f64,
    categories: usize,
}

impl<const N: usize> Sample<N> {
    /// How many games one observation holds: 1 for a game, 2 for a pair.
    pub const GAMES: f64 = (N - 1) as f64 / 2.0;

    /// Regularises the counts: an empty cell becomes [`EMPTY_CELL`], the others stay as they are.
    pub fn new(counts: [u64; N]) -> Self {
        let cells = counts.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
        let categories = counts.iter().filter(|&&count| count > 0).count();
        Sample { cells, size: cells.iter().sum(), categories }
    }

    /// The score of cell `index`, from 0 to 1.
    pub const fn score(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    /// The regularised counts.
    pub const fn cells(&self) -> &[f64; N] {
        &self.cells
    }

    /// The regularised number of observations.
    pub const fn size(&self) -> f64 {
        self.size
    }

    /// Whether at least two different outcomes were seen. Without that the variance comes from the regularisation
    /// alone, and every figure built on it would be invented.
    pub const fn has_spread(&self) -> bool {
        self.categories >= 2
    }

    /// The same counts from the other player's side.
    pub fn mirror(mut self) -> Self {
        self.cells.reverse();
        self
    }

    /// Mean and variance of the scores of the counts as they are, empty cells being empty, and the number of observations.
    pub fn of_counts(&self) -> (f64, f64, f64) {
        let counts = self.cells.map(|cell| if cell == EMPTY_CELL { 0.0 } else { cell });
        let size: f64 = counts.iter().sum();
        let average = |value: &dyn Fn(f64) -> f64| {
            counts.iter().enumerate().map(|(index, count)| count * value(Self::score(index))).sum::<f64>()
                / size
        };
        let mean = average(&|score| score);
        (mean, average(&|score| (score - mean).powi(2)), size)
    }

    /// The sum of `value(score)` over the observations, divided by their number.
    pub fn average(&self, value: impl Fn(f64) -> f64) -> f64 {
        let total: f64 = (0..N).map(|index| self.cells[index] * value(Self::score(index))).sum();
        total / self.size
    }

    /// Mean, variance and shape of the scores.
    pub fn moments(&self) -> Moments {
        let mean = self.average(|score| score);
        let variance = self.average(|score| (score - mean).powi(2));
        let skewness = self.average(|score| (score - mean).powi(3)) / variance.powf(1.5);
        let excess_kurtosis = self.average(|score| (score - mean).powi(4)) / variance.powi(2) - 3.0;
        Moments { mean, variance, skewness, excess_kurtosis }
    }
}

/// Moments of the score of one observation (a pair, or a game).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Mean score, from 0 to 1.
    pub mean: f64,
    /// Population variance: divided by the number of observations, not by one less.
    pub variance: f64,
    /// Third standardised moment.
    pub skewness: f64,
    /// Fourth standardised moment less the normal distribution's 3.
    pub excess_kurtosis: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_cells_are_regularised() {
        let sample = Sample::new([0, 3, 0, 7, 1]);
        assert_eq!(sample.cells(), &[EMPTY_CELL, 3.0, EMPTY_CELL, 7.0, 1.0]);
        assert!((sample.size() - 11.002).abs() < 1e-12);
    }

    #[test]
    fn one_category_has_no_spread() {
        assert!(!Sample::new([0; 5]).has_spread());
        assert!(!Sample::new([0, 0, 9, 0, 0]).has_spread());
        assert!(Sample::new([0, 1, 1]).has_spread());
    }

    #[test]
    fn moments_of_a_fair_coin() {
        let moments = Sample::new([1_000_000_000, 0, 1_000_000_000]).moments();
        assert!((moments.mean - 0.5).abs() < 1e-12);
        assert!((moments.variance - 0.25).abs() < 1e-9);
        assert!(moments.skewness.abs() < 1e-9);
        assert!((moments.excess_kurtosis + 2.0).abs() < 1e-9);
    }
}
