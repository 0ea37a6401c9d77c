//! How long will the test still take? Between which numbers, rather than how long exactly: while the strength is
//! unknown, so is the length.

use super::brownian::Brownian;
use super::elo::score_of_elo;
use super::pentanomial::Pentanomial;
use super::sprt::{Model, SprtSpec, Status};

/// Expected numbers of games until the verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remaining {
    /// At the strength, of those within one standard error of the mean score, that ends the test soonest.
    pub fewest_games: f64,
    /// At the one that ends it latest.
    pub most_games: f64,
}

/// Pairs before which the variance says too little.
const LEAST_PAIRS: u64 = 10;

/// Strengths looked at across the interval.
const STEPS: i32 = 16;

/// What a test in this state has left to play; `None` while too little is known, when it is over, and for bounds
/// that are not logistic.
pub fn remaining(spec: &SprtSpec, status: &Status, pairs: &Pentanomial) -> Option<Remaining> {
    let (mean, variance) = (pairs.mean()?, pairs.variance()?);
    if spec.model() != Model::Logistic
        || status.verdict.is_some()
        || pairs.pairs() < LEAST_PAIRS
        || variance == 0.0
    {
        return None;
    }
    let (score0, score1) = (score_of_elo(spec.elo0()), score_of_elo(spec.elo1()));
    let error = (variance / pairs.pairs() as f64).sqrt();
    let games = (-STEPS..=STEPS).map(|step| {
        let score = mean + error * f64::from(step) / f64::from(STEPS);
        2.0 * motion(score, status, [score0, score1], variance).expected_time()
    });
    let (fewest, most) =
        games.fold((f64::INFINITY, 0.0_f64), |(fewest, most), n| (fewest.min(n), most.max(n)));
    Some(Remaining { fewest_games: fewest, most_games: most })
}

/// The LLR from here on as a Brownian motion, as in the estimate after the stop; its time is counted in pairs.
fn motion(score: f64, status: &Status, [score0, score1]: [f64; 2], variance: f64) -> Brownian {
    Brownian {
        lower: status.lower - status.llr,
        upper: status.upper - status.llr,
        drift: (score - (score0 + score1) / 2.0) * (score1 - score0) / variance,
        variance: (score1 - score0).powi(2) / variance,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_published_calculator() {
        // statistics.md (e): [0, 5] logistic at both hypotheses and between; per-game variance 0.125.
        let spec = SprtSpec::default();
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let pair_variance = 0.125 / 2.0;
        let spread = (s1 - s0).powi(2) / pair_variance;
        let status = spec.evaluate(&Pentanomial::default(), &Default::default());
        let at = |score: f64| motion(score, &status, [s0, s1], pair_variance).expected_time();
        // At either hypothesis the calculator has 2·((1-2α)·ln((1-α)/α))/w, in the middle ln²((1-α)/α)/w.
        let bound = spec.upper();
        assert!((at(s0) - 2.0 * 0.9 * bound / spread).abs() / at(s0) < 1e-9);
        assert!((at((s0 + s1) / 2.0) - bound * bound / spread).abs() / at(s0) < 1e-6);
    }

    #[test]
    fn it_says_nothing_before_there_is_something_to_say() {
        let spec = SprtSpec::default();
        let few = Pentanomial([1, 1, 1, 1, 1]);
        let many = Pentanomial([10, 20, 30, 25, 15]);
        let status = |pairs: &Pentanomial| spec.evaluate(pairs, &Default::default());
        assert_eq!(remaining(&spec, &status(&few), &few), None);
        let left = remaining(&spec, &status(&many), &many).unwrap();
        assert!(left.fewest_games > 0.0 && left.fewest_games < left.most_games);
    }
}
