//! Motion of the LLR while observations (pairs or games) come in. Close to a Brownian motion, whose drift depends on the
//! true strength: what comes after the stop and how long it still takes are read off it.
//!
//! For bounds s₀, s₁ in score and a variance v of one observation, the drift at a true score s is
//! (s - ½(s₀+s₁))(s₁-s₀)/v and the variance (s₁-s₀)²/v per observation (fishtest's `sprt.py`, by M. Van den Bergh).

use super::bayes_elo::BayesElo;
use super::elo::{score_of_elo, t_value_of_nelo};
use super::model::Model;
use super::pentanomial::{Pentanomial, Trinomial};
use super::sample::Sample;
use super::sprt::SprtBounds;

/// The motion of a test's LLR, a unit of time being one observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Number of observations so far, regularised.
    pub size: f64,
    /// Their mean score, 0 to 1.
    pub mean: f64,
    /// The variance of one.
    pub observed_variance: f64,
    /// Games in one: 1 or 2.
    pub games: f64,
    scores: [f64; 2],
}

impl Motion {
    /// The motion after these pairs, which consist of these games, whichever the test looks at. `None` unless at
    /// least two different outcomes were counted, and for bounds that differ by less than a double resolves.
    pub fn of(spec: &SprtBounds, pairs: &Pentanomial, games: &Trinomial) -> Option<Motion> {
        if spec.is_trinomial() {
            return Motion::of_games(spec, games);
        }
        let sample = pairs.sample();
        match spec.model() {
            Model::Normalized => Motion::new(&sample, normalized_scores(spec, &sample)),
            _ => Motion::new(&sample, logistic_scores(spec)),
        }
    }

    /// The same if the games are taken as independent of each other.
    pub fn of_games(spec: &SprtBounds, games: &Trinomial) -> Option<Motion> {
        let sample = games.sample();
        let scores = match spec.model() {
            Model::Logistic => logistic_scores(spec),
            Model::Normalized => normalized_scores(spec, &sample),
            Model::Bayesian => {
                [spec.elo0(), spec.elo1()].map(|elo| BayesElo::with_draws_of(&sample, elo).score())
            }
        };
        Motion::new(&sample, scores)
    }

    fn new<const N: usize>(sample: &Sample<N>, scores: [f64; 2]) -> Option<Motion> {
        let moments = sample.moments();
        (sample.has_spread() && scores[0] < scores[1]).then_some(Motion {
            size: sample.size(),
            mean: moments.mean,
            observed_variance: moments.variance,
            games: Sample::<N>::GAMES,
            scores,
        })
    }

    /// Mean change of the LLR per observation if the expected score is this.
    pub fn drift(&self, score: f64) -> f64 {
        let [score0, score1] = self.scores;
        (score - 0.5 * (score0 + score1)) * (score1 - score0) / self.observed_variance
    }

    /// Variance of the change per observation.
    pub fn variance(&self) -> f64 {
        let [score0, score1] = self.scores;
        (score1 - score0).powi(2) / self.observed_variance
    }
}

fn logistic_scores(spec: &SprtBounds) -> [f64; 2] {
    [spec.elo0(), spec.elo1()].map(score_of_elo)
}

/// The scores at which a sample with the observed standard deviation has the t-values of the bounds.
fn normalized_scores<const N: usize>(spec: &SprtBounds, sample: &Sample<N>) -> [f64; 2] {
    let deviation = sample.moments().variance.sqrt();
    [spec.elo0(), spec.elo1()].map(|nelo| 0.5 + t_value_of_nelo::<N>(nelo) * deviation)
}
