//! The steps of the check, in order.

use super::super::info::Best;
use super::Outcome;
use super::declaration::faults;
use super::positions::{Asked, CASTLED, CHESS960, IN_PASSING, MATED, PROMOTED, PROMOTES, STALEMATED};
use super::subject::{Reply, Subject, is_of_xboard};
use crate::game::limit::is_about;
use std::time::{Duration, Instant};

/// What a step found, or why it failed.
type Found = Result<(Outcome, String), String>;

/// What is done in a step.
pub type Attempt = fn(&mut Subject) -> Found;

/// The time that most questions give.
const THINK: &str = "go movetime 100";

/// An answer that is not a matter of a clock may take this long.
const PATIENCE: Duration = Duration::from_secs(5);

/// An engine under a clock may be late by this much on a machine that does other things too.
const LATE: Duration = Duration::from_millis(100);

/// An engine told to quit must be gone within this time.
const QUIT: Duration = Duration::from_secs(2);

/// The first move of a game has been played.
const START: &str = "position startpos moves e2e4 e7e5";

/// Nodes asked for.
const NODES: u64 = 10_000;

/// Plies asked for.
const DEPTH: u32 = 4;

/// Each step with its name. The first two decide whether there are any others.
pub const STEPS: [(&str, Attempt); 20] = [
    ("starts", |subject| subject.start().map(|()| passed())),
    ("uci is answered by uciok", introduction),
    ("id name", id_name),
    ("options are declared as the protocol writes them", options),
    ("isready is answered by readyok", |subject| subject.ready().map(|()| passed())),
    ("ucinewgame", |subject| subject.send("ucinewgame").and_then(|()| subject.ready()).map(|()| passed())),
    ("position startpos moves", start_position),
    ("go nodes", nodes),
    ("go depth", depth),
    ("go movetime", |subject| in_time(subject, "go movetime 200", Duration::from_millis(200))),
    ("go wtime btime winc binc", |subject| {
        in_time(subject, "go wtime 2000 btime 2000 winc 50 binc 50", Duration::from_secs(2))
    }),
    ("go infinite is ended by stop", infinite),
    ("castling is understood", |subject| legal(subject, &CASTLED)),
    ("a promotion to a knight is understood", |subject| legal(subject, &PROMOTED)),
    ("a capture in passing is understood", |subject| legal(subject, &IN_PASSING)),
    ("promotes in UCI's notation", promotes),
    ("Chess960", chess960),
    ("asked in a mate", |subject| over(subject, MATED)),
    ("asked in a stalemate", |subject| over(subject, STALEMATED)),
    ("quit", |subject| match subject.quit(QUIT) {
        true => Ok(passed()),
        false => Err(format!("it is still there {} s after `quit`", QUIT.as_secs())),
    }),
];

fn passed() -> (Outcome, String) {
    (Outcome::Passed, String::new())
}

fn warned(what: String) -> (Outcome, String) {
    (Outcome::Warned, what)
}

fn introduction(subject: &mut Subject) -> Found {
    match subject.introduce() {
        Ok(()) => Ok(match subject.introduction.iter().any(|line| is_of_xboard(line)) {
            true => warned("it starts in xboard mode, and sends `feature` before uciok".to_owned()),
            false => passed(),
        }),
        Err(failed) if subject.answers_xboard() => Err(format!(
            "{failed}: it starts in xboard mode, and answers `protover 2`; give it the argument that makes it speak UCI"
        )),
        Err(failed) => Err(failed),
    }
}

fn id_name(subject: &mut Subject) -> Found {
    let name = subject.introduction.iter().find_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        words.strip_prefix(&["id", "name"]).filter(|name| !name.is_empty()).map(|name| name.join(" "))
    });
    Ok(match name {
        Some(name) => (Outcome::Passed, name),
        None => warned("it does not say its name".to_owned()),
    })
}

fn options(subject: &mut Subject) -> Found {
    let is_option = |line: &&str| line.split_whitespace().next() == Some("option");
    let lines: Vec<&str> = subject.introduction.iter().map(String::as_str).filter(is_option).collect();
    let (count, faults) = (lines.len(), faults(&lines));
    let set = match subject.configure()? {
        0 => String::new(),
        set => format!(", {set} set as the configuration says"),
    };
    Ok(match faults.len() {
        0 => (Outcome::Passed, format!("{count} options{set}")),
        wrong => warned(format!("{wrong} of {count} options{set}: {}", faults.join("; "))),
    })
}

fn start_position(subject: &mut Subject) -> Found {
    const AFTER_E4_E5: Asked =
        Asked { fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves: &["e2e4", "e7e5"] };
    let reply = subject.ask(START, THINK, PATIENCE)?;
    AFTER_E4_E5.legal(&reply.best).map(|best| (Outcome::Passed, best.to_string()))
}

fn nodes(subject: &mut Subject) -> Found {
    let reply = subject.ask(START, &format!("go nodes {NODES}"), PATIENCE)?;
    Ok(match reply.thoughts.nodes {
        None | Some(0) => warned("it does not report its nodes".to_owned()),
        Some(searched) if !is_about(NODES, searched) => warned(format!(
            "{searched} nodes reported for {NODES}: it does not honour `go nodes`, so use depth or a clock"
        )),
        Some(searched) => (Outcome::Passed, format!("{searched} nodes reported for {NODES}")),
    })
}

fn depth(subject: &mut Subject) -> Found {
    let reply = subject.ask(START, &format!("go depth {DEPTH}"), PATIENCE)?;
    Ok(match reply.thoughts.depth {
        None => warned("it does not report its depth".to_owned()),
        Some(DEPTH) => (Outcome::Passed, format!("depth {DEPTH} reported")),
        Some(other) => warned(format!("depth {other} reported for {DEPTH}")),
    })
}

fn in_time(subject: &mut Subject, go: &str, allowed: Duration) -> Found {
    let Reply { after, .. } = subject.ask(START, go, PATIENCE)?;
    let took = format!("answered after {:.3} s", after.as_secs_f64());
    if after <= allowed + LATE { Ok((Outcome::Passed, took)) } else { Err(took) }
}

fn infinite(subject: &mut Subject) -> Found {
    subject.ready()?;
    subject.send(START)?;
    let begun = Instant::now();
    subject.send("go infinite")?;
    if let Some(reply) = subject.reply(begun, begun + Duration::from_millis(300))? {
        return Ok(warned(format!("it did not wait for `stop`: {}", reply.text)));
    }
    let reply = subject.stop()?;
    Ok((Outcome::Passed, format!("answered {:.3} s after `stop`", reply.after.as_secs_f64())))
}

fn legal(subject: &mut Subject, asked: &Asked) -> Found {
    let reply = subject.ask(&asked.command(), THINK, PATIENCE)?;
    asked.legal(&reply.best).map(|best| (Outcome::Passed, best.to_string()))
}

fn promotes(subject: &mut Subject) -> Found {
    let reply = subject.ask(&PROMOTES.command(), THINK, PATIENCE)?;
    let best = PROMOTES.legal(&reply.best)?;
    Ok(match reply.best {
        Best::UpperCase(_) => warned(format!("it writes promotions in upper case: {}", reply.text)),
        _ => (Outcome::Passed, best.to_string()),
    })
}

fn chess960(subject: &mut Subject) -> Found {
    if !subject.declared.has("UCI_Chess960") {
        return Ok((Outcome::Skipped, "it has no option UCI_Chess960".to_owned()));
    }
    subject.send("setoption name UCI_Chess960 value true")?;
    let found = legal(subject, &CHESS960);
    let reset = subject.send("setoption name UCI_Chess960 value false");
    found.and_then(|found| reset.map(|()| found))
}

/// Nothing is prescribed for positions in which the game is over; what must not happen is that the engine dies.
fn over(subject: &mut Subject, position: &str) -> Found {
    subject.ready()?;
    subject.send(position)?;
    let begun = Instant::now();
    subject.send(THINK)?;
    let reply = subject.reply(begun, begun + Duration::from_secs(1))?;
    subject.ready()?;
    Ok((Outcome::Passed, reply.map_or("no answer".to_owned(), |reply| reply.text)))
}
