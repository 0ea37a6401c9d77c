//! What was begun is ended: whatever interrupts a run, going on gives what the undisturbed run would have given.

mod common;

use common::book;
use common::project::{Ended, Project, Running, findings, timeless};
use harness::store::RunState;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::io;
use std::thread;
use std::time::Duration;

/// A test that accepts H1 whatever the candidate, but not before some hundred pairs.
const LONG: &str = "--elo0 -400 --elo1 -300 --alpha 1e-15 --beta 1e-15";

/// The same, after some forty.
const SHORT: &str = "--elo0 -400 --elo1 -300 --alpha 1e-6 --beta 1e-6";

fn name(report: &Value) -> &str {
    report["run"].as_str().unwrap()
}

/// Ends a printed command with its report.
fn carried_out(project: &Project, command: Vec<String>) -> Value {
    let ended = Running::start(project.harness("").args(command).args(["--json", "--quiet"])).end();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    ended.json()
}

#[test]
fn killed_ten_times_and_yet_the_same() {
    let project = Project::new();
    let arguments = format!("--nodes 300 --threads 2 {LONG}");
    let undisturbed = project.sprt(&format!("{arguments} --pgn undisturbed.pgn"));
    assert_eq!(undisturbed["verdict"], "h1");
    let before = project.newest().unwrap().id;

    let mut random = ChaCha8Rng::seed_from_u64(10);
    let mut running = project.start_sprt(&format!("{arguments} --pgn killed.pgn"));
    running.wait_until("the run is stored", || project.newest().is_some_and(|run| run.id != before));
    let run = project.newest().unwrap().id;
    let resume = format!("sprt --resume {run} --threads 2 --pgn killed.pgn --json --quiet");
    for kill in 0..10 {
        let stored = project.newest().unwrap().pairs;
        project.wait_for_pairs(&mut running, stored + 1);
        thread::sleep(Duration::from_micros(random.next_u64() % 20_000));
        running.kill();
        let info = project.newest().unwrap();
        assert_eq!((info.state, info.verdict), (RunState::Interrupted, None), "kill {kill}");
        running = Running::start(&mut project.harness(&resume));
    }
    let ended = running.end();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    let report = ended.json();

    assert_eq!(findings(&report), findings(&undisturbed));
    assert_eq!(project.games(&report), project.games(&undisturbed));
    assert_eq!(timeless(&project.read("killed.pgn")), timeless(&project.read("undisturbed.pgn")));
    assert_eq!(project.store().sessions(&run).unwrap().len(), 11);
    assert_eq!(project.newest().unwrap().state, RunState::Finished);
}

#[test]
fn an_interrupt_finishes_the_pairs_in_flight_and_says_how_to_go_on() {
    let project = Project::new();
    let arguments = format!("--nodes 300 --threads 2 {SHORT}");
    let undisturbed = project.sprt(&arguments);
    for signal in ["INT", "TERM"] {
        let before = project.newest().unwrap().id;
        let pgn = format!("{signal}.pgn");
        let mut running =
            project.start_sprt(&format!("{arguments} --pgn {pgn} --expect h1 --out-of-process"));
        running.wait_until("pairs are stored", || {
            project.newest().is_some_and(|run| run.id != before && run.pairs >= 2)
        });
        running.signal(signal);
        let ended = running.end();
        ended
            .expect(130, &["finishing what is in flight; interrupt again to stop at once\n", "\nto go on: "]);
        let said_again = format!(" --out-of-process --pgn {pgn} --expect h1\n");
        assert!(ended.err.contains(&said_again), "{}", ended.err);
        assert!(ended.out.contains(": undecided, interrupted\n"), "{}", ended.out);

        let run = project.newest().unwrap();
        assert_eq!((run.state, &run.verdict, &run.finished), (RunState::Interrupted, &None, &None));
        let indices = project.store().pair_indices(&run.id).unwrap();
        assert!((0..run.pairs).eq(indices), "no pair in flight is missing");
        assert!(
            ended.out.contains(&format!("\nGames {}: ", run.games())),
            "and all are counted: {}",
            ended.out
        );
        assert_eq!(project.read(&pgn).matches("[Event ").count() as u64, run.games());

        let report = carried_out(&project, ended.resume_command());
        assert_eq!(name(&report), run.id);
        assert_eq!(findings(&report), findings(&undisturbed));
        assert_eq!(project.games(&report), project.games(&undisturbed));
        assert_eq!(project.read(&pgn).matches("[Event ").count() as u64, report["games"].as_u64().unwrap());
    }
}

#[test]
fn a_second_interrupt_ends_at_once_and_loses_nothing() {
    let project = Project::new();
    let mut running = project.start_sprt("--nodes 2000 --threads 8 --max-pairs 14");
    let run = project.wait_for_pairs(&mut running, 1);
    let stored = project.store().pair_indices(&run).unwrap();
    while !running.has_ended() {
        running.signal("INT");
    }
    let ended = running.end();
    ended.expect(130, &["interrupt again to stop at once"]);
    assert_eq!(ended.out, "", "it did not wait for its report");
    let kept = project.store().pair_indices(&run).unwrap();
    assert!(stored.iter().all(|index| kept.contains(index)));

    let resumed = project.run(&format!("sprt --resume {run} --max-pairs 14 --json")).json();
    let undisturbed = project.sprt("--nodes 2000 --max-pairs 14");
    assert_eq!(findings(&resumed), findings(&undisturbed));
    assert_eq!(project.games(&resumed), project.games(&undisturbed));
}

/// How far to go decides no game, but it was asked for: the name of the run is enough to go on to there.
#[test]
fn a_killed_run_goes_on_as_far_as_was_asked_for() {
    let project = Project::new();
    let mut running = project.start_sprt("--nodes 300 --max-pairs 40 --elo1 0.5");
    let run = project.wait_for_pairs(&mut running, 3);
    running.kill();
    let resumed = project.run(&format!("sprt --resume {run} --quiet --json")).json();
    assert_eq!(findings(&resumed), findings(&project.sprt("--nodes 300 --max-pairs 40 --elo1 0.5")));
    let longer = project.run(&format!("sprt --resume {run} --max-pairs 44 --quiet --json")).json();
    assert_eq!(longer["games"], 88, "what is given wins");

    let arguments = "match base.toml pvs.toml --nodes 300 --quiet --json";
    let project = Project::new();
    let mut running = Running::start(&mut project.harness(&format!("{arguments} --max-pairs 40")));
    let run = project.wait_for_pairs(&mut running, 3);
    running.kill();
    let resumed = project.run(&format!("match --resume {run} --quiet --json")).json();
    assert_eq!(resumed["games"], 80);
}

#[test]
fn another_experiment_is_refused_and_the_difference_shown() {
    let project = Project::new();
    project.write("other.epd", book::epd(50, 99));
    let report = project.sprt("--nodes 20 --max-pairs 3 --openings openings/book.epd");
    let resume = format!("sprt --quiet --max-pairs 3 --resume {}", name(&report));
    let info = project.newest().unwrap();
    for (different, line) in [
        ("--nodes 21", "\n  limit: 20 nodes/move → 21 nodes/move\n"),
        ("--depth 2", "\n  limit: 20 nodes/move → depth 2\n"),
        ("--seed 2", "\n  seed: 1 → 2\n"),
        ("--elo0 -1", "\n  elo0: 0 → -1\n"),
        ("--elo1 6", "\n  elo1: 5 → 6\n"),
        ("--model normalized", "\n  model: logistic → normalized\n"),
        ("--trinomial", "\n  model: logistic → logistic (trinomial)\n"),
        ("--preset gain-small", "\n  elo1: 5 → 2\n"),
        ("--beta 0.1", "\n  beta: 0.05 → 0.1\n"),
        ("--hash 8", "\n  hash: 16 → 8\n"),
        ("--order sequential", "\n  order: random → sequential\n"),
        ("--openings other.epd", "\n  openings: "),
        ("base base", "candidate.pvs: true → false\n"),
        ("pvs pvs", "base.pvs: false → true\n"),
    ] {
        let ended = project.run(&format!("{resume} {different}"));
        ended.expect(2, &[name(&report), " is another experiment (stored → asked for):", line]);
        ended.expect(
            2,
            &["leave out what differs to go on with it, or leave out --resume to begin a new run"],
        );
        assert_eq!(ended.out, "");
    }
    assert_eq!(project.newest().unwrap(), info, "nothing has changed");

    // The defaults of new runs are no options of a stored one.
    project.write("harness.toml", "nodes = 99\nseed = 5\nelo1 = 7\n");
    let same =
        "base pvs --nodes 20 --seed 1 --elo0 0 --elo1 5 --alpha 0.05 --beta 0.05 --hash 16 --order random";
    for options in ["", same, "--openings openings/book.epd"] {
        let ended = project.run(&format!("{resume} {options} --json"));
        ended.expect(0, &[]);
        assert_eq!(findings(&ended.json()), findings(&report));
    }
}

#[test]
fn a_finished_run_tells_the_same_again() {
    let project = Project::new();
    let first = project.run(&format!("sprt base pvs --nodes 60 --threads 3 {SHORT}"));
    first.expect(0, &[]);
    let info = project.newest().unwrap();
    let sessions = project.store().sessions(&info.id).unwrap();
    let but_time = |ended: &Ended| {
        ended.out.lines().filter(|line| !line.starts_with("Time  ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let again = project.run(&format!("sprt --resume {} --threads 1", info.id));
    again.expect(0, &[]);
    assert_eq!(but_time(&again), but_time(&first));
    project.run(&format!("sprt --resume {} --quiet --expect h1", info.id)).expect(0, &[]);
    project.run(&format!("sprt --resume {} --quiet --expect h0", info.id)).expect(3, &[]);

    assert_eq!(project.newest().unwrap(), info, "looking changes nothing");
    assert_eq!(project.store().sessions(&info.id).unwrap(), sessions, "nothing was played");
}

/// Killed after the pair that decided and others after it were stored, before the verdict was.
#[test]
fn a_run_that_was_decided_when_it_was_killed_gets_its_verdict() {
    let project = Project::new();
    let report = project.sprt("--nodes 20 --max-pairs 12 --elo0=-0.01 --elo1 0.01");
    assert_eq!(report["games"], 24);
    // The same pairs, under a test that fewer of them decide.
    let store = Connection::open(project.at("results/harness.db")).unwrap();
    let decided = "UPDATE runs SET finished = NULL, verdict = NULL, summary = NULL, \
                   spec = json_set(spec, '$.test.elo0', -1900, '$.test.elo1', -1800)";
    assert_eq!(store.execute(decided, ()).unwrap(), 1);
    assert_eq!(project.newest().unwrap().state, RunState::Interrupted);

    let resumed = project.run(&format!("sprt --resume {} --json --quiet", name(&report))).json();
    assert_ne!(resumed["verdict"], "undecided");
    assert!(resumed["games"].as_u64().unwrap() < 24, "{resumed}");
    let info = project.newest().unwrap();
    assert_eq!((info.state, info.pairs), (RunState::Finished, 12));
}

#[test]
fn a_run_that_was_to_be_short_is_made_longer() {
    let project = Project::new();
    let long = project.sprt("--nodes 40 --max-pairs 12 --pgn long.pgn");
    let short = project.sprt("--nodes 40 --max-pairs 5 --threads 1 --pgn short.pgn");
    let longer = format!("sprt --resume {} --max-pairs 12 --pgn short.pgn --json --quiet", name(&short));
    let longer = project.run(&longer).json();
    assert_eq!(name(&longer), name(&short));
    assert_eq!(findings(&longer), findings(&long));
    assert_eq!(timeless(&project.read("short.pgn")), timeless(&project.read("long.pgn")));
}

#[test]
fn a_run_is_found_by_the_beginning_of_its_name() {
    let project = Project::new();
    project.run("sprt --resume x").expect(2, &["there is no store in "]);
    let first = project.sprt("--nodes 20 --max-pairs 1");
    let resume = |name: &str| project.run(&format!("sprt --max-pairs 1 --json --quiet --resume {name}"));
    assert_eq!(resume("sprt").json()["run"], first["run"]);
    let second = project.sprt("--nodes 30 --max-pairs 1");
    resume("sprt").expect(2, &["\"sprt\" begins the names of 2 runs", name(&first), name(&second)]);
    let misspelt = name(&first).replace("sprt", "sptr");
    resume(&misspelt).expect(2, &["no run in ", &format!("did you mean \"{}\"?", name(&first))]);
}

#[test]
fn two_processes_never_play_one_run() {
    let project = Project::new();
    let mut running = project.start_sprt("--nodes 300 --threads 2 --max-pairs 40 --pgn games.pgn");
    let run = project.wait_for_pairs(&mut running, 1);
    let listed = project.run("runs --json").json();
    assert_eq!((&listed[0]["state"], &listed[0]["verdict"]), (&json!("running"), &Value::Null));
    // However fast it is, it is still there.
    running.signal("STOP");
    let second = project.run(&format!("sprt --resume {run} --quiet"));
    second
        .expect(1, &[&format!("run {run} is being played by another process (pid "), ".lock): wait for it"]);
    let other = project.run("sprt base pvs --nodes 20 --max-pairs 1 --quiet --pgn games.pgn");
    other.expect(2, &["games.pgn is being written by another run: give another --pgn file"]);
    running.signal("CONT");
    running.end().expect(0, &[]);
    let report =
        project.run(&format!("sprt --resume {run} --max-pairs 40 --json --quiet --pgn games.pgn")).json();
    let undisturbed = project.sprt("--nodes 300 --max-pairs 40 --pgn undisturbed.pgn");
    assert_eq!(findings(&report), findings(&undisturbed));
    assert_eq!(timeless(&project.read("games.pgn")), timeless(&project.read("undisturbed.pgn")));
}

#[test]
fn a_file_with_other_games_is_left_as_it_is() {
    let project = Project::new();
    let precious = "[Event \"the game of my life\"]\n\n1. e4 1-0\n";
    project.write("mine.pgn", precious);
    let new = "sprt base pvs --nodes 20 --max-pairs 2 --quiet --pgn mine.pgn";
    project.run(new).expect(2, &["mine.pgn exists already and is not overwritten: give another --pgn file"]);
    assert!(project.newest().is_none(), "a refused run is not stored");

    let report = project.sprt("--nodes 20 --max-pairs 2 --pgn games.pgn");
    let resume = format!("sprt --resume {} --quiet --max-pairs 4 --pgn", name(&report));
    project.run(&format!("{resume} mine.pgn")).expect(1, &["mine.pgn holds other games than this run"]);
    let another = project.sprt("--nodes 30 --max-pairs 2 --pgn another.pgn");
    assert_ne!(another["run"], report["run"]);
    let before = project.read("another.pgn");
    project.run(&format!("{resume} another.pgn")).expect(1, &["another.pgn holds other games than this run"]);
    assert_eq!((project.read("mine.pgn").as_str(), project.read("another.pgn")), (precious, before));

    // What a killed run left of a game is completed, and an empty file is anyone's.
    let whole = project.read("games.pgn");
    project.write("games.pgn", &whole[..whole.len() - 100]);
    project.write("empty.pgn", "");
    for file in ["games.pgn", "empty.pgn"] {
        project.run(&format!("{resume} {file}")).expect(0, &[]);
        assert!(project.read(file).starts_with(&whole) && project.read(file).len() > whole.len());
    }
    assert_eq!(project.read("games.pgn"), project.read("empty.pgn"));
}

#[test]
fn a_run_goes_on_from_any_folder_as_long_as_its_book_is_there() {
    let project = Project::new();
    project.write("books/small.epd", book::epd(30, 4));
    project.write("elsewhere/note", "");
    let report = project.sprt("--nodes 20 --max-pairs 2 --openings books/small.epd");
    let resume = format!("sprt --resume {} --quiet --json --max-pairs 3", name(&report));
    let there = || Running::start(project.harness(&resume).current_dir(project.at("elsewhere"))).end();
    assert_eq!(there().json()["games"], 6);

    std::fs::rename(project.at("books/small.epd"), project.at("moved.epd")).unwrap();
    let more = resume.replace("--max-pairs 3", "--max-pairs 4");
    Running::start(project.harness(&more).current_dir(project.at("elsewhere"))).end().expect(
        2,
        &["the book of the run, ", "books/small.epd, is no longer there; name it with --openings FILE"],
    );
    assert_eq!(project.run(&format!("{more} --openings moved.epd")).json()["games"], 8);
}

#[test]
fn a_run_does_not_stop_because_nobody_listens() {
    let project = Project::new();
    for (expect, code) in [("h1", 0), ("h0", 3)] {
        let arguments = format!("sprt base pvs --nodes 60 --elo0 -400 --elo1 -300 --expect {expect}");
        let deaf = || {
            let (reader, writer) = io::pipe().unwrap();
            drop(reader);
            writer
        };
        let mut command = project.harness(&arguments);
        assert_eq!(Running::start_with(command.stdout(deaf()).stderr(deaf())).end().code, code);
        let run = project.newest().unwrap();
        assert_eq!((run.state, run.verdict.as_deref()), (RunState::Finished, Some("h1")));
    }
}
