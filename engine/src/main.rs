//! The chess engine.
fn main() {}
