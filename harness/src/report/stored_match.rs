//! What is known of a stored match: its players, its sessions, and every figure, counted again from its games.

use super::games::Games;
use super::replay::pairs_behind_the_summary;
use super::stored_run::{NotRead, spec_of};
use super::summary::Effort;
use super::telemetry::SideTelemetry;
use super::tournament::{TournamentSummary, encounters};
use crate::experiment::PlayerSpec;
use crate::game::record::Side;
use crate::run::tournament::{End, Results, TournamentSpec};
use crate::statistics::leaders::contenders;
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
    /// What happened in the games, of all pairings together; the first of a pairing is its candidate.
    pub games: Games,
    /// What each player's search did.
    pub searches: Vec<SideTelemetry>,
    results: Results,
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
        let mut games = Games::default();
        let mut searches = vec![SideTelemetry::default(); spec.players.len()];
        for (_, pair) in (0..most).zip(store.pairs_in_order(&info.id)) {
            let pair = pair?;
            results.add(&pair);
            games.add(&pair);
            let [candidate, base] = results.players_of(pair.index);
            for game in &pair.games {
                searches[candidate].add(game, Side::Candidate);
                searches[base].add(game, Side::Base);
            }
        }
        let ends = [End::Complete, End::BookExhausted];
        let end = ends.into_iter().find(|end| info.verdict.as_deref() == Some(end.as_str()));
        let sessions = store.sessions(&info.id)?;
        let effort = Effort::of(&sessions);
        let end = end.unwrap_or(End::Interrupted);
        let summary = TournamentSummary::new((&info.id, end), &spec, &results, &effort);
        Ok(StoredMatch { info, spec, sessions, summary, games, searches, results })
    }

    /// The players, by number, that may be the strongest: all that are not shown to be weaker than this one.
    pub fn contenders(&self, leader: usize) -> Vec<usize> {
        contenders(self.spec.players.len(), &encounters(&self.results), leader, self.summary.confidence)
    }

    /// The player of this side in the pair of this number.
    pub fn player_of(&self, pair: u64, side: Side) -> &PlayerSpec {
        let [candidate, base] = self.results.players_of(pair);
        match side {
            Side::Base => &self.spec.players[base],
            Side::Candidate => &self.spec.players[candidate],
        }
    }
}
