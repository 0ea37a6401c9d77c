//! `--events`, `--pgn` and `--log` on what is no regular file: devices, pipes, standard output; through the real program.

mod common;

use common::engines::pgn_extract_has_no_complaint;
use common::project::{Ended, Project, Running};
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};

/// Whether a line is one of the output.
type IsLine = fn(&str) -> bool;

/// The options, each with what a line of its output looks like.
const OPTIONS: [(&str, IsLine); 3] = [
    ("--events", |line| serde_json::from_str::<Value>(line).is_ok_and(|event| event["event"].is_string())),
    ("--pgn", |line| !["undecided", "Elo ", "LLR "].iter().any(|word| line.contains(word))),
    ("--log", |line| line.contains("] < ") || line.contains("] > ")),
];

fn project() -> Project {
    let project = Project::new();
    project.write("harness.toml", "nodes = 40\nmax-pairs = 3\nthreads = 1\nmax-moves = 6\n");
    project
}

/// A short test that writes all three kinds of files if they are asked for.
const SPRT: &str = "sprt base pvs --out-of-process --quiet";

fn is_report(text: &str) -> bool {
    text.contains("Elo   |") && text.contains("undecided, the allowed number of pairs has been played")
}

/// A named pipe, and whoever reads all that comes out of it.
fn pipe(project: &Project, name: &str) -> JoinHandle<String> {
    assert!(Command::new("mkfifo").arg(project.at(name)).status().unwrap().success());
    let path = project.at(name);
    thread::spawn(move || fs::read_to_string(path).unwrap())
}

#[test]
fn devices_take_everything_or_say_why_not() {
    let project = project();
    for (option, _) in OPTIONS {
        let ended = project.run(&format!("{SPRT} {option} /dev/null"));
        assert!(ended.code == 0 && is_report(&ended.out), "{option}: {ended:?}");
        let run = project.newest().unwrap().id;
        let ended = project
            .run(&format!("sprt --resume {run} --max-pairs 4 --out-of-process --quiet {option} /dev/null"));
        assert_eq!(ended.code, 0, "{option} when gone on with: {ended:?}");
    }
    let all = project.run(&format!("{SPRT} --events /dev/null --pgn /dev/null --log /dev/null"));
    assert_eq!(all.code, 0, "{all:?}");
    // Full disks are told, and nothing is read of what never ends.
    for option in ["--events", "--pgn"] {
        project
            .run(&format!("{SPRT} {option} /dev/full"))
            .expect(1, &["/dev/full cannot be written: No space left"]);
    }
    let runs = project.store().runs().unwrap().len();
    for (option, _) in OPTIONS {
        let of_folder = format!("openings cannot be written: it is a folder; give another {option} file");
        project.run(&format!("{SPRT} {option} openings")).expect(2, &[&of_folder]);
    }
    assert_eq!(project.store().runs().unwrap().len(), runs, "nothing was begun");
}

#[test]
fn a_dash_is_standard_output_and_the_report_gives_way() {
    let project = project();
    for (option, is_line) in OPTIONS {
        for more in ["", "--json"] {
            let ended = project.run(&format!("{SPRT} {more} {option} -"));
            assert!(ended.code == 0 && !ended.out.is_empty(), "{option} {more}: {ended:?}");
            assert!(ended.out.lines().all(is_line), "{option} {more}: {}", ended.out);
            assert!(ended.err.contains("undecided") && !ended.out.contains("undecided, "), "{ended:?}");
        }
    }
    assert!(!project.at("-").exists());
    let run = project.newest().unwrap().id;
    let again = project.run(&format!("sprt --resume {run} --max-pairs 4 --quiet --events -"));
    let numbers: Vec<Value> =
        again.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["pair"].clone()).collect();
    assert_eq!(
        numbers,
        [Value::Null, 1.into(), 2.into(), 3.into(), 4.into(), Value::Null],
        "all from the first: {again:?}"
    );

    for (one, other) in
        [("--events -", "--pgn -"), ("--pgn -", "--log /dev/stdout"), ("--events x", "--pgn x")]
    {
        project.run(&format!("{SPRT} {one} {other}")).expect(2, &["would be mixed in", "another file"]);
    }
    for command in ["match base pvs", "sweep aspiration_delta=10 pvs --max-pairs 32"] {
        let ended = project.run(&format!("{command} --quiet --events -"));
        assert!(
            ended.out.lines().all(OPTIONS[0].1) && ended.err.contains(" games"),
            "{command}: {}",
            ended.err
        );
    }
}

#[test]
fn standard_output_under_another_name_is_not_overwritten() {
    let project = project();
    let run_into = |file: &str, arguments: &str| -> (Ended, String) {
        let mut command = project.harness(arguments);
        command.stdout(File::create(project.at(file)).unwrap()).stderr(Stdio::piped());
        let ended = Running::start_with(&mut command).end();
        (ended, project.read(file))
    };
    for (option, is_line) in OPTIONS {
        for path in ["/dev/stdout", "/dev/fd/1", "out.txt"] {
            let (ended, written) = run_into("out.txt", &format!("{SPRT} {option} {path}"));
            assert!(ended.code == 0 && is_report(&ended.err), "{option} {path}: {ended:?}");
            assert!(!written.is_empty() && written.lines().all(is_line), "{option} {path}: {written}");
        }
        // Through a pipe, too.
        let ended = project.run(&format!("{SPRT} {option} /dev/stdout"));
        assert!(is_report(&ended.err) && ended.out.lines().all(is_line), "{option}: {ended:?}");
    }
    let (_, games) = run_into("games.pgn", &format!("{SPRT} --pgn /dev/stdout"));
    assert_eq!(games.matches("[Event ").count(), 6, "{games}");
    // What else is told on standard error stays there.
    let mut command = project.harness(&format!("{SPRT} --log /dev/stderr"));
    command.stdout(Stdio::piped()).stderr(File::create(project.at("err.txt")).unwrap());
    let ended = Running::start_with(&mut command).end();
    assert!(is_report(&ended.out) && project.read("err.txt").lines().all(OPTIONS[2].1), "{ended:?}");
}

#[test]
fn a_pipe_is_written_for_its_reader() {
    let project = project();
    for (option, is_line) in OPTIONS {
        let name = format!("pipe{option}");
        let reader = pipe(&project, &name);
        let ended = project.run(&format!("{SPRT} {option} {name}"));
        let read = reader.join().unwrap();
        assert!(ended.code == 0 && is_report(&ended.out), "{option}: {ended:?}");
        assert!(!read.is_empty() && read.lines().all(is_line), "{option}: {read}");
    }
    // Who goes on with a run has a new reader, which gets all of it.
    let run = project.newest().unwrap().id;
    let reader = pipe(&project, "again");
    let ended = project.run(&format!("sprt --resume {run} --max-pairs 5 --quiet --pgn again"));
    let games = reader.join().unwrap();
    assert_eq!((ended.code, games.matches("[Event ").count()), (0, 10), "{ended:?}");
}

#[test]
fn a_pipe_that_nobody_reads_is_refused() {
    let project = project();
    assert!(Command::new("mkfifo").arg(project.at("pipe")).status().unwrap().success());
    for (option, _) in OPTIONS {
        let words = format!(
            "pipe cannot be written: it is a pipe that nobody reads (start its reader first); give another {option} file"
        );
        project.run(&format!("{SPRT} {option} pipe")).expect(2, &["waiting for a reader of pipe", &words]);
    }
    assert!(!Path::new(&project.at("results/harness.db")).exists() || project.newest().is_none());
}

/// What is written whole takes the place of a file, and of nothing else.
#[test]
fn whole_files_do_not_take_the_place_of_pipes_and_devices() {
    let project = project();
    assert!(Command::new("mkfifo").arg(project.at("pipe")).status().unwrap().success());
    let swept = project.run("sweep aspiration_delta=10 pvs --max-pairs 32 --quiet --json").json();
    let swept = swept["run"].as_str().unwrap();
    for (command, option) in [
        ("plan --elo1 90 --runs 5 --svg", "--svg"),
        ("sweep aspiration_delta=10 pvs --max-pairs 32 --svg", "--svg"),
        (&format!("sweep --resume {swept} --max-pairs 32 --svg"), "--svg"),
        ("fit-eval --play 1 --out", "--out"),
        ("fit-eval --play 1 --table", "--table"),
        ("book make", "book make"),
    ] {
        for file in ["pipe", "openings", "/dev/null", "/dev/zero"] {
            let words = format!("{file} is no regular file, and {option} puts a whole file in its place");
            project.run(&format!("{command} {file}")).expect(2, &[&words]);
        }
        let words = format!("{option} writes a whole file and nothing to standard output");
        project.run(&format!("{command} -")).expect(2, &[&words]);
    }
    let run = project.newest().unwrap().id;
    fs::create_dir_all(project.at("out")).unwrap();
    assert!(Command::new("mkfifo").arg(project.at("out/report.md")).status().unwrap().success());
    project.run(&format!("report {run} --out out")).expect(2, &["report.md was not written by this command"]);
    assert!(!project.at("-").exists());
}

#[test]
fn a_log_that_cannot_be_written_is_given_up_with_a_note() {
    let project = project();
    for quiet in ["", "--quiet"] {
        let ended = project.run(&format!("sprt base pvs --out-of-process {quiet} --log /dev/full"));
        assert!(ended.code == 0 && is_report(&ended.out), "{ended:?}");
        assert_eq!(
            ended.err.matches("note: the log ends here, as it cannot be written: No space left").count(),
            1,
            "{ended:?}"
        );
    }
}

#[test]
fn details_of_games_are_kept_where_they_are_wanted() {
    let project = Project::new();
    let settings = "--tc 0.3+0.02 --threads 1 --max-moves 8 --out-of-process --quiet --json --pgn games.pgn";
    let report = project.run(&format!("sprt base pvs {settings} --max-pairs 1 --pgn-detail")).json();
    let pgn = project.read("games.pgn");
    pgn_extract_has_no_complaint(&pgn);
    let games: Vec<_> = pgn.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 2);
    for game in &games {
        for tag in ["EngineWhiteName", "EngineBlackName", "GameDuration", "GameStartTime", "GameEndTime"] {
            assert!(game.contains(&format!("[{tag} \"")), "{tag}: {game}");
        }
        for word in [", tl=", ", latency=", ", sd=", ", pv=\""] {
            assert_eq!(game.replace('\n', " ").matches(word).count(), 16, "{word}: {game}");
        }
    }
    // How late the engines' answers come is told of both, with or without details.
    for player in ["base", "pvs"] {
        let told = report["latency"].as_array().unwrap();
        let told = told.iter().find(|told| told["player"] == player).unwrap_or_else(|| panic!("{report}"));
        assert_eq!(told["answers"], 16);
        assert!(told["median_ms"].as_u64() <= told["most_ms"].as_u64());
    }
    // A run that goes on without the option writes the games that were there as they are.
    let run = report["run"].as_str().unwrap();
    let ended = project.run(&format!(
        "sprt --resume {run} --max-pairs 2 --threads 1 --out-of-process --quiet --pgn games.pgn"
    ));
    assert!(ended.code == 0 && ended.out.contains("\nLatency base: "), "{ended:?}");
    let longer = project.read("games.pgn");
    assert!(longer.starts_with(&pgn) && longer.matches("[Event ").count() == 4);
    assert!(!longer[pgn.len()..].contains("pv="), "{longer}");
    // The store has them.
    let shown = project.run(&format!("show {run} --game 1 --json")).json();
    let game = &shown["games"][0];
    assert!(
        game["engines"]["base"].as_str().unwrap().len() > 1
            && game["begun"].as_str() <= game["ended"].as_str()
    );
    let first = &game["moves"][0];
    assert!(first["seldepth"].is_u64() && first["own_ms"].is_u64(), "{first}");
    assert!(first["pv"].as_str().unwrap().starts_with(first["move"].as_str().unwrap()), "{first}");
    let shown = project.run(&format!("show {run} --game 3 --json")).json();
    assert!(shown["games"][0]["begun"].is_null() && shown["games"][0]["moves"][0]["pv"].is_null(), "{shown}");
    // The built-in engine in this process has details but no clock of its own, and under nodes nobody is late.
    let inside = project
        .run("sprt base pvs --nodes 50 --max-moves 4 --max-pairs 1 --quiet --json --pgn-detail")
        .json();
    assert_eq!(inside["latency"], Value::Array(vec![]));
    let shown = project.run(&format!("show {} --game 1", inside["run"].as_str().unwrap())).out;
    assert!(shown.contains(", sd=") && shown.contains(", pv=\"") && !shown.contains("tl="), "{shown}");
}
