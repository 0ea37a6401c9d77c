//! A fixed number of games: who meets whom in which pair, and what has come of it.

mod contest;
mod results;
mod spec;
mod standing;

pub use contest::{End, Tournament};
pub use results::Results;
pub use spec::{Format, TournamentSpec};
pub use standing::Standing;
