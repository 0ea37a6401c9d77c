//! Fit of the evaluation (Texel tuning): which weights predict the results of games best.
//!
//! ```text
//! games of stored runs ─▶ quiet positions ─▶ traces (which weight counts how often) ─▶ logistic regression ─▶ weights
//! ```
//!
//! The evaluation of a position says how likely its side is to win. The fit moves all weights together so that what they
//! say of many quiet positions comes nearest to how the games ended (Österlund, "Texel's Tuning Method", chess programming
//! wiki; with the gradient in closed form as in Grant, "Evaluation & Tuning in Chess Engines", 2020). The traces come from
//! the engine's own evaluation, so that nothing is written twice. Whether the new weights play better is not for the fit to
//! say but for an SPRT.

pub mod data;
pub mod extract;
pub mod model;
pub mod output;
pub mod repeats;
pub mod train;
