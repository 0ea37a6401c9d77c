//! Games that are given to a fit more than once: of each, only the first counts.
//!
//! Under a node or depth limit two runs of the same players and openings have the very same games, and so have the two games of a
//! pair whose players are the same.

use crate::game::record::GameRecord;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// Games of one run that are games of another, or of the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Repeat {
    /// The run whose games were left out.
    pub run: String,
    /// The run that had them first.
    pub of: String,
    /// How many.
    pub games: u64,
}

/// The games that have been taken, and those that were left out.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The run that had it first, by opening and moves.
    first_run: HashMap<[u8; 32], String>,
    repeats: Vec<Repeat>,
}

impl Seen {
    /// Takes a game of this run; whether it is the first with its opening and moves.
    pub fn is_new(&mut self, run: &str, game: &GameRecord) -> bool {
        let Some(of) = self.first_run.get(&key(game)) else {
            self.first_run.insert(key(game), run.to_owned());
            return true;
        };
        match self.repeats.iter_mut().find(|repeat| repeat.run == run && repeat.of == *of) {
            Some(repeat) => repeat.games += 1,
            None => self.repeats.push(Repeat { run: run.to_owned(), of: of.clone(), games: 1 }),
        }
        false
    }

    /// The games that were left out.
    pub fn repeats(&self) -> &[Repeat] {
        &self.repeats
    }
}

fn key(game: &GameRecord) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(&game.opening);
    for played in &game.moves {
        hash.update(format!(" {}", played.uci));
    }
    hash.finalize().into()
}
