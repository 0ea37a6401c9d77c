//! Remaining length of a test, between two numbers: while the strength is unknown, so is
//! the length.

use super::brownian::Brownian;
use super::motion::Motion;
use super::pentanomial::{Pentanomial, Trinomial};
use super::sprt::{SprtBounds, Status};

/// Expected numbers of games until the verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remaining {
    /// At the strength, of those within one standard error of the mean score, that ends the test soonest.
    pub fewest_games: f64,
    /// At the one that ends it latest.
    pub most_games: f64,
}

/// Games before which the variance says too little.
const LEAST_GAMES: f64 = 20.0;

/// Strengths looked at across the interval.
const STEPS: i32 = 16;

/// What a test in this state has left to play; `None` while too little is known, and when it is over.
pub fn remaining(
    spec: &SprtBounds,
    status: &Status,
    pairs: &Pentanomial,
    games: &Trinomial,
) -> Option<Remaining> {
    let motion = Motion::of(spec, pairs, games)?;
    if status.verdict.is_some() || motion.size * motion.games < LEAST_GAMES {
        return None;
    }
    let error = (motion.observed_variance / motion.size).sqrt();
    let (lower, upper) = (status.lower - status.llr, status.upper - status.llr);
    let games = (-STEPS..=STEPS).map(|step| {
        let score = motion.mean + error * f64::from(step) / f64::from(STEPS);
        let walk = Brownian { lower, upper, drift: motion.drift(score), variance: motion.variance() };
        motion.games * walk.expected_time()
    });
    let (fewest, most) =
        games.fold((f64::INFINITY, 0.0_f64), |(fewest, most), n| (fewest.min(n), most.max(n)));
    Some(Remaining { fewest_games: fewest, most_games: most })
}

#[cfg(test)]
mod tests {
    use super::super::elo::score_of_elo;
    use super::*;

    #[test]
    fn it_agrees_with_the_published_calculator() {
        // statistics.md (e): [0, 5] logistic at both hypotheses and between; per-game variance 0.125.
        let spec = SprtBounds::default();
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let pair_variance = 0.125 / 2.0;
        let spread = (s1 - s0).powi(2) / pair_variance;
        let at = |score: f64| {
            let drift = (score - (s0 + s1) / 2.0) * (s1 - s0) / pair_variance;
            let walk = Brownian { lower: spec.lower(), upper: spec.upper(), drift, variance: spread };
            walk.expected_time()
        };
        // At either hypothesis the calculator has 2·((1-2α)·ln((1-α)/α))/w, in the middle ln²((1-α)/α)/w.
        let bound = spec.upper();
        assert!((at(s0) - 2.0 * 0.9 * bound / spread).abs() / at(s0) < 1e-9);
        assert!((at((s0 + s1) / 2.0) - bound * bound / spread).abs() / at(s0) < 1e-6);
    }

    #[test]
    fn it_says_nothing_before_there_is_something_to_say() {
        let spec = SprtBounds::default();
        let few = Pentanomial([1, 1, 1, 1, 1]);
        let many = Pentanomial([10, 20, 30, 25, 15]);
        let status = |pairs: &Pentanomial| spec.evaluate(pairs, &Default::default());
        assert_eq!(remaining(&spec, &status(&few), &few, &Trinomial::default()), None);
        let left = remaining(&spec, &status(&many), &many, &Trinomial::default()).unwrap();
        assert!(left.fewest_games > 0.0 && left.fewest_games < left.most_games);
    }
}
