//! The engine as GUIs and match runners meet it: the Universal Chess Interface.
//!
//! One thread reads commands, another searches; they share two flags. Input that makes no sense is
//! answered with an `info string` and otherwise ignored: a GUI's slip must not cost the game.

use crate::config::EngineConfig;
use crate::params::PARAMS;
use crate::position::{Color, Game, Move, Position};
use crate::search::observer::{Iteration, Observer};
use crate::search::{Bound, Clock, Limits, Line, Searcher, Signals, moves_to_mate};
use crate::techniques::TECHNIQUES;
use std::fmt;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Name and version sent to the GUI.
const NAME: &str = concat!("engine ", env!("CARGO_PKG_VERSION"));

/// Table sizes offered, MB.
const HASH_RANGE: std::ops::RangeInclusive<usize> = 1..=65_536;

/// Table size until the GUI sets another, MB.
pub const DEFAULT_HASH: usize = 16;

/// Speaks UCI on the given streams until `quit` or the end of input.
pub fn run(config: EngineConfig, input: impl BufRead) {
    let mut session = Session::new(config);
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        // Whatever bytes come, they are text of some sort.
        if !session.command(&String::from_utf8_lossy(&line)) {
            session.stop();
            return;
        }
    }
    session.finish();
}

/// Prints one line; the GUI may be gone, in which case the end of input follows.
fn say(text: fmt::Arguments) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

macro_rules! say { ($($part:tt)*) => { say(format_args!($($part)*)) } }

struct Session {
    /// As the options say.
    config: EngineConfig,
    hash_megabytes: usize,
    chess960: bool,
    game: Game,
    engine: Engine,
}

/// The player is here, or with the thread that searches.
enum Engine {
    Idle(Box<Searcher>),
    Searching(Running),
    /// Only while it changes hands.
    Moving,
}

/// What the reading thread says to the searching one.
#[derive(Default)]
struct Flags {
    stop: AtomicBool,
    pondering: AtomicBool,
}

struct Running {
    thread: JoinHandle<Box<Searcher>>,
    flags: Arc<Flags>,
    /// Ends only when told to.
    endless: bool,
}

impl Session {
    fn new(config: EngineConfig) -> Session {
        let searcher = Box::new(Searcher::new(&config, DEFAULT_HASH));
        Session {
            config,
            hash_megabytes: DEFAULT_HASH,
            chess960: false,
            game: Game::new(Position::start()),
            engine: Engine::Idle(searcher),
        }
    }

    /// Obeys one line; false after `quit`.
    fn command(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => self.introduce(),
            Some("isready") => {
                self.complain_about_config();
                say!("readyok");
            }
            Some("ucinewgame") => self.stop().new_game(),
            Some("setoption") => self.set_option(words),
            Some("position") => {
                self.stop();
                match parse_position(words) {
                    Ok(game) => self.game = game,
                    Err(problem) => say!("info string error: {problem}"),
                }
            }
            Some("go") => self.go(words),
            Some("stop") => {
                self.stop();
            }
            Some("ponderhit") => {
                if let Engine::Searching(running) = &self.engine {
                    running.flags.pondering.store(false, Ordering::Relaxed);
                }
            }
            Some("quit") => return false,
            Some("debug" | "register") | None => {}
            Some(word) => say!("info string error: unknown command {}", quoted(word)),
        }
        true
    }

    fn introduce(&self) {
        say!("id name {NAME}");
        say!("id author the authors of this repository");
        say!(
            "option name Hash type spin default {DEFAULT_HASH} min {} max {}",
            HASH_RANGE.start(),
            HASH_RANGE.end()
        );
        say!("option name Threads type spin default 1 min 1 max 1");
        say!("option name Ponder type check default false");
        say!("option name UCI_Chess960 type check default false");
        say!("option name Clear Hash type button");
        for (info, on) in self.config.techniques.iter() {
            say!("option name {} type check default {on}", info.name);
        }
        for (info, value) in self.config.params.iter() {
            say!("option name {} type spin default {value} min {} max {}", info.name, info.min, info.max);
        }
        say!("uciok");
    }

    fn set_option<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let Some((name, value)) = parse_option(words) else {
            say!("info string error: setoption needs a name: setoption name NAME [value VALUE]");
            return;
        };
        if let Err(problem) = self.apply_option(&name, &value) {
            say!("info string error: {problem}");
        }
    }

    fn apply_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let megabytes =
                    value.parse().ok().filter(|size| HASH_RANGE.contains(size)).ok_or_else(|| {
                        format!(
                            "Hash must be a number from {} to {}, not {}",
                            HASH_RANGE.start(),
                            HASH_RANGE.end(),
                            quoted(value)
                        )
                    })?;
                self.stop().resize_table(megabytes).map_err(|_| {
                    format!(
                        "no memory for a Hash of {megabytes} MB: it stays as it was, choose a smaller one"
                    )
                })?;
                self.hash_megabytes = megabytes;
            }
            "threads" => match value {
                "1" => {}
                _ => return Err("this engine searches with one thread".to_owned()),
            },
            "ponder" => {}
            "uci_chess960" => self.chess960 = parse_check(name, value)?,
            "clear hash" => self.stop().clear(),
            lower if TECHNIQUES.iter().any(|info| info.name == lower) => {
                let on = parse_check(name, value)?;
                self.config.techniques.set(lower, on).map_err(|error| error.to_string())?;
            }
            lower => {
                if !PARAMS.iter().any(|info| info.name == lower) {
                    return Err(format!("there is no option {}: uci lists them all", quoted(name)));
                }
                let number = value
                    .parse()
                    .map_err(|_| format!("{lower} takes a whole number, not {}", quoted(value)))?;
                self.config.params.set(lower, number).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// Options come one by one, so only now can it be said whether they fit together.
    fn complain_about_config(&self) -> bool {
        let EngineConfig { techniques, params, .. } = &self.config;
        let (techniques, params) = (techniques.check(), params.check());
        for problem in &techniques {
            say!("info string error: {problem}");
        }
        for problem in &params {
            say!("info string error: {problem}");
        }
        techniques.is_empty() && params.is_empty()
    }

    fn go<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        self.stop();
        let request = parse_go(words, self.game.position());
        let usable = self.complain_about_config();
        let config = self.config.clone();
        let searcher = self.wait();
        if usable {
            searcher.configure(&config);
        }

        let Engine::Idle(mut searcher) = std::mem::replace(&mut self.engine, Engine::Moving) else {
            unreachable!("wait() has just left it idle");
        };
        let flags = Arc::new(Flags::default());
        flags.pondering.store(request.ponder, Ordering::Relaxed);
        let endless = request.infinite || request.ponder;
        let (game, chess960, shared) = (self.game.clone(), self.chess960, Arc::clone(&flags));
        let thread = std::thread::spawn(move || {
            answer(&mut searcher, &game, &request, &shared, chess960);
            searcher
        });
        self.engine = Engine::Searching(Running { thread, flags, endless });
    }

    /// Stops a search that runs, waits for its answer and gives the player.
    fn stop(&mut self) -> &mut Searcher {
        if let Engine::Searching(running) = &self.engine {
            running.flags.stop.store(true, Ordering::Relaxed);
        }
        self.wait()
    }

    /// The end of input: a search with limits is allowed to end by itself.
    fn finish(&mut self) {
        match &self.engine {
            Engine::Searching(running) if running.endless => self.stop(),
            _ => self.wait(),
        };
    }

    /// The player, once it has nothing to do; not for a search that only a later command ends.
    fn wait(&mut self) -> &mut Searcher {
        self.engine = match std::mem::replace(&mut self.engine, Engine::Moving) {
            Engine::Searching(running) => Engine::Idle(running.thread.join().unwrap_or_else(|_| {
                say!("info string error: the search broke down; its memory is lost");
                Box::new(Searcher::new(&self.config, self.hash_megabytes))
            })),
            other => other,
        };
        match &mut self.engine {
            Engine::Idle(searcher) => searcher,
            _ => unreachable!("a search that was joined leaves its player behind"),
        }
    }
}

/// Searches and says the best move; after `go infinite` and `go ponder` not before being told to.
fn answer(searcher: &mut Searcher, game: &Game, request: &Request, flags: &Flags, chess960: bool) {
    let mut reporter = Reporter { started: Instant::now(), chess960, reported: None, permill_full: 0 };
    let signals = Signals { stop: &flags.stop, pondering: &flags.pondering };
    let result = searcher.search(game, &request.moves, &request.limits, signals, &mut reporter);
    while (request.infinite || flags.pondering.load(Ordering::Relaxed)) && !flags.stop.load(Ordering::Relaxed)
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    // A search that was stopped may know more than its last report, or have had nothing to report; the last line
    // is what the GUI takes for the answer's score, depth and nodes.
    let last = Iteration {
        depth: result.depth,
        selective_depth: result.selective_depth,
        score: result.score,
        bound: result.bound,
        nodes: result.nodes,
        nodes_before: result.nodes,
        pv: &result.pv,
        permill_full: reporter.permill_full,
    };
    if reporter.reported != Some(Report::of(&last)) {
        reporter.root_result(&last);
    }
    match (result.pv.first(), result.pv.get(1)) {
        (Some(best), Some(ponder)) => {
            say!("bestmove {} ponder {}", best.to_uci(chess960), ponder.to_uci(chess960));
        }
        (Some(best), None) => say!("bestmove {}", best.to_uci(chess960)),
        (None, _) => say!("bestmove (none)"),
    }
}

/// Prints the `info` lines.
struct Reporter {
    started: Instant,
    chess960: bool,
    /// The last report, and how full the table was.
    reported: Option<Report>,
    permill_full: usize,
}

/// What of a report may be news.
#[derive(PartialEq)]
struct Report {
    depth: u32,
    score: i32,
    bound: Bound,
    nodes: u64,
    pv: Line,
}

impl Report {
    fn of(iteration: &Iteration) -> Report {
        let Iteration { depth, score, bound, nodes, pv, .. } = *iteration;
        Report { depth, score, bound, nodes, pv: pv.iter().copied().collect() }
    }
}

impl Observer for Reporter {
    fn root_result(&mut self, iteration: &Iteration) {
        let elapsed = self.started.elapsed();
        let score = match moves_to_mate(iteration.score) {
            Some(moves) => format!("mate {moves}"),
            None => format!("cp {}", iteration.score),
        };
        let bound = match iteration.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let moves: String = iteration.pv.iter().map(|mv| format!(" {}", mv.to_uci(self.chess960))).collect();
        let pv = if moves.is_empty() { "" } else { " pv" };
        say!(
            "info depth {} seldepth {} score {score}{bound} nodes {} nps {} hashfull {} time {}{pv}{moves}",
            iteration.depth,
            iteration.selective_depth,
            iteration.nodes,
            (iteration.nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64,
            iteration.permill_full,
            elapsed.as_millis(),
        );
        self.reported = Some(Report::of(iteration));
        self.permill_full = iteration.permill_full;
    }
}

/// What `go` asks for.
#[derive(Debug, Default, PartialEq)]
struct Request {
    limits: Limits,
    moves: Vec<Move>,
    infinite: bool,
    ponder: bool,
}

/// Reads `go`'s words. A limit whose number makes no sense is left out, with a complaint.
fn parse_go<'a>(words: impl Iterator<Item = &'a str>, position: &Position) -> Request {
    let mut request = Request::default();
    let (mut time, mut increment, mut moves_to_go) = ([None; 2], [0; 2], None);
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().unwrap_or("");
            let value = text.parse::<i64>().ok().map(|value| value.max(0) as u64);
            if value.is_none() {
                say!("info string error: go {} needs a number, not {}", quoted(word), quoted(text));
            }
            value
        };
        match word {
            "infinite" => request.infinite = true,
            "ponder" => request.ponder = true,
            "depth" => request.limits.depth = number().map(clamp_u32),
            "nodes" => request.limits.nodes = number(),
            "mate" => request.limits.mate = number().map(clamp_u32),
            "movetime" => request.limits.move_time = number().map(Duration::from_millis),
            "wtime" => time[Color::White as usize] = number(),
            "btime" => time[Color::Black as usize] = number(),
            "winc" => increment[Color::White as usize] = number().unwrap_or(0),
            "binc" => increment[Color::Black as usize] = number().unwrap_or(0),
            "movestogo" => moves_to_go = number().filter(|&moves| moves > 0).map(clamp_u32),
            "searchmoves" => {
                while let Some(mv) = words.peek().and_then(|text| position.parse_uci(text).ok()) {
                    request.moves.push(mv);
                    words.next();
                }
            }
            _ => say!("info string error: go knows no {}", quoted(word)),
        }
    }
    let us = position.side_to_move() as usize;
    request.limits.clock = time[us].map(|remaining| Clock {
        remaining: Duration::from_millis(remaining),
        increment: Duration::from_millis(increment[us]),
        moves_to_go,
    });
    request.infinite |= request.limits == Limits::default() && !request.ponder;
    request
}

fn clamp_u32(value: u64) -> u32 {
    value.min(u64::from(u32::MAX)) as u32
}

/// `startpos` or `fen FEN`, then perhaps `moves` and a list of them.
fn parse_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Game, String> {
    let start = match words.next() {
        Some("startpos") => match words.next() {
            Some("moves") | None => Position::start(),
            Some(word) => {
                return Err(format!("position startpos is followed by moves, not {}", quoted(word)));
            }
        },
        Some("fen") => {
            let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            Position::from_fen(&fen.join(" ")).map_err(|error| format!("position fen: {error}"))?
        }
        _ => return Err("position needs startpos or fen".to_owned()),
    };
    let mut game = Game::new(start);
    for word in words {
        let mv = game.position().parse_uci(word).map_err(|error| format!("position: {error}"))?;
        game.play(mv);
    }
    Ok(game)
}

/// `name NAME… [value VALUE…]`.
fn parse_option<'a>(words: impl Iterator<Item = &'a str>) -> Option<(String, String)> {
    let words: Vec<&str> = words.collect();
    let (&"name", rest) = words.split_first()? else { return None };
    let split = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    let name = rest[..split].join(" ");
    let value = rest.get(split + 1..).unwrap_or(&[]).join(" ");
    (!name.is_empty()).then_some((name, value))
}

fn parse_check(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} must be true or false, not {}", quoted(value))),
    }
}

/// What was typed, as it stands in a complaint: quoted, and cut where it is absurdly long.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    let ellipsis = if short.len() < text.len() { "…" } else { "" };
    format!("{short:?}{ellipsis}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Request {
        parse_go(text.split_whitespace(), &Position::start())
    }

    #[test]
    fn go_understands_every_limit() {
        let request = go(
            "searchmoves e2e4 d2d4 depth 5 nodes 1000 mate 3 movetime 50 wtime 100 btime 200 winc 1 binc 2 movestogo 7",
        );
        assert_eq!(request.moves.len(), 2);
        assert_eq!(request.limits.depth, Some(5));
        assert_eq!(request.limits.nodes, Some(1000));
        assert_eq!(request.limits.mate, Some(3));
        assert_eq!(request.limits.move_time, Some(Duration::from_millis(50)));
        let clock = request.limits.clock.unwrap();
        assert_eq!(clock.remaining, Duration::from_millis(100));
        assert_eq!(clock.increment, Duration::from_millis(1));
        assert_eq!(clock.moves_to_go, Some(7));
        assert!(!request.infinite);
    }

    #[test]
    fn go_without_limits_is_infinite_and_nonsense_is_no_limit() {
        assert!(go("").infinite);
        assert!(go("depth").infinite);
        assert!(go("nodes many").infinite);
        assert_eq!(go("wtime -30 btime 5").limits.clock.unwrap().remaining, Duration::ZERO);
        assert_eq!(go("depth 99999999999").limits.depth, Some(u32::MAX));
    }

    #[test]
    fn positions_with_illegal_moves_are_refused_whole() {
        let parse = |text: &str| parse_position(text.split_whitespace());
        assert!(parse("startpos moves e2e4 e7e5").is_ok());
        assert!(parse("startpos moves e2e5").is_err());
        assert!(parse("fen 8/8/8/8/8/8/8/8 w - - 0 1").is_err());
        assert!(parse("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2").is_ok());
        assert!(parse("").is_err());
    }

    #[test]
    fn option_names_may_have_blanks() {
        let parse = |text: &str| parse_option(text.split_whitespace());
        assert_eq!(parse("name Clear Hash"), Some(("Clear Hash".into(), String::new())));
        assert_eq!(parse("name Hash value 32"), Some(("Hash".into(), "32".into())));
        assert_eq!(parse("name"), None);
        assert_eq!(parse("value 3"), None);
    }
}
