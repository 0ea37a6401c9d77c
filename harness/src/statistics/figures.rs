//! Figures of a test. Every figure that reports show, computed in one place, so that a test in progress, a finished run and
//! bare counts typed by hand can never tell different stories.

use super::after_stop::{AfterStop, NotCorrected};
use super::breakdown::{level_pairs, rms_bias, rms_bias_elo};
use super::confidence::always_valid;
use super::elo::{self, Estimate, Interval};
use super::model::Model;
use super::normal::Confidence;
use super::pentanomial::{Pentanomial, Trinomial};
use super::sample::Sample;
use super::sprt::{SprtBounds, Status, Verdict};
use serde::Serialize;

/// What is known of the games that were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// The pairs, but not which level ones are two draws.
    Pairs(Pentanomial),
    /// The games, but not how they pair.
    Games(Trinomial),
    /// The pairs and the games they consist of.
    Both(Pentanomial, Trinomial),
}

impl Results {
    /// The pairs, if known.
    pub const fn pairs(&self) -> Option<Pentanomial> {
        match *self {
            Results::Pairs(pairs) | Results::Both(pairs, _) => Some(pairs),
            Results::Games(_) => None,
        }
    }

    /// The games, if known.
    pub const fn games(&self) -> Option<Trinomial> {
        match *self {
            Results::Games(games) | Results::Both(_, games) => Some(games),
            Results::Pairs(_) => None,
        }
    }

    /// The test as it can be made of these results: without pairs it can look only at games. `None` if it
    /// looks at games and only pairs are known.
    fn testable(&self, spec: &SprtBounds) -> Option<SprtBounds> {
        match self {
            Results::Pairs(_) if spec.is_trinomial() => None,
            Results::Games(_) => Some(spec.with_trinomial(true)),
            _ => Some(*spec),
        }
    }

    /// The LLR of the same bounds in each of the models; `None` where the games would have to be known.
    pub fn llr_by_model(&self, spec: &SprtBounds) -> LlrByModel {
        let llr = |model| {
            let test = self.testable(&spec.with_model(model))?;
            Some(test.evaluate(&self.pairs().unwrap_or_default(), &self.games().unwrap_or_default()).llr)
        };
        LlrByModel {
            logistic: llr(Model::Logistic),
            normalized: llr(Model::Normalized),
            bayesian: llr(Model::Bayesian),
        }
    }
}

/// The LLR of bounds that are the same numbers in different scales.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LlrByModel {
    /// Of logistic Elo.
    pub logistic: Option<f64>,
    /// Of normalized Elo.
    pub normalized: Option<f64>,
    /// Of BayesElo.
    pub bayesian: Option<f64>,
}

/// The figures; serialised, they are the middle of every report. What cannot be computed is `None`.
///
/// Estimates look at the pairs if those are known, whatever the test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// The test: its bounds, risks and model, and whether it looks at games.
    #[serde(flatten)]
    pub test: SprtBounds,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// The answer, once there is one; reports have a word of their own for it.
    #[serde(skip)]
    pub verdict: Option<Verdict>,
    /// Games counted.
    pub games: u64,
    /// Won by the candidate.
    pub wins: Option<u64>,
    /// Lost by it.
    pub losses: Option<u64>,
    /// Drawn.
    pub draws: Option<u64>,
    /// Pairs by the candidate's score: 0, ½, 1, 1½, 2.
    pub pentanomial: Option<Pentanomial>,
    /// Logistic Elo, as if the number of games had been fixed.
    pub elo: Option<Estimate>,
    /// Logistic Elo corrected for the stopping rule, if the test stopped at a bound.
    pub elo_after_stop: Option<AfterStop>,
    /// Why there is none.
    pub elo_after_stop_reason: Option<NotCorrected>,
    /// Normalized Elo.
    pub nelo: Option<Estimate>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
    /// With which confidence the intervals cover the truth, 0 to 1.
    pub confidence: Confidence,
    /// Logistic Elo in an anytime-valid interval: it holds at every look, not just at one fixed beforehand.
    pub elo_anytime: Interval,
    /// Logistic Elo if all results fell in one category, where `elo` cannot be computed.
    pub elo_exact: Option<Interval>,
    /// Share of games drawn.
    pub draw_ratio: Option<f64>,
    /// Pairs won for each pair lost.
    pub pair_ratio: Option<f64>,
    /// Share of pairs that ended level.
    pub level_share: Option<f64>,
    /// Share of pairs that were two draws.
    pub dd_share: Option<f64>,
    /// Share of pairs in which each player won a game.
    pub wl_share: Option<f64>,
    /// Root mean square of the openings' bias, as a score.
    pub rms_bias: Option<f64>,
    /// The same in logistic Elo.
    pub rms_bias_elo: Option<f64>,
}

impl Figures {
    /// Computes them; `None` if the test looks at games and only pairs are known.
    pub fn of(spec: &SprtBounds, results: &Results, confidence: Confidence) -> Option<Figures> {
        Some(Figures::computed(&results.testable(spec)?, results, confidence))
    }

    /// Those of pairs that consist of these games: enough for every test.
    pub fn of_pairs(
        spec: &SprtBounds,
        pairs: Pentanomial,
        games: Trinomial,
        confidence: Confidence,
    ) -> Figures {
        Figures::computed(spec, &Results::Both(pairs, games), confidence)
    }

    fn computed(spec: &SprtBounds, results: &Results, confidence: Confidence) -> Figures {
        let (known_pairs, known_games) = (results.pairs(), results.games());
        let (pairs, games) = (known_pairs.unwrap_or_default(), known_games.unwrap_or_default());
        let Status { llr, lower, upper, verdict } = spec.evaluate(&pairs, &games);
        let Strength { elo, nelo, los, elo_anytime, elo_exact } = match known_pairs {
            Some(pairs) => Strength::of(pairs.0, confidence),
            None => Strength::of(games.by_score(), confidence),
        };
        let after_stop = AfterStop::of_stopped(spec, &pairs, &games, confidence);
        let both = known_pairs.zip(known_games);
        let level = both.and_then(|(pairs, games)| level_pairs(&pairs, &games));
        let share = |count: u64| (pairs.pairs() > 0).then(|| count as f64 / pairs.pairs() as f64);
        Figures {
            test: *spec,
            llr,
            lower,
            upper,
            verdict,
            games: known_games.map_or_else(|| pairs.games(), |games| games.games()),
            wins: known_games.map(|games| games.wins),
            losses: known_games.map(|games| games.losses),
            draws: known_games.map(|games| games.draws),
            pentanomial: known_pairs,
            elo,
            elo_after_stop: after_stop.ok(),
            elo_after_stop_reason: after_stop.err(),
            nelo,
            los,
            confidence,
            elo_anytime,
            elo_exact,
            draw_ratio: games.draw_ratio(),
            pair_ratio: pairs.pair_ratio(),
            level_share: pairs.draw_ratio(),
            dd_share: level.and_then(|level| share(level.drawn)),
            wl_share: level.and_then(|level| share(level.exchanged)),
            rms_bias: both.and_then(|(pairs, games)| rms_bias(&pairs, &games)),
            rms_bias_elo: both.and_then(|(pairs, games)| rms_bias_elo(&pairs, &games)),
        }
    }
}

/// The figures that are computed of pairs or of games alike.
struct Strength {
    elo: Option<Estimate>,
    nelo: Option<Estimate>,
    los: Option<f64>,
    elo_anytime: Interval,
    elo_exact: Option<Interval>,
}

impl Strength {
    fn of<const N: usize>(counts: [u64; N], confidence: Confidence) -> Strength {
        let sample = Sample::new(counts);
        Strength {
            elo: elo::elo(&sample, confidence),
            nelo: elo::nelo(&sample, confidence),
            los: elo::los(&sample),
            elo_anytime: always_valid(&counts, confidence),
            elo_exact: elo::one_category(&counts, confidence),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: Pentanomial = Pentanomial([53, 51, 275, 83, 112]);
    const GAMES: Trinomial = Trinomial { wins: 559, losses: 409, draws: 180 };

    fn figures(results: Results) -> Figures {
        Figures::of(&SprtBounds::default(), &results, Confidence::DEFAULT).unwrap()
    }

    #[test]
    fn pairs_alone_leave_the_games_unknown() {
        let (alone, both) = (figures(Results::Pairs(PAIRS)), figures(Results::Both(PAIRS, GAMES)));
        assert_eq!((alone.wins, alone.draw_ratio, alone.dd_share, alone.rms_bias), (None, None, None, None));
        assert_eq!((alone.games, alone.llr, alone.elo), (both.games, both.llr, both.elo));
        let [drawn, exchanged, level] = [both.dd_share, both.wl_share, both.level_share].map(Option::unwrap);
        assert!((drawn + exchanged - level).abs() < 1e-12);
    }

    #[test]
    fn games_alone_are_tested_as_such() {
        let alone = figures(Results::Games(GAMES));
        assert!(alone.test.is_trinomial() && alone.pentanomial.is_none() && alone.level_share.is_none());
        let test = SprtBounds::default().with_trinomial(true);
        assert_eq!(alone.llr, test.evaluate_games(&GAMES).llr);
    }

    #[test]
    fn a_test_of_games_needs_games() {
        let bayesian = SprtBounds::default().with_model(Model::Bayesian);
        assert_eq!(Figures::of(&bayesian, &Results::Pairs(PAIRS), Confidence::DEFAULT), None);
        let all = Results::Pairs(PAIRS).llr_by_model(&SprtBounds::default());
        assert!(all.logistic.is_some() && all.normalized.is_some() && all.bayesian.is_none());
    }
}
