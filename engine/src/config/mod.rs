//! Engine configuration: TOML files, overrides, stored form and digest.
//!
//! A config names techniques and parameters that differ from the full engine's, or from those of the
//! file it `extends`:
//!
//! ```toml
//! name = "pvs"              # optional; the file's stem otherwise
//! extends = "base.toml"     # optional; relative to this file
//!
//! [techniques]
//! pvs = true
//!
//! [params]
//! aspiration_delta = 30
//!
//! [eval]
//! outpost = [[20, 12], [14, 6]]
//! ```
//!
//! [`EngineConfig::load`] reads such a file into one checked value, or reports everything that is wrong
//! with it at once ([`ConfigErrors`]). [`find_config`] turns what a user typed into a path.

mod arguments;
mod diagnostics;
mod engine_config;
mod file;
mod find;
mod findings;
mod resolve;
mod section;
mod setting;
mod stored;
mod text;

pub use diagnostics::{ConfigErrors, Place, Problem, ProblemKind, Source};
pub use engine_config::EngineConfig;
pub use find::{ConfigNotFound, find_config};
pub use findings::Findings;
pub use section::Section;
pub use stored::ConfigRecord;
pub use text::format_weights;
