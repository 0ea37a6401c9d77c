//! Static evaluation: what a position is worth without searching.

pub mod score;
pub mod weights;

pub use score::Score;
