//! The kinds of runs, as the store names them. A store of a newer version may hold others.

/// A test that an SPRT ends.
pub const SPRT: &str = "sprt";
/// A fixed number of games between two or more players.
pub const MATCH: &str = "match";
/// Strength by the values of parameters.
pub const SWEEP: &str = "sweep";
/// SPSA.
pub const TUNE: &str = "tune";
/// Two players, until the margin is small enough: a published experiment or a step of a ladder.
pub const MEASURE: &str = "measure";
/// Games to fit the evaluation to.
pub const SELFPLAY: &str = "selfplay";
