//! What do the stored pairs of a run say, counted again in their order? Nothing is taken from the stored summary but
//! how many pairs were counted when the run was ended without a verdict.

use super::games::Games;
use crate::experiment::Experiment;
use crate::game::record::PairRecord;
use crate::run::sprt::{End, Progress};
use crate::run::tally::Tally;
use crate::store::{RunInfo, Store, StoreError};
use serde_json::Value;

/// A run, counted again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The counts and where the test stands.
    pub progress: Progress,
    /// Why the run ended, or that it has not.
    pub end: End,
    /// The log-likelihood ratio after each counted pair.
    pub llr: Vec<f64>,
    /// What happened in the games.
    pub games: Games,
}

impl Replay {
    /// Counts the pairs of a stored run until its test decides or its pairs end.
    ///
    /// # Errors
    /// The pairs cannot be read.
    pub fn of(store: &Store, info: &RunInfo, experiment: &Experiment) -> Result<Replay, StoreError> {
        let tally = Tally::default();
        let status = experiment.test.evaluate(&tally.pairs, &tally.games);
        let mut replay = Replay {
            progress: Progress { tally, status },
            end: End::Interrupted,
            llr: Vec::new(),
            games: Games::default(),
        };
        let most = pairs_behind_the_summary(info).unwrap_or(u64::MAX);
        for (_, pair) in (0..most).zip(store.pairs_in_order(&info.id)) {
            let pair = pair?;
            replay.add(&pair, experiment);
            if let Some(verdict) = replay.progress.status.verdict {
                replay.end = End::Decided(verdict);
                return Ok(replay);
            }
        }
        if info.finished.is_some() {
            let is_book_played = replay.progress.tally.pairs.pairs() >= experiment.conditions.openings.left();
            replay.end = if is_book_played && experiment.conditions.limit.is_deterministic() {
                End::BookExhausted
            } else {
                End::MaxPairs
            };
        }
        Ok(replay)
    }

    fn add(&mut self, pair: &PairRecord, experiment: &Experiment) {
        let Progress { tally, status } = &mut self.progress;
        tally.add(pair);
        *status = experiment.test.evaluate(&tally.pairs, &tally.games);
        self.llr.push(status.llr);
        self.games.add(pair);
    }
}

/// Pairs that other threads finished after the last counted one are stored too.
pub fn pairs_behind_the_summary(info: &RunInfo) -> Option<u64> {
    let summary: Value = serde_json::from_str(info.summary_json.as_deref()?).ok()?;
    Some(summary["games"].as_u64()? / 2)
}
