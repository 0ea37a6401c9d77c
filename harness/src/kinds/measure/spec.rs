//! Specification of a measurement: two players and all that decides their games.

use crate::conditions::Conditions;
use crate::players::spec::PlayerSpec;
use crate::run::conduct::Watched;
use crate::run::tally::Tally;
use serde::{Deserialize, Serialize};

/// Two players and what decides their games. When to stop is no part of it, so that the same run can be made longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureSpec {
    /// Who the candidate is measured against.
    pub base: PlayerSpec,
    /// Who is measured.
    pub candidate: PlayerSpec,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// Of what it is a part, if it was begun by a command that makes many. It decides no game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<PartOf>,
}

/// What a measurement is a part of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartOf {
    /// A step of the ladder.
    Ladder(String),
    /// A published experiment.
    Reproduction(String),
}

impl MeasureSpec {
    /// Base and candidate, with what they did.
    pub fn watched(&self, tally: &Tally) -> [Watched; 2] {
        Watched::two([&self.base, &self.candidate], self.conditions.limit, tally.conduct)
    }
}
