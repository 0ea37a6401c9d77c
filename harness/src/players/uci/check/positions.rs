//! Positions that an engine must understand: every sort of move that UCI writes in a way of its own.

use super::super::info::Best;
use crate::game::opening::Opening;
use crate::game::referee::Referee;
use shakmaty::uci::UciMove;
use std::fmt::Write;

/// A position and the moves that led to the question.
pub struct Asked {
    /// The position before the moves.
    pub fen: &'static str,
    /// Moves in UCI notation.
    pub moves: &'static [&'static str],
}

/// The king's and the queen's side, both castled.
pub const CASTLED: Asked =
    Asked { fen: "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", moves: &["e1g1", "e8c8"] };

/// Every move but one promotes.
pub const PROMOTES: Asked = Asked { fen: "8/P6k/8/8/8/8/8/K7 w - - 0 1", moves: &[] };

/// A pawn has been promoted to a knight.
pub const PROMOTED: Asked = Asked { fen: "8/P6k/8/8/8/8/8/K7 w - - 0 1", moves: &["a7a8n"] };

/// A pawn has been taken in passing.
pub const IN_PASSING: Asked = Asked { fen: "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", moves: &["d2d4", "e4d3"] };

/// Castling in Chess960: the king takes its rook.
pub const CHESS960: Asked =
    Asked { fen: "1r2k1r1/pp4pp/8/8/8/8/PP4PP/1R2K1R1 w GBgb - 0 1", moves: &["e1g1", "e8b8"] };

/// Black is mated.
pub const MATED: &str = "position fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";

/// Black has no move.
pub const STALEMATED: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

impl Asked {
    /// The `position` command.
    pub fn command(&self) -> String {
        let mut command = format!("position fen {}", self.fen);
        if !self.moves.is_empty() {
            let _ = write!(command, " moves {}", self.moves.join(" "));
        }
        command
    }

    /// The move of an answer, which must be legal.
    ///
    /// # Errors
    /// A sentence, if it is not.
    pub fn legal(&self, best: &Best) -> Result<UciMove, String> {
        let opening = Opening::parse(self.fen, 1).map_err(|error| error.to_string())?;
        let mut referee = Referee::new(opening.position());
        for uci in self.moves {
            let uci = uci.parse().map_err(|_| format!("{uci} is no move"))?;
            referee.play(uci).map_err(|illegal| illegal.to_string())?;
        }
        match best {
            Best::Move(best) | Best::UpperCase(best) => {
                referee.play(*best).map_err(|illegal| format!("its move {illegal}"))
            }
            Best::None => Err("it answered that it has no move".to_owned()),
            Best::Unreadable => Err("its answer is no move in UCI's notation".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_are_legal_where_they_stand() {
        for asked in [CASTLED, PROMOTES, PROMOTED, IN_PASSING, CHESS960] {
            let error = asked.legal(&Best::Move("a1a1".parse().unwrap())).unwrap_err();
            assert!(error.starts_with("its move a1a1 is not legal in "), "{}: {error}", asked.fen);
        }
    }
}
