//! Model of a pair of games: with which probabilities it ends how, if the candidate is so much stronger.
//!
//! What a test costs depends on more than the strength: on how many games are drawn, and on how unequal the
//! openings are. Two models answer.
//!
//! **Draw ratio and bias** ([`PairModel::new`]). An opening gives one side an advantage of `bias` Elo; the candidate
//! plays it once from either side. Given the opening the two games are independent, and each follows the
//! model of BayesElo: P(win) = L(e ± β - δ), P(loss) = L(-e ∓ β - δ). Between equal players a share `draw_ratio` of
//! the games is drawn and the favoured side scores L(bias), which fixes the draw Elo δ and the bias β in that scale. They stay
//! as they are when the strength changes, and e is such that the candidate's mean score is that of the wished
//! logistic Elo. This is the model of the simulator `simul` by M. Van den Bergh, and reproduces its probabilities.
//!
//! **Counts** ([`PairModel::of_counts`]). Pairs that were counted once, shifted to the wished Elo: of all distributions with that
//! mean score, the one under which the counts are likeliest (see [`mle`]). It assumes nothing of how games come about.

use super::bayes_elo::BayesElo;
use super::elo::{self, odds_of_elo, score_of_elo};
use super::mle;
use super::model::Model;
use super::normal::Confidence;
use super::pentanomial::{Pentanomial, Trinomial};
use super::roots::falling_root;
use super::sample::Sample;
use super::sprt::SprtBounds;
use std::fmt;

/// Pairs that the probabilities are turned into where a formula wants counts: enough for all digits of a double.
const MANY_PAIRS: f64 = 1e15;

/// Accuracy of a lead found by search, Elo.
const TOLERANCE: f64 = 1e-10;

/// Leads are sought within this many logistic Elo of zero.
const LARGEST_ELO: f64 = 1000.0;

/// Probabilities of how a pair ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOdds {
    /// By the candidate's score: LL, LD, DD or WL, WD, WW; their sum is 1.
    pub scores: [f64; 5],
    /// The part of the middle one that is a win each, not two draws. It matters only to tests that look at games.
    pub win_each: f64,
}

impl PairOdds {
    /// The probabilities of two independent games; each is loss, draw, win.
    fn of_games(first: [f64; 3], second: [f64; 3]) -> PairOdds {
        let mut scores = [0.0; 5];
        for (index, probability) in first.iter().enumerate() {
            for (other, second) in second.iter().enumerate() {
                scores[index + other] += probability * second;
            }
        }
        PairOdds { scores, win_each: first[0] * second[2] + first[2] * second[0] }
    }

    /// A great many pairs in these proportions.
    pub fn pairs(&self) -> Pentanomial {
        Pentanomial(self.scores.map(|probability| (probability * MANY_PAIRS).round() as u64))
    }

    /// The games of a great many pairs in these proportions.
    pub fn games(&self) -> Trinomial {
        let [ll, ld, level, wd, ww] = self.scores;
        let count = |per_pair: f64| (per_pair * MANY_PAIRS).round() as u64;
        Trinomial {
            wins: count(2.0 * ww + wd + self.win_each),
            losses: count(2.0 * ll + ld + self.win_each),
            draws: count(ld + wd + 2.0 * (level - self.win_each)),
        }
    }

    /// The candidate's lead in the scale of a test's bounds; `None` if all pairs end alike.
    pub fn lead(&self, spec: &SprtBounds) -> Option<f64> {
        let (pairs, games) = (self.pairs().sample(), self.games().sample());
        let lead = match spec.model() {
            Model::Bayesian => return Some(BayesElo::of_sample(&games).elo),
            Model::Logistic => elo::elo(&pairs, Confidence::DEFAULT),
            Model::Normalized if spec.is_trinomial() => elo::nelo(&games, Confidence::DEFAULT),
            Model::Normalized => elo::nelo(&pairs, Confidence::DEFAULT),
        };
        lead.map(|lead| lead.estimate)
    }
}

/// How pairs end as a function of strength.
#[derive(Clone, Debug, PartialEq)]
pub struct PairModel {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// All in BayesElo; each bias is as frequent as the others.
    Openings { draw_elo: f64, biases: Vec<f64> },
    /// What was counted, and which part of its 1-1 pairs are a win each.
    Counts { sample: Sample<5>, win_each: f64 },
}

impl PairModel {
    /// Pairs from openings that favour one side by `bias` Elo (logistic, either sign), where equal players draw the
    /// share `draw_ratio` of their games, 0 to 1.
    ///
    /// # Errors
    /// Unless some games are drawn, and enough are not: a bias decides at least the share |2L(bias) - 1| of them.
    pub fn new(draw_ratio: f64, bias: f64) -> Result<PairModel, PairModelError> {
        let score = score_of_elo(bias.abs());
        let [loss, draw, win] = [1.0 - score - draw_ratio / 2.0, draw_ratio, score - draw_ratio / 2.0];
        if !bias.is_finite() {
            return Err(PairModelError::Bias(bias));
        }
        if !(draw > 0.0 && loss > 1e-9) {
            return Err(PairModelError::DrawRatio { draw_ratio, bias, most: 2.0 * (1.0 - score) });
        }
        let BayesElo { elo, draw_elo } = BayesElo::of_odds(super::bayes_elo::GameOdds { loss, draw, win });
        Ok(PairModel::with_biases(draw_elo, vec![elo]))
    }

    /// Pairs from openings of several biases, each as frequent as the others; all in BayesElo.
    pub fn with_biases(draw_elo: f64, biases: Vec<f64>) -> PairModel {
        PairModel { kind: Kind::Openings { draw_elo, biases } }
    }

    /// Pairs as they were counted. With `draw_ratio`, the share of games drawn, the 1-1 pairs are split into two draws and a
    /// win each; without it all count as two draws.
    ///
    /// # Errors
    /// Unless at least two different scores were counted, and the draw ratio is possible with these counts.
    pub fn of_counts(pairs: Pentanomial, draw_ratio: Option<f64>) -> Result<PairModel, PairModelError> {
        let sample = pairs.sample();
        if !sample.has_spread() {
            return Err(PairModelError::OneScore(pairs));
        }
        let [_, ld, level, wd, _] = pairs.0.map(|count| count as f64);
        let total = pairs.pairs() as f64;
        // Of the drawn games, those in half-won pairs are known; the others come in twos, 1-1 pairs.
        let most = (0.5 * (ld + wd) + level) / total;
        let least = 0.5 * (ld + wd) / total;
        let draw_ratio = draw_ratio.unwrap_or(most);
        if !(least - 1e-9..=most + 1e-9).contains(&draw_ratio) {
            return Err(PairModelError::DrawRatioOfCounts { draw_ratio, least, most });
        }
        let win_each = if level > 0.0 { ((most - draw_ratio) * total / level).clamp(0.0, 1.0) } else { 0.0 };
        Ok(PairModel { kind: Kind::Counts { sample, win_each } })
    }

    /// How pairs end if the candidate leads by `elo` logistic Elo, within ±2000.
    pub fn at(&self, elo: f64) -> PairOdds {
        match &self.kind {
            Kind::Openings { draw_elo, biases } => openings_at(*draw_elo, biases, elo),
            Kind::Counts { sample, win_each } => {
                let scores = mle::probabilities(sample, &mle::with_mean(sample, odds_of_elo(elo)));
                PairOdds { scores, win_each: scores[2] * win_each }
            }
        }
    }

    /// The logistic Elo of both hypotheses of a test.
    pub fn hypotheses(&self, spec: &SprtBounds) -> [f64; 2] {
        [spec.elo0(), spec.elo1()].map(|bound| self.logistic_elo(spec, bound))
    }

    /// The logistic Elo at which the lead in the scale of a test's bounds is `lead`, within ±1000.
    pub fn logistic_elo(&self, spec: &SprtBounds, lead: f64) -> f64 {
        if spec.model() == Model::Logistic {
            return lead;
        }
        let missing = |elo: f64| lead - self.at(elo).lead(spec).unwrap_or(0.0);
        let (low, high) = (missing(-LARGEST_ELO), missing(LARGEST_ELO));
        if low <= 0.0 {
            -LARGEST_ELO
        } else if high >= 0.0 {
            LARGEST_ELO
        } else {
            falling_root(missing, (-LARGEST_ELO, low), (LARGEST_ELO, high), TOLERANCE)
        }
    }
}

fn openings_at(draw_elo: f64, biases: &[f64], elo: f64) -> PairOdds {
    let game = |lead: f64| BayesElo { elo: lead, draw_elo };
    let share = 1.0 / biases.len() as f64;
    let mean_score = |lead: f64| -> f64 {
        biases.iter().map(|bias| 0.5 * (game(lead + bias).score() + game(lead - bias).score()) * share).sum()
    };
    // At this lead even the games that the opening is against are won as often as they should be.
    let reach = elo.abs() + draw_elo.abs() + biases.iter().fold(1.0, |most: f64, bias| most.max(bias.abs()));
    let missing = |lead: f64| score_of_elo(elo) - mean_score(lead);
    let lead = falling_root(missing, (-reach, missing(-reach)), (reach, missing(reach)), TOLERANCE);

    let mut mixture = PairOdds { scores: [0.0; 5], win_each: 0.0 };
    for bias in biases {
        let [for_us, against_us] = [bias, &-bias].map(|bias| {
            let odds = game(lead + bias).odds();
            [odds.loss, odds.draw, odds.win]
        });
        let pair = PairOdds::of_games(for_us, against_us);
        for (sum, probability) in mixture.scores.iter_mut().zip(pair.scores) {
            *sum += probability * share;
        }
        mixture.win_each += pair.win_each * share;
    }
    mixture
}

/// Why there is no such model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairModelError {
    /// The bias is no number.
    Bias(f64),
    /// Games cannot be drawn so often, or so seldom.
    DrawRatio {
        /// What was given.
        draw_ratio: f64,
        /// The bias it was given with.
        bias: f64,
        /// With that bias fewer than this share can be drawn.
        most: f64,
    },
    /// The counts do not allow this draw ratio.
    DrawRatioOfCounts {
        /// What was given.
        draw_ratio: f64,
        /// At least this share of the games was drawn.
        least: f64,
        /// At most this one.
        most: f64,
    },
    /// All pairs have the same score, or there are none.
    OneScore(Pentanomial),
}

impl fmt::Display for PairModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairModelError::Bias(bias) => write!(f, "the bias is {bias}: give a number of Elo, such as 50"),
            PairModelError::DrawRatio { draw_ratio, bias, most } => write!(
                f,
                "a draw ratio of {draw_ratio} cannot be with a bias of {bias} Elo: give one above 0 and below {most:.4}, \
                 the share of games that the bias leaves undecided"
            ),
            PairModelError::DrawRatioOfCounts { draw_ratio, least, most } => write!(
                f,
                "a draw ratio of {draw_ratio} cannot be with these pairs: give one from {least:.4} (1-1 pairs are a \
                 win each) to {most:.4} (they are two draws)"
            ),
            PairModelError::OneScore(pairs) => write!(
                f,
                "the pairs {:?} do not have two different scores, so nothing is known of their distribution: give more",
                pairs.0
            ),
        }
    }
}

impl std::error::Error for PairModelError {}

#[cfg(test)]
mod tests {
    use super::super::breakdown::rms_bias_elo;
    use super::*;

    fn mean(odds: &PairOdds) -> f64 {
        (0..5).map(|index| odds.scores[index] * Sample::<5>::score(index)).sum()
    }

    #[test]
    fn the_wished_elo_is_met_and_probabilities_add_up() {
        let counts = PairModel::of_counts(Pentanomial([2, 30, 70, 40, 3]), None).unwrap();
        let models =
            [PairModel::new(0.5, 0.0), PairModel::new(0.3, -250.0), PairModel::new(0.97, 5.0), Ok(counts)];
        for model in models.map(Result::unwrap) {
            for elo in [-1900.0, -40.0, 0.0, 1e-3, 7.0, 300.0] {
                let odds = model.at(elo);
                assert!((mean(&odds) - score_of_elo(elo)).abs() < 1e-10, "{model:?} {elo}: {odds:?}");
                assert!((odds.scores.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{model:?} {elo}: {odds:?}");
                assert!(odds.scores.iter().all(|&share| share > 0.0) && odds.win_each <= odds.scores[2]);
            }
        }
    }

    #[test]
    fn draw_ratio_and_bias_are_met_between_equal_players() {
        let odds = PairModel::new(0.49, 191.0).unwrap().at(0.0);
        let games = odds.games();
        assert!((games.draw_ratio().unwrap() - 0.49).abs() < 1e-12);
        // The calculator's variance of a game in a pair: (1-d)/4 - (L(bias) - ½)².
        let expected = 0.51 / 4.0 - (score_of_elo(191.0) - 0.5).powi(2);
        assert!((2.0 * odds.pairs().variance().unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn a_bias_is_found_again_in_the_games() {
        for bias in [0.0, 35.0, 191.0] {
            let odds = PairModel::new(0.45, bias).unwrap().at(0.0);
            let found = rms_bias_elo(&odds.pairs(), &odds.games()).unwrap();
            assert!((found - bias).abs() < 1e-4, "{found} {bias}");
        }
    }

    #[test]
    fn leads_in_other_scales_are_found_again() {
        let model = PairModel::new(0.4, 80.0).unwrap();
        for scale in Model::ALL {
            for trinomial in [false, true] {
                let spec = SprtBounds::default().with_model(scale).with_trinomial(trinomial);
                for lead in [-12.0, 0.0, 5.0] {
                    let elo = model.logistic_elo(&spec, lead);
                    let found = model.at(elo).lead(&spec).unwrap();
                    assert!((found - lead).abs() < 1e-6, "{} {lead}: {found}", spec.scale());
                }
            }
        }
    }

    #[test]
    fn impossible_models_are_refused_with_a_sentence() {
        assert_eq!(
            PairModel::new(0.6, 191.0).unwrap_err().to_string(),
            "a draw ratio of 0.6 cannot be with a bias of 191 Elo: give one above 0 and below 0.4997, the share of \
             games that the bias leaves undecided"
        );
        for (draw_ratio, bias) in [(0.0, 0.0), (1.0, 0.0), (f64::NAN, 0.0), (0.5, f64::INFINITY)] {
            assert!(PairModel::new(draw_ratio, bias).is_err());
        }
        assert!(PairModel::of_counts(Pentanomial([0, 0, 7, 0, 0]), None).is_err());
        let pairs = Pentanomial([5, 20, 50, 20, 5]);
        assert!(PairModel::of_counts(pairs, Some(0.19)).is_err());
        let split = PairModel::of_counts(pairs, Some(0.2)).unwrap().at(0.0);
        assert!((split.win_each - 0.5).abs() < 1e-12);
    }
}
