//! `position` and `go` for a move. The game so far and the limit, in one text that is kept and grows with the game.
//!
//! The game is the position after the last capture or pawn move, and the moves since. What stood before can never
//! return, and the shorter the command, the more engines can read it: GNU Chess loses its way in lines of more than a
//! thousand characters.

use crate::game::fen::fen_of;
use crate::game::limit::MoveLimit;
use crate::game::opening::Opening;
use crate::game::player::Fault;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};
use std::fmt::Write;

/// A game as an engine is told it.
#[derive(Default)]
pub(super) struct Told {
    position: Chess,
    /// Moves played since the opening.
    played: usize,
    /// `position fen … moves …` and, behind it, the last question.
    text: String,
    /// Length of the first of them.
    game: usize,
}

impl Told {
    /// A game of which the opening stands on the board.
    pub fn new(opening: &Opening) -> Told {
        let text = format!("position fen {}", opening.fen);
        Told { position: opening.position(), played: 0, game: text.len(), text }
    }

    /// Whose move it is.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Adds the moves that came since the last question.
    ///
    /// # Errors
    /// One of them is not legal.
    pub fn follow(&mut self, moves: &[UciMove]) -> Result<(), Fault> {
        self.text.truncate(self.game);
        for uci in &moves[self.played.min(moves.len())..] {
            let illegal = |_| Fault::Crash(format!("was to be told the illegal move {uci}"));
            let is_first = self.position.halfmoves() == 0 || self.played == 0;
            self.position.play_unchecked(uci.to_move(&self.position).map_err(illegal)?);
            self.played += 1;
            if self.position.halfmoves() == 0 {
                self.text.clear();
                let _ = write!(self.text, "position fen {}", fen_of(&self.position));
            } else {
                let _ = write!(self.text, "{}{uci}", if is_first { " moves " } else { " " });
            }
        }
        self.game = self.text.len();
        Ok(())
    }

    /// The commands that ask for a move, each with its line end.
    pub fn question(&mut self, limit: MoveLimit) -> &str {
        self.text.truncate(self.game);
        self.text.push('\n');
        let _ = write_go(&mut self.text, limit);
        self.text.push('\n');
        &self.text
    }

    /// The last question, without the game.
    pub fn go(&self) -> &str {
        self.text[self.game..].trim()
    }
}

/// The command that asks for a move.
fn write_go(text: &mut String, limit: MoveLimit) -> std::fmt::Result {
    let MoveLimit { nodes, depth, movetime, clocks } = limit;
    text.push_str("go");
    if let Some(clocks) = clocks {
        write!(text, " wtime {} btime {}", clocks.white_ms, clocks.black_ms)?;
        if clocks.white_increment_ms > 0 || clocks.black_increment_ms > 0 {
            write!(text, " winc {} binc {}", clocks.white_increment_ms, clocks.black_increment_ms)?;
        }
        if let Some(moves) = clocks.moves_to_go {
            write!(text, " movestogo {moves}")?;
        }
    }
    for (word, value) in [("movetime", movetime), ("depth", depth.map(u64::from)), ("nodes", nodes)] {
        if let Some(value) = value {
            write!(text, " {word} {value}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::limit::Clocks;

    #[test]
    fn the_engine_is_told_the_moves_since_the_last_that_cannot_be_taken_back() {
        let opening = Opening::parse("4k3/8/8/8/8/8/P7/4K2R w K - 5 9", 1).unwrap();
        let mut game = Told::new(&opening);
        let mut told = |moves: &str| {
            let moves: Vec<_> = moves.split_whitespace().map(|uci| uci.parse().unwrap()).collect();
            game.follow(&moves).unwrap();
            let question = game.question(MoveLimit { nodes: Some(7), ..MoveLimit::default() }).to_owned();
            assert_eq!(game.go(), "go nodes 7");
            question.strip_suffix("\ngo nodes 7\n").unwrap().to_owned()
        };
        assert_eq!(told(""), "position fen 4k3/8/8/8/8/8/P7/4K2R w K - 5 9");
        let castled = "position fen 4k3/8/8/8/8/8/P7/4K2R w K - 5 9 moves e1g1 e8e7";
        assert_eq!(told("e1g1 e8e7"), castled);
        assert_eq!(told("e1g1 e8e7"), castled);
        let pushed = "position fen 8/4k3/8/8/P7/8/8/5RK1 b - - 0 10";
        assert_eq!(told("e1g1 e8e7 a2a4"), pushed);
        assert_eq!(told("e1g1 e8e7 a2a4 e7e6 f1f2"), format!("{pushed} moves e7e6 f1f2"));
    }

    #[test]
    fn limits_as_commands() {
        let clocks = Clocks {
            white_ms: 1000,
            black_ms: 900,
            white_increment_ms: 0,
            black_increment_ms: 0,
            moves_to_go: None,
        };
        let none = MoveLimit::default();
        for (limit, command) in [
            (MoveLimit { nodes: Some(5), ..none }, "go nodes 5"),
            (MoveLimit { depth: Some(5), ..none }, "go depth 5"),
            (MoveLimit { movetime: Some(5), ..none }, "go movetime 5"),
            (MoveLimit { clocks: Some(clocks), ..none }, "go wtime 1000 btime 900"),
            (
                MoveLimit {
                    nodes: Some(900),
                    clocks: Some(Clocks { white_increment_ms: 10, moves_to_go: Some(4), ..clocks }),
                    ..none
                },
                "go wtime 1000 btime 900 winc 10 binc 0 movestogo 4 nodes 900",
            ),
        ] {
            let mut text = String::new();
            write_go(&mut text, limit).unwrap();
            assert_eq!(text, command);
        }
    }
}
