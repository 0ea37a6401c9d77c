//! The main job: pairs of one base and one candidate until a sequential test decides.

use super::conduct::Watched;
use super::contest::{Contest, Turn};
use super::tally::Tally;
use crate::experiment::{Experiment, PlayerSpec};
use crate::game::record::PairRecord;
use crate::statistics::{Status, Verdict};
use std::sync::Arc;

/// Why the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The test decided.
    Decided(Verdict),
    /// As many pairs were counted as were allowed.
    MaxPairs,
    /// Every opening has been played; to repeat one would be to repeat its games.
    BookExhausted,
    /// It was asked to end.
    Interrupted,
}

/// What has been found so far.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The counts.
    pub tally: Tally,
    /// Where the test stands.
    pub status: Status,
}

impl Progress {
    /// The players of this experiment, base and candidate, with what they did.
    pub fn watched(&self, experiment: &Experiment) -> [Watched; 2] {
        let Experiment { base, candidate, conditions, .. } = experiment;
        Watched::two([base, candidate], conditions.limit, self.tally.conduct)
    }
}

/// An SPRT under way.
pub struct Sprt {
    spec: Arc<Experiment>,
    /// Base and candidate.
    players: [Arc<PlayerSpec>; 2],
    max_pairs: u64,
    progress: Progress,
    end: Option<End>,
}

impl Sprt {
    /// Nothing counted yet. It ends undecided after `max_pairs`, if that is given.
    pub fn new(spec: &Arc<Experiment>, max_pairs: Option<u64>) -> Sprt {
        let tally = Tally::default();
        let players = [&spec.base, &spec.candidate].map(|player| Arc::new(player.clone()));
        let status = spec.test.evaluate(&tally.pairs, &tally.games);
        let progress = Progress { tally, status };
        let mut sprt = Sprt {
            spec: Arc::clone(spec),
            players,
            max_pairs: max_pairs.unwrap_or(u64::MAX),
            progress,
            end: None,
        };
        sprt.end = sprt.end_without_verdict();
        sprt
    }

    /// What has been found so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Why it ended; if it has not by itself, then it was interrupted.
    pub fn end(&self) -> End {
        self.end.unwrap_or(End::Interrupted)
    }

    fn end_without_verdict(&self) -> Option<End> {
        let counted = self.progress.tally.pairs.pairs();
        if counted >= self.max_pairs {
            Some(End::MaxPairs)
        } else if !self.spec.conditions.has_opening(counted) {
            Some(End::BookExhausted)
        } else {
            None
        }
    }
}

impl Contest for Sprt {
    fn turn(&self, pair: u64) -> Turn {
        match pair < self.max_pairs && self.spec.conditions.has_opening(pair) {
            true => Turn::of(pair, self.players.each_ref()),
            false => Turn::Nothing,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        let Progress { tally, status } = &mut self.progress;
        tally.add(pair);
        *status = self.spec.test.evaluate(&tally.pairs, &tally.games);
        self.end = status.verdict.map(End::Decided).or_else(|| self.end_without_verdict());
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn watched(&self) -> Vec<Watched> {
        self.progress.watched(&self.spec).into()
    }
}
