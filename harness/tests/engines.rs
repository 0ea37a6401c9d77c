//! Engines in other processes: each is played to the move, whatever it does, and nothing of it is left behind.
//!
//! The engine is `examples/toy_engine.rs`, which misbehaves in a way its arguments say.

mod common;

use common::engines::{MARK, add_engine, pgn_extract_has_no_complaint, toy};
use common::project::{Ended, Project, Running};
use harness::game::record::{GameRecord, GameResult, PairRecord, Score, Side, Telemetry, Termination};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What the operating system may take to end a process that was killed.
const PATIENCE: Duration = Duration::from_secs(20);

/// A project with the well-behaved engine as `configs/toy.toml`.
fn project() -> Project {
    let project = Project::new();
    add_engine(&project, "toy", "", "");
    project
}

/// The processes that the project's engines have left.
fn alive(project: &Project) -> Vec<String> {
    let mark = format!("{MARK}={}", project.path().display());
    let has_mark = |folder: &Path| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    processes
        .filter(|folder| has_mark(folder))
        .filter_map(|folder| folder.file_name().and_then(|name| name.to_str()).map(str::to_owned))
        .collect()
}

fn assert_nothing_is_left(project: &Project) {
    let until = Instant::now() + PATIENCE;
    while !alive(project).is_empty() {
        assert!(Instant::now() < until, "still there: {:?}", alive(project));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// As many pairs as were played, with what was said.
fn played(project: &Project, arguments: &str) -> (Vec<PairRecord>, Ended) {
    let ended = project.run(&format!("sprt toy {arguments} --json --threads 1"));
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_nothing_is_left(project);
    (project.pairs(&ended.json()), ended)
}

/// The games of one pair against an engine that misbehaves in its third move of each game, checked for what all of
/// them share.
fn misbehaving(mode: &str, limit: &str) -> (Vec<GameRecord>, Ended) {
    let project = project();
    add_engine(&project, "bad", &format!("{mode} 2"), "");
    let (pairs, ended) = played(&project, &format!("bad {limit} --max-pairs 1 --pgn games.pgn"));
    let games: Vec<_> = pairs.into_iter().flat_map(|pair| pair.games).collect();
    assert_eq!(games.len(), 2, "the run goes on");
    let pgn = project.read("games.pgn");
    assert!(!pgn.contains(|c: char| c.is_control() && c != '\n'), "{pgn}");
    pgn_extract_has_no_complaint(&pgn);
    (games, ended)
}

/// The candidate loses both games in its third move, for this reason and with this evidence.
#[track_caller]
fn assert_loses(mode: &str, limit: &str, termination: Termination, evidence: &str) {
    let (games, _) = misbehaving(mode, limit);
    for game in games {
        let result = match game.white {
            Side::Candidate => GameResult::BlackWins,
            Side::Base => GameResult::WhiteWins,
        };
        let moves_first = game.opening.contains(" w ") == (game.white == Side::Candidate);
        let plies = if moves_first { 4 } else { 5 };
        assert_eq!((game.result, game.moves.len()), (result, plies), "{mode}: {game:?}");
        assert_eq!(game.termination, termination, "{mode}: {}", game.detail);
        assert!(game.detail.contains(evidence), "{mode}: {}", game.detail);
    }
}

/// Nothing is wrong with its games, and it played like the well-behaved one.
fn assert_plays(mode: &str) -> (Vec<GameRecord>, Ended) {
    let (games, ended) = misbehaving(mode, "--nodes 100");
    for game in &games {
        assert_eq!(game.detail, "", "{mode}: {game:?}");
        assert!(game.moves.iter().all(|played| played.score == Some(Score::Centipawns(25))), "{mode}");
        assert!(game.moves.iter().all(|played| played.depth >= 3 && played.nodes >= 100), "{mode}");
    }
    (games, ended)
}

#[test]
fn crashes() {
    assert_loses(
        "crash",
        "--nodes 100",
        Termination::Crash,
        "was ended by SIGABRT after `go nodes 100`; on standard error it wrote: assertion failed: {x}\\x1b[2J",
    );
    assert_loses("close-stdout", "--nodes 100", Termination::Crash, "has closed its output and is alive");
}

#[test]
fn the_cause_of_a_crash_is_kept_and_so_is_its_end() {
    for frames in [0, 40, 100_000] {
        let project = project();
        add_engine(&project, "bad", &format!("panic:{frames} 2"), "");
        let (pairs, _) = played(&project, "bad --nodes 100 --max-pairs 1 --log dialogue.txt");
        let words = [
            "exited with code 101 after `go nodes 100`; on standard error it wrote: ",
            "fatal error at search.rs:7: / the \\x1b[1mcause",
            "note: the end",
        ];
        for (game, number) in pairs[0].games.iter().zip(1..) {
            let shown = project.run(&format!("show {} --game {number}", project.newest().unwrap().id)).out;
            let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            for word in words {
                assert!(game.detail.contains(word), "{word}: {}", game.detail);
                assert!(shown.contains(word), "{word}: {shown}");
            }
            assert_eq!(game.detail.contains("bytes left out"), frames == 100_000);
            assert!(game.detail.len() < 10_000, "{}", game.detail.len());
        }
        let log = project.read("dialogue.txt");
        let complaints: Vec<_> = log.lines().filter_map(|line| line.split_once("] ! ")).collect();
        let first_words = complaints.iter().filter(|(_, line)| line.starts_with("fatal error"));
        assert_eq!(first_words.count(), 2, "once a crash: {complaints:?}");
    }
    // A stall has a cause as well.
    assert_loses(
        "complains-and-hangs",
        "--nodes 100 --move-timeout 1",
        Termination::Stall,
        "wrote: out of nodes",
    );
}

#[test]
fn hangs() {
    let nodes = "--nodes 100 --move-timeout 1";
    assert_loses("hang", nodes, Termination::Stall, "has not answered within 1.0 s after `go nodes 100`");
    assert_loses("hang", "--tc 0.3", Termination::TimeForfeit, "after `go wtime ");
    assert_loses("info-for-ever", "--tc 0.3", Termination::TimeForfeit, "has not answered within");
    assert_loses("late", "--movetime 50", Termination::TimeForfeit, "after `go movetime 50`");
    assert_loses("late", "--movetime 1300", Termination::TimeForfeit, "past the margin of 0.100 s");
}

#[test]
fn a_run_in_which_games_are_lost_on_time_stops_and_can_be_gone_on_with() {
    let project = project();
    add_engine(&project, "bad", "late 0", "");
    let ended = project.run("sprt toy bad --movetime 20 --time-margin 500 --threads 1 --quiet");
    let too_many = "6 of the 6 games of this session were lost on time (6 by bad), more than 1 %";
    ended.expect(1, &[too_many, "fewer --threads", "to go on: "]);
    let run = project.newest().unwrap();
    assert_eq!(run.pairs, 3, "what was played is stored");
    // Of the whole run the first ten games count, of time losses those of a session.
    let ended = project.run(&format!("sprt --resume {} --threads 1 --quiet", run.id));
    ended.expect(1, &["the first 10 games of bad were all decided by faults (of bad: time losses 10)"]);
    assert_eq!(project.newest().unwrap().pairs, 5);
    assert_nothing_is_left(&project);
}

#[test]
fn floods() {
    assert_loses("long-line", "--nodes 100", Termination::Crash, "wrote a line of more than 256 KiB");
    assert_loses("info-flood", "--nodes 100", Termination::Crash, "wrote more than 64 MiB for one answer");
    assert_plays("stderr");
}

#[test]
fn answers_that_are_no_move() {
    for mode in ["none", "null"] {
        assert_loses(mode, "--nodes 100", Termination::NoMove, "no move");
    }
    assert_loses("illegal", "--nodes 100", Termination::IllegalMove, "a1a1 is not legal in ");
    let notation = "answered `bestmove Nf3\\x1b[31m}`, which is no move in UCI's notation, in ";
    assert_loses("wrong-notation", "--nodes 100", Termination::IllegalMove, notation);
}

#[test]
fn habits_that_are_forgiven() {
    for mode in ["crlf", "tabs", "leading-blanks", "multipv", "bounds"] {
        assert_plays(mode);
    }
    let (_, ended) = assert_plays("two-bestmoves");
    assert_eq!(ended.err.matches("answers more often than it is asked").count(), 1, "{}", ended.err);
}

#[test]
fn what_an_engine_reports_counts_in_whatever_order_it_stands() {
    for (says, score, depth, nodes) in [
        ("info_depth_7_nodes_500_pv_{best}_nps_1000_score_cp_-2000", Score::Centipawns(-2000), 7, 500),
        ("info_pv_{best}_depth_7_nodes_500_score_cp_-919", Score::Centipawns(-919), 7, 500),
        ("info_score_mate_-3_pv_{best}_nodes_500_time_1_depth_9", Score::Mate(-3), 9, 500),
        // The second variation is not the first, and a text is not a field.
        (
            "info_score_cp_-950_depth_6_nodes_400|info_depth_7_score_cp_900_nodes_600_pv_{best}_multipv_2",
            Score::Centipawns(-950),
            6,
            400,
        ),
        (
            "info_nodes_400_score_cp_-950_depth_6|info_pv_{best}_string_score_cp_7_depth_9_nodes_9",
            Score::Centipawns(-950),
            6,
            400,
        ),
    ] {
        let project = project();
        add_engine(&project, "says", &format!("says:{says}"), "");
        let (pairs, _) = played(&project, "says --nodes 500 --max-pairs 1 --resign 900,2");
        for game in pairs.iter().flat_map(|pair| &pair.games) {
            assert_eq!(game.termination, Termination::Adjudication, "{says}: {game:?}");
            for said in game.moves_of(Side::Candidate) {
                assert_eq!((said.score, said.depth, said.nodes), (Some(score), depth, nodes), "{says}");
            }
        }
    }
}

#[test]
fn the_log_has_long_lines_as_a_whole() {
    for length in [10, 300, 7000] {
        let project = project();
        let variation = "x".repeat(length) + "y";
        add_engine(&project, "bad", &format!("says:info_nodes_100_pv_{variation}"), "");
        played(&project, "bad --nodes 100 --max-pairs 1 --log dialogue.txt");
        let log = project.read("dialogue.txt");
        assert!(log.contains(&format!("] > info nodes 100 pv {variation}\n")), "{length}");
    }
}

#[test]
fn upper_case_promotions_are_noted_once() {
    let project = project();
    project.write("openings/ends.epd", "8/P6k/8/8/8/8/7p/K7 w - -\n8/1P5k/8/8/8/8/6p1/K7 w - -\n");
    add_engine(&project, "bad", "upper-case", "");
    let (pairs, ended) = played(&project, "bad --nodes 1 --openings openings/ends.epd --max-pairs 2");
    for game in pairs.iter().flat_map(|pair| &pair.games) {
        assert_eq!(game.detail, "");
        assert!(game.moves[0].uci.to_string().ends_with('q'), "{game:?}");
    }
    assert_eq!(ended.err.matches("promotions in upper case").count(), 1, "{}", ended.err);
}

#[test]
fn descendants_that_ignore_every_signal_are_gone() {
    assert_loses("grandchild", "--tc 0.3", Termination::TimeForfeit, "has not answered");
}

#[test]
fn descendants_that_left_the_process_group_are_gone() {
    // The engine ends by itself as it is told to; only what it started is left.
    assert_plays("daemon");
}

#[test]
fn an_engine_that_cannot_start_ends_the_run_before_the_first_game() {
    let project = project();
    add_engine(&project, "never", "never-starts", "");
    add_engine(&project, "exits", "exits-at-once", "");
    project.write("configs/absent.toml", "[uci]\ncommand = [\"no-such-engine\"]\n");
    project.write("configs/text.toml", "[uci]\ncommand = [\"/bin/sh\"]\nargs = [\"-c\", \"exec ./no\"]\n");
    for (name, words) in [
        (
            "exits",
            ["exits is no UCI engine that works: exited with code 3", "it wrote: \\x1b[31mno licence\\x07"],
        ),
        ("never", ["never is no UCI engine that works", "has not answered within 10.0 s after `uci`"]),
        ("absent", ["absent.toml: there is no program `no-such-engine` in PATH", "correct the name"]),
        ("text", ["text is no UCI engine that works: exited with code 127", "not found"]),
    ] {
        let ended = project.run(&format!("sprt toy {name}"));
        ended.expect(1, &words);
        assert_nothing_is_left(&project);
    }
    assert!(!project.at("results").exists(), "nothing was stored");
}

#[test]
fn configurations_that_make_no_sense_are_shown_where_they_are_wrong() {
    let project = project();
    project.write("configs/keys.toml", "params = {}\n[uci]\ncomand = [\"x\"]\nrestart = 1\nargs = [1]\n");
    add_engine(&project, "unknown", "", "options = { Hsah = 3 }");
    add_engine(&project, "range", "", "options = { Style = \"Mild\" }");
    add_engine(&project, "hash", "", "options = { hash = 4096 }");
    for (name, words) in [
        ("keys", ["configs/keys.toml:3:1", "did you mean `command`?"].as_slice()),
        (
            "keys",
            &["configs/keys.toml:1:1", "`params` belongs to the built-in engine", "keep one of the two"],
        ),
        (
            "keys",
            &[
                "configs/keys.toml:4:11",
                "`restart` takes true, false or \"every-game\"",
                "keys.toml:5:9",
                "[uci] has no `command`",
            ],
        ),
        ("unknown", &["unknown has no option `Hsah`: did you mean `Hash`?"]),
        ("range", &["range takes Calm, Wild for its option `Style`, not `Mild`"]),
        ("hash", &["hash takes a number from 1 to 1024 for its option `hash`, not `4096`"]),
    ] {
        project.run(&format!("sprt toy {name}")).expect(2, words);
    }
    add_engine(&project, "pinned", "", &format!("sha256 = \"{}\"", "0".repeat(64)));
    let pinned = project.run("sprt toy pinned");
    pinned.expect(1, &["is another program than the one pinned"]);
    let measured = pinned.err.split("sha256 is ").nth(1).unwrap()[..64].to_owned();
    add_engine(&project, "pinned", "", &format!("sha256 = \"{measured}\""));
    assert_eq!(project.run("sprt toy pinned --max-pairs 1 --quiet").code, 0);
    assert_nothing_is_left(&project);
}

#[test]
fn a_crash_ends_the_run_where_the_configuration_says_so() {
    let project = project();
    add_engine(&project, "bad", "crash 2", "restart = false");
    let ended = project.run("sprt toy bad --nodes 100 --threads 1");
    ended.expect(
        1,
        &["bad broke down and is never to be started again (restart = false", "SIGABRT", "to go on: "],
    );
    assert_nothing_is_left(&project);
}

#[test]
fn an_engine_killed_from_outside_loses_one_game() {
    let project = project();
    add_engine(&project, "slow", "slow", "");
    let arguments = "sprt toy slow --nodes 1 --max-pairs 4 --threads 1 --json --quiet";
    let mut running = Running::start(&mut project.harness(arguments));
    project.wait_for_pairs(&mut running, 1);
    let engine = alive(&project).into_iter().next().expect("an engine plays");
    assert!(Command::new("kill").args(["-KILL", &engine]).status().unwrap().success());
    let report = running.end().json();
    assert_eq!((&report["crashes"], &report["games"]), (&1.into(), &8.into()));
    let games = project.pairs(&report).into_iter().flat_map(|pair| pair.games);
    let crashed: Vec<_> = games.filter(|game| game.termination == Termination::Crash).collect();
    assert!(crashed[0].detail.contains("was ended by SIGKILL"), "{crashed:?}");
    assert_nothing_is_left(&project);
}

#[test]
fn a_harness_that_is_killed_leaves_no_engine_running() {
    for mode in ["grandchild", "daemon"] {
        let project = project();
        add_engine(&project, "bad", mode, "");
        // So that there is time to kill it.
        add_engine(&project, "slow", "slow", "");
        let mut running =
            Running::start(&mut project.harness("sprt bad slow --nodes 1 --threads 2 --faults play-on"));
        // Two engines of each thread, two descendants of one of them.
        running.wait_until("the engines play", || alive(&project).len() >= 8);
        running.kill();
        assert_nothing_is_left(&project);
    }
}

#[test]
fn the_built_in_engine_plays_the_same_games_in_a_process_of_its_own() {
    let project = Project::new();
    let lasting = |arguments: &str| {
        let report = project.sprt(&format!("--nodes 400 --max-pairs 4 --threads 2 {arguments}"));
        let mut pairs = project.pairs(&report);
        for game in pairs.iter_mut().flat_map(|pair| &mut pair.games) {
            // Only in this process are the searches' counters known.
            game.telemetry = Telemetry::default();
            game.moves.iter_mut().for_each(|played| (played.micros, played.own_ms) = (0, None));
        }
        pairs
    };
    assert_eq!(lasting(""), lasting("--out-of-process --log dialogue.txt"));
    let log = project.read("dialogue.txt");
    assert!(log.contains("pvs[") && log.contains("] < go nodes 400\n") && log.contains("] > bestmove "));
}

#[test]
fn a_run_of_external_engines_is_resumed_with_what_is_stored() {
    let project = project();
    add_engine(&project, "other", "tabs", "");
    let whole = project.run("sprt toy other --nodes 1 --max-pairs 6 --json --quiet").json();
    let begun = project.run("sprt toy other --nodes 1 --max-pairs 3 --json --quiet").json();
    let resumed = format!("sprt --resume {} --max-pairs 6 --json --quiet", begun["run"].as_str().unwrap());
    assert_eq!(project.games(&project.run(&resumed).json()), project.games(&whole));
    let stored = project.store().run(begun["run"].as_str().unwrap()).unwrap();
    assert!(stored.spec_json.contains("\"uci\""));
    // Another engine is another experiment.
    let refused = project.run(&resumed.replace("--resume", "toy toy --resume"));
    refused.expect(2, &["is another experiment", "candidate.command: ", "tabs"]);
}

#[test]
fn games_of_an_engine_that_is_gone_are_not_called_different() {
    let project = project();
    let copy = project.at("copy");
    fs::copy(toy(), &copy).unwrap();
    project.write("configs/copied.toml", format!("[uci]\ncommand = [{copy:?}]\n"));
    let report = project.run("sprt base copied --nodes 1 --max-pairs 1 --json --quiet").json();
    let verify = format!("verify {}", report["run"].as_str().unwrap());
    project.run(&verify).expect(0, &[]);
    fs::remove_file(&copy).unwrap();
    let ended = project.run(&verify);
    ended.expect(1, &[&format!("the program {} cannot be read", copy.display())]);
    assert!(!ended.err.contains("differ"), "{ended:?}");
}

#[test]
fn games_end_by_adjudication_where_asked_to() {
    let project = project();
    let (pairs, _) = played(&project, "toy --nodes 1 --max-pairs 1 --draw 30,2,3 --pgn games.pgn");
    for game in pairs.iter().flat_map(|pair| &pair.games) {
        assert_eq!(
            (game.termination, game.result),
            (Termination::Adjudication, GameResult::Draw),
            "{game:?}"
        );
        assert!(game.detail.contains("level within 30 centipawns") && game.moves.len() >= 4, "{game:?}");
    }
    let pgn = project.read("games.pgn");
    assert_eq!(pgn.matches("[Termination \"adjudication\"]").count(), 2);
    pgn_extract_has_no_complaint(&pgn);
    let run = project.newest().unwrap();
    assert!(run.spec_json.contains(r#""adjudication":{"draw":"30,2,3"}"#));
    let other = project.run(&format!("sprt --resume {} --draw 30,2,4", run.id));
    other.expect(2, &["draw: 30,2,3 → 30,2,4"]);
    project.run("sprt toy toy --resign 600").expect(2, &["write SCORE,MOVES such as 600,3"]);
}
