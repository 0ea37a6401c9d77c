//! Limit of a player's thinking. The limit of a whole game, and what of it one move is told.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The limits under which a player moves; the first one reached ends the search.
///
/// As JSON: `{"nodes": 5000}`, `{"depth": 8}`, `{"movetime": 100}`, `{"tc": "40/60+0.6"}`, or several of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Positions searched for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies searched for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// The player's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
}

impl Limit {
    /// Nothing but so many positions for each move.
    pub const fn nodes(nodes: u64) -> Limit {
        Limit { nodes: Some(nodes), depth: None, movetime: None, tc: None }
    }

    /// Nothing but so many plies for each move.
    pub const fn depth(plies: u32) -> Limit {
        Limit { nodes: None, depth: Some(plies), movetime: None, tc: None }
    }

    /// Nothing but so many milliseconds for each move.
    pub const fn movetime(milliseconds: u64) -> Limit {
        Limit { nodes: None, depth: None, movetime: Some(milliseconds), tc: None }
    }

    /// Nothing but a clock.
    pub const fn tc(control: TimeControl) -> Limit {
        Limit { nodes: None, depth: None, movetime: None, tc: Some(control) }
    }

    /// Whether answers are judged by when they come.
    pub const fn has_clock(self) -> bool {
        self.movetime.is_some() || self.tc.is_some()
    }

    /// Whether the same players play the same game on every machine. Then a repeated opening would
    /// repeat the same game and must not be counted twice.
    pub const fn is_deterministic(self) -> bool {
        !self.has_clock()
    }

    /// Each limit as the name of its option and its value.
    pub fn named(self) -> impl Iterator<Item = (&'static str, String)> {
        let Limit { nodes, depth, movetime, tc } = self;
        let named = [
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("depth", depth.map(|plies| plies.to_string())),
            ("movetime", movetime.map(|milliseconds| milliseconds.to_string())),
            ("tc", tc.map(|control| control.to_string())),
        ];
        named.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

/// Whether a player that searched so many nodes honours a limit of `asked`: engines look at their counts now and then, so half
/// to twice as many is what was asked for.
pub const fn is_about(asked: u64, searched: u64) -> bool {
    searched.saturating_mul(2) >= asked && asked.saturating_mul(2) >= searched
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits: Vec<String> = (self.named())
            .map(|(name, value)| match name {
                "nodes" => format!("{value} nodes/move"),
                "movetime" => format!("{value} ms/move"),
                _ => format!("{name} {value}"),
            })
            .collect();
        f.write_str(&limits.join(", "))
    }
}

/// A time control: `40/60+0.6` is 40 moves in 60 seconds with 0.6 seconds added for every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Moves after which `base_ms` is credited again; none: it is for the whole game.
    pub moves: Option<u32>,
    /// Milliseconds for a control, or for the game.
    pub base_ms: u64,
    /// Milliseconds added for every move, the first included.
    pub increment_ms: u64,
}

/// The longest time a control may give, milliseconds: thirty years, so that no sum overflows.
const LONGEST_MS: u64 = 1_000_000_000_000;

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTimeControl {
    /// What was given.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for BadTimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadTimeControl { text, reason } = self;
        write!(
            f,
            "\"{text}\" is no time control: {reason}; write [moves/][minutes:]seconds[+increment], like 10+0.1 or 40/1:30"
        )
    }
}

impl std::error::Error for BadTimeControl {}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    /// Reads `[moves/][minutes:]seconds[+increment]`; seconds and increment down to the millisecond.
    fn from_str(text: &str) -> Result<TimeControl, BadTimeControl> {
        parse_time_control(text).map_err(|reason| BadTimeControl { text: text.to_owned(), reason })
    }
}

fn parse_time_control(text: &str) -> Result<TimeControl, &'static str> {
    let (moves, times) = match text.split_once('/') {
        Some((moves, times)) => {
            let count = whole_number(moves, "the number of moves is not a whole number")?;
            let count = u32::try_from(count).map_err(|_| "the number of moves is too large")?;
            (Some(count), times)
        }
        None => (None, text),
    };
    let (base, increment) = match times.split_once('+') {
        Some((base, increment)) => (base, milliseconds(increment)?),
        None => (times, 0),
    };
    let base_ms = match base.split_once(':') {
        Some((minutes, seconds)) => {
            let minutes = whole_number(minutes, "the minutes are not a whole number")?;
            minutes
                .checked_mul(60_000)
                .and_then(|ms| ms.checked_add(milliseconds(seconds).ok()?))
                .ok_or("the seconds are not a number, or the time is too long")?
        }
        None => milliseconds(base)?,
    };
    if moves == Some(0) {
        return Err("a control has at least one move");
    }
    if base_ms == 0 {
        return Err("the base time must be more than zero");
    }
    if base_ms.max(increment) > LONGEST_MS {
        return Err("the time is too long");
    }
    Ok(TimeControl { moves, base_ms, increment_ms: increment })
}

fn whole_number(text: &str, reason: &'static str) -> Result<u64, &'static str> {
    // `parse` alone would accept a sign.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(reason);
    }
    text.parse().map_err(|_| reason)
}

/// Reads seconds with up to three decimals, exactly.
fn milliseconds(text: &str) -> Result<u64, &'static str> {
    const REASON: &str = "the time is not a number of seconds";
    let (seconds, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if decimals.len() > 3 {
        return Err("times are exact to the millisecond: three decimals at most");
    }
    let thousandths = whole_number(&format!("{decimals:0<3}"), REASON)?;
    if decimals.is_empty() {
        return Err(REASON);
    }
    whole_number(seconds, REASON)?
        .checked_mul(1000)
        .and_then(|ms| ms.checked_add(thousandths))
        .ok_or("the time is too long")
}

impl fmt::Display for TimeControl {
    /// In seconds, without needless zeros: what `from_str` reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        f.write_str(&seconds(self.base_ms))?;
        if self.increment_ms > 0 {
            write!(f, "+{}", seconds(self.increment_ms))?;
        }
        Ok(())
    }
}

/// Milliseconds as the shortest decimal number of seconds.
pub(super) fn seconds(milliseconds: u64) -> String {
    let text = format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl TryFrom<String> for TimeControl {
    type Error = BadTimeControl;
    fn try_from(text: String) -> Result<TimeControl, BadTimeControl> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

/// What a player is told about one move; all that is given holds together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveLimit {
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Plies to search.
    pub depth: Option<u32>,
    /// Milliseconds to answer in.
    pub movetime: Option<u64>,
    /// The clocks, from which the player takes what it thinks right.
    pub clocks: Option<Clocks>,
}

/// Both clocks as UCI's `go` sends them, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// White's time (`wtime`), at least 1: some engines take 0 for no limit.
    pub white_ms: u64,
    /// Black's time (`btime`), at least 1.
    pub black_ms: u64,
    /// White's increment (`winc`).
    pub white_increment_ms: u64,
    /// Black's increment (`binc`).
    pub black_increment_ms: u64,
    /// Moves the player to move has left in its control (`movestogo`); none: the time is for the game.
    pub moves_to_go: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn control(moves: Option<u32>, base_ms: u64, increment_ms: u64) -> TimeControl {
        TimeControl { moves, base_ms, increment_ms }
    }

    #[test]
    fn time_controls_are_read() {
        for (text, expected) in [
            ("10", control(None, 10_000, 0)),
            ("10+0.1", control(None, 10_000, 100)),
            ("40/60+0.6", control(Some(40), 60_000, 600)),
            ("40/1:30+0.05", control(Some(40), 90_000, 50)),
            ("0:02.5", control(None, 2_500, 0)),
            ("0.001+0", control(None, 1, 0)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn every_slip_is_named() {
        for (text, reason) in [
            ("", "not a number of seconds"),
            ("ten", "not a number of seconds"),
            ("+0.1", "not a number of seconds"),
            ("10+", "not a number of seconds"),
            ("10.+1", "not a number of seconds"),
            (".", "not a number of seconds"),
            ("1.+5", "not a number of seconds"),
            ("-10", "not a number of seconds"),
            ("10++1", "not a number of seconds"),
            (" 10", "not a number of seconds"),
            ("10+0.0001", "three decimals"),
            ("0+1", "more than zero"),
            ("0/10", "at least one move"),
            ("/10", "moves is not"),
            ("4.5/10", "moves is not"),
            ("9999999999/10", "too large"),
            ("1000000001", "too long"),
            ("99999999999999999999", "not a number of seconds"),
            ("9999999999999999999", "too long"),
            (":30", "minutes"),
            ("1:x", "seconds are not"),
            ("１０", "not a number of seconds"),
        ] {
            let error = text.parse::<TimeControl>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
            assert!(error.contains("like 10+0.1"), "{error}");
        }
    }

    #[test]
    fn json_and_text() {
        let clock = Limit::tc(control(Some(40), 60_000, 600));
        for (limit, json, text) in [
            (Limit::nodes(5000), r#"{"nodes":5000}"#, "5000 nodes/move"),
            (Limit::depth(8), r#"{"depth":8}"#, "depth 8"),
            (Limit::movetime(100), r#"{"movetime":100}"#, "100 ms/move"),
            (clock, r#"{"tc":"40/60+0.6"}"#, "tc 40/60+0.6"),
        ] {
            assert_eq!(serde_json::to_string(&limit).unwrap(), json);
            assert_eq!(serde_json::from_str::<Limit>(json).unwrap(), limit);
            assert_eq!(limit.to_string(), text);
        }
        assert!(serde_json::from_str::<Limit>(r#"{"tc":"0"}"#).is_err());
        let both = Limit { depth: Some(9), ..clock };
        assert_eq!(serde_json::to_string(&both).unwrap(), r#"{"depth":9,"tc":"40/60+0.6"}"#);
        assert_eq!((both.to_string().as_str(), both.is_deterministic()), ("depth 9, tc 40/60+0.6", false));
        assert!(Limit::nodes(1).is_deterministic() && Limit::depth(1).is_deterministic());
        assert!(!Limit::movetime(1).is_deterministic() && !clock.is_deterministic());
    }

    proptest! {
        #[test]
        fn display_is_read_back(
            moves in prop::option::of(1u32..),
            base_ms in 1..=LONGEST_MS,
            increment_ms in 0..=LONGEST_MS,
        ) {
            let control = control(moves, base_ms, increment_ms);
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }

        #[test]
        fn no_text_breaks_the_parser(text in "\\PC*|[0-9/:+.]*") {
            let _ = text.parse::<TimeControl>();
        }
    }
}
