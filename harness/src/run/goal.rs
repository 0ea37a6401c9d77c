//! Goal of a run that is counted in pairs.

use serde::{Deserialize, Serialize};

/// A run ends after so many pairs, of a match so many of each two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairGoal {
    /// The most pairs; none: it goes on without an end.
    pub max_pairs: Option<u64>,
}

impl PairGoal {
    /// The end after so many pairs.
    pub const fn of(pairs: u64) -> PairGoal {
        PairGoal { max_pairs: Some(pairs) }
    }

    /// Whether so many are enough.
    pub fn is_reached(self, pairs: u64) -> bool {
        self.max_pairs.is_some_and(|most| pairs >= most)
    }
}
