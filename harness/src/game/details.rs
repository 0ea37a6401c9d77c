//! Details of a game, kept where the PGN is to tell them (`--pgn-detail`): when it was played, which programs played it, and what
//! the players said of each search besides score, depth and nodes.

use humantime::format_rfc3339_millis;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Details of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// When it began, ms since 1970, UTC.
    pub begun: u64,
    /// When it ended.
    pub ended: u64,
    /// What the base's engine calls itself (`id name`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// What the candidate's engine calls itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// Those of each move.
    pub moves: Vec<MoveDetails>,
}

impl Details {
    /// How long it took, `00:01:25`.
    pub fn duration(&self) -> String {
        let seconds = self.ended.saturating_sub(self.begun) / 1000;
        format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

/// What a player said of the search for one move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveDetails {
    /// The deepest ply reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// The principal variation: moves in UCI notation, separated by blanks. Empty if it told none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv: String,
}

/// The present time, ms since 1970, UTC; 0 if the machine's clock is before that.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A time, ms since 1970, as RFC 3339 in UTC: `2026-01-31T12:30:05.250Z`.
pub fn rfc3339(milliseconds: u64) -> String {
    format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(milliseconds)).to_string()
}
