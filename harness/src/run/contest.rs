//! Which pairs does a run play, and when is it enough? What one kind of run says of that; [`drive`](super::drive)
//! asks it and knows nothing of tests, sweeps or tuning.

use super::conduct::Watched;
use crate::experiment::Pair;
use crate::game::record::PairRecord;

/// What is to be played under a number.
#[derive(Clone, Debug)]
pub enum Next {
    /// This pair.
    Pair(Pair),
    /// It depends on pairs that have not been counted yet.
    Undecided,
    /// There is no pair of this number, nor of any after it.
    Nothing,
}

/// One kind of run: a test, a match, a sweep.
///
/// Pair `index` must follow from the run's specification and from the outcomes of a fixed number of pairs before it, so
/// that it is the same for any number of threads and after any interruption.
pub trait Contest: Send {
    /// What is played under this number. Once it is a pair it stays that pair.
    fn pair(&self, index: u64) -> Next;

    /// Takes the outcome of the next pair in order.
    fn count(&mut self, pair: &PairRecord);

    /// Whether enough has been counted.
    fn is_over(&self) -> bool;

    /// The players, always in the same order, with what they did in the counted pairs.
    fn watched(&self) -> Vec<Watched>;
}
