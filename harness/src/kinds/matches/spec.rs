//! Specification of a match: the players, who meets whom, and all that decides their games.

use crate::conditions::Conditions;
use crate::players::spec::PlayerSpec;
use crate::statistics::ratings::Anchor;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::RoundRobin => "round robin",
            Format::Gauntlet => "gauntlet",
        })
    }
}

/// The players and what decides their games. How many pairs are played is no part of it, so that the same run can be
/// made longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSpec {
    /// Who meets whom.
    pub format: Format,
    /// At least two, of different names.
    pub players: Vec<PlayerSpec>,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
}

impl MatchSpec {
    /// Who meets whom, in the order of playing: two players by number, the first of them the candidate of their pairs.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let count = self.players.len();
        let first = match self.format {
            Format::Gauntlet => 0..1,
            Format::RoundRobin => 0..count,
        };
        first.flat_map(|one| (one + 1..count).map(move |other| [one, other])).collect()
    }

    /// Where the ratings have their zero.
    pub fn anchor(&self) -> Anchor {
        match self.format {
            Format::RoundRobin if self.players.len() > 2 => Anchor::Mean,
            _ => Anchor::First,
        }
    }
}
