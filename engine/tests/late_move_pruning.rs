//! Late move pruning and principal variation search: pruning must not act in the search that verifies a fail high.

mod common;

use common::{Random, depth, full, random_game, watched, with};
use engine::config::EngineConfig;
use engine::position::Game;
use engine::search::Searcher;
use engine::search::observer::{NodeInfo, Observer, Pruning, Unobserved};

/// Positions of random games, midgames mostly.
fn positions(count: usize) -> Vec<Game> {
    let mut random = Random::new(14);
    let mut games = Vec::new();
    while games.len() < count {
        let plies = 4 + random.below(40);
        let game = random_game(&mut random, plies).game;
        if !common::legal_moves(game.position()).is_empty() {
            games.push(game);
        }
    }
    games
}

/// Exact techniques, and late move pruning beside them.
fn exact_with_late_move_pruning(lmp_pv: i32) -> EngineConfig {
    let mut config = with(&[
        "alpha_beta",
        "quiescence",
        "capture_ordering",
        "killers",
        "history",
        "pvs",
        "late_move_pruning",
    ]);
    config.params.lmp_pv = lmp_pv;
    config
}

/// How many of the positions have another root score at depth 2 than without late move pruning.
fn other_root_scores(config: &EngineConfig, games: &[Game]) -> usize {
    let mut without = config.clone();
    without.techniques.late_move_pruning = false;
    let score = |config: &EngineConfig, game: &Game| {
        watched(&mut Searcher::new(config, 1), game, &depth(2), &mut Unobserved).score
    };
    games.iter().filter(|game| score(config, game) != score(&without, game)).count()
}

#[test]
fn root_scores_at_depth_two_are_those_without_it() {
    let games = positions(200);
    assert_eq!(other_root_scores(&exact_with_late_move_pruning(0), &games), 0);
    // The same with PV nodes pruned: the fault that the test is for.
    let spoilt = other_root_scores(&exact_with_late_move_pruning(1), &games);
    assert!(spoilt > games.len() / 10, "{spoilt} of {}", games.len());
}

/// Which nodes the search is in, and where late moves are pruned.
#[derive(Default)]
struct Watch {
    line: Vec<NodeInfo>,
    pruned_at_pv: u32,
    pruned_elsewhere: u32,
    /// PVS re-searches whose next node has not been entered yet.
    due: bool,
    verified: u32,
}

impl Observer for Watch {
    fn enter(&mut self, node: &NodeInfo) {
        if std::mem::take(&mut self.due) {
            assert!(node.is_pv, "a fail high is verified at a PV node, not at {node:?}");
            self.verified += 1;
        }
        self.line.push(*node);
    }

    fn leave(&mut self, _: &NodeInfo, _: i32) {
        self.line.pop();
    }

    fn pvs_researched(&mut self, _: usize) {
        self.due = true;
    }

    fn pruned(&mut self, _: usize, pruning: Pruning) {
        if pruning == Pruning::LateMove {
            match self.line.last().expect("moves are pruned inside a node").is_pv {
                true => self.pruned_at_pv += 1,
                false => self.pruned_elsewhere += 1,
            }
        }
    }
}

#[test]
fn a_fail_high_is_verified_by_a_pv_node_that_prunes_no_late_move() {
    let games = positions(30);
    for mut config in [full(), exact_with_late_move_pruning(0)] {
        let watch = |config: &EngineConfig| {
            let mut watch = Watch::default();
            for game in &games {
                watched(&mut Searcher::new(config, 1), game, &depth(6), &mut watch);
            }
            watch
        };
        let seen = watch(&config);
        assert_eq!(seen.pruned_at_pv, 0);
        assert!(
            seen.verified > 100 && seen.pruned_elsewhere > 1000,
            "{} {}",
            seen.verified,
            seen.pruned_elsewhere
        );
        config.params.lmp_pv = 1;
        assert!(watch(&config).pruned_at_pv > 0, "the switch acts");
    }
}
