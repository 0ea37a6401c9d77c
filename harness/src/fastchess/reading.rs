//! Reading: what each option of the table says, put into the tournament.

use super::Dialect;
use super::engine::Engine;
use super::tournament::{EpdOut, Log, PgnOut, Sprt, Tournament};
use super::words::{Given, number, truth};
use std::path::PathBuf;

/// What has been read so far.
pub struct Reading {
    /// The tournament as far as it is known.
    pub tournament: Tournament,
    /// Keys and values of `-each`, which are set when all engines are known.
    pub each: Vec<(String, String)>,
    /// The tag `Event` of the games.
    pub event: String,
    /// Their tag `Site`.
    pub site: String,
    /// Whether the checksum of their file is printed.
    pub crc32: bool,
    /// Whether the model was chosen.
    pub has_model: bool,
}

impl Reading {
    /// Nothing read yet.
    pub fn of(dialect: Dialect) -> Reading {
        Reading {
            tournament: Tournament::of(dialect),
            each: Vec::new(),
            event: "Fastchess Tournament".to_owned(),
            site: "?".to_owned(),
            crc32: false,
            has_model: false,
        }
    }

    /// The tournament, when everything was read.
    ///
    /// # Errors
    /// See [`Tournament::checked`].
    pub fn finished(mut self, called: Dialect) -> Result<Tournament, String> {
        for (key, value) in &self.each {
            for engine in &mut self.tournament.engines {
                engine.set(key, value).map_err(|what| format!("-each: {what}"))?;
            }
        }
        if let Some(pgn) = &mut self.tournament.pgn {
            (pgn.event, pgn.site, pgn.crc32) = (self.event, self.site, self.crc32);
        }
        if called == Dialect::Cutechess && self.tournament.sprt.is_some() && !self.has_model {
            self.tournament.note(
                "-sprt: the bounds are normalized Elo, as fastchess has them; for cutechess-cli's logistic Elo add model=logistic",
            );
        }
        self.tournament.checked()
    }
}

/// The sentence about a key that nobody knows.
pub fn unknown(key: &str, known: &str) -> String {
    format!("`{key}` is none of its keys, which are {known}")
}

/// Refuses an option that only the first word may be.
///
/// # Errors
/// Always.
pub fn alone(_: &mut Reading, _: &Given) -> Result<(), String> {
    Err("it stands first, or not at all".to_owned())
}

/// Refuses values.
///
/// # Errors
/// There are some.
pub fn nothing(given: &Given) -> Result<(), String> {
    if given.values.is_empty() { Ok(()) } else { Err("takes no value".to_owned()) }
}

/// An interval; none for 0.
///
/// # Errors
/// It is no number.
pub fn interval(given: &Given) -> Result<Option<u64>, String> {
    let interval = number(given.one()?, "interval: 0 or more")?;
    Ok(Some(interval).filter(|&interval| interval > 0))
}

/// Reads `-engine`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn engine(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let mut engine = Engine::default();
    for (key, value) in given.pairs()? {
        engine.set(key, value)?;
    }
    if engine.cmd.is_empty() {
        return Err("an engine needs cmd=PROGRAM".to_owned());
    }
    reading.tournament.engines.push(engine);
    Ok(())
}

/// Reads `-each`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn each(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let pairs = given.pairs()?.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
    reading.each.extend(pairs);
    Ok(())
}

/// Reads `-openings`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn openings(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let openings = &mut reading.tournament.openings;
    for (key, value) in given.pairs()? {
        match (key, value) {
            ("file", _) => openings.file = Some(PathBuf::from(value)),
            ("format", "epd" | "pgn") => {}
            ("format", _) => return Err(format!("format={value}: write epd or pgn")),
            ("order", "random") => openings.random = true,
            ("order", "sequential") => openings.random = false,
            ("order", _) => return Err(format!("order={value}: write random or sequential")),
            // As many plies as there are, in fastchess.
            ("plies", "-1") => openings.plies = None,
            ("plies", _) => openings.plies = Some(number(value, "number of plies")?),
            ("start", _) => match number(value, "number of an opening, from 1")? {
                0 => return Err("start=0: the first opening is 1".to_owned()),
                start => openings.start = Some(start),
            },
            ("policy", "round") => {}
            ("policy", _) => return Err(format!("policy={value}: an opening is a pair's; policy=round")),
            _ => return Err(unknown(key, "file, format, order, plies, start and policy")),
        }
    }
    Ok(())
}

/// Reads `-tournament`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn tournament(reading: &mut Reading, given: &Given) -> Result<(), String> {
    reading.tournament.gauntlet = match given.one()? {
        "roundrobin" | "round-robin" => false,
        "gauntlet" => true,
        other => return Err(format!("`{other}` is not played: roundrobin and gauntlet are")),
    };
    Ok(())
}

/// Reads `-variant`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn variant(reading: &mut Reading, given: &Given) -> Result<(), String> {
    reading.tournament.chess960 = match given.one()? {
        "standard" => false,
        "fischerandom" => true,
        other => return Err(format!("`{other}` is not played: standard and fischerandom are")),
    };
    Ok(())
}

/// Reads `-sprt`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn sprt(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let mut test = Sprt::default();
    for (key, value) in given.pairs()? {
        match key {
            "elo0" => test.elo0 = number(value, "number of Elo")?,
            "elo1" => test.elo1 = number(value, "number of Elo")?,
            "alpha" => test.alpha = number(value, "probability")?,
            "beta" => test.beta = number(value, "probability")?,
            "model" => {
                test.model = value
                    .parse()
                    .map_err(|_| format!("model={value}: write normalized, logistic or bayesian"))?;
                reading.has_model = true;
            }
            _ => return Err(unknown(key, "elo0, elo1, alpha, beta and model")),
        }
    }
    reading.tournament.sprt = Some(test);
    Ok(())
}

/// Reads `-resign`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn resign(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let (mut score, mut moves, mut two_sided) = (0, 1, false);
    for (key, value) in given.pairs()? {
        match key {
            "score" => score = number(value, "score in centipawns, 0 or more")?,
            "movecount" => moves = number(value, "number of moves")?,
            "twosided" => two_sided = truth(key, value)?,
            _ => return Err(unknown(key, "movecount, score and twosided")),
        }
    }
    if score == 0 {
        return Err("give score=N, 1 or more: any game would be lost at 0".to_owned());
    }
    reading.tournament.resign = Some((score, moves, two_sided));
    Ok(())
}

/// Reads `-draw`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn draw(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let (mut score, mut moves, mut from) = (0, 1, 0);
    for (key, value) in given.pairs()? {
        match key {
            "score" => score = number(value, "score in centipawns, 0 or more")?,
            "movecount" => moves = number(value, "number of moves")?,
            "movenumber" => from = number(value, "move number")?,
            _ => return Err(unknown(key, "movenumber, movecount and score")),
        }
    }
    reading.tournament.draw = Some((score, moves, from));
    Ok(())
}

/// Reads `-pgnout`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn pgnout(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let mut pgn = PgnOut {
        file: PathBuf::from("fastchess.pgn"),
        append: true,
        crc32: false,
        event: String::new(),
        site: String::new(),
        detail: Default::default(),
    };
    for word in &given.values {
        let Some((key, value)) = word.split_once('=') else {
            // cutechess-cli: FILE [min] [fi].
            match word.as_str() {
                "min" => pgn.detail.min = true,
                "fi" => {}
                file => pgn.file = PathBuf::from(file),
            }
            continue;
        };
        match (key, value) {
            ("file", _) => pgn.file = PathBuf::from(value),
            ("append", _) => pgn.append = truth(key, value)?,
            ("nodes", _) => pgn.detail.nodes = truth(key, value)?,
            ("nps", _) => pgn.detail.nps = truth(key, value)?,
            ("timeleft", _) => pgn.detail.timeleft = truth(key, value)?,
            ("latency", _) => pgn.detail.latency = truth(key, value)?,
            ("seldepth", _) => pgn.detail.seldepth = truth(key, value)?,
            ("pv", _) => pgn.detail.pv = truth(key, value)?,
            ("min", _) => pgn.detail.min = truth(key, value)?,
            ("notation", "san") => pgn.detail.uci = false,
            ("notation", "uci") => pgn.detail.uci = true,
            ("notation", _) => return Err(format!("notation={value} is not written: san and uci are")),
            ("match_line", _) => {
                reading.tournament.note("-pgnout match_line: lines of the engines are not kept")
            }
            ("hashfull" | "tbhits", _) => {
                if truth(key, value)? {
                    reading.tournament.note(format!("-pgnout {key}: it is not kept, and not written"));
                }
            }
            _ => {
                return Err(unknown(
                    key,
                    "file, append, notation, min, nodes, nps, timeleft, seldepth, hashfull, tbhits, latency, pv and match_line",
                ));
            }
        }
    }
    reading.tournament.pgn = Some(pgn);
    Ok(())
}

/// Reads `-epdout`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn epdout(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let mut epd = EpdOut { file: PathBuf::from("fastchess.epd"), append: true };
    for word in &given.values {
        match word.split_once('=') {
            None => epd.file = PathBuf::from(word),
            Some(("file", value)) => epd.file = PathBuf::from(value),
            Some(("append", value)) => epd.append = truth("append", value)?,
            Some((key, _)) => return Err(unknown(key, "file and append")),
        }
    }
    reading.tournament.epd = Some(epd);
    Ok(())
}

/// Reads `-log`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn log(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let (mut file, mut append, mut has_dialogue) = (None, true, false);
    for (key, value) in given.pairs()? {
        match (key, value) {
            ("file", _) => file = Some(PathBuf::from(value)),
            ("append", _) => append = truth(key, value)?,
            ("engine", _) => has_dialogue = truth(key, value)?,
            ("level", "trace" | "info" | "warn" | "err" | "fatal") => {}
            ("level", _) => return Err(format!("level={value}: write trace, info, warn, err or fatal")),
            ("realtime", _) => _ = truth(key, value)?,
            ("compress", _) if truth(key, value)? => {
                return Err("compress=true: the dialogue is written plain".to_owned());
            }
            ("compress", _) => {}
            _ => return Err(unknown(key, "file, level, append, compress, realtime and engine")),
        }
    }
    match (file, has_dialogue) {
        (None, _) => return Err("give file=FILE".to_owned()),
        (Some(file), true) => reading.tournament.log = Some(Log { file, append }),
        (Some(_), false) => {
            reading.tournament.note("-log: nothing is logged but the UCI dialogue, with engine=true")
        }
    }
    Ok(())
}

/// Reads `-ping-ms` and `-ucinewgame-ms`: the longer one holds.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn ready(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let wait = number(given.one()?, "number of milliseconds")?;
    reading.tournament.ready_ms = reading.tournament.ready_ms.max(Some(wait));
    Ok(())
}

/// Reads `-quick`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn quick(reading: &mut Reading, given: &Given) -> Result<(), String> {
    let tournament = &mut reading.tournament;
    let before = tournament.engines.len();
    for (key, value) in given.pairs()? {
        match key {
            "cmd" => {
                let mut engine = Engine { name: value.to_owned(), ..Engine::default() };
                engine.set("cmd", value)?;
                engine.set("tc", "10+0.1")?;
                tournament.engines.push(engine);
            }
            "book" => tournament.openings.file = Some(PathBuf::from(value)),
            _ => return Err(unknown(key, "cmd and book")),
        }
    }
    match &mut tournament.engines[before..] {
        [first, second] if first.name == second.name => {
            first.name += "1";
            second.name += "2";
        }
        [_, _] => {}
        _ => return Err("give two engines, cmd=A cmd=B".to_owned()),
    }
    if tournament.openings.file.is_none() {
        return Err("give a book, book=FILE".to_owned());
    }
    tournament.openings.random = true;
    (tournament.games, tournament.rounds) = (2, 25_000);
    // Two processors stay free.
    tournament.concurrency = i64::try_from(num_cpus::get()).unwrap_or(1).saturating_sub(2).max(1);
    tournament.recover = true;
    tournament.draw = Some((8, 8, 30));
    tournament.report.dialect = Dialect::Cutechess;
    Ok(())
}

/// Reads `-config`.
///
/// # Errors
/// A sentence: a key or a value is none.
pub fn config(reading: &mut Reading, given: &Given) -> Result<(), String> {
    for (key, value) in given.pairs()? {
        match key {
            "file" => {
                return Err(format!(
                    "file={value}: fastchess's file of a tournament is not read; a run of this program goes on with `harness sprt \
                     --resume RUN` or `harness match --resume RUN` (`harness runs` lists them)"
                ));
            }
            "outname" => {
                reading.tournament.note("-config outname: no such file is written; the run is in results/")
            }
            "discard" | "stats" => _ = truth(key, value)?,
            _ => return Err(unknown(key, "file, outname, discard and stats")),
        }
    }
    Ok(())
}
