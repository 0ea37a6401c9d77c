//! How has one player done?

use crate::game::record::{PairRecord, Side, Termination};
use crate::run::cost::Cost;
use crate::statistics::Trinomial;
use serde::Serialize;

/// Games that a player lost by faults of its own, each kind apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// It exceeded its time.
    pub time_losses: u64,
    /// Its move was not legal.
    pub illegal_moves: u64,
    /// It broke down.
    pub crashes: u64,
    /// It was alive and did not answer.
    pub stalls: u64,
    /// It had legal moves and gave none.
    pub no_moves: u64,
}

impl Faults {
    fn add(&mut self, termination: Termination) {
        match termination {
            Termination::TimeForfeit => self.time_losses += 1,
            Termination::IllegalMove => self.illegal_moves += 1,
            Termination::Crash => self.crashes += 1,
            Termination::Stall => self.stalls += 1,
            Termination::NoMove => self.no_moves += 1,
            _ => {}
        }
    }

    /// Each kind by name.
    pub fn named(&self) -> [(&'static str, u64); 5] {
        [
            ("time losses", self.time_losses),
            ("illegal moves", self.illegal_moves),
            ("crashes", self.crashes),
            ("stalls", self.stalls),
            ("no move", self.no_moves),
        ]
    }
}

/// What one player has done in all its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its games, from its side.
    pub games: Trinomial,
    /// What it lost by its own fault.
    pub faults: Faults,
    /// What it searched.
    pub cost: Cost,
}

impl Standing {
    /// Adds the games of a pair that it played on this side.
    pub fn add(&mut self, pair: &PairRecord, side: Side) {
        for game in &pair.games {
            game.moves_of(side).for_each(|played| self.cost.add(played));
            let candidates = game.candidate_half_points();
            let half_points = if side == Side::Candidate { candidates } else { 2 - candidates };
            match half_points {
                0 => {
                    self.games.losses += 1;
                    self.faults.add(game.termination);
                }
                1 => self.games.draws += 1,
                _ => self.games.wins += 1,
            }
        }
    }
}
