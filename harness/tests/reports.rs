//! `harness report`, `show`, `verify`, `compare`, `completions`, `man`: do they say what is stored, and refuse what they
//! cannot do?

mod common;

use common::project::{Project, Running};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;

/// Telemetry without the one figure that a clock measures.
fn timeless(mut telemetry: Value) -> Value {
    for side in ["base", "candidate"] {
        telemetry[side].as_object_mut().unwrap().remove("nodes_per_second");
    }
    telemetry
}

fn shown(project: &Project, run: &Value) -> Value {
    project.run(&format!("show {} --json", run.as_str().unwrap())).json()
}

/// Changes the store behind the program's back.
fn tamper(project: &Project, sql: &str) {
    Connection::open(project.at("results/harness.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn telemetry_is_the_same_for_any_number_of_threads_and_agrees_with_the_games() {
    let project = Project::new();
    let one = project.sprt("--nodes 300 --max-pairs 10 --threads 1 --seed 4");
    let many = project.sprt("--nodes 300 --max-pairs 10 --threads 3 --seed 4");
    let (one_shown, many_shown) = (shown(&project, &one["run"]), shown(&project, &many["run"]));
    assert_eq!(timeless(one_shown["telemetry"].clone()), timeless(many_shown["telemetry"].clone()));

    for side in ["base", "candidate"] {
        let told = &one_shown["telemetry"][side];
        assert_eq!((&told["games"], &told["counted_games"]), (&json!(20), &json!(20)));
        let counted = ["main_nodes", "quiescence_nodes"].map(|key| told["counters"][key].as_u64().unwrap());
        let nodes_a_move = told["nodes_per_move"].as_f64().unwrap();
        let moves = told["moves"].as_f64().unwrap();
        assert_eq!(counted.iter().sum::<u64>() as f64, (nodes_a_move * moves).round(), "{side}");
    }
    let researches =
        |side: &str| one_shown["telemetry"][side]["counters"]["pvs_researches"].as_u64().unwrap();
    assert!(researches("base") == 0 && researches("candidate") > 0, "only the candidate has null windows");
}

#[test]
fn a_run_is_shown_as_its_report_was_and_its_games_one_by_one() {
    let project = Project::new();
    let report = project.sprt("--nodes 60 --max-pairs 6 --threads 2");
    let run = report["run"].as_str().unwrap();
    let shown = shown(&project, &report["run"]);
    for (key, value) in report.as_object().unwrap() {
        if !["seconds", "games_per_second", "utilization"].contains(&key.as_str()) {
            assert_eq!(&shown[key], value, "{key}");
        }
    }
    assert_eq!(
        (&shown["state"], &shown["kind"], &shown["stored_games"]),
        (&json!("finished"), &json!("sprt"), &json!(12))
    );
    assert_eq!(shown["differences"], json!(["pvs: false → true", "aspiration: false → true"]));
    let text = project.run(&format!("show {run}")).out;
    for words in [
        run,
        "pvs.toml against base.toml · 60 nodes/move · [0, 5] logistic",
        "\nGames 12: ",
        "\nSessions\n",
        "on 2 threads",
    ] {
        assert!(text.contains(words), "without {words:?}: {text}");
    }

    let pairs = project.pairs(&report);
    let game = project.run(&format!("show {run} --game 4 --json")).json();
    let stored = &pairs[1].games[1];
    let game = &game["games"][0];
    assert_eq!((&game["game"], &game["pair"], &game["white"]), (&json!(4), &json!(2), &json!("base")));
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), stored.moves.len());
    assert_eq!(moves[0]["move"], stored.moves[0].uci.to_string());
    assert_eq!(moves[0]["nodes"], stored.moves[0].nodes);
    let both = project.run(&format!("show {run} --pair 2")).out;
    assert_eq!(both.matches("[Event ").count(), 2);
    assert!(both.contains("[Round \"2.1\"]") && both.contains("[Round \"2.2\"]"), "{both}");
    project
        .run(&format!("show {run} --game 13"))
        .expect(2, &["has no pair 7 (games 13 and 14): 6 pairs are stored"]);
    // The nearest name is named, and nothing where none is near.
    let slip = run.replace("sprt", "srpt");
    project.run(&format!("show {slip}")).expect(2, &[&slip, run]);
    let far = project.run("show sprt-nothing");
    far.expect(2, &["sprt-nothing"]);
    assert!(!far.err.contains(run), "{far:?}");
}

#[test]
fn a_report_says_what_the_json_says_and_is_one_page_without_scripts() {
    let project = Project::new();
    let name = "a|b<script>alert(1)<b>.toml";
    project.write(&format!("configs/{name}"), "extends = \"pvs.toml\"\nname = \"</title><b>\"\n");
    let mut sprt = project.harness("sprt base --nodes 200 --elo0=-400 --elo1=-300 --json --quiet");
    let report: Value = serde_json::from_slice(&sprt.arg(name).output().unwrap().stdout).unwrap();
    let run = report["run"].as_str().unwrap();
    let ended = project.run(&format!("report {run}"));
    ended.expect(0, &[]);
    assert_eq!(ended.out.lines().count(), 3, "{ended:?}");

    let read = |file: &str| project.read(&format!("results/{run}/{file}"));
    let (page, markdown) = (read("report.html"), read("report.md"));
    for text in [&page, &markdown] {
        assert!(!text.contains("</title><b>") && !text.contains("NaN"), "{text}");
        assert!(!text.contains(project.path().to_str().unwrap()), "a folder of this machine");
        for words in [
            "H1 accepted, the candidate is not weaker by 400 Elo or more",
            "corrected for optional stopping",
            "fail highs on the first move",
            "--nodes 200 --order random",
            report["base"]["digest"].as_str().unwrap(),
        ] {
            assert!(text.contains(words), "without {words:?}: {text}");
        }
    }
    let scripts = [&page, &markdown].map(|text| text.matches("<script").count());
    assert_eq!(scripts, [0, 1], "in Markdown it stands in the command, which is a block of code");
    assert_eq!(page.matches("<svg").count(), 5);
    assert!(page.contains("prefers-color-scheme: dark"));
    let elsewhere = ["http://", "https://", "src=", "url(", "@import"].map(|word| page.matches(word).count());
    assert_eq!(elsewhere, [5, 0, 0, 0, 0], "only the five names of the SVG language");

    let summary: Value = serde_json::from_str(&read("summary.json")).unwrap();
    assert_eq!((&summary["llr"], &summary["pentanomial"]), (&report["llr"], &report["pentanomial"]));
    assert_eq!(summary["experiment"]["openings"]["file"], "book.epd");

    // Its own files are replaced, and no other.
    project.run(&format!("report {run}")).expect(0, &[]);
    project.write(&format!("results/{run}/report.md"), format!("{markdown}\nA remark.\n"));
    project.run(&format!("report {run}")).expect(2, &["report.md", "is not overwritten", "--out"]);
    assert!(read("report.md").ends_with("A remark.\n"));
    project.run(&format!("report {run} --out elsewhere")).expect(0, &[]);
    assert!(project.at("elsewhere/report.html").is_file());
}

#[test]
fn a_run_without_telemetry_or_pairs_says_so() {
    let project = Project::new();
    let report = project.sprt("--nodes 60 --max-pairs 4");
    let run = report["run"].as_str().unwrap();
    tamper(&project, "UPDATE games SET telemetry = NULL WHERE pair > 0");
    project.run(&format!("report {run}")).expect(0, &[]);
    let markdown = project.read(&format!("results/{run}/report.md"));
    assert!(markdown.contains("counters are stored for 2 of these 8 games"), "{markdown}");

    tamper(
        &project,
        "DELETE FROM games; DELETE FROM pairs; UPDATE runs SET verdict = NULL, summary = NULL, finished = NULL",
    );
    project.run(&format!("report {run} --out empty")).expect(0, &[]);
    let page = project.read("empty/report.html");
    assert!(page.contains("ndecided, interrupted") && !page.contains("<svg"), "{page}");
    let shown = shown(&project, &report["run"]);
    assert_eq!((&shown["elo"], &shown["games"]), (&Value::Null, &json!(0)));
    project.run(&format!("compare {run} 1±1")).expect(2, &["has no Elo with a margin after 0 games"]);
}

#[test]
fn stored_games_are_played_again_and_the_first_difference_is_named() {
    let project = Project::new();
    let run = project.sprt("--nodes 100 --max-pairs 8 --threads 2")["run"].as_str().unwrap().to_owned();
    let same = project.run(&format!("verify {run}"));
    assert_eq!((same.code, same.out), (0, format!("16 games of {run} played again, every move the same\n")));
    let sample = project.run(&format!("verify {run} --sample 3 --threads 1 --json")).json();
    assert_eq!(sample, json!({"run": run, "games": 6, "differing_games": 0, "differences": []}));

    // One node more in the third move of the second game of the fourth pair.
    let store = project.store();
    let pair = store.pairs(&run, 3).next().unwrap().unwrap();
    let nodes: Vec<_> = pair.games[1].moves.iter().map(|played| played.nodes).collect();
    let changed = nodes.iter().enumerate().map(|(ply, nodes)| (nodes + u64::from(ply == 2)).to_string());
    let changed = changed.collect::<Vec<_>>().join(" ");
    tamper(&project, &format!("UPDATE games SET nodes = '{changed}' WHERE pair = 3 AND game = 1"));
    tamper(&project, "UPDATE games SET termination = 'time forfeit' WHERE pair = 5 AND game = 0");
    tamper(
        &project,
        "UPDATE games SET telemetry = replace(telemetry, '\"main_nodes\":', '\"main_nodes\":1') WHERE pair = 6 AND game = 0",
    );
    let differing = project.run(&format!("verify {run}"));
    let uci = pair.games[1].moves[2].uci;
    differing.expect(
        1,
        &[
            &format!("3 of 16 games of {run} differ from what this program plays:\n"),
            &format!("game 8, ply 3: stored {uci} (score "),
            &format!("{} nodes), played again {uci} (score ", nodes[2] + 1),
            "game 11: stored ",
            " by time forfeit, played again ",
            "game 13: stored some counters of the base's search",
        ],
    );
    let found = project.run(&format!("verify {run} --json --threads 3"));
    assert_eq!(found.code, 1);
    assert_eq!(found.json()["differences"][0]["ply"], 3);

    // An engine that has changed since is named.
    tamper(&project, "UPDATE runs SET spec = json_set(spec, '$.base.signature', 1)");
    project.run(&format!("verify {run}")).expect(1, &["whose engine searches base.toml otherwise"]);
}

#[test]
fn sweeps_and_tuning_runs_are_shown_and_played_again() {
    let project = Project::new();
    project.write("full.toml", "name = \"full\"\n");
    let tune = "base = \"full.toml\"\niterations = 3\npairs = 2\n\n[parameters]\n\
                rfp_margin = { start = 300, min = 50, c_end = 40, r_end = 1.0 }\n";
    project.write("what.toml", tune);
    for (command, met) in [
        ("sweep aspiration_delta=3,100 pvs --block 2 --max-pairs 8", " against pvs.toml: +"),
        ("tune what.toml --no-validation", "full.toml+ against full.toml-: +"),
    ] {
        let ended = project.run(&format!("{command} --nodes 60 --threads 2 --quiet --json"));
        ended.expect(0, &[]);
        let run = ended.json()["run"].as_str().unwrap().to_owned();
        let told = shown(&project, &json!(run));
        let stored = &told["stored_games"];
        assert!(stored.as_u64().unwrap() > 0, "{told}");
        let verified = project.run(&format!("verify {run} --json")).json();
        assert_eq!((&verified["games"], &verified["differing_games"]), (stored, &json!(0)), "{command}");
        let sampled = project.run(&format!("verify {run} --sample 1 --json")).json();
        assert_eq!(sampled["games"], 2);

        let met_games = told["meetings"].as_array().unwrap().iter().map(|met| met["games"].as_u64().unwrap());
        assert_eq!(Some(met_games.sum::<u64>()), stored.as_u64(), "{told}");
        assert_eq!(
            (&told["conditions"]["limit"], &told["conditions"]["seed"]),
            (&json!("60 nodes/move"), &json!("1"))
        );
        assert_eq!((&told["sessions"][0]["threads"], &told["summary"]["run"]), (&json!(2), &json!(run)));
        let text = project.run(&format!("show {run}")).out;
        for words in [&run, met, "limit         60 nodes/move\n", "run's digest  ", "\nSessions\n", "engine "]
        {
            assert!(text.contains(words), "without {words:?}: {text}");
        }
        if command.starts_with("sweep") {
            // The table of the run's own report.
            let again = project.run(&format!("sweep --resume {run} --quiet")).out;
            let table: Vec<&str> = again.lines().take_while(|line| !line.starts_with("Time")).collect();
            assert!(table.len() > 4 && table.iter().all(|line| text.contains(line)), "{again}{text}");
            assert_eq!(told["report"]["arms"].as_array().unwrap().len(), 2);
        }
        let game = project.run(&format!("show {run} --game 3")).out;
        assert_eq!(game.matches("[Event ").count(), 1, "{game}");
    }
    let run = project.newest().unwrap().id;
    tamper(&project, "UPDATE runs SET kind = 'riddle'");
    project.run(&format!("show {run}")).expect(2, &["runs of the kind riddle are not known here"]);
    project.run(&format!("report {run}")).expect(2, &["riddle"]);
}

#[test]
fn a_match_is_shown_reported_and_played_again() {
    let project = Project::new();
    project.write("third.toml", "extends = \"configs/pvs.toml\"\nname = \"a|b<i>\"\n");
    for (format, pairings) in [("", 3), ("--gauntlet", 2)] {
        let command =
            format!("match base pvs third.toml {format} --max-pairs 2 --nodes 60 --threads 2 --quiet");
        let ended = project.run(&format!("{command} --json"));
        ended.expect(0, &[]);
        let played = ended.json();
        let run = played["run"].as_str().unwrap();
        let told = shown(&project, &played["run"]);
        for key in ["format", "end", "pairings", "limit", "openings", "seed", "threads", "games"] {
            assert_eq!(told[key], played[key], "{key}");
        }
        for (one, other) in
            told["players"].as_array().unwrap().iter().zip(played["players"].as_array().unwrap())
        {
            let counted = |player: &Value| {
                ["name", "digest", "rank", "rating", "points"].map(|key| player[key].clone())
            };
            assert_eq!(counted(one), counted(other));
        }
        let text = project.run(&format!("show {run}")).out;
        for words in [
            "Points against each",
            "base against pvs: +",
            "\nSessions\n",
            &format!("\nGames {}\n", 4 * pairings),
        ] {
            assert!(text.contains(words), "without {words:?}: {text}");
        }
        let game = project.run(&format!("show {run} --game 3")).out;
        assert!(game.contains("[White \"base\"]") && game.contains("[Black \"a|b<i>\"]"), "{game}");

        project.run(&format!("report {run}")).expect(0, &[]);
        let read = |file: &str| project.read(&format!("results/{run}/{file}"));
        let (page, markdown) = (read("report.html"), read("report.md"));
        // What stands in a block of code is no markup.
        let outside = markdown.split("```").step_by(2).collect::<String>();
        for report in [&page, &outside] {
            assert!(!report.contains("a|b<i>"), "{report}");
        }
        for report in [&page, &markdown] {
            assert!(!report.contains("NaN"), "{report}");
            assert!(!report.contains(project.path().to_str().unwrap()), "a folder of this machine");
            for words in [
                "Standing",
                "Points against each",
                "Pairings, from the side of the first",
                "How strong ",
                "'s points",
                "How the games ended",
                "plies on average.",
                "fail highs on the first move",
                "--nodes 60 --order random --seed 1 --hash 16 --max-pairs 2",
                played["players"][2]["digest"].as_str().unwrap(),
                told["digest"].as_str().unwrap(),
            ] {
                assert!(report.contains(words), "without {words:?}: {report}");
            }
        }
        assert!(page.contains("a|b&lt;i&gt;") && !page.contains("<script"), "{page}");
        // Ratings, one for each pairing, and the lengths of the games.
        assert_eq!(page.matches("<svg ").count(), pairings + 2, "{page}");
        let telemetry = &told["telemetry"];
        let moves = ["base", "pvs", "a|b<i>"].map(|name| telemetry[name]["moves"].as_f64().unwrap());
        let counted = |ending: &Value| {
            ending.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>()
        };
        let ended_games: u64 = told["endings"].as_object().unwrap().values().map(counted).sum();
        assert_eq!(ended_games, 4 * pairings as u64, "{told}");
        let replayed: u64 = project
            .pairs(&played)
            .iter()
            .flat_map(|pair| &pair.games)
            .map(|game| game.moves.len() as u64)
            .sum();
        assert_eq!(moves.iter().sum::<f64>(), replayed as f64);
        let json: Value = serde_json::from_str(&read("summary.json")).unwrap();
        assert_eq!((&json["pairings"], &json["command"]), (&told["pairings"], &told["command"]));
        project.run(&format!("report {run}")).expect(0, &[]);

        let games = 4 * pairings;
        let verified = project.run(&format!("verify {run}"));
        assert!(verified.out.starts_with(&format!("{games} games of {run} played again")), "{verified:?}");
    }
}

#[test]
fn a_run_with_a_clock_is_not_verified() {
    let project = Project::new();
    let run = project.sprt("--movetime 2 --max-pairs 1")["run"].as_str().unwrap().to_owned();
    project
        .run(&format!("verify {run}"))
        .expect(2, &["with a clock no game comes twice", "--nodes or --depth"]);
}

#[test]
fn two_measurements_agree_or_not() {
    let project = Project::new();
    let published = project.run("compare 28.5±13.1 18+-20.0 --json").json();
    assert_eq!(published["agreement"], "agrees");
    assert_eq!((published["difference"]["standard_error"].as_f64().unwrap() * 100.0).round(), 1220.0);
    let text = project.run("compare 13.0±8.3 -7.4±8.0").out;
    assert!(
        text.ends_with("contradicts: chance cannot explain the difference (95 % difference rule)\n"),
        "{text}"
    );

    let one = project.sprt("--nodes 60 --max-pairs 12 --seed 1");
    let other = project.sprt("--nodes 60 --max-pairs 12 --seed 2");
    let names = [&one, &other].map(|report| report["run"].as_str().unwrap());
    let compared = project.run(&format!("compare {} {} --json", names[0], names[1])).json();
    let error = |report: &Value| report["elo"]["margin"].as_f64().unwrap() / 1.959_963_984_540_054;
    let expected = error(&one).hypot(error(&other));
    assert!((compared["difference"]["standard_error"].as_f64().unwrap() - expected).abs() < 1e-9);
    assert_eq!(compared["first"]["source"], "not stopped by its test");
    assert_eq!(compared["notes"], json!([]), "another seed makes other games");
    let noted = |first: &str, second: &str| project.run(&format!("compare {first} {second}")).out;
    let itself = noted(names[0], names[0]);
    assert!(
        itself
            .ends_with(&format!("note: both figures are those of {}, which agrees with itself\n", names[0]))
    );
    let slower = project.sprt("--nodes 50 --max-pairs 12");
    let slower = noted(names[0], slower["run"].as_str().unwrap());
    assert!(
        slower
            .contains("note: they ask different questions: pvs.toml against base.toml · 60 nodes/move; and")
    );
    let longer = project.sprt("--nodes 60 --max-pairs 12 --elo1 20");
    let longer = noted(names[0], longer["run"].as_str().unwrap());
    assert!(longer.contains("note: both play the same pairs"), "{longer}");
    project.run("compare 28.5 18±20").expect(2, &["28.5 has no margin: write it with its 95 % margin"]);
    project.run("compare 28.5±0 18±20").expect(2, &["a margin above 0"]);
}

#[test]
fn completions_and_man_pages_know_every_command() {
    let project = Project::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = project.run(&format!("completions {shell}")).out;
        assert!(script.contains("verify") && script.contains("max-pairs"), "{shell}: {script}");
    }
    project.run("completions tcsh").expect(2, &["tcsh", "bash"]);
    let page = project.run("man").out;
    assert!(page.contains(".TH harness 1") && page.contains("verify"), "{page}");
    assert!(project.run("man verify").out.contains("Play stored games again"));
    project.run("man nothing").expect(2, &["there is no command \"nothing\""]);
    assert!(fs::read_dir(project.path()).unwrap().all(|entry| entry.unwrap().file_name() != "results"));
}

/// What is stored is listed with its figures and with what people say of it, until it is deleted.
#[test]
fn runs_are_listed_described_and_deleted() {
    let project = Project::new();
    let test = project.sprt("--nodes 60 --max-pairs 6 --seed 2");
    let other = project.run("match base pvs --nodes 20 --max-pairs 1 --max-moves 6 --json --quiet");
    let [test, other] =
        [test, other.json()].map(|report| report["run"].as_str().unwrap_or_default().to_owned());
    let line = |run: &str| {
        let list = project.run("runs").out;
        list.lines().find(|line| line.starts_with(run)).unwrap_or_else(|| panic!("{list}")).to_owned()
    };
    assert!(line(&test).contains(" ± ") && line(&test).contains("12 games"), "{}", line(&test));
    // Columns stand below each other, whatever the length of the names.
    let column = |run: &str| line(run).find("finished").unwrap();
    assert_eq!(column(&test), column(&other));

    for (label, note) in [("first try", "with a\nsecond line"), ("Ünïcode", "x"), ("", "")] {
        Running::start(project.harness("runs").args([test.as_str(), "--label", label, "--note", note]))
            .end()
            .expect(0, &[]);
        let listed = project.run("runs --json").json();
        let found = listed.as_array().unwrap().iter().find(|run| run["run"] == test.as_str()).unwrap();
        let said = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        assert_eq!((said("label"), said("note")), (label.to_owned(), note.to_owned()));
        assert!(found["elo"]["margin"].as_f64().is_some() && found["llr"].as_f64().is_some(), "{found}");
        let text = project.run("runs").out;
        assert!(text.contains(label) && text.contains(note.lines().last().unwrap_or_default()), "{text}");
    }
    assert_eq!(project.run(&format!("runs {test}")).out.lines().count(), 1);

    // Nobody can be asked here.
    project.run(&format!("runs {test} --delete")).expect(2, &["is not deleted", "--yes"]);
    project.run("runs --delete --yes").expect(2, &["<RUN"]);
    project.run("runs nothing-like-it --delete --yes").expect(2, &["no run in"]);
    project.run(&format!("runs {test} --delete --yes")).expect(0, &["is deleted, with 12 games"]);
    project.run(&format!("show {test}")).expect(2, &["no run in"]);
    project.run(&format!("show {other}")).expect(0, &[]);
    assert_eq!(project.run("runs").out.lines().count(), 1);
}
