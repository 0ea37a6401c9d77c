//! Mate suite: the full engine finds forced mates within a node limit.
//!
//! `data/mates.epd` holds positions of the engine's own games with a forced mate in 2 to 5 moves (`dm`) and every move
//! that forces it so soon (`bm`). `examples/mate_suite.rs` made it, by trying all moves.
//!
//! **Solved** means: within the node limit the search announces a mate, and its move keeps a forced mate. That it does is
//! known if it is one of the moves that force the shortest; if not, the engine must go on to mate within the moves it
//! announced, against its own best defence. A search that prunes does not always see the *shortest* mate: how often it
//! does is held, too.

mod common;
#[path = "common/mates.rs"]
mod mates;

use common::{depth, game, search, with};
use engine::config::EngineConfig;
use engine::position::{Game, Move};
use engine::search::{Bound, Limits, SearchResult, Searcher, moves_to_mate};
use mates::Prover;
use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess};
use std::collections::HashSet;

const SUITE: &str = include_str!("data/mates.epd");

/// Nodes for each position.
const NODES: u64 = 200_000;

struct Mate {
    board: &'static str,
    game: Game,
    moves: u32,
    best: HashSet<Move>,
}

fn suite() -> Vec<Mate> {
    SUITE.lines().map(|line| parse(line).unwrap_or_else(|| panic!("no entry of the suite: {line}"))).collect()
}

/// `BOARD bm SAN…; dm N; id "…";`
fn parse(line: &'static str) -> Option<Mate> {
    let (board, rest) = line.split_once(" bm ")?;
    let (best, rest) = rest.split_once("; dm ")?;
    let (moves, _) = rest.split_once(';')?;
    let rules: Chess = board.parse::<Epd>().ok()?.into_position(CastlingMode::Standard).ok()?;
    let game = game(&format!("{board} 0 1"), "");
    let best = best.split(' ').map(|san| {
        let mv = san.parse::<SanPlus>().ok()?.san.to_move(&rules).ok()?;
        game.position().parse_uci(&mv.to_uci(CastlingMode::Standard).to_string()).ok()
    });
    let best = best.collect::<Option<_>>()?;
    Some(Mate { board, game, moves: moves.parse().ok()?, best })
}

fn solve(searcher: &mut Searcher, game: &Game, mate_in: u32) -> SearchResult {
    let limits = Limits { nodes: Some(NODES), mate: Some(mate_in), ..Limits::default() };
    search(searcher, game, &limits)
}

/// The length of the mate that a search announces for the side to move.
fn announced(result: &SearchResult) -> Option<u32> {
    let moves = moves_to_mate(result.score).filter(|&moves| moves > 0 && result.bound != Bound::Upper)?;
    Some(moves as u32)
}

fn is_shortest(mate: &Mate, result: &SearchResult) -> bool {
    announced(result) == Some(mate.moves) && result.best().is_some_and(|mv| mate.best.contains(&mv))
}

/// Whether the engine, playing both sides, mates within so many moves.
fn mates_in_play(searcher: &mut Searcher, mut game: Game, moves: u32) -> bool {
    for ply in 0..2 * moves {
        let mate_in = moves - ply / 2;
        match solve(searcher, &game, mate_in).best() {
            Some(mv) => game.play(mv),
            None => break,
        }
    }
    let position = game.position();
    position.in_check() && !position.has_legal_move()
}

#[test]
fn the_full_engine_solves_nine_in_ten() {
    let suite = suite();
    let mut searcher = Searcher::new(&EngineConfig::default(), 16);
    let (mut solved, mut shortest, mut others) = (0, 0, Vec::new());
    for mate in &suite {
        searcher.new_game();
        let result = solve(&mut searcher, &mate.game, mate.moves);
        let length = announced(&result);
        assert!(length.is_none_or(|moves| moves >= mate.moves), "a mate that is not there: {}", mate.board);
        if is_shortest(mate, &result) {
            shortest += 1;
        } else {
            let is_mate = length.is_some_and(|moves| mates_in_play(&mut searcher, mate.game.clone(), moves));
            solved += usize::from(is_mate);
            others.push(format!("{} dm {}: {length:?}, {is_mate}", mate.board, mate.moves));
        }
    }
    solved += shortest;
    let others = others.join("\n");
    println!("of {}, {solved} solved, {shortest} by the shortest mate; the others:\n{others}", suite.len());
    assert!(10 * solved >= 9 * suite.len(), "{solved} of {} solved:\n{others}", suite.len());
    assert!(10 * shortest >= 8 * suite.len(), "{shortest} of {} shortest:\n{others}", suite.len());
}

#[test]
fn the_suite_is_a_fair_mix_of_different_positions() {
    let suite = suite();
    assert!(suite.len() >= 120);
    let boards: HashSet<_> = suite.iter().map(|mate| mate.board).collect();
    assert_eq!(boards.len(), suite.len());
    for moves in 2..=5 {
        let count = suite.iter().filter(|mate| mate.moves == moves).count();
        assert!(count >= 20, "{count} mates in {moves}");
    }
    let middlegames = suite.iter().filter(|mate| mate.game.position().occupied().len() >= 12).count();
    assert!(2 * middlegames > suite.len(), "{middlegames} of {}", suite.len());
}

/// The longer ones were proved when the suite was made; here it would take too long.
#[test]
fn the_shorter_mates_are_what_the_suite_says() {
    for mate in suite().iter().filter(|mate| mate.moves <= 3) {
        let mut prover = Prover::new(u64::MAX);
        let position = mate.game.position();
        assert_eq!(prover.distance(position, mate.moves), Some(Some(mate.moves)), "{}", mate.board);
        let best = prover.mating_moves(position, mate.moves).unwrap();
        assert_eq!(best.into_iter().collect::<HashSet<_>>(), mate.best, "{}", mate.board);
    }
}

/// A search that prunes nothing sees every mate in two within three plies.
#[test]
fn an_exact_search_finds_the_same() {
    let config = with(&["alpha_beta", "quiescence", "capture_ordering", "killers", "pvs"]);
    for mate in suite().iter().filter(|mate| mate.moves == 2) {
        let result = search(&mut Searcher::new(&config, 1), &mate.game, &depth(3));
        assert!(is_shortest(mate, &result), "{}", mate.board);
    }
}
