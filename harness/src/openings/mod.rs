//! Openings: the positions from which games begin. Making, reading and checking them, and the order in which they
//! are played.

pub mod book;
pub mod candidate;
pub mod check;
pub mod filter;
pub mod find;
pub mod make;
mod movetext;
pub mod order;
mod pgn;
pub mod start;
pub(crate) mod stream;
pub mod unpack;

pub use book::{Book, BookError};
pub use order::OpeningOrder;
