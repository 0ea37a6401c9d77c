//! `harness check-engine`: what it says of engines that behave and of those that do not.

mod common;

use common::engines::{add_engine, toy};
use common::project::{Ended, Project};
use serde_json::Value;

/// The report on the toy engine in this mode.
fn checked(mode: &str) -> (Ended, Value) {
    let ended = Project::new().run(&format!("check-engine --json {} {mode}", toy().display()));
    let report = ended.json();
    (ended, report)
}

/// The step of this name.
fn step<'a>(report: &'a Value, name: &str) -> &'a Value {
    let steps = report["steps"].as_array().unwrap();
    steps.iter().find(|step| step["name"] == name).unwrap_or_else(|| panic!("no step {name}: {report}"))
}

#[test]
fn an_engine_that_behaves_passes() {
    let (ended, report) = checked("");
    assert_eq!((ended.code, &report["failed"], &report["skipped"]), (0, &0.into(), &0.into()), "{report}");
    for (name, outcome, detail) in [
        ("id name", "passed", "toy"),
        ("options are declared as the protocol writes them", "passed", "3 options"),
        ("go nodes", "warned", "100 nodes reported for 10000: it does not honour `go nodes`"),
        ("go depth", "warned", "depth 3 reported for 4"),
        ("go infinite is ended by stop", "warned", "it did not wait for `stop`: bestmove "),
        ("promotes in UCI's notation", "passed", "a7a8q"),
        ("Chess960", "passed", ""),
        ("asked in a mate", "passed", "bestmove (none)"),
        ("quit", "passed", ""),
    ] {
        let step = step(&report, name);
        assert_eq!(step["outcome"], outcome, "{step}");
        assert!(step["detail"].as_str().unwrap().contains(detail), "{step}");
        assert_eq!(step["dialogue"].as_array().unwrap().is_empty(), outcome == "passed", "{step}");
    }
}

#[test]
fn nodes_below_half_and_above_twice_of_those_asked_for_are_warned_of() {
    for (nodes, outcome) in [
        ("4", "warned"),
        ("2297", "warned"),
        ("4999", "warned"),
        ("5000", "passed"),
        ("20000", "passed"),
        ("20001", "warned"),
        ("0", "warned"),
    ] {
        let (ended, report) = checked(&format!("says:info_depth_4_nodes_{nodes}_score_cp_1"));
        assert_eq!((ended.code, &step(&report, "go nodes")["outcome"]), (0, &outcome.into()), "{nodes}");
    }
}

#[test]
fn what_an_engine_does_wrong_is_shown_with_the_dialogue() {
    let (ended, report) = checked("upper-case");
    assert_eq!(ended.code, 0, "{report}");
    assert_eq!(step(&report, "promotes in UCI's notation")["outcome"], "warned");

    for (mode, evidence) in [
        ("crash", "the engine was ended by SIGABRT; on standard error it wrote: assert"),
        ("panic:40", "it wrote: fatal error at search.rs:7: / the \\x1b[1mcause"),
        ("panic:9999", "some::function / note: the end"),
        ("illegal", "its move a1a1 is not legal in "),
        ("none", "it answered that it has no move"),
        ("wrong-notation", "no move in UCI's notation"),
    ] {
        let (ended, report) = checked(mode);
        ended.expect(1, &["toy_engine", " of 20 steps"]);
        // Each step finds a living engine, whatever happened in the one before.
        for name in ["position startpos moves", "castling is understood"] {
            let step = step(&report, name);
            assert_eq!(step["outcome"], "failed", "{mode}: {step}");
            assert!(step["detail"].as_str().unwrap().contains(evidence), "{mode}: {step}");
            assert!(step["dialogue"].to_string().contains("< position "), "{mode}: {step}");
        }
        assert_eq!(step(&report, "quit")["outcome"], "passed", "{mode}");
    }
    let (_, report) = checked("exits-at-once");
    assert!(
        step(&report, "uci is answered by uciok")["detail"].as_str().unwrap().contains("exited with code 3")
    );
    assert_eq!((&report["failed"], &report["skipped"]), (&1.into(), &18.into()));
}

#[test]
fn a_configuration_or_a_program_can_be_named() {
    let project = Project::new();
    add_engine(&project, "mine", "tabs", "");
    let ended = project.run("check-engine mine");
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(
        ended.out.contains("passed   starts\n") && ended.out.contains("WARNING  go depth"),
        "{}",
        ended.out
    );
    let built_in = project.run("check-engine --json base").json();
    assert_eq!(
        (&built_in["engine"], &built_in["failed"], &built_in["warned"]),
        (&"base".into(), &0.into(), &0.into())
    );
    project
        .run("check-engine no-such-engine")
        .expect(2, &["there is no config `no-such-engine`", "nor is a program of this name in PATH"]);
    project.run("check-engine").expect(2, &["<COMMAND>"]);
}

#[test]
fn the_options_of_a_configuration_are_set_and_set_again_after_a_crash() {
    let project = Project::new();
    add_engine(&project, "wild", "crash 1", "options = { style = \"Wild\" }");
    let report = project.run("check-engine --json wild").json();
    let options = step(&report, "options are declared as the protocol writes them");
    assert_eq!(options["detail"], "3 options, 1 set as the configuration says");
    assert_eq!(step(&report, "go nodes")["outcome"], "failed", "its second answer is a crash");
    // With the option it reports another depth.
    assert_eq!(step(&report, "go depth")["detail"], "depth 4 reported");

    add_engine(&project, "wrong", "", "options = { Style = \"Mild\" }");
    let report = project.run("check-engine --json wrong").json();
    let options = step(&report, "options are declared as the protocol writes them");
    assert_eq!(options["outcome"], "failed");
    assert_eq!(
        options["detail"],
        "it takes Calm, Wild for its option `Style`, not `Mild` (see `options` of its configuration)"
    );
    assert_eq!(step(&report, "go movetime")["outcome"], "passed");
}
