//! Which values are best? Parameters tuned by self-play.

pub mod file;
pub mod forecast;
pub mod forms;
pub mod spsa;
pub mod sweep;
pub mod tune;
