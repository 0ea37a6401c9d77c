//! UCI, the Universal Chess Interface: the protocol of GUIs and match runners.
//!
//! One thread reads commands, another searches; they share two flags. Input that makes no sense is
//! answered with an `info string` and otherwise ignored: an error of the GUI must not lose the game. A refused position is
//! not ignored: `go` then answers `bestmove 0000`, because a move for the position before would be wrong without a word.

mod answer;
mod output;
mod words;
mod worker;

use crate::config::EngineConfig;
use crate::params::PARAMS;
use crate::position::{Game, Position};
use crate::search::Searcher;
use crate::techniques::TECHNIQUES;
use output::say;
use std::io::{self, BufRead};
use words::{parse_check, parse_go, parse_option, parse_position, quoted};
use worker::Worker;

/// Name and version sent to the GUI.
const NAME: &str = concat!("engine ", env!("CARGO_PKG_VERSION"));

/// Table sizes offered, MB.
const HASH_RANGE: std::ops::RangeInclusive<usize> = 1..=65_536;

/// Table size until the GUI sets another, MB.
pub const DEFAULT_HASH: usize = 16;

/// Speaks UCI on the given stream and standard output until `quit` or the end of input.
///
/// # Errors
/// The system has no thread to search on.
pub fn run(config: EngineConfig, input: impl BufRead) -> io::Result<()> {
    let mut session = Session::new(config)?;
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        // Whatever bytes come, they are text of some sort.
        if !session.command(&String::from_utf8_lossy(&line)) {
            session.stop();
            return Ok(());
        }
    }
    session.finish();
    Ok(())
}

struct Session {
    /// As the options say.
    config: EngineConfig,
    hash_megabytes: usize,
    chess960: bool,
    /// What is on the board, or why the last `position` was refused.
    game: Result<Game, String>,
    worker: Worker,
}

impl Session {
    fn new(config: EngineConfig) -> io::Result<Session> {
        Ok(Session {
            worker: Worker::start(Searcher::new(&config, DEFAULT_HASH))?,
            config,
            hash_megabytes: DEFAULT_HASH,
            chess960: false,
            game: Ok(Game::new(Position::start())),
        })
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
                self.game = parse_position(words);
                if let Err(problem) = &self.game {
                    say!("info string error: {problem}");
                }
            }
            Some("go") => self.go(words),
            Some("stop") => {
                self.stop();
            }
            Some("ponderhit") => self.worker.ponder_hit(),
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
        let game = match &self.game {
            Ok(game) => game.clone(),
            Err(problem) => {
                say!("info string error: nothing to search, the last position was refused: {problem}");
                say!("bestmove 0000");
                return;
            }
        };
        let request = parse_go(words, game.position());
        let usable = self.complain_about_config();
        let config = self.config.clone();
        let searcher = self.wait();
        if usable {
            searcher.configure(&config);
        }

        self.worker.search(game, request, self.chess960);
    }

    /// Stops a search that runs, waits for its answer and gives the player.
    fn stop(&mut self) -> &mut Searcher {
        self.worker.ask_to_stop();
        self.wait()
    }

    /// The end of input: a search with limits is allowed to end by itself.
    fn finish(&mut self) {
        if self.worker.is_endless() {
            self.worker.ask_to_stop();
        }
        self.wait();
    }

    /// The player, once it has nothing to do; not for a search that only a later command ends.
    fn wait(&mut self) -> &mut Searcher {
        self.worker.wait_or(|| {
            say!("info string error: the search broke down; its memory is lost");
            Searcher::new(&self.config, self.hash_megabytes)
        })
    }
}
