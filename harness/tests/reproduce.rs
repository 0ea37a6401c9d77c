//! Published experiments and the ladder as their user meets them: taken up again where they were left, and written down
//! beside what people wrote.

mod common;

use common::project::{Project, Running};
use serde_json::{Value, json};

/// Two experiments and a ladder of three steps, small enough to play.
fn project() -> Project {
    let project = Project::new();
    project.write(
        "configs/experiments/stage-11.toml",
        "question = \"PVS | and aspiration\"\nbase = \"../base.toml\"\ncandidate = [\"pvs=true\", \"aspiration=true\"]\n\
         nodes = 50\nprecision = 60.0\n\n[published]\nsource = \"a list\"\nstate = 11\nverdict = \"passed\"\nelo = 28.5\n\
         margin = 13.1\ngames = 2000\nsecond_run = { elo = 18.0, margin = 20.0 }\n",
    );
    project.write(
        "configs/experiments/60.toml",
        "question = \"a wider window\"\nbase = \"../pvs.toml\"\ncandidate = [\"aspiration_delta=60\"]\nnodes = 50\n\
         precision = 60.0\n\n[published]\nsource = \"a list\"\nstate = 60\nverdict = \"failed\"\n",
    );
    project.write("configs/experiments/published-results.toml", "# Notes, no experiment.\n");
    project.write("configs/ladder/01-base.toml", "extends = \"../base.toml\"\n");
    project.write("configs/ladder/02-pvs.toml", "extends = \"01-base.toml\"\n[techniques]\npvs = true\n");
    project.write(
        "configs/ladder/03-aspiration.toml",
        "extends = \"02-pvs.toml\"\n[techniques]\naspiration = true\n",
    );
    project
}

fn run(project: &Project, arguments: &str) -> Value {
    let ended = project.run(&format!("{arguments} --json --quiet"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
    ended.json()
}

#[test]
fn published_results_are_repeated_and_written_down() {
    let project = project();
    project.write("results/README.md", "# Mine\n\nStays.\n");
    let before = run(&project, "reproduce --all --stored");
    assert_eq!(before["entries"][0]["ours"], Value::Null);
    assert_eq!(project.read("results/README.md"), "# Mine\n\nStays.\n");

    let report = run(&project, "reproduce --all --budget 40 --threads 2");
    let [first, second] = [&report["entries"][0], &report["entries"][1]];
    assert_eq!((first["id"].as_str(), second["id"].as_str()), (Some("stage-11"), Some("60")));
    assert_eq!(first["ours"]["games"], 40);
    let [ours, theirs] = [&first["ours"]["elo"]["estimate"], &first["published"]["elo"]].map(Value::as_f64);
    let difference = first["difference"]["estimate"].as_f64().unwrap();
    assert!((ours.unwrap() - theirs.unwrap() - difference).abs() < 1e-9, "{first}");
    assert!(first["agreement"].is_string(), "{first}");
    assert_eq!(second["difference"], Value::Null, "nothing was published to subtract");

    let written = project.read("results/README.md");
    assert!(
        written.starts_with("# Mine\n\nStays.\n")
            && written.contains("| [stage-11](reproduction/stage-11/report.md) |")
    );
    assert!(written.contains("| PVS \\| and aspiration |"), "{written}");
    assert!(project.read("results/reproduction/forest.svg").contains("<svg"));
    let kept: Value = serde_json::from_str(&project.read("results/reproduction/60.json")).unwrap();
    assert_eq!(&kept, second);

    let report_of_60 = project.read("results/reproduction/60/report.md");
    for words in [
        "a wider window: what is it worth here?",
        "failed (a list)",
        "harness reproduce 60 --precision 60 --budget 40 --nodes 50",
    ] {
        assert!(report_of_60.contains(words), "without {words:?}: {report_of_60}");
    }
    let page = project.read("results/reproduction/stage-11/report.html");
    assert!(
        page.contains("95 % as published")
            && page.contains("+28.5 ± 13.1 passed, again +18.0 ± 20.0, 2000 games"),
        "{page}"
    );
    assert!(project.read("results/reproduction/stage-11/estimate.svg").contains("<polyline"));
    // At the experiment's own limit, which no option gave.
    let summary: Value = serde_json::from_str(&project.read("results/reproduction/60/summary.json")).unwrap();
    assert!(summary["telemetry"]["base"]["nodes_per_move"].as_f64().unwrap() < 60.0, "{summary}");
    // Drawn again from the files alone, the picture is the same.
    let picture = project.read("results/reproduction/forest.svg");
    project.write("elsewhere/60.json", project.read("results/reproduction/60.json"));
    project.write("elsewhere/stage-11.json", project.read("results/reproduction/stage-11.json"));
    project.run("report elsewhere").expect(0, &[]);
    assert_eq!(project.read("elsewhere/forest.svg"), picture);

    // More precision goes on with the same run, and what is stored is told without playing.
    let more = run(&project, "reproduce 60 --budget 60 --threads 1");
    assert_eq!(more["entries"].as_array().unwrap().len(), 1, "what was asked for");
    assert_eq!(more["entries"][0]["ours"]["games"], 60);
    assert_eq!(more["entries"][0]["ours"]["run"], second["ours"]["run"]);
    assert_eq!(run(&project, "reproduce 60 --budget 60 --stored"), more);
    assert_eq!(run(&project, "reproduce --all --budget 60 --stored")["entries"][1], more["entries"][0]);
    let list = run(&project, "reproduce --budget 80");
    assert_eq!(list["entries"].as_array().unwrap().len(), 2);
    assert_eq!(list["entries"][1], more["entries"][0], "a list plays nothing");

    // What the store knows is written down again where the results have lost it.
    let table = project.read("results/README.md");
    std::fs::remove_dir_all(project.at("results/reproduction")).unwrap();
    run(&project, "reproduce --all --budget 40");
    assert_eq!(project.read("results/README.md").matches("| 40 | 50 nodes/move |").count(), 2);
    run(&project, "reproduce 60 --budget 60");
    assert_eq!(project.read("results/README.md"), table);

    // A trial under other conditions is told as what it is, and leaves the table alone.
    let table = project.read("results/README.md");
    let trial = run(&project, "reproduce 60 --budget 20 --nodes 30");
    assert_eq!(trial["entries"][0]["limit"], json!({"nodes": 30}));
    assert_eq!(trial["entries"][0]["ours"]["games"], 20);
    for conditions in ["--seed 2", "--max-moves 30", "--hash 1", "--order sequential"] {
        let trial = run(&project, &format!("reproduce 60 --budget 80 {conditions}"));
        assert_eq!(trial["entries"][0]["ours"]["games"], 80, "{conditions}");
    }
    assert_eq!(project.read("results/README.md"), table);
    // The limit that an experiment has anyway, and the usual seed, make no trial.
    run(&project, "reproduce 60 --budget 80 --nodes 50 --seed 1");
    assert_ne!(project.read("results/README.md"), table);
    let text = project.run("reproduce 60 --budget 20 --elo1 3");
    text.expect(2, &["--elo1 belongs to a test, and `harness reproduce` has none"]);
}

/// A repository has the results and no store.
#[test]
fn what_was_measured_before_stands_until_something_better_is_there() {
    let project = project();
    run(&project, "reproduce --all --budget 40");
    let part = |name: &str| {
        let text = project.read("results/README.md");
        text.lines().find(|line| line.contains(&format!("| [{name}]("))).map(str::to_owned).expect(name)
    };
    let (first, second) = (part("stage-11"), part("60"));
    let report = project.read("results/reproduction/60/report.md");
    for file in ["harness.db", "harness.db-wal", "harness.db-shm"] {
        let _ = std::fs::remove_file(project.at(&format!("results/{file}")));
    }
    let told = run(&project, "reproduce --all --stored");
    assert_eq!(told["entries"][1]["ours"]["games"], 40, "as the results have it");
    let less = project.run("reproduce 60 --budget 10");
    less.expect(0, &["60: the results keep the 40 games that they have; these are 10"]);
    assert_eq!((part("stage-11"), part("60")), (first.clone(), second.clone()));
    assert_eq!(project.read("results/reproduction/60/report.md"), report);
    run(&project, "reproduce 60 --budget 60");
    assert!(part("stage-11") == first && part("60") != second);

    run(&project, "ladder --nodes 50 --max-pairs 10");
    let (below, above) = (part("02-pvs"), part("03-aspiration"));
    assert!(below.contains("| 20 | 50 nodes/move |"), "{below}");
    project.run("ladder 03-aspiration --nodes 30 --max-pairs 4").expect(0, &["keep the 20 games"]);
    run(&project, "ladder 03-aspiration --nodes 50 --max-pairs 20 --seed 2");
    assert_eq!((part("02-pvs"), part("03-aspiration")), (below.clone(), above));
    run(&project, "ladder 03-aspiration --nodes 30 --max-pairs 12");
    assert!(part("02-pvs") == below && part("03-aspiration").contains("| 24 | 30 nodes/move |"));

    project.write("results/reproduction/60.json", "{}");
    project.run("reproduce stage-11 --budget 10").expect(1, &["60.json cannot be read"]);
}

/// Two names of one engine: all pairs are alike, and no variance ever makes a margin.
#[test]
fn pairs_that_are_all_alike_are_a_measurement_too() {
    let project = project();
    project.write(
        "configs/experiments/60.toml",
        "question = \"nothing\"\nbase = \"../pvs.toml\"\ncandidate = [\"probcut_margin=210\"]\nnodes = 50\n\
         precision = 40.0\n\n[published]\nsource = \"a list\"\nstate = 60\nverdict = \"failed\"\n",
    );
    run(&project, "reproduce 60 --budget 100");
    assert!(project.read("results/README.md").contains("| [-20.2, +20.2] |"));
    assert!(project.read("results/reproduction/60/report.md").contains("All pairs alike after 100 games"));

    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../openings/balanced-40k.epd");
    let report = run(&project, &format!("reproduce 60 --openings {book}"));
    let ours = &report["entries"][0]["ours"];
    assert_eq!((&ours["elo"], &ours["games"]), (&Value::Null, &400.into()), "{ours}");
    assert!((ours["elo_exact"]["high"].as_f64().unwrap() - 5.2).abs() < 0.1, "{ours}");
}

#[test]
fn a_campaign_that_was_killed_ends_as_if_it_had_not_been() {
    let project = project();
    let undisturbed = run(&project, "reproduce --all --budget 40 --threads 2 --results undisturbed");
    let mut running = Running::start(&mut project.harness("reproduce --all --budget 40 --threads 2"));
    project.wait_for_pairs(&mut running, 10);
    running.kill();
    let resumed = run(&project, "reproduce --all --budget 40 --threads 3");
    for place in 0..2 {
        for key in ["games", "pentanomial", "elo"] {
            let [ours, theirs] =
                [&resumed, &undisturbed].map(|report| &report["entries"][place]["ours"][key]);
            assert_eq!(ours, theirs, "{key}");
        }
    }
}

#[test]
fn the_ladder_is_climbed_step_by_step() {
    let project = project();
    let report = run(&project, "ladder --nodes 50 --max-pairs 30 --threads 2");
    let steps = report["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["change"][0], "pvs: false → true");
    assert_eq!(
        (steps[1]["name"].as_str(), &steps[1]["measured"]["games"]),
        (Some("03-aspiration"), &60.into())
    );
    let text = project.run("ladder --nodes 50 --max-pairs 30 --stored").out;
    assert!(text.contains("02-pvs") && text.contains("      60     50 nodes/move  "), "{text}");
    // At depth 4, PVS finds what the search without it finds.
    let distortion = &steps[0]["distortion"];
    assert_eq!((&distortion["depth"], &distortion["positions"]), (&4.into(), &160.into()));
    assert_eq!(distortion["same_move"], 1.0, "{distortion}");
    assert!(text.contains("+0.0     0.0 %    100.0 %"), "{text}");
    assert!(project.read("results/README.md").contains("| [02-pvs](ladder/02-pvs.json) |"));
    assert!(project.read("results/ladder/waterfall.svg").contains("<circle"));
    let picture = project.read("results/ladder/waterfall.svg");
    project.write("results/ladder/waterfall.svg", "");
    assert_eq!(project.run("report results/ladder").out, "results/ladder/waterfall.svg\n");
    assert_eq!(project.read("results/ladder/waterfall.svg"), picture);
    project.write("empty/notes.txt", "");
    project.run("report empty").expect(2, &["holds neither a ladder", "no figures (*.json)"]);

    let step = report["steps"][0]["measured"]["run"].as_str().unwrap();
    project.run(&format!("report {step}")).expect(0, &[]);
    let page = project.read(&format!("results/{step}/report.html"));
    assert!(page.contains("How much stronger is 02-pvs.toml than 01-base.toml at 50 nodes/move?"), "{page}");
    assert!(page.contains("harness ladder 02-pvs --nodes 50"), "{page}");
    let compared = project.run(&format!("compare {step} results/ladder/02-pvs.json --json")).json();
    assert_eq!(compared["difference"]["estimate"], 0.0);

    let one = run(&project, "ladder 03-aspiration --nodes 60 --max-pairs 5");
    assert_eq!(one["steps"].as_array().unwrap().len(), 1);
    assert_eq!(one["steps"][0]["measured"]["games"], 10);
}

#[test]
fn slips_are_named() {
    let project = project();
    for (arguments, sentence) in [
        ("reproduce stage-12", "there is no experiment \"stage-12\": did you mean \"stage-11\"?"),
        ("reproduce 60 --precision 0", "give a number of Elo above 0"),
        ("ladder 2-pvs", "the ladder has no step \"2-pvs\" with one below it, did you mean \"02-pvs\"?"),
        ("ladder 01-base", "the ladder has no step \"01-base\" with one below it"),
    ] {
        let ended = project.run(arguments);
        assert!(ended.code == 2 && ended.err.contains(sentence), "{arguments}: {}", ended.err);
    }
    project.write("configs/experiments/7.toml", "question = 7\n");
    let ended = project.run("reproduce --all");
    assert!(ended.code == 2 && ended.err.contains("7.toml") && ended.err.contains("line 1"), "{}", ended.err);
}
