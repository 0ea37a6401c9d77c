//! What a sweep promises, by simulation: no wrong winner more often than agreed, and a right one soon.

#[path = "common/sweep_simulation.rs"]
mod sweep_simulation;

use harness::kinds::sweep::schedule::End;
use harness::statistics::{Model, SprtBounds};
use sweep_simulation::{find_winner, one_by_one};

const BLOCK: u64 = 32;

/// Tests of `width` Elo, with a risk of 5 % of any wrong winner.
fn test(width: f64) -> SprtBounds {
    SprtBounds::new(0.0, width, 0.05, 0.05, Model::Logistic).unwrap()
}

#[test]
fn a_winner_among_equals_is_named_no_more_often_than_agreed() {
    let runs = 1000;
    let is_wrong = |seed: &u64| matches!(find_winner(&[0.0; 8], test(6.0), BLOCK, *seed).end, End::Winner(_));
    let share = (0..runs).filter(is_wrong).count() as f64 / runs as f64;
    let error = (0.05 * 0.95 / runs as f64).sqrt();
    assert!(share <= 0.05 + 3.0 * error, "{share}");
    // Far below, the test would be longer than it need be.
    assert!(share >= 0.05 - 5.0 * error, "{share}");
}

#[test]
fn one_good_value_among_eight_is_found_in_less_than_half_the_games() {
    let strengths = [0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let runs = 300;
    let (mut alone, mut together, mut found) = (0, 0, 0);
    for seed in 0..runs {
        alone += one_by_one(&strengths, test(3.0), BLOCK, seed);
        let outcome = find_winner(&strengths, test(3.0), BLOCK, seed);
        together += outcome.pairs;
        found += u32::from(outcome.end == End::Winner(2));
    }
    assert!(2 * together <= alone, "{together} {alone}");
    assert!(f64::from(found) >= 0.95 * runs as f64, "{found}");
}
