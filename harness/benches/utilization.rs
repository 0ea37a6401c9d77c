//! Utilization: the share of the threads' time that goes into searching. Plays pairs of the default experiment and prints
//! what the report says: everything that is not search (referee, records, openings, store) is the harness's own cost.
//!
//! `cargo bench -p harness --bench utilization [-- PAIRS [NODES]]`

use std::process::Command;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let pairs = numbers.first().copied().unwrap_or(400);
    let nodes = numbers.get(1).copied().unwrap_or(5000);
    let results = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_harness"))
        .args(["sprt", "base.toml", "pvs.toml", "--json", "--quiet", "--threads", "2"])
        .args(["--max-pairs", &pairs.to_string(), "--nodes", &nodes.to_string()])
        // Bounds so far apart that the test cannot end before the pairs do.
        .args(["--elo0", "-0.1", "--elo1", "0.1"])
        .arg("--results")
        .arg(results.path())
        .output()
        .expect("the harness starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    println!(
        "{nodes} nodes a move on 2 threads: utilization {:.2} %, {:.2} games/s over {} games",
        100.0 * report["utilization"].as_f64().expect("games were played"),
        report["games_per_second"].as_f64().expect("games were played"),
        report["games"],
    );
}
