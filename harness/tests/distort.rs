//! `harness distort`: root scores of two players at a fixed depth.

mod common;

use common::engines::add_engine;
use common::project::Project;

fn project() -> Project {
    let project = Project::new();
    project.write("configs/lmp.toml", "extends = \"pvs.toml\"\n[techniques]\nlate_move_pruning = true\n");
    project.write("configs/fault.toml", "extends = \"lmp.toml\"\n[params]\nlmp_pv = 1\n");
    project
}

#[test]
fn equal_players_have_equal_scores() {
    let found = project().run("distort pvs pvs --depth 3 --positions 20 --json").json();
    assert_eq!((&found["positions"], &found["cut_off"]), (&20.into(), &0.into()));
    for (key, value) in
        [("mean_difference", 0.0), ("margin", 0.0), ("far", 0.0), ("same_score", 1.0), ("same_move", 1.0)]
    {
        assert_eq!(found[key], value, "{key}");
    }
    assert_eq!(found["nodes_ratio"], 1.0);
    assert_eq!(found["nodes"][0], found["nodes"][1]);
}

/// The fault that the command is for: late move pruning at PV nodes.
#[test]
fn late_move_pruning_at_pv_nodes_shows_as_a_bias() {
    let project = project();
    let mean = |candidate: &str| {
        let found = project.run(&format!("distort pvs {candidate} --depth 2 --positions 100 --json")).json();
        (found["mean_difference"].as_f64().unwrap(), found["far"].as_f64().unwrap())
    };
    let ((sound, _), (faulty, far)) = (mean("lmp"), mean("fault"));
    assert!(sound.abs() < 5.0, "{sound}");
    assert!(faulty > 20.0 && far > 0.05, "{faulty} {far}");
}

#[test]
fn the_figures_depend_on_no_number_of_threads_and_on_the_seed() {
    let project = project();
    let run =
        |more: &str| project.run(&format!("distort base pvs --depth 3 --positions 30 --json {more}")).json();
    assert_eq!(run("--threads 1"), run("--threads 3"));
    assert_ne!(run("--seed 1")["nodes"], run("--seed 2")["nodes"]);
}

#[test]
fn the_text_says_what_was_compared() {
    let ended = project().run("distort pvs lmp --depth 3 --positions 25 --seed 4");
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines[0], "lmp.toml against pvs.toml · depth 3 · 25 positions of book.epd · seed 4");
    for (line, start) in lines[1..].iter().zip(["Score ", "Best move ", "Nodes "]) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn searches_that_do_not_reach_the_depth_are_left_out_and_counted() {
    let ended = project().run("distort base pvs --depth 9 --positions 6 --max-nodes 500 --json");
    ended.expect(1, &["no position was compared"]);
    let found = ended.json();
    assert_eq!((&found["positions"], &found["cut_off"]), (&0.into(), &6.into()));
    for key in ["mean_difference", "far", "same_move", "nodes_ratio"] {
        assert!(found[key].is_null(), "{key}");
    }
}

#[test]
fn another_engine_is_compared_as_well_and_its_faults_are_named() {
    let project = project();
    add_engine(&project, "toy", "", "");
    add_engine(&project, "bad", "crash", "");
    let found = project.run("distort pvs toy --depth 3 --positions 5 --json").json();
    assert_eq!((&found["positions"], &found["candidate"]["name"]), (&5.into(), &"toy".into()));
    let ended = project.run("distort pvs bad --depth 3 --positions 9 --threads 1");
    ended.expect(1, &["bad.toml has no score for", "broke down"]);
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let project = project();
    for (arguments, words) in [
        ("distort base nobody", "nobody"),
        ("distort base pvs --positions 161", "book.epd has 160 positions, 161 are to be searched"),
        ("distort base pvs --openings nowhere.epd", "nowhere.epd"),
        ("distort base pvs --depth 0", "--depth"),
    ] {
        project.run(arguments).expect(2, &[words]);
    }
}
