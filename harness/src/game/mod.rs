//! One game: the referee's rules, the clock, and the record. Knows nothing of statistics, store or run.

pub mod record;
