//! One game: the referee's rules, the clock, and the record. Knows nothing of statistics, store or run.

pub mod adjudication;
pub mod clock;
pub mod details;
pub mod fen;
pub mod limit;
pub mod opening;
pub mod pgn;
pub mod play;
pub mod player;
pub mod record;
pub mod referee;
pub mod syzygy;
pub mod timing;
