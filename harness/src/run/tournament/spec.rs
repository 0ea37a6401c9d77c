//! What is played in a match of two or more players?

use crate::experiment::{Conditions, PlayerSpec};
use crate::facts::{self, Fact, digest_of, fact};
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

/// The place of the pairing that plays the pair of this number, where there are so many: they take turns.
pub(super) const fn turn_of(index: u64, pairings: usize) -> usize {
    (index % pairings as u64) as usize
}

/// The players and what decides their games. How many pairs are played is no part of it, so that the same run can be
/// made longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentSpec {
    /// Who meets whom.
    pub format: Format,
    /// At least two, of different names.
    pub players: Vec<PlayerSpec>,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The pairs of each two that were asked for when it was begun. Another session may ask for others, so it is no fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_pairs: Option<u64>,
}

impl TournamentSpec {
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

    /// What is asked, in words.
    pub fn question(&self) -> String {
        let files: Vec<_> = self.players.iter().map(PlayerSpec::label).collect();
        let limit = self.conditions.limit;
        match (self.format, &files[..]) {
            (_, [one, other]) => format!("{one} against {other} · {limit}"),
            (Format::Gauntlet, [first, others @ ..]) => {
                format!("{first} against {} · {limit}", others.join(", "))
            }
            _ => format!("{} · {} · {limit}", files.join(", "), self.format),
        }
    }

    /// SHA-256 of everything that decides the games.
    pub fn digest(&self) -> String {
        let digests: Vec<_> = self.players.iter().map(|player| player.digest.as_str()).collect();
        digest_of(&[&[fact("players", digests.join(" "))], &self.facts()[..]].concat())
    }

    /// What another match has different, a line each: `limit: 5000 nodes/move → 1000 nodes/move`.
    pub fn differences(&self, other: &TournamentSpec) -> Vec<String> {
        let names = |spec: &TournamentSpec| -> Vec<_> {
            spec.players.iter().map(|player| player.file.clone()).collect()
        };
        if self.players.len() != other.players.len() {
            return vec![format!("players: {} → {}", names(self).join(" "), names(other).join(" "))];
        }
        let players = self.players.iter().zip(&other.players);
        let configs = players.flat_map(|(ours, theirs)| {
            ours.differences(theirs).into_iter().map(|line| format!("{}.{line}", ours.file))
        });
        configs.chain(facts::differences(&self.facts(), &other.facts())).collect()
    }

    /// What decides the games, but for the configurations.
    fn facts(&self) -> Vec<Fact> {
        let builds: Vec<_> = self.players.iter().map(PlayerSpec::build).collect();
        let own = [fact("format", self.format), fact("engines (bench or sha256)", builds.join(" "))];
        own.into_iter().chain(self.conditions.facts()).collect()
    }
}
