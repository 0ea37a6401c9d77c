//! Nodes that a player searches under a limit of nodes: whether it honours `go nodes`.
//!
//! Engines exist that answer after a handful of nodes, or search on until they are stopped. A comparison with one of them
//! compares nothing.

use crate::game::limit::{Limit, is_about};
use crate::game::opening::Opening;
use crate::game::record::{GameRecord, Score, Side};
use serde::Serialize;
use shakmaty::Position;
use std::fmt;

/// Answers that are looked at.
const ANSWERS: usize = 20;

/// Nodes of a player's first answers that tell anything: with only one legal move, or a mate found, an engine may stop early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeUse {
    searched: [u64; ANSWERS],
    count: usize,
}

impl NodeUse {
    /// Adds the moves of one side of a game.
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        if self.count == ANSWERS {
            return;
        }
        let Ok(opening) = Opening::parse(&game.opening, 0) else { return };
        let mut position = opening.position();
        let mut is_ours = game.is_first_to_move(side);
        for played in &game.moves {
            let is_free = position.legal_moves().len() > 1 && !matches!(played.score, Some(Score::Mate(_)));
            if is_ours && is_free && self.count < ANSWERS {
                self.searched[self.count] = played.nodes;
                self.count += 1;
            }
            let Ok(chosen) = played.uci.to_move(&position) else { return };
            position.play_unchecked(chosen);
            is_ours = !is_ours;
        }
    }

    /// The median of the answers; none before there are enough of them.
    fn median(&self) -> Option<u64> {
        let mut sorted = self.searched;
        sorted.sort_unstable();
        let [low, high] = [sorted[ANSWERS / 2 - 1], sorted[ANSWERS / 2]];
        (self.count == ANSWERS).then(|| low + (high - low) / 2)
    }

    /// How the player did not honour this limit, or cannot be seen to; none where it did, where no nodes were asked for, and
    /// before there are enough answers.
    pub fn against(&self, limit: Limit, player: &str) -> Option<NodesSearched> {
        let (asked, searched) = (limit.nodes?, self.median()?);
        // Another limit may have ended the search before.
        let is_less_by_right = searched < asked && limit != Limit::nodes(asked);
        let is_honoured = searched > 0 && (is_less_by_right || is_about(asked, searched));
        (!is_honoured).then(|| NodesSearched {
            player: player.to_owned(),
            asked,
            searched: (searched > 0).then_some(searched),
        })
    }
}

/// A player that was not seen to search as many nodes as were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NodesSearched {
    /// Its name.
    pub player: String,
    /// Nodes of the limit.
    pub asked: u64,
    /// Nodes of its answers, the median of the first twenty; none if it reports none.
    pub searched: Option<u64>,
}

impl fmt::Display for NodesSearched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NodesSearched { player, asked, searched } = self;
        match searched {
            Some(searched) => write!(
                f,
                "{player} searches {searched} nodes where {asked} are asked for (median of its first {ANSWERS} answers): it does \
                 not honour `go nodes`, and the comparison is void; give --depth or a clock"
            ),
            None => write!(
                f,
                "{player} reports no nodes, so whether it searches the {asked} that are asked for cannot be seen; --depth or a \
                 clock is safer"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::record::{GameResult, MoveRecord, Telemetry, Termination};

    /// White moves its king to and fro, and says so many nodes and perhaps a mate; Black always says 7.
    fn game(said: &[(u64, bool)]) -> GameRecord {
        let record = |uci: &str, nodes, score| MoveRecord {
            uci: uci.parse().unwrap(),
            score: Some(score),
            depth: 1,
            nodes,
            micros: 1,
            own_ms: None,
        };
        let moves = said.iter().enumerate().flat_map(|(place, &(nodes, is_mate))| {
            let [white, black] = [["e1d1", "e8d8"], ["d1e1", "d8e8"]][place % 2];
            let score = if is_mate { Score::Mate(3) } else { Score::Centipawns(0) };
            [record(white, nodes, score), record(black, 7, Score::Centipawns(0))]
        });
        GameRecord {
            opening: "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1".to_owned(),
            white: Side::Candidate,
            moves: moves.collect(),
            result: GameResult::Draw,
            termination: Termination::Adjudication,
            detail: String::new(),
            telemetry: Telemetry::default(),
            details: None,
        }
    }

    fn found(said: &[(u64, bool)], side: Side, limit: Limit) -> Option<Option<u64>> {
        let mut nodes = NodeUse::default();
        nodes.add(&game(said), side);
        nodes.against(limit, "x").map(|found| found.searched)
    }

    #[test]
    fn half_to_twice_is_honoured() {
        for (searched, expected) in [
            (4, Some(Some(4))),
            (49, Some(Some(49))),
            (50, None),
            (100, None),
            (200, None),
            (201, Some(Some(201))),
            (0, Some(None)),
        ] {
            let said = [(searched, false); ANSWERS];
            assert_eq!(found(&said, Side::Candidate, Limit::nodes(100)), expected, "{searched}");
        }
        assert_eq!(found(&[(100, false); ANSWERS], Side::Base, Limit::nodes(100)), Some(Some(7)));
        assert_eq!(found(&[(4, false); ANSWERS], Side::Candidate, Limit::depth(5)), None);
        let both = Limit { depth: Some(5), ..Limit::nodes(100) };
        assert_eq!(found(&[(4, false); ANSWERS], Side::Candidate, both), None, "the depth came first");
        assert_eq!(found(&[(400, false); ANSWERS], Side::Candidate, both), Some(Some(400)));
    }

    #[test]
    fn the_first_answers_that_tell_anything_count() {
        let limit = Limit::nodes(100);
        assert_eq!(found(&[(4, false); ANSWERS - 1], Side::Candidate, limit), None, "too few");
        let with_mates = [[(4, true); 30], [(100, false); 30]].concat();
        assert_eq!(found(&with_mates, Side::Candidate, limit), None);
        let mut settled = [(100, false); ANSWERS + 30];
        settled[ANSWERS..].fill((1, false));
        assert_eq!(found(&settled, Side::Candidate, limit), None, "only the first");
        settled[..11].fill((3, false));
        assert_eq!(found(&settled, Side::Candidate, limit), Some(Some(3)), "the median");
    }
}
