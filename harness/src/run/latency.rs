//! Latency of a player: how much later than on its own clock its answers come. Of it a player hears nothing, so it must keep as much
//! time in reserve (the UCI option `Move Overhead` of many engines).
//!
//! It is the time from the question to the answer less the `time` of the last `info` before it, as fastchess measures it. A player that
//! searches on after its last report, and ends without another, seems later than it is: the figure is an upper bound.

use crate::game::record::{GameRecord, Side};
use serde::Serialize;
use std::fmt;

/// Latencies from here on are counted together; ms.
const LONGEST: usize = 250;

/// Latencies of a player's answers, in whole milliseconds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Latencies {
    counts: [u32; LONGEST + 1],
    most: u64,
}

impl Default for Latencies {
    fn default() -> Latencies {
        Latencies { counts: [0; LONGEST + 1], most: 0 }
    }
}

impl fmt::Debug for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latencies").field("answers", &self.answers()).field("most", &self.most).finish()
    }
}

impl Latencies {
    /// Adds the moves of one side of a game.
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        for latency in game.moves_of(side).filter_map(|played| played.latency_ms()) {
            self.counts[usize::try_from(latency).unwrap_or(LONGEST).min(LONGEST)] += 1;
            self.most = self.most.max(latency);
        }
    }

    fn answers(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// The least time, ms, within which this share of the answers came; the longest there was if it is beyond what is told apart.
    fn within(&self, share: f64) -> u64 {
        let wanted = (share * self.answers() as f64).ceil() as u64;
        let mut seen = 0;
        for (milliseconds, &count) in (0..LONGEST as u64).zip(&self.counts) {
            seen += u64::from(count);
            if seen >= wanted {
                return milliseconds;
            }
        }
        self.most
    }

    /// The figures of this player; none if it has told no time.
    pub fn of(&self, player: &str) -> Option<Latency> {
        let answers = self.answers();
        (answers > 0).then(|| Latency {
            player: player.to_owned(),
            answers,
            median_ms: self.within(0.5),
            p99_ms: self.within(0.99),
            most_ms: self.most,
        })
    }
}

/// Latency of a player over a run, ms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// Its name.
    pub player: String,
    /// Answers that told a time.
    pub answers: u64,
    /// Half of them came within this time.
    pub median_ms: u64,
    /// 99 of 100 came within this time.
    pub p99_ms: u64,
    /// The longest.
    pub most_ms: u64,
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Latency { player, median_ms, p99_ms, most_ms, .. } = self;
        write!(
            f,
            "{player}: {median_ms} ms (median), {p99_ms} ms (99 of 100 answers), {most_ms} ms at most; its Move Overhead should cover it"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::record::MoveRecord;
    use crate::run::collector::tests::pair;
    use shakmaty::uci::UciMove;

    #[test]
    fn figures_are_those_of_the_moves_that_tell_a_time() {
        let mut game = pair(0).games[0].clone();
        let side = game.white;
        let sample =
            MoveRecord { uci: UciMove::Null, score: None, depth: 1, nodes: 1, micros: 0, own_ms: None };
        let told = |micros, own_ms| MoveRecord { micros, own_ms, ..sample.clone() };
        let ours = (0..100).map(|number| match number {
            0..60 => told(10_001, Some(10)),
            60..98 => told(13_000, Some(10)),
            98 => told(40_000, Some(10)),
            _ => told(900_000, Some(10)),
        });
        // The other side tells none, and takes long.
        game.moves = ours.flat_map(|ours| [ours, told(9_000_000, None)]).collect();
        let mut latencies = Latencies::default();
        latencies.add(&game, side);
        let expected =
            Latency { player: "new".to_owned(), answers: 100, median_ms: 1, p99_ms: 30, most_ms: 890 };
        assert_eq!(latencies.of("new"), Some(expected));
        let mut others = Latencies::default();
        others.add(&game, if side == Side::Base { Side::Candidate } else { Side::Base });
        assert_eq!(others.of("old"), None);
        // An answer before its own time is not late.
        game.moves = vec![told(3_000, Some(5))];
        let mut early = Latencies::default();
        early.add(&game, side);
        assert_eq!(early.of("x").map(|latency| latency.most_ms), Some(0));
    }
}
