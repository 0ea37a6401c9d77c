//! Reading a store without the right to write it, through the real program: as another user, beside a run that is played,
//! after a kill, of an older version, empty.

mod common;

use common::project::{Ended, Project, Running};
use common::with_tmpfs;
use harness::store::{NewRun, Store, StoreError};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who may write nothing here.
const NOBODY: &str = "65534";

/// A project whose results its owner may write, and nobody else; and the program where everybody can start it.
struct Shared {
    project: Project,
    run: String,
}

impl Shared {
    fn new() -> Shared {
        let project = Project::new();
        project.write("harness.toml", "nodes = 40\nthreads = 1\nmax-moves = 8\n");
        let report = project.sprt("--max-pairs 4");
        let run = report["run"].as_str().unwrap().to_owned();
        fs::copy(env!("CARGO_BIN_EXE_harness"), project.at("program")).unwrap();
        fs::set_permissions(project.path(), Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(project.at("mine")).unwrap();
        fs::set_permissions(project.at("mine"), Permissions::from_mode(0o777)).unwrap();
        Shared { project, run }
    }

    fn database(&self) -> PathBuf {
        self.project.at("results/harness.db")
    }

    /// Lets nobody write; the owner of the files is root, or who runs this test.
    fn lock(&self) {
        self.set_modes(0o555, 0o444);
    }

    fn unlock(&self) {
        self.set_modes(0o755, 0o644);
    }

    fn set_modes(&self, of_folder: u32, of_files: u32) {
        let results = self.project.at("results");
        for entry in fs::read_dir(&results).unwrap() {
            fs::set_permissions(entry.unwrap().path(), Permissions::from_mode(of_files)).unwrap();
        }
        fs::set_permissions(results, Permissions::from_mode(of_folder)).unwrap();
    }

    /// Runs the program as somebody who may not write the results.
    fn read(&self, arguments: &str) -> Ended {
        let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
        let mut command = match is_root {
            true => {
                let mut command = Command::new("setpriv");
                command.args([&format!("--reuid={NOBODY}"), &format!("--regid={NOBODY}"), "--clear-groups"]);
                command.arg(self.project.at("program"));
                command
            }
            false => Command::new(self.project.at("program")),
        };
        Running::start(command.args(arguments.split_whitespace()).current_dir(self.project.path())).end()
    }

    /// Every command that reads tells what it does to whoever may write, and leaves nothing behind.
    fn all_is_read(&self) {
        let before = listed(&self.project.at("results"));
        let run = &self.run;
        for command in [
            "runs".to_owned(),
            format!("show {run}"),
            format!("show {run} --json"),
            format!("show {run} --game 3"),
            format!("compare {run} 3±100"),
            format!("verify {run}"),
            format!("plan --from {run} --draw-ratio 0.5 --runs 10 --elo 0 --elo1 90"),
        ] {
            let (other, owner) = (self.read(&command), self.project.run(&command));
            assert_eq!(
                (other.code, &other.out, &other.err),
                (owner.code, &owner.out, &owner.err),
                "{command}"
            );
        }
        let report = self.read(&format!("report {run} --out mine/report"));
        assert_eq!((report.code, report.out.lines().count()), (0, 3), "{report:?}");
        fs::remove_dir_all(self.project.at("mine/report")).unwrap();
        assert_eq!(listed(&self.project.at("results")), before);
    }
}

/// The names and lengths of the files of a folder.
fn listed(folder: &Path) -> Vec<(String, u64)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut listed: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().len()))
        .collect();
    listed.sort();
    listed
}

#[test]
fn another_users_store_is_read() {
    let shared = Shared::new();
    shared.lock();
    shared.all_is_read();
    let refused = shared.read(&format!("report {}", shared.run));
    refused.expect(1, &["cannot be made: Permission denied", "name another folder with --out"]);
    shared.read("sprt base pvs --max-pairs 1").expect(1, &["results/harness.db cannot be written"]);
    let resumed = shared.read(&format!("sprt --resume {} --max-pairs 5", shared.run));
    resumed.expect(1, &["cannot be written"]);
    // Files that may be written in a folder that may not, and the reverse.
    for [of_folder, of_files] in [[0o555, 0o666], [0o777, 0o444]] {
        shared.set_modes(of_folder, of_files);
        shared.all_is_read();
    }
    shared.unlock();
    fs::set_permissions(shared.database(), Permissions::from_mode(0o000)).unwrap();
    shared.read("runs").expect(1, &["harness.db cannot be read (Permission denied", "make it readable"]);
}

#[test]
fn a_store_is_read_while_its_owner_plays() {
    let shared = Shared::new();
    let mut playing = Running::start(
        &mut shared.project.harness("sprt base pvs --nodes 2000 --seed 2 --elo0=-0.01 --elo1 0.01"),
    );
    let mut run = String::new();
    playing.wait_until("pairs are stored", || {
        let newest = shared.project.newest().unwrap();
        run.clone_from(&newest.id);
        newest.id != shared.run && newest.pairs >= 2
    });
    let listed = shared.read("runs");
    assert!(listed.code == 0 && listed.out.starts_with(&format!("{run}  running ")), "{listed:?}");
    let shown = shared.read(&format!("show {run} --json"));
    assert!(shown.json()["games"].as_u64().unwrap() >= 4, "{shown:?}");
    playing.kill();

    // What it left in the log is read, or it is said who can read it.
    let log = shared.project.at("results/harness.db-wal");
    assert!(fs::metadata(&log).unwrap().len() > 0, "the kill left a log");
    let listed = shared.read("runs");
    match listed.code {
        0 => assert!(listed.out.starts_with(&format!("{run}  interrupted ")), "{listed:?}"),
        _ => listed.expect(1, &["harness.db-wal holds games that only somebody who may write can add"]),
    }
    assert!(shared.project.run("runs").out.starts_with(&format!("{run}  interrupted ")));
    shared.all_is_read();
}

#[test]
fn an_older_schema_is_read_as_it_is() {
    let shared = Shared::new();
    let version = |expected: i64| {
        let connection = Connection::open(shared.database()).unwrap();
        let found: i64 = connection.query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
        assert_eq!(found, expected);
    };
    Connection::open(shared.database())
        .unwrap()
        .execute_batch(
            "ALTER TABLE games DROP COLUMN telemetry; ALTER TABLE games DROP COLUMN own_millis;
             ALTER TABLE games DROP COLUMN details; ALTER TABLE runs DROP COLUMN counted;
             ALTER TABLE runs DROP COLUMN goal;
             ALTER TABLE runs DROP COLUMN label; ALTER TABLE runs DROP COLUMN note; PRAGMA user_version = 1",
        )
        .unwrap();
    shared.lock();
    shared.all_is_read();
    // Nor does its owner change it by looking.
    shared.unlock();
    shared.all_is_read();
    version(1);
    shared.project.run(&format!("sprt --resume {} --max-pairs 5 --quiet", shared.run)).expect(0, &[]);
    version(4);
}

#[test]
fn an_empty_file_is_told_as_one() {
    let shared = Shared::new();
    for (content, words) in [("", "is empty (0 bytes"), ("no database", "cannot be read as a store")] {
        fs::write(shared.database(), content).unwrap();
        for command in ["runs", "show x", "compare x 1±1", "verify x", "report x"] {
            let code = if content.is_empty() { 2 } else { 1 };
            shared.project.run(command).expect(code, &["results/harness.db", words]);
            shared.read(command).expect(code, &["results/harness.db", words]);
        }
    }
    fs::write(shared.database(), "").unwrap();
    Connection::open(shared.database()).unwrap().execute_batch("VACUUM").unwrap();
    shared.project.run("runs").expect(2, &["is empty (", "no run has been stored in it"]);
    // A run may begin in it.
    shared.project.sprt("--max-pairs 1");
    assert_eq!(shared.project.run("runs").out.lines().count(), 1);
}

/// Where SQLite cannot follow who writes, it is looked at the file before and after.
#[test]
fn what_was_written_meanwhile_is_noticed() {
    with_tmpfs("what_was_written_meanwhile_is_noticed", "4m", |disk| {
        let new =
            |id| NewRun { id, kind: "sprt", question: "?", spec_json: "{}", digest: "d", goal_json: "{}" };
        Store::open(disk.path()).unwrap().create_run(&new("first")).unwrap();
        disk.remount("ro");
        let runs = |store: &Store| store.runs().map(|runs| runs.len());
        assert_eq!(Store::read::<_, StoreError>(disk.path(), runs).unwrap(), 1);

        let file = disk.path().join("harness.db");
        let writes: [&dyn Fn(); 3] = [
            &|| Store::open(disk.path()).unwrap().create_run(&new("second")).unwrap(),
            &|| {
                fs::copy(&file, disk.path().join("other")).unwrap();
                fs::rename(disk.path().join("other"), &file).unwrap();
            },
            // Played by somebody from here on.
            &|| std::mem::forget(Store::open(disk.path()).unwrap().lock_run("first").unwrap()),
        ];
        for write in writes {
            disk.remount("ro");
            let outcome = Store::read(disk.path(), |store| {
                disk.remount("rw");
                write();
                runs(store)
            });
            let error = outcome.unwrap_err();
            assert_eq!(error, StoreError::Changed { file: file.clone() }, "{error}");
        }
    });
}
