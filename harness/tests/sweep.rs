//! `harness sweep`, from its arguments to what it leaves behind.

mod common;

use common::project::{Project, Running};
use engine::config::EngineConfig;
use harness::store::RunState;
use serde_json::{Value, json};
use std::fs;

/// Wide enough bounds to decide within some hundred pairs.
const WIDE: &str = "--elo0 -20 --elo1 80 --nodes 100 --hash 1 --block 4";

fn sweep(project: &Project, arguments: &str) -> Value {
    let ended = project.run(&format!("sweep --json --quiet {arguments}"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
    ended.json()
}

/// What must be the same however a sweep was carried out.
fn findings(report: &Value) -> Value {
    let keys = ["verdict", "best", "arms", "games", "base_nodes_per_move", "base_depth_per_move"];
    keys.map(|key| (key.to_owned(), report[key].clone()))
        .into_iter()
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn values(report: &Value) -> Vec<Value> {
    report["arms"].as_array().unwrap().iter().map(|arm| arm["value"].clone()).collect()
}

fn games(report: &Value) -> Vec<u64> {
    report["arms"].as_array().unwrap().iter().map(|arm| arm["games"].as_u64().unwrap()).collect()
}

#[test]
fn the_same_for_any_number_of_threads_and_after_any_kill() {
    let project = Project::new();
    let arguments = format!("aspiration_delta=3,25,100,400 pvs {WIDE}");
    let undisturbed = sweep(&project, &format!("{arguments} --threads 1"));
    let threaded = sweep(&project, &format!("{arguments} --threads 3"));
    assert_eq!(findings(&threaded), findings(&undisturbed));
    assert_ne!(undisturbed["verdict"], "undecided");
    assert_eq!(values(&undisturbed), [3, 100, 400]);
    assert_eq!(undisturbed["reference"], 25);

    let before = project.newest().unwrap().id;
    let mut running = Running::start(&mut project.harness(&format!("sweep --quiet {arguments} --threads 2")));
    running.wait_until("the run is stored", || project.newest().is_some_and(|run| run.id != before));
    let run = project.newest().unwrap().id;
    let resume = format!("sweep --resume {run} --threads 2 --json --quiet");
    for _ in 0..4 {
        let stored = project.newest().unwrap().pairs;
        if !running.waits_for(|| project.newest().unwrap().pairs > stored + 3) {
            break;
        }
        running.kill();
        assert_eq!(project.newest().unwrap().state, RunState::Interrupted);
        running = Running::start(&mut project.harness(&resume));
    }
    running.end();
    let report = project.run(&resume).json();
    assert_eq!(findings(&report), findings(&undisturbed));
    assert_eq!((&report["run"], project.newest().unwrap().state), (&json!(run), RunState::Finished));

    project.write("cat.toml", "[uci]\ncommand = [\"cat\"]\n");
    let other = project.run(&format!("sweep --resume {run} aspiration_delta=3,100 cat.toml"));
    other.expect(2, &["is another experiment", "engine: pvs.toml → cat.toml"]);
    project
        .run("sweep --ablate cat.toml")
        .expect(2, &["cat.toml is another engine, whose techniques are not known here"]);
}

#[test]
fn an_interrupted_sweep_says_how_to_go_on() {
    let project = Project::new();
    let arguments =
        "lmr_base=10,200 --measure --margin 9 --nodes 100 --hash 1 --block 2 --threads 2 --svg chart.svg";
    let mut running = Running::start(&mut project.harness(&format!("sweep {arguments}")));
    let run = project.wait_for_pairs(&mut running, 4);
    running.signal("INT");
    let ended = running.end();
    ended.expect(130, &["\nto go on: ", "--margin 9", "--svg chart.svg"]);
    assert!(ended.out.contains("No difference shown yet: interrupted"), "{}", ended.out);
    let so_far = project.read("chart.svg");
    assert_eq!(project.read(&format!("results/{run}/sweep.svg")), so_far);
    // Not to the margin, which would take too long: as far as was allowed.
    let ended =
        Running::start(project.harness("").args(ended.resume_command()).args(["--max-pairs", "48"])).end();
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.out.contains(&run) && !ended.err.contains("warning"), "{ended:?}");
    assert_ne!(project.read("chart.svg"), so_far, "the program's own picture is drawn again");
}

#[test]
fn measuring_shares_the_pairs_equally_and_the_openings_too() {
    let project = Project::new();
    let arguments =
        "aspiration_delta=5,50 pvs --measure --nodes 60 --hash 1 --block 3 --max-pairs 20 --threads 2";
    let report = sweep(&project, &format!("{arguments} --pgn games.pgn"));
    assert_eq!(games(&report), [18, 18], "whole rounds only");
    assert_eq!(report["mode"], "measure");
    assert!(report["arms"][0]["simultaneous"].is_object());
    assert!(report["base_nodes_per_move"].as_f64().unwrap() > 0.0);

    let pgn = project.read("games.pgn");
    let openings = |player: &str| -> Vec<String> {
        let games = pgn.split("[Event ").filter(|game| game.contains(&format!("\"{player}\"")));
        games.map(|game| game.lines().find(|line| line.starts_with("[FEN")).unwrap().to_owned()).collect()
    };
    let ours = openings("aspiration_delta=5");
    assert_eq!(ours.len(), 18);
    assert_eq!(ours, openings("aspiration_delta=50"));
    assert_eq!(pgn.matches("\"pvs\"").count(), 36, "the base plays every game");

    // To more pairs than at first, and with another block: the first goes on, the second is another experiment.
    let run = report["run"].as_str().unwrap();
    let more = sweep(&project, &format!("--resume {run} --max-pairs 24"));
    assert_eq!(more["arms"][0]["games"], 24);
    let other = project.run(&format!("sweep --resume {run} --block 4 --max-pairs 24"));
    other.expect(2, &["is another experiment", "block: 3 → 4"]);
    let other = project.run(&format!("sweep aspiration_delta=5,60 pvs --resume {run} --max-pairs 24"));
    other.expect(
        2,
        &["values: aspiration_delta=5, aspiration_delta=50 → aspiration_delta=5, aspiration_delta=60"],
    );
}

#[test]
fn a_winner_is_recommended_and_written_as_a_config() {
    let project = Project::new();
    project.write("weak.toml", "extends = \"configs/base.toml\"\n[techniques]\nquiescence = false\n");
    let arguments = "quiescence=true,false weak.toml --elo1 100 --nodes 300 --hash 1 --block 4 --threads 2 --svg chart.svg";
    let report = sweep(&project, arguments);
    assert_eq!((&report["verdict"], &report["best"]), (&json!("h1"), &json!(true)));
    assert_eq!((values(&report), &report["reference"]), (vec![json!(true)], &json!(false)));
    assert_eq!(report["arms"][0]["state"], "winner");

    let run = report["run"].as_str().unwrap();
    let best = project.at(&format!("results/{run}/best.toml"));
    assert_eq!(EngineConfig::load(&best).unwrap().digest(), report["arms"][0]["digest"].as_str().unwrap());
    let text = fs::read_to_string(&best).unwrap();
    assert!(text.contains("\nextends = \"../../weak.toml\"\n\n[techniques]\nquiescence = true\n"), "{text}");
    let svg = project.read("chart.svg");
    assert!(svg.starts_with("<!-- written by harness") && svg.ends_with("</svg>\n"));
    assert_eq!(svg, project.read(&format!("results/{run}/sweep.svg")));

    let listed = project.run("runs --json").json();
    assert_eq!((&listed[0]["kind"], &listed[0]["verdict"]), (&json!("sweep"), &json!("h1")));
    assert_eq!((&listed[0]["games"], &listed[0]["state"]), (&report["games"], &json!("finished")));

    // Looked at again: nothing changes; and a base that has changed is spelled out.
    project.write("weak.toml", "extends = \"configs/base.toml\"\n");
    let again = sweep(&project, &format!("--resume {run}"));
    assert_eq!(findings(&again), findings(&report));
    assert!(!fs::read_to_string(&best).unwrap().contains("extends"));
    assert_eq!(EngineConfig::load(&best).unwrap().digest(), report["arms"][0]["digest"].as_str().unwrap());
    // Fewer pairs than it took are no other verdict.
    let fewer = sweep(&project, &format!("--resume {run} --max-pairs 2"));
    assert_eq!(findings(&fewer), findings(&report));
}

#[test]
fn a_winner_whose_interval_holds_the_base_is_explained() {
    let project = Project::new();
    project.write("slow.toml", "extends = \"configs/base.toml\"\n[techniques]\nquiescence = false\n");
    let report =
        sweep(&project, "quiescence=true slow.toml --elo1 60 --nodes 200 --hash 1 --block 4 --threads 2");
    let run = report["run"].as_str().unwrap();
    assert_eq!(report["verdict"], "h1", "{report}");
    assert!(report["arms"][0]["simultaneous"]["low"].as_f64().is_none_or(|low| low <= 0.0), "{report}");
    let text = project.run(&format!("sweep --quiet --resume {run}")).out;
    assert!(text.contains("the winner's interval holds 0: the verdict is that of its LLR"), "{text}");
}

#[test]
fn grids_techniques_and_ablations_name_their_values() {
    let project = Project::new();
    let quick = "--measure --depth 1 --hash 1 --block 1 --threads 2";
    let ended = project.run(&format!("sweep lmr=true,false lmr_base=75,50,90 {quick} --max-pairs 6 --json"));
    // Without reductions it is of no use how large they would be: once is enough.
    ended.expect(0, &["as the base or another: lmr=false lmr_base=50, lmr=false lmr_base=90\n"]);
    let report = ended.json();
    // The first key's first value, then its second.
    let expected =
        json!([{"lmr": true, "lmr_base": 50}, {"lmr": true, "lmr_base": 90}, {"lmr": false, "lmr_base": 75}]);
    assert_eq!(json!(values(&report)), expected);
    assert_eq!(report["reference"], json!({"lmr": true, "lmr_base": 75}));
    assert_eq!(report["arms"][2]["taken_along"], json!(["cut_node_reductions", "cutoff_reductions"]));
    assert_eq!((&report["key"], &report["base"]["name"]), (&json!("lmr lmr_base"), &json!("full")));
    // The command of its report plays the same again, although the base's cell is none of its arms.
    let run = report["run"].as_str().unwrap();
    let reported = project.run(&format!("report {run}"));
    reported.expect(0, &[]);
    let summary: Value = serde_json::from_str(&project.read(&format!("results/{run}/summary.json"))).unwrap();
    let command = summary["command"].as_str().unwrap().strip_prefix("harness sweep ").unwrap();
    assert_eq!(findings(&sweep(&project, &format!("{command} --threads 2"))), findings(&report));

    let report = sweep(&project, &format!("--ablate pvs {quick} --max-pairs 9"));
    let names = values(&report);
    assert_eq!(names.len(), 7, "all but alpha_beta");
    assert!(names.contains(&json!("killers")) && names.contains(&json!("pvs")));
    assert_eq!((&report["key"], &report["reference"]), (&json!("ablation"), &json!(null)));

    let ended = project.run(&format!("sweep --ablate {quick} --max-pairs 40 --quiet"));
    let text = &ended.out;
    assert!(text.contains("\nwithout lmr: cut_node_reductions, cutoff_reductions off as well\n"), "{text}");
    // One pair each: in the table, and in the picture.
    assert!(text.matches("\nwithout lmr ").count() >= 1 && !text.contains("\nlmr "), "{text}");
    assert!(text.contains("[-") && !text.contains("[-, -]"), "an end that is not known is open: {text}");

    let ended = project.run(&format!("sweep rfp_margin=60,120 lmr_base=100,0,50 {quick} --max-pairs 6"));
    ended.expect(0, &["rfp_margin=60,120 lmr_base=100,0,50 against the full engine"]);
    let svg = project.read(&format!("results/{}/sweep.svg", project.newest().unwrap().id));
    let at = |text: &str| svg.find(text).unwrap_or_else(|| panic!("no {text}: {svg}"));
    // Along the key with most values, and named by it alone; the curves in the order of numbers.
    assert!(at(">rfp_margin=60<") < at(">rfp_margin=120<") && svg.contains(">lmr_base<"), "{svg}");
}

#[test]
fn what_makes_no_sense_is_refused_before_a_game() {
    let project = Project::new();
    project.write("there.svg", "mine");
    for (arguments, words) in [
        ("", &["KEY=V1,V2,"][..]),
        ("pvs", &["no values are given: name some"]),
        ("aspiration_detla=3 pvs", &["did you mean `aspiration_delta`?"]),
        ("aspiration_delta=3,0 pvs", &["in the argument `aspiration_delta=0`", "1 to 500"]),
        ("aspiration_delta=3,x pvs", &["takes an integer from 1 to 500"]),
        ("aspiration_delta=25 pvs", &["the only value given is that of pvs.toml itself"]),
        ("aspiration_delta=3 pvs base", &["pvs and base are both no values"]),
        ("aspiration_delta=3 pvz", &["there is no config `pvz`", "did you mean `pvs`?"]),
        ("aspiration_delta=3 base", &["does nothing while `aspiration` is off"]),
        ("aspiration_delta=3 pvs --ablate", &["leave out the values, or --ablate"]),
        ("aspiration_delta=3 pvs --find --measure", &["cannot be used with"]),
        ("aspiration_delta=3 pvs --margin 5", &["give --measure with it"]),
        ("aspiration_delta=3 pvs --measure", &["give --margin ELO, or --max-pairs N"]),
        ("aspiration_delta=3 pvs --measure --margin 0", &["a number of Elo above 0"]),
        ("aspiration_delta=3,4 pvs --measure --max-pairs 63", &["for each of 2 arms", "at least 64"]),
        ("aspiration_delta=3 pvs --block 161", &["has 160 openings, fewer than the 161 pairs of a block"]),
        ("aspiration_delta=3 pvs --block 0", &["--block"]),
        ("aspiration_delta=3 pvs --svg there.svg", &["there.svg exists already and is not overwritten"]),
        (
            "aspiration_delta=3 pvs --svg none/x.svg",
            &["none/x.svg cannot be written", "give another --svg file"],
        ),
        ("--resume none", &["error: "]),
    ] {
        let ended = project.run(&format!("sweep {arguments}"));
        ended.expect(2, words);
        assert_eq!(ended.out, "", "{arguments}");
    }
    assert!(!project.at("results").exists(), "nothing was stored");
    assert_eq!(project.read("there.svg"), "mine");
}

#[test]
fn a_sweep_is_watched_expected_reported_and_compared() {
    let project = Project::new();
    let arguments = "rfp_margin=45,300 --measure --nodes 100 --hash 1 --block 3 --max-pairs 18 --threads 2";
    let ended = project.run(&format!("sweep {arguments} --events events --expect h1 --json --quiet"));
    assert_eq!(ended.code, 3, "so few games show nothing: {ended:?}");
    let report = ended.json();
    let run = report["run"].as_str().unwrap();

    let events: Vec<Value> =
        project.read("events").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((events.len(), &events[0]["kind"]), (20, &json!("sweep")));
    assert_eq!((&events[1]["base"], &events[1]["candidate"]), (&json!("full"), &json!("rfp_margin=45")));
    assert_eq!((&events[19]["event"], &events[19]["verdict"]), (&json!("end"), &json!("undecided")));

    project.run(&format!("report {run}")).expect(0, &[]);
    let read = |file: &str| project.read(&format!("results/{run}/{file}"));
    let (page, markdown) = (read("report.html"), read("report.md"));
    for text in [&page, &markdown] {
        for words in [
            "Which value of rfp",
            "all together 95 %",
            "fail highs on the first move",
            "--measure --block 3 --nodes 100 --order random",
            "--max-pairs 18",
            "How the pairs ended",
        ] {
            assert!(text.contains(words), "without {words:?}: {text}");
        }
    }
    assert!(page.matches("<svg").count() == 3 && !page.contains("<script"));
    let pairs = report["arms"][0]["pentanomial"].as_array().unwrap();
    let pairs = pairs.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    assert!(markdown.contains(&format!("| {pairs} |\n")), "{pairs}: {markdown}");
    let summary: Value = serde_json::from_str(&read("summary.json")).unwrap();
    assert_eq!(summary["arms"], report["arms"], "counted again from the games");

    // One value of it, from the store and from the file.
    let compared = project.run(&format!("compare {run}:45 results/{run}/summary.json:45 --json")).json();
    assert_eq!(compared["difference"]["estimate"], 0.0);
    project.run(&format!("compare {run} 1±1")).expect(2, &["name one of them behind a colon (45, 300)"]);
}
