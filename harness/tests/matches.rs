//! `harness match`: two players, everybody against everybody, the first against all, through the real program.

mod common;

use common::engines::{add_engine, pgn_extract_has_no_complaint};
use common::project::{Project, Running};
use serde_json::Value;
use std::collections::BTreeSet;

/// A project with three players of different strength: the built-in engine at two settings, and the toy.
fn project() -> Project {
    let project = Project::new();
    add_engine(&project, "toy", "", "");
    project
}

const THREE: &str = "match toy base pvs --nodes 300 --quiet --json";

/// What does not depend on time, nor on the names of the run and of the project.
fn timeless(report: &Value) -> Value {
    let mut report = report.clone();
    let object = report.as_object_mut().unwrap();
    for key in ["run", "seconds", "games_per_second", "utilization", "threads"] {
        object.remove(key);
    }
    for player in object["players"].as_array_mut().unwrap() {
        // The toy's environment has the name of its project.
        for key in ["nodes_per_second", "digest"] {
            player.as_object_mut().unwrap().remove(key);
        }
    }
    report
}

fn pairings(report: &Value) -> Vec<(String, u64)> {
    let pairings = report["pairings"].as_array().unwrap().iter();
    let name = |pairing: &Value, key: &str| pairing[key].as_str().unwrap().to_owned();
    pairings
        .map(|pairing| {
            let names = format!("{}-{}", name(pairing, "first"), name(pairing, "second"));
            (names, pairing["games"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn everybody_meets_everybody_whatever_the_threads_and_interruptions() {
    let project = project();
    let whole = project.run(&format!("{THREE} --max-pairs 6 --threads 3 --pgn games.pgn")).json();
    let expected = ["toy-base", "toy-pvs", "base-pvs"].map(|names| (names.to_owned(), 12));
    assert_eq!(
        (pairings(&whole), &whole["games"], &whole["end"]),
        (expected.to_vec(), &36.into(), &"complete".into())
    );

    let one_thread = project.run(&format!("{THREE} --max-pairs 6 --threads 1")).json();
    assert_eq!(timeless(&one_thread), timeless(&whole));

    // Interrupted somewhere, then gone on with, into the same file of games.
    let other = self::project();
    let arguments = format!("{THREE} --max-pairs 6 --threads 2 --pgn two.pgn --events two.jsonl");
    let mut running = Running::start(&mut other.harness(&arguments));
    let run = other.wait_for_pairs(&mut running, 4);
    running.signal("INT");
    let interrupted = running.end();
    assert!(interrupted.code == 130 || interrupted.code == 0, "{interrupted:?}");
    let resumed = format!(
        "match --resume {run} --max-pairs 6 --pgn two.pgn --events two.jsonl --quiet --json --threads 2"
    );
    assert_eq!(timeless(&other.run(&resumed).json()), timeless(&whole));

    let events = other.read("two.jsonl");
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (first, last) = (&events[0], &events[events.len() - 1]);
    assert_eq!(
        (&first["event"], &first["kind"], &first["run"]),
        (&"run".into(), &"match".into(), &run.as_str().into())
    );
    assert_eq!(
        (&last["event"], &last["verdict"], &last["games"]),
        (&"end".into(), &"complete".into(), &36.into())
    );
    let numbers = events[1..events.len() - 1].iter().map(|event| event["pair"].as_u64().unwrap());
    assert!(numbers.eq(1..=18), "each pair once, in order: {events:?}");
    assert_eq!((&events[3]["candidate"], &events[3]["games"][0]["white"]), (&"base".into(), &"base".into()));

    let names = |pgn: &str| {
        pgn.lines().filter(|line| line.starts_with("[White \"")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (pgn, two) = (project.read("games.pgn"), other.read("two.pgn"));
    assert_eq!(names(&pgn), names(&two));
    // In each round all play the same opening.
    let fens: Vec<&str> = pgn.lines().filter(|line| line.starts_with("[FEN ")).collect();
    assert!(fens.chunks(6).all(|round| round.iter().all(|fen| *fen == round[0])), "{fens:?}");
    assert_eq!(fens.iter().collect::<BTreeSet<_>>().len(), 6);
    pgn_extract_has_no_complaint(&pgn);

    let listed = project.run("runs").out;
    let is_it = |line: &str| {
        line.contains(" 36 games  ") && line.contains("  toy.toml, base.toml, pvs.toml · round robin")
    };
    assert!(listed.lines().any(is_it), "{listed}");
}

#[test]
fn points_and_ratings_agree_with_the_games() {
    let project = project();
    let report = project.run(&format!("{THREE} --max-pairs 8 --threads 2")).json();
    let players = report["players"].as_array().unwrap();
    let sum = |key: &str| players.iter().map(|player| player[key].as_f64().unwrap()).sum::<f64>();
    assert_eq!((sum("points"), sum("games")), (48.0, 96.0));
    for player in players {
        let name = &player["name"];
        let points = |pairing: &Value| match (&pairing["first"] == name, &pairing["second"] == name) {
            (true, _) => pairing["points"].as_f64().unwrap(),
            (_, true) => pairing["games"].as_f64().unwrap() - pairing["points"].as_f64().unwrap(),
            _ => 0.0,
        };
        let against: f64 = report["pairings"].as_array().unwrap().iter().map(points).sum();
        assert_eq!(player["points"].as_f64(), Some(against), "{player}");
    }
    // The toy takes what it can and loses all: it has a bound and no rating.
    let toy = &players[0];
    assert_eq!((&toy["name"], &toy["rank"], &toy["wins"]), (&"toy".into(), &3.into(), &0.into()), "{report}");
    if toy["draws"] == 0 {
        assert!(toy["rating"].is_null() && toy["rating_bound"]["high"].as_f64().unwrap() < 0.0, "{toy}");
    }
    let text = project.run(&format!("match --resume {} --max-pairs 8", report["run"].as_str().unwrap()));
    assert_eq!(text.code, 0, "{text:?}");
    for part in ["#  player", "Points against each", "base against pvs: +", "Games 48\n"] {
        assert!(text.out.contains(part), "{part}: {}", text.out);
    }
}

#[test]
fn in_a_gauntlet_only_the_first_meets_the_others() {
    let project = project();
    let report = project.run(&format!("{THREE} --gauntlet --max-pairs 2")).json();
    assert_eq!(pairings(&report), [("toy-base".to_owned(), 4), ("toy-pvs".to_owned(), 4)]);
    assert_eq!(report["format"], "gauntlet");
    assert_eq!(report["players"][0]["rating"]["margin"], 0.0, "the first is the zero of the scale");
    let other = format!("match toy base pvs --resume {}", report["run"].as_str().unwrap());
    project.run(&other).expect(2, &["is another experiment", "format: gauntlet → round robin"]);
}

#[test]
fn two_players_have_elo_and_their_own_faults() {
    let project = project();
    add_engine(&project, "bad", "crash 2", "");
    let report = project.run("match toy bad --nodes 1 --max-pairs 3 --threads 1 --quiet --json").json();
    let [toy, bad] = [0, 1].map(|player| report["players"][player].clone());
    assert_eq!((&toy["crashes"], &bad["crashes"], &bad["rank"]), (&0.into(), &6.into(), &2.into()));
    let pairing = &report["pairings"][0];
    assert_eq!(pairing["pentanomial"], serde_json::json!([0, 0, 0, 0, 3]));
    assert!(pairing["elo"].is_null() && pairing["elo_exact"]["low"].as_f64().unwrap() < 400.0, "{pairing}");
    let text =
        project.run(&format!("match --resume {} --max-pairs 3 --quiet", report["run"].as_str().unwrap())).out;
    assert!(
        text.contains("Faults 6 of 6 games were lost by faults of bad: crashes 6\n")
            && !text.contains("Points against each"),
        "{text}"
    );
}

/// Three engines on one thread: each is started once to be looked at and once to play.
#[test]
fn engines_are_not_started_for_every_pair() {
    let project = project();
    for name in ["one", "two"] {
        add_engine(&project, name, "", "");
    }
    let ended =
        project.run("match toy one two --nodes 1 --max-pairs 4 --threads 1 --quiet --log dialogue.txt");
    assert_eq!(ended.code, 0, "{ended:?}");
    let log = project.read("dialogue.txt");
    let processes: BTreeSet<_> = log.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(processes.len(), 6, "{processes:?}");
}

#[test]
fn what_makes_no_match_is_refused() {
    let project = project();
    project.write("configs/again.toml", "name = \"base\"\n");
    project.write("harness.toml", "nodes = 50\n");
    for (arguments, words) in [
        ("match base", ["2 values required", "[PLAYER]"].as_slice()),
        (
            "match base again",
            &["two players, base.toml and again.toml, have the name base", "another `name`"],
        ),
        (
            "match base pvs --elo1 3",
            &["--elo1 belongs to a test, and `harness match` has none", "use `harness sprt`"],
        ),
        ("match base pvs --max-pairs 0", &["--max-pairs"]),
    ] {
        project.run(arguments).expect(2, words);
    }
    assert!(!project.at("results").exists(), "nothing was stored");
    let events = project.run("match base pvs --events harness.toml");
    events.expect(2, &["harness.toml exists already and is not overwritten"]);
    assert!(project.newest().is_none(), "no run was stored");
    // Under a node limit no opening comes twice.
    project.write("openings/short.epd", common::book::epd(3, 2));
    let report = project.run("match base pvs --nodes 50 --openings openings/short.epd --quiet --json").json();
    assert_eq!((&report["end"], &report["games"]), (&"book-exhausted".into(), &6.into()));
}

/// The answer that a report of this run begins with.
fn answer(project: &Project, run: &str) -> String {
    project.run(&format!("report {run} --out answer-{run}")).expect(0, &[]);
    let report = project.read(&format!("answer-{run}/summary.json"));
    let report: Value = serde_json::from_str(&report).unwrap();
    report["verdict_in_words"].as_str().unwrap().to_owned()
}

#[test]
fn a_leader_is_named_only_if_the_games_show_one() {
    let project = project();
    add_engine(&project, "toy2", "", "");
    for name in ["one", "two", "three"] {
        project
            .write(&format!("configs/{name}.toml"), format!("extends = \"base.toml\"\nname = \"{name}\"\n"));
    }
    let played = |arguments: &str| project.run(&format!("match {arguments} --quiet --json")).json();
    let answer = |report: &Value| answer(&project, report["run"].as_str().unwrap());
    let ranks = |report: &Value| -> Vec<u64> {
        let players = report["players"].as_array().unwrap().iter();
        players.map(|player| player["rank"].as_u64().unwrap()).collect()
    };

    // The same engine three times: every pair is level.
    project.run("match one two three --nodes 50 --max-pairs 1").expect(
        0,
        &[
            "warning: one and two are the same player, so their games against others are the same",
            "one and three are",
        ],
    );
    let level = played("one two three --nodes 50 --max-pairs 4");
    let words = "None of one, two and three is shown to be the strongest (95 %) after 24 games (complete)";
    assert!(answer(&level).starts_with(words), "{}", answer(&level));
    assert_eq!(ranks(&level), [1, 1, 1]);

    // Two players that beat the same one and have not met.
    let gauntlet = played("toy one two --gauntlet --nodes 300 --max-pairs 8");
    let words = "Either one or two is the strongest (95 %) after 32 games";
    assert!(answer(&gauntlet).starts_with(words), "{}", answer(&gauntlet));
    assert_eq!(ranks(&gauntlet), [3, 1, 1]);

    // One that beats all others, which the games do show.
    let beaten = played("toy base toy2 --nodes 300 --max-pairs 8");
    let words = ["base is stronger than each of toy", " (95 % for all together) after 48 games"];
    assert!(words.iter().all(|words| answer(&beaten).contains(words)), "{}", answer(&beaten));

    // Two players whose few pairs are too few, whatever they are.
    for seed in 1..=3 {
        let two = played(&format!("base pvs --nodes 60 --max-pairs 2 --seed {seed}"));
        assert!(answer(&two).starts_with("Neither of "), "{}", answer(&two));
    }

    // One pair of each shows nothing.
    let few = played("one two pvs --nodes 50 --max-pairs 1");
    assert!(answer(&few).starts_with("None of "), "{}", answer(&few));

    // Killed before the first game was over.
    let before = project.newest().unwrap().id;
    let mut running = Running::start(&mut project.harness("match one two three --movetime 20000 --quiet"));
    running.wait_until("the run is stored", || project.newest().is_some_and(|run| run.id != before));
    running.kill();
    let run = project.newest().unwrap().id;
    let nothing = self::answer(&project, &run);
    assert!(nothing.starts_with("Nothing is known of one, two and three after 0 games"), "{nothing}");
}
