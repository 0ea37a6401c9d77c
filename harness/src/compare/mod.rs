//! Comparison of two figures: what a summary says, and whether two of them answer one question independently.

pub mod asked;
mod kind;
pub mod known_figure;
