//! UCI search: `info` lines while it runs, and `bestmove`.

use super::output::say;
use super::words::Request;
use crate::position::Game;
use crate::search::observer::{Iteration, Observer};
use crate::search::{Bound, Line, Searcher, Signals, moves_to_mate};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Flags that the reading thread sets for the search thread.
#[derive(Default)]
pub struct Flags {
    /// Stop and answer.
    pub stop: AtomicBool,
    /// The opponent still thinks about the move that was expected.
    pub pondering: AtomicBool,
}

/// Searches and prints the best move; after `go infinite` and `go ponder` only when a command asks for it.
pub fn answer(searcher: &mut Searcher, game: &Game, request: &Request, flags: &Flags, chess960: bool) {
    let mut reporter = Reporter { started: Instant::now(), chess960, reported: None, permill_full: 0 };
    let signals = Signals { stop: &flags.stop, pondering: &flags.pondering };
    let result = searcher.search(game, &request.moves, &request.limits, signals, &mut reporter);
    while (request.infinite || flags.pondering.load(Ordering::Relaxed)) && !flags.stop.load(Ordering::Relaxed)
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    // A search that was stopped may know more than its last report, or have had nothing to report; the last line
    // is what the GUI takes for the answer's score, depth and nodes.
    let last = Iteration {
        depth: result.depth,
        selective_depth: result.selective_depth,
        score: result.score,
        bound: result.bound,
        nodes: result.nodes,
        nodes_before: result.nodes,
        pv: &result.pv,
        permill_full: reporter.permill_full,
    };
    if reporter.reported != Some(Report::of(&last)) {
        reporter.root_result(&last);
    }
    match (result.pv.first(), result.pv.get(1)) {
        (Some(best), Some(ponder)) => {
            say!("bestmove {} ponder {}", best.to_uci(chess960), ponder.to_uci(chess960));
        }
        (Some(best), None) => say!("bestmove {}", best.to_uci(chess960)),
        (None, _) => say!("bestmove (none)"),
    }
}

/// Prints the `info` lines.
struct Reporter {
    started: Instant,
    chess960: bool,
    /// The last report, and how full the table was.
    reported: Option<Report>,
    permill_full: usize,
}

/// What of a report may be news.
#[derive(PartialEq)]
struct Report {
    depth: u32,
    score: i32,
    bound: Bound,
    nodes: u64,
    pv: Line,
}

impl Report {
    fn of(iteration: &Iteration) -> Report {
        let Iteration { depth, score, bound, nodes, pv, .. } = *iteration;
        Report { depth, score, bound, nodes, pv: pv.iter().copied().collect() }
    }
}

impl Observer for Reporter {
    fn root_result(&mut self, iteration: &Iteration) {
        let elapsed = self.started.elapsed();
        let score = match moves_to_mate(iteration.score) {
            Some(moves) => format!("mate {moves}"),
            None => format!("cp {}", iteration.score),
        };
        let bound = match iteration.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let moves: String = iteration.pv.iter().map(|mv| format!(" {}", mv.to_uci(self.chess960))).collect();
        let pv = if moves.is_empty() { "" } else { " pv" };
        say!(
            "info depth {} seldepth {} score {score}{bound} nodes {} nps {} hashfull {} time {}{pv}{moves}",
            iteration.depth,
            iteration.selective_depth,
            iteration.nodes,
            (iteration.nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64,
            iteration.permill_full,
            elapsed.as_millis(),
        );
        self.reported = Some(Report::of(iteration));
        self.permill_full = iteration.permill_full;
    }
}
