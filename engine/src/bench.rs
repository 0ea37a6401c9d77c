//! Bench signature: nodes of a fixed-depth search over fixed positions.
//!
//! The total is the same on every machine, thread count and build; a change of it means that the engine
//! searches differently. Testing servers such as OpenBench read its last line.

use crate::config::EngineConfig;
use crate::position::{Game, Position};
use crate::search::observer::{Iteration, Observer, Unobserved};
use crate::search::{Limits, Searcher, Signals};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::time::Instant;

/// Default depth, plies.
pub const DEFAULT_DEPTH: u32 = 6;

/// Table size of the bench, MB; part of the signature.
const HASH_MEGABYTES: usize = 16;

/// Openings, middlegames of several kinds, endings, a promotion race, a check, a Chess960 position.
pub const POSITIONS: [&str; 24] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkb1r/pp3ppp/2p1pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 5",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 2 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 3 6",
    "r1b2rk1/pp1nqppp/2p1pn2/3p4/2PP4/2NBPN2/PPQ2PPP/R3K2R b KQ - 5 9",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1NQPPP/R4RK1 w - - 2 11",
    "r2q1rk1/1b2bppp/p1nppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 b - - 1 12",
    "r1bq1rk1/4bppp/p2p1n2/npp1p3/4P3/2P2N1P/PPBP1PP1/RNBQR1K1 w - - 2 11",
    "3r1rk1/p1q2ppp/1pnbpn2/8/2P5/1P2BN2/P1Q1BPPP/3R1RK1 w - - 4 18",
    "4rrk1/2q1bppp/p2p4/1p1Pn3/4P3/1P3B2/PB3PPP/2RQ1RK1 b - - 0 22",
    "2r2rk1/5ppp/p2qpn2/1p6/3P4/1B2Q3/PP3PPP/2R2RK1 w - - 0 20",
    "6k1/5pp1/4p2p/3pP3/1r1P1P2/4K1P1/2R4P/8 w - - 3 36",
    "8/5pk1/4p1p1/3pP2p/2rP1P1P/6P1/R4PK1/8 b - - 0 40",
    "8/8/1p1k2p1/p1p2p1p/P1P2P1P/1P1K2P1/8/8 w - - 0 48",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "5k2/2R5/4b3/4Pp2/5P2/6K1/2r5/8 w - - 5 52",
    "8/3k4/8/1PP5/5pp1/8/4K3/8 w - - 0 60",
    "4k3/8/4q3/8/8/2Q5/4PP2/4K3 b - - 0 55",
    "6k1/pp3ppp/8/2b5/8/2N3P1/PP2rP1P/R4K2 w - - 0 24",
    "r1b1kb1r/pp1n1ppp/2p1pn2/q7/2BP4/2N2N2/PP1B1PPP/R2QK2R w KQkq - 2 9",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// What a bench found.
#[derive(Debug, Clone, Serialize)]
pub struct BenchResult {
    /// Depth of each search, plies.
    pub depth: u32,
    /// The signature: positions searched in all.
    pub nodes: u64,
    /// Positions searched for each entry of [`POSITIONS`].
    pub nodes_by_position: Vec<u64>,
    /// Wall time, seconds.
    pub seconds: f64,
    /// Nodes per second.
    pub nps: u64,
}

/// Fingerprint of a build of the engine with this configuration: 48 bits of the SHA-256 of what searches of
/// the bench's positions with a node limit find, iteration by iteration.
///
/// There is no depth limit, since some techniques begin at depth 5. It takes a fraction of a second whatever the
/// configuration, where a bench without cutoffs would not end.
pub fn fingerprint(config: &EngineConfig) -> u64 {
    const NODES: u64 = 10_000;
    let mut searcher = Searcher::new(config, 1);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut iterations = Iterations(Sha256::new());
    for fen in POSITIONS {
        let game = Game::new(Position::from_fen(fen).expect("bench positions are valid"));
        searcher.new_game();
        let result = searcher.search(&game, &[], &limits, Signals::none(), &mut iterations);
        let best = result.best().map(|mv| mv.to_uci(true).to_string());
        iterations.0.update(format!("{} {} {} {best:?}\n", result.nodes, result.depth, result.score));
    }
    let digest = iterations.0.finalize();
    digest[..6].iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

/// Hashes every window of the root with the nodes it took: a search that is cut by its nodes has the same total
/// whatever it does.
struct Iterations(Sha256);

impl Observer for Iterations {
    fn root_result(&mut self, iteration: &Iteration) {
        let Iteration { depth, score, nodes, .. } = iteration;
        self.0.update(format!("{depth} {score} {nodes}\n"));
    }
}

/// Searches every position to `depth` from a cleared state.
pub fn bench(config: &EngineConfig, depth: u32) -> BenchResult {
    let mut searcher = Searcher::new(config, HASH_MEGABYTES);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let started = Instant::now();
    let nodes_by_position: Vec<u64> = POSITIONS
        .iter()
        .map(|fen| {
            let game = Game::new(Position::from_fen(fen).expect("bench positions are valid"));
            searcher.new_game();
            searcher.search(&game, &[], &limits, Signals::none(), &mut Unobserved).nodes
        })
        .collect();
    let seconds = started.elapsed().as_secs_f64();
    let nodes = nodes_by_position.iter().sum();
    BenchResult { depth, nodes, nodes_by_position, seconds, nps: (nodes as f64 / seconds.max(1e-9)) as u64 }
}
