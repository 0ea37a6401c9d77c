//! Game: the position on the board and the hash keys of those before it.

use super::board::Position;
use super::history::KeyHistory;
use super::moves::Move;

/// A position and how it was reached.
#[derive(Clone)]
pub struct Game {
    position: Position,
    history: KeyHistory,
}

impl Game {
    /// A game that begins here.
    pub fn new(position: Position) -> Game {
        Game { position, history: KeyHistory::new() }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The keys of the positions before it.
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// Plays a move, which must be legal.
    pub fn play(&mut self, mv: Move) {
        self.history.push(self.position.key());
        self.position = self.position.play(mv);
    }
}
