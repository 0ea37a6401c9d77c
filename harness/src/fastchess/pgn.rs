//! PGN of a counted game in fastchess's form: its tags, and of each move score, depth, time and what more was asked for. This
//! program's own form, with all that is stored, is [`game::pgn`](crate::game::pgn)'s.

use super::notation::{clock, reason};
use super::tournament::Detail;
use crate::game::clock::Clock;
use crate::game::details::{Details, MoveDetails, rfc3339};
use crate::game::fen::fen_of;
use crate::game::limit::Limit;
use crate::game::opening::Opening;
use crate::game::pgn::{comment, one_line, wrapped};
use crate::game::record::{GameRecord, MoveRecord, Score, Termination};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};
use std::fmt::Write;
use std::time::Duration;

/// What the record does not know.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The tags `Event`, `Site` and `Date`.
    pub event: [&'a str; 3],
    /// The pair, from 1.
    pub round: u64,
    /// White and Black.
    pub names: [&'a str; 2],
    /// Their limits.
    pub limits: [Limit; 2],
    /// What is said of the moves.
    pub detail: Detail,
}

/// The game with an empty line after it, and the position at its end as EPD.
///
/// # Errors
/// A sentence: the record describes no game of chess.
pub fn written(game: &GameRecord, frame: &Frame) -> Result<(String, String), String> {
    let opening = Opening::parse(&game.opening, 0).map_err(|bad| bad.to_string())?;
    let mut position = opening.position();
    let mut moves = String::new();
    let mut clocks = frame.limits.map(|limit| limit.tc.map(|control| Clock::new(control, Duration::MAX)));
    for (nth, played) in game.moves.iter().enumerate() {
        let mover = position.turn();
        let chosen =
            played.uci.to_move(&position).map_err(|_| format!("{} is no move of the game", played.uci))?;
        if mover == Color::White || nth == 0 {
            let dots = if mover == Color::White { "." } else { "..." };
            _ = write!(moves, "{}{dots} ", position.fullmoves());
        }
        let san = SanPlus::from_move_and_play_unchecked(&mut position, chosen);
        let word = if frame.detail.uci { played.uci.to_string() } else { san.to_string() };
        let told = game.details.as_ref().and_then(|details| details.moves.get(nth));
        let left = clocks[mover.fold_wb(0, 1)].as_mut().map(|clock| {
            // Nothing is beyond the greatest margin.
            _ = clock.spend(Duration::from_micros(played.micros));
            clock.left_ms()
        });
        let end = (nth + 1 == game.moves.len()).then(|| reason(game));
        moves += &match frame.detail.min {
            true => format!("{word} "),
            false => format!("{word} {{{}}} ", comment(&thought(played, told, frame.detail, left, end))),
        };
    }
    let text =
        format!("{}\n{}\n\n", tags(game, frame, &opening), wrapped(&format!("{moves}{}", game.result)));
    Ok((text, epd(&position)))
}

fn tags(game: &GameRecord, frame: &Frame, opening: &Opening) -> String {
    let mut tags = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        _ = writeln!(tags, "[{name} \"{value}\"]");
    };
    let [event, site, date] = frame.event;
    let [white, black] = frame.names;
    let round = frame.round.to_string();
    let roster = [
        ("Event", event),
        ("Site", site),
        ("Date", date),
        ("Round", &round),
        ("White", white),
        ("Black", black),
    ];
    roster.into_iter().for_each(|(name, value)| tag(name, value));
    tag("Result", game.result.as_str());
    if let Some(Details { base, candidate, .. }) = game.details.as_ref().filter(|_| !frame.detail.min) {
        let engines = game.by_color([base, candidate]);
        for (name, engine) in [("EngineWhiteName", engines.white), ("EngineBlackName", engines.black)] {
            engine.iter().for_each(|engine| tag(name, engine));
        }
    }
    if opening.chess960 || opening.fen != fen_of(&Chess::new()) {
        tag("SetUp", "1");
        tag("FEN", &opening.fen);
    }
    if opening.chess960 {
        tag("Variant", "Chess960");
    }
    if !frame.detail.min {
        if let Some(details) = &game.details {
            tag("GameDuration", &details.duration());
            tag("GameStartTime", &rfc3339(details.begun));
            tag("GameEndTime", &rfc3339(details.ended));
        }
        tag("PlyCount", &game.moves.len().to_string());
        tag("Termination", termination(game.termination));
        let [white, black] = frame.limits.map(time_control);
        if white == black {
            tag("TimeControl", &white);
        } else {
            tag("WhiteTimeControl", &white);
            tag("BlackTimeControl", &black);
        }
    }
    tags
}

/// OpenBench's workers look for `abandoned` and `illegal`.
const fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::TimeForfeit => "time forfeit",
        Termination::IllegalMove | Termination::NoMove => "illegal move",
        Termination::Crash | Termination::Stall => "abandoned",
        Termination::Adjudication => "adjudication",
        _ => "normal",
    }
}

fn time_control(limit: Limit) -> String {
    match (limit.movetime, limit.tc) {
        (Some(milliseconds), _) => format!("{}/move", milliseconds as f64 / 1000.0),
        (None, Some(control)) => clock(control),
        (None, None) => "-".to_owned(),
    }
}

/// `+0.35/12 0.021s, n=5003, White mates`.
fn thought(
    played: &MoveRecord,
    told: Option<&MoveDetails>,
    detail: Detail,
    left_ms: Option<i64>,
    end: Option<String>,
) -> String {
    let score = match played.score {
        Some(Score::Centipawns(value)) => {
            let sign = if value < 0 { '-' } else { '+' };
            format!("{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
        }
        // Mated is lost.
        Some(Score::Mate(moves)) => format!("{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs()),
        None => String::new(),
    };
    let MoveRecord { depth, nodes, micros, .. } = *played;
    let seconds = |milliseconds: i64| format!("{:.3}s", milliseconds as f64 / 1000.0);
    let latency = played.latency_ms().and_then(|latency| i64::try_from(latency).ok());
    let seldepth = told.and_then(|told| told.seldepth);
    let pv = told.map(|told| told.pv.as_str()).filter(|pv| !pv.is_empty());
    let per_second = u128::from(nodes) * 1_000_000 / u128::from(micros.max(1));
    let parts = [
        Some(format!("{score}/{depth} {:.3}s", micros as f64 / 1e6)),
        left_ms.filter(|_| detail.timeleft).map(|left| format!("tl={}", seconds(left))),
        latency.filter(|_| detail.latency).map(|latency| format!("latency={}", seconds(latency))),
        detail.nodes.then(|| format!("n={nodes}")),
        seldepth.filter(|_| detail.seldepth).map(|seldepth| format!("sd={seldepth}")),
        detail.nps.then(|| format!("nps={per_second}")),
        pv.filter(|_| detail.pv).map(|pv| format!("pv=\"{pv}\"")),
        end,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The position as EPD with its counters.
fn epd(position: &Chess) -> String {
    let fen = fen_of(position);
    let fields: Vec<_> = fen.split(' ').take(4).collect();
    format!("{} hmvc {}; fmvn {};\n", fields.join(" "), position.halfmoves(), position.fullmoves())
}
