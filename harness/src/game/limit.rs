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

/// A time control of up to four periods, the last of which holds to the end: `40/60+0.6` is 40 moves in 60 seconds with 0.6
/// seconds added for every move, again and again; `40/5400,1800` is 40 moves in 90 minutes, and 30 minutes for all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// The period in which a game begins.
    pub first: Period,
    later: [Option<Period>; 3],
}

/// A period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// Moves in it; none: it is for the rest of the game. Of the last period: moves after which `base_ms` is credited again.
    pub moves: Option<u32>,
    /// Milliseconds for these moves.
    pub base_ms: u64,
    /// Milliseconds added for every move, the first included.
    pub increment_ms: u64,
}

impl TimeControl {
    /// One period.
    pub const fn of(period: Period) -> TimeControl {
        TimeControl { first: period, later: [None; 3] }
    }

    /// The periods in their order.
    pub fn periods(&self) -> impl Iterator<Item = Period> {
        [self.first].into_iter().chain(self.later.into_iter().flatten())
    }

    /// Milliseconds for each of so many moves on average.
    pub fn ms_per_move(&self, moves: f64) -> f64 {
        let (mut left, mut time) = (moves, 0.0);
        let last = self.periods().count() - 1;
        for (place, Period { moves, base_ms, increment_ms }) in self.periods().enumerate() {
            let here =
                moves.map_or(left, |moves| if place == last { left } else { left.min(f64::from(moves)) });
            let share = here / moves.map_or(left.max(1.0), f64::from);
            time += share * base_ms as f64 + here * increment_ms as f64;
            left -= here;
        }
        time / moves
    }
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
            "\"{text}\" is no time control: {reason}; write [moves/][minutes:]seconds[+increment], like 10+0.1 or 40/1:30, \
             and further periods after commas, like 40/90:00+30,15:00+30"
        )
    }
}

impl std::error::Error for BadTimeControl {}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    /// Reads `[moves/][minutes:]seconds[+increment]`, seconds and increment down to the millisecond, and up to three further
    /// periods after commas or, as PGN writes them, colons (`40/7200:20/3600:900`).
    fn from_str(text: &str) -> Result<TimeControl, BadTimeControl> {
        parse_time_control(text).map_err(|reason| BadTimeControl { text: text.to_owned(), reason })
    }
}

fn parse_time_control(text: &str) -> Result<TimeControl, &'static str> {
    let mut periods = texts_of_periods(text).map(parse_period);
    let first = periods.next().expect("a split text has a part")?;
    let mut control = TimeControl::of(first);
    let mut later = control.later.iter_mut();
    let mut has_ended = first.moves.is_none();
    for period in periods {
        let period = period?;
        if has_ended {
            return Err("only the last period may be without a number of moves");
        }
        has_ended = period.moves.is_none();
        *later.next().ok_or("it has more than four periods")? = Some(period);
    }
    Ok(control)
}

/// What commas separate, or the colons of PGN, which knows only seconds: there another period follows, or more than a minute
/// has.
fn texts_of_periods(text: &str) -> impl Iterator<Item = &str> {
    let is_period = |part: &str| {
        let seconds = part.split(['+', '.']).next().unwrap_or(part);
        part.contains('/') || seconds.parse().is_ok_and(|seconds: u64| seconds >= 60)
    };
    let colons = text.matches(':').count();
    let is_of_pgn =
        text.contains('/') && colons > 0 && (colons > 1 || text.split(':').skip(1).any(is_period));
    text.split(if is_of_pgn && !text.contains(',') { ':' } else { ',' })
}

fn parse_period(text: &str) -> Result<Period, &'static str> {
    let (moves, times) = match text.split_once('/') {
        Some((moves, times)) => {
            let count = whole_number(moves, "the number of moves is not a whole number")?;
            let count = u32::try_from(count).map_err(|_| "the number of moves is too large")?;
            (Some(count), times)
        }
        None => (None, text),
    };
    let (base, increment_ms) = match times.split_once('+') {
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
    // The first increment is there when the clock starts.
    if base_ms == 0 && increment_ms == 0 {
        return Err("the base time or the increment must be more than zero");
    }
    if base_ms.max(increment_ms) > LONGEST_MS {
        return Err("the time is too long");
    }
    Ok(Period { moves, base_ms, increment_ms })
}

fn whole_number(text: &str, reason: &'static str) -> Result<u64, &'static str> {
    // `parse` alone would accept a sign.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(reason);
    }
    text.parse().map_err(|_| reason)
}

/// Reads seconds with up to three decimals, exactly; one side of the point may be empty: `.5`, `10.`.
fn milliseconds(text: &str) -> Result<u64, &'static str> {
    const REASON: &str = "the time is not a number of seconds";
    let (seconds, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 {
        return Err("times are exact to the millisecond: three decimals at most");
    }
    if seconds.is_empty() && decimals.is_empty() {
        return Err(REASON);
    }
    let thousandths = whole_number(&format!("{decimals:0<3}"), REASON)?;
    whole_number(&format!("0{seconds}"), REASON)?
        .checked_mul(1000)
        .and_then(|ms| ms.checked_add(thousandths))
        .ok_or("the time is too long")
}

impl fmt::Display for TimeControl {
    /// In seconds, without needless zeros: what `from_str` reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Period { moves, base_ms, increment_ms }) in self.periods().enumerate() {
            if place > 0 {
                f.write_str(",")?;
            }
            if let Some(moves) = moves {
                write!(f, "{moves}/")?;
            }
            f.write_str(&seconds(base_ms))?;
            if increment_ms > 0 {
                write!(f, "+{}", seconds(increment_ms))?;
            }
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
        TimeControl::of(Period { moves, base_ms, increment_ms })
    }

    #[test]
    fn several_periods_are_read_and_written() {
        for (text, written, periods) in [
            ("40/90:00+30,15:00+30", "40/5400+30,900+30", 2),
            ("40/7200:3600", "40/7200,3600", 2),
            ("40/7200:20/3600:900+10", "40/7200,20/3600,900+10", 3),
            ("2/1,3/.5,4/2+0.1,5/1", "2/1,3/0.5,4/2+0.1,5/1", 4),
            ("40/1:30", "40/90", 1),
            ("40/60:30", "40/3630", 1),
        ] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(
                (control.to_string().as_str(), control.periods().count()),
                (written, periods),
                "{text}"
            );
            assert_eq!(written.parse(), Ok(control));
        }
        let average = |text: &str, moves| text.parse::<TimeControl>().unwrap().ms_per_move(moves);
        assert_eq!(
            [average("10+0.1", 50.0), average("40/60+1", 60.0), average("40/60", 7.0)],
            [300.0, 2500.0, 1500.0]
        );
        assert_eq!([average("40/60,30+1", 60.0), average("40/60,20/30", 80.0)], [110_000.0 / 60.0, 1500.0]);
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
            ("0+1", control(None, 0, 1000)),
            ("0:00+.5", control(None, 0, 500)),
            ("10+.1", control(None, 10_000, 100)),
            (".5", control(None, 500, 0)),
            ("10.+1.", control(None, 10_000, 1000)),
            ("40/0+2", control(Some(40), 0, 2000)),
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
            (".", "not a number of seconds"),
            ("-10", "not a number of seconds"),
            ("10++1", "not a number of seconds"),
            (" 10", "not a number of seconds"),
            ("10+0.0001", "three decimals"),
            ("0+0", "more than zero"),
            ("0", "more than zero"),
            ("1+.", "not a number of seconds"),
            ("10,5", "only the last period"),
            ("40/60,", "not a number of seconds"),
            ("1/1,1/1,1/1,1/1,1", "more than four periods"),
            ("40/60,0/10", "at least one move"),
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
