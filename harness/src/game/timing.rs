//! Time and other limits that each player has left in a game.

use super::clock::{self, Clock, Overrun};
use super::limit::{Clocks, Limit, MoveLimit};
use shakmaty::{ByColor, Color};
use std::time::Duration;

/// The limits of the game as they stand at this move.
pub struct Timing {
    limits: ByColor<Limit>,
    clocks: ByColor<Option<Clock>>,
    margins: ByColor<Duration>,
}

impl Timing {
    /// The start of a game: the limit of each player, and its time margin.
    pub fn new(terms: ByColor<(Limit, Duration)>) -> Timing {
        let clocks = terms.map(|(limit, margin)| limit.tc.map(|control| Clock::new(control, margin)));
        Timing { limits: terms.map(|(limit, _)| limit), clocks, margins: terms.map(|(_, margin)| margin) }
    }

    /// How late an answer of this player may come before it counts as late.
    pub fn margin(&self, turn: Color) -> Duration {
        self.margins[turn]
    }

    /// What the player to move is told.
    pub fn limit(&self, turn: Color) -> MoveLimit {
        let Limit { nodes, depth, movetime, .. } = self.limits[turn];
        let clocks = self.clocks[turn].as_ref().map(|own| {
            // An opponent without a clock seems to have the same.
            let of = |color: Color| self.clocks[color].as_ref().unwrap_or(own);
            let time = |color: Color| u64::try_from(of(color).left_ms()).unwrap_or(0).max(1);
            Clocks {
                white_ms: time(Color::White),
                black_ms: time(Color::Black),
                white_increment_ms: of(Color::White).increment_ms(),
                black_increment_ms: of(Color::Black).increment_ms(),
                moves_to_go: own.moves_to_go(),
            }
        });
        MoveLimit { nodes, depth, movetime, clocks }
    }

    /// What this player's clock has left, ms, not below 0; none without a clock.
    pub fn left_ms(&self, turn: Color) -> Option<u64> {
        Some(u64::try_from(self.clocks[turn].as_ref()?.left_ms()).unwrap_or(0))
    }

    /// Accounts for the time of one move.
    ///
    /// # Errors
    /// The answer came too late.
    pub fn spend(&mut self, turn: Color, used: Duration) -> Result<(), Overrun> {
        if let Some(milliseconds) = self.limits[turn].movetime {
            clock::check(Duration::from_millis(milliseconds), used, self.margins[turn])?;
        }
        self.clocks[turn].as_mut().map_or(Ok(()), |clock| clock.spend(used))
    }
}
