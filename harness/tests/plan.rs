//! `harness simulate` and `harness plan` as their users call them.

mod common;

use common::project::Project;
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_simulation_is_one_json_object_for_any_number_of_threads() {
    let project = Project::new();
    let simulate = |threads| {
        let ended = project.run(&format!(
            "simulate --elo -10,0,15,30 --elo1 30 --model normalized --bias 60 --runs 200 --json --threads {threads}"
        ));
        assert_eq!((ended.code, ended.err.as_str()), (0, ""));
        ended.json()
    };
    let report = simulate(1);
    assert_eq!(report, simulate(3));
    assert_eq!((&report["model"], number(&report["elo1"])), (&"normalized".into(), 30.0));
    assert_eq!((number(&report["draw_ratio"]), number(&report["bias"])), (0.5, 60.0));
    let points = report["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    for point in points {
        let shares = ["h1", "h0", "undecided"].map(|key| number(&point[key]["estimate"]));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(number(&point["games"]["error"]) > 0.0);
        let quantiles: Vec<f64> = point["quantiles"]
            .as_array()
            .unwrap()
            .iter()
            .map(|quantile| number(&quantile["estimate"]))
            .collect();
        assert!(quantiles.is_sorted() && quantiles.len() == 5);
    }
    // With this bias a normalized Elo of 30 is less than 30 logistic Elo.
    assert!(points[1]["false_accept"].is_object() && points[1]["false_reject"].is_null());
    assert!(points[3]["false_accept"].is_null() && points[3]["false_reject"].is_object());
    assert!(points[2]["false_accept"].is_null() && points[2]["false_reject"].is_null());
}

#[test]
fn a_simulation_for_people_says_what_was_undecided() {
    let ended = Project::new().run("simulate --elo1 30 --runs 50 --max-pairs 20 --ptnml 5,20,50,20,5");
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(ended.out.contains("[0, 30] logistic, alpha 0.05, beta 0.05 · pairs as in [5, 20, 50, 20, 5]"));
    assert!(ended.out.contains("undecided 100.0 ± "), "{}", ended.out);
}

#[test]
fn every_kind_of_test_is_simulated_and_planned() {
    let project = Project::new();
    let json = |arguments: &str| {
        let ended = project.run(&format!("{arguments} --runs 100 --json"));
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
        ended.json()
    };
    let plain = json("simulate --elo1 40 --batch 32");
    let corrected = json("simulate --elo1 40 --batch 32 --overshoot");
    assert_eq!((plain["overshoot"].as_bool(), corrected["overshoot"].as_bool()), (Some(false), Some(true)));
    let games = |report: &Value| number(&report["points"][1]["games"]["estimate"]);
    assert!(games(&corrected) < games(&plain), "{corrected} {plain}");

    // A bias makes the games of a pair depend on each other, which a test of single games does not use.
    let of_pairs = json("simulate --elo1 40 --bias 150 --draw-ratio 0.3");
    let of_games = json("simulate --elo1 40 --bias 150 --draw-ratio 0.3 --trinomial");
    assert_eq!(of_games["trinomial"], true);
    assert!(games(&of_games) > 1.2 * games(&of_pairs), "{of_games} {of_pairs}");
    let theory = json("plan --elo1 40 --bias 150 --draw-ratio 0.3 --trinomial --elo 0,20");
    let expected = number(&theory["points"][1]["theory"]["games"]);
    assert!((games(&of_games) / expected - 1.0).abs() < 0.3, "{of_games} {theory}");

    let plan = json("plan --preset non-regression --elo 30");
    assert_eq!((number(&plan["elo0"]), number(&plan["elo1"])), (-3.0, 1.0));
}

#[test]
fn a_plan_without_anything_known_has_no_hours() {
    let project = Project::new();
    let ended = project.run("plan --elo1 30 --runs 100 --svg plan.svg");
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert!(ended.out.contains("draw ratio 0.50, bias 0 Elo (assumed), speed unknown"), "{}", ended.out);
    let rows: Vec<&str> = ended.out.lines().skip(4).collect();
    assert_eq!(rows.len(), 7);
    assert!(rows.iter().all(|row| row.ends_with(" -")), "{}", ended.out);
    assert!(rows[2].trim_start().starts_with("+0.00 H0") && rows[4].trim_start().starts_with("+30.00 H1"));
    let picture = project.read("plan.svg");
    assert!(picture.starts_with("<svg") && picture.contains("true lead of the candidate, Elo"));
    assert!(!picture.contains("NaN"));

    let again = project.run("plan --elo1 30 --runs 10 --svg plan.svg");
    assert_eq!(again.code, 2);
    assert_eq!(again.err, "error: plan.svg exists already: name another file, or remove it\n");
}

#[test]
fn a_plan_measures_pairs_and_speed() {
    let project = Project::new();
    let pilot =
        project.run("plan base pvs --nodes 300 --pilot-pairs 20 --elo1 40 --runs 50 --json --threads 2");
    assert_eq!(pilot.code, 0, "{}", pilot.err);
    assert_eq!(
        pilot.err,
        "pilot: 20 pairs of pvs.toml against base.toml · 300 nodes/move, which are not stored\n"
    );
    assert!(project.newest().is_none());
    let plan = pilot.json();
    assert_eq!(plan["source"], "a pilot of 20 pairs");
    assert_eq!(plan["pentanomial"].as_array().unwrap().iter().map(number).sum::<f64>(), 20.0);
    let (rate, point) = (number(&plan["games_per_second"]), &plan["points"][0]);
    let hours = number(&point["games"]["estimate"]) / rate / 3600.0;
    assert!((number(&point["hours"]) / hours - 1.0).abs() < 1e-9);

    let run = project.sprt("--nodes 300 --max-pairs 20 --threads 2");
    let from =
        project.run(&format!("plan --from {} --elo1 40 --runs 50 --json", run["run"].as_str().unwrap()));
    let from = from.json();
    // The pilot's pairs are the first ones of the run.
    assert_eq!(from["pentanomial"], plan["pentanomial"]);
    // A session is timed from a little earlier than its games.
    let rates = [&from, &run].map(|report| number(&report["games_per_second"]));
    assert!((rates[0] / rates[1] - 1.0).abs() < 0.5, "{rates:?}");
    assert_eq!(from["points"][0]["h1"], plan["points"][0]["h1"]);
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let project = Project::new();
    for (arguments, sentence) in [
        (
            "simulate --draw-ratio 0.9 --bias 100",
            "error: a draw ratio of 0.9 cannot be with a bias of 100 Elo: give one above 0 and below 0.7199, the share \
             of games that the bias leaves undecided\n",
        ),
        (
            "simulate --elo 0,2001",
            "error: the true Elo 2001 is out of range: give a number between -2000 and 2000\n",
        ),
        (
            "plan --ptnml 0,0,5,0,0",
            "error: the pairs [0, 0, 5, 0, 0] do not have two different scores, so nothing is known of their \
             distribution: give more\n",
        ),
        ("simulate --elo0 5", "error: elo0 (5) is not below elo1 (5): give the smaller lead as elo0\n"),
    ] {
        let ended = project.run(arguments);
        assert_eq!((ended.code, ended.err.as_str()), (2, sentence), "{arguments}");
    }
    let ended = project.run("simulate --ptnml 1,2,3");
    assert_eq!(ended.code, 2);
    assert!(
        ended.err.contains("gives not five numbers: give the pairs by the candidate's score"),
        "{}",
        ended.err
    );
}
