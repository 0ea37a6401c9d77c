//! Sequential probability ratio test: its question, its bounds, its verdict.
//!
//! The formula alone decides. There is no least number of pairs: with bounds very far apart a handful of
//! one-sided pairs can suffice, as in fishtest and fastchess (0 against 400 logistic Elo is settled by five won
//! pairs, 0 against 5 needs 207 of them). No game at all never decides.

use super::llr;
pub use super::model::Model;
use super::pentanomial::{Pentanomial, Trinomial};
use super::sample::Sample;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bounds beyond this many Elo are refused: an expected score of 0.99999.
const LARGEST_ELO: f64 = 2000.0;

/// The question of a test: is the lead `elo0` (H0) or `elo1` (H1), with which risks of a wrong answer?
///
/// Always valid: see [`SprtBounds::new`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct SprtBounds {
    fields: Fields,
}

/// The stored form, not yet checked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
    // Absent in what earlier versions stored.
    #[serde(default)]
    trinomial: bool,
}

impl Default for SprtBounds {
    /// 0 against 5 logistic Elo, with risks of 5 %.
    fn default() -> Self {
        let fields = Fields {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
            trinomial: false,
        };
        SprtBounds { fields }
    }
}

impl SprtBounds {
    /// A test of `elo0` against `elo1` in the scale of `model`; `alpha` is the risk of accepting H1 when H0 holds,
    /// `beta` that of accepting H0 when H1 holds.
    ///
    /// # Errors
    /// Unless elo0 < elo1, both within ±2000, alpha and beta positive and together below 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, SpecError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-LARGEST_ELO..=LARGEST_ELO).contains(&value) {
                return Err(SpecError::EloOutOfRange { name, value });
            }
        }
        // A bound of -0 is one of 0, in words and in digests.
        let (elo0, elo1) = (elo0 + 0.0, elo1 + 0.0);
        if elo0 >= elo1 {
            return Err(SpecError::BoundsNotInOrder { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(SpecError::RiskOutOfRange { name, value });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SpecError::RisksTooLarge { alpha, beta });
        }
        Ok(SprtBounds { fields: Fields { elo0, elo1, alpha, beta, model, trinomial: false } })
    }

    /// The same test, looking at single games as if they were independent, or at pairs.
    ///
    /// The games of a pair depend on each other: taken alone they mostly make the test longer. The
    /// bayesian model looks at games in any case.
    #[must_use]
    pub const fn with_trinomial(mut self, trinomial: bool) -> Self {
        self.fields.trinomial = trinomial;
        self
    }

    /// The same bounds and risks in another scale.
    #[must_use]
    pub const fn with_model(mut self, model: Model) -> Self {
        self.fields.model = model;
        self
    }

    /// The same test as one of several of which none may accept H1 wrongly but with the probability alpha: each gets
    /// its share of it (C. E. Bonferroni, 1936).
    #[must_use]
    pub const fn one_of(mut self, tests: usize) -> Self {
        self.fields.alpha /= tests as f64;
        self
    }

    /// The lead under H0, in the scale of the model.
    pub const fn elo0(&self) -> f64 {
        self.fields.elo0
    }

    /// The lead under H1, in the scale of the model.
    pub const fn elo1(&self) -> f64 {
        self.fields.elo1
    }

    /// The risk of accepting H1 when H0 holds.
    pub const fn alpha(&self) -> f64 {
        self.fields.alpha
    }

    /// The risk of accepting H0 when H1 holds.
    pub const fn beta(&self) -> f64 {
        self.fields.beta
    }

    /// The scale of the bounds.
    pub const fn model(&self) -> Model {
        self.fields.model
    }

    /// Whether the test looks at single games instead of pairs.
    pub fn is_trinomial(&self) -> bool {
        self.fields.trinomial || self.model() == Model::Bayesian
    }

    /// Whether the test was asked to look at games by [`with_trinomial`](Self::with_trinomial), whatever its model.
    pub const fn asks_for_games(&self) -> bool {
        self.fields.trinomial
    }

    /// The model, and what is looked at if that is not the model's own choice: `logistic`, `logistic (trinomial)`.
    pub fn scale(&self) -> String {
        let note = if self.fields.trinomial && self.model() != Model::Bayesian { " (trinomial)" } else { "" };
        format!("{}{note}", self.model())
    }

    /// Bounds and scale, as people write them: `[0, 5] logistic`.
    pub fn bounds(&self) -> String {
        format!("[{}, {}] {}", self.elo0(), self.elo1(), self.scale())
    }

    /// H0 is accepted at this LLR or below: ln(β/(1-α)), negative (A. Wald, 1945).
    pub fn lower(&self) -> f64 {
        (self.beta() / (1.0 - self.alpha())).ln()
    }

    /// H1 is accepted at this LLR or above: ln((1-β)/α), positive.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta()) / self.alpha()).ln()
    }

    /// Where the test stands after these pairs, which consist of these games.
    ///
    /// The logistic and the normalized model look at the pairs unless the test is trinomial. The bayesian model is
    /// defined on single games and looks at those: a pentanomial cannot tell a win and a loss from two draws.
    pub fn evaluate(&self, pairs: &Pentanomial, games: &Trinomial) -> Status {
        match self.model() {
            _ if self.is_trinomial() => self.evaluate_games(games),
            Model::Normalized => self.status(&pairs.sample(), pairs.pairs(), llr::normalized),
            _ => self.status(&pairs.sample(), pairs.pairs(), llr::logistic),
        }
    }

    /// Where the test stands if the games are taken as independent of each other, whatever pairs they form.
    pub fn evaluate_games(&self, games: &Trinomial) -> Status {
        let llr = match self.model() {
            Model::Logistic => llr::logistic,
            Model::Normalized => llr::normalized,
            Model::Bayesian => llr::bayesian,
        };
        self.status(&games.sample(), games.games(), llr)
    }

    fn status<const N: usize>(
        &self,
        sample: &Sample<N>,
        counted: u64,
        llr: impl Fn(&Sample<N>, f64, f64) -> f64,
    ) -> Status {
        let (lower, upper) = (self.lower(), self.upper());
        // Without games the regularisation alone would speak.
        let llr = if counted == 0 { 0.0 } else { llr(sample, self.elo0(), self.elo1()) };
        let verdict = if llr >= upper {
            Some(Verdict::H1)
        } else if llr <= lower {
            Some(Verdict::H0)
        } else {
            None
        };
        Status { llr, lower, upper, verdict }
    }
}

impl TryFrom<Fields> for SprtBounds {
    type Error = SpecError;
    fn try_from(fields: Fields) -> Result<Self, SpecError> {
        let Fields { elo0, elo1, alpha, beta, model, trinomial } = fields;
        Ok(SprtBounds::new(elo0, elo1, alpha, beta, model)?.with_trinomial(trinomial))
    }
}

impl From<SprtBounds> for Fields {
    fn from(spec: SprtBounds) -> Fields {
        spec.fields
    }
}

/// Why a test cannot be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpecError {
    /// A bound that is no number, or too far from zero.
    EloOutOfRange {
        /// Which bound.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// elo0 is not below elo1.
    BoundsNotInOrder {
        /// The bound of H0.
        elo0: f64,
        /// The bound of H1.
        elo1: f64,
    },
    /// A risk that is not strictly between 0 and 1.
    RiskOutOfRange {
        /// Which risk.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// Risks that leave nothing to decide: the bounds would coincide or change places.
    RisksTooLarge {
        /// The risk of accepting H1 wrongly.
        alpha: f64,
        /// The risk of accepting H0 wrongly.
        beta: f64,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::EloOutOfRange { name, value } => {
                write!(f, "{name} is {value}: give a number of Elo between -{LARGEST_ELO} and {LARGEST_ELO}")
            }
            SpecError::BoundsNotInOrder { elo0, elo1 } => {
                write!(f, "elo0 ({elo0}) is not below elo1 ({elo1}): give the smaller lead as elo0")
            }
            SpecError::RiskOutOfRange { name, value } => {
                write!(f, "{name} is {value}: give a probability strictly between 0 and 1, such as 0.05")
            }
            SpecError::RisksTooLarge { alpha, beta } => {
                write!(
                    f,
                    "alpha ({alpha}) and beta ({beta}) add up to 1 or more: give smaller risks, such as 0.05"
                )
            }
        }
    }
}

impl std::error::Error for SpecError {}

/// The answer of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The lead is elo0 or less.
    H0,
    /// The lead is elo1 or more.
    H1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Log-likelihood ratio of H1 to H0; 0 without games.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// The answer, once there is one.
    pub verdict: Option<Verdict>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(elo0: f64, elo1: f64, model: Model) -> SprtBounds {
        SprtBounds::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn nothing_played_decides_nothing() {
        for model in Model::ALL {
            // Risks this large put both bounds next to zero.
            let spec = SprtBounds::new(-2000.0, 2000.0, 0.499_999, 0.5, model).unwrap();
            let status = spec.evaluate(&Pentanomial::default(), &Trinomial::default());
            assert_eq!((status.llr, status.verdict), (0.0, None));
        }
    }

    #[test]
    fn the_documented_early_decisions() {
        let after = |spec: SprtBounds, wins| {
            spec.evaluate(
                &Pentanomial([0, 0, 0, 0, wins]),
                &Trinomial { wins: 2 * wins, ..Default::default() },
            )
            .verdict
        };
        assert_eq!(after(spec(0.0, 400.0, Model::Logistic), 4), None);
        assert_eq!(after(spec(0.0, 400.0, Model::Logistic), 5), Some(Verdict::H1));
        assert_eq!(after(spec(0.0, 5.0, Model::Logistic), 206), None);
        assert_eq!(after(spec(0.0, 5.0, Model::Logistic), 207), Some(Verdict::H1));
    }

    #[test]
    fn a_trinomial_test_looks_at_games_alone() {
        let games = Trinomial { wins: 320, losses: 160, draws: 1020 };
        for model in Model::ALL {
            let test = spec(0.0, 5.0, model).with_trinomial(true);
            assert_eq!(test.evaluate(&Pentanomial::default(), &games), test.evaluate_games(&games));
            assert!(test.evaluate_games(&games).llr > 1.0, "{model}");
        }
        assert_eq!(spec(0.0, 5.0, Model::Logistic).with_trinomial(true).scale(), "logistic (trinomial)");
        assert_eq!(spec(0.0, 5.0, Model::Bayesian).with_trinomial(true).scale(), "bayesian");
    }

    #[test]
    fn mirrored_pairs_under_mirrored_bounds_swap_the_verdict() {
        let pairs = Pentanomial([10, 100, 400, 200, 40]);
        let games = Trinomial { wins: 320, losses: 160, draws: 1020 };
        for model in Model::ALL {
            let won = spec(0.0, 5.0, model).evaluate(&pairs, &games);
            let lost = spec(-5.0, 0.0, model).evaluate(&pairs.mirror(), &games.mirror());
            assert_eq!((won.verdict, lost.verdict), (Some(Verdict::H1), Some(Verdict::H0)), "{model}");
        }
    }

    #[test]
    fn impossible_tests_are_refused_with_a_sentence() {
        let sentence = |elo0, elo1, alpha, beta| {
            SprtBounds::new(elo0, elo1, alpha, beta, Model::Logistic).unwrap_err().to_string()
        };
        assert_eq!(
            sentence(5.0, 0.0, 0.05, 0.05),
            "elo0 (5) is not below elo1 (0): give the smaller lead as elo0"
        );
        assert_eq!(
            sentence(0.0, f64::NAN, 0.05, 0.05),
            "elo1 is NaN: give a number of Elo between -2000 and 2000"
        );
        assert_eq!(
            sentence(-2000.5, 0.0, 0.05, 0.05),
            "elo0 is -2000.5: give a number of Elo between -2000 and 2000"
        );
        assert_eq!(
            sentence(0.0, 5.0, 0.0, 0.05),
            "alpha is 0: give a probability strictly between 0 and 1, such as 0.05"
        );
        assert_eq!(
            sentence(0.0, 5.0, 0.5, 0.5),
            "alpha (0.5) and beta (0.5) add up to 1 or more: give smaller risks, such as 0.05"
        );
    }

    #[test]
    fn stored_and_read_back_only_if_valid() {
        let spec = spec(-1.75, 0.25, Model::Normalized);
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(
            text,
            r#"{"elo0":-1.75,"elo1":0.25,"alpha":0.05,"beta":0.05,"model":"normalized","trinomial":false}"#
        );
        assert_eq!(serde_json::from_str::<SprtBounds>(&text).unwrap(), spec);
        let of_version_0_1 = text.replace(r#","trinomial":false"#, "");
        assert_eq!(serde_json::from_str::<SprtBounds>(&of_version_0_1).unwrap(), spec);
        let swapped = text.replace("-1.75", "1.75");
        assert!(
            serde_json::from_str::<SprtBounds>(&swapped).unwrap_err().to_string().contains("is not below")
        );
    }
}
