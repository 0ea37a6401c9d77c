//! Moves in the notation of the UCI protocol.
//!
//! From-square, to-square and promotion piece: `e2e4`, `e7e8q`. Castling is the king's own move in
//! normal chess (`e1g1`) and "king takes own rook" in Chess960 (`e1h1`).

use super::board::Position;
use super::castling::Wing;
use super::moves::{Move, MoveList};
use cozy_chess::{Color, Piece, Rank, Square};
use std::fmt::Write;

/// Why a text is not a legal move of the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UciMoveError {
    text: String,
    fen: String,
    is_move: bool,
}

impl std::fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (text, fen) = (&self.text, &self.fen);
        if self.is_move {
            write!(f, "the move {text:?} is not legal in the position {fen}; check the moves before it")
        } else {
            write!(
                f,
                "{text:?} is no move; write from-square, to-square and promotion, such as e2e4 or e7e8q"
            )
        }
    }
}

impl std::error::Error for UciMoveError {}

impl Move {
    /// The move as UCI writes it, with castling as Chess960 has it or as normal chess does.
    pub fn to_uci(self, chess960: bool) -> String {
        let (from, mut to) = (self.from(), self.to());
        if self.is_castling() && !chess960 {
            to = castled_king(from, to);
        }
        let mut text = format!("{from}{to}");
        if let Some(piece) = self.promotion() {
            write!(text, "{piece}").expect("writing to a string cannot fail");
        }
        text
    }
}

impl Position {
    /// The legal move that a text in UCI's notation means.
    ///
    /// Both ways to write castling are understood. A king's move to the square where castling would
    /// take it means the plain step if that is legal, which matters in Chess960.
    ///
    /// # Errors
    /// When the text is no move, or the move is not legal here.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let error =
            |is_move| UciMoveError { text: text.chars().take(16).collect(), fen: self.to_string(), is_move };
        let (from, to, promotion) = parse_fields(text).ok_or_else(|| error(false))?;
        let mut legal = MoveList::new();
        self.legal_moves(&mut legal);
        let exact = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotion() == promotion;
        let as_king_move = |mv: &&Move| {
            mv.is_castling() && promotion.is_none() && mv.from() == from && castled_king(from, mv.to()) == to
        };
        let found = legal.iter().find(exact).or_else(|| legal.iter().find(as_king_move));
        found.copied().ok_or_else(|| error(true))
    }
}

/// Where a king arrives that castles with this rook.
fn castled_king(king: Square, rook: Square) -> Square {
    let color = if king.rank() == Rank::First { Color::White } else { Color::Black };
    Wing::of(king, rook).destinations(color).0
}

fn parse_fields(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let (from, to) = (text.get(0..2)?, text.get(2..4)?);
    let promotion = match text.get(4..)? {
        "" => None,
        "n" | "N" => Some(Piece::Knight),
        "b" | "B" => Some(Piece::Bishop),
        "r" | "R" => Some(Piece::Rook),
        "q" | "Q" => Some(Piece::Queen),
        _ => return None,
    };
    Some((from.parse().ok()?, to.parse().ok()?, promotion))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(fen: &str, text: &str) -> Result<Move, UciMoveError> {
        Position::from_fen(fen).expect(fen).parse_uci(text)
    }

    #[test]
    fn castling_is_understood_both_ways() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (text, normal, chess960) in [
            ("e1g1", "e1g1", "e1h1"),
            ("e1h1", "e1g1", "e1h1"),
            ("e1c1", "e1c1", "e1a1"),
            ("e1a1", "e1c1", "e1a1"),
        ] {
            let mv = parse(fen, text).expect(text);
            assert!(mv.is_castling());
            assert_eq!((mv.to_uci(false).as_str(), mv.to_uci(true).as_str()), (normal, chess960));
        }
    }

    #[test]
    fn a_plain_step_of_the_king_comes_first() {
        let fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        assert!(!parse(fen, "f1g1").expect("a step").is_castling());
        assert!(parse(fen, "f1h1").expect("castling").is_castling());
        assert!(parse("4k3/8/8/8/8/8/8/1R3K1R w BH - 0 1", "f1c1").expect("castling").is_castling());
    }

    #[test]
    fn promotions_may_be_written_in_capitals() {
        let fen = "8/4P2k/8/8/8/8/8/K7 w - - 0 1";
        for (text, piece) in [("e7e8q", Piece::Queen), ("e7e8N", Piece::Knight), ("e7e8r", Piece::Rook)] {
            assert_eq!(parse(fen, text).expect(text).promotion(), Some(piece));
        }
        assert_eq!(parse(fen, "e7e8b").expect("legal").to_uci(false), "e7e8b");
    }

    #[test]
    fn what_is_no_legal_move_is_refused_with_a_reason() {
        let fen = "8/4P2k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(
            parse(fen, "e7e8").unwrap_err().to_string(),
            "the move \"e7e8\" is not legal in the position 8/4P2k/8/8/8/8/8/K7 w - - 0 1; \
             check the moves before it"
        );
        for text in ["", "e2", "e7e9", "e7e8k", "e7e8qq", "0000", "é7é8", "e7e8é", "Nf3", "\u{1f600}"] {
            assert_eq!(
                parse(fen, text).unwrap_err().to_string(),
                format!(
                    "{text:?} is no move; write from-square, to-square and promotion, such as e2e4 or e7e8q"
                )
            );
        }
    }
}
