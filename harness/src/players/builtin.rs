//! The built-in engine as a player, in this process.

use crate::game::details::MoveDetails;
use crate::game::limit::MoveLimit;
use crate::game::opening::Opening;
use crate::game::player::{Answer, Fault, Player, Question};
use crate::game::record::Score;
use engine::config::EngineConfig;
use engine::position::{Color, Game, Position};
use engine::search::observer::Counters;
use engine::search::{Clock, Limits, SearchResult, Searcher, Signals, moves_to_mate};
use shakmaty::uci::UciMove;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One configuration of the built-in engine. Its memory is kept from game to game and emptied for each, so
/// that no move of a game allocates anything.
pub struct BuiltIn {
    config: EngineConfig,
    hash_megabytes: usize,
    searcher: Searcher,
    game: Game,
    /// Moves of `game` played so far.
    played: usize,
    chess960: bool,
    /// What the searches of this game counted.
    counters: Counters,
    /// What is told of its last search, if that was asked for.
    details: MoveDetails,
}

impl BuiltIn {
    /// A player with a table of this size, MB.
    pub fn new(config: &EngineConfig, hash_megabytes: usize) -> BuiltIn {
        BuiltIn {
            config: config.clone(),
            hash_megabytes,
            searcher: Searcher::new(config, hash_megabytes),
            game: Game::new(Position::start()),
            played: 0,
            chess960: false,
            counters: Counters::default(),
            details: MoveDetails::default(),
        }
    }

    /// Plays the moves that came since the last question.
    fn follow(&mut self, moves: &[UciMove]) -> Result<(), Fault> {
        for uci in &moves[self.played.min(moves.len())..] {
            let text = uci.to_string();
            let mv = self.game.position().parse_uci(&text).map_err(|error| {
                Fault::Crash(format!(
                    "the engine's board refuses {text} in {}: {error}",
                    self.game.position()
                ))
            })?;
            self.game.play(mv);
        }
        self.played = moves.len();
        Ok(())
    }

    fn search(&mut self, question: &Question) -> Result<SearchResult, Fault> {
        let limits = limits(question.limit, self.game.position().side_to_move());
        let signals = Signals::stopped_by(question.stop);
        let (searcher, game, counters) = (&mut self.searcher, &self.game, &mut self.counters);
        let search = || searcher.search(game, &[], &limits, signals, counters);
        // A bug of the engine loses this game, with its message as evidence, and no other.
        catch_unwind(AssertUnwindSafe(search)).map_err(|panic| {
            self.searcher = Searcher::new(&self.config, self.hash_megabytes);
            let message = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("a panic without a message");
            Fault::Crash(message.to_owned())
        })
    }
}

impl Player for BuiltIn {
    fn new_game(&mut self, opening: &Opening, _stop: &AtomicBool) -> Result<(), Fault> {
        let position = Position::from_fen(&opening.fen)
            .map_err(|error| Fault::Crash(format!("the engine's board refuses {}: {error}", opening.fen)))?;
        self.searcher.new_game();
        self.game = Game::new(position);
        self.played = 0;
        self.chess960 = opening.chess960;
        self.counters.clear();
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        self.follow(question.moves)?;
        let result = self.search(question)?;
        if question.stop.load(Ordering::Relaxed) {
            return Err(Fault::Cancelled);
        }
        let best = result.best().ok_or_else(|| Fault::NoMove(self.game.position().to_string()))?;
        let text = best.to_uci(self.chess960).to_string();
        let best = text.parse().map_err(|_| Fault::Unreadable(text))?;
        let score = result.exact_score.map(|score| match moves_to_mate(score) {
            Some(moves) => Score::Mate(moves),
            None => Score::Centipawns(score),
        });
        if question.details {
            let pv: Vec<_> =
                result.pv.iter().map(|played| played.to_uci(self.chess960).to_string()).collect();
            let seldepth = u32::try_from(result.selective_depth).ok();
            self.details = MoveDetails { seldepth, pv: pv.join(" ") };
        }
        Ok(Answer { best, score, depth: result.depth, nodes: result.nodes, own_ms: None })
    }

    fn details(&mut self) -> MoveDetails {
        std::mem::take(&mut self.details)
    }

    fn counters(&self) -> Option<Counters> {
        Some(self.counters.clone())
    }
}

fn limits(limit: MoveLimit, us: Color) -> Limits {
    let MoveLimit { nodes, depth, movetime, clocks } = limit;
    let clock = clocks.map(|clocks| {
        let (remaining, increment) = match us {
            Color::White => (clocks.white_ms, clocks.white_increment_ms),
            Color::Black => (clocks.black_ms, clocks.black_increment_ms),
        };
        Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go: clocks.moves_to_go,
        }
    });
    Limits { nodes, depth, move_time: movetime.map(Duration::from_millis), clock, ..Limits::default() }
}
