//! The life of a stored run, whatever its kind: begun or taken up again under a lock, continued by a command that
//! the user is told, finished with its figures.

use super::Failure;
use crate::report::summary::Effort;
use crate::run::Interrupt;
use crate::run::contest::Contest;
use crate::run::dealer::Dealer;
use crate::run::drive::{CarryingOut, Ended, Listener, RunError, drive};
use crate::store::{NewRun, RunInfo, RunLock, Store, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::path::Path;

/// A stored run and the right to play it.
pub struct Job {
    /// The store that keeps it.
    pub store: Store,
    /// Held as long as the run is played.
    pub lock: RunLock,
    /// What the store knows of it.
    pub info: RunInfo,
}

/// What the pairs of a run say.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// Games that it counts.
    pub games: u64,
    /// In a word.
    pub verdict: &'a str,
    /// No further pair would change it.
    pub is_final: bool,
}

/// What identifies a run that is to begin.
pub struct Beginning<'a, Spec> {
    /// Its kind: `sprt`, `match`, …
    pub kind: &'a str,
    /// What is asked, for people.
    pub question: &'a str,
    /// All that decides what is played.
    pub spec: &'a Spec,
    /// SHA-256 of that.
    pub digest: &'a str,
}

impl Job {
    /// Stores a new run. `before` is called when all is ready but nothing is stored: if it fails no run is left behind.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn begin<Spec: Serialize, Ready>(
        results: &Path,
        beginning: &Beginning<Spec>,
        before: impl FnOnce() -> Result<Ready, Failure>,
    ) -> Result<(Job, Ready), Failure> {
        let Beginning { kind, question, spec, digest } = beginning;
        let store = Store::open(results)?;
        let id = store.new_run_id(kind)?;
        let ready = before()?;
        let spec_json = serde_json::to_string(spec).map_err(Failure::run)?;
        store.create_run(&NewRun { id: &id, kind, question, spec_json: &spec_json, digest })?;
        let lock = store.lock_run(&id)?;
        let info = store.run(&id)?;
        Ok((Job { store, lock, info }, ready))
    }

    /// Plays it, dealt by `dealer`, until the contest is over or an interrupt is asked for; `resume` is how the user goes on if that fails.
    ///
    /// # Errors
    /// The games cannot be played or stored, or the listener fails.
    pub fn play<C: Contest>(
        self,
        (contest, dealer): (&mut C, &Dealer),
        carrying_out: &CarryingOut,
        interrupt: &Interrupt,
        listener: &mut dyn Listener<C>,
        resume: &impl Display,
    ) -> Result<PlayedJob, Failure> {
        let Job { store, lock, info } = self;
        let (ended, lock) = drive((contest, dealer), (&store, lock), carrying_out, interrupt, listener)
            .map_err(|error| failed(&error, resume))?;
        let effort = effort(&store, &info.id, carrying_out.threads, &ended)?;
        Ok(PlayedJob { store, info, effort, ended, _lock: lock })
    }
}

/// A run that was played as far as was wanted, and is still locked.
pub struct PlayedJob {
    /// The store that keeps it.
    pub store: Store,
    /// What the store knew of it before.
    pub info: RunInfo,
    /// What all sessions took.
    pub effort: Effort,
    ended: Ended,
    _lock: RunLock,
}

impl PlayedJob {
    /// Why the run was ended if faults decided its games, with the way to go on, `resume`; its games are kept.
    pub fn stopped(&self, resume: &str) -> Option<Failure> {
        let faults = self.ended.stopped.as_ref()?;
        let play_on = if faults.is_lasting() { " --faults play-on" } else { "" };
        Some(Failure::run(format!("{faults}\nto go on: {resume}{play_on}")))
    }

    /// Stores what came out, unless it is only a look at a finished run, perhaps with a smaller `--max-pairs`:
    /// that changes nothing of what is stored.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn finish(&self, finding: Finding, summary: &impl Serialize) -> Result<(), Failure> {
        let PlayedJob { store, info, ended, .. } = self;
        let stored = store.run(&info.id)?;
        // After the pair that decided there may be others, which were under way.
        let leaves_pairs_out = !ended.has_played() && stored.games() > finding.games && !finding.is_final;
        let is_news = ended.has_played() || stored.finished.is_none();
        if !ended.interrupted && is_news && !leaves_pairs_out {
            let json = serde_json::to_string(summary).map_err(Failure::run)?;
            store.finish(&info.id, finding.verdict, &json)?;
        }
        Ok(())
    }
}

/// A run of this kind that is to be gone on with, and its specification; [`Store::lock_run`] then makes it a job.
///
/// # Errors
/// There is no such run, or it is of another kind or from another version of this program.
pub fn stored_run<Spec: DeserializeOwned>(
    results: &Path,
    name: &str,
    kind: &str,
) -> Result<(Store, RunInfo, Spec), Failure> {
    let store = Store::open_existing(results)?;
    let info = store.run(name)?;
    if info.kind != kind {
        return Err(Failure::usage(format!("{} is no {kind} run but a {} run", info.id, info.kind)));
    }
    let spec = serde_json::from_str(&info.spec_json).map_err(|error| {
        Failure::usage(format!("{} was stored by another version of this program: {error}", info.id))
    })?;
    Ok((store, info, spec))
}

/// Refuses to go on with a run of which something else is asked now.
///
/// # Errors
/// The digests of the stored run and of what is asked are not the same; with all differences.
pub fn refuse_another(
    run: &str,
    digests: [String; 2],
    differences: impl FnOnce() -> Vec<String>,
) -> Result<(), Failure> {
    let [stored, asked] = digests;
    if stored == asked {
        return Ok(());
    }
    let differences = differences();
    let remedy = match differences.iter().all(|line| line.starts_with("engine")) {
        true => {
            "an engine searches otherwise, or is another program, than when the run was begun: go on with the version that \
             began it, or leave out --resume to begin a new run"
        }
        false => "leave out what differs to go on with it, or leave out --resume to begin a new run",
    };
    Err(Failure::usage(format!(
        "{run} is another experiment (stored → asked for):\n  {}\n{remedy}",
        differences.join("\n  ")
    )))
}

/// The day on which a run began, as PGN has it.
pub fn date(info: &RunInfo) -> String {
    info.created.get(..10).unwrap_or("????-??-??").replace('-', ".")
}

/// A failed run as the user is told, with the way to go on where there is one.
pub fn failed(error: &RunError, resume: &impl Display) -> Failure {
    match error {
        RunError::Threads(_) | RunError::Book(_) | RunError::Unexplained => Failure::run(error),
        RunError::Store(_) | RunError::Listener(_) | RunError::Player(_) | RunError::Panic => {
            Failure::run(format!("{error}\nto go on: {resume}"))
        }
    }
}

/// What all sessions of the run took; this one's search time includes games that were given up.
///
/// # Errors
/// The store cannot be read.
fn effort(store: &Store, run: &str, threads: usize, ended: &Ended) -> Result<Effort, StoreError> {
    let sessions = store.sessions(run)?;
    if !ended.has_played() {
        return Ok(Effort::of(&sessions));
    }
    let earlier = sessions.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let mut effort = Effort::of(earlier);
    let seconds = ended.wall.as_secs_f64();
    effort.threads = threads;
    effort.seconds += seconds;
    effort.thread_seconds += seconds * threads as f64;
    effort.search_seconds += ended.search.as_secs_f64();
    Ok(effort)
}
