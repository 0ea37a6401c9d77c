//! What holds nothing says so: empty files, runs without games, parts that are not there; through the real program.

mod common;

use common::project::{Ended, Project};
use harness::store::NewRun;

/// A run that asks the same as the newest and has no games.
fn without_games(project: &Project) -> String {
    let of = project.newest().unwrap();
    let id = format!("{}-empty", of.id);
    let run = NewRun {
        id: &id,
        kind: &of.kind,
        question: &of.question,
        spec_json: &of.spec_json,
        digest: "d",
        goal_json: "{}",
    };
    project.store().create_run(&run).unwrap();
    id
}

#[test]
fn a_file_without_results_is_an_error() {
    let project = Project::new();
    for (nth, content) in ["", "\n\n", "\u{feff}\n  \t\n"].into_iter().enumerate() {
        let file = format!("results{nth}.txt");
        project.write(&file, content);
        let words =
            format!("{file} has no results: write W,L,D or five counts of pairs on a line of its own");
        let ended = project.run(&format!("elo {file}"));
        ended.expect(2, &[&words]);
        assert_eq!(ended.out, "");
    }
    project.run("elo -").expect(2, &["standard input has no results"]);
    project.write("one.txt", "\n3,2,1\n");
    project.run("elo one.txt").expect(0, &[]);
}

#[test]
fn a_verification_of_no_games_does_not_say_that_they_are_the_same() {
    let project = Project::new();
    project.write("harness.toml", "nodes = 40\nthreads = 1\nmax-moves = 6\n");
    project.write("what.toml", "base = \"pvs.toml\"\niterations = 2\n[parameters]\naspiration_delta = {}\n");
    for command in [
        "sprt base pvs --max-pairs 1",
        "match base pvs --max-pairs 1",
        "tune what.toml --no-validation",
        "sweep aspiration_delta=10 pvs --max-pairs 32",
    ] {
        let played = project.run(&format!("{command} --quiet"));
        assert_eq!(played.code, 0, "{played:?}");
        let played = project.newest().unwrap().id;
        let run = without_games(&project);
        let verified = project.run(&format!("verify {run}"));
        let expected = format!("no games of {run} are stored, so none was played again\n");
        assert_eq!((verified.code, verified.out), (0, expected), "{command}");
        assert_eq!(project.run(&format!("verify {run} --json")).json()["games"], 0);
        let verified = project.run(&format!("verify {played}"));
        assert!(verified.out.ends_with("every move the same\n"), "{verified:?}");
    }
}

#[test]
fn a_part_that_is_not_there_is_told_as_that() {
    let project = Project::new();
    project.write("harness.toml", "nodes = 40\nthreads = 1\nmax-pairs = 32\nmax-moves = 20\n");
    let swept = |values: &str| -> String {
        let report = project.run(&format!("sweep aspiration_delta={values} pvs --quiet --json")).json();
        report["run"].as_str().unwrap().to_owned()
    };
    let (one, two) = (swept("10"), swept("10,40"));
    let played = project.run("match pvs base --quiet --json --max-pairs 4").json();
    let played = played["run"].as_str().unwrap();
    let compare = |figure: &str| -> Ended { project.run(&format!("compare {figure} 1±1")) };
    compare(&format!("{one}:7777")).expect(2, &["has no value 7777: name one that it has (10)"]);
    compare(&format!("{two}:7777")).expect(2, &["has no value 7777: name one that it has (10, 40)"]);
    compare(&two).expect(2, &["has several figures: name one of them behind a colon (10, 40)"]);
    let reversed = "has no pairing base/pvs: its figure is seen from the other side, as pvs/base";
    compare(&format!("{played}:base/pvs")).expect(2, &[reversed]);
    for part in ["2", "0", "pvs/toy", "pvs"] {
        let words = format!("has no pairing {part}: name one that it has (1 or pvs/base)");
        compare(&format!("{played}:{part}")).expect(2, &[&words]);
    }
    // However it is named, it is one figure, which agrees with itself.
    for part in ["", ":1", ":pvs/base"] {
        let noted = project.run(&format!("compare {played}:1 {played}{part}"));
        let is_level = noted.err.contains("no Elo with a margin");
        assert!(is_level || noted.out.contains("which agrees with itself"), "{noted:?}");
    }
}

#[test]
fn a_fit_that_cannot_be_made_announces_no_scale() {
    let project = Project::new();
    project.write("harness.toml", "threads = 1\n");
    project.sprt("--nodes 40 --max-pairs 6");
    let full = project.newest().unwrap().id;
    let empty = without_games(&project);
    project.sprt("--nodes 40 --max-pairs 8 --max-moves 8 --draw 100000,1,1");
    let drawn = project.newest().unwrap().id;
    for (run, words) in [
        (&empty, "no quiet position for training"),
        (&full, "the data do not determine"),
        (&drawn, "have the same result, from which nothing can be learnt"),
    ] {
        let ended = project.run(&format!("fit-eval {run} --validation 0.4 --skip-plies 0"));
        ended.expect(2, &[words]);
        assert!(!ended.err.contains("a centipawn is worth"), "{ended:?}");
    }
}
