//! Limits: several at once, one player's own, where the book begins, how late is late; through the real program.

mod common;

use common::book;
use common::project::Project;
use harness::game::record::{MoveRecord, PairRecord, Side};
use serde_json::{Value, json};

/// The moves of one side of all games.
fn moves_of(pairs: &[PairRecord], side: Side) -> Vec<MoveRecord> {
    let games = pairs.iter().flat_map(|pair| &pair.games);
    games
        .flat_map(|game| game.moves.iter().skip(usize::from(begins(game) != side)).step_by(2))
        .cloned()
        .collect()
}

/// Who makes the first move of a game.
fn begins(game: &harness::game::record::GameRecord) -> Side {
    match (game.opening.contains(" w "), game.white) {
        (true, white) => white,
        (false, Side::Base) => Side::Candidate,
        (false, Side::Candidate) => Side::Base,
    }
}

fn most_nodes(moves: &[MoveRecord]) -> u64 {
    moves.iter().map(|played| played.nodes).max().unwrap()
}

/// What holds for a folder need not be typed; what is typed counts more, and players that do not play are not missed.
#[test]
fn own_limits_stand_in_the_settings_file_too() {
    let project = Project::new();
    let lines =
        "nodes = 30\nmax-moves = 4\nmax-pairs = 1\nlimit-of = [\"pvs:nodes=20\", \"nobody:depth=2\"]\n";
    project.write("harness.toml", lines);
    for (arguments, limit) in [
        ("", json!({"nodes": 20})),
        ("--limit-of pvs:depth=1", json!({"depth": 1})),
        ("--limit-of base:nodes=9", json!({"nodes": 20})),
    ] {
        let report = project.sprt(arguments);
        assert_eq!(report["candidate"]["limit"], limit, "{arguments}");
    }
    let report = project.run("match base pvs --json --quiet").json();
    assert_eq!(report["players"][1]["limit"], json!({"nodes": 20}));
    for (wrong, reason) in [
        ("[\"pvs\"]", "write PLAYER:nodes=N"),
        ("3", "invalid type"),
        ("[\"pvs:nodes=0\"]", "0 is not a whole number"),
    ] {
        project.write("harness.toml", format!("limit-of = {wrong}\n"));
        project.run("sprt base pvs").expect(2, &["harness.toml", reason]);
    }
}

#[test]
fn one_player_may_have_a_limit_of_its_own() {
    let project = Project::new();
    let handicap = "--nodes 90 --limit-of base.toml:nodes=30 --threads 2";
    let report = project.sprt(&format!("{handicap} --max-pairs 3 --pgn games.pgn"));
    let pairs = project.pairs(&report);
    assert!((20..=30).contains(&most_nodes(&moves_of(&pairs, Side::Base))));
    assert!((60..=90).contains(&most_nodes(&moves_of(&pairs, Side::Candidate))));

    let run = report["run"].as_str().unwrap();
    let question = project.newest().unwrap().question;
    assert_eq!(question, "pvs.toml against base.toml (30 nodes/move) · 90 nodes/move");
    // Whoever reads the result sees it, too.
    assert_eq!(
        (&report["base"]["limit"], &report["candidate"]["limit"]),
        (&json!({"nodes": 30}), &Value::Null)
    );
    let told = project.run(&format!("sprt --resume {run} --max-pairs 3 --quiet")).out;
    assert!(told.starts_with("pvs.toml against base.toml (30 nodes/move) · 90 nodes/move · "), "{told}");
    assert!(told.contains("SPRT  | base N=30 candidate N=90 Threads=1"), "{told}");
    let verified = project.run(&format!("verify {run}"));
    assert!(verified.out.contains("every move the same"), "{verified:?}");
    project.run(&format!("report {run}")).expect(0, &[]);
    let written = project.read(&format!("results/{run}/report.md"));
    assert!(written.contains("--nodes 90") && written.contains("--limit-of base.toml:nodes=30"), "{written}");

    // It is part of what is played: kept when the run goes on, and nothing else may take its place.
    let more = project.run(&format!("sprt --resume {run} --max-pairs 4 --json")).json();
    assert!(most_nodes(&moves_of(&project.pairs(&more), Side::Base)) <= 30);
    let other = project.run(&format!("sprt --resume {run} --limit-of base:nodes=31 --max-pairs 5"));
    other.expect(2, &["base.limit: 30 nodes/move → 31 nodes/move"]);
    let plain = project.sprt("--nodes 90 --max-pairs 3 --threads 2");
    assert_ne!(plain["base"]["digest"], report["base"]["digest"]);

    project
        .run("sprt base pvs --limit-of bsae:nodes=3")
        .expect(2, &["--limit-of names bsae, who does not play: the players are base.toml, pvs.toml"]);
    project.run("sprt base pvs --limit-of base:speed=3").expect(2, &["write PLAYER:nodes=N"]);
}

#[test]
fn a_match_writes_the_time_controls_of_both() {
    let project = Project::new();
    let command = "match base pvs --tc 20+0.1 --limit-of pvs:tc=10+0.1,nodes=40 --max-pairs 1 --threads 1 \
                   --max-moves 6 --pgn games.pgn --quiet --json";
    let report = project.run(command).json();
    assert_eq!(report["games"], json!(2));
    let games = project.read("games.pgn");
    let times: Vec<&str> = games.lines().filter(|line| line.contains("TimeControl")).collect();
    let (long, short) = ("20+0.1", "10+0.1");
    let tags =
        |white, black| [format!("[WhiteTimeControl \"{white}\"]"), format!("[BlackTimeControl \"{black}\"]")];
    assert_eq!(times, [tags(long, short), tags(short, long)].concat());
}

#[test]
fn a_clock_of_one_player_is_a_clock() {
    let project = Project::new();
    let report = project.sprt("--nodes 20 --limit-of pvs:movetime=5 --max-pairs 1 --max-moves 2");
    let run = report["run"].as_str().unwrap();
    project.run(&format!("verify {run}")).expect(2, &["was played at 5 ms/move", "no game comes twice"]);
    let nobody = project.run(&format!("sprt --resume {run} --limit-of pbs:movetime=5 --max-pairs 1"));
    nobody.expect(2, &["--limit-of names pbs, who does not play"]);
}

#[test]
fn limits_hold_together() {
    let project = Project::new();
    let report = project.sprt("--nodes 400 --depth 2 --max-pairs 2");
    assert!(project.newest().unwrap().question.ends_with("· 400 nodes/move, depth 2"));
    let pairs = project.pairs(&report);
    for side in [Side::Base, Side::Candidate] {
        let moves = moves_of(&pairs, side);
        assert!(moves.iter().all(|played| played.depth <= 2 && played.nodes <= 400), "{moves:?}");
        assert!(moves.iter().any(|played| played.depth == 2 && played.nodes < 400), "{moves:?}");
    }
    assert_eq!(report["limit"], json!({"nodes": 400, "depth": 2}));
}

#[test]
fn the_book_may_begin_anywhere() {
    let project = Project::new();
    let openings = |arguments: &str| -> Vec<String> {
        let report: Value = project.sprt(&format!("--nodes 20 {arguments}"));
        project.pairs(&report).iter().map(|pair| pair.games[0].opening.clone()).collect()
    };
    let all = openings("--max-pairs 5");
    assert_eq!(openings("--max-pairs 2 --start 4"), all[3..]);
    assert_eq!(openings("--max-pairs 2 --start 1"), all[..2]);

    project.write("short.epd", book::epd(6, 7));
    let left = project.sprt("--nodes 20 --openings short.epd --start 4 --elo0=-0.01 --elo1 0.01");
    assert_eq!((&left["games"], &left["verdict"]), (&json!(6), &json!("undecided")));
    let run = left["run"].as_str().unwrap();
    project.run(&format!("report {run}")).expect(0, &[]);
    let command = project.read(&format!("results/{run}/report.md"));
    assert!(
        command.contains("--start 4") && !command.contains("--max-pairs"),
        "the book had no more: {command}"
    );
    let beyond = project.run("sprt base pvs --nodes 20 --openings short.epd --start 7");
    beyond.expect(2, &["--start 7 is beyond the 6 openings of "]);
}

#[test]
fn the_margin_is_part_of_the_run() {
    let project = Project::new();
    let report = project.sprt("--movetime 5 --time-margin 30000 --max-pairs 1 --max-moves 3");
    let run = report["run"].as_str().unwrap();
    let other = project.run(&format!("sprt --resume {run} --time-margin 20 --max-pairs 2"));
    other.expect(2, &["time-margin: 30000 → 20"]);
}
