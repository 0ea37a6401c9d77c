//! Runs of the store: what each asked, and what came out.

use super::lock::{self, RunLock};
use super::schema::{self, NOW};
use super::{Store, StoreError};
use engine::suggest::nearest;
use rusqlite::{Connection, ErrorCode, Row};

/// What identifies a run, written once at its start.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// Its name, as from [`Store::new_run_id`].
    pub id: &'a str,
    /// The kind of experiment: `sprt`, `match`, …
    pub kind: &'a str,
    /// What is asked, for people.
    pub question: &'a str,
    /// The whole experiment with every default resolved, JSON.
    pub spec_json: &'a str,
    /// SHA-256 of what decides the games, hexadecimal.
    pub digest: &'a str,
    /// How far it is to go, JSON.
    pub goal_json: &'a str,
}

/// Whether a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// A process is playing it now.
    Running,
    /// It has no verdict, and nobody plays it.
    Interrupted,
    /// Its verdict is stored.
    Finished,
}

impl RunState {
    /// The name in reports: `running`, `interrupted`, `finished`.
    pub const fn as_str(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Interrupted => "interrupted",
            RunState::Finished => "finished",
        }
    }
}

/// A stored run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInfo {
    /// Its name.
    pub id: String,
    /// The kind of experiment.
    pub kind: String,
    /// What is asked, for people.
    pub question: String,
    /// The whole experiment, JSON.
    pub spec_json: String,
    /// SHA-256 of what decides the games.
    pub digest: String,
    /// When it began, UTC, RFC 3339.
    pub created: String,
    /// What came out; none before the end, or if pairs were added after it.
    pub verdict: Option<String>,
    /// The figures that came out, JSON.
    pub summary_json: Option<String>,
    /// When it ended, UTC, RFC 3339.
    pub finished: Option<String>,
    /// How many pairs were counted when it ended: others, which were under way, may be stored after them.
    pub counted: Option<u64>,
    /// How far it was asked to go last, JSON; none of runs that were stored before that was.
    pub goal_json: Option<String>,
    /// A word or two by which people know it.
    pub label: Option<String>,
    /// What people say of it.
    pub note: Option<String>,
    /// Whether it is over.
    pub state: RunState,
    /// How many pairs are stored.
    pub pairs: u64,
}

impl RunInfo {
    /// How many games are stored.
    pub const fn games(&self) -> u64 {
        2 * self.pairs
    }
}

/// A time in which one process played a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The program and its version.
    pub program: String,
    /// Games in parallel.
    pub threads: u32,
    /// When it began, UTC, RFC 3339.
    pub started: String,
    /// When it last stored something, UTC, RFC 3339.
    pub updated: String,
    /// From its begin to its last update, microseconds.
    pub wall_micros: u64,
    /// The time the players of its stored games took, all threads together, microseconds.
    pub search_micros: u64,
}

/// The columns of runs as this version knows them.
fn select_runs(connection: &Connection) -> rusqlite::Result<String> {
    let counted = schema::column(connection, ("runs", "counted"), "json_extract(summary, '$.games') / 2")?;
    let goal = schema::column(connection, ("runs", "goal"), "NULL")?;
    let label = schema::column(connection, ("runs", "label"), "NULL")?;
    let note = schema::column(connection, ("runs", "note"), "NULL")?;
    Ok(format!(
        "SELECT id, kind, question, spec, digest, created, verdict, summary, finished, {counted}, {goal}, {label}, {note},
                (SELECT count(*) FROM pairs WHERE pairs.run = runs.id) AS pairs
         FROM runs"
    ))
}

impl Store {
    /// A name for a new run: its kind, the time in UTC and four random characters, so that names sort by time.
    pub fn new_run_id(&self, kind: &str) -> Result<String, StoreError> {
        loop {
            let (time, random): (String, i64) = self
                .connection
                .query_row("SELECT strftime('%Y%m%d-%H%M%S', 'now'), random()", (), |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .map_err(|error| self.error(error))?;
            let id = format!("{kind}-{time}-{}", four_characters(random as u64));
            check_name(&id)?;
            if !self.ids()?.contains(&id) {
                return Ok(id);
            }
        }
    }

    /// Stores a new run.
    ///
    /// # Errors
    /// [`StoreError::RunExists`] for a name that is taken, [`StoreError::BadRunName`] for one that cannot be
    /// the name of a file; nothing is changed then.
    pub fn create_run(&self, run: &NewRun) -> Result<(), StoreError> {
        check_name(run.id)?;
        let sql = format!(
            "INSERT INTO runs (id, kind, question, spec, digest, goal, created) VALUES (?, ?, ?, ?, ?, ?, {NOW})
             ON CONFLICT (id) DO NOTHING"
        );
        let NewRun { id, kind, question, spec_json, digest, goal_json } = *run;
        match self.connection.execute(&sql, (id, kind, question, spec_json, digest, goal_json)) {
            Ok(0) => Err(StoreError::RunExists { file: self.file(), run: id.to_owned() }),
            Ok(_) => Ok(()),
            Err(error) => Err(self.error_of_json(error, "the experiment")),
        }
    }

    /// The run of this name, or the only one whose name begins so.
    ///
    /// # Errors
    /// [`StoreError::UnknownRun`] with the nearest name, [`StoreError::AmbiguousRun`] with all it may mean.
    pub fn run(&self, name: &str) -> Result<RunInfo, StoreError> {
        let id = self.resolve(name)?;
        let read = || {
            let runs = select_runs(&self.connection)?;
            self.connection.query_row(&format!("{runs} WHERE id = ?"), [id], |row| self.run_info(row))
        };
        read().map_err(|error| self.error(error))
    }

    /// All runs, newest first.
    pub fn runs(&self) -> Result<Vec<RunInfo>, StoreError> {
        let runs = select_runs(&self.connection).map_err(|error| self.error(error))?;
        self.query_all(&format!("{runs} ORDER BY rowid DESC"), (), |row| self.run_info(row))
    }

    /// The sessions in which a run was played, in order.
    pub fn sessions(&self, run: &str) -> Result<Vec<Session>, StoreError> {
        let sql = "SELECT program, threads, started, updated, wall_micros, search_micros
                   FROM sessions WHERE run = ? ORDER BY id";
        self.query_all(sql, [run], |row| {
            Ok(Session {
                program: row.get("program")?,
                threads: row.get("threads")?,
                started: row.get("started")?,
                updated: row.get("updated")?,
                wall_micros: row.get("wall_micros")?,
                search_micros: row.get("search_micros")?,
            })
        })
    }

    /// Takes the right to play a run; the run is named in full.
    ///
    /// # Errors
    /// [`StoreError::Locked`] while another process has it.
    pub fn lock_run(&self, run: &str) -> Result<RunLock, StoreError> {
        let ids = self.ids()?;
        if !ids.iter().any(|id| id == run) {
            return Err(self.unknown(run, &ids));
        }
        RunLock::acquire(&self.dir, run)
    }

    /// Stores how far a run is asked to go now.
    pub fn set_goal(&self, run: &str, goal_json: &str) -> Result<(), StoreError> {
        self.update("UPDATE runs SET goal = ? WHERE id = ?", (goal_json, run), (run, "the goal"))
    }

    /// Stores what people say of a run, which decides nothing: an empty text takes it away, none leaves it.
    pub fn describe(&self, run: &str, label: Option<&str>, note: Option<&str>) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET label = nullif(coalesce(?1, label), ''), note = nullif(coalesce(?2, note), '') WHERE id = ?3";
        self.update(sql, (label, note, run), (run, "the note"))
    }

    /// Removes a run with all its games, which nothing brings back. Who holds its lock plays it no more.
    pub fn delete(&mut self, lock: &RunLock) -> Result<(), StoreError> {
        let run = lock.run();
        let deleted = (|| {
            let transaction = self.connection.transaction()?;
            for table in ["games", "pairs", "sessions"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE run = ?"), [run])?;
            }
            transaction.execute("DELETE FROM runs WHERE id = ?", [run])?;
            transaction.commit()
        })();
        deleted.map_err(|error| self.error(error))
    }

    /// Stores what came out of a run that counts so many pairs, after its [`Writer`](super::Writer) has finished: pairs stored
    /// later take the verdict back.
    pub fn finish(
        &self,
        run: &str,
        counted: u64,
        (verdict, summary_json): (&str, &str),
    ) -> Result<(), StoreError> {
        let sql =
            format!("UPDATE runs SET counted = ?, verdict = ?, summary = ?, finished = {NOW} WHERE id = ?");
        self.update(&sql, (counted, verdict, summary_json, run), (run, "the summary"))
    }

    /// Changes the row of a run.
    fn update(
        &self,
        sql: &str,
        parameters: impl rusqlite::Params,
        (run, json): (&str, &str),
    ) -> Result<(), StoreError> {
        self.check_that_it_is_still_there()?;
        match self.connection.execute(sql, parameters) {
            Ok(0) => Err(self.unknown(run, &self.ids()?)),
            Ok(_) => Ok(()),
            Err(error) => Err(self.error_of_json(error, json)),
        }
    }

    fn run_info(&self, row: &Row) -> rusqlite::Result<RunInfo> {
        let id: String = row.get("id")?;
        let finished: Option<String> = row.get("finished")?;
        let state = match &finished {
            _ if lock::is_held(&self.dir, &id) => RunState::Running,
            Some(_) => RunState::Finished,
            None => RunState::Interrupted,
        };
        Ok(RunInfo {
            id,
            kind: row.get("kind")?,
            question: row.get("question")?,
            spec_json: row.get("spec")?,
            digest: row.get("digest")?,
            created: row.get("created")?,
            verdict: row.get("verdict")?,
            summary_json: row.get("summary")?,
            finished,
            counted: row.get("counted")?,
            goal_json: row.get("goal")?,
            label: row.get("label")?,
            note: row.get("note")?,
            state,
            pairs: row.get("pairs")?,
        })
    }

    /// The full name of the run meant by a name or the beginning of one.
    fn resolve(&self, name: &str) -> Result<String, StoreError> {
        let ids = self.ids()?;
        if ids.iter().any(|id| id == name) {
            return Ok(name.to_owned());
        }
        // An empty name is a script's unset variable, not the beginning of every run's.
        let is_meant = |id: &&String| !name.is_empty() && id.starts_with(name);
        let mut matches: Vec<_> = ids.iter().filter(is_meant).cloned().collect();
        match matches.len() {
            0 => Err(self.unknown(name, &ids)),
            1 => Ok(matches.remove(0)),
            _ => Err(StoreError::AmbiguousRun { file: self.file(), prefix: name.to_owned(), matches }),
        }
    }

    fn unknown(&self, name: &str, ids: &[String]) -> StoreError {
        let nearest = nearest(name, ids.iter().map(String::as_str)).map(str::to_owned);
        StoreError::UnknownRun { file: self.file(), run: name.to_owned(), nearest }
    }

    /// The names of all runs, newest first.
    fn ids(&self) -> Result<Vec<String>, StoreError> {
        self.query_all("SELECT id FROM runs ORDER BY rowid DESC", (), |row| row.get(0))
    }

    /// The tables refuse a text that should be JSON and is not.
    fn error_of_json(&self, error: rusqlite::Error, what: &str) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => {
                StoreError::Other { file: self.file(), reason: format!("{what} is not valid JSON") }
            }
            _ => self.error(error),
        }
    }
}

/// Twenty bits in digits and letters that are not mistaken for each other (Crockford's base 32).
fn four_characters(random: u64) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    (0..4).map(|place| char::from(ALPHABET[(random >> (5 * place)) as usize % 32])).collect()
}

/// The name becomes part of the lock file's.
fn check_name(id: &str) -> Result<(), StoreError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if id.len() <= 100 && id.starts_with(|c: char| c.is_ascii_alphanumeric()) && id.chars().all(plain) {
        Ok(())
    } else {
        Err(StoreError::BadRunName { run: id.to_owned() })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tempfile::TempDir;

    pub(in super::super) fn new_run(id: &str) -> NewRun<'_> {
        NewRun {
            id,
            kind: "sprt",
            question: "better?",
            spec_json: r#"{"nodes":5000}"#,
            digest: "d1",
            goal_json: "{}",
        }
    }

    /// A store with the run `r` and a session of it.
    pub(in super::super) fn store() -> (TempDir, Store, i64) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.create_run(&new_run("r")).unwrap();
        let session = super::super::writer::begin_session(
            &store.connection,
            "r",
            &super::super::NewSession { program: "harness 0", threads: 2 },
        );
        (folder, store, session.unwrap())
    }

    #[test]
    fn a_run_is_what_was_stored_and_its_verdict_what_was_found() {
        let (_folder, store, _) = store();
        let run = store.run("r").unwrap();
        assert_eq!(
            (run.kind.as_str(), run.question.as_str(), run.digest.as_str()),
            ("sprt", "better?", "d1")
        );
        assert_eq!(run.spec_json, r#"{"nodes":5000}"#);
        assert_eq!((run.state, run.games(), run.verdict), (RunState::Interrupted, 0, None));
        assert_eq!(run.created.len(), "2026-11-29T20:32:29Z".len());

        store.finish("r", 7, ("h1", r#"{"llr":2.95}"#)).unwrap();
        let run = store.run("r").unwrap();
        assert_eq!(run.state.as_str(), "finished");
        assert_eq!(run.verdict.as_deref(), Some("h1"));
        assert_eq!(run.summary_json.as_deref(), Some(r#"{"llr":2.95}"#));
        assert!(run.finished.unwrap() >= run.created);
        assert_eq!((run.counted, run.goal_json.as_deref()), (Some(7), Some("{}")));
        store.set_goal("r", r#"{"max_pairs":9}"#).unwrap();
        assert_eq!(store.run("r").unwrap().goal_json.as_deref(), Some(r#"{"max_pairs":9}"#));

        let lock = store.lock_run("r").unwrap();
        assert_eq!(store.run("r").unwrap().state, RunState::Running, "someone continues it");
        drop(lock);
        assert_eq!(store.run("r").unwrap().state, RunState::Finished);
    }

    #[test]
    fn a_name_is_given_once() {
        let (_folder, store, _) = store();
        let error = store.create_run(&NewRun { digest: "d2", ..new_run("r") }).unwrap_err();
        assert!(matches!(error, StoreError::RunExists { .. }), "{error}");
        assert_eq!(store.run("r").unwrap().digest, "d1");
        for bad in ["", "../r", "a/b", ".r", "a b", "ü", &"x".repeat(101)] {
            let error = store.create_run(&new_run(bad)).unwrap_err();
            assert!(matches!(error, StoreError::BadRunName { .. }), "{error}");
        }
    }

    #[test]
    fn new_names_are_plain_unique_and_sort_by_time() {
        let (_folder, store, _) = store();
        let mut names = std::collections::BTreeSet::new();
        for _ in 0..50 {
            let id = store.new_run_id("sprt").unwrap();
            assert_eq!(id.len(), "sprt-20261129-203229-k3f9".len(), "{id}");
            store.create_run(&new_run(&id)).unwrap();
            names.insert(id);
        }
        assert_eq!(names.len(), 50);
        assert!(store.new_run_id("a/b").is_err());
    }

    #[test]
    fn a_run_is_found_by_the_beginning_of_its_name() {
        let (_folder, store, _) = store();
        for id in ["sprt-1", "sprt-12", "match-1"] {
            store.create_run(&new_run(id)).unwrap();
        }
        assert_eq!(store.run("m").unwrap().id, "match-1");
        assert_eq!(store.run("sprt-1").unwrap().id, "sprt-1", "a whole name means itself");
        let ambiguous = store.run("sprt").unwrap_err().to_string();
        assert!(ambiguous.contains("begins the names of 2 runs") && ambiguous.contains("sprt-12, sprt-1"));
        let unknown = store.run("mtach-1").unwrap_err().to_string();
        assert!(unknown.contains("did you mean \"match-1\"?"), "{unknown}");
        let ids: Vec<_> = store.runs().unwrap().into_iter().map(|run| run.id).collect();
        assert_eq!(ids, ["match-1", "sprt-12", "sprt-1", "r"], "newest first");
        assert!(matches!(store.lock_run("sprt"), Err(StoreError::UnknownRun { .. })));
        assert!(matches!(store.finish("sprt", 0, ("h0", "{}")), Err(StoreError::UnknownRun { .. })));
    }

    #[test]
    fn what_should_be_json_is_json() {
        let (_folder, store, _) = store();
        let error = store.create_run(&NewRun { spec_json: "{", ..new_run("x") }).unwrap_err();
        assert!(error.to_string().contains("the experiment is not valid JSON"), "{error}");
        let error = store.finish("r", 0, ("h1", "NaN")).unwrap_err();
        assert!(error.to_string().contains("the summary is not valid JSON"), "{error}");
        assert_eq!(store.run("r").unwrap().verdict, None);
    }
}
