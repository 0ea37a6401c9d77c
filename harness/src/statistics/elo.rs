//! Elo of a sample: logistic and normalized Elo of a sample with their margins, and the likelihood of
//! superiority, for a number of games that was fixed beforehand.
//!
//! Every figure needs at least two different outcomes in the sample and is `None` without them. All games won is one
//! category: a number would be that of the regularisation, not of the games. What such counts do say is said
//! by [`one_category`].
//!
//! Elo and its margin are those of the counts as they are, as OpenBench and fastchess have them: [0, 2, 0, 1, 1] is +43.66, whatever
//! an empty cell is made to count in a likelihood. Normalized Elo and the likelihood of superiority are those of fishtest
//! (`_nelo_pentanomial_details`, `stat_util.get_elo`), on regularised counts.

use super::normal::{self, Confidence};
use super::sample::Sample;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::f64::consts::LN_10;

/// Normalized Elo per unit of (mean - ½) / standard deviation of a game, so that near equality it resembles logistic Elo
/// of games without draws: 800 / ln 10.
pub const NORMALIZED_UNIT: f64 = 800.0 / LN_10;

/// What an open end counts as where the width of an interval is asked for, Elo, unless the other end lies beyond.
const OPEN_END: f64 = 1200.0;

/// Expected score of a player `elo` logistic Elo stronger, divided by that of the opponent.
pub fn odds_of_elo(elo: f64) -> f64 {
    10_f64.powf(elo / 400.0)
}

/// Expected score of a player `elo` logistic Elo stronger, between 0 and 1.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + odds_of_elo(-elo))
}

/// Logistic Elo of an expected score; infinite for 0 and for 1.
pub fn elo_of_score(score: f64) -> f64 {
    // Adding nothing makes -0 a 0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The same for an end of an interval of scores; `None` beyond 0 and 1, where the end excludes no strength.
fn end_of_scores(score: f64) -> Option<f64> {
    (0.0 < score && score < 1.0).then(|| elo_of_score(score))
}

/// The t-value, (mean - ½) / standard deviation of one observation, of `nelo` normalized Elo. Normalized Elo is
/// per game, and a pair holds two games: hence the √2 for pairs.
pub fn t_value_of_nelo<const N: usize>(nelo: f64) -> f64 {
    Sample::<N>::GAMES.sqrt() * nelo / NORMALIZED_UNIT
}

/// A figure and the interval around it. An open end, which excludes no strength, is infinite here and `null` in JSON, and so is then the
/// margin there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Estimate {
    /// The value that fits the counts.
    pub estimate: f64,
    /// Half the width of the interval, to be printed after ± if no end is open.
    pub margin: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Between which strengths, in logistic Elo, without an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end; `None` if no strength is too low.
    pub low: Option<f64>,
    /// Upper end; `None` if no strength is too high.
    pub high: Option<f64>,
}

impl Estimate {
    /// The interval alone.
    pub fn interval(&self) -> Interval {
        let known = |end: f64| end.is_finite().then_some(end);
        Interval { low: known(self.low), high: known(self.high) }
    }

    /// The value that fits the counts; `None` if a stored summary does not have it (versions before left out what lay beyond ±1200).
    pub fn known(&self) -> Option<f64> {
        self.estimate.is_finite().then_some(self.estimate)
    }
}

/// An [`Estimate`] as JSON.
#[derive(Serialize, Deserialize)]
struct Written {
    estimate: Option<f64>,
    margin: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Estimate> for Written {
    fn from(estimate: Estimate) -> Written {
        let Interval { low, high } = estimate.interval();
        let margin = low.and(high).map(|_| estimate.margin);
        Written { estimate: estimate.known(), margin, low, high }
    }
}

impl From<Written> for Estimate {
    fn from(Written { estimate, margin, low, high }: Written) -> Estimate {
        let margin = margin.unwrap_or_else(|| Interval { low, high }.half_width());
        // A value that was left out lay beyond the end that is open.
        let beyond = if high.is_none() { f64::INFINITY } else { f64::NEG_INFINITY };
        Estimate {
            estimate: estimate.unwrap_or(beyond),
            margin,
            low: low.unwrap_or(f64::NEG_INFINITY),
            high: high.unwrap_or(f64::INFINITY),
        }
    }
}

impl Interval {
    /// Half its width in Elo, an open end being taken for ±1200, or for the other end if that lies beyond.
    pub fn half_width(&self) -> f64 {
        let low = self.low.unwrap_or_else(|| self.high.unwrap_or(0.0).min(-OPEN_END));
        let high = self.high.unwrap_or_else(|| self.low.unwrap_or(0.0).max(OPEN_END));
        0.5 * (high - low)
    }
}

/// Where the strength lies: the interval of [`elo`], or that of [`one_category`] where it has none. Both ends are open
/// without observations.
pub fn interval<const N: usize>(counts: &[u64; N], confidence: Confidence) -> Interval {
    elo(&Sample::new(*counts), confidence)
        .map(|estimate| estimate.interval())
        .or_else(|| one_category(counts, confidence))
        .unwrap_or(Interval { low: None, high: None })
}

/// Who the counts show to be the stronger, if anybody: `Greater` for the player whose counts they are. The interval of the mean
/// score must leave ½ out, and few observations must leave it out by more (Student's t-distribution), since their deviation
/// is hardly known.
pub fn shown_stronger<const N: usize>(counts: &[u64; N], confidence: Confidence) -> Option<Ordering> {
    if let Some(Interval { low, high }) = one_category(counts, confidence) {
        return match (low, high) {
            (Some(low), _) if low > 0.0 => Some(Ordering::Greater),
            (_, Some(high)) if high < 0.0 => Some(Ordering::Less),
            _ => None,
        };
    }
    let observations: u64 = counts.iter().sum();
    let (sample, freedom) = (Sample::new(*counts), observations.saturating_sub(1) as f64);
    let moments = sample.moments();
    let reach = confidence.deviations_of(observations) * (moments.variance / freedom).sqrt();
    // Without observations the reach is no number, and nothing is greater than that.
    let beyond = |distance: f64| distance > reach;
    match moments.mean - 0.5 {
        lead if beyond(lead) => Some(Ordering::Greater),
        lead if beyond(-lead) => Some(Ordering::Less),
        _ => None,
    }
}

/// The interval if all observations fell in one category; `None` if they did not, or there are none.
///
/// Had the category a probability below q = (1 - confidence)^(1/n), so one-sided a result would have been too unlikely
/// (C. J. Clopper and E. S. Pearson, 1934). With q or more in it, wherever the rest goes, the mean score lies
/// between q·score and q·score + 1 - q. For a number of games that was fixed beforehand.
pub fn one_category<const N: usize>(counts: &[u64; N], confidence: Confidence) -> Option<Interval> {
    let index = counts.iter().position(|&count| count > 0)?;
    if counts[index + 1..].iter().any(|&count| count > 0) {
        return None;
    }
    let rest = -((1.0 - confidence.level()).ln() / counts[index] as f64).exp_m1();
    let low = (1.0 - rest) * Sample::<N>::score(index);
    Some(Interval { low: end_of_scores(low), high: end_of_scores(low + rest) })
}

/// Logistic Elo with the Elo of the ends of the score's interval. The scale is curved, so the ends need not
/// lie `margin` from the estimate.
pub fn elo<const N: usize>(sample: &Sample<N>, confidence: Confidence) -> Option<Estimate> {
    sample.has_spread().then(|| {
        let (mean, variance, size) = sample.of_counts();
        let reach = confidence.deviations() * (variance / size).sqrt();
        let ends = Interval { low: end_of_scores(mean - reach), high: end_of_scores(mean + reach) };
        Written { estimate: Some(elo_of_score(mean)), margin: None, low: ends.low, high: ends.high }.into()
    })
}

/// Normalized Elo: the lead in standard deviations of a game, which tells how many games it takes to see it.
///
/// The margin allows for the uncertainty of the standard deviation too: per observation the variance of the t-value is
/// 1 - t·skewness + ¼t²·(excess kurtosis + 2), by the delta method.
pub fn nelo<const N: usize>(sample: &Sample<N>, confidence: Confidence) -> Option<Estimate> {
    sample.has_spread().then(|| {
        let moments = sample.moments();
        let t = (moments.mean - 0.5) / moments.variance.sqrt();
        let variance = 1.0 - t * moments.skewness + 0.25 * t * t * (moments.excess_kurtosis + 2.0);
        let unit = NORMALIZED_UNIT / Sample::<N>::GAMES.sqrt();
        let estimate = unit * t;
        let margin = confidence.deviations() * unit * (variance.max(0.0) / sample.size()).sqrt();
        Estimate { estimate, margin, low: estimate - margin, high: estimate + margin }
    })
}

/// Likelihood of superiority: the probability that an equal player would have scored less, 0 to 1.
pub fn los<const N: usize>(sample: &Sample<N>) -> Option<f64> {
    sample.has_spread().then(|| {
        let moments = sample.moments();
        normal::cdf((moments.mean - 0.5) / (moments.variance / sample.size()).sqrt())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-1000.0, -3.5, 0.0, 1e-6, 200.0, 1190.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!([0.0, 0.5, 1.0].map(elo_of_score), [f64::NEG_INFINITY, 0.0, f64::INFINITY]);
    }

    #[test]
    fn one_sided_results_give_no_figure() {
        for counts in [[0; 5], [20, 0, 0, 0, 0], [0, 0, 9, 0, 0], [0, 0, 0, 0, 1_000_000]] {
            let sample = Sample::new(counts);
            assert_eq!(elo(&sample, Confidence::DEFAULT), None);
            assert_eq!(nelo(&sample, Confidence::DEFAULT), None);
            assert_eq!(los(&sample), None);
        }
    }

    #[test]
    fn one_category_bounds_the_strength() {
        let at = |counts: [u64; 5]| one_category(&counts, Confidence::DEFAULT);
        // 0.05^(1/20) = 0.8609, a score of 0.8609 is +316.6 Elo.
        let won = at([0, 0, 0, 0, 20]).unwrap();
        assert!((won.low.unwrap() - 316.6).abs() < 0.1 && won.high.is_none(), "{won:?}");
        let lost = at([20, 0, 0, 0, 0]).unwrap();
        assert!(lost.low.is_none() && (lost.high.unwrap() + won.low.unwrap()).abs() < 1e-9, "{lost:?}");
        let level = at([0, 0, 20, 0, 0]).unwrap();
        assert!((level.low.unwrap() + level.high.unwrap()).abs() < 1e-9);
        assert_eq!(at([0, 0, 1, 0, 0]).map(|one| one.low.is_some()), Some(true));
        assert_eq!((at([0; 5]), at([1, 0, 0, 0, 1])), (None, None));
    }

    #[test]
    fn an_end_that_excludes_nothing_is_open() {
        let at = |counts: [u64; 5]| interval(&counts, Confidence::DEFAULT);
        let open = Interval { low: None, high: None };
        assert_eq!((at([0; 5]), at([1, 0, 0, 0, 1])), (open, open));
        assert_eq!(open.half_width(), 1200.0);
        let beyond = at([1, 0, 0, 0, 900_000]);
        assert!(beyond.low.is_some_and(|low| low > 2000.0) && beyond.high.is_none(), "{beyond:?}");
        assert_eq!(beyond.half_width(), 0.0);
        let won = at([0, 0, 0, 1, 300]);
        assert!(won.low.is_some_and(|low| low > 0.0) && won.high.is_none(), "{won:?}");

        let usual = [50, 180, 460, 240, 70];
        let estimate = elo(&Sample::new(usual), Confidence::DEFAULT).unwrap();
        assert_eq!(at(usual), Interval { low: Some(estimate.low), high: Some(estimate.high) });
        assert!((at(usual).half_width() - estimate.margin).abs() < 1e-9);
        // 0.05^(1/320) = 0.99068: at most 0.00932 of the pairs may be others, half a point of two off: 0.00466, 3.2 Elo.
        assert!((at([0, 0, 320, 0, 0]).half_width() - 3.24).abs() < 0.01);
    }

    #[test]
    fn few_pairs_show_nobody_to_be_stronger() {
        let shown = |counts: [u64; 5]| shown_stronger(&counts, Confidence::DEFAULT);
        // The ordinary interval leaves 0 out in all of these.
        for few in [[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 2, 1, 2]] {
            assert!(elo(&Sample::new(few), Confidence::DEFAULT).unwrap().low > 0.0, "{few:?}");
            assert_eq!(shown(few), None, "{few:?}");
        }
        for many in [[0, 0, 2, 10, 12], [10, 90, 200, 150, 50]] {
            assert_eq!(shown(many), Some(Ordering::Greater), "{many:?}");
            let mut mirrored = many;
            mirrored.reverse();
            assert_eq!(shown(mirrored), Some(Ordering::Less), "{many:?}");
        }
        assert_eq!([shown([0; 5]), shown([0, 0, 0, 0, 2]), shown([0, 0, 9, 0, 0])], [None; 3]);
        assert_eq!(
            [shown([0, 0, 0, 0, 9]), shown([9, 0, 0, 0, 0])],
            [Some(Ordering::Greater), Some(Ordering::Less)]
        );
    }

    #[test]
    fn elo_is_that_of_the_counts_as_they_are() {
        for (counts, expected) in [
            ([0, 2, 0, 1, 1], 43.66),
            ([0, 0, 1, 1, 0], 88.74),
            ([1, 0, 0, 0, 1], 0.0),
            ([0, 0, 0, 1, 3000], 1631.6),
        ] {
            let estimate = elo(&Sample::new(counts), Confidence::DEFAULT).unwrap().estimate;
            assert!((estimate - expected).abs() < 0.01 * expected.max(1.0), "{counts:?}: {estimate}");
        }
    }

    #[test]
    fn an_open_end_is_no_figure_in_json() {
        let written = |counts: [u64; 5]| {
            let estimate = elo(&Sample::new(counts), Confidence::DEFAULT).unwrap();
            let json = serde_json::to_value(estimate).unwrap();
            assert_eq!(serde_json::from_value::<Estimate>(json.clone()).unwrap(), estimate, "{counts:?}");
            ["estimate", "margin", "low", "high"].map(|key| json[key].as_f64().is_some())
        };
        assert_eq!(written([50, 180, 460, 240, 70]), [true; 4]);
        assert_eq!(written([0, 0, 0, 3, 300]), [true, false, true, false]);
        assert_eq!(written([300, 3, 0, 0, 0]), [true, false, false, true]);
        assert_eq!(written([0, 0, 0, 1, 3000]), [true, false, true, false]);
        let before = serde_json::json!({"estimate": null, "margin": null, "low": 900.0, "high": null});
        assert_eq!(serde_json::from_value::<Estimate>(before).unwrap().known(), None);
        assert_eq!(written([1, 0, 0, 0, 1]), [true, false, false, false]);
    }

    #[test]
    fn a_wider_confidence_is_a_wider_interval() {
        let sample = Sample::new([50, 180, 460, 240, 70]);
        let at = |level| elo(&sample, Confidence::new(level).unwrap()).unwrap();
        assert!(at(0.5).margin < at(0.95).margin && at(0.95).margin < at(0.999).margin);
        assert_eq!(at(0.5).estimate, at(0.999).estimate);
    }
}
