//! Tuning the options of another engine: within what it declares, which is asked before the first game.

mod common;

use common::engines::{add_engine, toy};
use common::project::{Project, Running};
use serde_json::{Value, json};

/// A file that tunes these options of an engine.
fn file(base: &str, parameters: &str) -> String {
    format!("base = \"{base}.toml\"\niterations = 100\npairs = 1\n\n[parameters]\n{parameters}\n")
}

fn project() -> Project {
    let project = Project::new();
    add_engine(&project, "toy", "tunable", "");
    add_engine(&project, "set", "tunable", "options = { \"slow mover\" = 200, Contempt = -7 }");
    project
}

fn parameters(report: &Value) -> Vec<Value> {
    let keys = ["name", "start", "min", "max", "c_end", "r_end"];
    let parameters = report["parameters"].as_array().unwrap().iter();
    parameters.map(|parameter| keys.map(|key| parameter[key].clone()).into()).collect()
}

#[test]
fn what_is_left_out_is_as_the_engine_declares_it() {
    let project = project();
    for (base, lines, expected) in [
        // In the order of the file; the step is a twentieth of the range.
        (
            "toy",
            "\"Slow Mover\" = {}\nContempt = {}",
            json!([["Slow Mover", 100.0, 10, 1000, 49.5, 0.002], ["Contempt", 0.0, -50, 50, 5.0, 0.002]]),
        ),
        // A value that the configuration sets is where it begins, however its name is written.
        (
            "set",
            "\"Slow Mover\" = { c_end = 20 }\nContempt = { r_end = 0.01 }",
            json!([["Slow Mover", 200.0, 10, 1000, 20.0, 0.002], ["Contempt", -7.0, -50, 50, 5.0, 0.01]]),
        ),
        (
            "toy",
            "Free = { min = 0, max = 9, c_end = 1 }\nContempt = { start = 4, max = 8, c_end = 2 }",
            json!([["Free", 3.0, 0, 9, 1.0, 0.002], ["Contempt", 4.0, -50, 8, 2.0, 0.002]]),
        ),
        ("toy", "Hash = { max = 5 }", json!([["Hash", 1.0, 1, 5, 0.5, 0.002]])),
    ] {
        project.write("what.toml", file(base, lines));
        let ended = project.run("tune what.toml --nodes 100 --no-validation --json --quiet");
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{lines}");
        assert_eq!(json!(parameters(&ended.json())), expected, "{lines}");
    }
    // The same of another tuner's lines, and of what is printed for one.
    project.write(
        "lines.txt",
        "Contempt, int, 3, -50, 50, 5, 0.002\nslow mover, int, 90, 10, 1000, 50, 0.002\n",
    );
    let printed = project.run("tune lines.txt --base toy --export openbench");
    assert_eq!(printed.out, project.read("lines.txt"), "{printed:?}");
}

#[test]
fn what_the_engine_would_refuse_is_refused_before_the_first_game() {
    let project = project();
    let takes = "and toy takes a number from -50 to 50 for it";
    for (lines, place, words) in [
        ("Contempt = { max = 200 }", "6:20", vec!["`max` of `Contempt` is 200", takes]),
        ("Contempt = { min = -100, max = 100 }", "6:20", vec!["is -100", "is 100", takes]),
        ("Contempt = { start = 60 }", "6:22", vec!["`Contempt` starts at 60", "a value from -50 to 50"]),
        ("\"Slow Mvoer\" = {}", "6:1", vec!["toy has no option `Slow Mvoer`", "did you mean `Slow Mover`?"]),
        ("Style = {}", "6:1", vec!["toy takes no number for its option `Style`", "of the type spin"]),
        (
            "Free = {}",
            "6:1",
            vec!["`Free` has no min and max, and toy declares none", "give its min and max"],
        ),
        (
            "Contempt = { c_end = 0.001 }",
            "6:22",
            vec!["even 32000 games, all of them won", "a greater c_end"],
        ),
    ] {
        project.write("what.toml", file("toy", lines));
        let ended = project.run("tune what.toml --nodes 1");
        ended.expect(2, &words);
        assert!(ended.err.contains(&format!("what.toml:{place}\n")), "{lines}: {}", ended.err);
    }
    project.write("lines.txt", "Contempt, int, 0, -50, 200, 5, 0.002\n");
    project.run("tune lines.txt --base toy --nodes 1").expect(2, &["lines.txt:1:24\n", takes]);

    // All at once, in the order of the lines.
    project
        .write("what.toml", file("toy", "\"Slow Mover\" = { max = 2000 }\nContempt = { max = 200 }\nA = {}"));
    let all = project.run("tune what.toml --nodes 1").err;
    let places = ["what.toml:6:", "what.toml:7:", "what.toml:8:"].map(|place| all.find(place).unwrap());
    assert!(places.is_sorted(), "{all}");

    // An engine that cannot be had with what may be played.
    project.write("what.toml", file("toy", "Hash = {}"));
    let words =
        "`Hash` is tuned up to 1024 MB, and two tables of that size on each of 4096 threads need more memory";
    project.run("tune what.toml --nodes 1 --hash 1 --threads 4096").expect(2, &[words]);

    // What only the test after the tuning needs is looked at before it too.
    project.write("what.toml", file("toy", "Contempt = {}"));
    for (test, words) in [
        ("--elo0 5 --elo1 3", "elo0 (5) is not below elo1 (3)"),
        ("--alpha 2", "alpha is 2"),
        ("--alpha 0.5 --beta 0.6", "add up to 1 or more"),
    ] {
        project.run(&format!("tune what.toml --nodes 1 {test}")).expect(2, &[words]);
    }
    assert!(project.newest().is_none(), "nothing was stored");
}

/// The program stays the same, and what it declares depends on a file beside it.
#[test]
fn a_run_whose_engine_changed_goes_on_when_it_is_as_before() {
    let project = Project::new();
    project.write("wrapped", format!("#!/bin/sh\nexec {:?} $(cat {:?})\n", toy(), project.at("mode")));
    let chmod = std::process::Command::new("chmod").arg("+x").arg(project.at("wrapped")).status().unwrap();
    assert!(chmod.success());
    project.write("wrapped.toml", format!("[uci]\ncommand = [{:?}]\n", project.at("wrapped")));
    project.write("what.toml", file("wrapped", "Contempt = { c_end = 20 }").replace("= 100", "= 20"));
    let begin = "tune what.toml --nodes 100 --threads 1 --no-validation --quiet";
    project.write("mode", "tunable");
    let undisturbed = project.run(&format!("{begin} --json")).json();

    project.write("mode", "slow");
    let before = project.newest().unwrap().id;
    let mut running = Running::start(&mut project.harness(begin));
    running.wait_until("the run is stored", || project.newest().is_some_and(|run| run.id != before));
    let run = project.wait_for_pairs(&mut running, 2);
    running.kill();

    project.write("mode", "narrow");
    let refused = project.run(&format!("tune --resume {run} --no-validation --quiet"));
    let warning =
        "warning: `Contempt` is tuned from -50 to 50, and wrapped takes a number from -5 to 5 for it";
    refused.expect(1, &[warning, "takes a number from -5 to 5 for its option `Contempt`, not "]);
    let refused = project.run(&format!("tune what.toml --resume {run} --no-validation --quiet"));
    assert!(refused.code != 0, "{refused:?}");

    project.write("mode", "tunable");
    let ended = project.run(&format!("tune --resume {run} --no-validation --quiet --json"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    for key in ["iterations", "games", "parameters"] {
        assert_eq!(ended.json()[key], undisturbed[key], "{key}");
    }
}

/// What a sweep's base plays with is asked too, where its configuration does not say it.
#[test]
fn a_value_that_the_engine_has_anyway_is_told() {
    let project = project();
    for (what, told) in [
        ("Contempt=0,10 toy", Some("warning: Contempt=0 is what toy plays with anyway")),
        ("Free=9,3 toy", Some("warning: Free=3 is what toy plays with anyway")),
        ("Hash=1,16 toy", Some("warning: Hash=16 is what toy plays with anyway")),
        ("Contempt=0,10 set", None),
        ("Hash=1,2 toy", None),
    ] {
        let ended = project.run(&format!("sweep {what} --depth 3 --max-pairs 2 --block 1"));
        assert_eq!(ended.code, 0, "{what}: {}", ended.err);
        assert_eq!(
            ended.err.matches("warning: ").count(),
            usize::from(told.is_some()),
            "{what}: {}",
            ended.err
        );
        assert!(told.is_none_or(|told| ended.err.contains(told)), "{what}: {}", ended.err);
    }
}
