//! Ctrl-C while an engine stalls: nobody waits for it, and nothing that was finished is lost.

mod common;

use common::engines::add_engine;
use common::project::{Ended, Project, Running};

/// Far beyond what the tests wait for any process.
const NEVER: &str = "--move-timeout 80000";

/// A project with a well-behaved engine as `configs/toy.toml` and one that misbehaves as `configs/bad.toml`.
fn project(bad: &str) -> Project {
    let project = Project::new();
    add_engine(&project, "toy", "", "");
    add_engine(&project, "bad", bad, "");
    project
}

/// Interrupts the command once an engine stalls.
fn interrupted(project: &Project, arguments: &str) -> Ended {
    let mut running = Running::start(&mut project.harness(arguments));
    running.wait_until("an engine stalls", || project.at("stalled").exists());
    running.signal("INT");
    running.end()
}

#[test]
fn a_search_that_stalls_is_ended_and_its_pair_is_not_stored() {
    for (mode, limit) in [
        ("hang 2", "--nodes 100"),
        ("hang 30", "--depth 3"),
        ("complains-and-hangs 2", "--tc 80000"),
        ("never-ready 1", "--nodes 100"),
        ("never-ready 3", "--movetime 80000"),
    ] {
        let project = project(mode);
        let ended = interrupted(&project, &format!("sprt toy bad {limit} {NEVER} --threads 1"));
        ended.expect(130, &["note: bad has not answered for ", "its pair is not stored", "to go on: "]);
        let run = project.newest().unwrap();
        // The games before are there, and of the stall nothing.
        let store = project.store();
        let mut games = store.pairs(&run.id, 0).map(Result::unwrap).flat_map(|pair| pair.games);
        assert!(games.all(|game| !game.termination.is_fault()), "{mode}");
        let words: Vec<_> = ended.resume_command();
        std::fs::remove_file(project.at("stalled")).unwrap();
        // It is played again, and stalls again.
        let again = interrupted(&project, &words.join(" "));
        assert_eq!(again.code, 130, "{again:?}");
        assert!(project.newest().unwrap().pairs >= run.pairs, "{mode}");
    }
}

#[test]
fn the_built_in_engine_is_not_waited_for_either() {
    for arguments in ["--depth 60", "--movetime 90000", "--depth 60 --out-of-process --move-timeout 80000"] {
        let project = Project::new();
        let mut running = project.start_sprt(&format!("{arguments} --threads 2"));
        running.wait_until("the run has begun", || project.newest().is_some());
        running.signal("INT");
        let ended = running.end();
        ended.expect(130, &["to go on: "]);
        assert_eq!(project.newest().unwrap().pairs, 0, "{arguments}");
    }
}

#[test]
fn pairs_of_other_threads_are_finished() {
    let project = project("hang 2");
    add_engine(&project, "slow", "slow", "");
    // The pairs go round: toy against slow, toy against bad, slow against bad.
    let ended = interrupted(&project, &format!("match toy slow bad --nodes 100 {NEVER} --threads 2 --json"));
    ended.expect(130, &["note: bad has not answered for "]);
    let run = project.newest().unwrap();
    assert_eq!(project.store().pair_indices(&run.id).unwrap(), [0], "the one without the stalling engine");
    assert_eq!(ended.json()["games"], 2);
}

#[test]
fn an_engine_that_is_slow_to_start_is_not_waited_for() {
    // Without an answer to `uci`, to the first `isready` of a game, to its first `go`.
    for mode in ["never-starts", "never-ready", "hang"] {
        for command in ["sprt toy bad", "match toy bad", "sweep Hash=2,4 bad", "plan toy bad"] {
            let project = project(mode);
            let ended = interrupted(&project, &format!("{command} --nodes 100 {NEVER}"));
            ended.expect(
                130,
                if command.starts_with("plan") { &[] } else { &["interrupted before the first game"] },
            );
            assert!(project.newest().is_none(), "{mode}: nothing is stored");
        }
    }
}

#[test]
fn every_command_that_plays_hears_it() {
    for arguments in [
        "plan toy bad --nodes 100 --move-timeout 80000",
        "sweep Hash=2,4 bad --nodes 100 --move-timeout 80000",
        "tune tune.toml --nodes 100 --move-timeout 80000",
        "tune tune.toml --nodes 100 --move-timeout 80000 --quiet",
    ] {
        let project = project("hang 2");
        let parameter = "[parameters.Hash]\nstart = 4\nmin = 1\nmax = 9\nc_end = 1\n";
        project.write("tune.toml", format!("base = \"bad.toml\"\niterations = 9\n{parameter}"));
        let ended = interrupted(&project, arguments);
        assert_eq!(ended.code, 130, "{arguments}: {ended:?}");
    }
}
