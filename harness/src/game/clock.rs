//! Clock of one player, and whether it has overstepped its time.

use super::limit::{Period, TimeControl};
use std::fmt;
use std::time::Duration;

/// How late an answer may come before it counts as late: the grace for pipes and a busy machine.
pub const MARGIN: Duration = Duration::from_millis(100);

/// What one player has left.
///
/// Time is checked before any is credited, so an overrun on the last move before the control loses.
/// The margin forgives an overrun, it does not pay for it: what was overdrawn is missing afterwards.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The period that it is in, and those that come.
    period: Period,
    later: Vec<Period>,
    margin: Duration,
    /// Microseconds; below zero where the margin was used.
    left: i64,
    /// Moves to the next control, if there are controls.
    moves_to_go: Option<u32>,
}

/// A player took more time than it had and the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// The time taken for the move.
    pub used: Duration,
    /// How far beyond the margin it came.
    pub past_margin: Duration,
    /// The margin.
    pub margin: Duration,
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "took {:.3} s, {:.3} s past the margin of {:.3} s",
            self.used.as_secs_f64(),
            self.past_margin.as_secs_f64(),
            self.margin.as_secs_f64()
        )
    }
}

impl std::error::Error for Overrun {}

impl Overrun {
    /// How far beyond its time the move came, milliseconds, as the evidence of a game tells; none where a text begins with no
    /// overrun.
    pub fn milliseconds_in(evidence: &str) -> Option<u64> {
        let (_, rest) = evidence.strip_prefix("took ")?.split_once(" s, ")?;
        let (past_margin, rest) = rest.split_once(" s past the margin of ")?;
        let (margin, _) = rest.split_once(" s")?;
        let seconds: f64 = past_margin.parse::<f64>().ok()? + margin.parse::<f64>().ok()?;
        Some((seconds * 1000.0).round() as u64)
    }
}

/// Checks a move that had a time of its own and no clock.
///
/// # Errors
///
/// It took longer than that and the margin.
pub fn check(allowed: Duration, used: Duration, margin: Duration) -> Result<(), Overrun> {
    deduct(microseconds(allowed), used, margin).map(|_| ())
}

/// Takes the time used from what was left, both checked before anything is credited.
fn deduct(left: i64, used: Duration, margin: Duration) -> Result<i64, Overrun> {
    let left = left.saturating_sub(microseconds(used));
    let with_margin = left.saturating_add(microseconds(margin));
    if with_margin < 0 {
        let past_margin = Duration::from_micros(with_margin.unsigned_abs());
        return Err(Overrun { used, past_margin, margin });
    }
    Ok(left)
}

/// Saturates: nobody waits three hundred thousand years.
fn microseconds(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

impl Period {
    /// The base time and the increment of the first move.
    fn begins_with(self) -> Duration {
        Duration::from_millis(self.base_ms.saturating_add(self.increment_ms))
    }
}

impl Clock {
    /// A clock at the start of a game: the base time and the increment of the first move.
    pub fn new(control: TimeControl, margin: Duration) -> Clock {
        let period = control.first;
        let mut later: Vec<Period> = control.periods().skip(1).collect();
        later.reverse();
        Clock { period, later, margin, left: microseconds(period.begins_with()), moves_to_go: period.moves }
    }

    /// Takes the time of one move and credits what the move earns.
    ///
    /// # Errors
    ///
    /// The flag has fallen.
    pub fn spend(&mut self, used: Duration) -> Result<(), Overrun> {
        let left = deduct(self.left, used, self.margin)?;
        let mut credit = Duration::from_millis(self.period.increment_ms);
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                self.period = self.later.pop().unwrap_or(self.period);
                self.moves_to_go = self.period.moves;
                credit = self.period.begins_with();
            }
        }
        self.left = left.saturating_add(microseconds(credit));
        Ok(())
    }

    /// Time left, milliseconds, rounded down; below zero where the margin was used.
    pub fn left_ms(&self) -> i64 {
        self.left.div_euclid(1000)
    }

    /// The time added for every move, milliseconds.
    pub fn increment_ms(&self) -> u64 {
        self.period.increment_ms
    }

    /// Moves to the next control; none if the time is for the whole game.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn evidence_tells_the_overrun() {
        let milliseconds = Duration::from_millis;
        let overrun =
            Overrun { used: milliseconds(530), past_margin: milliseconds(120), margin: milliseconds(10) };
        assert_eq!(Overrun::milliseconds_in(&format!("{overrun}, and then answered e2e4")), Some(130));
        assert_eq!(Overrun::milliseconds_in("no answer within 1.2 s"), None);
    }

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn reference() -> Clock {
        Clock::new("3/10+0.1".parse().unwrap(), MS(100))
    }

    /// The numbers are those of fastchess's test of its clock, but for the overdrawn 100 ms.
    #[test]
    fn reference_numbers() {
        let mut clock = reference();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (10_100, Some(3)));
        clock.spend(MS(5555)).unwrap();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (4645, Some(2)));
        clock.spend(MS(4745)).unwrap();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (0, Some(1)));
        clock.spend(MS(50)).unwrap();
        assert_eq!((clock.left_ms(), clock.moves_to_go()), (10_050, Some(3)));

        let overrun = reference().spend(MS(10_251)).unwrap_err();
        assert_eq!(overrun, Overrun { used: MS(10_251), past_margin: MS(51), margin: MS(100) });
        assert_eq!(overrun.to_string(), "took 10.251 s, 0.051 s past the margin of 0.100 s");
    }

    #[test]
    fn an_overrun_on_the_last_move_before_the_control_loses() {
        let mut clock = Clock::new("1/1".parse().unwrap(), Duration::ZERO);
        clock.spend(MS(1000)).unwrap();
        assert_eq!(clock.left_ms(), 1000);
        assert!(clock.spend(MS(1000) + Duration::from_micros(1)).is_err());
    }

    #[test]
    fn periods_follow_each_other_and_the_last_one_repeats() {
        let mut clock = Clock::new("2/10+1,1/5,2/3+0.5".parse().unwrap(), Duration::ZERO);
        let mut seen = Vec::new();
        for _ in 0..8 {
            seen.push((clock.left_ms(), clock.increment_ms(), clock.moves_to_go().unwrap()));
            clock.spend(MS(100)).unwrap();
        }
        let periods = [(11_000, 1000, 2), (11_900, 1000, 1), (16_800, 0, 1)];
        let last = [(20_200, 500, 2), (20_600, 500, 1), (24_000, 500, 2), (24_400, 500, 1), (27_800, 500, 2)];
        assert_eq!(seen, [&periods[..], &last].concat());

        let mut sudden = Clock::new("1/0+1,2".parse().unwrap(), Duration::ZERO);
        sudden.spend(MS(900)).unwrap();
        assert_eq!((sudden.left_ms(), sudden.moves_to_go(), sudden.increment_ms()), (2100, None, 0));
        sudden.spend(MS(2000)).unwrap();
        assert!(sudden.spend(MS(101)).is_err());
    }

    #[test]
    fn hostile_sizes_saturate() {
        let huge = TimeControl::of(Period { moves: None, base_ms: u64::MAX, increment_ms: u64::MAX });
        let mut clock = Clock::new(huge, Duration::MAX);
        clock.spend(Duration::MAX).unwrap();
        clock.spend(Duration::ZERO).unwrap();
        assert!(reference().spend(Duration::MAX).is_err());
    }

    proptest! {
        /// Nothing is lost or invented: what is left is what was given minus what was used.
        #[test]
        fn the_books_balance(moves in 1u32..5, used in prop::collection::vec(0u64..400, 1..40)) {
            let control = TimeControl::of(Period { moves: Some(moves), base_ms: 500, increment_ms: 50 });
            let mut clock = Clock::new(control, Duration::ZERO);
            let (mut given, mut spent) = (550, 0);
            for (played, &ms) in (1u32..).zip(&used) {
                let fits = i64::try_from(given - spent).unwrap() >= i64::try_from(ms).unwrap();
                prop_assert_eq!(clock.spend(MS(ms)).is_ok(), fits);
                if !fits {
                    break;
                }
                spent += ms;
                given += 50 + if played % moves == 0 { 500 } else { 0 };
                prop_assert_eq!(clock.left_ms(), i64::try_from(given - spent).unwrap());
            }
        }
    }
}
