//! What a sweep remembers of what was asked of it, and what it leaves behind when it goes on; measures that are all alike,
//! and options of other engines.

mod common;

use common::engines::add_engine;
use common::project::{Ended, Project, Running};
use serde_json::{Value, json};

const QUICK: &str = "--nodes 60 --hash 1 --block 4 --threads 2";

/// A command that ends well and warns of nothing.
fn sweep(project: &Project, arguments: &str) -> Value {
    let ended = project.run(&format!("sweep --json --quiet {arguments}"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
    ended.json()
}

fn found(report: &Value) -> [Value; 3] {
    ["verdict", "arms", "games"].map(|key| report[key].clone())
}

fn name(report: &Value) -> &str {
    report["run"].as_str().unwrap()
}

/// Begins a sweep and kills it after some pairs; the name of the run.
fn killed(project: &Project, arguments: &str, pairs: u64) -> String {
    let before = project.newest().map(|run| run.id);
    let mut running = Running::start(&mut project.harness(&format!("sweep --quiet {arguments}")));
    let is_there =
        || project.newest().is_some_and(|run| Some(&run.id) != before.as_ref() && run.pairs >= pairs);
    running.wait_until("pairs are stored", is_there);
    running.kill();
    project.newest().unwrap().id
}

#[test]
fn how_far_it_was_to_go_is_remembered() {
    let project = Project::new();
    for (kind, limits) in [("--find --elo1 40", "--max-pairs 32"), ("--measure", "--max-pairs 32")] {
        let arguments = format!("rfp_margin=50,400 {kind} {QUICK} {limits}");
        let undisturbed = sweep(&project, &arguments);
        assert_eq!(undisturbed["games"], 64, "{kind}");
        let run = killed(&project, &arguments, 5);
        assert_eq!(found(&sweep(&project, &format!("--resume {run}"))), found(&undisturbed), "{kind}");
        // Finished, it can be looked at again.
        assert_eq!(found(&sweep(&project, &format!("--resume {run}"))), found(&undisturbed), "{kind}");
        project.run(&format!("report {run}")).expect(0, &[]);
    }
}

#[test]
fn what_is_asked_now_counts_and_no_longer_run_ends_unnoticed_with_less() {
    let project = Project::new();
    let report = sweep(&project, &format!("rfp_margin=50,400 --measure {QUICK} --max-pairs 16"));
    let run = name(&report);
    let longer = sweep(&project, &format!("--resume {run} --max-pairs 40"));
    assert_eq!(longer["games"], 80);
    // To less than there is: what was found stays.
    for fewer in ["", "--max-pairs 16", "--margin 900"] {
        assert_eq!(found(&sweep(&project, &format!("--resume {run} {fewer}"))), found(&longer), "{fewer:?}");
    }
    assert_eq!(project.newest().unwrap().verdict.as_deref(), Some("undecided"));

    let mut running =
        Running::start(&mut project.harness(&format!("sweep --quiet --resume {run} --max-pairs 300")));
    running.wait_until("it goes on", || project.newest().unwrap().pairs > 42);
    running.kill();
    // A pair that was in flight may be missing below stored ones: these are not counted until it is played again.
    let all = project.store().pairs_in_order(run).count();
    let with_all = sweep(&project, &format!("--resume {run} --max-pairs 40"));
    assert_eq!(with_all["games"], 2 * all, "nothing that was played is left out");
    let as_far = sweep(&project, &format!("--resume {run} --max-pairs 80"));
    assert_eq!(as_far["games"], 160);
}

#[test]
fn its_own_files_are_written_again_and_changed_ones_are_not() {
    let project = Project::new();
    project.write("weak.toml", "extends = \"configs/base.toml\"\n[techniques]\nquiescence = false\n");
    let arguments = "quiescence=true weak.toml --measure --nodes 300 --hash 1 --block 4 --threads 2";
    let report = sweep(&project, &format!("{arguments} --max-pairs 40 --svg chart.svg"));
    let run = name(&report);
    let file = |name: &str| format!("results/{run}/{name}");
    let before = project.read(&file("sweep.svg"));
    assert_eq!(project.read("chart.svg"), before);
    assert_eq!(report["best"], true, "{report}");
    assert!(project.at(&file("best.toml")).exists());

    sweep(&project, &format!("--resume {run} --max-pairs 60 --svg chart.svg"));
    let after = project.read(&file("sweep.svg"));
    assert_ne!(after, before, "the picture shows all pairs");
    assert_eq!(project.read("chart.svg"), after);
    roxmltree::Document::parse(&after).unwrap();

    let changed = after.replace("Elo", "My Elo");
    project.write(&file("sweep.svg"), &changed);
    let best = project.read(&file("best.toml")) + "# mine\n";
    project.write(&file("best.toml"), &best);
    let ended = project.run(&format!("sweep --quiet --resume {run} --max-pairs 80"));
    ended.expect(
        0,
        &["sweep.svg was not written by this run, or was changed since", "best.toml was not written"],
    );
    assert_eq!((project.read(&file("sweep.svg")), project.read(&file("best.toml"))), (changed, best));
    // The same for the further place of the picture, and at once.
    project.write("chart.svg", "mine");
    let refused = project.run(&format!("sweep --quiet --resume {run} --svg chart.svg"));
    refused
        .expect(2, &["chart.svg was not written by a sweep, or was changed since, and is not overwritten"]);
    assert_eq!(refused.out, "");
}

#[test]
fn arms_whose_pairs_are_all_alike_are_measured_too() {
    let project = Project::new();
    // At a depth of one ply there is no window to be widened: every pair is the same game twice.
    let arguments =
        "aspiration_delta=40,60 pvs --measure --margin 45 --depth 1 --hash 1 --block 8 --threads 2";
    let ended: Ended = project.run(&format!("sweep --quiet {arguments}"));
    ended.expect(0, &[]);
    // 0.05^(1/24) = 0.883: half of the rest is a score of 0.441, 41 Elo.
    assert!(ended.out.contains("40          [-41.0, +41.0]"), "{}", ended.out);
    assert!(ended.out.contains("in the place of an estimate: all pairs ended alike\n"), "{}", ended.out);
    assert!(
        ended.out.lines().any(|line| line.trim_start().starts_with("40 ") && line.contains('├')),
        "{}",
        ended.out
    );

    let report = sweep(&project, &format!("--resume {}", project.newest().unwrap().id));
    for arm in report["arms"].as_array().unwrap() {
        assert_eq!((&arm["elo"], &arm["pentanomial"]), (&json!(null), &json!([0, 0, 24, 0, 0])));
        let [exact, together] = ["elo_exact", "simultaneous"].map(|key| arm[key]["high"].as_f64().unwrap());
        assert!((exact - 41.0).abs() < 0.05 && together > exact, "{arm}");
    }
}

#[test]
fn options_of_another_engine_are_swept() {
    let project = Project::new();
    add_engine(&project, "toy", "", "options = { Hash = 4 }");
    let quick = "--measure --depth 1 --block 2 --max-pairs 8 --threads 2";
    let report = sweep(&project, &format!("hash=2,4,8 toy {quick}"));
    assert_eq!(report["reference"], 4);
    let values: Vec<_> = report["arms"].as_array().unwrap().iter().map(|arm| &arm["value"]).collect();
    assert_eq!(values, [2, 8]);
    assert_eq!(report["arms"][0]["games"], 8);
    // Of an option that its configuration leaves alone nobody here knows the value.
    let report = sweep(&project, &format!("Style=Calm,Wild toy {quick}"));
    assert_eq!((&report["reference"], &report["arms"][1]["value"]), (&json!(null), &json!("Wild")));
    project.run(&format!("report {}", name(&report))).expect(0, &[]);

    let runs = project.store().runs().unwrap().len();
    for (axis, words) in [
        ("Hash=2,4096", "takes a number from 1 to 1024 for its option `Hash`, not `4096`"),
        ("Hsah=2", "has no option `Hsah`: did you mean `Hash`?"),
        ("Style=Mild", "takes Calm, Wild for its option `Style`, not `Mild`"),
    ] {
        project.run(&format!("sweep {axis} toy {quick}")).expect(2, &[words]);
    }
    assert_eq!(project.store().runs().unwrap().len(), runs, "no game was played");
}
