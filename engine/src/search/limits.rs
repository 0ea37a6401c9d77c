//! Search limits and time management: depth, nodes, time, and signals from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Move overhead: time reserved for the communication between engine and clock.
const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

/// The clock is read once in this many nodes.
const NODES_BETWEEN_CHECKS: u64 = 512;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is credited; `None` if the time left is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Limits of a search. They may be combined; the first one reached ends the search. Without any it runs until it is
/// stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations, plies.
    pub depth: Option<u32>,
    /// Positions searched, quiescence included; never exceeded.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clock, from which the search takes its share.
    pub clock: Option<Clock>,
    /// Stop when a mate in this many moves or fewer is found.
    pub mate: Option<u32>,
}

/// Signals from another thread to a running search.
#[derive(Clone, Copy, Debug)]
pub struct Signals<'a> {
    /// Set: stop as soon as possible.
    pub stop: &'a AtomicBool,
    /// Set: the opponent is still thinking, so no time limit holds yet.
    pub pondering: &'a AtomicBool,
}

impl<'a> Signals<'a> {
    /// Signals of which only `stop` is ever set.
    pub fn stopped_by(stop: &'a AtomicBool) -> Signals<'a> {
        Signals { stop, pondering: &NEVER_SET }
    }

    /// Signals that are never set.
    pub fn none() -> Signals<'a> {
        Signals::stopped_by(&NEVER_SET)
    }
}

/// A signal that is never set.
static NEVER_SET: AtomicBool = AtomicBool::new(false);

/// Budget of a running search: its limits, and the time at which it began.
pub struct Budget<'a> {
    nodes: u64,
    depth: u32,
    mate: Option<u32>,
    timing: Option<Timing>,
    started: Instant,
    signals: Signals<'a>,
}

/// Soft and hard time limit, from the start of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timing {
    /// No iteration begins after this, unless the search gives a reason for more or less time.
    soft: Duration,
    /// Whether the time to be used depends on how the search goes.
    is_elastic: bool,
    /// The search is cut off at this.
    hard: Duration,
}

impl<'a> Budget<'a> {
    /// The budget of a search that starts now.
    pub fn new(limits: &Limits, signals: Signals<'a>) -> Budget<'a> {
        let max_depth = super::score::MAX_PLY as u32 - 1;
        Budget {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            depth: limits.depth.unwrap_or(max_depth).clamp(1, max_depth),
            mate: limits.mate,
            timing: Timing::new(limits),
            started: Instant::now(),
            signals,
        }
    }

    /// The last depth to search, plies.
    pub fn max_depth(&self) -> u32 {
        self.depth
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must stop before it enters one node more than `nodes`.
    pub fn is_exhausted(&self, nodes: u64) -> bool {
        nodes >= self.nodes || (nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && self.is_called_off())
    }

    /// Whether another iteration may begin; under a clock, with so many hundredths of the usual share.
    pub fn allows_iteration(&self, nodes: u64, last_score: i32, percent: u32) -> bool {
        let mate_found = self.mate.is_some_and(|wanted| {
            super::score::moves_to_mate(last_score).is_some_and(|moves| moves > 0 && moves as u32 <= wanted)
        });
        let out_of_time = self.timing_in_force().is_some_and(|timing| self.elapsed() >= timing.soft(percent));
        !mate_found && !out_of_time && nodes < self.nodes && !self.is_called_off()
    }

    fn is_called_off(&self) -> bool {
        self.signals.stop.load(Ordering::Relaxed)
            || self.timing_in_force().is_some_and(|timing| self.elapsed() >= timing.hard)
    }

    fn timing_in_force(&self) -> Option<Timing> {
        self.timing.filter(|_| !self.signals.pondering.load(Ordering::Relaxed))
    }
}

impl Timing {
    /// An exact move time is used to the end. Of a clock, the soft limit is an even share for the moves still expected, and
    /// the hard limit four shares, but never so much that the flag could fall.
    fn new(limits: &Limits) -> Option<Timing> {
        let fixed = limits.move_time.map(|time| {
            let usable = time.saturating_sub(MOVE_OVERHEAD).max(time / 2);
            Timing { soft: usable, is_elastic: false, hard: usable }
        });
        let shared = limits.clock.map(|clock| {
            let usable = clock.remaining.saturating_sub(MOVE_OVERHEAD).max(clock.remaining / 4);
            let moves = clock.moves_to_go.unwrap_or(25).clamp(1, 40);
            let share = usable / moves + clock.increment * 3 / 4;
            Timing { soft: share * 6 / 10, is_elastic: true, hard: (share * 4).min(usable * 6 / 10) }
        });
        match (fixed, shared) {
            (Some(a), Some(b)) => {
                let hard = a.hard.min(b.hard);
                Some(Timing { soft: b.soft.min(hard), is_elastic: true, hard })
            }
            (one, other) => one.or(other),
        }
    }

    fn soft(&self, percent: u32) -> Duration {
        match self.is_elastic {
            true => (self.soft * percent / 100).min(self.hard),
            false => self.soft,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_clock_is_never_overdrawn(remaining in 1u64..10_000_000, increment in 0u64..100_000, moves in proptest::option::of(1u32..200)) {
            let remaining = Duration::from_millis(remaining);
            let clock = Clock { remaining, increment: Duration::from_millis(increment), moves_to_go: moves };
            let timing = Timing::new(&Limits { clock: Some(clock), ..Limits::default() }).unwrap();
            prop_assert!(timing.hard < remaining);
            prop_assert!(timing.soft(200) <= timing.hard);
        }
    }

    #[test]
    fn pondering_suspends_the_clock_but_not_the_nodes() {
        let pondering = AtomicBool::new(true);
        let signals = Signals { pondering: &pondering, ..Signals::none() };
        let limits = Limits { move_time: Some(Duration::ZERO), nodes: Some(1000), ..Limits::default() };
        let budget = Budget::new(&limits, signals);
        assert!(!budget.is_exhausted(0));
        assert!(budget.is_exhausted(1000));
        pondering.store(false, Ordering::Relaxed);
        assert!(budget.is_exhausted(0));
    }
}
