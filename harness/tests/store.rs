//! The store when processes die, disks fill up, and files are not what they should be.

mod common;

use common::with_tmpfs;
use harness::game::record::{
    GameRecord, GameResult, MoveRecord, PairRecord, Score, Side, Telemetry, Termination,
};
use harness::store::{FILE_NAME, NewRun, NewSession, RunState, Store, StoreError, Writer};
use rusqlite::Connection;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const RUN: &str = "sprt-1";

fn pair(index: u64) -> PairRecord {
    let game = |white| GameRecord {
        opening: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        white,
        moves: ["g1f3", "g8f6", "f3g1", "f6g8"]
            .into_iter()
            .cycle()
            .take(40)
            .map(|uci| MoveRecord {
                uci: uci.parse().unwrap(),
                score: Some(Score::Centipawns(index as i32)),
                depth: 9,
                nodes: 5_000 + index,
                micros: 10,
                own_ms: None,
            })
            .collect(),
        result: GameResult::Draw,
        termination: Termination::Repetition,
        detail: String::new(),
        telemetry: Telemetry::default(),
        details: None,
    };
    PairRecord { index, games: [game(Side::Candidate), game(Side::Base)] }
}

fn new_run(id: &str) -> NewRun<'_> {
    NewRun { id, kind: "sprt", question: "is it stronger?", spec_json: "{}", digest: "d", goal_json: "{}" }
}

fn store_with_run(dir: &Path) -> Store {
    let store = Store::open(dir).unwrap();
    store.create_run(&new_run(RUN)).unwrap();
    store
}

/// A writer that tells the numbers of the pairs it stored.
fn writer(store: &Store) -> (Writer, mpsc::Receiver<u64>) {
    let (told, stored) = mpsc::channel();
    let session = NewSession { program: "harness test", threads: 3 };
    let lock = store.lock_run(RUN).unwrap();
    (Writer::spawn(lock, &session, move |pair| told.send(pair.index).unwrap()).unwrap(), stored)
}

fn assert_sound(dir: &Path) {
    let connection = Connection::open(dir.join(FILE_NAME)).unwrap();
    let report: String = connection.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
    assert_eq!(report, "ok");
    assert!(!connection.prepare("PRAGMA foreign_key_check").unwrap().exists(()).unwrap());
}

/// Runs one of the tests below, marked as ignored, in a process of its own.
fn child(role: &str, dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", role, "--nocapture"])
        .env("STORE_DIR", dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The folder a child works in; none if someone runs all ignored tests.
fn folder_of_child() -> Option<std::path::PathBuf> {
    std::env::var_os("STORE_DIR").map(Into::into)
}

#[test]
#[ignore = "the process that the other tests kill while it writes"]
fn child_that_writes() {
    let Some(dir) = folder_of_child() else { return };
    let store = Store::open_existing(&dir).unwrap();
    let lock = store.lock_run(RUN).unwrap();
    let writer = Writer::spawn(lock, &NewSession { program: "child", threads: 1 }, |pair| {
        println!("stored {}", pair.index);
    });
    let writer = writer.unwrap();
    let first = store.pair_indices(RUN).unwrap().len() as u64;
    (first..).try_for_each(|index| writer.send(pair(index))).unwrap();
}

#[test]
fn pairs_are_handed_on_in_order_after_they_are_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_run(folder.path());
    let dir = folder.path().to_owned();
    let (told, stored) = mpsc::channel();
    let reader = Store::open(&dir).unwrap();
    let writer = Writer::spawn(
        store.lock_run(RUN).unwrap(),
        &NewSession { program: "harness test", threads: 3 },
        move |pair| {
            assert_eq!(reader.pairs(RUN, pair.index).next().unwrap().unwrap(), pair);
            told.send(pair.index).unwrap();
        },
    )
    .unwrap();
    assert_eq!(store.run(RUN).unwrap().state, RunState::Running);
    let sent: Vec<u64> = (0..600).rev().collect();
    for &index in &sent {
        writer.send(pair(index)).unwrap();
        writer.send(pair(index)).unwrap();
    }
    let lock = writer.finish().unwrap();
    store.finish(RUN, 1, ("h1", "{}")).unwrap();
    drop(lock);
    let twice: Vec<u64> = sent.iter().flat_map(|&index| [index, index]).collect();
    assert_eq!(stored.iter().collect::<Vec<_>>(), twice, "each as often as it was sent, for it is stored");

    let run = store.run(RUN).unwrap();
    assert_eq!((run.state, run.games()), (RunState::Finished, 1_200));
    let session = &store.sessions(RUN).unwrap()[0];
    assert_eq!((session.program.as_str(), session.threads), ("harness test", 3));
    assert_eq!(session.search_micros, 600 * 80 * 10);
    assert!(session.wall_micros > 0 && session.updated >= session.started);
    assert_sound(folder.path());
}

#[test]
fn more_pairs_take_a_verdict_back_and_other_games_stop_the_writer() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_run(folder.path());
    let (first, _stored) = writer(&store);
    first.send(pair(0)).unwrap();
    drop(first.finish().unwrap());
    store.finish(RUN, 1, ("h1", "{}")).unwrap();

    let (second, stored) = writer(&store);
    second.send(pair(0)).unwrap();
    drop(second.finish().unwrap());
    assert_eq!(stored.iter().count(), 1, "the very same pair is handed on, for it is stored");
    assert_eq!(store.run(RUN).unwrap().verdict.as_deref(), Some("h1"), "and changes nothing");

    let (third, stored) = writer(&store);
    third.send(pair(1)).unwrap();
    assert_eq!(stored.recv().unwrap(), 1);
    assert_eq!(store.run(RUN).unwrap().verdict, None);
    let mut other = pair(1);
    other.games[0].moves.pop();
    third.send(other).unwrap();
    let error = third.finish().unwrap_err();
    assert!(matches!(error, StoreError::PairExists { pair: 1, .. }), "{error}");
    assert_eq!(store.pair_indices(RUN).unwrap(), [0, 1]);
    assert_eq!(store.sessions(RUN).unwrap().len(), 3);
}

#[test]
fn a_listener_that_panics_neither_hangs_the_senders_nor_is_hushed_up() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_run(folder.path());
    let lock = store.lock_run(RUN).unwrap();
    let session = NewSession { program: "harness test", threads: 1 };
    let writer = Writer::spawn(lock, &session, |_| panic!("as this test wants it")).unwrap();
    let error = (0..).find_map(|index| writer.send(pair(index)).err()).unwrap();
    assert!(error.to_string().contains("has panicked"), "{error}");
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| writer.finish()));
    assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&"as this test wants it"));
    assert_eq!(store.run(RUN).unwrap().state, RunState::Interrupted);
}

#[test]
fn nothing_told_is_lost_when_the_process_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_run(folder.path());
    let mut expected = 0;
    for round in 1..=5 {
        let mut process = child("child_that_writes", folder.path());
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
        let told = |line: String| line.strip_prefix("stored ").and_then(|index| index.parse::<u64>().ok());
        let deadline = Instant::now() + Duration::from_millis(20 * round);
        let mut last = lines.by_ref().find_map(told).expect("the child stores something");
        while Instant::now() < deadline {
            last = lines.next().and_then(told).unwrap();
        }
        assert_eq!(store.run(RUN).unwrap().state, RunState::Running);
        let error = store.lock_run(RUN).unwrap_err();
        assert_eq!(
            error,
            StoreError::Locked {
                file: folder.path().join("sprt-1.lock"),
                run: RUN.to_owned(),
                pid: Some(process.id())
            }
        );
        process.kill().unwrap();
        process.wait().unwrap();
        // The last line may be cut short where the process died.
        last = lines
            .filter(|line| line.ends_with(|c: char| c.is_ascii_digit()))
            .filter_map(told)
            .fold(last, u64::max);

        assert_eq!(store.run(RUN).unwrap().state, RunState::Interrupted);
        drop(store.lock_run(RUN).unwrap());
        assert_sound(folder.path());
        let indices = store.pair_indices(RUN).unwrap();
        assert_eq!(indices, (0..indices.len() as u64).collect::<Vec<_>>());
        assert!(
            indices.len() as u64 > last && last >= expected,
            "{last} was told, {} are stored",
            indices.len()
        );
        for (stored, index) in store.pairs(RUN, 0).zip(0..) {
            assert_eq!(stored.unwrap(), pair(index));
        }
        expected = indices.len() as u64;
        let sessions = store.sessions(RUN).unwrap();
        assert_eq!(sessions.len() as u64, round);
        assert_eq!(sessions.iter().map(|session| session.search_micros).sum::<u64>(), expected * 800);
    }
}

#[test]
fn two_processes_write_two_runs_of_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_run(folder.path());
    let mut process = child("child_that_writes", folder.path());
    store.create_run(&new_run("other")).unwrap();
    let session = NewSession { program: "harness test", threads: 1 };
    let writer = Writer::spawn(store.lock_run("other").unwrap(), &session, drop).unwrap();
    for index in 0..500 {
        writer.send(pair(index)).unwrap();
    }
    writer.finish().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while store.pair_indices(RUN).unwrap().is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    assert_eq!(store.run("other").unwrap().pairs, 500);
    assert!(store.run(RUN).unwrap().pairs > 0);
    assert_sound(folder.path());
}

#[test]
fn many_may_create_the_store_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..10 {
        let dir = folder.path().join(round.to_string());
        std::thread::scope(|scope| {
            for number in 0..6 {
                let dir = &dir;
                scope.spawn(move || {
                    Store::open(dir).unwrap().create_run(&new_run(&format!("r{number}"))).unwrap()
                });
            }
        });
        assert_eq!(Store::open_existing(&dir).unwrap().runs().unwrap().len(), 6);
    }
}

#[test]
fn a_full_disk_stops_the_writer_keeps_every_told_pair_and_is_resumed_from() {
    let name = "a_full_disk_stops_the_writer_keeps_every_told_pair_and_is_resumed_from";
    with_tmpfs(name, "1m", |disk| {
        let store = store_with_run(disk.path());
        let (first, stored) = writer(&store);
        let (done, outcome) = mpsc::channel();
        std::thread::scope(|scope| {
            for player in 0..3 {
                let (first, done) = (&first, done.clone());
                scope.spawn(move || {
                    let error = (0..).find_map(|round| first.send(pair(3 * round + player)).err());
                    done.send(error.unwrap()).unwrap();
                });
            }
            for _ in 0..3 {
                let error = outcome.recv_timeout(Duration::from_secs(60)).expect("no sender hangs");
                assert_eq!(error, StoreError::DiskFull { file: disk.path().join(FILE_NAME) });
                assert!(error.to_string().contains("free some space, then resume the run"));
            }
        });
        assert!(matches!(first.finish(), Err(StoreError::DiskFull { .. })));
        let told: std::collections::BTreeSet<u64> = stored.iter().collect();
        assert!(told.len() > 10, "{told:?}");
        let indices = store.pair_indices(RUN).unwrap();
        assert_eq!(indices, told.iter().copied().collect::<Vec<_>>(), "readable while the disk is full");
        drop(store);
        let reopened = Store::open_existing(disk.path()).unwrap();
        assert_eq!(reopened.pair_indices(RUN).unwrap(), indices, "and opened again then");
        drop(reopened);

        disk.remount("size=16m");
        let store = Store::open_existing(disk.path()).unwrap();
        assert_sound(disk.path());
        assert_eq!(store.pair_indices(RUN).unwrap(), indices);
        let (second, stored) = writer(&store);
        let missing: Vec<u64> = (0..1_000).filter(|index| !told.contains(index)).collect();
        for &index in &missing {
            second.send(pair(index)).unwrap();
        }
        second.finish().unwrap();
        assert_eq!(stored.iter().collect::<Vec<_>>(), missing);
        let last = indices.last().map_or(1_000, |last| (last + 1).max(1_000));
        assert_eq!(store.run(RUN).unwrap().pairs, 1_000 + told.range(1_000..last).count() as u64);
        assert_sound(disk.path());
    });
}

#[test]
fn a_read_only_disk_is_read_and_not_written() {
    with_tmpfs("a_read_only_disk_is_read_and_not_written", "4m", |disk| {
        let empty = disk.path().join("empty");
        let dir = disk.path().join("100% odd?name#");
        std::fs::create_dir(&empty).unwrap();
        let store = store_with_run(&dir);
        let (writer, _stored) = writer(&store);
        writer.send(pair(0)).unwrap();
        drop(writer.finish().unwrap());
        drop(store);
        disk.remount("ro");

        for refused in [Store::open(&dir), Store::open(&empty), Store::open(&empty.join("new"))] {
            let error = refused.unwrap_err();
            assert!(matches!(error, StoreError::NotWritable { .. }), "{error}");
            assert!(
                error.to_string().contains("make it writable, or choose another results folder"),
                "{error}"
            );
        }
        let store = Store::open_existing(&dir).unwrap();
        assert_eq!(store.run("sprt").unwrap().state, RunState::Interrupted);
        assert_eq!(store.pairs(RUN, 0).next().unwrap().unwrap(), pair(0));
        for error in [
            store.lock_run(RUN).map(drop).unwrap_err(),
            store.create_run(&new_run("x")).unwrap_err(),
            store.finish(RUN, 1, ("h0", "{}")).unwrap_err(),
        ] {
            assert!(matches!(error, StoreError::NotWritable { .. }), "{error}");
        }
    });
}

/// The schema of version 1 as it was released: changing it here means breaking the stores of users.
const VERSION_1: &str = r#"
    PRAGMA application_id = 1397772884;
    CREATE TABLE runs (id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, question TEXT NOT NULL,
        spec TEXT NOT NULL CHECK (json_valid(spec)), digest TEXT NOT NULL, created TEXT NOT NULL,
        verdict TEXT, summary TEXT CHECK (json_valid(summary)), finished TEXT) STRICT;
    CREATE TABLE sessions (id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id), program TEXT NOT NULL,
        threads INTEGER NOT NULL, started TEXT NOT NULL, updated TEXT NOT NULL, wall_micros INTEGER NOT NULL,
        search_micros INTEGER NOT NULL) STRICT;
    CREATE INDEX sessions_of_run ON sessions (run);
    CREATE TABLE pairs (run TEXT NOT NULL REFERENCES runs (id), number INTEGER NOT NULL CHECK (number >= 0),
        session INTEGER NOT NULL REFERENCES sessions (id), PRIMARY KEY (run, number)) STRICT, WITHOUT ROWID;
    CREATE TABLE games (run TEXT NOT NULL, pair INTEGER NOT NULL, game INTEGER NOT NULL CHECK (game IN (0, 1)),
        opening TEXT NOT NULL, white TEXT NOT NULL, result TEXT NOT NULL, termination TEXT NOT NULL,
        detail TEXT NOT NULL, moves TEXT NOT NULL, scores TEXT NOT NULL, depths TEXT NOT NULL, nodes TEXT NOT NULL,
        micros TEXT NOT NULL, PRIMARY KEY (run, pair, game),
        FOREIGN KEY (run, pair) REFERENCES pairs (run, number)) STRICT;
    INSERT INTO runs VALUES ('old', 'sprt', 'is it?', '{"nodes":1}', 'd', '2026-11-29T20:32:29Z', 'h0', '{}',
        '2026-11-29T21:00:00Z');
    INSERT INTO sessions VALUES (1, 'old', 'harness 0.1.0', 2, '2026-11-29T20:32:29Z', '2026-11-29T21:00:00Z', 9, 8);
    INSERT INTO pairs VALUES ('old', 0, 1);
    INSERT INTO games VALUES ('old', 0, 0, '8/8/8/8/8/4k3/8/4K2R w K - 0 1', 'candidate', '1-0', 'illegal move',
        'e9', 'e1g1 e3e4', '#-3 -', '4 0', '123 0', '5 6');
    INSERT INTO games VALUES ('old', 0, 1, '8/8/8/8/8/4k3/8/4K2R w K - 0 1', 'base', '1/2-1/2', 'stalemate',
        '', '', '', '', '', '');
    PRAGMA user_version = 1;
"#;

#[test]
fn a_store_of_version_1_is_read_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    Connection::open(folder.path().join(FILE_NAME)).unwrap().execute_batch(VERSION_1).unwrap();
    let store = Store::open(folder.path()).unwrap();
    let run = store.run("old").unwrap();
    assert_eq!((run.verdict.as_deref(), run.pairs, run.state), (Some("h0"), 1, RunState::Finished));
    let pair = store.pairs("old", 0).next().unwrap().unwrap();
    assert_eq!(pair.category(), 3);
    assert_eq!(pair.games[0].termination, Termination::IllegalMove);
    assert_eq!(pair.games[0].moves[0].score, Some(Score::Mate(-3)));
    assert_eq!((pair.games[0].moves[1].score, pair.games[0].moves[1].micros), (None, 6));
    assert!(pair.games[1].moves.is_empty());
    store.create_run(&new_run("new")).unwrap();
    assert_eq!(store.runs().unwrap()[0].id, "new");
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE_NAME);
    drop(Store::open(folder.path()).unwrap());
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 99).unwrap();
    for refused in [Store::open(folder.path()), Store::open_existing(folder.path())] {
        let error = refused.unwrap_err();
        assert!(matches!(error, StoreError::NewerSchema { found: 99, known: 4, .. }), "{error}");
        assert!(error.to_string().contains("use that version, or another results folder"), "{error}");
    }
}

#[test]
fn what_is_not_a_store_is_named_and_not_touched() {
    let valid = {
        let folder = tempfile::tempdir().unwrap();
        drop(store_with_run(folder.path()));
        std::fs::read(folder.path().join(FILE_NAME)).unwrap()
    };
    let foreign = {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("photos.db");
        Connection::open(&file)
            .unwrap()
            .execute_batch("CREATE TABLE photos (x); PRAGMA user_version = 1")
            .unwrap();
        std::fs::read(file).unwrap()
    };
    let mut scribbled = valid.clone();
    scribbled[100..1_000].fill(0x5a);
    for (what, content) in [
        ("a text", b"not a database, but a letter to someone".repeat(200)),
        ("a short text", b"hello".to_vec()),
        ("half a header", valid[..60].to_vec()),
        ("its first page", valid[..4_096].to_vec()),
        ("half of it", valid[..valid.len() / 2].to_vec()),
        ("all but a page", valid[..valid.len() - 4_096].to_vec()),
        ("scribbled over", scribbled),
        ("of another program", foreign),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE_NAME);
        std::fs::write(&file, &content).unwrap();
        for refused in [Store::open(folder.path()), Store::open_existing(folder.path())] {
            let error = refused.map(|_| what).unwrap_err();
            assert!(matches!(error, StoreError::Corrupt { .. }), "{what}: {error}");
            assert!(error.to_string().contains(FILE_NAME), "{error}");
            assert!(error.to_string().contains("restore a copy"), "{error}");
        }
        assert!(std::fs::read(&file).unwrap() == content, "{what} was changed");
    }
}

#[test]
fn games_in_a_log_without_its_database_are_not_thrown_away() {
    for content in [Some(""), None] {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("harness.db-wal");
        std::fs::write(&log, "games").unwrap();
        if let Some(content) = content {
            std::fs::write(folder.path().join(FILE_NAME), content).unwrap();
        }
        for refused in [Store::open(folder.path()), Store::open_existing(folder.path())] {
            let error = refused.unwrap_err();
            assert!(error.to_string().contains("still holds games"), "{error}");
        }
        assert_eq!(std::fs::read(&log).unwrap(), b"games");
    }
}

#[test]
fn a_folder_without_a_store_is_named_and_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let error = Store::open_existing(folder.path()).unwrap_err();
    assert_eq!(error, StoreError::NoStore { dir: folder.path().to_owned() });
    assert!(error.to_string().contains(&folder.path().display().to_string()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Store::open(&file).unwrap_err();
    assert!(matches!(error, StoreError::NotWritable { .. }), "{error}");
}
