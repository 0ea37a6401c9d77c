//! Mate suite generator: the forced mates that `tests/mates.rs` puts to the engine:
//!
//! ```text
//! cargo run -p engine --example mate_suite > engine/tests/data/mates.epd
//! ```
//!
//! The full engine plays games against itself looking one ply ahead, from random openings. Of each game that ends with
//! mate, one position a few moves before it is taken, if every move has been tried and a mate in 2 to 5 is forced there
//! and no shorter one. Which positions those are does not depend on what the engine saw in them, so that it is not
//! asked only what it knows. The same engine makes the same suite again; a stronger one makes another, as good.

#[path = "../tests/common/mates.rs"]
mod mates;

use engine::config::EngineConfig;
use engine::position::{Game, Move, MoveList, Position};
use engine::search::observer::Unobserved;
use engine::search::{Limits, Searcher, Signals};
use mates::Prover;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};
use std::collections::HashSet;

/// How many mates of which length, in moves.
const WANTED: [(u32, usize); 4] = [(2, 35), (3, 35), (4, 30), (5, 25)];

/// Random plies at the beginning of a game.
const OPENING_PLIES: usize = 8;

/// A game that is longer is given up.
const LONGEST_GAME: usize = 300;

/// Nodes a move of the side that looks ahead.
const NODES: u64 = 2000;

/// Positions tried for the proofs of one game before it is given up.
const PROOF_POSITIONS: u64 = 3_000_000;

/// Table of each player, MB.
const HASH_MEGABYTES: usize = 1;

/// A forced mate.
struct Mate {
    moves: u32,
    line: String,
}

fn main() {
    let mut suite: Vec<Mate> = Vec::new();
    let mut taken = HashSet::new();
    for number in 1.. {
        let missing: Vec<(u32, usize)> = WANTED
            .into_iter()
            .map(|(moves, wanted)| (moves, wanted - suite.iter().filter(|mate| mate.moves == moves).count()))
            .filter(|&(_, missing)| missing > 0)
            .collect();
        if missing.is_empty() {
            break;
        }
        if let Some((position, mate)) = forced_mate(&lost_game(number), &missing, number)
            && taken.insert(position.key())
        {
            eprintln!("{}", mate.line);
            suite.push(mate);
        }
    }
    suite.sort_by_key(|mate| mate.moves);
    for mate in suite {
        println!("{}", mate.line);
    }
}

/// The positions of a game that ended with mate; none if it did not.
fn lost_game(number: u64) -> Vec<Position> {
    let config = EngineConfig::default();
    let mut players = [Searcher::new(&config, HASH_MEGABYTES), Searcher::new(&config, HASH_MEGABYTES)];
    let ahead = Limits { nodes: Some(NODES), ..Limits::default() };
    let blind = Limits { depth: Some(1), ..Limits::default() };
    let limits = if number.is_multiple_of(2) { [ahead, blind] } else { [blind, ahead] };

    let mut game = Game::new(Position::start());
    let mut line = vec![game.position().clone()];
    let mut random = number;
    for ply in 0..LONGEST_GAME {
        let mv = if ply < OPENING_PLIES {
            random_move(game.position(), &mut random)
        } else {
            let side = ply % 2;
            players[side].search(&game, &[], &limits[side], Signals::none(), &mut Unobserved).best()
        };
        let Some(mv) = mv else {
            return if game.position().in_check() { line } else { Vec::new() };
        };
        game.play(mv);
        line.push(game.position().clone());
        if game.position().halfmove_clock() >= 100 || game.position().is_insufficient_material() {
            break;
        }
    }
    Vec::new()
}

/// A move by a linear congruential generator (Knuth's MMIX).
fn random_move(position: &Position, state: &mut u64) -> Option<Move> {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.get((*state >> 33) as usize % moves.len().max(1)).copied()
}

/// Of the positions a few moves before the end of a game, those where the mate was forced and no shorter one; of these,
/// the one of the length that the suite misses most.
fn forced_mate(line: &[Position], missing: &[(u32, usize)], number: u64) -> Option<(Position, Mate)> {
    let mut prover = Prover::new(PROOF_POSITIONS);
    let mut chosen = None;
    for (moves, _) in WANTED {
        let Some(at) = line.len().checked_sub(2 * moves as usize) else { break };
        // Where a later mate was not forced, an earlier one hardly was.
        let Some(Some(shortest)) = prover.distance(&line[at], moves) else { break };
        let wanted = missing.iter().find(|&&(length, _)| length == moves).map_or(0, |&(_, missing)| missing);
        if shortest == moves && wanted > chosen.map_or(0, |(_, most, _)| most) {
            chosen = Some((moves, wanted, &line[at]));
        }
    }
    let (moves, _, position) = chosen?;
    let best = prover.mating_moves(position, moves)?;
    let fen = position.to_string();
    let board = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    let best = best.iter().map(|&mv| san(&fen, mv)).collect::<Vec<_>>().join(" ");
    let line = format!("{board} bm {best}; dm {moves}; id \"game {number}\";");
    Some((position.clone(), Mate { moves, line }))
}

fn san(fen: &str, mv: Move) -> String {
    let position: Chess = fen
        .parse::<Fen>()
        .expect("the engine writes valid FEN")
        .into_position(CastlingMode::Standard)
        .expect("a position of a game is legal");
    let mv = mv
        .to_uci(false)
        .parse::<UciMove>()
        .expect("the engine writes valid moves")
        .to_move(&position)
        .expect("the engine's moves are legal");
    SanPlus::from_move(position, mv).to_string()
}
