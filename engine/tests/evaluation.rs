//! Static evaluation: symmetry between the sides, and agreement with its weights.

use engine::bench::POSITIONS;
use engine::config::EngineConfig;
use engine::evaluation::groups::{COUNT, GROUPS, Kind, TEMPO};
use engine::evaluation::{EvalWeights, Evaluator, MAX_EVALUATION, evaluate, trace};
use engine::position::{Color, MoveList, Position};
use proptest::prelude::*;

/// Positions of random games from the bench positions: some 80 plies each.
fn random_positions(seed: u64) -> Vec<Position> {
    let mut random = Random(seed);
    let mut positions = Vec::new();
    for fen in POSITIONS {
        let mut position = Position::from_fen(fen).unwrap();
        for _ in 0..80 {
            positions.push(position.clone());
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
    }
    positions
}

/// Marsaglia's xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// Weights that are not like any a person would set.
    fn weights(&mut self) -> EvalWeights {
        let halves: Vec<i32> = (0..2 * COUNT).map(|_| self.below(160) as i32 - 40).collect();
        EvalWeights::from_pairs(|index| [halves[2 * index], halves[2 * index + 1]])
    }
}

/// The board seen from the other side of the table, the colours exchanged.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap_case = |text: &str| -> String {
        let swap = |c: char| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        text.chars().map(swap).collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let en_passant = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    let castling = swap_case(fields[2]);
    let text = format!("{} {turn} {castling} {en_passant} {} {}", board.join("/"), fields[4], fields[5]);
    Position::from_fen(&text).unwrap()
}

#[test]
fn weights_times_trace_is_the_evaluation() {
    let mut random = Random(11);
    for round in 0..4 {
        let weights = if round == 0 { EvalWeights::default() } else { random.weights() };
        for position in random_positions(round + 1) {
            let white = trace(&position, &weights).value(&weights).clamp(-MAX_EVALUATION, MAX_EVALUATION);
            let own = if position.side_to_move() == Color::White { white } else { -white };
            assert_eq!(evaluate(&position, &weights), own, "{position}");
        }
    }
}

#[test]
fn what_the_evaluator_remembers_changes_nothing() {
    let weights = EvalWeights::default();
    let mut evaluator = Evaluator::new(&weights);
    for position in random_positions(5) {
        assert_eq!(evaluator.evaluate(&position), evaluate(&position, &weights), "{position}");
    }
    let others = Random(3).weights();
    evaluator.set_weights(&others);
    for position in random_positions(5) {
        assert_eq!(evaluator.evaluate(&position), evaluate(&position, &others), "{position}");
    }
}

/// Term by term: each weight counts for Black in the mirror as often as for White.
#[test]
fn every_term_sees_both_sides_alike() {
    let weights = Random(7).weights();
    let mut seen = [false; COUNT];
    for position in random_positions(9) {
        let (here, there) = (trace(&position, &weights), trace(&mirrored(&position), &weights));
        for (index, [white, black]) in here.used() {
            assert_eq!(
                here.times(Color::White, index),
                there.times(Color::Black, index),
                "{index} {position}"
            );
            assert_eq!(
                here.times(Color::Black, index),
                there.times(Color::White, index),
                "{index} {position}"
            );
            seen[index] |= white != 0 || black != 0;
        }
        assert_eq!(here.used().count(), there.used().count(), "{position}");
        assert_eq!(evaluate(&position, &weights), evaluate(&mirrored(&position), &weights), "{position}");
    }
    for info in GROUPS.iter().filter(|info| info.kind != Kind::Scale) {
        assert!(info.range().any(|index| seen[index]), "no position has {}", info.name);
    }
}

#[test]
fn extreme_weights_and_boards_stay_in_range() {
    let extremes = [-1_000_000, 1_000_000].map(|half| EvalWeights::from_pairs(|_| [half, half]));
    for fen in [
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/k1K5 b - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for weights in &extremes {
            assert!(evaluate(&position, weights).abs() <= MAX_EVALUATION, "{fen}");
        }
    }
}

/// One trait at a time, (better, worse) for White.
#[test]
fn each_term_pulls_in_its_direction() {
    let weights = EvalWeights::default();
    let value = |fen: &str| evaluate(&Position::from_fen(fen).unwrap(), &weights);
    for (better, worse, why) in [
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1", "bishop pair"),
        ("4k3/p7/8/8/3P4/2P5/8/4K3 w - - 0 1", "4k3/p7/8/8/3P4/3P4/8/4K3 w - - 0 1", "doubled pawns"),
        ("4k3/7p/8/P7/8/8/8/4K3 w - - 0 1", "4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1", "passed pawn"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "6k1/3p1ppp/8/8/8/8/3P1PPP/3R2K1 w - - 0 1", "open file"),
    ] {
        assert!(value(better) > value(worse), "{why}: {} against {}", value(better), value(worse));
    }
}

#[test]
fn the_opening_position_is_worth_the_move() {
    let opening = trace(&Position::start(), &EvalWeights::default());
    let lopsided: Vec<usize> =
        opening.used().filter(|(_, [white, black])| white != black).map(|(index, _)| index).collect();
    assert_eq!(lopsided, [TEMPO]);
}

/// The weights set by hand, as they were before there was anything to fit, are still expressible.
#[test]
fn the_hand_set_config_leaves_new_terms_out() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/eval/hand-set.toml");
    let config = EngineConfig::load(path.as_ref()).unwrap();
    let of = |name: &str| config.eval.iter().find(|(info, _)| info.name == name).unwrap().1;
    assert_eq!(of("material")[0], [85, 110]);
    assert_eq!(of("threat_by_pawn"), [[0, 0]; 4]);
    assert_eq!(of("scale_pawns"), [[64, 64]; 9]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_config_with_any_legal_weights_reads_back(seed in 1u64..) {
        let config = EngineConfig { eval: Random(seed).weights(), ..EngineConfig::default() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        std::fs::write(&path, config.to_toml()).unwrap();
        prop_assert_eq!(EngineConfig::load(&path).unwrap(), config);
    }
}
