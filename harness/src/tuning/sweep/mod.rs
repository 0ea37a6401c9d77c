//! Which value of a parameter is best, and how does the strength depend on it? Several *arms* (each the base with other
//! values) play the base, and the pairs are shared out among them.
//!
//! | file | holds |
//! |---|---|
//! | [`grid`] | from `key=1,2,3` to the arms |
//! | [`arms`] | the base with other values |
//! | [`spec`] | all that decides what is played |
//! | [`thompson`] | which arm the next pairs go to, where a winner is sought |
//! | [`schedule`] | the blocks of pairs, the counts, the arms' tests, the end |
//! | [`contest`] | the schedule as a run that can be played |

pub mod arms;
pub mod contest;
pub mod grid;
pub mod schedule;
pub mod spec;
pub mod thompson;
