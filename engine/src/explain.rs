//! Explanation of one search, printed while it runs: every window of the root, fail lows and fail highs, the counters,
//! and on request the tree itself.

use crate::position::{Game, Move};
use crate::search::observer::{Counters, Iteration, NodeInfo, Observer};
use crate::search::{Bound, INFINITY, moves_to_mate};
use std::io::Write;

/// Observer that prints a search as it runs; write errors end the printing, not the search.
pub struct Explainer<W> {
    out: W,
    chess960: bool,
    /// Nodes up to this ply are printed, in the iteration of `tree_depth`.
    tree_plies: usize,
    tree_depth: u32,
    depth: u32,
    windows_at_depth: u32,
    /// The move that leads to the node entered next, by the ply it is tried at.
    moves: Vec<Option<Move>>,
    counters: Counters,
}

impl<W: Write> Explainer<W> {
    /// An explainer of a search to `depth`, and of the tree of its last iteration to `tree_plies` plies.
    pub fn new(out: W, chess960: bool, depth: u32, tree_plies: usize) -> Explainer<W> {
        Explainer {
            out,
            chess960,
            tree_plies,
            tree_depth: depth,
            depth: 0,
            windows_at_depth: 0,
            moves: Vec::new(),
            counters: Counters::default(),
        }
    }

    /// Prints the counters and the final position.
    pub fn finish(mut self, game: &Game) {
        if !game.position().has_legal_move() {
            let end = if game.position().in_check() { "checkmate" } else { "stalemate" };
            self.line(format_args!("no legal move: {end}"));
        }
        let counters = self.counters.clone();
        self.line(format_args!("\n{counters}\n\n{}", game.position()));
    }

    fn line(&mut self, text: std::fmt::Arguments) {
        // The reader may have gone (a pager that was quit); the search goes on.
        let _ = writeln!(self.out, "{text}");
    }

    fn shows(&self, ply: usize) -> bool {
        self.depth == self.tree_depth && ply <= self.tree_plies && self.tree_plies > 0
    }

    fn name(&self, ply: usize) -> String {
        let last = ply.checked_sub(1).and_then(|parent| self.moves.get(parent).copied().flatten());
        last.map_or("root".to_owned(), |mv| mv.to_uci(self.chess960).to_string())
    }
}

/// A score as people read it.
fn readable_score(score: i32) -> String {
    match moves_to_mate(score) {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// A bound of a window: infinite ones lie outside the scores.
fn readable_bound(bound: i32) -> String {
    match bound.abs() < INFINITY {
        true => readable_score(bound),
        false if bound > 0 => "inf".to_owned(),
        false => "-inf".to_owned(),
    }
}

impl<W: Write> Observer for Explainer<W> {
    fn root_window(&mut self, depth: u32, alpha: i32, beta: i32) {
        self.windows_at_depth = if depth == self.depth { self.windows_at_depth + 1 } else { 1 };
        self.depth = depth;
        let again = if self.windows_at_depth > 1 { "again with " } else { "" };
        let (alpha, beta) = (readable_bound(alpha), readable_bound(beta));
        self.line(format_args!("depth {depth}: {again}window [{alpha}, {beta}]"));
    }

    fn root_improved(&mut self, _depth: u32, best: Move, score: i32, bound: Bound) {
        let sign = if bound == Bound::Lower { "at least " } else { "" };
        let (mv, score) = (best.to_uci(self.chess960).to_string(), readable_score(score));
        self.line(format_args!("  best so far {mv} {sign}{score}"));
    }

    fn root_result(&mut self, iteration: &Iteration) {
        self.counters.root_result(iteration);
        let verdict = match iteration.bound {
            Bound::Exact => "done",
            Bound::Lower => "failed high",
            Bound::Upper => "failed low",
        };
        let pv: Vec<String> = iteration.pv.iter().map(|mv| mv.to_uci(self.chess960).to_string()).collect();
        self.line(format_args!(
            "  {verdict}: {}  seldepth {}  nodes {}  pv {}",
            readable_score(iteration.score),
            iteration.selective_depth,
            iteration.nodes,
            pv.join(" ")
        ));
    }

    fn enter(&mut self, node: &NodeInfo) {
        self.counters.enter(node);
        if self.shows(node.ply) {
            let kind = match (node.is_pv, node.is_cut_node) {
                (true, _) => "PV",
                (false, true) => "cut",
                (false, false) => "all",
            };
            let indent = "  ".repeat(node.ply + 1);
            let (name, alpha, beta) =
                (self.name(node.ply), readable_bound(node.alpha), readable_bound(node.beta));
            self.line(format_args!("{indent}{name}  depth {}  [{alpha}, {beta}]  {kind} {{", node.depth));
        }
    }

    fn leave(&mut self, node: &NodeInfo, score: i32) {
        if self.shows(node.ply) {
            let indent = "  ".repeat(node.ply + 1);
            let (name, score) = (self.name(node.ply), readable_score(score));
            self.line(format_args!("{indent}}} {name} = {score}"));
        }
    }

    fn try_move(&mut self, ply: usize, mv: Move, _rank: u32) {
        if self.moves.len() <= ply {
            self.moves.resize(ply + 1, None);
        }
        self.moves[ply] = Some(mv);
    }

    fn pvs_researched(&mut self, ply: usize) {
        self.counters.pvs_researched(ply);
        if ply == 0 || self.shows(ply + 1) {
            let indent = "  ".repeat(ply + 1);
            let name = self.name(ply + 1);
            self.line(format_args!("{indent}{name} beats alpha: searched again with the full window"));
        }
    }

    fn reduced(&mut self, ply: usize, plies: i32) {
        self.counters.reduced(ply, plies);
    }

    fn reduction_researched(&mut self, ply: usize) {
        self.counters.reduction_researched(ply);
    }

    fn extended(&mut self, ply: usize, plies: i32) {
        self.counters.extended(ply, plies);
    }

    fn cutoff(&mut self, ply: usize, rank: u32) {
        self.counters.cutoff(ply, rank);
    }

    fn pruned(&mut self, ply: usize, pruning: crate::search::observer::Pruning) {
        self.counters.pruned(ply, pruning);
        if self.shows(ply) {
            let indent = "  ".repeat(ply + 2);
            self.line(format_args!("{indent}{}", pruning.name()));
        }
    }
}
