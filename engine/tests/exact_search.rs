//! Alpha-beta identity: with exact techniques only, the score at the root is that of plain minimax.
//!
//! Cutoffs, ordering, null windows and aspiration windows may change what a search costs, never what it
//! finds. Minimax in turn is held to a reference written here from the rules alone.

mod common;

use common::{Played, Random, legal_moves, played, random_ending, random_game, watched, with, with_windows};
use engine::config::EngineConfig;
use engine::evaluation::{EvalWeights, evaluate};
use engine::position::{Game, Move, Position};
use engine::search::observer::{Iteration, Observer};
use engine::search::{Bound, DRAW, Limits, MATE, Searcher};

/// Positions in which something special happens within a few plies, with moves played to reach them.
const SPECIAL: [(&str, &str); 28] = [
    ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", ""),  // mate in one
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", ""),  // mate in two by a sacrifice
    ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", ""),     // mated
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""),     // stalemated
    ("8/8/8/8/8/6k1/5q2/7K w - - 0 1", ""),     // stalemated
    ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", ""),     // a queen that mates or stalemates
    ("8/8/8/1p6/1P6/1pk5/8/1K6 b - - 0 1", ""), // stalemate of the side with as much material
    ("8/6p1/5p1p/5PpP/6P1/7k/8/7K b - - 0 1", ""),
    ("8/8/8/8/7p/7P/p2K4/k7 w - - 0 1", ""), // the side that is ahead may be stalemated
    ("7K/P2k4/p7/P7/8/8/8/8 b - - 0 1", ""),
    ("k7/p1K5/P7/1p6/1P6/8/8/8 b - - 0 1", ""), // only moves, then none
    ("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", ""), // zugzwang
    ("1k6/1P6/1K6/8/8/8/8/8 w - - 0 1", ""),    // zugzwang or stalemate
    ("8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1", ""),
    ("8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1", ""), // promotions
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", ""),
    ("8/5P1k/8/8/8/8/8/6K1 w - - 0 1", ""), // underpromotion matters near stalemate
    ("7k/8/6K1/8/8/8/8/R7 w - - 98 80", ""), // mate on the hundredth half-move and one too late
    ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", ""),
    ("7k/8/6K1/8/8/8/8/R7 b - - 99 80", ""),
    ("7k/8/6K1/8/8/8/8/R7 w - - 100 80", ""),
    ("7k/8/6K1/8/8/4p3/8/R7 w - - 97 80", ""), // a pawn move starts the clock anew
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3 g8f6 f3g1 f6g8"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"),
    ("8/8/8/8/3k4/8/1R6/K2r4 w - - 0 1", "a1a2 d1d3 a2a1 d3d1 a1a2 d1d3"), // check, and a repetition at hand
    ("6k1/6pp/8/8/4q3/8/5PPP/Q5K1 w - - 0 1", ""), // a perpetual check to give or to stop
    ("8/8/8/8/8/4k3/4p3/4K2B b - - 0 1", ""),      // captures into bare kings
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", ""),
];

/// Scores of the iterations that were finished, depth 1 first.
#[derive(Default)]
struct Scores(Vec<i32>);

impl Observer for Scores {
    fn root_result(&mut self, iteration: &Iteration) {
        if iteration.bound == Bound::Exact {
            self.0.push(iteration.score);
            assert_eq!(self.0.len(), iteration.depth as usize);
        }
    }
}

/// A config under test with its player.
struct Variant {
    name: String,
    searcher: Searcher,
}

impl Variant {
    fn new(name: impl Into<String>, config: &EngineConfig) -> Variant {
        Variant { name: name.into(), searcher: Searcher::new(config, 1) }
    }

    fn scores(&mut self, game: &Game, depth: u32, nodes: Option<u64>) -> Vec<i32> {
        let mut scores = Scores::default();
        let limits = Limits { depth: Some(depth), nodes, ..Limits::default() };
        let result = watched(&mut self.searcher, game, &limits, &mut scores);
        if legal_moves(game.position()).is_empty() {
            return vec![result.score];
        }
        scores.0
    }
}

/// Minimax and everything that must equal it.
struct Identity {
    minimax: Variant,
    others: Vec<Variant>,
    quiescence: bool,
    compared: [usize; 5],
    /// Scores that a window could have spoilt: draws that evaluation does not see, and mates.
    special: usize,
}

impl Identity {
    fn new(quiescence: bool) -> Identity {
        let with = |techniques: &[&str]| {
            let mut config = with(techniques);
            config.techniques.quiescence = quiescence;
            config
        };
        let ordered = ["alpha_beta", "capture_ordering", "killers", "history"];
        let ordered_pvs = ["alpha_beta", "capture_ordering", "killers", "history", "pvs"];
        let mut others = vec![
            Variant::new("ordered minimax", &with(&ordered[1..])),
            Variant::new("alpha-beta", &with(&ordered[..1])),
            Variant::new("alpha-beta, captures first", &with(&ordered[..2])),
            Variant::new("alpha-beta, killers", &with(&["alpha_beta", "killers"])),
            Variant::new("alpha-beta, history", &with(&["alpha_beta", "history"])),
            Variant::new("alpha-beta, ordered", &with(&ordered)),
            Variant::new("PVS", &with(&["alpha_beta", "pvs"])),
            Variant::new("PVS, ordered", &with(&ordered_pvs)),
        ];
        for (delta, max_delta) in [(1, 1), (1, 10_000), (5, 30), (25, 800), (500, 1), (500, 10_000)] {
            for (name, techniques) in [("alpha-beta", &ordered[..]), ("PVS", &ordered_pvs)] {
                let mut config = with(techniques);
                config.techniques.aspiration = true;
                let config = with_windows(config, delta, max_delta);
                others.push(Variant::new(format!("{name}, windows {delta} to {max_delta}"), &config));
            }
        }
        let minimax = Variant::new("minimax", &with(&[]));
        Identity { minimax, others, quiescence, compared: [0; 5], special: 0 }
    }

    /// Compares down to `depth`, or as deep as minimax gets within `nodes`.
    fn check(&mut self, played: &Played, depth: u32, nodes: u64) {
        let game = &played.game;
        let expected = self.minimax.scores(game, depth, Some(nodes));
        for reference_depth in 1..=expected.len().min(2) as u32 {
            let found = Reference::new(played, self.quiescence).root(game.position(), reference_depth);
            let score = expected[reference_depth as usize - 1];
            assert_eq!(score, found, "minimax at depth {reference_depth}: {}", game.position());
        }
        if expected.is_empty() {
            return;
        }
        for other in &mut self.others {
            // Memory must not matter, so it is sometimes kept from the position before.
            if self.compared[1].is_multiple_of(2) {
                other.searcher.new_game();
            }
            let scores = other.scores(game, expected.len() as u32, None);
            assert_eq!(scores, expected, "{}: {}", other.name, game.position());
        }
        self.compared[expected.len()] += 1;
        self.special += usize::from(expected.iter().any(|&score| score == DRAW || score.abs() > 30_000));
    }
}

/// Minimax as the rules of the search define it, from the position's rules and the evaluation alone.
struct Reference {
    /// Keys of all positions before the present one.
    path: Vec<u64>,
    /// How many of them are older than the root.
    older: usize,
    quiescence: bool,
    weights: EvalWeights,
}

impl Reference {
    fn new(played: &Played, quiescence: bool) -> Reference {
        let (older, path) = (played.earlier.len(), played.earlier.clone());
        Reference { path, older, quiescence, weights: EvalWeights::default() }
    }

    fn root(&mut self, position: &Position, depth: u32) -> i32 {
        match legal_moves(position).is_empty() {
            true if position.in_check() => -MATE,
            true => DRAW,
            false => self.best(position, depth, i32::MIN, |_| true),
        }
    }

    fn node(&mut self, position: &Position, depth: u32) -> i32 {
        let ply = (self.path.len() - self.older) as i32;
        let (in_check, is_stuck) = (position.in_check(), legal_moves(position).is_empty());
        let seen = |keys: &[u64]| keys.iter().filter(|&&key| key == position.key()).count();
        let repeated = seen(&self.path[self.older..]) >= 1 || seen(&self.path) >= 2;
        let fifty_moves = position.halfmove_clock() >= 100 && !(in_check && is_stuck);
        if repeated || fifty_moves || position.is_insufficient_material() {
            return DRAW;
        }
        if depth == 0 && !self.quiescence {
            return evaluate(position, &self.weights);
        }
        // In quiescence, only a side with nothing but king and pawns is asked whether it can move.
        let blind = depth == 0 && position.has_non_pawn_material(position.side_to_move());
        if is_stuck && (in_check || !blind) {
            return if in_check { ply - MATE } else { DRAW };
        }
        match depth == 0 && !in_check {
            true => self.best(position, 0, evaluate(position, &self.weights), |mv| position.is_tactical(mv)),
            false => self.best(position, depth, i32::MIN, |_| true),
        }
    }

    fn best(&mut self, position: &Position, depth: u32, at_least: i32, wanted: impl Fn(Move) -> bool) -> i32 {
        let mut best = at_least;
        for &mv in legal_moves(position).iter().filter(|&&mv| wanted(mv)) {
            self.path.push(position.key());
            best = best.max(-self.node(&position.play(mv), depth.saturating_sub(1)));
            self.path.pop();
        }
        best
    }
}

/// Special, random and late positions in equal parts, down to depth 3 where minimax can.
fn check_many(quiescence: bool, random_positions: usize, nodes: u64) {
    let mut identity = Identity::new(quiescence);
    let mut random = Random::new(7);
    for (fen, moves) in SPECIAL {
        identity.check(&played(fen, moves), 3, nodes);
    }
    for _ in 0..random_positions {
        let plies = random.below(160);
        identity.check(&random_game(&mut random, plies), 3, nodes);
        for most_pieces in [2, 4, 7] {
            identity.check(&random_ending(&mut random, most_pieces), 3, nodes);
        }
    }
    let compared: usize = identity.compared.iter().sum();
    assert!(compared >= 200, "{:?}", identity.compared);
    assert!(identity.compared[3] * 2 > compared, "{:?}", identity.compared);
    assert!(identity.special * 5 > compared, "{} of {compared}", identity.special);
}

#[test]
fn every_exact_search_finds_what_minimax_finds() {
    check_many(false, 90, 30_000);
}

#[test]
fn every_exact_search_finds_what_minimax_finds_with_quiescence() {
    check_many(true, 90, 60_000);
}

#[test]
fn the_identity_holds_at_depth_four() {
    for quiescence in [false, true] {
        let mut identity = Identity::new(quiescence);
        let mut random = Random::new(4);
        while identity.compared[4] < 20 {
            identity.check(&random_ending(&mut random, 4), 4, 60_000);
        }
    }
}
