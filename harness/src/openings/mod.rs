//! Where do games begin? Books: reading and checking them, and the order in which they are played.

pub mod book;
pub mod check;
pub mod find;
pub mod opening;
pub mod order;
mod pgn;

pub use book::{Book, BookError};
pub use opening::{BadOpening, Opening};
pub use order::OpeningOrder;
