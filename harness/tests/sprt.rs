//! `harness sprt` says what it promises, and what it says agrees with what was played.

mod common;

use common::book;
use common::project::{Project, Running, findings, timeless};
use harness::game::record::{GameRecord, GameResult, PairRecord, Side, Termination};
use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position};
use std::collections::{BTreeSet, HashMap};
use std::process::Command;

/// Bounds so far below what any candidate scores that H1 is accepted, but not before some forty pairs.
const H1_AFTER_A_WHILE: &str = "--elo0 -400 --elo1 -300 --alpha 1e-6 --beta 1e-6";

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn number(report: &Value, key: &str) -> u64 {
    report[key].as_u64().unwrap_or_else(|| panic!("{key}: {report}"))
}

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The openings of the counted pairs, in order.
fn openings(project: &Project, report: &Value) -> Vec<String> {
    project.pairs(report).into_iter().map(|pair| pair.games[0].opening.clone()).collect()
}

fn ascending(mut words: Vec<&str>) -> Vec<&str> {
    words.sort_unstable();
    words
}

#[test]
fn the_report_has_the_promised_keys_and_its_figures_agree() {
    let project = Project::new();
    let report = project.sprt("--nodes 60 --max-pairs 12 --threads 2 --seed 3");
    let promised = "run kind verdict base candidate limit openings seed threads model elo0 elo1 alpha beta llr lower \
                    upper games wins losses draws pentanomial elo elo_after_stop elo_after_stop_reason nelo los time_losses illegal_moves \
                    crashes stalls no_moves node_limits latency end seconds games_per_second utilization \
                    trinomial confidence elo_anytime elo_exact draw_ratio pair_ratio level_share dd_share wl_share \
                    rms_bias rms_bias_elo";
    assert_eq!(keys(&report), ascending(promised.split_whitespace().collect()));
    for key in ["base", "candidate"] {
        let of_a_player = "digest name time_losses illegal_moves crashes stalls no_moves faults";
        assert_eq!(keys(&report[key]), ascending(of_a_player.split_whitespace().collect()));
        assert_eq!(report[key]["digest"].as_str().unwrap().len(), 64);
    }
    assert_eq!((&report["base"]["name"], &report["candidate"]["name"]), (&json!("base"), &json!("pvs")));
    assert_eq!(keys(&report["openings"]), ["digest", "file"]);
    assert_eq!(report["openings"]["file"], "book.epd");
    assert_eq!(report["limit"], json!({"nodes": 60}));
    assert_eq!((&report["seed"], &report["threads"]), (&json!(3), &json!(2)));
    let test = ["model", "elo0", "elo1", "alpha", "beta"].map(|key| report[key].clone());
    assert_eq!(test, [json!("logistic"), json!(0.0), json!(5.0), json!(0.05), json!(0.05)]);
    assert_eq!((float(&report["upper"]) * 100.0).round(), 294.0);
    assert_eq!(float(&report["lower"]), -float(&report["upper"]));
    assert_eq!(keys(&report["elo"]), ["estimate", "high", "low", "margin"]);
    assert_eq!(keys(&report["nelo"]), ["estimate", "high", "low", "margin"]);
    assert_eq!(report["elo_after_stop"], Value::Null, "the test has not stopped");
    assert_eq!(report["elo_after_stop_reason"], "the test has not stopped: the LLR is between its bounds");
    assert!((0.0..=1.0).contains(&float(&report["los"])));
    assert!((0.0..=1.0).contains(&float(&report["utilization"])), "{report}");
    assert!(float(&report["seconds"]) > 0.0 && float(&report["games_per_second"]) > 0.0);

    assert_eq!((&report["verdict"], number(&report, "games")), (&json!("undecided"), 24));
    let [wins, losses, draws] = ["wins", "losses", "draws"].map(|key| number(&report, key));
    assert_eq!(wins + losses + draws, 24);
    let pentanomial: Vec<u64> = serde_json::from_value(report["pentanomial"].clone()).unwrap();
    assert_eq!((pentanomial.len(), pentanomial.iter().sum::<u64>()), (5, 12));
    let half_points: u64 = (0..).zip(&pentanomial).map(|(score, pairs)| score * pairs).sum();
    assert_eq!(half_points, 2 * wins + draws);
    let [elo, anytime] = ["elo", "elo_anytime"].map(|key| &report[key]);
    assert!(anytime["low"].is_null() || float(&anytime["low"]) < float(&elo["low"]), "{report}");
    let [drawn, exchanged, level] = ["dd_share", "wl_share", "level_share"].map(|key| float(&report[key]));
    assert!((drawn + exchanged - level).abs() < 1e-12, "{report}");
    assert_eq!(float(&report["draw_ratio"]), draws as f64 / 24.0);
    assert_eq!(["time_losses", "illegal_moves", "crashes", "stalls"].map(|key| number(&report, key)), [0; 4]);
    assert_eq!(report["node_limits"], json!([]));
}

#[test]
fn what_cannot_be_computed_is_null() {
    let project = Project::new();
    let ended = project.run("sprt base base.toml --nodes 40 --max-pairs 3 --json");
    ended.expect(0, &["warning: both configurations are the same"]);
    let report = ended.json();
    assert_eq!(report["pentanomial"], json!([0, 0, 3, 0, 0]));
    for key in ["elo", "elo_after_stop", "nelo", "los"] {
        assert_eq!(report[key], Value::Null, "{key}");
    }
    // What these pairs do say: strength within bounds that are far apart.
    assert!(float(&report["elo_exact"]["low"]) < 0.0 && float(&report["elo_exact"]["high"]) > 0.0);
    assert!(report["llr"].is_f64());
    let run = report["run"].as_str().unwrap();
    let text = project.run(&format!("sprt --resume {run}")).out;
    assert!(text.contains("\nElo   - (95 %)   nElo -   LOS -\n") && text.contains("\nElo   | -\n"), "{text}");
}

#[test]
fn the_text_says_what_the_json_says() {
    let project = Project::new();
    let ended = project.run("sprt base pvs --nodes 60 --elo0=-400 --elo1=-300 --threads 2 --seed 9");
    ended.expect(0, &["pvs.toml against base.toml · 60 nodes/move · [-400, -300] logistic · run sprt-"]);
    ended.expect(
        0,
        &["H0: the candidate is weaker by 400 Elo or more; H1: it is weaker by no more than 300 Elo\n"],
    );
    let run = ended.err.trim_end().rsplit(' ').next().unwrap();
    let report = project.run(&format!("sprt --resume {run} --json --quiet")).json();
    assert_eq!(report["verdict"], "h1");

    let figure = |key: &str| {
        let [estimate, margin] = ["estimate", "margin"].map(|part| float(&report[key][part]));
        format!("{estimate:+.1} ± {margin:.1}")
    };
    let end = |key: &str, open: &str| {
        report["elo_anytime"][key].as_f64().map_or(open.to_owned(), |elo| format!("{elo:+.1}"))
    };
    assert_eq!(keys(&report["elo_after_stop"]), ["estimate", "high", "los", "low"]);
    assert_eq!(report["elo_after_stop_reason"], Value::Null);
    let after = ["estimate", "low", "high"].map(|part| float(&report["elo_after_stop"][part]));
    let [llr, lower, upper] = ["llr", "lower", "upper"].map(|key| float(&report[key]));
    let [games, wins, draws, losses] = ["games", "wins", "draws", "losses"].map(|key| number(&report, key));
    let pairs: Vec<u64> = serde_json::from_value(report["pentanomial"].clone()).unwrap();
    let expected = [
        "pvs.toml against base.toml · 60 nodes/move · seed 9 · 2 threads".to_owned(),
        format!(
            "Elo   {} (95 %)   nElo {}   LOS {:.1} %",
            figure("elo"),
            figure("nelo"),
            100.0 * float(&report["los"])
        ),
        format!(
            "      {:+.1} [{:+.1}, {:+.1}] corrected for optional stopping",
            after[0], after[1], after[2]
        ),
        format!("      [{}, {}] (95 %) anytime-valid", end("low", "-∞"), end("high", "+∞")),
        format!(
            "LLR   {llr:.2} in ({lower:.2}, {upper:.2}) for [-400, -300] logistic: H1 accepted, the candidate is not weaker by 400 Elo or more"
        ),
        format!("Games {games}: +{wins} ={draws} -{losses}   pairs {pairs:?}"),
    ];
    let mut lines = ended.out.lines();
    for line in expected {
        assert_eq!(lines.next(), Some(line.as_str()), "{}", ended.out);
    }
    let shares = lines.next().unwrap();
    assert!(
        shares.starts_with("Draws ") && shares.contains("   pair ratio ") && shares.ends_with(" Elo"),
        "{shares}"
    );
    let effort = lines.next().unwrap();
    assert!(effort.starts_with("Time  ") && effort.ends_with(&format!("   run {run}")), "{effort}");

    let short = |value: &Value| value.as_str().unwrap()[..12].to_owned();
    let block = [
        String::new(),
        format!(
            "Elo   | {:.2} +- {:.2} (95%)",
            float(&report["elo"]["estimate"]),
            float(&report["elo"]["margin"])
        ),
        "SPRT  | N=60 Threads=1 Hash=16MB".to_owned(),
        format!("LLR   | {llr:.2} ({lower:.2}, {upper:.2}) [-400.00, -300.00]"),
        format!("Games | N: {games} W: {wins} L: {losses} D: {draws}"),
        format!("Penta | {pairs:?}"),
        format!(
            "logistic model, seed 9, book book.epd {}, base {}, candidate {}",
            short(&report["openings"]["digest"]),
            short(&report["base"]["digest"]),
            short(&report["candidate"]["digest"])
        ),
        String::new(),
        "pvs.toml against base.toml: H1 accepted, the candidate is not weaker by 400 Elo or more".to_owned(),
    ];
    assert_eq!(lines.collect::<Vec<_>>(), block);
}

#[test]
fn both_verdicts_and_the_exit_codes_that_go_with_them() {
    let project = Project::new();
    let h1 = "sprt base pvs --quiet --json --nodes 60 --elo0 -400 --elo1 -300";
    let h0 = "sprt base pvs --quiet --json --nodes 60 --elo0 300 --elo1 400";
    let undecided = "sprt base pvs --quiet --json --nodes 60 --max-pairs 1";
    for (arguments, verdict, expect, code) in [
        (h1, "h1", "", 0),
        (h1, "h1", "--expect h1", 0),
        (h1, "h1", "--expect h0", 3),
        (h0, "h0", "", 0),
        (h0, "h0", "--expect h0", 0),
        (h0, "h0", "--expect h1", 3),
        (undecided, "undecided", "", 0),
        (undecided, "undecided", "--expect h0", 3),
    ] {
        let ended = project.run(&format!("{arguments} {expect}"));
        let report = ended.json();
        assert_eq!((ended.code, ended.err.as_str()), (code, ""), "{arguments} {expect}");
        assert_eq!(report["verdict"], verdict, "{arguments}");
        let [llr, lower, upper] = ["llr", "lower", "upper"].map(|key| float(&report[key]));
        let reached = if llr >= upper {
            "h1"
        } else if llr <= lower {
            "h0"
        } else {
            "undecided"
        };
        assert_eq!(reached, verdict);
    }
}

#[test]
fn threads_change_nothing_but_times() {
    let project = Project::new();
    let mut seen = Vec::new();
    for threads in [1, 2, 5] {
        let pgn = format!("{threads}.pgn");
        let arguments = format!("--nodes 100 --threads {threads} --pgn {pgn} {H1_AFTER_A_WHILE}");
        let report = project.sprt(&arguments);
        assert_eq!(report["verdict"], "h1");
        assert!(number(&report, "games") > 20, "{report}");
        seen.push((findings(&report), project.games(&report), timeless(&project.read(&pgn))));

        // Pairs that other threads had finished are stored, but not part of what was found.
        let runs = project.run("runs --json").json();
        assert_eq!(runs[0]["games"], report["games"]);
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

/// The result that shakmaty gives a game which is replayed from its record.
fn replayed(game: &GameRecord) -> (GameResult, Termination) {
    fn key(position: &Chess) -> String {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
    }
    let setup = game.opening.parse::<Fen>().unwrap().into_setup();
    let mode = CastlingMode::detect(&setup);
    let mut position = Chess::from_setup(setup, mode).unwrap();
    let mut seen = HashMap::from([(key(&position), 1)]);
    for (ply, played) in game.moves.iter().enumerate() {
        let is_over =
            position.is_game_over() || position.halfmoves() >= 100 || seen.values().any(|&n| n >= 3);
        assert!(!is_over, "it goes on after its end, at ply {ply} of {game:?}");
        let legal =
            played.uci.to_move(&position).unwrap_or_else(|error| panic!("{error} at ply {ply} of {game:?}"));
        position.play_unchecked(legal);
        *seen.entry(key(&position)).or_default() += 1;
    }
    if position.is_checkmate() {
        let result = match position.turn() {
            Color::White => GameResult::BlackWins,
            Color::Black => GameResult::WhiteWins,
        };
        return (result, Termination::Checkmate);
    }
    let termination = if position.is_stalemate() {
        Termination::Stalemate
    } else if position.is_insufficient_material() {
        Termination::InsufficientMaterial
    } else if seen[&key(&position)] >= 3 {
        Termination::Repetition
    } else {
        assert!(position.halfmoves() >= 100, "it is not over: {game:?}");
        Termination::FiftyMoves
    };
    (GameResult::Draw, termination)
}

/// Replays the counted pairs and checks their colours, openings and the report's counts.
fn assert_played_by_the_rules(project: &Project, report: &Value) -> Vec<PairRecord> {
    let pairs = project.pairs(report);
    let (mut half_points, mut pentanomial) = (0, [0; 5]);
    for pair in &pairs {
        let [first, second] = &pair.games;
        assert_eq!((first.white, second.white), (Side::Candidate, Side::Base));
        assert_eq!(first.opening, second.opening);
        for game in &pair.games {
            assert_eq!(replayed(game), (game.result, game.termination), "{game:?}");
            half_points += u64::from(game.candidate_half_points());
        }
        pentanomial[pair.category()] += 1;
    }
    assert_eq!(report["pentanomial"], json!(pentanomial));
    assert_eq!(2 * number(report, "wins") + number(report, "draws"), half_points);
    pairs
}

/// The games that pgn-extract finds in a file about which it has no complaint.
fn extracted(project: &Project, pgn: &str) -> u64 {
    // Debian installs it where not every PATH looks.
    let output = ["pgn-extract", "/usr/games/pgn-extract"]
        .iter()
        .find_map(|program| Command::new(program).args(["-s", pgn]).current_dir(project.path()).output().ok())
        .expect("this test needs the program pgn-extract: install it (Debian package pgn-extract)");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "complaints about {pgn}");
    String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.starts_with("[Event ")).count() as u64
}

#[test]
fn stored_games_and_pgn_are_the_games_that_were_counted() {
    let project = Project::new();
    let report = project.sprt("--nodes 80 --threads 3 --max-pairs 30 --pgn games.pgn");
    let pairs = assert_played_by_the_rules(&project, &report);
    let openings: BTreeSet<_> = pairs.iter().map(|pair| &pair.games[0].opening).collect();
    assert_eq!(openings.len(), 30, "no opening comes twice");

    let pgn = project.read("games.pgn");
    let with = |tag: &str| pgn.lines().filter(|line| line.starts_with(tag)).count() as u64;
    let result_with = |white: &str, result: &str| {
        pgn.split("[Event ")
            .filter(|game| game.contains(&format!("[White \"{white}\"]")))
            .filter(|game| game.contains(&format!("[Result \"{result}\"]")))
            .count() as u64
    };
    assert_eq!(extracted(&project, "games.pgn"), 60);
    assert_eq!(with("[Result \"1/2-1/2\"]"), number(&report, "draws"));
    assert_eq!(result_with("pvs", "1-0") + result_with("base", "0-1"), number(&report, "wins"));
    assert_eq!(result_with("pvs", "0-1") + result_with("base", "1-0"), number(&report, "losses"));
}

#[test]
fn chess960_and_pgn_books() {
    let project = Project::new();
    // A seed in whose games pgn-extract misses no right to castle; it does in some.
    project.write("shuffled.epd", book::chess960(40, 6));
    let report = project.sprt("--nodes 60 --max-pairs 20 --openings shuffled.epd --pgn shuffled.pgn");
    let pairs = assert_played_by_the_rules(&project, &report);
    assert_eq!(extracted(&project, "shuffled.pgn"), 40);
    assert!(project.read("shuffled.pgn").contains("[Variant \"Chess960\"]"));
    let castles = |game: &GameRecord| {
        let rook_or_king = |uci: &str| matches!(&uci[1..2], "1" | "8") && uci[1..2] == uci[3..4];
        game.moves.iter().any(|played| rook_or_king(&played.uci.to_string()))
    };
    assert!(pairs.iter().flat_map(|pair| &pair.games).any(castles));

    project.write("lines.pgn", book::pgn(12, 6));
    let plies = |arguments: &str| {
        let arguments =
            format!("--nodes 20 --max-pairs 4 --openings lines.pgn --order sequential {arguments}");
        let report = project.sprt(&arguments);
        assert_played_by_the_rules(&project, &report);
        openings(&project, &report)
    };
    let [all, three, eight] = ["", "--plies 3", "--plies 8"].map(plies);
    assert!(three.iter().all(|fen| fen.contains(" b ") && fen.ends_with(" 2")), "{three:?}");
    assert!(all.iter().all(|fen| fen.contains(" w ") && fen.ends_with(" 5")), "{all:?}");
    assert_eq!(all, eight);
}

#[test]
fn a_compressed_book_is_the_same_book() {
    let project = Project::new();
    let text = project.read("openings/book.epd");
    project.write("book.epd.gz", book::gzip(&text));
    project.write("book.epd.zst", book::zstd(&text));
    let plain = project.sprt("--nodes 60 --max-pairs 2");
    let packed = project.sprt("--nodes 60 --max-pairs 2 --openings book.epd.gz");
    assert_eq!(packed["openings"], json!({"file": "book.epd.gz", "digest": plain["openings"]["digest"]}));
    assert_eq!(project.games(&packed), project.games(&plain));

    let run = plain["run"].as_str().unwrap();
    let command = format!("sprt --resume {run} --openings book.epd.zst --max-pairs 4 --quiet --json");
    assert_eq!(project.run(&command).json()["games"], 8, "the run goes on with it");

    project.write("lines.pgn.gz", book::gzip(&book::pgn(4, 5)));
    let pgn = project.sprt("--nodes 60 --max-pairs 2 --openings lines.pgn.gz --plies 6");
    assert_eq!(pgn["games"], 4);
}

#[test]
fn every_kind_of_limit() {
    let project = Project::new();
    for (arguments, limit, openbench) in [
        ("--depth 3", json!({"depth": 3}), "D=3"),
        ("--movetime 5", json!({"movetime": 5}), "MT=5"),
        ("--tc 0.5+0.01", json!({"tc": "0.5+0.01"}), "0.5+0.01s"),
    ] {
        let report = project.sprt(&format!("{arguments} --max-pairs 2 --threads 2"));
        assert_eq!((&report["limit"], number(&report, "games")), (&limit, 4));
        let run = report["run"].as_str().unwrap();
        let text = project.run(&format!("sprt --resume {run} --quiet --max-pairs 2")).out;
        assert!(text.contains(&format!("\nSPRT  | {openbench} Threads=1 Hash=16MB\n")), "{text}");
        // On a busy machine games are lost on time, which the last line says.
        let last = "pvs.toml against base.toml: undecided, the allowed number of pairs has been played";
        assert!(text.lines().last().unwrap().starts_with(last), "{text}");
    }
}

#[test]
fn openings_are_drawn_as_promised() {
    let project = Project::new();
    let drawn = |arguments: &str| {
        let report = project.sprt(&format!("--nodes 10 {arguments}"));
        openings(&project, &report)
    };
    let (six, three, first, other) = (
        drawn("--max-pairs 6"),
        drawn("--max-pairs 3"),
        drawn("--max-pairs 6 --seed 1 --order random"),
        drawn("--max-pairs 6 --seed 2"),
    );
    assert_eq!(six, first, "the defaults");
    assert_eq!(six[..3], three, "how many pairs are asked for changes none of them");
    assert_ne!(six, other);
    let book = project.read("openings/book.epd");
    let lines: Vec<_> = book.lines().map(|line| format!("{line} 0 1")).collect();
    assert_ne!(six, lines[..6]);
    assert_eq!(drawn("--max-pairs 6 --order sequential --seed 2"), lines[..6]);
    assert!(six.iter().chain(&other).all(|fen| lines.contains(fen)));
}

#[test]
fn a_book_comes_to_its_end_unless_a_clock_makes_every_game_another() {
    let project = Project::new();
    project.write("few.epd", book::epd(4, 8));
    let ended = project.run("sprt base pvs --nodes 20 --openings few.epd --quiet");
    ended.expect(0, &[]);
    assert!(
        ended.out.contains("undecided, every opening of the book has been played; use a larger book"),
        "{}",
        ended.out
    );
    let report = project.sprt("--depth 1 --openings few.epd --max-pairs 100");
    assert_eq!((&report["verdict"], number(&report, "games")), (&json!("undecided"), 8));
    assert_eq!(openings(&project, &report).into_iter().collect::<BTreeSet<_>>().len(), 4);

    project.write("one.epd", book::epd(1, 8));
    let report = project.sprt("--movetime 2 --openings one.epd --max-pairs 3");
    assert_eq!(number(&report, "games"), 6);
}

#[test]
fn runs_are_listed_newest_first() {
    let project = Project::new();
    project.run("runs").expect(2, &["there is no store in ", "results"]);
    let first = project.sprt("--nodes 20 --max-pairs 1");
    let second = project.sprt("--nodes 30 --elo0 -400 --elo1 -300");
    let runs = project.run("runs --json").json();
    assert_eq!(runs.as_array().unwrap().len(), 2);
    for (listed, report) in [(&runs[0], &second), (&runs[1], &first)] {
        assert_eq!(
            keys(listed),
            ascending(vec![
                "run", "kind", "state", "started", "verdict", "games", "question", "elo", "llr", "label",
                "note"
            ])
        );
        for key in ["run", "verdict", "games"] {
            assert_eq!(listed[key], report[key]);
        }
        assert_eq!((&listed["kind"], &listed["state"]), (&json!("sprt"), &json!("finished")));
        assert!(listed["started"].as_str().unwrap().ends_with('Z'));
    }
    assert_eq!(runs[0]["question"], "pvs.toml against base.toml · 30 nodes/move");

    let table = project.run("runs").out;
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 2);
    for part in [first["run"].as_str().unwrap(), "finished", "undecided", "2 games", "20 nodes/move"] {
        assert!(lines[1].contains(part), "{table}");
    }
}

#[test]
fn a_settings_file_gives_the_defaults_and_the_command_line_wins() {
    let project = Project::new();
    project.write("books/few.epd", book::epd(5, 3));
    project.write(
        "harness.toml",
        "nodes = 15\nmax-pairs = 2\nopenings = \"books/few.epd\"\nresults = \"kept\"\nelo0 = -3\nelo1 = 4.5\n\
         order = \"sequential\"\nthreads = 1\nhash = 1\nseed = 7\n",
    );
    project.write("deep/er/note", "");
    let run_there = |arguments: &str| {
        let ended = Running::start(project.harness(arguments).current_dir(project.at("deep/er"))).end();
        assert_eq!((ended.code, ended.err.as_str()), (0, ""));
        ended
    };
    let report = run_there("sprt base pvs.toml --json --quiet").json();
    let read = ["limit", "elo0", "elo1", "threads", "seed", "games"].map(|key| report[key].clone());
    assert_eq!(read, [json!({"nodes": 15}), json!(-3.0), json!(4.5), json!(1), json!(7), json!(4)]);
    assert_eq!(report["openings"]["file"], "few.epd");
    assert!(project.at("kept/harness.db").is_file() && !project.at("results").exists());
    assert_eq!(run_there("runs --json").json()[0]["run"], report["run"]);

    let report =
        run_there("sprt base pvs --json --quiet --depth 1 --max-pairs 1 --elo0 -5 --results here").json();
    let read = ["limit", "elo0", "elo1", "games"].map(|key| report[key].clone());
    assert_eq!(read, [json!({"depth": 1}), json!(-5.0), json!(4.5), json!(2)]);
    assert!(project.at("deep/er/here/harness.db").is_file());

    // The nearest file is the only one.
    project.write("deep/harness.toml", "depth = 2\nmax-pairs = 1\n");
    let report = run_there("sprt base pvs --json --quiet").json();
    assert_eq!((&report["limit"], &report["openings"]["file"]), (&json!({"depth": 2}), &json!("book.epd")));
}

#[test]
fn the_model_the_unit_and_the_preset_of_a_test() {
    let project = Project::new();
    let test_of = |options: &str| {
        let report = project.sprt(&format!("--nodes 20 --max-pairs 2 {options}"));
        ["elo0", "elo1", "model", "trinomial"].map(|key| report[key].clone())
    };
    assert_eq!(test_of("--preset gain-small"), [json!(0.0), json!(2.0), json!("logistic"), json!(false)]);
    assert_eq!(
        test_of("--preset non-regression --model normalized --trinomial"),
        [json!(-3.0), json!(1.0), json!("normalized"), json!(true)]
    );
    assert_eq!(
        test_of("--preset simplify --elo0 -5 --model bayesian"),
        [json!(-5.0), json!(0.25), json!("bayesian"), json!(false)]
    );
    // A preset replaces the bounds of the settings, and bounds replace its own.
    project.write("harness.toml", "elo0 = -9\nmodel = \"normalized\"\ntrinomial = true\n");
    assert_eq!(
        test_of("--preset gain --trinomial=false"),
        [json!(0.0), json!(5.0), json!("normalized"), json!(false)]
    );
    project.write("harness.toml", "preset = \"non-regression\"\n");
    assert_eq!(test_of("--elo1 2"), [json!(-3.0), json!(2.0), json!("logistic"), json!(false)]);

    let ended = project
        .run("sprt base pvs --nodes 20 --max-pairs 1 --preset simplify --model normalized --trinomial");
    ended.expect(
        0,
        &["H0: the candidate is weaker by 1.75 normalized Elo or more; H1: it is stronger by 0.25 \
                       normalized Elo or more\n"],
    );
    assert!(ended.out.contains(" for [-1.75, 0.25] normalized (trinomial): undecided"), "{}", ended.out);
}

#[test]
fn configs_are_found_from_below_and_a_file_here_comes_first() {
    let project = Project::new();
    project.write("deep/er/base.toml", "name = \"here\"\nextends = \"../../configs/base.toml\"\n");
    let names = |arguments: &str| {
        let arguments = format!("sprt {arguments} --json --quiet --depth 1 --max-pairs 1");
        let report =
            Running::start(project.harness(&arguments).current_dir(project.at("deep/er"))).end().json();
        ["base", "candidate"].map(|key| report[key]["name"].as_str().unwrap().to_owned())
    };
    assert_eq!(names("base pvs"), ["base", "pvs"]);
    assert_eq!(names("base.toml pvs.toml"), ["here", "pvs"]);
    assert_eq!(names("../../configs/base.toml ./base.toml"), ["base", "here"]);
    assert!(project.at("results/harness.db").is_file(), "beside the configs");
}

#[test]
fn no_colour_wherever_no_terminal_is() {
    let project = Project::new();
    project.write("configs/odd.toml", "name = \"odd\"\n[techniques]\npsv = true\n");
    for (variable, value) in [("NO_COLOR", "1"), ("CLICOLOR", "1"), ("TERM", "xterm-256color")] {
        // `Ended` refuses any escape sequence.
        for arguments in
            ["sprt base pvs --nodes 20 --max-pairs 2", "sprt base odd", "sprt --help", "sprt --nope"]
        {
            Running::start(project.harness(arguments).env(variable, value)).end();
        }
    }
}
