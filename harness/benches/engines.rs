//! Cost of engines in other processes: plies a second and the harness's own CPU time a ply, in its own code (user) and in
//! the operating system's (system), and how often in a ply it went to sleep.
//!
//! ```text
//! cargo bench -p harness --bench engines                          a toy engine that answers at once
//! cargo bench -p harness --bench engines -- stockfish 500 100     an engine of PATH, nodes a move, games
//! ```
//!
//! The games are played in this process, so that its CPU time is the harness's and the engines' is not in it. After
//! the toy engine, the built-in engine plays at 1,000 nodes a move in this process and in others.

#[path = "../tests/common/toy_engine.rs"]
mod toy_engine;

use engine::config::EngineConfig;
use harness::game::limit::Limit;
use harness::game::opening::Opening;
use harness::game::play::play_game;
use harness::game::player::Player;
use harness::game::record::Side;
use harness::players::Setup;
use harness::players::player;
use harness::players::spec::PlayerSpec;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The argument with which this program is the toy engine.
const TOY: &str = "toy-engine";

/// Openings, a game each in turn.
const OPENINGS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/2N5/PP1PPPPP/R1BQKBNR w KQkq - 2 3",
    "rnbqkbnr/pp2pppp/2p5/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
];

fn main() {
    // Cargo adds an argument of its own.
    let arguments: Vec<_> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |index: usize, otherwise| {
        arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    match arguments.first().map(String::as_str) {
        Some(TOY) => toy_engine::run(std::iter::empty()),
        Some(program) => {
            let nodes = number(1, 500);
            let spec = external(&[program]);
            measure(
                &format!("{program}, {nodes} nodes"),
                &spec,
                &Setup::new(16),
                Limit::nodes(nodes),
                number(2, 40),
            );
        }
        None => {
            let itself = std::env::current_exe().expect("a path of this program");
            let toy = external(&[&itself.display().to_string(), TOY]);
            measure("toy engine", &toy, &Setup::new(1), Limit::nodes(1), 400);

            let built_in = PlayerSpec::new(Path::new("full.toml"), EngineConfig::default());
            let limit = Limit::nodes(1000);
            let inside = measure("built in, 1000 nodes", &built_in, &Setup::new(16), limit, 60);
            let harness = Some(env!("CARGO_BIN_EXE_harness").into());
            let setup = Setup { out_of_process: harness, ..Setup::new(16) };
            let outside = measure("the same, out of process", &built_in, &setup, limit, 60);
            println!(
                "games a second out of process, relative to in process: {:.1} %",
                100.0 * outside / inside
            );
        }
    }
}

/// A player described as users describe it.
fn external(command: &[&str]) -> PlayerSpec {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("engine.toml");
    std::fs::write(&file, format!("[uci]\ncommand = {command:?}\n")).expect("a writable folder");
    PlayerSpec::load(&file).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Plays games of the player against itself, as many at once as there are physical cores; returns how many a second.
fn measure(name: &str, spec: &PlayerSpec, setup: &Setup, limit: Limit, games: u64) -> f64 {
    let at_once = num_cpus::get_physical() as u64;
    let started = Barrier::new(at_once as usize + 1);
    let played = |thread: u64| {
        let mut players: [Box<dyn Player>; 2] = [player(spec, setup), player(spec, setup)];
        // The first game starts the engines.
        play(thread, &mut players, limit);
        started.wait();
        (thread..games).step_by(at_once as usize).map(|game| play(game, &mut players, limit)).sum::<usize>()
    };
    let (plies, used, seconds) = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once)
            .map(|thread| {
                let played = &played;
                scope.spawn(move || played(thread))
            })
            .collect();
        started.wait();
        let (before, begun) = (own_costs(), Instant::now());
        let plies: usize = threads.into_iter().map(|thread| thread.join().expect("games")).sum();
        let after = own_costs();
        (plies, [0, 1, 2].map(|part| (after[part] - before[part]) as f64), begun.elapsed().as_secs_f64())
    });
    let [user, system, waits] = used.map(|total| total / plies as f64);
    println!(
        "{name}, {at_once} games at once: {:.0} plies/s, {:.1} games/s, own CPU {:.1} µs a ply, user {user:.1} and \
         system {system:.1}, {waits:.1} waits ({plies} plies)",
        plies as f64 / seconds,
        games as f64 / seconds,
        user + system,
    );
    games as f64 / seconds
}

/// A game of these players; returns its plies.
fn play(game: u64, [base, candidate]: &mut [Box<dyn Player>; 2], limit: Limit) -> usize {
    let opening = Opening::parse(OPENINGS[game as usize % OPENINGS.len()], 1).expect("an opening");
    let white = if game.is_multiple_of(2) { Side::Base } else { Side::Candidate };
    let stop = AtomicBool::new(false);
    let played = play_game(&opening, white, base.as_mut(), candidate.as_mut(), limit, &stop);
    played.unwrap_or_else(|cancelled| panic!("{cancelled:?}")).record.moves.len()
}

/// CPU time of this process, without that of the engines, microseconds, user and system; and how often it has waited.
fn own_costs() -> [i64; 3] {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("the system counts");
    [
        usage.user_time().num_microseconds(),
        usage.system_time().num_microseconds(),
        usage.voluntary_context_switches(),
    ]
}
