//! Pairs finish in any order and are counted in theirs.
//!
//! Counting in the order of finishing favours short games, and makes the result depend on how many are played
//! at once. Only the unbroken beginning of the sequence is ever handed on.

use crate::game::record::PairRecord;
use std::collections::BTreeMap;

/// Holds finished pairs back until all before them are there.
#[derive(Default)]
pub struct Collector {
    next: u64,
    waiting: BTreeMap<u64, PairRecord>,
}

impl Collector {
    /// Takes a finished pair; one whose turn is over is ignored.
    pub fn add(&mut self, pair: PairRecord) {
        if pair.index >= self.next {
            self.waiting.insert(pair.index, pair);
        }
    }

    /// The next pair in order, if it is there.
    pub fn take_next(&mut self) -> Option<PairRecord> {
        let pair = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(pair)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::game::record::{GameRecord, GameResult, Side, Telemetry, Termination};
    use proptest::prelude::*;

    pub fn pair(index: u64) -> PairRecord {
        let game = |white| GameRecord {
            opening: String::new(),
            white,
            moves: Vec::new(),
            result: GameResult::Draw,
            termination: Termination::Stalemate,
            detail: String::new(),
            telemetry: Telemetry::default(),
            details: None,
        };
        PairRecord { index, games: [game(Side::Candidate), game(Side::Base)] }
    }

    proptest! {
        #[test]
        fn any_order_comes_out_in_order(order in Just((0..40u64).collect::<Vec<_>>()).prop_shuffle()) {
            let mut collector = Collector::default();
            let mut counted = Vec::new();
            for (arrived, &index) in order.iter().enumerate() {
                collector.add(pair(index));
                while let Some(pair) = collector.take_next() {
                    counted.push(pair.index);
                }
                let seen = &order[..=arrived];
                prop_assert!((0..counted.len() as u64).all(|index| seen.contains(&index)));
                prop_assert!(!seen.contains(&(counted.len() as u64)));
            }
            prop_assert_eq!(counted, (0..40).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_pair_that_comes_twice_counts_once() {
        let mut collector = Collector::default();
        collector.add(pair(0));
        collector.add(pair(0));
        assert!(collector.take_next().is_some());
        collector.add(pair(0));
        assert!(collector.take_next().is_none());
    }
}
