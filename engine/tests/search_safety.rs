//! Soundness of the full engine: all pruning together still finds what it must.
//!
//! Pruning and reductions give up the exactness that `exact_search.rs` and `search_rules.rs` hold the search to. Here
//! it is held to what must survive: legal moves whenever it is stopped, forced mates, draws by stalemate and
//! repetition, and positions where passing would be best. Debug assertions watch each move made: they compare the
//! position's keys with recomputed ones.

mod common;

use common::{
    PERPETUAL, Random, assert_playable, depth, game, legal_moves, near_mate, nodes, search, watched, with,
};
use engine::bench;
use engine::config::EngineConfig;
use engine::position::Game;
use engine::search::observer::{Iteration, Observer};
use engine::search::{Bound, DRAW, Limits, MATE, MAX_PLY, SearchResult, Searcher, is_mate, moves_to_mate};

/// What a move of a serious game gets.
const ENOUGH: u64 = 200_000;

fn full(hash_megabytes: usize) -> Searcher {
    Searcher::new(&EngineConfig::default(), hash_megabytes)
}

fn searched(fen: &str, limit: u64) -> SearchResult {
    search(&mut full(8), &game(fen, ""), &nodes(limit))
}

fn essence(result: &SearchResult) -> (u64, i32, u32, &[engine::position::Move]) {
    (result.nodes, result.score, result.depth, &result.pv)
}

#[test]
fn stopped_after_any_number_of_nodes_it_has_a_move_and_keeps_its_head() {
    for fen in [bench::POSITIONS[1], bench::POSITIONS[5], bench::POSITIONS[19]] {
        let game = game(fen, "");
        let after = nodes(300);
        let expected = search(&mut full(1), &game, &after);
        let mut renewed = full(1);
        let mut kept = full(1);
        for limit in 0..=2000 {
            let result = search(&mut renewed, &game, &nodes(limit));
            assert_eq!(result.nodes, limit, "{fen}");
            assert!(!result.pv.is_empty(), "{fen}: no move after {limit} nodes");
            assert_playable(game.position(), &result.pv, "pv");
            renewed.new_game();
            let again = search(&mut renewed, &game, &after);
            assert_eq!(essence(&again), essence(&expected), "{fen}: {limit} nodes left something behind");
            renewed.new_game();

            // Without a new game the memory of searches cut short is used, and must do no harm.
            let result = search(&mut kept, &game, &nodes(limit % 100));
            assert!(!result.pv.is_empty());
            assert_playable(game.position(), &result.pv, "pv");
        }
    }
}

/// Checks each line as it is reported.
struct Lines<'a>(&'a Game);

impl Observer for Lines<'_> {
    fn root_result(&mut self, iteration: &Iteration) {
        assert!(!iteration.pv.is_empty());
        assert_playable(self.0.position(), iteration.pv, "reported line");
        assert!(iteration.score.abs() <= MATE && iteration.selective_depth < MAX_PLY);
    }
}

#[test]
fn every_line_reported_can_be_played() {
    // One player for all positions, so that the table is full of other ones.
    let mut searcher = full(1);
    for fen in bench::POSITIONS {
        let game = game(fen, "");
        watched(&mut searcher, &game, &nodes(40_000), &mut Lines(&game));
    }
}

#[test]
fn generated_mates_are_found_and_seen_coming() {
    const EACH: usize = 10;
    let exact = with(&["alpha_beta", "quiescence", "capture_ordering", "killers", "history", "pvs"]);
    let mut random = Random::new(29);
    let mut found = [0; 5];
    let mut shortest = 0;
    let mut searcher = full(8);
    while found[1..].iter().any(|&count| count < EACH) {
        let mut game = near_mate(&mut random);
        let truth = search(&mut Searcher::new(&exact, 1), &game, &Limits { nodes: Some(60_000), ..depth(7) });
        let plies = MATE - truth.score;
        // Within the depth searched in full, no shorter mate can exist.
        if !is_mate(truth.score) || plies > truth.depth as i32 || truth.bound != Bound::Exact {
            continue;
        }
        let moves = moves_to_mate(truth.score).unwrap() as usize;
        if found[moves] == EACH {
            continue;
        }
        found[moves] += 1;
        searcher.new_game();
        let result = search(&mut searcher, &game, &nodes(ENOUGH));
        let within = moves_to_mate(result.score).filter(|&within| within > 0);
        assert!(within.is_some_and(|within| within as usize >= moves), "{}", game.position());
        shortest += usize::from(result.score == truth.score);
        // The other side sees it coming.
        game.play(result.best().unwrap());
        if !legal_moves(game.position()).is_empty() {
            searcher.new_game();
            let result = search(&mut searcher, &game, &nodes(ENOUGH));
            assert!(moves_to_mate(result.score).is_some_and(|within| within < 0), "{}", game.position());
        }
    }
    // A bet may hide the shortest mate behind a longer one, but rarely.
    let all = EACH * (found.len() - 1);
    assert!(shortest * 10 >= all * 9, "{shortest} of {all} with the shortest distance");
}

#[test]
fn a_won_ending_is_mated_in_time_without_stalemate() {
    for fen in [
        "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
        "8/8/8/3k4/8/8/8/4K2R w - - 0 1",
        "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
    ] {
        let mut game = game(fen, "");
        let mut searcher = full(8);
        let mut plies = 0;
        while let Some(mv) = search(&mut searcher, &game, &nodes(20_000)).best() {
            game.play(mv);
            plies += 1;
            assert!(plies < 100, "{fen}: no mate in fifty moves, {}", game.position());
        }
        assert!(game.position().in_check(), "{fen}: stalemate, {}", game.position());
    }
}

#[test]
fn who_must_move_and_would_rather_not_is_seen_to_lose() {
    // Each side's own move loses its pawn (the trébuchet).
    for side in ["w", "b"] {
        let result = searched(&format!("8/8/8/3pK3/2kP4/8/8/8 {side} - - 0 1"), ENOUGH);
        assert!(result.score < -500, "{side}: {}", result.score);
    }
    // The same with queens and rooks on the board, where null moves are tried: only the quiet king's move wins.
    let fen = "1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1";
    let result = searched(fen, 2 * ENOUGH);
    assert_eq!(result.best(), Some(game(fen, "").position().parse_uci("g5h6").unwrap()));
    assert!(result.score > 200, "{}", result.score);
    // With the opposition the pawn queens; without it the king stands in stalemate before the pawn.
    assert!(searched("7k/5K2/8/6P1/8/8/8/8 w - - 0 1", ENOUGH).score > 500);
    for drawn in ["8/8/8/8/2k5/8/1pK5/8 b - - 0 1", "k7/8/1K6/P7/8/8/8/8 w - - 0 1"] {
        assert_eq!(searched(drawn, ENOUGH).score, DRAW, "{drawn}");
    }
}

#[test]
fn perpetual_check_and_a_closed_position_are_draws() {
    for fen in [
        PERPETUAL,
        "8/2p4p/1p1p2p1/pP1Pp1Pk/P1P1P2P/8/5K2/8 w - - 0 1",
        "8/8/1p1k4/1P1p1p2/p1pPpPp1/P1P1P1P1/8/3K4 w - - 0 1",
    ] {
        let result = searched(fen, ENOUGH);
        assert_eq!(result.score, DRAW, "{fen}");
        assert_playable(game(fen, "").position(), &result.pv, "pv");
    }
}

#[test]
fn stalemate_at_the_root_is_a_draw_without_a_move() {
    let result = searched("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", ENOUGH);
    assert_eq!((result.best(), result.score, result.nodes), (None, DRAW, 0));
}
