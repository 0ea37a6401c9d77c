//! Schema of the store, and the way from an older database to the current one.
//!
//! `PRAGMA user_version` is the number of migrations a database has been through; each runs in a transaction
//! of its own, so that a crash leaves one version or the next. `PRAGMA application_id` tells a store from any
//! other SQLite database, which is refused before anything is changed in it.

use super::{StoreError, length};
use rusqlite::{Connection, MAIN_DB, Transaction, TransactionBehavior};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait for other processes that write, each of them for some milliseconds at a time.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// The present time in UTC as RFC 3339, in SQL.
pub(super) const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

/// "SPRT" in ASCII.
const APPLICATION_ID: i64 = 0x5350_5254;

/// The way from an empty file to the current schema. Append to it, never change an entry that was released.
const MIGRATIONS: &[&str] = &[VERSION_1, VERSION_2, VERSION_3, VERSION_4];

/// `games` keeps a rowid: its rows are long, for which SQLite advises against `WITHOUT ROWID`
/// (<https://www.sqlite.org/withoutrowid.html>). `pairs` lets counts and numbers be read without the games.
const VERSION_1: &str = "
PRAGMA application_id = 0x53505254;

CREATE TABLE runs (
    id       TEXT NOT NULL UNIQUE,
    kind     TEXT NOT NULL,
    question TEXT NOT NULL,
    spec     TEXT NOT NULL CHECK (json_valid(spec)),
    digest   TEXT NOT NULL,
    created  TEXT NOT NULL,
    verdict  TEXT,
    summary  TEXT CHECK (json_valid(summary)),
    finished TEXT
) STRICT;

CREATE TABLE sessions (
    id            INTEGER PRIMARY KEY,
    run           TEXT NOT NULL REFERENCES runs (id),
    program       TEXT NOT NULL,
    threads       INTEGER NOT NULL,
    started       TEXT NOT NULL,
    updated       TEXT NOT NULL,
    wall_micros   INTEGER NOT NULL,
    search_micros INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_run ON sessions (run);

CREATE TABLE pairs (
    run     TEXT NOT NULL REFERENCES runs (id),
    number  INTEGER NOT NULL CHECK (number >= 0),
    session INTEGER NOT NULL REFERENCES sessions (id),
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE games (
    run         TEXT NOT NULL,
    pair        INTEGER NOT NULL,
    game        INTEGER NOT NULL CHECK (game IN (0, 1)),
    opening     TEXT NOT NULL,
    white       TEXT NOT NULL,
    result      TEXT NOT NULL,
    termination TEXT NOT NULL,
    detail      TEXT NOT NULL,
    moves       TEXT NOT NULL,
    scores      TEXT NOT NULL,
    depths      TEXT NOT NULL,
    nodes       TEXT NOT NULL,
    micros      TEXT NOT NULL,
    PRIMARY KEY (run, pair, game),
    FOREIGN KEY (run, pair) REFERENCES pairs (run, number)
) STRICT;
";

/// The searches' own counters of each game, JSON; none in games played before they were kept, or by players that
/// do not count.
const VERSION_2: &str = "ALTER TABLE games ADD COLUMN telemetry TEXT CHECK (json_valid(telemetry))";

/// How many pairs count in a run that was ended, which every summary tells as games; and what was asked of it last, which the
/// specifications of tests, matches and sweeps told as it was when they began.
const VERSION_3: &str = "
ALTER TABLE runs ADD COLUMN counted INTEGER CHECK (counted >= 0);
ALTER TABLE runs ADD COLUMN goal TEXT CHECK (json_valid(goal));
UPDATE runs SET counted = json_extract(summary, '$.games') / 2;
UPDATE runs SET goal = json_object('max_pairs', json_extract(spec, '$.max_pairs')) WHERE kind IN ('sprt', 'match');
UPDATE runs SET goal = json_object('max_pairs', json_extract(spec, '$.max_pairs'), 'margin', json_extract(spec, '$.margin'))
    WHERE kind = 'sweep';
";

/// The time of each move on the player's own clock, and the details of games, JSON; none in games played before they were kept, or
/// by players that tell none. And what people say of runs.
const VERSION_4: &str = "
ALTER TABLE games ADD COLUMN own_millis TEXT;
ALTER TABLE games ADD COLUMN details TEXT CHECK (json_valid(details));
ALTER TABLE runs ADD COLUMN label TEXT;
ALTER TABLE runs ADD COLUMN note TEXT;
";

/// Checks that the file is a store, or empty; brings it up to date; and sets what every connection needs.
pub(super) fn prepare(connection: &Connection, file: &Path) -> Result<(), StoreError> {
    match check(connection, file) {
        Ok(()) | Err(StoreError::Empty { .. }) => {}
        Err(error) => return Err(error),
    }
    let prepared = configure(connection).and_then(|()| migrate(connection, MIGRATIONS));
    prepared.map_err(|error| StoreError::sql(file, error))
}

/// Checks that the file is a store that this program can read. Nothing is changed.
///
/// # Errors
/// [`StoreError::Empty`] before the first run, [`StoreError::NewerSchema`], and [`StoreError::Corrupt`] for anything else.
pub(super) fn check(connection: &Connection, file: &Path) -> Result<(), StoreError> {
    let known = MIGRATIONS.len() as i64;
    match identify(connection).map_err(|error| StoreError::sql(file, error))? {
        Content::Empty => Err(StoreError::Empty { file: file.to_owned(), length: length(file) }),
        Content::Store(found) if found > known => {
            Err(StoreError::NewerSchema { file: file.to_owned(), found, known })
        }
        Content::Store(_) => Ok(()),
        Content::Foreign => {
            let reason = "it is a database of another program".to_owned();
            Err(StoreError::Corrupt { file: file.to_owned(), reason })
        }
    }
}

/// A column of a table as a query names it: itself, or `otherwise` in a database of before there was one, which is read as it
/// is.
pub(super) fn column(
    connection: &Connection,
    (table, column): (&str, &str),
    otherwise: &str,
) -> rusqlite::Result<String> {
    let mut named = connection.prepare_cached("SELECT 1 FROM pragma_table_info(?) WHERE name = ?")?;
    Ok(if named.exists((table, column))? { column.to_owned() } else { format!("{otherwise} AS {column}") })
}

enum Content {
    Empty,
    /// A store of this schema version.
    Store(i64),
    Foreign,
}

fn identify(connection: &Connection) -> rusqlite::Result<Content> {
    // One transaction, so that another process creating the store is seen either before or after.
    let snapshot = connection.unchecked_transaction()?;
    let number = |sql| snapshot.query_row(sql, (), |row| row.get::<_, i64>(0));
    Ok(match (number("PRAGMA application_id")?, number("SELECT count(*) FROM sqlite_schema")?) {
        (APPLICATION_ID, _) => match version(&snapshot)? {
            version @ 0.. => Content::Store(version),
            _ => Content::Foreign,
        },
        (0, 0) => Content::Empty,
        _ => Content::Foreign,
    })
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "foreign_keys", true)?;
    // A commit returns only when the log is on the disk: a power cut loses no pair that was counted.
    connection.pragma_update(None, "synchronous", "FULL")?;
    if connection.is_readonly(MAIN_DB)? {
        return Ok(());
    }
    // SQLite does not wait by itself where another process is about to create the same store.
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get::<_, String>(0)) {
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            outcome => return outcome.map(drop),
        }
    }
}

fn migrate(connection: &Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    while version(connection)? < migrations.len() as i64 {
        // Immediate: the version read inside is that of no other writer's half-done work.
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        let from = version(&transaction)?;
        if let Some(migration) = usize::try_from(from).ok().and_then(|from| migrations.get(from)) {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", from + 1)?;
        }
        transaction.commit()?;
    }
    Ok(())
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", (), |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn current() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, MIGRATIONS).unwrap();
        connection
    }

    #[test]
    fn a_later_migration_keeps_what_is_there() {
        let connection = current();
        connection
            .execute_batch(
                "INSERT INTO runs VALUES ('a', 'sprt', '?', '{}', 'd', 't', NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
            )
            .unwrap();
        let later =
            [MIGRATIONS, &["ALTER TABLE runs ADD COLUMN remark TEXT NOT NULL DEFAULT 'none'"]].concat();
        migrate(&connection, &later).unwrap();
        migrate(&connection, &later).unwrap();
        assert_eq!(version(&connection).unwrap(), later.len() as i64);
        let remark: String =
            connection.query_row("SELECT id || remark FROM runs", (), |row| row.get(0)).unwrap();
        assert_eq!(remark, "anone");
    }

    #[test]
    fn games_stored_before_there_was_telemetry_stay_and_have_none() {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, &[VERSION_1]).unwrap();
        let game = "INSERT INTO games VALUES ('r', 0, 0, 'o', '', '', '', '', '', '', '', '', '')";
        connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {game}")).unwrap();
        migrate(&connection, MIGRATIONS).unwrap();
        let read = |row: &rusqlite::Row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?));
        let game = connection.query_row("SELECT opening, telemetry FROM games", (), read).unwrap();
        assert_eq!(game, ("o".to_owned(), None));
    }

    #[test]
    fn runs_stored_before_there_were_goals_have_them_from_what_they_tell() {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, &[VERSION_1, VERSION_2]).unwrap();
        for (id, kind, spec, summary) in [
            ("ended", "sprt", r#"{"max_pairs":9}"#, r#"'{"games":12}'"#),
            ("open", "match", r#"{"max_pairs":7}"#, "NULL"),
            ("sweep", "sweep", r#"{"margin":2.5}"#, "NULL"),
            ("tune", "tune", "{}", r#"'{"games":4}'"#),
        ] {
            let run = format!(
                "INSERT INTO runs VALUES ('{id}', '{kind}', '?', '{spec}', 'd', 't', NULL, {summary}, NULL)"
            );
            connection.execute_batch(&run).unwrap();
        }
        migrate(&connection, MIGRATIONS).unwrap();
        let mut runs = connection.prepare("SELECT counted, goal FROM runs").unwrap();
        let runs = runs.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let runs: Vec<(Option<u64>, Option<String>)> = runs.map(Result::unwrap).collect();
        let goal = |text: &str| Some(text.to_owned());
        assert_eq!(
            runs,
            [
                (Some(6), goal(r#"{"max_pairs":9}"#)),
                (None, goal(r#"{"max_pairs":7}"#)),
                (None, goal(r#"{"max_pairs":null,"margin":2.5}"#)),
                (Some(2), None),
            ]
        );
    }

    #[test]
    fn a_migration_that_fails_half_way_leaves_the_version_before() {
        let connection = current();
        let half = "CREATE TABLE half (x TEXT) STRICT; CREATE TABLE runs (x TEXT) STRICT";
        let broken = [MIGRATIONS, &[half]].concat();
        assert!(migrate(&connection, &broken).is_err());
        assert_eq!(version(&connection).unwrap(), MIGRATIONS.len() as i64);
        assert!(connection.prepare("SELECT * FROM half").is_err());
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_the_tables_themselves() {
        let connection = current();
        connection.pragma_update(None, "foreign_keys", true).unwrap();
        for nonsense in [
            "INSERT INTO runs VALUES ('a', 'sprt', '?', 'no json', 'd', 't', NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
            "INSERT INTO runs VALUES ('a', 'sprt', '?', '{}', 'd', 't', NULL, NULL, NULL, -1, NULL, NULL, NULL)",
            "INSERT INTO runs VALUES ('a', 'sprt', '?', '{}', 'd', 't', NULL, NULL, NULL, NULL, 'no json')",
            "INSERT INTO pairs VALUES ('no such run', 0, 1)",
            "INSERT INTO sessions VALUES (1, 'no such run', 'p', 1, 't', 't', 0, 0)",
            "INSERT INTO games VALUES ('no', 0, 0, '', '', '', '', '', '', '', '', '', '', NULL)",
            "INSERT INTO games VALUES ('no', 0, 2, '', '', '', '', '', '', '', '', '', '', NULL)",
            "INSERT INTO sessions VALUES (1, 'a', 'p', 1.5, 't', 't', 0, 0)",
        ] {
            assert!(connection.execute_batch(nonsense).is_err(), "{nonsense}");
        }
    }
}
