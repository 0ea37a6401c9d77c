//! How long can nobody listen? Engines report their first iterations within microseconds of each other, and to be
//! woken for each such line costs more than all else the harness does for a move.
//!
//! So after `go nodes` and `go depth` the reader sleeps for a part of the time that the quickest of the last answers
//! took, and then finds most of the lines at once. Never under a clock: there the time is the engine's.

use std::time::Duration;

/// A shorter sleep is not worth its own wake-up.
const SHORTEST: Duration = Duration::from_micros(150);

/// A longer sleep would keep Ctrl-C waiting.
const LONGEST: Duration = Duration::from_millis(50);

/// The rhythm of an engine's answers.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// The time of the quickest of the last answers; it grows slowly until another is as quick.
    quickest: Duration,
}

impl Pace {
    /// How long to sleep before listening: half of what even a quick answer takes.
    pub fn sleep(&self) -> Option<Duration> {
        let half = self.quickest / 2;
        (half >= SHORTEST).then_some(half.min(LONGEST))
    }

    /// An answer has come after this time. An answer that came while nobody listened seems to have taken as long as
    /// the sleep, which halves the next.
    pub fn answered(&mut self, after: Duration) {
        let grown = self.quickest + self.quickest / 8 + Duration::from_micros(10);
        self.quickest = after.min(grown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sleeps_half_of_the_quickest_answer_and_never_for_long() {
        let mut pace = Pace::default();
        assert_eq!(pace.sleep(), None);
        for _ in 0..100 {
            pace.answered(Duration::from_millis(2));
        }
        assert_eq!(pace.sleep(), Some(Duration::from_millis(1)));
        pace.answered(Duration::from_micros(400));
        assert_eq!(pace.sleep(), Some(Duration::from_micros(200)));
        pace.answered(Duration::from_micros(210));
        assert_eq!(pace.sleep(), None);
        for _ in 0..200 {
            pace.answered(Duration::from_secs(5));
        }
        assert_eq!(pace.sleep(), Some(LONGEST));
    }
}
