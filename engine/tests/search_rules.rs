//! Does the search keep the rules of chess, its limits, and its own promises about windows and events?

mod common;

use common::{
    PERPETUAL, Random, assert_playable, depth, game, legal_moves, near_mate, nodes, random_ending,
    random_game, search, watched, with, with_windows,
};
use engine::bench;
use engine::config::EngineConfig;
use engine::position::{Game, Move};
use engine::search::observer::{Counters, Iteration, NodeInfo, Observer, Unobserved};
use engine::search::{
    Bound, DRAW, INFINITY, Limits, MATE, MAX_PLY, SearchResult, Searcher, Signals, is_mate, moves_to_mate,
};
use engine::techniques::{TECHNIQUES, Techniques};
use std::sync::atomic::AtomicBool;

const BASE: [&str; 6] =
    ["alpha_beta", "quiescence", "transposition_table", "capture_ordering", "killers", "history"];

fn base() -> EngineConfig {
    with(&BASE)
}

fn full() -> EngineConfig {
    EngineConfig::default()
}

/// The base engine with these techniques besides.
fn base_and(more: &[&str]) -> EngineConfig {
    with(&[&BASE, more].concat())
}

/// The base engine with windows: what it finds within its depth is the truth.
fn pvs() -> EngineConfig {
    base_and(&["pvs", "aspiration"])
}

fn without_table() -> EngineConfig {
    let techniques = Techniques { transposition_table: false, ..pvs().techniques };
    EngineConfig { techniques, ..pvs() }
}

fn searched(config: &EngineConfig, game: &Game, limits: &Limits) -> SearchResult {
    search(&mut Searcher::new(config, 1), game, limits)
}

// Mates and draws.

#[test]
fn mates_are_found_with_their_distance_with_and_without_the_table() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("8/8/8/8/8/5k2/r7/7K b - - 0 1", 2),
        ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", 2),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
        ("8/8/8/5K1k/8/8/8/6R1 w - - 0 1", 1),
    ] {
        for config in [without_table(), pvs(), base()] {
            let result = searched(&config, &game(fen, ""), &depth(5));
            assert_eq!(moves_to_mate(result.score), Some(moves), "{fen}");
            // Without PVS only the leftmost line is kept whole.
            if config.techniques.pvs {
                assert_eq!(
                    result.pv.len() as i32,
                    MATE - result.score.abs(),
                    "the line ends with mate: {fen}"
                );
            }
        }
    }
}

#[test]
fn generated_mates_have_the_same_distance_with_the_table() {
    let mut random = Random::new(11);
    let mut found = [0; 5];
    while found[1..].iter().any(|&count| count < 5) {
        let game = near_mate(&mut random);
        let limits = Limits { nodes: Some(60_000), ..depth(7) };
        let truth = searched(&without_table(), &game, &limits);
        let plies = MATE - truth.score;
        // Within the depth searched in full, no shorter mate can exist.
        if !is_mate(truth.score) || plies > truth.depth as i32 || truth.bound != Bound::Exact {
            continue;
        }
        let moves = moves_to_mate(truth.score).unwrap() as usize;
        found[moves] += 1;
        if found[moves] <= 5 {
            for config in [pvs(), base(), base_and(&["pvs"])] {
                let result = searched(&config, &game, &depth(plies as u32));
                assert_eq!(result.score, truth.score, "{}", game.position());
            }
        }
    }
}

#[test]
fn stalemate_and_lack_of_material_are_draws() {
    for config in [base(), full(), pvs(), without_table(), with(&["alpha_beta"]), with(&["quiescence"])] {
        for (fen, depth_needed) in [
            ("7k/8/6K1/8/8/8/8/8 w - - 0 1", 1),
            ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", 1), // stalemate itself
            ("8/8/8/8/8/6k1/7p/7K w - - 0 1", 1),
            ("4k3/8/8/8/8/8/3p4/3K4 w - - 0 1", 2),
            ("8/8/8/8/7p/7P/p2K4/k7 w - - 0 1", 2),
            ("4k3/8/8/8/8/8/8/2NK4 b - - 0 1", 2),
        ] {
            let result = searched(&config, &game(fen, ""), &depth(depth_needed));
            assert_eq!(result.score, DRAW, "{fen}");
        }
    }
}

#[test]
fn one_repetition_of_the_search_and_two_of_the_game_are_draws() {
    for config in [base(), pvs(), without_table()] {
        let drawn = searched(&config, &game(PERPETUAL, ""), &depth(7));
        assert_eq!(drawn.score, DRAW, "a perpetual check");

        // From the start position Nf3 Nf6 Ng1 Ng8 brings the root about again within four plies: a draw,
        // if that is all that may be played.
        let start = bench::POSITIONS[0];
        let once = game(start, "g1f3 g8f6 f3g1");
        let only = [once.position().parse_uci("f6g8").unwrap()];
        let score = |game: &Game, only: &[Move]| {
            let limits = depth(1);
            let mut searcher = Searcher::new(&config, 1);
            searcher.search(game, only, &limits, Signals::none(), &mut Unobserved).score
        };
        assert_ne!(score(&once, &only), DRAW, "before the root, once is not enough");
        let twice = game(start, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert_eq!(score(&twice, &only), DRAW, "before the root, the third time is a draw");
    }
}

#[test]
fn the_hundredth_half_move_may_mate_and_the_next_may_not() {
    // Mates by pieces alone, with their length in plies; nothing here starts the clock anew.
    for (board, plies) in
        [("7k/8/6K1/8/8/8/8/R7 w - -", 1), ("8/8/8/8/8/5k2/r7/7K b - -", 3), ("8/8/8/8/8/2k5/7r/K7 b - -", 3)]
    {
        let at = |clock: i32| game(&format!("{board} {clock} 90"), "");
        for config in [without_table(), base(), pvs()] {
            let truth = searched(&config, &at(0), &depth(5)).score;
            assert_eq!(truth, MATE - plies, "{board}");
            // Each clock afresh, and with the memory of other clocks, those with hope and those without.
            let clocks = 90..=100 - plies + 3;
            let mut kept = Searcher::new(&config, 1);
            for clock in clocks.flat_map(|clock| [clock, 0, 99, clock]) {
                let in_time = clock + plies <= 100 || plies == 1;
                let expected = if in_time { MATE - plies } else { DRAW };
                let fresh = searched(&config, &at(clock), &depth(5));
                assert_eq!(fresh.score, expected, "{board} at {clock}");
                let kept = search(&mut kept, &at(clock), &depth(5));
                assert_eq!(kept.score, expected, "{board} at {clock}, with memory");
            }
        }
    }
}

#[test]
fn a_pawn_move_or_capture_in_time_saves_the_win() {
    for config in [without_table(), pvs(), full()] {
        // The pawn move starts the clock anew; without it the rook's ending would be drawn.
        let result = searched(&config, &game("8/8/8/8/8/1k6/5p2/r1K5 w - - 99 90", ""), &depth(5));
        assert_eq!(result.score, DRAW, "the evasion is the hundredth half-move");
        let result = searched(&config, &game("8/8/8/8/8/1k6/5p2/7K b - - 99 90", ""), &depth(5));
        assert!(result.score > 500, "{}", result.score);
    }
}

#[test]
fn a_search_of_some_moves_teaches_nothing_about_the_position() {
    // The queen on g5 can be taken; a search told not to look at that must not remember that she is safe.
    let before = game("6k1/5ppp/8/8/7q/8/8/K5R1 b - - 0 1", "");
    let [safe, hanging] = ["h4h2", "h4g5"].map(|uci| before.position().parse_uci(uci).unwrap());
    let mut after = before.clone();
    after.play(hanging);
    let blunder = after.position().parse_uci("a1a2").unwrap();
    let mut searcher = Searcher::new(&base(), 1);
    let mut search = |game: &Game, moves: &[Move], limits: &Limits| {
        searcher.search(game, moves, limits, Signals::none(), &mut Unobserved)
    };
    assert!(search(&after, &[blunder], &depth(6)).score < -500);
    assert_eq!(search(&before, &[safe, hanging], &depth(1)).best(), Some(safe));
}

// Limits, and what is remembered.

#[test]
fn a_search_stopped_before_it_began_still_has_a_move() {
    let stop = AtomicBool::new(true);
    let game = game(bench::POSITIONS[1], "");
    let mut searcher = Searcher::new(&full(), 1);
    let chosen = [game.position().parse_uci("e1g1").unwrap()];
    for (moves, limits) in [(&[][..], Limits::default()), (&chosen, depth(20))] {
        let mut counters = Counters::default();
        let result = searcher.search(&game, moves, &limits, Signals::stopped_by(&stop), &mut counters);
        assert!(game.position().is_legal(result.best().unwrap()));
        assert_eq!((result.nodes, result.depth, counters), (0, 0, Counters::default()));
        assert!(moves.is_empty() || result.best() == Some(chosen[0]));
    }
}

#[test]
fn depth_is_searched_as_asked_up_to_the_last_ply() {
    let opening = game(bench::POSITIONS[0], "");
    for limit in 1..=5 {
        assert_eq!(searched(&full(), &opening, &depth(limit)).depth, limit);
    }
    assert_eq!(searched(&full(), &opening, &depth(0)).depth, 1);
    // So few moves that the search reaches the end of its tables.
    let locked = game("8/8/1p1k4/1P1p1p2/p1pPpPp1/P1P1P1P1/8/3K4 w - - 0 1", "");
    for config in [base(), full(), without_table()] {
        let limits = Limits { nodes: Some(200_000), ..Limits::default() };
        let result = searched(&config, &locked, &limits);
        assert!(result.selective_depth < MAX_PLY);
        assert_playable(locked.position(), &result.pv, "pv");
    }
    let alone = game("8/8/8/8/8/p7/P1k5/K7 b - - 0 1", "");
    let result = searched(&full(), &alone, &Limits { nodes: Some(300_000), ..Limits::default() });
    assert_playable(alone.position(), &result.pv, "pv");
}

/// Plays a game against itself; each move with its score and nodes.
fn self_play(searcher: &mut Searcher, start: Game, limit: u64) -> Vec<(Move, i32, u64)> {
    let mut game = start;
    let mut record = Vec::new();
    for _ in 0..100 {
        let result = search(searcher, &game, &nodes(limit));
        let Some(mv) = result.best() else { break };
        record.push((mv, result.score, result.nodes));
        game.play(mv);
    }
    record
}

#[test]
fn a_new_game_is_as_good_as_a_new_player() {
    let start = || game(bench::POSITIONS[6], "");
    for config in [full(), pvs(), base(), without_table()] {
        let expected = self_play(&mut Searcher::new(&config, 1), start(), 500);
        assert!(expected.len() >= 30, "{}", expected.len());
        let mut dirty = Searcher::new(&config, 1);
        for round in 0..4 {
            // Another game first, longer and of more nodes, so that much could be left behind.
            self_play(&mut dirty, game(bench::POSITIONS[round], ""), 900);
            match round % 2 {
                0 => dirty.new_game(),
                _ => dirty.clear(),
            }
            assert_eq!(self_play(&mut dirty, start(), 500), expected, "round {round}");
        }
        // A smaller table may find other moves, but always the same ones.
        dirty.resize_table(1).unwrap();
        dirty.new_game();
        assert_eq!(self_play(&mut dirty, start(), 500), expected);
    }
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
        let ends = alone.depths.iter().map(|depth| depth.nodes_after);
        let begins = alone.depths[1..].iter().map(|depth| depth.nodes_before);
        assert!(ends.clone().zip(begins).all(|(end, begin)| end == begin), "{alone:?}");
        assert_eq!(ends.last(), Some(result.nodes), "no iteration is left unfinished");
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

#[test]
fn any_sensible_choice_of_techniques_gives_playable_lines() {
    let mut random = Random::new(5);
    let mut searcher = Searcher::new(&full(), 1);
    for choice in 0..300 {
        let mut config = EngineConfig { techniques: Techniques::none(), ..EngineConfig::default() };
        // Mostly off, mostly on, or even; what lacks a need is off, and needs come before what needs them.
        let share_on = random.pick(&[1, 2, 3]);
        for info in TECHNIQUES {
            let has_needs = info.needs.iter().all(|need| config.techniques.get(need) == Some(true));
            config.techniques.set(info.name, has_needs && random.below(4) < share_on).unwrap();
        }
        // The memory of whatever was searched before, with other techniques, must do no harm.
        let chosen = config.techniques;
        searcher.configure(&with_windows(config, 1 + choice % 30, 200));
        let plies = random.below(120);
        for played in [random_game(&mut random, plies), random_ending(&mut random, 6)] {
            let position = played.game.position();
            for limits in [depth(1 + random.below(3) as u32), nodes(2000)] {
                let limits = Limits { nodes: limits.nodes.or(Some(20_000)), ..limits };
                let result = search(&mut searcher, &played.game, &limits);
                let what = format!("{chosen:?}");
                assert_playable(position, &result.pv, &what);
                assert_eq!(result.pv.is_empty(), legal_moves(position).is_empty(), "{what}");
                assert!(result.score.abs() <= MATE && result.nodes <= limits.nodes.unwrap());
            }
        }
    }
}

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
