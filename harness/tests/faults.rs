//! Faults of engines and what is said of them: a verdict made of faults, limits that are not honoured, trial searches.

mod common;

use common::engines::add_engine;
use common::project::{Ended, Project};
use serde_json::{Value, json};

/// A project with the well-behaved engine as `configs/toy.toml` and one that misbehaves as `configs/bad.toml`.
fn project(bad: &str) -> Project {
    let project = Project::new();
    add_engine(&project, "toy", "", "");
    add_engine(&project, "bad", bad, "");
    project
}

/// What `report` and `show` say of the newest run, and the JSON of the report.
fn looked_at(project: &Project) -> (String, String, Value) {
    let run = project.newest().unwrap().id;
    let shown = project.run(&format!("show {run}"));
    assert_eq!(shown.code, 0, "{shown:?}");
    let reported = project.run(&format!("report {run}"));
    assert_eq!(reported.code, 0, "{reported:?}");
    let report = |name: &str| project.read(&format!("results/{run}/{name}"));
    (shown.out, report("report.md"), serde_json::from_str(&report("summary.json")).unwrap())
}

#[test]
fn a_limit_of_nodes_that_is_not_honoured_voids_the_comparison() {
    for (nodes, searched) in
        [("4", json!(4)), ("4999", json!(4999)), ("20001", json!(20001)), ("0", json!(null))]
    {
        let project = project(&format!("says:info_depth_3_nodes_{nodes}_score_cp_1"));
        add_engine(&project, "toy", "says:info_depth_3_nodes_10000_score_cp_1", "");
        let ended = project.run("sprt toy bad --nodes 10000 --max-pairs 2 --json");
        assert_eq!(ended.code, 0, "{ended:?}");
        let word = match searched.is_null() {
            true => "bad reports no nodes, so whether it searches the 10000".to_owned(),
            false => format!("bad searches {searched} nodes where 10000 are asked for"),
        };
        assert_eq!(ended.err.matches(&word).count(), 1, "once, while it is played: {}", ended.err);
        assert_eq!(
            ended.json()["node_limits"],
            json!([{"player": "bad", "asked": 10000, "searched": searched}])
        );
        let text =
            project.run(&format!("sprt --resume {} --max-pairs 2 --quiet", project.newest().unwrap().id));
        let (shown, page, summary) = looked_at(&project);
        for text in [&text.out, &shown, &page] {
            assert!(text.contains(&word), "{word}: {text}");
        }
        let is_void = text.out.contains("void, since bad does not honour `go nodes`");
        assert_eq!(is_void, !searched.is_null(), "{}", text.out);
        assert_eq!(summary["node_limits"], ended.json()["node_limits"]);
    }
}

#[test]
fn limits_that_are_honoured_or_are_none_of_nodes_are_not_spoken_of() {
    for (says, limit) in [
        ("says:info_depth_3_nodes_5000", "--nodes 10000"),
        ("says:info_depth_3_nodes_20000", "--nodes 10000"),
        ("says:info_depth_3_nodes_4_score_mate_5", "--nodes 10000"),
        ("says:info_depth_3_nodes_4", "--depth 3"),
        ("says:info_depth_3_nodes_4", "--nodes 10000 --depth 3"),
    ] {
        let project = project(says);
        let ended = project.run(&format!("sprt bad bad {limit} --max-pairs 2 --json"));
        assert_eq!((ended.code, &ended.json()["node_limits"]), (0, &json!([])), "{says} {limit}");
        assert!(!ended.err.contains("honour"), "{}", ended.err);
    }
}

#[test]
fn every_kind_of_run_speaks_of_nodes_that_are_not_searched() {
    let says = |nodes: &str| format!("says:info_depth_3_nodes_{nodes}_score_cp_1");
    let project = project(&says("9"));
    add_engine(&project, "toy", &says("1000"), "");
    project.write(
        "tune.toml",
        "base = \"bad.toml\"\niterations = 3\n[parameters.Hash]\nstart = 4\nmin = 1\nmax = 9\nc_end = 1\n",
    );
    for (arguments, player) in [
        ("match toy bad --max-pairs 2", "bad"),
        ("sweep Hash=2,4 bad --block 2 --max-pairs 8 --measure", "bad"),
        ("sweep Hash=2,4 bad --block 2 --max-pairs 8 --measure", "bad with Hash=2"),
        ("tune tune.toml --no-validation", "bad"),
        ("match toy toy2 bad --max-pairs 2", "bad"),
    ] {
        add_engine(&project, "toy2", &says("1000"), "");
        let ended = project.run(&format!("{arguments} --nodes 1000 --json --threads 1"));
        assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
        let limits = ended.json()["node_limits"].clone();
        let expected = json!({"player": player, "asked": 1000, "searched": 9});
        assert!(limits.as_array().unwrap().contains(&expected), "{arguments}: {limits}");
        assert!(ended.err.contains(&format!("{player} searches 9 nodes where 1000")), "{}", ended.err);
    }
}

/// The games of a run that ended with nothing but faults: an exit code of 1 after five pairs, with the report.
fn stopped(ended: &Ended, words: &[&str]) -> Value {
    ended.expect(1, words);
    ended.expect(1, &["the first 10 games of ", "--faults play-on", "to go on: "]);
    ended.json()
}

#[test]
fn a_player_that_does_nothing_but_fail_ends_the_run() {
    for (mode, key, kind) in [
        ("crash 2", "crashes", "crashes 10"),
        ("illegal 2", "illegal_moves", "illegal moves 10"),
        ("none 1", "no_moves", "no move 10"),
    ] {
        let project = project(mode);
        let ended = project.run("sprt toy bad --nodes 100 --threads 2 --json");
        let report = stopped(&ended, &["games of bad were all decided by faults (of bad: ", kind]);
        assert_eq!((&report["games"], &report["verdict"]), (&json!(10), &json!("undecided")));
        assert_eq!((&report["candidate"][key], &report["candidate"]["faults"]), (&json!(10), &json!(10)));
        assert_eq!((&report["base"]["faults"], &report[key]), (&json!(0), &json!(10)));
        assert_eq!(project.newest().unwrap().finished, None, "it can be gone on with");

        let run = project.newest().unwrap().id;
        let again = project.run(&format!("sprt --resume {run} --threads 1 --json"));
        // However many pairs were under way, the same ones count.
        assert_eq!(stopped(&again, &["games of bad"])["games"], 10);
        assert!(
            ended.resume_command().ends_with(&["--faults".to_owned(), "play-on".to_owned()]),
            "{ended:?}"
        );
        let to_the_end = project.run(&format!("sprt --resume {run} --threads 1 --faults play-on --quiet"));
        assert_eq!(to_the_end.code, 0, "{to_the_end:?}");
        let games = project.newest().unwrap().games();
        let last = to_the_end.out.lines().last().unwrap();
        assert!(last.ends_with(&format!("; {games} of {games} games were lost by faults of bad")), "{last}");
        assert!(games > 10, "{games}");
        let (shown, page, summary) = looked_at(&project);
        assert!(shown.contains("\nGames with faults\ngame 1: ") && shown.contains("… and "), "{shown}");
        assert!(page.contains("games were lost by faults of bad"), "{page}");
        let words = summary["verdict_in_words"].as_str().unwrap();
        assert!(words.ends_with(" games were lost by faults of bad"), "{words}");
        assert_eq!(summary["candidate"][key], summary["games"]);
        // What is finished is shown, and nothing is watched any more.
        assert_eq!(project.run(&format!("sprt --resume {run} --quiet")).code, 0);
    }
}

#[test]
fn it_ends_every_kind_of_run() {
    let project = project("crash 2");
    add_engine(&project, "other", "tabs", "");
    project.write(
        "tune.toml",
        "base = \"bad.toml\"\niterations = 9\n[parameters.Hash]\nstart = 4\nmin = 1\nmax = 9\nc_end = 1\n",
    );
    for (arguments, games, whose) in [
        ("sprt bad bad", 10, "of the base: crashes 5; of the candidate: crashes 5"),
        ("match bad toy", 10, "of bad: crashes 10"),
        ("match toy other bad", 16, "of bad: crashes 10"),
        ("sweep Hash=2,4 bad --block 5", 10, "of bad: crashes 5; of bad with Hash=2: crashes 5"),
        ("tune tune.toml", 10, "of bad: crashes 10"),
    ] {
        let ended = project.run(&format!("{arguments} --nodes 100 --threads 1 --json"));
        let report = stopped(&ended, &[whose]);
        assert_eq!(report["games"], games, "{arguments}: {report}");
    }
}

#[test]
fn ten_games_with_one_good_one_among_them_play_on() {
    let project = project("crash 2");
    add_engine(&project, "slow", "slow", "");
    // Seven of the games of the match are not the crashing player's.
    let report = project.run("sprt toy bad --nodes 100 --max-pairs 4 --json --threads 1");
    assert_eq!((report.code, &report.json()["candidate"]["faults"]), (0, &json!(8)));
    let last = project.run(&format!("sprt --resume {} --max-pairs 4 --quiet", project.newest().unwrap().id));
    assert!(last.out.ends_with("; 8 of 8 games were lost by faults of bad\n"), "{last:?}");
}

#[test]
fn kinds_of_faults_stay_apart_for_each_player() {
    for (mode, limit, key) in [
        ("crash 2", "--nodes 100", "crashes"),
        ("hang 2", "--nodes 100 --move-timeout 1", "stalls"),
        ("illegal 2", "--nodes 100", "illegal_moves"),
        ("none 2", "--nodes 100", "no_moves"),
        ("late 2", "--movetime 30 --time-margin 500", "time_losses"),
    ] {
        let project = project(mode);
        let report =
            project.run(&format!("sprt bad toy {limit} --max-pairs 1 --threads 1 --json --quiet")).json();
        for kind in ["time_losses", "illegal_moves", "crashes", "stalls", "no_moves", "faults"] {
            let expected = json!(if kind == key || kind == "faults" { 2 } else { 0 });
            assert_eq!(report["base"][kind], expected, "{mode}: {report}");
            assert_eq!(report["candidate"][kind], 0, "{mode}: {report}");
            // Of both together there is no sum: elsewhere that key is a list of games.
            assert!(kind == "faults" || report[kind] == expected, "{mode}: {report}");
        }
        let (shown, page, _) = looked_at(&project);
        for number in [1, 2] {
            assert!(
                shown.contains(&format!("\ngame {number}: ")) && shown.contains(" lost by bad.toml: "),
                "{shown}"
            );
        }
        assert!(page.contains("2 of 2 games were lost by faults of bad"), "{page}");
    }
}

#[test]
fn a_trial_search_that_fails_ends_the_run_before_the_first_game() {
    for (mode, limit, words) in [
        ("only:e2e4", "--nodes 100", "its move e2e4 is not legal in "),
        ("none", "--nodes 100", "it answered that it has no move in "),
        ("wrong-notation", "--nodes 100", "it answered `bestmove Nf3\\x1b[31m}`, which is no move"),
        (
            "crash",
            "--nodes 100",
            "was ended by SIGABRT after `go nodes 100`; on standard error it wrote: assert",
        ),
        (
            "hang",
            "--nodes 100",
            "has not answered within 2.0 s after `go nodes 100`, and then has not answered",
        ),
        ("hang", "--tc 0.3", "has not answered within 2.0 s after `go wtime 300 btime 300`, and then"),
        ("until-stop:info_depth_20_nodes_999999", "--nodes 100", "searched 999999 nodes by then"),
        ("until-stop:readyok", "", "reports no nodes by which to see that it honours `go nodes`"),
        ("until-stop:info_depth_20_nodes_5", "--depth 5", "has reached depth 20 by then"),
        ("until-stop:readyok", "--movetime 50", "when its time was over"),
    ] {
        let project = project(mode);
        let ended = project.run(&format!("sprt toy bad {limit}"));
        ended.expect(1, &["bad fails the trial search before the first game, at ", words, "check-engine"]);
        assert!(!project.at("results").exists(), "nothing was stored");
        let ended =
            project.run(&format!("sprt toy bad {limit} --faults play-on --max-pairs 1 --move-timeout 1"));
        ended.expect(0, &["warning: bad fails the trial search before the first game, at "]);
    }
}

#[test]
fn a_trial_search_that_only_takes_long_or_comes_late_ends_nothing() {
    for (mode, limit) in [
        ("late", "--movetime 50"),
        ("until-stop:info_nodes_100_depth_3", "--nodes 1000000 --move-timeout 1"),
        ("until-stop:info_nodes_100_depth_3", "--depth 60 --move-timeout 1"),
    ] {
        let project = project(mode);
        let ended = project.run(&format!("sprt toy bad {limit} --max-pairs 1"));
        ended.expect(0, &[]);
        assert!(!ended.err.contains("trial"), "{}", ended.err);
        assert_eq!(project.newest().unwrap().games(), 2);
    }
}

#[test]
fn games_lost_on_time_can_be_played_on_with() {
    let project = project("late");
    project.write("harness.toml", "faults = \"play-on\"\n");
    let ended =
        project.run("sprt toy bad --movetime 20 --time-margin 500 --threads 1 --max-pairs 4 --quiet --json");
    assert_eq!((ended.code, &ended.json()["candidate"]["time_losses"]), (0, &json!(8)), "{ended:?}");
    // The command line wins, and the result so far is shown.
    let run = project.newest().unwrap().id;
    let ended = project.run(&format!("sprt --resume {run} --max-pairs 9 --faults stop --threads 1 --quiet"));
    ended.expect(1, &["the first 10 games of bad were all decided by faults (of bad: time losses 1"]);
    assert!(
        ended.out.contains("Faults ") && ended.out.contains("games were lost by faults of bad"),
        "{ended:?}"
    );
}
