//! What is known of a stored match: its players, its sessions, and every figure, counted again from its games.

use super::replay::pairs_behind_the_summary;
use super::stored_run::{NotRead, spec_of};
use super::summary::Effort;
use super::tournament::TournamentSummary;
use crate::run::tournament::{End, Results, TournamentSpec};
use crate::store::{RunInfo, Session, Store};

/// A match that was read from the store.
pub struct StoredMatch {
    /// As it is listed.
    pub info: RunInfo,
    /// What was played.
    pub spec: TournamentSpec,
    /// When, and on how many threads.
    pub sessions: Vec<Session>,
    /// The figures that follow.
    pub summary: TournamentSummary,
}

impl StoredMatch {
    /// Counts the games of this match.
    ///
    /// # Errors
    /// The store cannot be read, or another version of this program stored the match.
    pub fn read(store: &Store, info: RunInfo) -> Result<StoredMatch, NotRead> {
        let spec: TournamentSpec = spec_of(&info)?;
        let most = pairs_behind_the_summary(&info).unwrap_or(u64::MAX);
        let mut results = Results::new(&spec);
        for (_, pair) in (0..most).zip(store.pairs_in_order(&info.id)) {
            results.add(&pair?);
        }
        let ends = [End::Complete, End::BookExhausted];
        let end = ends.into_iter().find(|end| info.verdict.as_deref() == Some(end.as_str()));
        let sessions = store.sessions(&info.id)?;
        let effort = Effort::of(&sessions);
        let end = end.unwrap_or(End::Interrupted);
        let summary = TournamentSummary::new((&info.id, end), &spec, &results, &effort);
        Ok(StoredMatch { info, spec, sessions, summary })
    }
}
