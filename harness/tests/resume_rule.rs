//! One resume rule for all kinds of runs: one that was ended prints its report again, and plays on only when it is asked for
//! more than it has; one that was interrupted goes on to where it was last asked to end.

mod common;

use common::project::{Project, Running, findings};
use serde_json::Value;

/// Kinds whose goal is a number of pairs: the command, what begins a run, and how many pairs of it make one of the goal.
const KINDS: [(&str, &str, u64); 4] = [
    ("sprt", "base pvs --elo0 -400 --elo1 400 --alpha 1e-9 --beta 1e-9", 1),
    ("match", "base pvs", 1),
    ("match", "base pvs third", 3),
    ("sweep", "aspiration_delta=50,120 pvs --measure --block 1", 1),
];

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
            // A sweep never ends before it has ended once.
            let is_shorter = look.ends_with('2') && command != "sweep";
            assert_eq!(findings(&again) == findings(&first), !is_shorter, "{arguments} {look}");
            assert_eq!(again["games"], if is_shorter { 4 * pairs_each } else { 8 * pairs_each });
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

#[test]
fn a_tuning_goes_on_with_its_test() {
    let project = project();
    // What is left out of a configuration is the full engine's.
    project.write("full.toml", "name = \"full\"\n");
    project.write("tune.toml", FILE);
    let test = "--elo0 -400 --elo1 400 --alpha 1e-9 --beta 1e-9";
    let arguments = format!("tune tune.toml --nodes 3000 --threads 1 --max-pairs 9 {test} --quiet");
    let mut running = Running::start(&mut project.harness(&arguments));
    running.wait_until("the test has begun", || {
        project.newest().is_some_and(|run| run.kind == "sprt" && run.pairs >= 2)
    });
    running.kill();
    let runs = project.store().runs().unwrap();
    let [test, tune] = &runs[..] else { panic!("{runs:?}") };
    assert!(test.finished.is_none() && tune.finished.is_some(), "it was killed during its test");
    // Nothing is said again of the test, which ends where it was to end.
    let resumed = report(&project, &format!("tune --resume {}", tune.id));
    assert_eq!(resumed["validation"]["games"], 18);
    assert_eq!(resumed["validation"]["elo0"], -400.0);
    let again = report(&project, &format!("tune --resume {}", tune.id));
    assert_eq!(again["validation"]["run"], resumed["validation"]["run"]);
    assert_eq!(project.store().runs().unwrap().len(), 2);
    assert_eq!(project.newest().unwrap().pairs, 9);
}
