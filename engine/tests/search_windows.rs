//! Windows of the search: aspiration and null windows, and what an observer sees of them.

mod common;

use common::{assert_playable, base, base_and, depth, full, game, nodes, pvs, search, watched, with_windows};
use engine::bench;
use engine::config::EngineConfig;
use engine::position::Move;
use engine::search::observer::{Counters, Iteration, NodeInfo, Observer};
use engine::search::{Bound, INFINITY, MATE, MAX_PLY, Searcher};
use engine::techniques::Techniques;

// Aspiration windows, and what a stopped search knows.

#[derive(Clone, Debug, PartialEq)]
enum RootEvent {
    Window {
        depth: u32,
        alpha: i32,
        beta: i32,
    },
    /// The first move tried in a window.
    First(Move),
    Better {
        depth: u32,
        best: Move,
        score: i32,
        bound: Bound,
    },
    Result {
        depth: u32,
        score: i32,
        bound: Bound,
        pv: Vec<Move>,
    },
}

/// Keeps everything that happens at the root, and counts the nodes.
#[derive(Default)]
struct Events {
    root: Vec<RootEvent>,
    entered: u64,
}

impl Observer for Events {
    fn root_window(&mut self, depth: u32, alpha: i32, beta: i32) {
        self.root.push(RootEvent::Window { depth, alpha, beta });
    }
    fn root_improved(&mut self, depth: u32, best: Move, score: i32, bound: Bound) {
        self.root.push(RootEvent::Better { depth, best, score, bound });
    }
    fn root_result(&mut self, iteration: &Iteration) {
        let Iteration { depth, score, bound, pv, .. } = *iteration;
        self.root.push(RootEvent::Result { depth, score, bound, pv: pv.to_vec() });
    }
    fn enter(&mut self, _node: &NodeInfo) {
        self.entered += 1;
    }
    fn try_move(&mut self, ply: usize, mv: Move, rank: u32) {
        if ply == 0 && rank == 1 {
            self.root.push(RootEvent::First(mv));
        }
    }
}

/// The window that must follow a failure, by the rule as written: one bound moves by delta from the
/// score, then delta doubles, and past its limit both bounds open.
fn widened(window: (i32, i32), delta: &mut i32, max_delta: i32, score: i32, bound: Bound) -> (i32, i32) {
    let next = match bound {
        Bound::Upper => (score - *delta, window.1),
        Bound::Lower => (window.0, score + *delta),
        Bound::Exact => panic!("no failure"),
    };
    *delta *= 2;
    match *delta > max_delta {
        true => (-INFINITY, INFINITY),
        false => (next.0.max(-INFINITY), next.1.min(INFINITY)),
    }
}

/// Holds the windows of one search to the rule; the number of failures low and high.
fn check_windows(events: &[RootEvent], config: &EngineConfig) -> [u32; 2] {
    let params = &config.params;
    let (mut failures, mut previous, mut delta) = ([0; 2], 0, 0);
    let (mut expected, mut best, mut failed_high) = (None, None, None);
    let mut last_depth = 0;
    for event in events {
        match *event {
            RootEvent::Window { depth, alpha, beta } => {
                if depth != last_depth {
                    assert_eq!(depth, last_depth + 1);
                    last_depth = depth;
                    delta = params.aspiration_delta;
                    let narrow = config.techniques.aspiration
                        && depth > 1
                        && depth >= params.aspiration_min_depth as u32
                        && i32::abs(previous) < MATE - MAX_PLY as i32;
                    expected = Some(match narrow {
                        true => ((previous - delta).max(-INFINITY), (previous + delta).min(INFINITY)),
                        false => (-INFINITY, INFINITY),
                    });
                }
                assert_eq!(Some((alpha, beta)), expected, "{events:?}");
            }
            RootEvent::First(mv) => {
                if let Some(expected) = failed_high.take() {
                    assert_eq!(mv, expected, "what failed high comes first");
                }
            }
            RootEvent::Better { depth, best: mv, bound, .. } => {
                assert_eq!(depth, last_depth);
                assert_ne!(bound, Bound::Upper);
                best = Some(mv);
            }
            RootEvent::Result { depth, score, bound, ref pv } => {
                assert_eq!(depth, last_depth);
                assert_eq!(pv.first().copied(), best, "the line reported is that of the best move");
                let (alpha, beta) = expected.unwrap();
                assert_eq!(bound, Bound::of(score, alpha, beta));
                match bound {
                    Bound::Exact => previous = score,
                    Bound::Upper => failures[0] += 1,
                    Bound::Lower => {
                        failures[1] += 1;
                        failed_high = best;
                    }
                }
                if bound != Bound::Exact {
                    let window = expected.unwrap();
                    expected = Some(widened(window, &mut delta, params.aspiration_max_delta, score, bound));
                }
            }
        }
    }
    failures
}

#[test]
fn aspiration_windows_follow_their_rule() {
    let mut failures = [0; 2];
    for (delta, max_delta, min_depth) in
        [(1, 1, 1), (1, 40, 1), (3, 10_000, 2), (10, 100, 4), (25, 800, 3), (500, 1, 3)]
    {
        for more in [&["aspiration"][..], &["aspiration", "pvs"], &["pvs"]] {
            let mut config = base_and(more);
            config.params.aspiration_delta = delta;
            config.params.aspiration_max_delta = max_delta;
            config.params.aspiration_min_depth = min_depth;
            for fen in bench::POSITIONS.iter().chain(&MATES_SEEN_LATE) {
                let mut events = Events::default();
                watched(&mut Searcher::new(&config, 1), &game(fen, ""), &depth(4), &mut events);
                let [low, high] = check_windows(&events.root, &config);
                failures[0] += low;
                failures[1] += high;
            }
        }
    }
    assert!(failures.iter().all(|&count| count > 200), "{failures:?}");
}

/// A window is open when the mate appears, and none may follow.
const MATES_SEEN_LATE: [&str; 3] = [
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "8/8/8/8/8/5k2/r7/7K b - - 0 1",
    "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1",
];

#[test]
fn a_stopped_search_answers_with_the_last_move_that_was_better() {
    let mut after_a_fail_high = 0;
    for config in [
        with_windows(pvs(), 1, 10_000),
        with_windows(full(), 1, 10_000),
        with_windows(base_and(&["aspiration"]), 5, 100),
        base(),
    ] {
        let mut searcher = Searcher::new(&config, 1);
        for fen in [bench::POSITIONS[1], bench::POSITIONS[13], MATES_SEEN_LATE[0]] {
            let game = game(fen, "");
            for limit in (1..4000).step_by(7) {
                searcher.new_game();
                let mut events = Events::default();
                let result = watched(&mut searcher, &game, &nodes(limit), &mut events);
                let better = events.root.iter().rev().find_map(|event| match *event {
                    RootEvent::Better { depth, best, score, bound } => Some((depth, best, score, bound)),
                    _ => None,
                });
                if let Some((depth, best, score, bound)) = better {
                    assert_eq!((result.depth, result.score, result.bound), (depth, score, bound));
                    assert_eq!(result.best(), Some(best));
                    after_a_fail_high += u32::from(bound == Bound::Lower);
                } else {
                    assert_eq!((result.depth, result.pv.len()), (0, 1));
                }
                assert_playable(game.position(), &result.pv, "pv");
            }
        }
    }
    assert!(after_a_fail_high > 20, "{after_a_fail_high}");
}

#[test]
fn the_same_search_from_the_same_state_is_the_same_for_any_watcher() {
    for fen in bench::POSITIONS {
        let game = game(fen, "");
        let mut searcher = Searcher::new(&full(), 1);
        let unwatched = search(&mut searcher, &game, &depth(4));
        searcher.new_game();
        let counted = watched(&mut searcher, &game, &depth(4), &mut Counters::default());
        searcher.new_game();
        let mut events = Events::default();
        let told = watched(&mut searcher, &game, &depth(4), &mut events);
        for other in [counted, told] {
            assert_eq!(
                (other.nodes, other.score, &other.pv[..]),
                (unwatched.nodes, unwatched.score, &unwatched.pv[..])
            );
        }
        assert_eq!(events.entered, unwatched.nodes, "every node is entered once");
    }
}

#[test]
fn the_counters_agree_with_the_search_and_add_up() {
    let mut searcher = Searcher::new(&full(), 1);
    let (mut whole, mut sum) = (Counters::default(), Counters::default());
    let mut searched = 0;
    for fen in bench::POSITIONS {
        let mut alone = Counters::default();
        let game = game(fen, "");
        searcher.new_game();
        let result = watched(&mut searcher, &game, &depth(6), &mut alone);
        searcher.new_game();
        watched(&mut searcher, &game, &depth(6), &mut whole);
        assert_eq!(alone.main_nodes + alone.quiescence_nodes, result.nodes);
        assert_eq!((alone.depths.len(), alone.depths[0].nodes_before), (6, 0));
        assert!(alone.depths.iter().all(|depth| depth.searches == 1));
        let mut ends = alone.depths.iter().map(|depth| depth.nodes_after);
        let begins = alone.depths[1..].iter().map(|depth| depth.nodes_before);
        assert!(ends.clone().zip(begins).all(|(end, begin)| end == begin), "{alone:?}");
        assert_eq!(ends.next_back(), Some(result.nodes), "no iteration is left unfinished");
        assert!(alone.first_move_cutoffs <= alone.cutoffs && alone.reduction_researches <= alone.reduced);
        assert!(alone.aspiration_fail_lows + alone.aspiration_fail_highs <= alone.aspiration_windows);
        sum += &alone;
        searched += result.nodes;
    }
    assert_eq!(sum, whole);
    assert_eq!(whole.main_nodes + whole.quiescence_nodes, searched);
    let stored = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<Counters>(&stored).unwrap(), whole);
    let unknown = serde_json::from_str::<Counters>(r#"{"prunings":{"hope":1}}"#).unwrap_err().to_string();
    assert!(unknown.contains("\"hope\" is no pruning this version knows"), "{unknown}");
    whole.clear();
    assert_eq!(whole, Counters::default());
}

// Principal variation search, as a watcher sees it.

/// Checks every node against the one above it.
struct Windows {
    pvs: bool,
    quiescence: bool,
    /// The nodes being searched, with the alpha that the moves so far have raised.
    open: Vec<Open>,
    null_windows: u64,
    researches: u64,
}

struct Open {
    node: NodeInfo,
    alpha: i32,
    rank: u32,
    /// A move is being searched for the second time.
    again: bool,
}

impl Windows {
    fn of(config: &EngineConfig) -> Windows {
        let Techniques { pvs, quiescence, .. } = config.techniques;
        Windows { pvs, quiescence, open: Vec::new(), null_windows: 0, researches: 0 }
    }

    fn check_child(&mut self, child: &NodeInfo) {
        let parent = self.open.last().expect("the root is entered first");
        assert_eq!(child.ply, parent.node.ply + 1);
        let full = (-parent.node.beta, -parent.alpha);
        if parent.node.depth == 0 {
            // Standing pat raises alpha unseen, and nothing else changes the window.
            assert!(child.alpha == full.0 && child.beta <= full.1 && child.depth == 0);
            return;
        }
        assert_eq!(child.depth, parent.node.depth - 1);
        let null = (-parent.alpha - 1, -parent.alpha);
        let first_or_again = parent.rank == 1 || parent.again;
        let expected = if self.pvs && !first_or_again { null } else { full };
        assert_eq!((child.alpha, child.beta), expected, "{child:?} below {:?}", parent.node);
        assert_eq!(child.is_pv, parent.node.is_pv && first_or_again);
        let in_main_search = child.depth > 0 || !self.quiescence;
        if !self.pvs || child.is_pv {
            assert!(!child.is_cut_node, "{child:?}");
        } else if in_main_search {
            self.null_windows += 1;
            assert_eq!(child.beta, child.alpha + 1, "{child:?}");
            assert_eq!(child.is_cut_node, !parent.node.is_cut_node, "{child:?} below {:?}", parent.node);
        }
    }
}

impl Observer for Windows {
    fn enter(&mut self, node: &NodeInfo) {
        assert!(node.alpha < node.beta && node.alpha >= -INFINITY && node.beta <= INFINITY);
        if node.ply == 0 {
            assert!(self.open.is_empty() && node.is_pv && !node.is_cut_node);
        } else {
            self.check_child(node);
        }
        self.open.push(Open { node: *node, alpha: node.alpha, rank: 0, again: false });
    }

    fn leave(&mut self, node: &NodeInfo, score: i32) {
        let left = self.open.pop().expect("what is left was entered");
        assert_eq!(left.node, *node);
        if let Some(parent) = self.open.last_mut() {
            // In PV nodes a null window that fails high is no answer yet, and is raised by the second search.
            let is_answer = !self.pvs || !parent.node.is_pv || node.is_pv;
            if is_answer {
                parent.alpha = parent.alpha.max(-score);
            }
        }
    }

    fn try_move(&mut self, ply: usize, _mv: Move, rank: u32) {
        let parent = &mut self.open[ply];
        assert_eq!(rank, parent.rank + 1, "ranks count from one");
        (parent.rank, parent.again) = (rank, false);
    }

    fn pvs_researched(&mut self, ply: usize) {
        let parent = &mut self.open[ply];
        assert!(self.pvs && parent.node.is_pv && parent.rank > 1 && !parent.again);
        parent.again = true;
        self.researches += 1;
    }
}

#[test]
fn null_windows_are_where_pvs_says_and_nowhere_else() {
    for more in [&[][..], &["aspiration"], &["pvs"], &["pvs", "aspiration"]] {
        for plain in [false, true] {
            let mut config = with_windows(base_and(more), 5, 500);
            if plain {
                config.techniques.quiescence = false;
                config.techniques.transposition_table = false;
            }
            let (mut null_windows, mut researches) = (0, 0);
            for fen in &bench::POSITIONS[..12] {
                let mut windows = Windows::of(&config);
                watched(&mut Searcher::new(&config, 1), &game(fen, ""), &depth(4), &mut windows);
                assert!(windows.open.is_empty());
                null_windows += windows.null_windows;
                researches += windows.researches;
            }
            assert_eq!(null_windows > 1000, config.techniques.pvs, "{null_windows}");
            assert_eq!(researches > 20, config.techniques.pvs, "{researches}");
        }
    }
}
