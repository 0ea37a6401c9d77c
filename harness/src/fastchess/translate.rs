//! Translation: a tournament as a command line of this program.

use super::engine::Engine;
use super::tournament::{Sprt, Tournament};
use crate::game::limit::Limit;
use crate::players::external::{find_program, not_executable, why_not_found};
use crate::report::shell_word;
use std::path::Path;

/// A command line of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// `sprt` or `match`.
    pub command: &'static str,
    /// What is played and how.
    pub words: Vec<String>,
    /// What is written beside the store. fastchess's own files are written in its place when the command is carried out.
    pub outputs: Vec<String>,
    /// The players as this program knows them, in the order of the engines.
    pub players: Vec<String>,
}

impl Translated {
    /// The command as a shell takes it.
    pub fn shown(&self) -> String {
        let words = self.words.iter().chain(&self.outputs).map(|word| format!(" {}", shell_word(word)));
        format!("harness {}{}", self.command, words.collect::<String>())
    }
}

/// The command that plays this tournament in the folder, from the start position if that is its book.
///
/// # Errors
/// A sentence: an engine is not there.
pub fn translated(
    tournament: &Tournament,
    folder: &Path,
    start_position: &Path,
) -> Result<Translated, String> {
    let engines = &tournament.engines;
    let players: Vec<String> = engines.iter().map(|engine| plain_name(&engine.name)).collect();
    let named = engines
        .iter()
        .zip(&players)
        .map(|(engine, player)| Ok(format!("{player}={}", program(engine, folder)?)));
    let mut named: Vec<String> = named.collect::<Result<_, String>>()?;
    if tournament.sprt.is_some() {
        // The base stands first there, and the engine that is tested stands first here.
        named.reverse();
    }
    let mut words = Words(named);
    if tournament.gauntlet && engines.len() > 2 {
        words.0.push("--gauntlet".to_owned());
    }
    limits(&mut words, engines, &players);
    of_engines(&mut words, tournament, &players);
    openings(&mut words, tournament, start_position);
    adjudication(&mut words, tournament);
    if let Some(test) = tournament.sprt {
        sprt(&mut words, test, tournament.report.penta);
    }
    words.add("threads", tournament.threads());
    words.add("max-pairs", tournament.pairs());
    if tournament.affinity {
        words.0.push("--affinity".to_owned());
    }
    for (name, wait) in [("start-timeout", tournament.startup_ms), ("ready-timeout", tournament.ready_ms)] {
        wait.into_iter().for_each(|milliseconds: u64| words.add(name, milliseconds.div_ceil(1000).max(1)));
    }
    // Faults are counted as losses there, however many.
    words.add("faults", "play-on");
    if let Some(log) = &tournament.log {
        words.add("log", log.file.display());
    }
    // The games keep what their file is to tell.
    if tournament.pgn.as_ref().is_some_and(|pgn| pgn.detail.seldepth || pgn.detail.pv) {
        words.0.push("--pgn-detail".to_owned());
    }
    let mut outputs = Words(Vec::new());
    if let Some(pgn) = &tournament.pgn {
        outputs.add("pgn", pgn.file.display());
    }
    let command = if tournament.sprt.is_some() { "sprt" } else { "match" };
    Ok(Translated { command, words: words.0, outputs: outputs.0, players })
}

/// Words of a command line that grows.
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, option: &str, value: impl ToString) {
        let value = value.to_string();
        match value.starts_with('-') {
            true => self.0.push(format!("--{option}={value}")),
            false => self.0.extend([format!("--{option}"), value]),
        }
    }
}

/// The name without the characters that would end it where a player is named.
fn plain_name(name: &str) -> String {
    name.replace(['/', '=', ':'], "_")
}

/// The program as this program finds it, seen from the folder.
fn program(engine: &Engine, folder: &Path) -> Result<String, String> {
    let Engine { cmd, dir, .. } = engine;
    if engine.is_configuration() {
        return Ok(cmd.clone());
    }
    let there = match dir.is_empty() || Path::new(cmd).is_absolute() {
        true => cmd.clone(),
        false => Path::new(dir).join(cmd.strip_prefix("./").unwrap_or(cmd)).display().to_string(),
    };
    let path = if there.contains('/') { there.clone() } else { format!("./{there}") };
    if find_program(&path, folder).is_some() {
        return Ok(path);
    }
    // A name without a folder may be in PATH, as fastchess looks for it.
    match find_program(&there, folder).filter(|_| dir.is_empty()) {
        Some(found) => Ok(found.display().to_string()),
        None => {
            let name = if dir.is_empty() && not_executable(&path, folder).is_none() { &there } else { &path };
            Err(format!("the engine {there}: {}; check cmd= and dir=", why_not_found(name, folder)))
        }
    }
}

/// The limits of the first engine for all, and of those that have others.
fn limits(words: &mut Words, engines: &[Engine], players: &[String]) {
    let first = &engines[0];
    first.limit.named().for_each(|(name, value)| words.add(name, value));
    let margin = |engine: &Engine| engine.margin.unwrap_or(0);
    if engines.iter().any(|engine| engine.limit.has_clock()) {
        words.add("time-margin", margin(first));
    }
    for (engine, player) in engines.iter().zip(players).skip(1) {
        let own: Option<Limit> = (engine.limit != first.limit).then_some(engine.limit);
        let mut keys: Vec<_> =
            own.into_iter().flat_map(Limit::named).map(|(name, value)| format!("{name}={value}")).collect();
        if margin(engine) != margin(first) {
            keys.push(format!("time-margin={}", margin(engine)));
        }
        if !keys.is_empty() {
            words.add("limit-of", format!("{player}:{}", keys.join(",")));
        }
    }
}

/// What is set of the engines: of all of them where it is the same.
fn of_engines(words: &mut Words, tournament: &Tournament, players: &[String]) {
    let engines = &tournament.engines;
    // The table size of all is an option of its own, which configurations of the built-in engine take, too.
    let hash = engines[0]
        .option("Hash")
        .filter(|_| engines.iter().all(|engine| engine.option("Hash") == engines[0].option("Hash")));
    hash.into_iter().for_each(|hash| words.add("hash", hash));
    let options = |engine: &Engine| -> Vec<(String, String)> {
        let is_to_be_set = |(name, value): &&(String, String)| {
            let is_hash = hash.is_some() && name.eq_ignore_ascii_case("Hash");
            // The built-in engine has one thread.
            let is_one_thread =
                name.eq_ignore_ascii_case("Threads") && value == "1" && engine.is_configuration();
            !is_hash && !is_one_thread
        };
        engine.options.iter().filter(is_to_be_set).cloned().collect()
    };
    let first = options(&engines[0]);
    if engines.iter().all(|engine| !engine.is_configuration() && options(engine) == first) {
        first.iter().for_each(|(name, value)| words.add("option", format!("{name}={value}")));
    } else {
        for (engine, player) in engines.iter().zip(players) {
            let set = options(engine).into_iter().map(|(name, value)| format!("{player}:{name}={value}"));
            set.for_each(|word| words.add("option", word));
        }
    }
    for (engine, player) in engines.iter().zip(players) {
        if !engine.args.is_empty() {
            words.add("args", format!("{player}:{}", engine.args));
        }
        if !engine.dir.is_empty() && !engine.is_configuration() {
            words.add("dir", format!("{player}:{}", engine.dir));
        }
    }
    // Where all are restarted alike, nobody is named.
    let restart = |engine: &Engine| match (engine.restarts, tournament.recover) {
        (true, _) => Some("every-game"),
        (false, true) => None,
        (false, false) => Some("never"),
    };
    let programs = || engines.iter().zip(players).filter(|(engine, _)| !engine.is_configuration());
    let mut all = programs().map(|(engine, _)| restart(engine));
    match all.next() {
        Some(first) if all.all(|other| other == first) => {
            first.into_iter().for_each(|when| words.add("restart", when));
        }
        _ => programs().for_each(|(engine, player)| {
            restart(engine).into_iter().for_each(|when| words.add("restart", format!("{player}:{when}")));
        }),
    }
}

fn openings(words: &mut Words, tournament: &Tournament, start_position: &Path) {
    let given = &tournament.openings;
    let file = given.file.as_deref().unwrap_or(start_position);
    words.add("openings", file.display());
    words.add("order", if given.random { "random" } else { "sequential" });
    // A line of an EPD book is one position, whatever is said of plies.
    let is_pgn = file.to_string_lossy().to_ascii_lowercase().contains(".pgn");
    given.plies.filter(|_| is_pgn).into_iter().for_each(|plies| words.add("plies", plies));
    given.start.into_iter().for_each(|start| words.add("start", start));
    tournament.seed.into_iter().for_each(|seed| words.add("seed", seed));
}

fn adjudication(words: &mut Words, tournament: &Tournament) {
    if let Some((score, moves, two_sided)) = tournament.resign {
        words.add("resign", format!("{score},{moves}{}", if two_sided { ",twosided" } else { "" }));
    }
    if let Some((score, moves, from)) = tournament.draw {
        words.add("draw", format!("{score},{moves},{from}"));
    }
    tournament.max_moves.into_iter().for_each(|moves| words.add("max-moves", moves));
    if let Some(tables) = &tournament.tables {
        words.add("syzygy", tables);
        tournament.tables_decide.into_iter().for_each(|decides| words.add("syzygy-adjudicate", decides));
        tournament.tables_pieces.into_iter().for_each(|pieces| words.add("syzygy-pieces", pieces));
    }
}

fn sprt(words: &mut Words, test: Sprt, penta: bool) {
    let Sprt { elo0, elo1, alpha, beta, model } = test;
    for (name, value) in [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)] {
        words.add(name, value);
    }
    words.add("model", model);
    if !penta {
        words.0.push("--trinomial=true".to_owned());
    }
}
