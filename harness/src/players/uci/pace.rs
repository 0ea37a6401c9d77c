//! Pacing of the reader: for how long an engine's output may wait. Engines report their first iterations within
//! microseconds of each other, and to be woken for each such line costs more than all else the harness does for a move.
//!
//! So after `go nodes` and `go depth` the reader sleeps at first, nearly as long as a quick answer takes, and then finds
//! most of the lines at once. Never under a clock: there the time is the engine's.
//!
//! Whether it slept too long cannot be read from a clock: on a busy machine any sleep ends late. But an answer that comes
//! with the first lines that are read was perhaps waiting already, and one that comes after others was not.

use std::time::Duration;

/// A shorter sleep is not worth its own wake-up.
const SHORTEST: Duration = Duration::from_micros(150);

/// A longer sleep would keep Ctrl-C waiting.
const LONGEST: Duration = Duration::from_millis(50);

/// The rhythm of an engine's answers.
#[derive(Debug, Default)]
pub(super) struct Pace {
    sleep: Duration,
}

impl Pace {
    /// How long to sleep before listening, if that is worth it.
    pub fn sleep(&self) -> Option<Duration> {
        (self.sleep >= SHORTEST).then_some(self.sleep)
    }

    /// An answer has come after this time, `at_once` if it was among the first lines that were read. The sleep grows
    /// slowly, to three quarters of an answer's time at most, and shrinks faster when it may have been too long.
    pub fn answered(&mut self, after: Duration, at_once: bool) {
        self.sleep = if at_once {
            self.sleep * 3 / 4
        } else {
            let grown = self.sleep + self.sleep / 8 + Duration::from_micros(10);
            grown.min(after * 3 / 4).min(LONGEST)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: Duration = Duration::from_millis(2);

    fn after_answers(count: usize, at_once: bool) -> Pace {
        let mut pace = Pace::default();
        (0..count).for_each(|_| pace.answered(ANSWER, at_once));
        pace
    }

    #[test]
    fn it_sleeps_up_to_three_quarters_of_an_answer_that_comes_in_pieces() {
        assert_eq!(after_answers(3, false).sleep(), None);
        assert_eq!(after_answers(100, false).sleep(), Some(ANSWER * 3 / 4));
        let mut pace = after_answers(100, false);
        (0..200).for_each(|_| pace.answered(Duration::from_secs(5), false));
        assert_eq!(pace.sleep(), Some(LONGEST));
    }

    #[test]
    fn it_does_not_sleep_through_answers() {
        assert_eq!(after_answers(100, true).sleep(), None, "there is nothing to save");
        let mut pace = after_answers(100, false);
        // However late it wakes up.
        pace.answered(100 * ANSWER, true);
        assert_eq!(pace.sleep(), Some(ANSWER * 9 / 16));
        (0..10).for_each(|_| pace.answered(100 * ANSWER, true));
        assert_eq!(pace.sleep(), None);
    }
}
