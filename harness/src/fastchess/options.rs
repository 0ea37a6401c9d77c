//! The table: every option of fastchess, once, with what becomes of it. The help is made of it, and `docs/fastchess.md` has a line
//! for each.

use super::Dialect;
use super::reading::{
    Reading, alone, config, draw, each, engine, epdout, interval, log, nothing, openings, pgnout, quick,
    ready, resign, sprt, tournament, unknown, variant,
};
use super::tournament::Tournament;
use super::words::{Given, divided, number, truth};
use strsim::damerau_levenshtein;

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has fastchess's meaning.
    Taken,
    /// It changes nothing here, or less than there, which is said once where it matters.
    Said,
    /// It is refused, with the reason.
    Refused,
}

/// A row of the table.
pub struct Row {
    /// The name without the dash.
    pub name: &'static str,
    /// What follows it, for people.
    pub values: &'static str,
    /// What becomes of it.
    pub fate: Fate,
    /// What it says, or why it is refused.
    pub help: &'static str,
    /// Reads it; what is read of several `-each` is set when all engines are known.
    read: fn(&mut Reading, &Given) -> Result<(), String>,
}

use Fate::{Refused, Said, Taken};

/// Every option.
pub const TABLE: &[Row] = &[
    row(
        "engine",
        "KEY=VALUE…",
        Taken,
        "an engine: cmd, name, dir, args, tc, st, nodes, depth, timemargin, restart, option.NAME",
        engine,
    ),
    row("each", "KEY=VALUE…", Taken, "the same of every engine", each),
    row(
        "openings",
        "KEY=VALUE…",
        Taken,
        "book: file, order=random|sequential, plies, start (format is told from the file)",
        openings,
    ),
    row("rounds", "N", Taken, "rounds: openings that each two engines play", |reading, given| {
        reading.tournament.rounds = number(given.one()?, "number of rounds")?;
        Ok(())
    }),
    row(
        "games",
        "N",
        Taken,
        "games from each opening; pairs are played always, so that 1 makes N rounds N/2 pairs",
        |reading, given| {
            reading.tournament.games = number(given.one()?, "number of games")?;
            Ok(())
        },
    ),
    row("repeat", "[N]", Taken, "as -games 2", |reading, given| {
        reading.tournament.games = match given.values.is_empty() {
            true => 2,
            false => number(given.one()?, "number of games")?,
        };
        Ok(())
    }),
    row("tournament", "roundrobin|gauntlet", Taken, "who meets whom", tournament),
    row(
        "seeds",
        "N",
        Taken,
        "engines of a gauntlet that meet the others: 1, or all but one",
        |reading, given| {
            reading.tournament.seeds = number(given.one()?, "number of engines")?;
            Ok(())
        },
    ),
    row(
        "sprt",
        "KEY=VALUE…",
        Taken,
        "test: elo0, elo1, alpha, beta, model=normalized|logistic|bayesian (normalized)",
        sprt,
    ),
    row("resign", "KEY=VALUE…", Taken, "a lost game is lost: movecount, score, twosided", resign),
    row("draw", "KEY=VALUE…", Taken, "a level game is drawn: movenumber, movecount, score", draw),
    row("maxmoves", "N", Taken, "a game of so many moves is drawn", |reading, given| {
        let moves = number(given.one()?, "number of moves")?;
        reading.tournament.max_moves = Some(moves).filter(|&moves| moves > 0);
        reading.tournament.max_moves.map(|_| ()).ok_or_else(|| "give at least one move".to_owned())
    }),
    row("tb", "DIR[:DIR]", Taken, "games end as Syzygy tables say", |reading, given| {
        reading.tournament.tables = Some(given.one()?.replace(';', ":"));
        Ok(())
    }),
    row("tbadjudicate", "BOTH|WIN_LOSS|DRAW", Taken, "results that the tables decide", |reading, given| {
        reading.tournament.tables_decide = Some(match given.one()? {
            "BOTH" => "both",
            "WIN_LOSS" => "wins",
            "DRAW" => "draws",
            other => return Err(format!("`{other}`: write BOTH, WIN_LOSS or DRAW")),
        });
        Ok(())
    }),
    row("tbpieces", "N", Taken, "most pieces of positions that the tables decide", |reading, given| {
        reading.tournament.tables_pieces = Some(number(given.one()?, "number of pieces")?);
        Ok(())
    }),
    row("tbignore50", "", Refused, "a win that the fifty-move rule prevents is a draw here", |_, _| {
        Err("a win that the fifty-move rule prevents is a draw in this program: leave it out".to_owned())
    }),
    row(
        "concurrency",
        "N",
        Taken,
        "games at once; 0 or less: so many fewer than there are processors",
        |reading, given| {
            reading.tournament.concurrency = number(given.one()?, "whole number")?;
            Ok(())
        },
    ),
    row(
        "force-concurrency",
        "",
        Taken,
        "more of them than processors are meant, and no warning is given",
        |reading, given| {
            nothing(given)?;
            reading.tournament.forced_concurrency = true;
            Ok(())
        },
    ),
    row(
        "variant",
        "standard|fischerandom",
        Taken,
        "rules; which of them a position has is told from its castling rights",
        variant,
    ),
    row(
        "srand",
        "SEED",
        Taken,
        "seed of the order of the openings, which is this program's",
        |reading, given| {
            reading.tournament.seed = Some(number(given.one()?, "seed: a whole number")?);
            Ok(())
        },
    ),
    row(
        "recover",
        "",
        Taken,
        "an engine that breaks down is started again; without it, the run ends",
        |reading, given| {
            nothing(given)?;
            reading.tournament.recover = true;
            Ok(())
        },
    ),
    row(
        "ratinginterval",
        "N",
        Taken,
        "pairs (games with penta=false) between two blocks of figures; 0: only at the end",
        |reading, given| {
            reading.tournament.report.rating_interval = interval(given)?;
            Ok(())
        },
    ),
    row(
        "scoreinterval",
        "N",
        Taken,
        "games between two lines of the score; 0: only at the end",
        |reading, given| {
            reading.tournament.report.score_interval = interval(given)?;
            Ok(())
        },
    ),
    row("report", "penta=BOOL", Taken, "whether pairs are counted (true) or games", |reading, given| {
        for (key, value) in given.pairs()? {
            match key {
                "penta" => reading.tournament.report.penta = truth(key, value)?,
                _ => return Err(unknown(key, "penta")),
            }
        }
        Ok(())
    }),
    row("output", "format=fastchess|cutechess", Taken, "in whose words", |reading, given| {
        for pair in given.pairs()? {
            reading.tournament.report.dialect = match pair {
                ("format", "fastchess") => Dialect::Fastchess,
                ("format", "cutechess") => Dialect::Cutechess,
                (key, value) => {
                    return Err(format!("{key}={value}: write format=fastchess or format=cutechess"));
                }
            };
        }
        Ok(())
    }),
    row(
        "pgnout",
        "KEY=VALUE…",
        Taken,
        "games: file, append, nodes, nps, timeleft, min, notation=san|uci; the others are said to be left out",
        pgnout,
    ),
    row("epdout", "KEY=VALUE…", Taken, "final positions: file, append", epdout),
    row("event", "NAME", Taken, "the tag Event of the games", |reading, given| {
        reading.event = given.values.join(" ");
        Ok(())
    }),
    row("site", "NAME", Taken, "the tag Site of the games", |reading, given| {
        reading.site = given.values.join(" ");
        Ok(())
    }),
    row("crc32", "pgn=BOOL", Taken, "the checksum of the file of games is printed", |reading, given| {
        for (key, value) in given.pairs()? {
            match key {
                "pgn" => reading.crc32 = truth(key, value)?,
                _ => return Err(unknown(key, "pgn")),
            }
        }
        Ok(())
    }),
    row(
        "log",
        "KEY=VALUE…",
        Taken,
        "the UCI dialogue with engine=true: file, append; there is no log but that",
        log,
    ),
    row("startup-ms", "N", Taken, "longest start of an engine, rounded up to seconds", |reading, given| {
        reading.tournament.startup_ms = Some(number(given.one()?, "number of milliseconds")?);
        Ok(())
    }),
    row("ping-ms", "N", Taken, "longest wait for an engine to be ready, rounded up to seconds", ready),
    row("ucinewgame-ms", "N", Taken, "the same; the longer one holds", ready),
    row(
        "quick",
        "cmd=A cmd=B book=FILE",
        Taken,
        "two engines at 10+0.1, 25000 rounds, usual draws, cutechess's words",
        quick,
    ),
    row(
        "config",
        "KEY=VALUE…",
        Said,
        "outname, discard and stats change nothing: a run is in results/ and goes on with `harness … --resume RUN`; file is refused",
        config,
    ),
    row("autosaveinterval", "N", Said, "every pair is stored when it is finished", |_, given| {
        given.one().map(|_| ())
    }),
    row("testEnv", "", Said, "what is printed is for scripts anyway", |_, given| nothing(given)),
    row("wait", "MS", Said, "games follow each other at once", |reading, given| {
        let wait: u64 = number(given.one()?, "number of milliseconds")?;
        if wait > 0 {
            reading.tournament.note("-wait: games follow each other at once");
        }
        Ok(())
    }),
    row(
        "reverse",
        "",
        Said,
        "both games of a pair are played, the first engine's with White first",
        |reading, given| {
            nothing(given)?;
            reading.tournament.note(
                "-reverse: the first game of a pair is the one in which the engine named first has White",
            );
            Ok(())
        },
    ),
    row("use-affinity", "[CPUS]", Taken, "each game has cores of its own", |reading, given| {
        reading.tournament.affinity = true;
        if !given.values.is_empty() {
            let list = given.values.join(",");
            reading.tournament.note(format!(
                "-use-affinity {list}: cores are taken from all that this process may use; `taskset -c {list}` before the command leaves it these"
            ));
        }
        Ok(())
    }),
    row("check-mate-pvs", "", Said, "principal variations are not checked", |reading, given| {
        nothing(given)?;
        reading.tournament.note("-check-mate-pvs: principal variations are not checked");
        Ok(())
    }),
    row(
        "show-latency",
        "",
        Taken,
        "how late the answers of each engine came, after the last game",
        |reading, given| {
            nothing(given)?;
            reading.tournament.shows_latency = true;
            Ok(())
        },
    ),
    row("strict", "", Refused, "no warning ends a run here", |_, _| {
        Err("no warning ends a run here, and a crash does unless -recover is given: leave it out".to_owned())
    }),
    row("noswap", "", Refused, "a pair is two games with colours swapped", |_, _| {
        Err("a pair is two games from one opening with colours swapped, always: leave it out".to_owned())
    }),
    row(
        "debug",
        "",
        Refused,
        "fastchess has none: -log file=FILE engine=true writes the dialogue",
        |_, _| Err("fastchess has none either: -log file=FILE engine=true writes the UCI dialogue".to_owned()),
    ),
    row(
        "compliance",
        "PROGRAM",
        Taken,
        "as the first word: does the engine speak UCI well enough (`harness check-engine`)?",
        alone,
    ),
    row("version", "", Taken, "as the first word: the version", alone),
    row("help", "", Taken, "as the first word: this table", alone),
    row(
        "translate",
        "",
        Taken,
        "print the command of this program that does the same, and play nothing",
        |reading, given| {
            nothing(given)?;
            reading.tournament.only_translate = true;
            Ok(())
        },
    ),
];

const fn row(
    name: &'static str,
    values: &'static str,
    fate: Fate,
    help: &'static str,
    read: fn(&mut Reading, &Given) -> Result<(), String>,
) -> Row {
    Row { name, values, fate, help, read }
}

/// What a command line asks for.
#[derive(Debug)]
pub enum Request {
    /// Games.
    Play(Box<Tournament>),
    /// The version.
    Version,
    /// The table.
    Help,
    /// Whether an engine speaks UCI well enough: its program and its arguments.
    Compliance(Vec<String>),
}

/// What a command line asks for, given those defaults.
///
/// # Errors
/// A sentence that names the option.
pub fn read(words: &[String], dialect: Dialect) -> Result<Request, String> {
    match words.first().map(String::as_str) {
        None | Some("-help" | "--help" | "-h") => return Ok(Request::Help),
        Some("-version" | "--version" | "-v" | "--v") => return Ok(Request::Version),
        Some("--compliance" | "-compliance") => return Ok(Request::Compliance(words[1..].to_vec())),
        Some(_) => {}
    }
    let mut reading = Reading::of(dialect);
    for given in divided(words)? {
        let row = TABLE.iter().find(|row| row.name == given.name).ok_or_else(|| unrecognized(&given.name))?;
        (row.read)(&mut reading, &given).map_err(|what| format!("-{}: {what}", given.name))?;
    }
    reading.finished(dialect).map(|tournament| Request::Play(Box::new(tournament)))
}

fn unrecognized(name: &str) -> String {
    let near = TABLE.iter().map(|row| (damerau_levenshtein(row.name, name), row.name)).min();
    let tip = match near {
        Some((distance, near)) if distance <= 2 => format!("did you mean -{near}?"),
        _ => "`harness fastchess -help` lists those that there are".to_owned(),
    };
    format!("-{name} is no option of fastchess: {tip}")
}
