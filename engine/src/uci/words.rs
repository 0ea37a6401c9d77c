//! UCI parser: `go`, `position` and `setoption`.

use super::output::say;
use crate::position::{Color, Game, Move, Position};
use crate::search::{Clock, Limits};
use std::time::Duration;

/// Request of a `go` command.
#[derive(Debug, Default, PartialEq)]
pub struct Request {
    pub limits: Limits,
    pub moves: Vec<Move>,
    pub infinite: bool,
    pub ponder: bool,
}

/// Reads `go`'s words. A limit whose number makes no sense is left out, with a complaint.
pub fn parse_go<'a>(words: impl Iterator<Item = &'a str>, position: &Position) -> Request {
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
pub fn parse_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Game, String> {
    let start = match words.next() {
        Some("startpos") => match words.next() {
            Some("moves") | None => Position::start(),
            Some(word) => {
                return Err(format!("position startpos is followed by moves, not {}", quoted(word)));
            }
        },
        Some("fen") => {
            // A comment of an EPD may have the word that ends the position.
            let mut is_quoted = false;
            let is_fen = |word: &&str| {
                is_quoted ^= word.matches('"').count() % 2 == 1;
                is_quoted || *word != "moves"
            };
            let fen: Vec<&str> = words.by_ref().take_while(is_fen).collect();
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
pub fn parse_option<'a>(words: impl Iterator<Item = &'a str>) -> Option<(String, String)> {
    let words: Vec<&str> = words.collect();
    let (&"name", rest) = words.split_first()? else { return None };
    let split = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    let name = rest[..split].join(" ");
    let value = rest.get(split + 1..).unwrap_or(&[]).join(" ");
    (!name.is_empty()).then_some((name, value))
}

pub fn parse_check(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} must be true or false, not {}", quoted(value))),
    }
}

/// What was typed, as it stands in a complaint: quoted, and cut where it is absurdly long.
pub fn quoted(text: &str) -> String {
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
