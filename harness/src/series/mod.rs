//! Series of measurements: the ladder of techniques, and published experiments once more.

pub mod collection;
pub mod distortion;
pub mod ladder;
pub mod published;
pub mod reproduction;
