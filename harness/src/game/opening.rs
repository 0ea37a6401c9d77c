//! Opening: a position to begin a game from. One line of a book, FEN or EPD.

use crate::game::fen::fen_of;
use crate::game::record::Termination;
use crate::game::referee::Referee;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup};
use std::fmt;

/// A playable position that is not decided. Made by [`Opening::parse`], which guarantees that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// FEN of six fields, in the form of [`fen_of`].
    pub fen: String,
    /// Whether its castling rights are those of no position of normal chess.
    pub chess960: bool,
    /// The line of the book on which it stands or begins, from 1.
    pub line: usize,
    /// What no game of normal chess leads to, though it can be played: a position of odds or of a problem.
    pub oddity: Option<Oddity>,
}

/// Why no game of normal chess has a position that the rules can be played from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// A side has more pieces than promotions can have made.
    Material,
    /// No move can have given this check.
    Check,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oddity::Material => "a side has more pieces than promotions can have made",
            Oddity::Check => "no move can have given this check",
        })
    }
}

/// The greatest move number that all boards of this project take.
const MOST_MOVES: u32 = 9999;

/// Why a text is no opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadOpening {
    /// Board, side to move, castling and en passant are not all there.
    Fields(usize),
    /// A field cannot be read.
    Notation(String),
    /// The move number is beyond any game.
    MoveNumber(u32),
    /// A move counter is not a number.
    Counter {
        /// `half-move clock` or `move number`.
        name: &'static str,
        /// What stood there.
        value: String,
    },
    /// No game of chess has this position.
    Illegal(String),
    /// The game is over before it begins.
    Over(Termination),
    /// The moves that lead to it cannot be played.
    Game(String),
}

impl fmt::Display for BadOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadOpening::Fields(count) => {
                write!(
                    f,
                    "a position has at least four fields (board, side, castling, en passant), not {count}"
                )
            }
            BadOpening::Notation(reason) | BadOpening::Illegal(reason) | BadOpening::Game(reason) => {
                f.write_str(reason)
            }
            BadOpening::Counter { name, value } => write!(f, "the {name} \"{value}\" is not a number"),
            BadOpening::MoveNumber(number) => {
                write!(f, "the move number {number} is greater than {MOST_MOVES}; write a smaller one")
            }
            BadOpening::Over(termination) => write!(f, "the game is over before it begins: {termination}"),
        }
    }
}

impl std::error::Error for BadOpening {}

impl Opening {
    /// Reads a FEN of six fields, or an EPD of four with any operations after them, of which `hmvc` and
    /// `fmvn` are the move counters. Castling rights may be X-FEN or Shredder-FEN.
    ///
    /// # Errors
    ///
    /// The text is no position, the position is illegal, or the game would be over in it.
    pub fn parse(text: &str, line: usize) -> Result<Opening, BadOpening> {
        let SetUp { position, chess960, oddity } = set_up(text)?;
        if let Some(ending) = Referee::new(position.clone()).ending() {
            return Err(BadOpening::Over(ending.termination));
        }
        Ok(Opening { fen: fen_of(&position), chess960, line, oddity })
    }

    /// The position, castling in the opening's variant.
    ///
    /// # Panics
    ///
    /// If the opening was not made by [`Opening::parse`].
    pub fn position(&self) -> Chess {
        set_up(&self.fen).expect("an opening is checked when it is made").position
    }

    /// The position without its move counters: the first four fields of the FEN, equal for equal positions.
    pub fn without_counters(&self) -> &str {
        let end = self.fen.match_indices(' ').nth(3).map_or(self.fen.len(), |(end, _)| end);
        &self.fen[..end]
    }
}

/// A position, whether its castling rights are those of Chess960, and what is odd about it.
struct SetUp {
    position: Chess,
    chess960: bool,
    oddity: Option<Oddity>,
}

fn set_up(text: &str) -> Result<SetUp, BadOpening> {
    let (fields, rest) = four_fields(text)?;
    let (half_moves, move_number) = counters(rest)?;
    if move_number > MOST_MOVES {
        return Err(BadOpening::MoveNumber(move_number));
    }
    let [board, turn, castling, en_passant] = fields;

    // The library also reads the pockets and promoted pieces of other variants.
    let is_plain = |byte: u8| {
        matches!(byte.to_ascii_lowercase(), b'p' | b'n' | b'b' | b'r' | b'q' | b'k' | b'1'..=b'8' | b'/')
    };
    let is_board = board.bytes().all(is_plain) && board.bytes().filter(|&byte| byte == b'/').count() == 7;
    if !is_board {
        return Err(BadOpening::Notation("it is no board of eight ranks and standard pieces".to_owned()));
    }
    // The library takes it for a blank.
    if castling.contains('_') || en_passant.contains('_') {
        return Err(BadOpening::Notation("it cannot be read: \"_\" stands in a field".to_owned()));
    }
    let fen = format!("{board} {turn} {castling} {en_passant} {half_moves} {move_number}");
    let setup = Fen::from_ascii(fen.as_bytes())
        .map_err(|error| BadOpening::Notation(format!("it cannot be read: {error}")))?
        .into_setup();
    let mode = CastlingMode::detect(&setup);
    let (position, oddity) = match Chess::from_setup(setup, mode) {
        Ok(position) => (position, None),
        Err(error) => match error.ignore_too_much_material() {
            Ok(position) => (position, Some(Oddity::Material)),
            Err(error) => match error.ignore_impossible_check() {
                Ok(position) => (position, Some(Oddity::Check)),
                Err(error) => return Err(BadOpening::Illegal(error.to_string())),
            },
        },
    };
    Ok(SetUp { position, chess960: mode.is_chess960(), oddity })
}

/// The four fields every position has, and what follows them.
fn four_fields(text: &str) -> Result<([&str; 4], &str), BadOpening> {
    let mut fields = [""; 4];
    let mut rest = text.trim_start();
    for (count, field) in fields.iter_mut().enumerate() {
        if rest.is_empty() {
            return Err(BadOpening::Fields(count));
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        // The first operation's semicolon may follow the fields at once.
        *field = rest[..end].trim_end_matches(';');
        rest = rest[end..].trim_start();
    }
    Ok((fields, rest))
}

/// Half-move clock and move number: the last fields of a FEN or operations of an EPD, else 0 and 1.
fn counters(rest: &str) -> Result<(u32, u32), BadOpening> {
    const CLOCK: &str = "half-move clock";
    const NUMBER: &str = "move number";
    if rest.starts_with(|first: char| first.is_ascii_digit()) {
        let mut words = rest.split_whitespace().map(|word| word.trim_end_matches(';'));
        let half_moves = number(CLOCK, words.next())?;
        return Ok((half_moves, number(NUMBER, words.next())?));
    }
    let (mut half_moves, mut move_number) = (0, 1);
    for operation in operations(rest) {
        let mut words = operation.split_whitespace();
        match words.next() {
            Some("hmvc") => half_moves = number(CLOCK, words.next())?,
            Some("fmvn") => move_number = number(NUMBER, words.next())?,
            _ => {}
        }
    }
    Ok((half_moves, move_number))
}

/// The operations of an EPD: what semicolons outside of quotes separate.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |character| {
        quoted ^= character == '"';
        character == ';' && !quoted
    })
}

fn number(name: &'static str, word: Option<&str>) -> Result<u32, BadOpening> {
    let word = word.unwrap_or("");
    word.parse().map_err(|_| BadOpening::Counter { name, value: word.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ITALIAN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";

    fn fen(text: &str) -> String {
        Opening::parse(text, 1).unwrap_or_else(|error| panic!("{text}: {error}")).fen
    }

    #[test]
    fn every_usual_form_gives_the_same_fen() {
        let expected = format!("{ITALIAN} 3 3");
        for rest in [
            "3 3",
            "  3   3 ",
            "3 3; id \"x\";",
            "3 3 bm Nf6;",
            "hmvc 3; fmvn 3;",
            "fmvn 3; id \"hmvc 9; fmvn 9\"; hmvc 3;",
            "bm Nf6; c0 \"a; b\"; hmvc 3; fmvn 3",
        ] {
            assert_eq!(fen(&format!("{ITALIAN} {rest}")), expected, "{rest}");
        }
        for rest in ["", " ", ";", " id \"hmvc 3\";", " # comment", " 0 0"] {
            assert_eq!(fen(&format!("{ITALIAN}{rest}")), format!("{ITALIAN} 0 1"), "{rest}");
        }
    }

    #[test]
    fn castling_rights_tell_the_variant() {
        for (text, expected, chess960) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "KQkq", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha -", "KQkq", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w kqQ -", "Qkq", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w - -", "-", false),
            ("r3k1r1/8/8/8/8/8/8/R3K2R w KQkq -", "HAga", true),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -", "GBgb", true),
            // X-FEN: the inner rook is named by its file.
            ("r3k2r/8/8/8/8/8/8/R3K1RR w G -", "G", true),
            ("1r1k1r2/8/8/8/8/8/8/1R1K1R2 w - -", "-", false),
        ] {
            let opening = Opening::parse(text, 1).unwrap();
            assert_eq!(opening.fen.split(' ').nth(2), Some(expected), "{text}");
            assert_eq!(opening.chess960, chess960, "{text}");
            assert_eq!(Opening::parse(&opening.fen, 1).as_ref(), Ok(&opening), "the FEN is read back");
            assert_eq!(fen_of(&opening.position()), opening.fen);
        }
    }

    #[test]
    fn en_passant_is_kept_only_where_it_can_be_played() {
        let useful = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
        assert_eq!(fen(useful), useful);
        let useless = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(fen(useless), useless.replace("e3", "-"));
    }

    #[test]
    fn odd_positions_are_played_and_told() {
        for (fen, oddity) in [
            ("4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - -", Some(Oddity::Material)),
            ("nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -", Some(Oddity::Material)),
            ("4k3/8/3N1N2/8/8/8/4R3/4K3 b - -", Some(Oddity::Check)),
            // Too much material as well.
            ("4k3/8/3N1N2/8/8/8/PPPPRPPP/QQQQKQQR b - -", Some(Oddity::Check)),
            ("4k3/8/8/8/8/8/8/4RQK1 b - -", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq -", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq -", None),
        ] {
            assert_eq!(Opening::parse(fen, 1).expect(fen).oddity, oddity, "{fen}");
        }
    }

    #[test]
    fn every_bad_line_says_why() {
        let kings = "4k3/8/8/8/8/8/4P3/4K3";
        for (text, reason) in [
            ("hello", "four fields"),
            (&format!("{kings} w -"), "four fields (board, side, castling, en passant), not 3"),
            (&format!("{kings} x - -"), "cannot be read"),
            (&format!("{kings} w KX -"), "cannot be read"),
            (&format!("{kings} w - e9"), "cannot be read"),
            (&format!("{kings} w - - 1x 1"), "half-move clock \"1x\""),
            (&format!("{kings} w - - 0"), "move number \"\" is not"),
            (&format!("{kings} w - - hmvc -3;"), "half-move clock \"-3\""),
            (&format!("{kings} w - - fmvn;"), "move number \"\""),
            (&format!("{kings} w - - 99999999999 1"), "half-move clock \"99999999999\""),
            (&format!("{kings} w K -"), "castling"),
            (&format!("{kings} w - e6"), "ep square"),
            ("8/8/8/8/8/8/8/8 w - -", "empty board"),
            ("4k3/8/8/8/8/8/8/8 w - -", "missing king"),
            ("4k3/8/8/8/8/8/4P3/KK6 w - -", "too many kings"),
            ("P3k3/8/8/8/8/8/8/4K3 w - -", "pawns on backrank"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - -", "opposite check"),
            ("4k3/8/8/8/8/8/4K3 w - -", "eight ranks"),
            ("4k3/8/8/8/8/8/8/4K3/8 w - -", "eight ranks"),
            ("4k3/8/8/8/8/8/9/4K3 w - -", "eight ranks"),
            ("4k3/8/8/8/8/7/8/4K3 w - -", "cannot be read"),
            ("4k3/8/8/8/8/8/8/4K3[Q] w - -", "eight ranks"),
            ("4k3/8/8/8/8/8/4Q~3/4K3 w - -", "eight ranks"),
            (&format!("{kings} w K_Q -"), "\"_\" stands in a field"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", "over before it begins: stalemate"),
            ("7k/6Q1/6K1/8/8/8/8/8 b - -", "over before it begins: checkmate"),
            ("7k/8/6K1/8/8/8/8/8 b - -", "insufficient material"),
            (&format!("{kings} w - - 100 90"), "fifty moves"),
            (&format!("{kings} w - - hmvc 120;"), "fifty moves"),
        ] {
            let error = Opening::parse(text, 1).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text in "\\PC*", rest in "[0-9a-h;\" ]*") {
            let _ = Opening::parse(&text, 1);
            let _ = Opening::parse(&format!("{ITALIAN} {rest}"), 1);
        }
    }
}
