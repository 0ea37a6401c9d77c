//! The test harness.
fn main() {}
