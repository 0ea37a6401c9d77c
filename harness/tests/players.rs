//! Players of one command: told apart wherever they are shown, and named by path, name or stem, through the real program.

mod common;

use common::engines::add_engine;
use common::project::Project;
use serde_json::{Value, json};

/// A project with files of the same name in several folders: two without a `name`, two with one.
fn project() -> Project {
    let project = Project::new();
    for (file, content) in [
        ("one/eng.toml", "[techniques]\naspiration = false\n"),
        ("two/eng.toml", ""),
        ("alpha/full.toml", "name = \"Alpha\"\n[techniques]\naspiration = false\n"),
        ("beta/full.toml", "name = \"Beta\"\n"),
        ("copy.toml", "name = \"Beta\"\n"),
    ] {
        project.write(file, content);
    }
    project.write("harness.toml", "nodes = 40\nmax-pairs = 1\nthreads = 1\nmax-moves = 6\n");
    project
}

/// The limits that the players of a report have of their own.
fn own_limits(report: &Value) -> Vec<Value> {
    match report["players"].as_array() {
        Some(players) => players.iter().map(|player| player["limit"].clone()).collect(),
        None => ["base", "candidate"].map(|role| report[role]["limit"].clone()).to_vec(),
    }
}

#[test]
fn a_limit_is_that_of_the_one_player_that_is_named() {
    let project = project();
    let (limited, none) = (json!({ "nodes": 20 }), Value::Null);
    for (players, word, first) in [
        ("one/eng.toml two/eng.toml", "one/eng.toml", true),
        ("one/eng.toml two/eng.toml", "one/eng", true),
        ("one/eng.toml two/eng.toml", "./two/eng.toml", false),
        ("one/eng.toml two/eng.toml", "./two/eng", false),
        ("alpha/full.toml beta/full.toml", "Beta", false),
        ("alpha/full.toml beta/full.toml", "alpha/full.toml", true),
        ("copy.toml beta/full.toml", "copy", true),
        ("copy.toml beta/full.toml", "full.toml", false),
        ("base configs/base.toml", "configs/base.toml", false),
    ] {
        let command = format!("sprt {players} --limit-of {word}:nodes=20 --quiet --json");
        let ended = project.run(&command);
        assert_eq!(ended.code, 0, "{command}: {ended:?}");
        let expected = if first { [&limited, &none] } else { [&none, &limited] };
        assert_eq!(own_limits(&ended.json()).iter().collect::<Vec<_>>(), expected, "{command}");
    }
    let report =
        project.run("match one/eng.toml two/eng.toml base --limit-of two/eng.toml:nodes=20 --json --quiet");
    assert_eq!(own_limits(&report.json()), [none.clone(), limited, none]);
}

#[test]
fn what_names_several_players_is_refused() {
    let project = project();
    for (command, words) in [
        ("match one/eng.toml two/eng.toml --limit-of eng:nodes=20", "`one/eng.toml` and `two/eng.toml`"),
        ("match one/eng.toml two/eng.toml --limit-of eng.toml:nodes=20", "`one/eng.toml` and `two/eng.toml`"),
        (
            "sprt alpha/full.toml beta/full.toml --limit-of full:nodes=20",
            "`alpha/full.toml` and `beta/full.toml`",
        ),
        ("sprt copy.toml beta/full.toml --limit-of Beta:nodes=20", "`copy.toml` and `beta/full.toml`"),
        ("sprt base base --limit-of base:nodes=20", "`base.toml` and `base.toml`"),
    ] {
        project.run(command).expect(2, &["write the path of the one that is meant", words]);
    }
    let twice = "sprt base pvs --limit-of pvs:nodes=20 --limit-of pvs.toml:depth=3";
    project.run(twice).expect(2, &["--limit-of is given twice for pvs.toml"]);
    assert!(project.newest().is_none(), "nothing was stored");
}

#[test]
fn players_are_told_apart_wherever_they_are_shown() {
    let project = project();
    for (number, (players, label, names)) in (1..).zip([
        ("one/eng.toml two/eng.toml", "two/eng.toml against one/eng.toml", ["one/eng", "two/eng"]),
        ("alpha/full.toml beta/full.toml", "Beta against Alpha", ["Alpha", "Beta"]),
        ("copy.toml beta/full.toml", "full.toml against copy.toml", ["copy", "full"]),
        ("base pvs", "pvs.toml against base.toml", ["base", "pvs"]),
    ]) {
        let file = format!("games{number}.pgn");
        let report = project.run(&format!("sprt {players} --pgn {file} --json --quiet")).json();
        assert_eq!([&report["base"]["name"], &report["candidate"]["name"]], names, "{players}");
        let run = report["run"].as_str().unwrap();
        let told = project.run(&format!("sprt --resume {run} --quiet")).out;
        assert!(told.starts_with(&format!("{label} · ")), "{told}");
        assert!(project.run("runs").out.lines().next().unwrap().contains(label));
        let pgn = project.read(&file);
        assert!(pgn.contains(&format!("{run}: {label} · ")), "{pgn}");
        for name in names {
            assert!(pgn.contains(&format!("[White \"{name}\"]")), "{pgn}");
        }
        project.run(&format!("report {run}")).expect(0, &[]);
        let written = project.read(&format!("results/{run}/report.md"));
        let [base, candidate] = [0, 1].map(|nth| players.split(' ').nth(nth).unwrap());
        assert!(label.split(" against ").all(|label| written.contains(label)), "{written}");
        let again = format!("harness sprt {} {}", with_suffix(base), with_suffix(candidate));
        assert!(written.contains(&again), "what is to be typed is still the path: {written}");
    }
}

fn with_suffix(name: &str) -> String {
    format!("{}.toml", name.trim_end_matches(".toml"))
}

#[test]
fn a_match_takes_files_of_one_name_and_refuses_a_name_given_twice() {
    let project = project();
    let report = project.run("match one/eng.toml two/eng.toml base --json --quiet").json();
    let pairing = |number: usize| report["pairings"][number].clone();
    assert_eq!((&pairing(0)["first"], &pairing(0)["second"]), (&json!("one/eng"), &json!("two/eng")));
    let twice = ["two players, copy.toml and beta/full.toml, have the name Beta"];
    project.run("match copy.toml beta/full.toml").expect(2, &twice);
    project.run("match base base").expect(2, &["have the name base"]);

    // A name may hold a slash, so that a pairing has a number, too.
    let run = report["run"].as_str().unwrap();
    project
        .run(&format!("compare {run}:1/2 9±1"))
        .expect(2, &["has no pairing 1/2: ", "(1 or one/eng/two/eng, 2 or one/eng/base, "]);
    project
        .run(&format!("compare {run}:base/two/eng 9±1"))
        .expect(2, &["seen from the other side, as two/eng/base"]);
    for part in ["3", "two/eng/base"] {
        let found = project.run(&format!("compare {run}:{part} 9±1"));
        assert!(found.code == 0 || found.err.contains("no Elo with a margin after 2 games"), "{found:?}");
    }
}

#[test]
fn node_counts_of_files_of_one_name_have_lines_of_their_own() {
    let project = project();
    let counted = project.run("nodes one/eng.toml two/eng.toml base --depth 1 --json").json();
    let names: Vec<_> =
        counted.as_array().unwrap().iter().map(|row| row["config"].as_str().unwrap()).collect();
    assert_eq!(names, ["one/eng.toml", "two/eng.toml", "base"]);
}

/// The line of OpenBench's block with the settings.
fn settings(project: &Project, arguments: &str) -> String {
    let ended = project.run(&format!("sprt {arguments} --quiet"));
    let line = ended.out.lines().find_map(|line| line.strip_prefix("SPRT  | "));
    line.unwrap_or_else(|| panic!("{arguments}: {ended:?}")).to_owned()
}

#[test]
fn the_block_for_openbench_says_what_was_set() {
    let project = project();
    for (name, options) in [
        ("plain", ""),
        ("four", "options = { threads = 4 }"),
        ("large", "options = { Threads = 1, Hash = 64 }"),
        ("both", "options = { HASH = 64, THREADS = 4 }"),
    ] {
        add_engine(&project, name, "threads", options);
    }
    for (arguments, expected) in [
        ("base pvs", "N=40 Threads=1 Hash=16MB"),
        ("base pvs --hash 8", "N=40 Threads=1 Hash=8MB"),
        ("plain plain", "N=40 Threads=default Hash=16MB"),
        ("four both", "N=40 Threads=4 base Hash=16MB candidate Hash=64MB"),
        ("base large", "N=40 Threads=1 base Hash=16MB candidate Hash=64MB"),
        ("large both --hash 8", "N=40 base Threads=1 candidate Threads=4 Hash=64MB"),
        (
            "plain four --limit-of four:nodes=9",
            "base N=40 candidate N=9 base Threads=default candidate Threads=4 Hash=16MB",
        ),
    ] {
        assert_eq!(settings(&project, arguments), expected, "{arguments}");
    }
}

#[test]
fn engines_that_take_more_threads_than_there_are_get_a_warning() {
    let project = project();
    let cores = num_cpus::get_physical();
    add_engine(&project, "all", "threads", &format!("options = {{ Threads = {cores} }}"));
    add_engine(&project, "many", "threads", "options = { threads = 512 }");
    for (arguments, words) in [
        (
            "sprt all base --threads 2",
            Some(format!("warning: all.toml searches on {cores} threads, in 2 games at once")),
        ),
        (
            "match base many --threads 1",
            Some("warning: many.toml searches on 512 threads, in 1 game at once".to_owned()),
        ),
        ("sprt many all --depth 1", Some("warning: many.toml searches on 512 threads".to_owned())),
        ("sprt base pvs --threads 3", None),
        ("sprt base all --threads 1", None),
    ] {
        let ended = project.run(arguments);
        // One thread of one game is no crowd on any machine.
        let is_expected = words.is_some() && !(cores == 1 && arguments.contains("all base"));
        assert_eq!(ended.err.contains("warning: "), is_expected, "{arguments}: {ended:?}");
        if is_expected {
            assert!(ended.err.contains(&words.unwrap()), "{arguments}: {ended:?}");
        }
        // A warning is no progress line: `--quiet` leaves it.
        let quiet = project.run(&format!("{arguments} --quiet"));
        assert_eq!(quiet.err.contains("warning: "), is_expected, "{arguments} --quiet: {quiet:?}");
    }
}
