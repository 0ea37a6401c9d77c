//! Model: the scale in which the bounds of a test are given.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The scale in which the bounds are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Logistic Elo: the expected score.
    #[default]
    Logistic,
    /// Normalized Elo: the expected score in standard deviations of a game.
    Normalized,
    /// BayesElo: defined on single games, through the draw Elo of the sample.
    Bayesian,
}

impl Model {
    /// Every model.
    pub const ALL: [Model; 3] = [Model::Logistic, Model::Normalized, Model::Bayesian];

    /// The name under which it is given, stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
            Model::Bayesian => "bayesian",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Model {
    type Err = UnknownModel;
    fn from_str(text: &str) -> Result<Self, UnknownModel> {
        Model::ALL
            .into_iter()
            .find(|model| model.as_str() == text)
            .ok_or_else(|| UnknownModel(text.to_owned()))
    }
}

/// A text that names no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownModel(String);

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no model {:?}: give logistic, normalized or bayesian", self.0)
    }
}

impl std::error::Error for UnknownModel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_as_it_is_shown() {
        for model in Model::ALL {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        assert_eq!(
            "penta".parse::<Model>().unwrap_err().to_string(),
            "there is no model \"penta\": give logistic, normalized or bayesian"
        );
    }
}
