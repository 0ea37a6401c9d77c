//! A chess engine made to be tuned: every number of its search ([`params`]) and every technique
//! ([`techniques`]) can be overridden from a TOML file ([`config`]).

pub mod bench;
pub mod config;
pub mod evaluation;
pub mod explain;
pub mod params;
pub mod params_format;
pub mod position;
mod prefetch;
pub mod search;
pub mod suggest;
pub mod techniques;
pub mod uci;
