//! Specification of games for a fit: the configuration that plays itself, and all that decides the games.

use crate::conditions::Conditions;
use crate::players::spec::PlayerSpec;
use serde::{Deserialize, Serialize};

/// All that decides the games of a configuration with itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfplaySpec {
    /// Who plays itself.
    pub base: PlayerSpec,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
}
