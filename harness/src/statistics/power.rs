//! Power and expected length of a test, by formula.
//!
//! Both answers ignore that the LLR overshoots the bound at the end, so real tests are a little longer and err a
//! little less than they say; [`simulation`](super::simulation) has no such fault.

use super::bayes_elo::BayesElo;
use super::brownian::Brownian;
use super::elo::{NORMALIZED_UNIT, odds_of_elo, score_of_elo, t_value_of_nelo};
use super::mle;
use super::model::Model;
use super::pair_model::PairOdds;
use super::roots::falling_root;
use super::sample::Sample;
use super::sprt::SprtBounds;
use serde::Serialize;

/// Accuracy of the exponent of Wald's identity.
const TOLERANCE: f64 = 1e-13;

/// What is to be expected of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Expectation {
    /// Probability that H1 is accepted.
    pub pass: f64,
    /// Games on average.
    pub games: f64,
}

impl Expectation {
    fn of(motion: &Brownian, games_a_step: f64) -> Expectation {
        Expectation { pass: motion.touches_upper_first(), games: games_a_step * motion.expected_time() }
    }
}

/// Variance of a game that belongs to a pair: (1-d)/4 - (L(bias) - ½)² for the draw ratio d (fishtest's calculator).
pub fn game_variance(draw_ratio: f64, bias: f64) -> f64 {
    (1.0 - draw_ratio) / 4.0 - (score_of_elo(bias) - 0.5).powi(2)
}

/// The logistic or normalized test of fishtest's calculator (`sprt.js`): the LLR as a Brownian motion in games of this
/// variance, at a true lead of `elo` logistic Elo. `None` for bayesian bounds.
pub fn of_variance(spec: &SprtBounds, variance: f64, elo: f64) -> Option<Expectation> {
    let [score0, score1] = bounds_as_scores(spec, variance)?;
    let lead = score1 - score0;
    let motion = Brownian {
        lower: spec.lower(),
        upper: spec.upper(),
        drift: (score_of_elo(elo) - (score0 + score1) / 2.0) * lead / variance,
        variance: lead * lead / variance,
    };
    Some(Expectation::of(&motion, 1.0))
}

/// The scores that the bounds stand for where a game has this variance. `None` for bayesian bounds.
pub fn bounds_as_scores(spec: &SprtBounds, variance: f64) -> Option<[f64; 2]> {
    let bounds = [spec.elo0(), spec.elo1()];
    match spec.model() {
        Model::Logistic => Some(bounds.map(score_of_elo)),
        Model::Normalized => Some(bounds.map(|nelo| 0.5 + nelo / NORMALIZED_UNIT * variance.sqrt())),
        Model::Bayesian => None,
    }
}

/// The test as a walk with one jump a pair, whose sizes are those of the LLR at the true distribution. The exponent h ≠ 0 with
/// E(e^{hJ}) = 1 is exact, so that Wald's identities err by the overshoot alone (as `sprta5.py` of vdbergh/pentanomial).
pub fn of_pairs(spec: &SprtBounds, odds: &PairOdds) -> Expectation {
    let jumps = jumps(spec, odds);
    let mean: f64 = jumps.iter().map(|(probability, jump)| probability * jump).sum();
    let square: f64 = jumps.iter().map(|(probability, jump)| probability * jump * jump).sum();
    // ln E(e^{hJ}) / h: it rises, is the mean at 0, and its root is h.
    let slope = |h: f64| {
        let excess: f64 = jumps.iter().map(|(probability, jump)| probability * (h * jump).exp_m1()).sum();
        if h == 0.0 { mean } else { excess.ln_1p() / h }
    };
    let mut reach = 2.0 * mean.abs() / square + 1.0;
    while reach < 1e6 && !(slope(reach) > 0.0 && slope(-reach) < 0.0) {
        reach *= 2.0;
    }
    let h = falling_root(|h| -slope(h), (-reach, -slope(-reach)), (reach, -slope(reach)), TOLERANCE);
    // The Brownian motion with the same mean and the same exponent -2·drift/variance.
    let variance = if h.abs() < 1e-6 { square } else { -2.0 * mean / h };
    Expectation::of(&Brownian { lower: spec.lower(), upper: spec.upper(), drift: mean, variance }, 2.0)
}

/// What a pair adds to the LLR, with the probability of each.
fn jumps(spec: &SprtBounds, odds: &PairOdds) -> Vec<(f64, f64)> {
    let bounds = [spec.elo0(), spec.elo1()];
    if !spec.is_trinomial() {
        let gains = gains(spec.model(), bounds, &odds.pairs().sample());
        return odds.scores.into_iter().zip(gains).collect();
    }
    let games = odds.games().sample();
    let bounds = match spec.model() {
        Model::Bayesian => bounds.map(|elo| BayesElo::with_draws_of(&games, elo).logistic_elo()),
        Model::Logistic | Model::Normalized => bounds,
    };
    let [loss, draw, win] = gains(spec.model(), bounds, &games);
    let [ll, ld, level, wd, ww] = odds.scores;
    vec![
        (ll, 2.0 * loss),
        (ld, loss + draw),
        (level - odds.win_each, 2.0 * draw),
        (odds.win_each, win + loss),
        (wd, win + draw),
        (ww, 2.0 * win),
    ]
}

/// What each outcome adds to the LLR: ln(p¹ᵢ/p⁰ᵢ). The bounds are normalized or logistic.
fn gains<const N: usize>(model: Model, bounds: [f64; 2], sample: &Sample<N>) -> [f64; N] {
    let [weights0, weights1] = bounds.map(|bound| match model {
        Model::Normalized => mle::with_t_value(sample, t_value_of_nelo::<N>(bound)),
        Model::Logistic | Model::Bayesian => mle::with_mean(sample, odds_of_elo(bound)),
    });
    std::array::from_fn(|index| (weights0[index] / weights1[index]).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::PairModel;

    #[test]
    fn both_agree_where_jumps_are_small() {
        let (draw_ratio, bias) = (0.5, 60.0);
        let model = PairModel::new(draw_ratio, bias).unwrap();
        for scale in [Model::Logistic, Model::Normalized] {
            let spec = SprtBounds::new(0.0, 1.0, 0.05, 0.05, scale).unwrap();
            for elo in [-0.4, 0.3, 1.1] {
                let motion = of_variance(&spec, game_variance(draw_ratio, bias), elo).unwrap();
                let walk = of_pairs(&spec, &model.at(elo));
                assert!((walk.pass - motion.pass).abs() < 2e-3, "{scale} {elo}: {walk:?} {motion:?}");
                assert!((walk.games / motion.games - 1.0).abs() < 1e-2, "{scale} {elo}: {walk:?} {motion:?}");
            }
        }
    }

    #[test]
    fn at_the_hypotheses_the_risks_are_the_nominal_ones() {
        let model = PairModel::new(0.4, 0.0).unwrap();
        for scale in Model::ALL {
            for trinomial in [false, true] {
                let spec = SprtBounds::new(0.0, 6.0, 0.05, 0.1, scale).unwrap().with_trinomial(trinomial);
                let [null, better] = model.hypotheses(&spec).map(|elo| of_pairs(&spec, &model.at(elo)).pass);
                // Without a bias the games of a pair are nearly independent, as a test of games takes them to be.
                let allowed = if spec.is_trinomial() { 0.05 } else { 1e-3 };
                assert!((null - 0.05).abs() < allowed, "{}: {null}", spec.scale());
                assert!((better - 0.9).abs() < allowed, "{}: {better}", spec.scale());
            }
        }
    }
}
