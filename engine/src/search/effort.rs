//! Time management by effort: the part of its share of the clock that a search uses.
//!
//! A best move that has stood for several depths, takes most of the nodes and keeps its score will probably still be the
//! best after another iteration; one that changed just now, or whose score falls, needs more time. (Common among
//! engines; the shape of the three factors is ours.)

use crate::position::Move;

/// Depths after which a best move that stays the same counts for no more.
const STABLE: u32 = 6;

/// The scores from which a fall is measured stop at this many centipawns.
const DEEPEST_FALL: i32 = 60;

/// Stability of the best move, its share of the nodes, and the fall of the score over the iterations so far.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    best: Option<Move>,
    /// Iterations in a row that chose `best`, the first not counted.
    stable_for: u32,
    /// Hundredths of the last iteration's nodes that were spent on its best move.
    share_of_best: u32,
    /// Score before the last iteration less that after it, centipawns.
    fall: i32,
    score: Option<i32>,
}

impl Effort {
    /// An iteration ended: it chose this move at this score, and spent so many of its nodes on it.
    pub fn iteration(&mut self, best: Move, score: i32, nodes_of_best: u64, nodes: u64) {
        self.stable_for = match self.best == Some(best) {
            true => self.stable_for + 1,
            false => 0,
        };
        self.best = Some(best);
        self.share_of_best = (nodes_of_best * 100 / nodes.max(1)).min(100) as u32;
        self.fall = self.score.map_or(0, |before| before.saturating_sub(score));
        self.score = Some(score);
    }

    /// The part of the usual time that the search should take, in hundredths.
    pub fn percent(&self) -> u32 {
        let unrest = 145 - 10 * self.stable_for.min(STABLE);
        let doubt = 180 - 13 * self.share_of_best / 10;
        let alarm = 100 + self.fall.clamp(-DEEPEST_FALL / 3, DEEPEST_FALL);
        unrest * doubt / 100 * alarm as u32 / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn a_settled_search_is_short_and_a_doubtful_one_long() {
        let position = Position::start();
        let [e4, d4] = ["e2e4", "d2d4"].map(|mv| position.parse_uci(mv).unwrap());
        let mut settled = Effort::default();
        (0..10).for_each(|_| settled.iteration(e4, 20, 95, 100));
        assert!(settled.percent() < 60, "{}", settled.percent());

        let mut doubtful = settled.clone();
        doubtful.iteration(d4, -20, 20, 100);
        assert!(doubtful.percent() > 200, "{}", doubtful.percent());

        let mut falling = settled.clone();
        falling.iteration(e4, -200, 95, 100);
        assert!(falling.percent() > settled.percent());
    }

    #[test]
    fn extreme_scores_are_no_trouble() {
        let e4 = Position::start().parse_uci("e2e4").unwrap();
        let mut effort = Effort::default();
        effort.iteration(e4, i32::MAX, 0, 0);
        effort.iteration(e4, i32::MIN, u64::MAX / 200, 1);
        assert!(effort.percent() > 0);
    }
}
