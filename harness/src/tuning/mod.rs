//! Which values are best? Parameters tuned by self-play.

pub mod check;
pub mod file;
pub mod file_toml;
pub mod forecast;
pub mod forms;
pub mod ranges;
pub mod spsa;
pub mod sweep;
pub mod tune;
