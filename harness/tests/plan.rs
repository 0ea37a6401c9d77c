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
    assert_eq!(again.err, "error: plan.svg exists already and is not overwritten: give another --svg file\n");
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

/// What a plan from this run says, with these further options.
fn planned(project: &Project, run: &str, more: &str) -> Value {
    let ended =
        project.run(&format!("plan --from {run} --draw-ratio 0.5 --elo 0 --elo1 90 --runs 20 --json {more}"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{more}");
    ended.json()
}

#[test]
fn the_speed_of_a_run_is_carried_over_to_what_is_asked_for() {
    let project = Project::new();
    let run = project.sprt("--nodes 200 --max-pairs 6 --threads 1");
    let run = run["run"].as_str().unwrap();
    let utilization = number(&project.run(&format!("show {run} --json")).json()["utilization"]);
    let own = number(&planned(&project, run, "")["games_per_second"]);
    for same in ["--nodes 200", "--threads 1", "--nodes 200 --threads 1"] {
        let plan = planned(&project, run, same);
        assert_eq!(
            (number(&plan["games_per_second"]), &plan["speed_carried_over"]),
            (own, &Value::Null),
            "{same}"
        );
    }
    for (nodes, times) in [(400, 2.0), (2000, 10.0), (100, 0.5)] {
        let plan = planned(&project, run, &format!("--nodes {nodes}"));
        let expected = own / (utilization * times + 1.0 - utilization);
        let found = number(&plan["games_per_second"]);
        assert!((found / expected - 1.0).abs() < 1e-6, "{nodes}: {found}, not {expected}");
        assert_eq!(plan["speed_carried_over"]["from"]["limit"]["nodes"], 200);
        assert_eq!(plan["speed_carried_over"]["to"]["limit"]["nodes"], nodes);
        let hours = number(&plan["points"][0]["games"]["estimate"]) / found / 3600.0;
        assert!((number(&plan["points"][0]["hours"]) / hours - 1.0).abs() < 1e-9);
    }
    let cores = num_cpus::get_physical() as f64;
    for threads in [2, 3, 4096] {
        let plan = planned(&project, run, &format!("--threads {threads}"));
        let ratio = number(&plan["games_per_second"]) / own;
        assert!((ratio / f64::from(threads).min(cores) - 1.0).abs() < 1e-6, "{threads}: {ratio}");
        let text = project.run(&format!("plan --from {run} --threads {threads} --runs 20")).out;
        let is_said = text.contains("play no faster");
        assert!(
            text.contains("(carried over from ") && text.contains(&format!("on {threads} threads")),
            "{text}"
        );
        assert_eq!(is_said, f64::from(threads) > cores, "{text}");
    }
    // A clock is used up: 100 s for each side, at least.
    let plan = planned(&project, run, "--tc 100+1");
    assert!(number(&plan["games_per_second"]) < 1.0 / 200.0, "{plan}");
    assert!(
        number(&planned(&project, run, "--tc 200+2")["games_per_second"])
            < 0.51 * number(&plan["games_per_second"])
    );
    assert!(number(&planned(&project, run, "--movetime 1000")["games_per_second"]) < 1.0);
    // What the settings ask for is asked for.
    project.write("harness.toml", "nodes = 400\n");
    assert_eq!(planned(&project, run, "")["speed_carried_over"]["to"]["limit"]["nodes"], 400);
}

#[test]
fn a_speed_that_nothing_follows_for_is_refused() {
    let project = Project::new();
    let run_of = |arguments: &str| {
        project.sprt(&format!("{arguments} --max-pairs 2"))["run"].as_str().unwrap().to_owned()
    };
    let (nodes, depth, odds) =
        (run_of("--nodes 40"), run_of("--depth 2"), run_of("--nodes 40 --limit-of pvs:nodes=20"));
    for (run, more, words) in [
        (&nodes, "--depth 8", "was played at 40 nodes/move and says nothing of the speed at depth 8"),
        (&nodes, "--nodes 40 --depth 3", "says nothing of the speed at 40 nodes/move, depth 3"),
        (&depth, "--depth 3", "was played at depth 2 and says nothing of the speed at depth 3"),
        (&odds, "--nodes 80", "has players with limits of their own"),
    ] {
        let ended = project.run(&format!("plan --from {run} --draw-ratio 0.5 {more}"));
        ended.expect(2, &[words, "leave the limit out, or name BASE and CANDIDATE in the place of --from"]);
    }
    // What a run's speed tells nothing of is not passed over in silence.
    for option in ["--hash 64", "--openings openings/book.epd", "--resign 900,5", "--start 3"] {
        let ended = project.run(&format!("plan --from {nodes} --draw-ratio 0.5 {option}"));
        let name = option.split(' ').next().unwrap();
        ended.expect(2, &[&format!("{name} has no effect beside --from")]);
    }
    // Of a depth nodes and clocks follow, since searches of it were timed.
    for more in ["--nodes 5000", "--tc 10+0.1", "--threads 2"] {
        planned(&project, &depth, more);
    }
}

#[test]
fn slow_games_are_told_by_the_minute_and_the_hour_and_long_plans_in_days() {
    let project = Project::new();
    let run = project.sprt("--nodes 40 --max-pairs 4 --threads 1 --max-moves 30");
    let run = run["run"].as_str().unwrap();
    let text = |more: &str| {
        let ended =
            project.run(&format!("plan --from {run} --draw-ratio 0.5 --elo 0 --elo1 90 --runs 20 {more}"));
        assert_eq!(ended.code, 0, "{ended:?}");
        ended.out
    };
    for (more, speed, heading) in [
        ("--nodes 40", " games/s", "hours"),
        (
            "--movetime 400",
            " games/min (carried over from 40 nodes/move on 1 thread to 400 ms/move on 1 thread)",
            "hours",
        ),
        (
            "--tc 100+2",
            " games/h (carried over from 40 nodes/move on 1 thread to tc 100+2 on 1 thread)",
            "hours",
        ),
        ("--tc 60:0+100", " games/h (carried over ", "days"),
    ] {
        let told = text(more);
        assert!(told.contains(speed), "{more}: {told}");
        let heading_line = told.lines().find(|line| line.contains("true Elo")).unwrap();
        assert!(heading_line.ends_with(heading), "{more}: {told}");
    }
}
