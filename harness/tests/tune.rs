//! Tuning as its user meets it: the same trajectory for any number of threads and after any kill, the tuned values
//! tested against the start, other tuners' files read and written.

mod common;

use common::book;
use common::project::{Project, Running};
use harness::kinds::spec::RunSpec;
use harness::kinds::tune::TuneSpec;
use harness::store::{NewRun, Store};
use serde_json::Value;

const FILE: &str = "base = \"base.toml\"\niterations = 12\npairs = 4\n\n[parameters]\nwindow = {}\n";

/// With a file that tunes fast and roughly.
fn project() -> Project {
    let project = Project::new();
    // What is left out of a configuration is the full engine's.
    project.write("full.toml", "name = \"full\"\n");
    let parameters = "rfp_margin = { start = 300, min = 50, c_end = 40, r_end = 1.0 }\n\
                      delta_margin = { start = 50, c_end = 40, r_end = 1.0 }";
    project.write("what.toml", FILE.replace("window = {}", parameters).replace("base.toml", "full.toml"));
    project
}

/// The report without what differs from run to run.
fn findings(mut report: Value) -> Value {
    for key in ["run", "config", "seconds", "validation", "threads", "games_per_second", "utilization"] {
        report[key] = Value::Null;
    }
    report
}

fn tune(project: &Project, arguments: &str) -> Value {
    let ended = project.run(&format!("tune what.toml --nodes 200 --json --quiet {arguments}"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
    ended.json()
}

#[test]
fn the_same_trajectory_for_any_number_of_threads_and_after_a_kill() {
    let project = project();
    let undisturbed = tune(&project, "--threads 1 --no-validation");
    assert_eq!((undisturbed["iterations"].as_u64(), undisturbed["games"].as_u64()), (Some(12), Some(96)));
    let moved = |index: usize| undisturbed["parameters"][index]["trajectory"].as_array().unwrap().clone();
    assert!(moved(0).len() == 13 && moved(0).iter().any(|value| value != &moved(0)[0]), "{undisturbed}");
    for threads in [2, 5] {
        let again = tune(&project, &format!("--threads {threads} --no-validation"));
        assert_eq!(findings(again), findings(undisturbed.clone()));
    }

    // What to expect is said before the first game.
    let told = project.run("tune what.toml --nodes 200 --iterations 2 --threads 2 --no-validation").err;
    assert!(told.contains("16 games, ") && told.contains(" games/s. If half of them are drawn"), "{told}");
    assert!(
        told.contains("\nrfp_margin from 300 between 50 and 500, delta_margin from 50 between 0 and 2000\n"),
        "in the order of the file: {told}"
    );

    let before = project.newest().unwrap().id;
    let mut running =
        Running::start(&mut project.harness("tune what.toml --nodes 200 --threads 2 --no-validation"));
    running.wait_until("the run is stored", || project.newest().is_some_and(|run| run.id != before));
    let run = project.wait_for_pairs(&mut running, 10);
    running.kill();
    // What it has come to can be seen while nobody plays it, however early that was.
    for (file, words) in [("start.toml", "\nrfp_margin = 300\n"), ("trajectories.svg", " of 12 iterations")] {
        assert!(project.read(&format!("results/{run}/{file}")).contains(words), "{file}");
    }
    assert!(project.read(&format!("results/{run}/tuned.toml")).starts_with("name = \"full tuned\"\n"));
    project.run(&format!("report {run} --out unfinished")).expect(0, &[]);
    assert!(project.read("unfinished/report.md").contains("so far; not tested yet"));
    project.run(&format!("compare {run} 1±1")).expect(2, &["have not been tested against the start"]);
    let now = project.run(&format!("tune --resume {run} --export openbench"));
    assert!(now.out.starts_with("delta_margin, int, "), "{}", now.out);
    let ended = project.run(&format!("tune --resume {run} --threads 3 --json --quiet --no-validation"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert_eq!(findings(ended.json()), findings(undisturbed));
}

#[test]
fn what_is_said_again_must_agree_with_the_stored_run() {
    let project = project();
    let run = tune(&project, "--iterations 2 --no-validation")["run"].as_str().unwrap().to_owned();
    let resume = |arguments: &str| {
        project.run(&format!("tune {arguments} --resume {run} --nodes 200 --quiet --no-validation"))
    };
    for again in
        ["", "what.toml --iterations 2", "--base full.toml", "what.toml --iterations 2 --base full.toml"]
    {
        resume(again).expect(0, &[]);
    }
    let other =
        project.read("what.toml").replace("start = 50", "start = 55").replace("pairs = 4", "pairs = 3");
    project.write("other.toml", other);
    let differences = [
        "is another experiment",
        "base.delta_margin: 50 → 55",
        "iterations: 2 → 12",
        "\n  pairs: 4 → 3",
        "parameter: delta_margin = 50 in 0..=2000, c_end 40, r_end 1 → delta_margin = 55",
    ];
    resume("other.toml").expect(2, &differences);
    project.write("more.toml", project.read("what.toml") + "lmr_base = {}\n");
    resume("more.toml --iterations 2").expect(2, &["parameter: none → rfp_margin = 300"]);
    resume("--base base").expect(2, &["is another experiment", "base.lmr: true → false"]);
    resume("nowhere.toml").expect(2, &["cannot read the config `nowhere.toml`"]);
    resume("--base nowhere").expect(2, &["there is no config `nowhere`"]);
    for ignored in ["what.toml", "--base full.toml", "--iterations 2"] {
        resume(&format!("{ignored} --export toml")).expect(2, &["leave out FILE, --base and --iterations"]);
    }
}

#[test]
fn what_follows_the_tuning_is_stored_with_it() {
    let project = project();
    let begin =
        "tune what.toml --nodes 200 --elo1 10.5 --preset gain-small --trinomial --no-validation --quiet";
    let mut running = Running::start(&mut project.harness(begin));
    project.wait_for_pairs(&mut running, 4);
    running.signal("INT");
    let ended = running.end();
    let command = ended.resume_command().join(" ");
    let told = project.newest().unwrap().goal_json.unwrap();
    assert!(ended.code == 130 && !command.contains("--elo1"), "{ended:?}");
    assert!(told.contains(r#""test":null"#), "{told}");
}

#[test]
fn a_book_must_have_openings_for_everything() {
    let project = project();
    project.write("short.epd", book::epd(50, 3));
    let begin = "tune what.toml --nodes 20 --openings short.epd";
    let start = |start: u64, more: &str| project.run(&format!("{begin} --quiet --start {start} {more}"));
    start(4, "--no-validation").expect(2, &["12 iterations of 4 pairs need 48 openings", "has 47 left"]);
    start(3, "").expect(2, &["12 iterations of 4 pairs, and a test after them, need 49", "has 48 left"]);
    start(3, "--no-validation").expect(0, &[]);
}

#[test]
fn the_tuned_values_are_tested_on_openings_that_were_not_tuned_on() {
    let project = project();
    let report = tune(&project, "--threads 2 --elo0 -300 --elo1 -200 --events events");
    let validation = &report["validation"];
    assert_eq!(validation["verdict"], "h1", "{report}");
    assert_eq!(validation["base"]["digest"], report["base"]["digest"]);
    let store = project.store();
    let openings = |run: &Value| -> Vec<String> {
        let pairs = store.pairs(run.as_str().unwrap(), 0);
        pairs.map(|pair| pair.unwrap().games[0].opening.clone()).collect()
    };
    let (tuned, tested) = (openings(&report["run"]), openings(&validation["run"]));
    assert!(!tested.is_empty() && tested.iter().all(|opening| !tuned.contains(opening)));
    let names = ["base", "candidate"].map(|side| validation[side]["name"].as_str().unwrap());
    assert_eq!(names, ["full start", "full tuned"]);

    // Its values as a configuration, which plays as the candidate did.
    let config = report["config"].as_str().unwrap();
    let played = project.run(&format!(
        "sprt {config} {config} --nodes 200 --max-pairs 1 --elo0 -300 --elo1 -200 --json --quiet"
    ));
    assert_eq!(played.json()["candidate"]["digest"], validation["candidate"]["digest"]);
    let start = config.replace("tuned.toml", "start.toml");
    let met = project.run(&format!("match full.toml {config} {start} --nodes 50 --max-pairs 1 --quiet"));
    met.expect(0, &[]);

    // The report has both, and speaks of the test when it is compared.
    let run = report["run"].as_str().unwrap();
    assert!(project.read(&format!("results/{run}/start.toml")).contains("\nrfp_margin = 300\n"));
    let tested = project.store().run(validation["run"].as_str().unwrap()).unwrap().question;
    assert_eq!(tested, "tuned.toml against start.toml · 200 nodes/move");
    let picture = project.read(&format!("results/{run}/trajectories.svg"));
    assert!(picture.contains("rfp_margin 300 → ") && picture.contains("12 of 12 iterations"), "{picture}");
    project.run(&format!("report {run}")).expect(0, &[]);
    let page = project.read(&format!("results/{run}/report.html"));
    for words in [
        "Parameters, start → now",
        " Elo. H1 accepted",
        "Length of the games",
        "What the searches did",
        "iterations = 12",
        "harness tune tune.toml --nodes 200 ",
        " --elo0=-300 --elo1=-200 ",
    ] {
        assert!(page.contains(words), "without {words:?}: {page}");
    }
    let compared = project.run(&format!("compare {run} {} --json", validation["run"].as_str().unwrap()));
    assert_eq!(compared.json()["difference"]["estimate"], 0.0);
    let events = project.read("events");
    assert_eq!((events.lines().count(), events.matches("\"candidate\":\"full+\"").count()), (50, 48));
    assert!(events.lines().last().unwrap().contains("\"verdict\":\"tuned\""), "{events}");

    // Said again, nothing is played again.
    let again = project.run(&format!("tune --resume {run} --elo0 -300 --elo1 -200 --json --quiet"));
    assert_eq!(again.json()["validation"]["run"], validation["run"]);
    assert_eq!(project.store().runs().unwrap().len(), 4);
    let other = project.run(&format!("tune --resume {run} --start 5 --quiet"));
    other.expect(2, &["first opening: 1 → 5"]);
    assert!(project.run(&format!("show {run}")).out.contains("\nfirst opening 1\n"));
}

/// At an end of its range a parameter that moves by half would often be the same on both sides.
#[test]
fn at_the_end_of_a_range_the_two_sides_differ() {
    let project = project();
    let file = |parameters: &str| {
        project.write("end.toml", FILE.replace("base.toml", "full.toml").replace("window = {}", parameters));
    };
    for (number, parameters) in [
        "delta_margin = { start = 0, max = 200, c_end = 0.5, r_end = 0.01 }",
        "delta_margin = { start = 200, max = 200, c_end = 0.5, r_end = 0.01 }",
        "aspiration_delta = { start = 1, max = 50, c_end = 0.3 }\ndelta_margin = { start = 0, c_end = 0.5 }",
    ]
    .into_iter()
    .enumerate()
    {
        file(parameters);
        let begin =
            format!("tune end.toml --nodes 60 --no-validation --json --quiet --events events-{number}");
        let report = project.run(&begin).json();
        assert_eq!(report["pairs_of_same_sides"], 0, "{report}");
        let events = project.read(&format!("events-{number}"));
        let pairs = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let pairs: Vec<Value> = pairs.filter(|event| event["event"] == "pair").collect();
        assert_eq!(pairs.len(), 48);
        for pair in &pairs {
            let values = ["base_values", "candidate_values"].map(|side| pair[side].as_object().unwrap());
            assert!(values[0].iter().all(|(name, value)| values[1][name] != *value), "{pair}");
        }
        let run = report["run"].as_str().unwrap();
        project.run(&format!("verify {run} --sample 6")).expect(0, &[]);
    }
}

/// Runs that were stored before are played as they were begun, and say how much of them was wasted.
#[test]
fn a_stored_run_whose_sides_were_the_same_says_so() {
    let project = project();
    let parameter = "delta_margin = { start = 0, max = 200, c_end = 0.5, r_end = 0.01 }";
    project.write("end.toml", FILE.replace("base.toml", "full.toml").replace("window = {}", parameter));
    project.run("tune end.toml --nodes 60 --iterations 2 --no-validation --quiet").expect(0, &[]);
    let new = project.newest().unwrap();
    let mut spec: TuneSpec = serde_json::from_str(&new.spec_json).unwrap();
    assert!(spec.sides_apart && new.digest == spec.digest());
    (spec.sides_apart, spec.schedule.iterations) = (false, 12);
    let spec_json = serde_json::to_string(&spec).unwrap();
    assert!(!spec_json.contains("sides_apart") && spec.digest() != new.digest);
    let before = NewRun {
        id: "tune-before",
        kind: "tune",
        question: &spec.question(),
        spec_json: &spec_json,
        digest: &spec.digest(),
        goal_json: "{}",
    };
    Store::open(&project.at("results")).unwrap().create_run(&before).unwrap();

    let resume = "tune end.toml --resume tune-before --nodes 60 --iterations 12 --no-validation --quiet";
    let text = project.run(resume).out;
    let words = " of 48 pairs had the same player on both sides";
    let line = text.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{text}"));
    let same: u64 = line.split(' ').next().unwrap().parse().unwrap();
    assert!(same > 0 && same < 48 && same.is_multiple_of(4), "{line}");
    let report = project.run(&format!("{resume} --json")).json();
    assert_eq!(report["pairs_of_same_sides"], same);
    assert!(project.run("show tune-before").out.contains(line), "{line}");
    project.run("report tune-before").expect(0, &[]);
    assert!(project.read("results/tune-before/report.md").contains(words));
    project.run("verify tune-before").expect(0, &[]);
}

#[test]
fn games_of_a_tuning_say_who_played_what() {
    let project = project();
    let report = tune(&project, "--no-validation --pgn games.pgn --events events");
    let run = report["run"].as_str().unwrap();
    let pgn = project.read("games.pgn");
    let words = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    let events = project.read("events");
    let pairs: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Pairs 1, 5 and 48 are of the first, the second and the last iteration.
    for (pair, iteration) in [(1, 1), (5, 2), (48, 12)] {
        let event = &pairs[pair];
        assert_eq!((&event["pair"], &event["iteration"]), (&pair.into(), &iteration.into()), "{event}");
        let values = |side: &str| {
            let of = |name: &str| format!("{name}={}", event[side][name]);
            format!("{} {}", of("rfp_margin"), of("delta_margin"))
        };
        let (minus, plus) = (values("base_values"), values("candidate_values"));
        assert_ne!(minus, plus);
        let remark = format!("{{iteration {iteration}: full+ {plus}, full- {minus}}}");
        assert!(words.matches(&remark).count() >= 8, "{remark}");

        let game = 2 * pair - 1;
        let shown = project.run(&format!("show {run} --game {game}"));
        let words = shown.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&remark), "{}", shown.out);
        assert!(shown.out.contains("[White \"full+\"]\n[Black \"full-\"]\n"), "{}", shown.out);
        assert!(pgn.contains(shown.out.trim()), "the same game in both: {}", shown.out);
        let json = project.run(&format!("show {run} --pair {pair} --json")).json();
        for key in ["iteration", "base_values", "candidate_values"] {
            assert_eq!((&json["games"][0][key], &json["games"][1][key]), (&event[key], &event[key]), "{key}");
        }
    }
    common::engines::pgn_extract_has_no_complaint(&pgn);

    // Of + against - there is no Elo: in every iteration they are other players.
    let shown = project.run(&format!("show {run}")).out;
    assert!(shown.contains("full.toml+ against full.toml-: +") && !shown.contains("Elo"), "{shown}");
    assert!(shown.contains("\nIteration 12 of 12\nrfp_margin        300 → "), "{shown}");
    assert!(shown.contains("\ndelta_margin       50 → "), "{shown}");
    let json = project.run(&format!("show {run} --json")).json();
    assert_eq!((&json["meetings"][0]["elo"], &json["iterations"]), (&Value::Null, &12.into()));
    assert_eq!(json["parameters"], report["parameters"]);
    let test = project.sprt("--nodes 40 --max-pairs 6");
    let other = project.run(&format!("show {} --game 3 --json", test["run"].as_str().unwrap())).json();
    assert!(other["games"][0].get("iteration").is_none(), "{other}");

    // The files are those of the tuning alone, which the help says.
    let help = project.run("tune --help").out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("are written by `harness sprt --resume TEST --pgn FILE`"), "{help}");
    assert!(help.contains("but not in the test after it"), "{help}");
    let tested = tune(&project, "--elo0 -300 --elo1 -200 --pgn tuning.pgn");
    let test = tested["validation"]["run"].as_str().unwrap();
    assert_eq!(project.read("tuning.pgn").matches("[White ").count(), 96);
    project
        .run(&format!("sprt --resume {test} --elo0 -300 --elo1 -200 --pgn test.pgn --quiet"))
        .expect(0, &[]);
    let games = tested["validation"]["games"].as_u64().unwrap();
    assert_eq!(project.read("test.pgn").matches("[White ").count() as u64, games);
    assert!(project.read("test.pgn").contains("\"full tuned\""));
}

#[test]
fn other_tuners_files_are_read_and_written() {
    let project = project();
    let lines = "aspiration_delta, int, 60, 10, 100, 6, 0.002\ndelta_margin, int, 120, 50, 400, 20, 0.002\n";
    project.write("lines.txt", lines);
    let export = |file: &str, form: &str| {
        let ended = project.run(&format!("tune {file} --base full.toml --export {form}"));
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{form}");
        ended.out
    };
    assert_eq!(export("lines.txt", "openbench"), lines);
    for (form, file) in [("fishtest", "fishtest.txt"), ("weather-factory", "config.json")] {
        project.write(file, export("lines.txt", form));
        assert_eq!(export(file, "openbench"), lines, "{form}");
    }
    assert!(export("lines.txt", "toml").contains("\naspiration_delta = 60\n"));
}

#[test]
fn wrong_files_are_refused_before_anything_is_stored() {
    let project = project();
    let file = FILE.replace("base.toml", "full.toml");
    for (content, sentence) in [
        (file.clone(), "no parameter is called `window`\n --> wrong.toml:6:1\n"),
        (file.replace("full.toml", "nowhere.toml"), "there is no config `nowhere.toml`"),
        (file.replace("base = ", "# "), "wrong.toml does not say which configuration is tuned: give --base"),
        (file.replace("window = {}", ""), "in wrong.toml: there is no parameter to tune"),
        (
            file.replace("window = {}", "aspiration_delta = { start = -5 }"),
            "`aspiration_delta` starts at -5\n --> wrong.toml:6:30\n",
        ),
        (
            file.replace("window = {}", "rfp_margin = { min = 1 }"),
            "the ranges allow a `rfp_improving` that is not below `rfp_margin`\n --> wrong.toml:6:22\n",
        ),
        (
            file.replace("window", "aspiration_delta").replace("iterations = 12", "iterations = 1000"),
            "1000 iterations of 4 pairs, and a test after them, need 4001 openings",
        ),
        (
            FILE.replace("window", "aspiration_delta"),
            "`aspiration_delta` does nothing while `aspiration` is off, as it is in the base",
        ),
        ("iterations = [".to_owned(), "wrong.toml:1:"),
    ] {
        project.write("wrong.toml", &content);
        let ended = project.run("tune wrong.toml --nodes 200");
        assert!(ended.code == 2 && ended.err.contains(sentence), "{content}\n{}", ended.err);
    }
    let ended = project.run("tune nothing.toml");
    assert!(ended.code == 2 && ended.err.contains("cannot read the config `nothing.toml`"), "{}", ended.err);
    assert!(project.newest().is_none());
}

/// The value of a parameter may lie between integers in every form, and is written as it is played; a count is 1 or more.
#[test]
fn forms_agree_on_fractions_and_counts() {
    let project = Project::new();
    let toml = |start: &str, count: &str| {
        format!(
            "base = \"pvs\"\niterations = {count}\n[parameters]\naspiration_delta = {{ start = {start}, min = 5, max = 300, c_end = 8, r_end = 0.002 }}\n"
        )
    };
    project.write("a.toml", toml("75.5", "9"));
    project.write("int.txt", "aspiration_delta, int, 75.5, 5, 300, 8, 0.002\n");
    project.write("float.txt", "aspiration_delta, float, 75.5, 5.0, 300.0, 8, 0.002\n");
    project.write("fishtest.txt", "aspiration_delta,75.5,5,300,8,0.002\n");
    project.write(
        "w.json",
        r#"{"aspiration_delta": {"value": 75.5, "min_value": 5, "max_value": 300, "step": 8}}"#,
    );
    for file in [
        "a.toml",
        "int.txt --base pvs",
        "float.txt --base pvs",
        "fishtest.txt --base pvs",
        "w.json --base pvs",
    ] {
        for (form, line) in [
            ("openbench", "aspiration_delta, int, 76, 5, 300, 8, 0.002"),
            ("fishtest", "aspiration_delta,76,5,300,8,0.002"),
            ("weather-factory", "\"value\": 76.0"),
            ("toml", "aspiration_delta = 76"),
        ] {
            let ended = project.run(&format!("tune {file} --export {form}"));
            ended.expect(0, &[]);
            assert!(ended.out.contains(line), "{file} as {form}: {}", ended.out);
        }
    }
    for count in ["-1", "0", "1.5"] {
        project.write("a.toml", toml("75", count));
        let message = format!("`iterations` takes an integer of 1 or more, not {count}");
        project.run("tune a.toml").expect(2, &["a.toml:2:14", &message]);
        project.write("a.toml", toml("75", "9"));
        project.run(&format!("tune a.toml --iterations {count}")).expect(2, &[&message]);
    }
}
