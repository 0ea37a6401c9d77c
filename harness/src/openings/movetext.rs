//! Movetext of a PGN game: the position after the first plies of its main line.
//!
//! Moves are read as people and programs write them: what has one meaning on the board is taken, with or without the signs that
//! the export format (S. J. Edwards, 1994) wants. Variations, comments and annotations are passed over.

use pgn_reader::SanPlus;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};

/// Signs behind a move: check, mate, and what annotators think of the position.
const SIGNS: &[char] = &[
    '+', '#', '-', '=', '/', '~', '†', '‡', '±', '∓', '∞', '⩲', '⩱', '→', '↑', '⇆', '⇄', '○', '□', '⌓', '∆',
    'Δ',
];

/// Marks of a capture in passing behind a move.
const IN_PASSING: [&str; 4] = ["e.p.", "e.p", "ep.", "ep"];

/// Moves that give the turn away, as databases and engines write them.
const NULL_MOVES: [&str; 7] = ["--", "Z0", "z0", "0000", "null", "<>", "@@@@"];

/// Results, also those of old files; what is behind one is not read.
const RESULTS: [&str; 9] = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "½", "1:0", "0:1", "*"];

/// What follows from a game's movetext.
pub struct Followed {
    /// The position after the plies that were asked for, or after the last move.
    pub position: Chess,
    /// Whether there is any move.
    pub has_moves: bool,
}

/// A word that cannot be played.
pub struct BadWord {
    /// Where it begins, in bytes of the text.
    pub at: usize,
    /// Why not.
    pub reason: String,
}

/// Plays the first `plies` moves of the main line.
///
/// # Errors
/// One of them cannot be read or is not legal. A word that is no move is refused and not passed over, or a game in another
/// language would silently give another opening.
pub fn follow(text: &[u8], mut position: Chess, plies: usize) -> Result<Followed, BadWord> {
    let (mut played, mut has_moves) = (0, false);
    for (at, word) in words_of_main_line(text) {
        if RESULTS.contains(&word.replace(['–', '—'], "-").as_str()) {
            break;
        }
        let Some(san) = without_number_and_signs(&word) else { continue };
        has_moves = true;
        if played == plies {
            break;
        }
        let chosen = read_move(&san, &position).map_err(|reason| BadWord { at, reason })?;
        position.play_unchecked(chosen);
        played += 1;
    }
    Ok(Followed { position, has_moves })
}

/// The words outside of comments and variations, each with the byte at which it begins.
fn words_of_main_line(text: &[u8]) -> impl Iterator<Item = (usize, String)> {
    let (mut at, mut depth) = (0, 0_u32);
    std::iter::from_fn(move || {
        while at < text.len() {
            let rest = &text[at..];
            let through =
                |last: u8| rest.iter().position(|&byte| byte == last).map_or(rest.len(), |end| end + 1);
            let line_begins = at == 0 || text[at - 1] == b'\n';
            match rest[0] {
                b'{' => at += through(b'}'),
                b';' => at += through(b'\n'),
                b'[' | b'%' if line_begins => at += through(b'\n'),
                b'(' => (at, depth) = (at + 1, depth + 1),
                b')' => (at, depth) = (at + 1, depth.saturating_sub(1)),
                byte if byte.is_ascii_whitespace() || byte == b'}' => at += 1,
                _ => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}();".contains(byte);
                    let length = rest.iter().position(ends).unwrap_or(rest.len());
                    let begin = at;
                    at += length;
                    if depth == 0 {
                        return Some((begin, String::from_utf8_lossy(&rest[..length]).into_owned()));
                    }
                }
            }
        }
        None
    })
}

/// `Bc4` of `3.Bc4!?+-`; none if the word is a number or an annotation alone.
fn without_number_and_signs(word: &str) -> Option<String> {
    if NULL_MOVES.contains(&word) {
        return Some(word.to_owned());
    }
    let dashed = word.replace(['–', '—'], "-");
    // Castling with zeros begins with a digit, too.
    let number = dashed.len() - dashed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let behind = &dashed[number..];
    let bare = match behind.starts_with(['.', '…']) || !behind.starts_with('-') {
        true => behind.trim_start_matches(['.', '…']),
        false => &dashed,
    };
    // Annotations may follow at once: `e4!?`, `e4$1`.
    let bare = bare.split(['!', '?', '$']).next().unwrap_or(bare);
    if NULL_MOVES.contains(&bare) {
        return Some(bare.to_owned());
    }
    let bare = bare.trim_end_matches(SIGNS);
    let is_move = bare.contains(char::is_alphanumeric) && !IN_PASSING.contains(&bare);
    is_move.then(|| bare.to_owned())
}

/// The move that a word means in this position.
fn read_move(word: &str, position: &Chess) -> Result<Move, String> {
    let number = position.fullmoves();
    let dots = if position.turn() == Color::White { "." } else { "..." };
    if NULL_MOVES.contains(&word) {
        return Err(format!(
            "{number}{dots} {word} is a null move, which no game can be played after: cut the game before it"
        ));
    }
    let marked = IN_PASSING.iter().find_map(|mark| word.strip_suffix(mark));
    let bare = marked.unwrap_or(word).trim_end_matches(SIGNS);
    let found = match (san_of(bare), uci_of(bare)) {
        (Some(san), uci) => san_move(&san, position)
            .or_else(|error| uci.and_then(|uci| uci.to_move(position).ok()).ok_or(error)),
        (None, Some(uci)) => uci.to_move(position).map_err(|error| error.to_string()),
        (None, None) => return Err(format!("\"{word}\" is no move")),
    };
    match found {
        Ok(chosen) if marked.is_some() && !chosen.is_en_passant() => {
            Err(format!("{number}{dots} {word} is no capture in passing"))
        }
        Ok(chosen) => Ok(chosen),
        Err(error) => Err(format!("{number}{dots} {word} cannot be played: {error}")),
    }
}

/// The move that fits; the sign of a capture may be missing.
fn san_move(san: &San, position: &Chess) -> Result<Move, String> {
    let played = san.to_move(position);
    let taken = match *san {
        San::Normal { role, file, rank, capture: false, to, promotion } => {
            San::Normal { role, file, rank, capture: true, to, promotion }.to_move(position).ok()
        }
        _ => None,
    };
    played.or_else(|error| taken.ok_or(error)).map_err(|error| error.to_string())
}

/// A move in algebraic notation: castling also with zeros or small letters, a promotion also without its sign or in a small
/// letter (`e8Q`, `e8/Q`, `e8=q`), and the square it comes from may be joined by a dash (`Ng1-f3`).
fn san_of(word: &str) -> Option<San> {
    let castling = word.replace(['0', 'o'], "O");
    if castling.starts_with("O-O") {
        return SanPlus::from_ascii(castling.as_bytes()).ok().map(|plus| plus.san);
    }
    let joined = word.replacen('-', "", 1);
    let is_square = |square: &str| matches!(square.as_bytes(), [.., b'a'..=b'h', b'1' | b'8']);
    let promoted = joined.char_indices().next_back().and_then(|(at, piece)| {
        let moved = joined[..at].trim_end_matches(['=', '/']);
        let is_pawn = joined.starts_with(|first| ('a'..='h').contains(&first));
        let is_promotion = is_pawn && is_square(moved) && "QRBNqrbn".contains(piece);
        is_promotion.then(|| format!("{moved}={}", piece.to_ascii_uppercase()))
    });
    SanPlus::from_ascii(promoted.as_ref().unwrap_or(&joined).as_bytes()).ok().map(|plus| plus.san)
}

/// A move from square to square: `e2e4`, `e2-e4`, `e1g1`, `e7e8q`.
fn uci_of(word: &str) -> Option<UciMove> {
    word.replacen('-', "", 1).parse().ok().filter(|uci| matches!(uci, UciMove::Normal { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fen::fen_of;
    use crate::game::opening::Opening;

    fn after(fen: &str, moves: &str) -> Result<String, String> {
        let start = Opening::parse(fen, 1).unwrap().position();
        follow(moves.as_bytes(), start, usize::MAX).map(|end| fen_of(&end.position)).map_err(|bad| bad.reason)
    }

    #[test]
    fn what_has_one_meaning_is_read() {
        let promotes = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
        let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let castles = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, usual, others) in [
            (promotes, "e8=Q", ["e8Q", "e8/Q", "e8=q", "1.e8Q+", "e7-e8Q", "e7e8q", "e8Q!?+-"].as_slice()),
            (promotes, "exd8=N", &["exd8N", "ed8N", "exd8=n", "e7xd8N", "exd8/N"]),
            (
                passing,
                "exd6",
                &[
                    "exd6e.p.",
                    "exd6ep",
                    "exd6 e.p.",
                    "ed6ep",
                    "e5xd6e.p.",
                    "exd6e.p.+",
                    "exd6+e.p.",
                    "exd6ep!",
                ],
            ),
            (castles, "O-O-O", &["0-0-0", "o-o-o", "1.0-0-0", "0–0–0", "e1c1", "O-O-O+-"]),
            (castles, "O-O", &["0-0", "1. 0-0!", "e1g1"]),
            (
                start,
                "1. e4 e5 2. Bc4 Nc6",
                &["1. e4 e5 2. Bc4+- Nc6±", "e2-e4 e7e5 Bf1-c4 Nb8-c6", "1.e4=+ e5∞ 2.Bc4+/- Nc6="],
            ),
            (
                start,
                "1. e4 d5 2. exd5 1/2",
                &["1. e4 d5 2. ed5 1/2-1/2", "1. e4 (1. -- d5) d5 (1... --) 2. exd5 ½", "e4 d5 exd5 1-0 Xyz"],
            ),
        ] {
            let expected = after(fen, usual).unwrap();
            for moves in others {
                assert_eq!(after(fen, moves).as_ref(), Ok(&expected), "{moves}");
            }
        }
    }

    #[test]
    fn what_has_none_is_refused() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (moves, reason) in [
            ("1. e4 -- 2. d4", "1... -- is a null move"),
            ("1. Z0 e5", "1. Z0 is a null move"),
            ("1. e4 e5 2. null", "2. null is a null move"),
            ("1. e4 e5 2. Sf3", "\"Sf3\" is no move"),
            ("1. e4ep", "1. e4ep is no capture in passing"),
            ("1. e4 d5 2. exd5ep", "2. exd5ep is no capture in passing"),
            ("1. e9", "\"e9\" is no move"),
            ("1. e4 d5 2. exd4", "2. exd4 cannot be played"),
            ("1. Nxf3", "1. Nxf3 cannot be played"),
            ("1. e2-e5", "1. e2-e5 cannot be played"),
        ] {
            let error = after(start, moves).unwrap_err();
            assert!(error.contains(reason), "{moves}: {error}");
        }
        let promotes = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
        assert!(after(promotes, "e8").unwrap_err().contains("e8 cannot be played"));
        assert!(after(promotes, "e8K").unwrap_err().contains("\"e8K\" is no move"));
    }
}
