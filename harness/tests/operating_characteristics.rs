//! Operating characteristics: tests err as seldom as they promise, and are as long as others found.
//!
//! `data/operating-characteristics.json` holds values obtained by running fishtest's calculator, `sprta5.py` of
//! vdbergh/pentanomial and the simulator vdbergh/simul; two that a computation with 40 digits corrects say so.

use harness::statistics::elo::elo_of_score;
use harness::statistics::power::{self, Expectation};
use harness::statistics::{Model, Outcomes, PairModel, Simulation, SprtBounds};
use serde_json::Value;
use std::num::NonZeroU64;

fn cases(kind: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("data/operating-characteristics.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    let of_kind: Vec<Value> = cases.iter().filter(|case| case["kind"] == kind).cloned().collect();
    assert!(!of_kind.is_empty(), "no case of kind {kind}");
    of_kind
}

/// The reference value of this name as numbers, with its tolerance as an absolute one for each.
fn expected(case: &Value, name: &str) -> Vec<(f64, f64)> {
    let entry = case["expect"].as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap();
    let absolute = entry["tol_abs"].as_f64().unwrap_or(0.0);
    let relative = entry["tol_rel"].as_f64().unwrap_or(0.0);
    let values = entry["value"].as_array().cloned().unwrap_or_else(|| vec![entry["value"].clone()]);
    let with_tolerance = |value: f64| (value, absolute.max(relative * value.abs()).max(1e-15));
    values.iter().map(|value| with_tolerance(value.as_f64().unwrap())).collect()
}

fn assert_agrees(case: &Value, name: &str, ours: &[f64]) {
    let theirs = expected(case, name);
    assert_eq!(ours.len(), theirs.len());
    for (ours, (value, tolerance)) in ours.iter().zip(theirs) {
        assert!((ours - value).abs() <= tolerance, "{} {name}: {ours} instead of {value}", case["id"]);
    }
}

fn input(case: &Value, key: &str) -> f64 {
    case["input"][key].as_f64().unwrap()
}

fn spec(case: &Value) -> SprtBounds {
    let model = case["input"]["model"].as_str().unwrap().to_lowercase().parse().unwrap();
    let [elo0, elo1, alpha, beta] = ["elo0", "elo1", "alpha", "beta"].map(|key| input(case, key));
    SprtBounds::new(elo0, elo1, alpha, beta, model).unwrap()
}

#[test]
fn the_calculator_of_fishtest() {
    for case in cases("sprt_oc") {
        let spec = spec(&case);
        let variance = power::game_variance(input(&case, "draw_ratio"), input(&case, "rms_bias"));
        let Expectation { pass, games } =
            power::of_variance(&spec, variance, input(&case, "true_elo_logistic")).unwrap();
        assert_agrees(&case, "pass_prob", &[pass]);
        assert_agrees(&case, "expected_games", &[games]);
        assert_agrees(&case, "variance_per_game", &[variance]);
        let [score0, score1] = power::bounds_as_scores(&spec, variance).unwrap();
        assert_agrees(&case, "elo0_logistic", &[elo_of_score(score0)]);
        assert_agrees(&case, "elo1_logistic", &[elo_of_score(score1)]);
    }
}

#[test]
fn the_random_walk_of_sprta5() {
    for case in cases("sprt_oc_discrete") {
        let biases = case["input"]["biases_bayeselo"].as_array().unwrap();
        let biases = biases.iter().map(|bias| bias.as_f64().unwrap()).collect();
        let odds = PairModel::with_biases(input(&case, "draw_elo"), biases).at(input(&case, "elo"));
        assert_agrees(&case, "probs5", &odds.scores);
        let games = odds.games();
        let shares = [games.losses, games.draws, games.wins].map(|count| count as f64 / games.games() as f64);
        assert_agrees(&case, "probs3", &shares);
        // Its trinomial mode is a pentanomial test with wider bounds, which is not our trinomial test.
        if case["input"]["mode"] == "pentanomial" {
            let Expectation { pass, games } = power::of_pairs(&spec(&case), &odds);
            assert_agrees(&case, "pass_prob_expected_games", &[pass, games]);
        }
    }
}

/// The simulated pairs are the same, and so is what the tests do, without and with the dynamic correction for overshoot.
#[test]
fn the_simulator_simul() {
    for case in cases("sprt_oc_montecarlo") {
        let spec = spec(&case);
        let model = PairModel::new(input(&case, "draw_ratio"), input(&case, "rms_bias")).unwrap();
        let odds = model.at(model.logistic_elo(&spec, input(&case, "true_elo")));
        let theirs = case["input"]["true_pair_probs"].as_array().unwrap();
        for (ours, theirs) in odds.scores.iter().zip(theirs) {
            assert!((ours - theirs.as_f64().unwrap()).abs() < 1e-6, "{}: {odds:?}", case["id"]);
        }
        let overshoot = match case["input"]["overshoot_correction"].as_u64() {
            Some(0) => false,
            Some(2) => true,
            other => panic!("{}: no such correction {other:?}", case["id"]),
        };
        let batch: NonZeroU64 = case["input"]["batch_pairs"].as_u64().unwrap().try_into().unwrap();
        // Fewer where every pair must be looked at.
        let runs = if overshoot { 600 } else { 10_000 };
        let simulation = Simulation { spec, odds, seed: 1, batch, overshoot, max_pairs: 1_000_000 };
        let outcomes = simulation.run(runs).unwrap();
        // Their tolerance is that of their own, larger number of tests.
        let (pass, tolerance) = expected(&case, "pass_rate")[0];
        let allowed = tolerance + 3.0 * outcomes.h1.error;
        assert!((outcomes.h1.estimate - pass).abs() < allowed, "{}: {:?}", case["id"], outcomes.h1);
        let (games, tolerance) = expected(&case, "mean_games")[0];
        let allowed = tolerance + 3.0 * outcomes.games.error;
        assert!((outcomes.games.estimate - games).abs() < allowed, "{}: {:?}", case["id"], outcomes.games);
    }
}

/// Looked at after every 32 pairs a test errs less than it may and takes too long. The dynamic correction brings the risks
/// back to the nominal ones, and saves some 8 % of the games.
#[test]
fn the_correction_for_overshoot_restores_the_risks() {
    let spec = SprtBounds::new(0.0, 10.0, 0.05, 0.05, Model::Logistic).unwrap();
    let model = PairModel::new(0.5, 0.0).unwrap();
    let batch = 32.try_into().unwrap();
    for (elo, right) in [(0.0, 0.05), (10.0, 0.95)] {
        let [plain, corrected] = [false, true].map(|overshoot| {
            let odds = model.at(elo);
            Simulation { spec, odds, seed: 1, batch, overshoot, max_pairs: 1_000_000 }.run(10_000).unwrap()
        });
        let (pass, error) = (corrected.h1.estimate, corrected.h1.error);
        assert!((pass - right).abs() < 3.0 * error + 0.002, "{elo}: {:?}", corrected.h1);
        assert!((plain.h1.estimate - 0.5).abs() > (pass - 0.5).abs(), "{elo}: {:?}", plain.h1);
        let saved = 1.0 - corrected.games.estimate / plain.games.estimate;
        assert!((0.06..0.1).contains(&saved), "{elo}: {saved}");
    }
}

/// At each hypothesis the wrong answer is at most as frequent as promised, and between them both answers are given.
#[test]
fn real_error_rates_are_within_the_nominal_ones() {
    const RUNS: u64 = 500;
    let models = [PairModel::new(0.5, 0.0), PairModel::new(0.4, 120.0)].map(Result::unwrap);
    for pairs in &models {
        for model in Model::ALL {
            let spec = SprtBounds::new(0.0, 30.0, 0.05, 0.1, model).unwrap();
            let at = |lead: f64| -> Outcomes {
                let odds = pairs.at(pairs.logistic_elo(&spec, lead));
                let batch = NonZeroU64::MIN;
                let simulation =
                    Simulation { spec, odds, seed: 5, batch, overshoot: false, max_pairs: 100_000 };
                simulation.run(RUNS).unwrap()
            };
            let [null, between, better] = [0.0, 15.0, 30.0].map(at);
            let told = format!("{model} {pairs:?}");
            assert!(null.h1.estimate <= 0.05 + 3.0 * null.h1.error, "{told}: {:?}", null.h1);
            assert!(better.h0.estimate <= 0.1 + 3.0 * better.h0.error, "{told}: {:?}", better.h0);
            assert!((0.3..0.8).contains(&between.h1.estimate), "{told}: {:?}", between.h1);
            assert!(between.games.estimate > null.games.estimate, "{told}");
            assert!(
                [null, between, better].iter().all(|outcomes| outcomes.undecided.estimate == 0.0),
                "{told}"
            );
        }
    }
}
