//! Is the candidate stronger than the base? Pairs of games between two engine configurations, a
//! sequential test over them, and the evidence on disk.

pub mod game;
pub mod store;
pub mod openings;
pub mod players;
pub mod statistics;
