//! Which values are best? Parameters tuned by self-play.

pub mod sweep;
