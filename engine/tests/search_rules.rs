//! Rules and limits of the search: draws, mates, node and depth limits, and memory between searches.

mod common;

use common::{
    PERPETUAL, Random, assert_playable, base, base_and, depth, full, game, legal_moves, near_mate, nodes,
    pvs, random_ending, random_game, search, searched, with, with_windows,
};
use engine::bench;
use engine::config::EngineConfig;
use engine::position::{Game, Move};
use engine::search::observer::{Counters, Unobserved};
use engine::search::{Bound, DRAW, Limits, MATE, MAX_PLY, Searcher, Signals, is_mate, moves_to_mate};
use engine::techniques::{TECHNIQUES, Techniques};
use std::sync::atomic::AtomicBool;

fn without_table() -> EngineConfig {
    let techniques = Techniques { transposition_table: false, ..pvs().techniques };
    EngineConfig { techniques, ..pvs() }
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
    // The queen on g5 can be taken; a search without that move must not store that she is safe.
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
