//! `--events FILE`: what happens in a run as lines of JSON, for programs that watch it.
//!
//! A run that is resumed goes on with its own file: pairs that it has already are not written again, and the rest of a
//! line that a killed process left is taken away. A stream (a pipe, standard output) gets all events of the run again.

use super::pgn_file::Seat;
use super::run_file::{self, RunFile};
use crate::game::record::{GameRecord, PairRecord, Side};
use crate::run::contest::Variation;
use crate::store::RunInfo;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file of a run's events.
pub struct EventFile {
    path: PathBuf,
    file: File,
    /// The run whose events it holds, if it holds any.
    run: Option<String>,
    /// The last pair that it holds, from 1; 0 without any.
    last_pair: u64,
    /// The last event.
    last: Value,
}

impl EventFile {
    /// The file of a run that begins (it must not exist, or be empty) or is `resumed`.
    ///
    /// # Errors
    /// A sentence that says why the file cannot be used.
    pub fn open(path: &Path, resumed: bool) -> Result<EventFile, String> {
        let unwritable = |error| format!("{} cannot be written: {error}", path.display());
        let refused = |why| format!("{} {why}: give another --events file", path.display());
        let (file, is_regular) = match run_file::open(path, "--events", resumed)? {
            RunFile::Regular(file) => (file, true),
            RunFile::Stream(file) => (file, false),
        };
        let mut events =
            EventFile { path: path.to_owned(), file, run: None, last_pair: 0, last: Value::Null };
        if is_regular {
            events.read().map_err(unwritable)?.map_err(refused)?;
        }
        Ok(events)
    }

    /// Reads what is there and stands behind its last whole line.
    fn read(&mut self) -> std::io::Result<Result<(), &'static str>> {
        let mut reader = BufReader::new(self.file.try_clone()?);
        let (mut line, mut good_bytes) = (Vec::new(), 0);
        while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            let event: Value = match serde_json::from_slice(&line) {
                Ok(event) => event,
                Err(_) => return Ok(Err("holds something else than the events of a run")),
            };
            let run = event["run"].as_str().map(str::to_owned);
            if run.is_none() || (self.run.is_some() && run != self.run) {
                return Ok(Err("holds something else than the events of one run"));
            }
            self.run = run;
            self.last_pair = self.last_pair.max(event["pair"].as_u64().unwrap_or(0));
            self.last = event;
            good_bytes += line.len() as u64;
            line.clear();
        }
        self.file.set_len(good_bytes)?;
        self.file.seek(SeekFrom::Start(good_bytes))?;
        Ok(Ok(()))
    }

    /// Begins with this run, or goes on with it.
    ///
    /// # Errors
    /// The file cannot be written, or holds the events of another run.
    pub fn begin(&mut self, info: &RunInfo) -> Result<(), String> {
        match &self.run {
            Some(run) if *run == info.id => Ok(()),
            Some(run) => Err(format!(
                "{} holds the events of {run}, not those of {}: give another --events file",
                self.path.display(),
                info.id
            )),
            None => {
                self.run = Some(info.id.clone());
                self.write(json!({
                    "event": "run",
                    "run": info.id,
                    "kind": info.kind,
                    "question": info.question,
                    "started": info.created,
                }))
            }
        }
    }

    /// Adds a counted pair between these players, the base first, unless the file has it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, pair: &PairRecord, players: [Seat; 2]) -> Result<(), String> {
        let [base, candidate] = players.map(|player| player.name);
        let number = pair.index + 1;
        if number <= self.last_pair {
            return Ok(());
        }
        self.last_pair = number;
        let game = |game: &GameRecord| {
            let [white, black] = match game.white {
                Side::Base => [base, candidate],
                Side::Candidate => [candidate, base],
            };
            json!({
                "white": white,
                "black": black,
                "result": game.result.as_str(),
                "termination": game.termination.as_str(),
                "detail": game.detail,
                "plies": game.moves.len(),
            })
        };
        let mut event = json!({
            "event": "pair",
            "run": self.run,
            "pair": number,
            "base": base,
            "candidate": candidate,
            "points": pair.category() as f64 / 2.0,
            "opening": pair.games[0].opening,
            "games": pair.games.iter().map(game).collect::<Vec<_>>(),
        });
        for (key, value) in variations_as_json(players.map(|player| player.variation)) {
            event[key] = value;
        }
        self.write(event)
    }

    /// Adds how the run ended by itself, unless that is the last that the file says.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn end(&mut self, verdict: &str, games: u64) -> Result<(), String> {
        let event = json!({ "event": "end", "run": self.run, "verdict": verdict, "games": games });
        if self.last == event { Ok(()) } else { self.write(event) }
    }

    fn write(&mut self, event: Value) -> Result<(), String> {
        // In one piece, so that whoever reads along sees whole lines.
        self.file.write_all(format!("{event}\n").as_bytes()).map_err(|error| {
            format!("{} cannot be written: {error}; resume the run when it can", self.path.display())
        })?;
        self.last = event;
        Ok(())
    }
}

/// `iteration`, `base_values` and `candidate_values` of a pair of a tuning run; nothing of any other.
pub fn variations_as_json(variations: [Option<&Variation>; 2]) -> Vec<(&'static str, Value)> {
    let [Some(base), Some(candidate)] = variations else { return Vec::new() };
    let values = |variation: &Variation| {
        let values = variation.values.iter().map(|(name, value)| (name.clone(), json!(value)));
        Value::Object(values.collect())
    };
    vec![
        ("iteration", json!(candidate.iteration)),
        ("base_values", values(base)),
        ("candidate_values", values(candidate)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::collector::tests::pair;
    use crate::store::RunState;
    use std::fs;

    fn run(id: &str) -> RunInfo {
        RunInfo {
            id: id.to_owned(),
            kind: "match".to_owned(),
            question: "who?".to_owned(),
            spec_json: String::new(),
            digest: String::new(),
            created: "2026-11-30T01:02:03Z".to_owned(),
            verdict: None,
            summary_json: None,
            finished: None,
            counted: None,
            goal_json: None,
            label: None,
            note: None,
            state: RunState::Running,
            pairs: 0,
        }
    }

    /// Counts the pairs of a run from its first to this one, and ends it.
    fn play(path: &Path, resumed: bool, pairs: u64) {
        let mut events = EventFile::open(path, resumed).unwrap();
        events.begin(&run("r")).unwrap();
        let seats = ["b", "c"].map(|name| Seat { name, limit: None, variation: None });
        (0..pairs).for_each(|index| events.add(&pair(index), seats).unwrap());
        events.end("complete", 2 * pairs).unwrap();
    }

    #[test]
    fn a_file_that_is_gone_on_with_has_each_event_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events");
        play(&path, false, 2);
        let first = fs::read_to_string(&path).unwrap();
        assert_eq!(first.lines().count(), 4, "{first}");
        play(&path, true, 2);
        assert_eq!(fs::read_to_string(&path).unwrap(), first);
        // Killed while it wrote.
        fs::write(&path, &first[..first.len() - 5]).unwrap();
        play(&path, true, 3);
        let events: Vec<Value> = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let kinds: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["run", "pair", "pair", "pair", "end"]);
        assert_eq!((&events[3]["pair"], &events[3]["games"][0]["white"]), (&3.into(), &"c".into()));
    }

    #[test]
    fn other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events");
        play(&path, false, 1);
        let before = fs::read_to_string(&path).unwrap();
        let refused = |resumed| EventFile::open(&path, resumed).err().unwrap();
        assert!(refused(false).contains("exists already and is not overwritten"));
        let error = EventFile::open(&path, true).unwrap().begin(&run("other")).unwrap_err();
        assert!(error.contains("holds the events of r, not those of other"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        fs::write(&path, "1. e4 e5\n").unwrap();
        assert!(refused(true).contains("something else than the events"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. e4 e5\n");
    }
}
