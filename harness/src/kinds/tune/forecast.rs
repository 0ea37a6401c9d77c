//! Forecast of a tuning run before it begins.
//!
//! Theory of M. Van den Bergh's `spsa_simul` (a quadratic loss, gains as at the end of the run): the noise of the games
//! keeps the values from resting at the optimum, and each parameter approaches it the faster the more it matters.

use super::spsa::{Parameter, SpsaSchedule};
use crate::statistics::elo::NORMALIZED_UNIT as C;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// How often the approach has shrunk by e when a parameter counts as tuned: to a twentieth.
const TIME_CONSTANTS: f64 = 3.0;

/// What can be expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Games of the whole run.
    pub games: u64,
    /// What the noise costs at the end on average, Elo.
    pub mean_loss: f64,
    /// What it costs at most in 95 % of runs, Elo.
    pub worst_loss: f64,
    /// A parameter has time to be tuned if moving it by its `c_end` costs this much, Elo.
    pub least_effect: f64,
}

/// Predicts a run. `variance` is that of a game's score, 4·σ²: 1 - (share of drawn games) where sides are even and
/// openings balanced.
///
/// None without parameters, or if nothing would ever move.
pub fn forecast(parameters: &[Parameter], schedule: &SpsaSchedule, variance: f64) -> Option<Forecast> {
    let games = 2 * schedule.iterations * schedule.pairs;
    // Of the steps as they are played: a smaller c_end than the least step has a smaller rate.
    let last = schedule.iterations.saturating_sub(1);
    let sum: f64 = parameters.iter().map(|parameter| schedule.gains(parameter, last).r).sum();
    let count = parameters.len() as f64;
    let rates = parameters.iter().map(|parameter| parameter.r_end);
    let slowest = rates.reduce(f64::min).filter(|rate| *rate > 0.0)?;
    let worst_share = ChiSquared::new(count).ok()?.inverse_cdf(0.95) / count;
    let mean_loss = C * variance * sum / 8.0;
    Some(Forecast {
        games,
        mean_loss,
        worst_loss: mean_loss * worst_share,
        // The time constant of a parameter that costs e Elo at c_end is C/(4·r·e) games, whatever step is played: r·c² is
        // the same for all.
        least_effect: TIME_CONSTANTS * C / (4.0 * slowest * games as f64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(count: usize, r_end: f64) -> Vec<Parameter> {
        let one = Parameter { name: String::new(), start: 0.0, min: 0, max: 100, c_end: 5.0, r_end };
        vec![one; count]
    }

    /// fishtest's way back: r = 8·precision/(C·χ²·(1-d)), games = 3·λ.
    #[test]
    fn the_theory_turned_round_gives_the_settings_back() {
        let (precision, draws, chi_square_of_3) = (0.5, 0.6, 7.814_727_903_251_18);
        let rate = 8.0 * precision / (C * chi_square_of_3 * (1.0 - draws));
        let schedule = SpsaSchedule { iterations: 1000, pairs: 10, ..SpsaSchedule::default() };
        let forecast = forecast(&parameters(3, rate), &schedule, 1.0 - draws).unwrap();
        assert!((forecast.worst_loss - precision).abs() < 1e-9, "{forecast:?}");
        assert_eq!(forecast.games, 20_000);
        let time_constant = C / (4.0 * rate * forecast.least_effect);
        assert!((3.0 * time_constant - 20_000.0).abs() < 1e-6);
    }

    /// A c_end of 0.1 is played as 0.5 with a 25th of the rate, whose noise costs a 25th.
    #[test]
    fn a_step_that_is_played_larger_has_less_noise() {
        let with_step = |c_end| {
            let parameters = [Parameter { c_end, ..parameters(1, 0.002).remove(0) }];
            forecast(&parameters, &SpsaSchedule::default(), 0.5).unwrap()
        };
        let (small, usual) = (with_step(0.1), with_step(5.0));
        assert!((small.mean_loss * 25.0 - usual.mean_loss).abs() < 1e-12, "{small:?} {usual:?}");
        assert_eq!((with_step(0.5).mean_loss, small.least_effect), (usual.mean_loss, usual.least_effect));
    }

    #[test]
    fn nothing_to_tune_predicts_nothing() {
        assert_eq!(forecast(&[], &SpsaSchedule::default(), 0.5), None);
        assert_eq!(forecast(&parameters(2, 0.0), &SpsaSchedule::default(), 0.5), None);
    }
}
