//! King danger: what the units of danger gathered by the enemy's pieces cost.

use super::score::{Score, s};

/// More units of danger than this make no difference.
const MOST_DANGER: i32 = 155;

/// What units of danger cost the side in danger: their square divided by this, centipawns.
const DANGER_DIVISOR: i32 = 48;

/// Cost of units of danger. One attacker is harmless, so the cost grows with the square of the units
///  (chess programming wiki, "King Safety").
#[inline(always)]
pub fn danger_cost(units: Score) -> Score {
    s(half_cost(units.middlegame()), half_cost(units.endgame()))
}

#[inline(always)]
fn half_cost(units: i32) -> i32 {
    let units = units.clamp(0, MOST_DANGER);
    units * units / DANGER_DIVISOR
}

/// The cost and its slope, unrounded, for a fit.
pub fn danger_cost_and_slope(units: f32) -> (f32, f32) {
    let clamped = units.clamp(0.0, MOST_DANGER as f32);
    let slope = if clamped == units { 2.0 * units / DANGER_DIVISOR as f32 } else { 0.0 };
    (clamped * clamped / DANGER_DIVISOR as f32, slope)
}
