//! Cost and error of a sweep that seeks a winner among several values. Simulated sweeps, as in `docs/sweeps.md`.
//!
//! `cargo bench -p harness --bench sweep [-- RUNS [BLOCK]]`

#[path = "../tests/common/sweep_simulation.rs"]
mod sweep_simulation;

use harness::kinds::sweep::schedule::End;
use harness::statistics::{Model, SprtBounds};
use sweep_simulation::{find_winner, one_by_one};

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let runs = numbers.first().copied().unwrap_or(1000);
    let block = numbers.get(1).copied().unwrap_or(32);
    let test = SprtBounds::new(0.0, 3.0, 0.05, 0.05, Model::Logistic).expect("a sensible test");
    let scenarios: [(&str, Vec<f64>); 5] = [
        ("8 arms, 0 to 4", (0..8).map(|arm| f64::from(arm) * 4.0 / 7.0).collect()),
        ("one +4, seven 0", vec![0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ("-6 to 0, one +3", vec![-6.0, -5.0, -4.0, -3.0, -2.0, -1.0, 0.0, 3.0]),
        ("16 arms, -4 to 4", (0..16).map(|arm| f64::from(arm) * 8.0 / 15.0 - 4.0).collect()),
        ("8 arms, all 0", vec![0.0; 8]),
    ];
    println!("SPRT [0, 3], alpha 0.05, beta 0.05, blocks of {block} pairs, {runs} runs each");
    println!(
        "{:<18} {:>14} {:>12} {:>8} {:>7} {:>8}",
        "arms (Elo)", "one by one", "sweep", "regret", "none", "wrong"
    );
    for (name, strengths) in &scenarios {
        let best = strengths.iter().fold(0.0, |best: f64, &elo| best.max(elo));
        let [mut alone, mut pairs, mut regret, mut none, mut wrong] = [0.0; 5];
        for seed in 0..runs {
            alone += one_by_one(strengths, test, block, seed) as f64;
            let outcome = find_winner(strengths, test, block, seed);
            pairs += outcome.pairs as f64;
            match outcome.end {
                End::Winner(arm) => {
                    regret += best - strengths[arm];
                    wrong += f64::from(u8::from(strengths[arm] <= 0.0));
                }
                _ => {
                    regret += best;
                    none += 1.0;
                }
            }
        }
        let [alone, pairs, regret, none, wrong] =
            [alone, pairs, regret, none, wrong].map(|sum| sum / runs as f64);
        println!(
            "{name:<18} {alone:>8.0} pairs {pairs:>6.0} pairs {regret:>8.2} {:>5.1} % {:>6.1} %",
            100.0 * none,
            100.0 * wrong
        );
    }
}
