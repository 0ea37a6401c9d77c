//! Contest: what one kind of run plays under which number, and when it is enough. [`drive`](super::drive) asks it and knows
//! nothing of tests, sweeps or tuning.
//!
//! A contest names the players and the numbers of the openings. It has no book: only the [dealer](super::dealer) does.

use super::conduct::Watched;
use crate::game::record::PairRecord;
use crate::players::spec::PlayerSpec;
use std::fmt;
use std::sync::Arc;

/// What is to be played under a number.
#[derive(Clone, Debug)]
pub enum Turn {
    /// This pair.
    Play {
        /// Numbers of the openings of the first and the second game, in the order in which the run draws them.
        openings: [u64; 2],
        /// Base and candidate. The same player is always the same `Arc`: engines are kept by it.
        players: [Arc<PlayerSpec>; 2],
    },
    /// It depends on pairs that have not been counted yet.
    Undecided,
    /// There is no pair of this number, nor of any after it.
    Nothing,
}

impl Turn {
    /// One opening for both games, played by base and candidate with exchanged colours.
    pub fn of(opening: u64, [base, candidate]: [&Arc<PlayerSpec>; 2]) -> Turn {
        Turn::Play { openings: [opening; 2], players: [Arc::clone(base), Arc::clone(candidate)] }
    }
}

/// Why a contest is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its games have decided what was asked: no further pair would change it.
    Decided,
    /// As much has been counted as was asked for.
    GoalReached,
    /// Every opening has been played; to repeat one would be to repeat its games.
    BookExhausted,
    /// It cannot go on, for this reason.
    Failed(String),
}

/// The values of one side of a pair in a tuning run, by which it differs from the player that is tuned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The iteration, from 1.
    pub iteration: u64,
    /// Parameters and values, in the order in which they are shown.
    pub values: Vec<(String, i32)>,
}

/// `rfp_margin=320 delta_margin=12`
impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&values.join(" "))
    }
}

/// One kind of run under way: a test, a match, a sweep.
///
/// The turn of a number must follow from the run's specification and from the outcomes of a fixed number of pairs before it,
/// so that it is the same for any number of threads and after any interruption.
pub trait Contest: Send {
    /// What is played under this number. Once it is a pair it stays that pair.
    fn turn(&self, pair: u64) -> Turn;

    /// Takes the outcome of the next pair in order.
    fn count(&mut self, pair: &PairRecord);

    /// Why it is over; none while it goes on.
    fn end(&self) -> Option<End>;

    /// The players, always in the same order, with what they did in the counted pairs.
    fn watched(&self) -> Vec<Watched>;

    /// The values of base and candidate in the pair of this number of a tuning run; none of any other run.
    fn variations(&self, _pair: u64) -> Option<[Variation; 2]> {
        None
    }

    /// Whether enough has been counted.
    fn is_over(&self) -> bool {
        self.end().is_some()
    }
}
