//! What do the stored pairs of a run say, counted again in their order? Nothing is taken from the stored summary but
//! how many pairs were counted when the run was ended without a verdict.

use super::telemetry::SideTelemetry;
use crate::experiment::Experiment;
use crate::game::record::{GameRecord, PairRecord, Side, Termination};
use crate::run::sprt::{End, Progress};
use crate::run::tally::Tally;
use crate::store::{RunInfo, Store, StoreError};
use serde_json::Value;

/// Faults beyond this many are counted and not listed.
const MOST_FAULTS: usize = 20;

/// A run, counted again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The counts and where the test stands.
    pub progress: Progress,
    /// Why the run ended, or that it has not.
    pub end: End,
    /// The log-likelihood ratio after each counted pair.
    pub llr: Vec<f64>,
    /// Plies of each game.
    pub lengths: Vec<usize>,
    /// Every kind of ending that happened, with the candidate's losses, draws and wins.
    pub endings: Vec<(Termination, [u64; 3])>,
    /// What the base's search did.
    pub base: SideTelemetry,
    /// What the candidate's search did.
    pub candidate: SideTelemetry,
    /// The first faults.
    pub faults: Vec<FaultyGame>,
}

/// A game that a player lost by a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyGame {
    /// The game's number in the run, from 1.
    pub game: u64,
    /// Who lost it.
    pub loser: Side,
    /// By what.
    pub termination: Termination,
    /// The evidence.
    pub detail: String,
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
            lengths: Vec::new(),
            endings: Vec::new(),
            base: SideTelemetry::default(),
            candidate: SideTelemetry::default(),
            faults: Vec::new(),
        };
        let most = pairs_behind_the_summary(info).unwrap_or(u64::MAX);
        for (expected, pair) in (0..most).zip(store.pairs(&info.id, 0)) {
            let pair = pair?;
            if pair.index != expected {
                break;
            }
            replay.add(&pair, experiment);
            if let Some(verdict) = replay.progress.status.verdict {
                replay.end = End::Decided(verdict);
                return Ok(replay);
            }
        }
        if info.finished.is_some() {
            let is_book_played =
                replay.progress.tally.pairs.pairs() >= experiment.conditions.openings.count as u64;
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
        for game in &pair.games {
            self.add_game(game);
        }
    }

    fn add_game(&mut self, game: &GameRecord) {
        self.lengths.push(game.moves.len());
        let half_points = usize::from(game.candidate_half_points());
        match self.endings.iter_mut().find(|(termination, _)| *termination == game.termination) {
            Some((_, results)) => results[half_points] += 1,
            None => {
                let mut results = [0; 3];
                results[half_points] = 1;
                self.endings.push((game.termination, results));
            }
        }
        self.base.add(game, Side::Base);
        self.candidate.add(game, Side::Candidate);
        if game.termination.is_fault() && self.faults.len() < MOST_FAULTS {
            self.faults.push(FaultyGame {
                game: self.lengths.len() as u64,
                loser: if half_points == 0 { Side::Candidate } else { Side::Base },
                termination: game.termination,
                detail: game.detail.clone(),
            });
        }
    }
}

/// How many pairs the stored figures count: pairs that other threads finished after the last counted one are stored too.
pub(super) fn pairs_behind_the_summary(info: &RunInfo) -> Option<u64> {
    let summary: Value = serde_json::from_str(info.summary_json.as_deref()?).ok()?;
    Some(summary["games"].as_u64()? / 2)
}
