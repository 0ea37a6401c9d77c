//! Searcher: one player, with its configuration and its memory of the game.

use super::correction::CorrectionHistory;
use super::frame::Frames;
use super::history::History;
use super::limits::{Budget, Limits, Signals};
use super::observer::Observer;
use super::ordering::{Hints, MovePicker};
use super::pv::{Line, PvTable};
use super::reduction_table::Reductions;
use super::score::{Bound, DRAW, MATE, MAX_PLY};
use super::state::{Memory, Search};
use super::table::Table;
use crate::config::EngineConfig;
use crate::evaluation::Evaluator;
use crate::params::SearchParams;
use crate::position::{Game, KeyHistory, Move, Position};
use crate::techniques::Techniques;
use std::io;

/// Searcher: one player.
pub struct Searcher {
    techniques: Techniques,
    params: SearchParams,
    reductions: Reductions,
    memory: Memory,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best line known; its first move is the answer. Empty if there is no legal move.
    pub pv: Line,
    /// Score from the side to move.
    pub score: i32,
    /// Whether the score is exact, or a bound because the search was stopped in a window that failed.
    pub bound: Bound,
    /// The last exact score, which a GUI shows as the evaluation: `score`, or that of an earlier depth.
    pub exact_score: Option<i32>,
    /// The depth at which the answer was found, plies; 0 if not even depth 1 was finished.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: usize,
    /// Positions searched.
    pub nodes: u64,
}

impl SearchResult {
    /// The move to play; `None` if there is no legal one.
    pub fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }
}

impl Searcher {
    /// A player with empty memory, its table `hash_megabytes` MB large.
    ///
    /// # Panics
    /// When there is no memory for it.
    pub fn new(config: &EngineConfig, hash_megabytes: usize) -> Searcher {
        Searcher {
            techniques: config.techniques,
            params: config.params.clone(),
            reductions: Reductions::new(&config.params),
            memory: Memory {
                table: Table::new(hash_megabytes).expect("memory for the transposition table"),
                history: History::new(),
                correction: CorrectionHistory::new(),
                evaluator: Evaluator::new(&config.eval),
                line: Frames::new(),
                pv: PvTable::new(),
                path: KeyHistory::new(),
            },
        }
    }

    /// Changes techniques, parameters and weights, keeping the memory.
    pub fn configure(&mut self, config: &EngineConfig) {
        self.memory.evaluator.set_weights(&config.eval);
        self.techniques = config.techniques;
        // The table of reductions takes longer than a short search.
        if self.params != config.params {
            self.params = config.params.clone();
            self.reductions = Reductions::new(&config.params);
        }
    }

    /// Replaces the table by an empty one of this size.
    ///
    /// # Errors
    /// When there is no memory for it; the old table stays then.
    pub fn resize_table(&mut self, hash_megabytes: usize) -> io::Result<()> {
        self.memory.table = Table::new(hash_megabytes)?;
        Ok(())
    }

    /// New game: clears the memory of the last one.
    pub fn new_game(&mut self) {
        self.memory.table.new_game();
        self.memory.history.clear();
        self.memory.correction.clear();
        self.memory.line.clear();
    }

    /// As [`Searcher::new_game`], with every byte of the table written: the same for the search, and slower.
    pub fn clear(&mut self) {
        self.new_game();
        self.memory.table.clear();
    }

    /// All moves of a position in the order in which a node without a hash move tries them, with the history of this game.
    pub fn moves_in_order(&self, position: &Position) -> impl Iterator<Item = Move> {
        let mut picker = MovePicker::all(None, [None; 3]);
        let hints =
            Hints { techniques: &self.techniques, history: &self.memory.history, previous: [None; 2] };
        std::iter::from_fn(move || picker.next(position, hints))
    }

    /// Searches the game's present position; with `chosen` moves, which must be legal, only those at the
    /// root.
    pub fn search<O: Observer>(
        &mut self,
        game: &Game,
        chosen: &[Move],
        limits: &Limits,
        signals: Signals,
        observer: &mut O,
    ) -> SearchResult {
        self.memory.table.new_search();
        self.memory.line.clear();
        self.memory.path.clone_from(game.history());
        self.memory.path.reserve(MAX_PLY);
        let mut search = Search {
            techniques: self.techniques,
            params: &self.params,
            reductions: &self.reductions,
            memory: &mut self.memory,
            observer,
            budget: Budget::new(limits, signals),
            nodes: 0,
            selective_depth: 0,
            is_root_restricted: !chosen.is_empty(),
            stopped: false,
        };
        let position = game.position();
        let mut moves = search.root_moves(position, chosen);
        if moves.is_empty() {
            let score = if position.in_check() { -MATE } else { DRAW };
            return SearchResult {
                pv: Line::new(),
                score,
                bound: Bound::Exact,
                exact_score: Some(score),
                depth: 0,
                selective_depth: 0,
                nodes: 0,
            };
        }
        let best = search.iterative_deepening(position, &mut moves);
        // A search that did not finish depth 1 has no score.
        let is_exact = best.depth > 0 && best.bound == Bound::Exact;
        SearchResult {
            pv: best.pv,
            score: best.score,
            bound: best.bound,
            exact_score: if is_exact { Some(best.score) } else { best.exact_score },
            depth: best.depth,
            selective_depth: search.selective_depth,
            nodes: search.nodes,
        }
    }
}
