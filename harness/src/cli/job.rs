//! A stored run and the right to play it: begun or taken up again under a lock, finished with its figures.

use super::Failure;
use crate::kinds::spec::{RunSpec, RunSummary};
use crate::report::head::Effort;
use crate::run::Interrupt;
use crate::run::contest::Contest;
use crate::run::dealer::Dealer;
use crate::run::drive::{Ended, Execution, Listener, RunError, drive};
use crate::store::{NewRun, RunInfo, RunLock, Store, StoreError};
use serde::Serialize;
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

impl Job {
    /// Stores a new run. `before` is called when all is ready but nothing is stored: if it fails no run is left behind.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn begin<Spec: RunSpec, Ready>(
        results: &Path,
        spec: &Spec,
        goal: &Spec::Goal,
        before: impl FnOnce() -> Result<Ready, Failure>,
    ) -> Result<(Job, Ready), Failure> {
        let store = Store::open(results)?;
        let id = store.new_run_id(Spec::KIND)?;
        let ready = before()?;
        let [spec_json, goal_json] = [serde_json::to_string(spec), serde_json::to_string(goal)];
        store.create_run(&NewRun {
            id: &id,
            kind: Spec::KIND,
            question: &spec.question(),
            spec_json: &spec_json.map_err(Failure::run)?,
            digest: &spec.digest(),
            goal_json: &goal_json.map_err(Failure::run)?,
        })?;
        let lock = store.lock_run(&id)?;
        let info = store.run(&id)?;
        Ok((Job { store, lock, info }, ready))
    }

    /// The stored run with the same digest if there is one, so that a command that makes several runs can be taken up again,
    /// or else a new one.
    ///
    /// # Errors
    /// The store cannot be used, or another process plays that run.
    pub fn begin_or_go_on<Spec: RunSpec>(
        results: &Path,
        spec: &Spec,
        goal: &Spec::Goal,
    ) -> Result<Job, Failure> {
        let store = Store::open(results)?;
        match known(&store, spec)? {
            None => Ok(Job::begin(results, spec, goal, || Ok(()))?.0),
            Some(info) => Ok(Job { lock: store.lock_run(&info.id)?, store, info }),
        }
    }

    /// Plays it, dealt by `dealer`, until the contest is over or an interrupt is asked for; `resume` is how the user goes on if
    /// that fails. Its goal is stored before the first game, so that it ends there even if it is killed and taken up again.
    ///
    /// # Errors
    /// The games cannot be played or stored, or the listener fails.
    pub fn play<C: Contest>(
        self,
        (contest, dealer): (&mut C, &Dealer),
        goal: &impl Serialize,
        execution: &Execution,
        interrupt: &Interrupt,
        listener: &mut dyn Listener<C>,
        resume: &impl Display,
    ) -> Result<PlayedJob, Failure> {
        let Job { store, lock, info } = self;
        let goal = serde_json::to_string(goal).map_err(Failure::run)?;
        let store_goal = || match info.goal_json.as_ref() == Some(&goal) {
            true => Ok(()),
            false => store.set_goal(&info.id, &goal),
        };
        let played = drive((contest, dealer), (&store, lock), execution, interrupt, listener, store_goal);
        let (ended, lock) = played.map_err(|error| failed(&error, resume))?;
        let effort = effort(&store, &info.id, execution.threads, &ended)?;
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

    /// Stores what came out, unless it is only a look at a finished run, perhaps with a smaller `--max-pairs`: that changes
    /// nothing of what is stored. `is_final`: no further pair would change the verdict.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn finish(&self, summary: &impl RunSummary, is_final: bool) -> Result<(), Failure> {
        let PlayedJob { store, info, ended, .. } = self;
        let stored = store.run(&info.id)?;
        // After the pair that decided there may be others, which were under way.
        let leaves_pairs_out = !ended.has_played() && stored.games() > summary.games() && !is_final;
        let is_news = ended.has_played() || stored.finished.is_none();
        if !ended.interrupted && is_news && !leaves_pairs_out {
            let json = serde_json::to_string(summary).map_err(Failure::run)?;
            store.finish(&info.id, summary.games() / 2, (summary.verdict(), &json))?;
        }
        Ok(())
    }
}

/// The newest stored run with the digest of this one.
///
/// # Errors
/// The store cannot be read.
pub fn known<Spec: RunSpec>(store: &Store, spec: &Spec) -> Result<Option<RunInfo>, StoreError> {
    let digest = spec.digest();
    Ok(store.runs()?.into_iter().find(|run| run.kind == Spec::KIND && run.digest == digest))
}

/// Refuses to go on with a run of which something else is asked now.
///
/// # Errors
/// The digests of the stored run and of what is asked are not the same; with all differences.
pub fn refuse_another<Spec: RunSpec>(run: &str, stored: &Spec, asked: &Spec) -> Result<(), Failure> {
    if stored.digest() == asked.digest() {
        return Ok(());
    }
    let differences = stored.differences(asked);
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
