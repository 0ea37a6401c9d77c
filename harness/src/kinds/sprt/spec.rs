//! Specification of an SPRT: base and candidate, under which conditions they play, and the test that ends it.

use crate::conditions::Conditions;
use crate::players::spec::PlayerSpec;
use crate::statistics::SprtBounds;
use serde::{Deserialize, Serialize};

/// All that decides the games and the verdict of an SPRT.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtSpec {
    /// Who the candidate is measured against.
    pub base: PlayerSpec,
    /// Who is measured.
    pub candidate: PlayerSpec,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The test that ends it.
    pub test: SprtBounds,
}

impl SprtSpec {
    /// The test's bounds and model, as people write them.
    pub fn bounds(&self) -> String {
        self.test.bounds()
    }
}
