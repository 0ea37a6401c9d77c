//! Stored run: its specification, its sessions, and its pairs counted again by its contest. Nothing is taken from the stored
//! summary but how many pairs it counts.

use super::not_read::NotRead;
use super::spec::RunSpec;
use crate::report::games::Games;
use crate::report::head::Effort;
use crate::run::recount::{PlayedPair, recount};
use crate::store::{RunInfo, Session, Store};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A run that was read from the store.
pub struct Stored<Spec: RunSpec> {
    /// As it is listed.
    pub info: RunInfo,
    /// All that decides its games.
    pub spec: Arc<Spec>,
    /// When it was played, and on how many threads.
    pub sessions: Vec<Session>,
    /// What its pairs came to.
    pub contest: Spec::Contest,
    /// What happened in the games.
    pub games: Games,
}

impl<Spec: RunSpec> Stored<Spec> {
    /// Counts the pairs of a run: one that was ended to where it was ended, any other as far as it has been played. `counted`
    /// hears of each.
    ///
    /// # Errors
    /// See [`NotRead`].
    pub fn read(
        store: &Store,
        info: RunInfo,
        counted: impl FnMut(&PlayedPair, &Spec::Contest),
    ) -> Result<Stored<Spec>, NotRead> {
        let spec: Spec = spec_of(&info)?;
        let goal = goal_of_ended(&spec, &info).unwrap_or_default();
        Stored::read_to((store, info), (spec, &goal), counted)
    }

    /// The same up to this goal.
    ///
    /// # Errors
    /// See [`NotRead`].
    pub fn read_to(
        (store, info): (&Store, RunInfo),
        (spec, goal): (Spec, &Spec::Goal),
        mut counted: impl FnMut(&PlayedPair, &Spec::Contest),
    ) -> Result<Stored<Spec>, NotRead> {
        let spec = Arc::new(spec);
        let sessions = store.sessions(&info.id)?;
        let (mut contest, mut games) = (spec.contest(goal), Games::default());
        recount(&mut contest, (store, &info.id), |pair, contest| {
            games.add(&pair.record);
            counted(pair, contest);
        })?;
        Ok(Stored { info, spec, sessions, contest, games })
    }

    /// What all sessions took.
    pub fn effort(&self) -> Effort {
        Effort::of(&self.sessions)
    }

    /// The figures that follow.
    pub fn summary(&self) -> Spec::Summary {
        Spec::summary(&self.info.id, &self.contest, &self.effort())
    }
}

/// The goal with which an ended run ends where it did; none of a run that has not been ended.
pub fn goal_of_ended<Spec: RunSpec>(spec: &Spec, info: &RunInfo) -> Option<Spec::Goal> {
    let (counted, verdict) = info.finished.as_ref().and(info.counted.zip(info.verdict.as_deref()))?;
    spec.goal_of_ended(goal_of::<Spec>(info).ok().flatten(), counted, verdict)
}

/// What a run played, as its kind stores it.
///
/// # Errors
/// The run is of another kind, or was stored by another version.
pub fn spec_of<Spec: RunSpec>(info: &RunInfo) -> Result<Spec, NotRead> {
    match info.kind == Spec::KIND {
        true => parsed(info, &info.spec_json),
        false => {
            Err(NotRead::OtherKind { run: info.id.clone(), kind: info.kind.clone(), wanted: Spec::KIND })
        }
    }
}

/// What was asked of a run last; none if that was not stored.
///
/// # Errors
/// It was stored by another version.
pub fn goal_of<Spec: RunSpec>(info: &RunInfo) -> Result<Option<Spec::Goal>, NotRead> {
    info.goal_json.as_ref().map(|json| parsed(info, json)).transpose()
}

fn parsed<T: DeserializeOwned>(info: &RunInfo, json: &str) -> Result<T, NotRead> {
    serde_json::from_str(json)
        .map_err(|error| NotRead::OtherVersion { run: info.id.clone(), reason: error.to_string() })
}
