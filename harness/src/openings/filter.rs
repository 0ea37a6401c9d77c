//! Filter of a book: whether a position is a fair and quiet one to begin a game from. The built-in engine's opinion, that
//! of a configuration which stays as it is.
//!
//! It frees books from the *configuration* of the day, not from the engine: when its evaluation changes,
//! so do the scores. That is why a book records the score of each position.

use engine::config::EngineConfig;
use engine::evaluation::Evaluator;
use engine::position::{Game, MoveList, Position};
use engine::search::observer::Unobserved;
use engine::search::see::see_at_least;
use engine::search::{Limits, Searcher, Signals};
use engine::techniques::Techniques;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// The hash table of a filter, MB: a search of some ten thousand nodes leaves it nearly empty.
const HASH_MB: usize = 1;

/// What a position of the book must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// Unbalanced: the score of both searches is at least this far from 0, on either side, centipawns; 0 in a balanced book.
    pub least: i32,
    /// Balanced: the score of both searches is at most this far from 0, centipawns.
    pub limit: i32,
    /// Quiet: the static evaluation and the score of the larger search differ by no more, centipawns.
    pub margin: i32,
    /// Nodes of the first search, which spares most positions the second.
    pub fewer_nodes: u64,
    /// Nodes of the second search, whose score is recorded.
    pub more_nodes: u64,
}

/// Why a position is not taken, in the order in which it is asked: the cheapest question first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rejection {
    /// The game was over on the way.
    Over,
    /// The position or its mirror image was a candidate before.
    Repeated,
    /// The side to move is in check.
    Check,
    /// The static evaluation is too far from what the searches should find for them to be both that and near it.
    Evaluation,
    /// Either side, were it to move, would win material by an exchange.
    Hanging,
    /// The smaller search finds another advantage than is wanted.
    FewerNodes,
    /// The larger search finds another advantage than is wanted.
    MoreNodes,
    /// The best move is a capture or promotion.
    Tactical,
    /// The larger search and the static evaluation disagree.
    Disagreement,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::Over => "game over on the way",
            Rejection::Repeated => "repeated or mirrored",
            Rejection::Check => "in check",
            Rejection::Evaluation => "evaluation not as wanted",
            Rejection::Hanging => "something hangs",
            Rejection::FewerNodes => "smaller search not as wanted",
            Rejection::MoreNodes => "larger search not as wanted",
            Rejection::Tactical => "best move tactical",
            Rejection::Disagreement => "search and evaluation disagree",
        })
    }
}

/// Judges positions, each without remembering another.
pub struct Filter {
    requirements: Requirements,
    searcher: Searcher,
    evaluator: Evaluator,
}

impl Filter {
    /// The filter of these requirements. Its engine knows alpha-beta, quiescence search, the
    /// transposition table, capture ordering, killers and history, and nothing else.
    pub fn new(requirements: Requirements) -> Filter {
        let config = EngineConfig {
            name: "book filter".to_owned(),
            techniques: Techniques {
                alpha_beta: true,
                quiescence: true,
                transposition_table: true,
                capture_ordering: true,
                killers: true,
                history: true,
                ..Techniques::none()
            },
            ..EngineConfig::default()
        };
        Filter {
            requirements,
            searcher: Searcher::new(&config, HASH_MB),
            evaluator: Evaluator::new(&config.eval),
        }
    }

    /// The score of the larger search in centipawns, from the side to move. When `stop` is set the
    /// answer comes soon and means nothing.
    ///
    /// # Errors
    ///
    /// The first requirement that the position does not meet.
    pub fn judge(&mut self, position: &Position, stop: &AtomicBool) -> Result<i32, Rejection> {
        let Requirements { least, limit, margin, fewer_nodes, more_nodes } = self.requirements;
        let is_wanted = |score: i32| (least..=limit).contains(&score.abs());
        if position.in_check() {
            return Err(Rejection::Check);
        }
        let evaluation = self.evaluator.evaluate(position);
        if !(least - margin..=limit + margin).contains(&evaluation.abs()) {
            return Err(Rejection::Evaluation);
        }
        if wins_by_exchange(position) || wins_by_exchange(&position.play_null()) {
            return Err(Rejection::Hanging);
        }
        let game = Game::new(position.clone());
        let mut search = |nodes| {
            self.searcher.new_game();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            self.searcher.search(&game, &[], &limits, Signals::stopped_by(stop), &mut Unobserved)
        };
        if !is_wanted(search(fewer_nodes).score) {
            return Err(Rejection::FewerNodes);
        }
        let found = search(more_nodes);
        if !is_wanted(found.score) {
            return Err(Rejection::MoreNodes);
        }
        if found.best().is_none_or(|best| position.is_tactical(best)) {
            return Err(Rejection::Tactical);
        }
        if (found.score - evaluation).abs() > margin {
            return Err(Rejection::Disagreement);
        }
        Ok(found.score)
    }
}

/// Does some capture or promotion gain anything on its square?
fn wins_by_exchange(position: &Position) -> bool {
    let mut captures = MoveList::new();
    position.captures(&mut captures);
    captures.iter().any(|&capture| see_at_least(position, capture, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAIR: Requirements =
        Requirements { least: 0, limit: 50, margin: 60, fewer_nodes: 500, more_nodes: 2_000 };

    fn judge(fen: &str, requirements: Requirements) -> Result<i32, Rejection> {
        let position = Position::from_fen(fen).unwrap();
        Filter::new(requirements).judge(&position, &AtomicBool::new(false))
    }

    /// Each by the plainest of positions, so that no change of evaluation or search alters the answer.
    #[test]
    fn every_reason_has_its_position() {
        let mate_in_one = "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - -";
        // Queen takes knight, rook takes queen, rook mates: no exchange that wins by count.
        let mate_in_two = "r2n2k1/5ppp/8/8/8/3Q4/5PPP/3R2K1 w - -";
        let loose = Requirements { limit: 2_000, margin: 2_000, ..FAIR };
        let any =
            Requirements { least: 0, limit: 32_000, margin: 64_000, fewer_nodes: 500, more_nodes: 20_000 };
        for (fen, requirements, expected) in [
            ("rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq -", FAIR, Rejection::Check),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq -", FAIR, Rejection::Evaluation),
            // A knight attacked by a pawn hangs, whoever is to move.
            ("rnbqkbnr/ppp1pppp/8/3p4/4N3/8/PPPPPPPP/R1BQKBNR w KQkq -", loose, Rejection::Hanging),
            ("rnbqkbnr/ppp1pppp/8/3p4/4N3/8/PPPPPPPP/R1BQKBNR b KQkq -", loose, Rejection::Hanging),
            (mate_in_one, loose, Rejection::FewerNodes),
            // With one node the smaller search sees nothing.
            (mate_in_one, Requirements { fewer_nodes: 1, ..loose }, Rejection::MoreNodes),
            (mate_in_two, any, Rejection::Tactical),
            (mate_in_one, Requirements { limit: 32_000, ..FAIR }, Rejection::Disagreement),
        ] {
            assert_eq!(judge(fen, requirements), Err(expected), "{fen}");
        }
    }

    #[test]
    fn the_first_positions_pass_and_nothing_is_remembered() {
        let start = Position::start();
        let other = Position::from_fen("rnbqkbnr/pppp1ppp/4p3/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -").unwrap();
        let never = AtomicBool::new(false);
        let mut filter = Filter::new(Requirements { limit: 100, ..FAIR });
        let first = filter.judge(&start, &never);
        assert!(first.is_ok_and(|score| score.abs() <= 100), "{first:?}");
        let second = filter.judge(&other, &never);
        assert!(second.is_ok(), "{second:?}");
        assert_eq!(filter.judge(&start, &never), first);
        assert_eq!(filter.judge(&other, &never), second);
    }
}
