//! One resume rule for all kinds of runs: one that was ended prints its report again, and plays on only when it is asked for
//! more than it has; one that was interrupted goes on to where it was last asked to end.

mod common;

use common::engines::add_engine;
use common::project::{Project, Running, findings};
use serde_json::Value;
use std::fs;

/// Kinds whose goal is a number of pairs: the command, what begins a run, and how many pairs of it make one of the goal.
const KINDS: [(&str, &str, u64); 4] = [
    ("sprt", "base pvs --elo0 -400 --elo1 400 --alpha 1e-9 --beta 1e-9", 1),
    ("match", "base pvs", 1),
    ("match", "base pvs third", 3),
    ("sweep", "aspiration_delta=50,120 pvs --measure --block 1", 1),
];

/// A test that does not end by itself.
const LONG: &str = "--elo0 -400 --elo1 400 --alpha 1e-9 --beta 1e-9";

/// A tuning of two iterations.
const FILE: &str = "base = \"full.toml\"\niterations = 2\npairs = 4\n\n[parameters]\n\
                    rfp_margin = { start = 300, min = 50, c_end = 40, r_end = 1.0 }\n";

fn project() -> Project {
    let project = Project::new();
    project.write("configs/third.toml", "extends = \"pvs.toml\"\n[params]\naspiration_delta = 90\n");
    project
}

fn report(project: &Project, arguments: &str) -> Value {
    let ended = project.run(&format!("{arguments} --json --quiet"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
    ended.json()
}

#[test]
fn an_ended_run_tells_its_report_again_and_plays_on_when_asked_for_more() {
    for (command, arguments, pairs_each) in KINDS {
        let project = project();
        let first = report(&project, &format!("{command} {arguments} --nodes 60 --max-pairs 4"));
        let ended = project.newest().unwrap();
        assert_eq!((ended.pairs, ended.counted), (4 * pairs_each, Some(4 * pairs_each)), "{arguments}");
        // The settings file speaks of new runs.
        project.write("harness.toml", "max-pairs = 9\n");
        for look in ["", "--max-pairs 4", "--max-pairs 2"] {
            let again = report(&project, &format!("{command} --resume {} {look}", ended.id));
            assert_eq!(findings(&again), findings(&first), "{arguments} {look}");
            assert_eq!(again["games"], 8 * pairs_each);
            let stored = project.newest().unwrap();
            assert_eq!((stored.pairs, &stored.finished), (ended.pairs, &ended.finished), "{look}");
            assert_eq!(stored.summary_json, ended.summary_json, "{arguments} {look}");
        }
        let longer = report(&project, &format!("{command} --resume {} --max-pairs 6", ended.id));
        assert_eq!(longer["games"], 12 * pairs_each, "{arguments}");
        let shown = project.run(&format!("show {}", ended.id)).out;
        assert!(shown.contains(&format!("{}", 12 * pairs_each)), "{shown}");
    }
}

/// Neither what an engine was nor where the book was decides what has been found.
#[test]
fn the_report_of_an_ended_run_needs_no_book_and_no_engine() {
    let project = project();
    add_engine(&project, "toy", "", "");
    let found = [
        ("sprt", "sprt toy base --nodes 100 --max-pairs 2"),
        ("match", "match toy base --nodes 100 --max-pairs 2"),
        ("sweep", "sweep aspiration_delta=50 pvs --nodes 5 --measure --max-pairs 2 --block 1"),
    ];
    let found = found.map(|(command, arguments)| (command, report(&project, arguments)));
    fs::remove_dir_all(project.at("configs")).unwrap();
    project.write("openings/book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    fs::rename(project.at("openings"), project.at("elsewhere")).unwrap();
    for (command, before) in &found {
        let run = before["run"].as_str().unwrap();
        let again = report(&project, &format!("{command} --resume {run} --pgn {command}.pgn"));
        assert_eq!(findings(&again), findings(before), "{command}");
        assert_eq!(project.read(&format!("{command}.pgn")).matches("[Result ").count(), 4, "{command}");
        // To play more it needs them.
        let more = project.run(&format!("{command} --resume {run} --max-pairs 9"));
        more.expect(2, &["the book of the run", "is no longer there"]);
    }
}

/// What is asked of an ended run leaves the files beside the store as they are.
#[test]
fn less_than_there_is_changes_no_verdict_and_no_file() {
    let project = project();
    let arguments = "sprt base base --elo0 -90 --elo1 -10 --nodes 60 --events events --expect h1";
    let first = report(&project, arguments);
    assert_eq!(first["verdict"], "h1");
    let (run, events) = (first["run"].as_str().unwrap(), project.read("events"));
    let again = format!("sprt --resume {run} --max-pairs 1 --events events --expect h1");
    assert_eq!(findings(&report(&project, &again)), findings(&first));
    assert_eq!(project.read("events"), events);
}

/// A run that was interrupted is ended with all that it has.
#[test]
fn an_interrupted_run_of_which_less_is_asked_ends_with_all_it_has() {
    let project = project();
    let mut running = project.start_sprt(&format!("{LONG} --nodes 60 --events events --threads 1"));
    let run = project.wait_for_pairs(&mut running, 8);
    running.kill();
    let all = project.newest().unwrap().pairs;
    let arguments = format!("sprt --resume {run} --max-pairs 3 --events events --threads 1");
    assert_eq!(report(&project, &arguments)["games"], 2 * all);
    let events = project.read("events");
    let last = events.lines().last().unwrap();
    assert_eq!(events.matches("\"event\":\"end\"").count(), 1, "{events}");
    assert!(last.contains(&format!("\"games\":{}", 2 * all)), "{last}");
    let ended = project.newest().unwrap();
    assert_eq!((ended.counted, ended.finished.is_some()), (Some(all), true));
}

#[test]
fn a_killed_run_goes_on_to_where_it_was_last_asked_to_end() {
    for (command, arguments, pairs_each) in KINDS {
        let project = project();
        let first = report(&project, &format!("{command} {arguments} --nodes 3000 --max-pairs 2"));
        let run = first["run"].as_str().unwrap();
        let more = format!("{command} --resume {run} --max-pairs 14 --quiet --threads 1");
        let mut running = Running::start(&mut project.harness(&more));
        project.wait_for_pairs(&mut running, 2 * pairs_each + 1);
        running.kill();
        let killed = project.newest().unwrap();
        assert!(killed.finished.is_none() && killed.pairs < 14 * pairs_each, "it was killed on its way");
        let resumed = report(&project, &format!("{command} --resume {run}"));
        assert_eq!(resumed["games"], 28 * pairs_each, "{arguments}");
    }
}

/// A project with a tuning to play, and what begins it.
fn tuning() -> (Project, &'static str) {
    let project = project();
    // What is left out of a configuration is the full engine's.
    project.write("full.toml", "name = \"full\"\n");
    project.write("tune.toml", FILE);
    (project, "tune tune.toml --nodes 1500")
}

/// Kills the command as soon as the newest test has so many pairs, and gives its name.
fn killed_in_test(project: &Project, arguments: &str, pairs: u64) -> String {
    let mut running = Running::start(&mut project.harness(&format!("{arguments} --quiet --threads 1")));
    running.wait_until("the test has begun", || {
        project.newest().is_some_and(|run| run.kind == "sprt" && run.finished.is_none() && run.pairs >= pairs)
    });
    running.kill();
    let test = project.newest().unwrap();
    assert!(test.finished.is_none(), "it was killed during its test");
    test.id
}

#[test]
fn a_tuning_goes_on_with_its_test() {
    let (project, begin) = tuning();
    let test = killed_in_test(&project, &format!("{begin} --max-pairs 9 {LONG}"), 2);
    let runs = project.store().runs().unwrap();
    let tune = &runs.iter().find(|run| run.kind == "tune").unwrap().id;
    // Nothing is said again of the test, which ends where it was to end.
    let resumed = report(&project, &format!("tune --resume {tune}"));
    assert_eq!(resumed["validation"]["games"], 18);
    assert_eq!(resumed["validation"]["elo0"], -400.0);
    let again = report(&project, &format!("tune --resume {tune}"));
    assert_eq!(again["validation"]["run"], test.as_str());
    assert_eq!(project.store().runs().unwrap().len(), 2);
    // More pairs, asked for in a call that was killed.
    assert_eq!(killed_in_test(&project, &format!("tune --resume {tune} --max-pairs 40"), 12), test);
    assert_eq!(report(&project, &format!("tune --resume {tune}"))["validation"]["games"], 80);
    // Fewer than there are, and more of the test by its own name.
    assert_eq!(report(&project, &format!("tune --resume {tune} --max-pairs 3"))["validation"]["games"], 80);
    report(&project, &format!("sprt --resume {test} --max-pairs 44"));
    assert_eq!(report(&project, &format!("tune --resume {tune}"))["validation"]["games"], 88);
}

/// The test that was asked for last is the one of the tuning, in every command.
#[test]
fn another_test_is_asked_of_an_ended_tuning() {
    let (project, begin) = tuning();
    let tuned = report(&project, &format!("{begin} --no-validation"));
    let tune = tuned["run"].as_str().unwrap();
    assert!(tuned["validation"].is_null());
    let first = killed_in_test(&project, &format!("tune --resume {tune} {LONG} --max-pairs 12"), 2);
    let resumed = report(&project, &format!("tune --resume {tune}"));
    assert_eq!(
        (&resumed["validation"]["run"], &resumed["validation"]["games"]),
        (&first.clone().into(), &24.into())
    );
    let second = killed_in_test(
        &project,
        &format!("tune --resume {tune} {} --max-pairs 6", LONG.replace("400", "500")),
        2,
    );
    assert_ne!(second, first);
    let resumed = report(&project, &format!("tune --resume {tune}"));
    assert_eq!(resumed["validation"]["run"], second.as_str());
    let shown = project.run(&format!("show {tune} --json")).json();
    assert_eq!(shown["validation"]["run"], second.as_str());
    let written = |arguments: &str| {
        let files = project.run(&format!("{arguments} --out report"));
        assert_eq!(files.code, 0, "{files:?}");
        let text = project.read("report/report.md");
        fs::remove_dir_all(project.at("report")).unwrap();
        text
    };
    assert!(written(&format!("report {tune}")).contains("--elo0=-500"));
    // None is asked for any more, for which no book is needed.
    fs::remove_dir_all(project.at("openings")).unwrap();
    let back = project.run(&format!("tune --resume {tune} --no-validation --json --quiet"));
    assert!(back.json()["validation"].is_null());
    assert!(!written(&format!("report {tune}")).contains("--elo0=-500"));
    // The report of the test names its configurations where they are.
    let command = written(&format!("report {second}"));
    for file in ["start.toml", "tuned.toml"] {
        assert!(command.contains(&format!(" results/{tune}/{file}")), "{command}");
    }
}
