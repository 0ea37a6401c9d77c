//! Do the players still have the time that their clocks show? On a machine that is too busy they do not, and then games
//! are decided by who was interrupted.

use crate::game::record::{GameRecord, PairRecord, Termination};
use std::fmt;

/// More than this share of games lost on time says that something is wrong with the conditions, per cent.
const MOST_PERCENT: u64 = 1;

/// Fewer losses than this are chance.
const FEWEST: u64 = 5;

/// Counts the games that were lost on time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeLosses {
    losses: u64,
    games: u64,
}

/// So many games were lost on time that the run is not worth going on with as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// Games lost on time by either player.
    pub losses: u64,
    /// Games counted in this session.
    pub games: u64,
}

impl TimeLosses {
    /// Counts one pair more.
    pub fn add(&mut self, pair: &PairRecord) {
        let is_late = |game: &&GameRecord| game.termination == Termination::TimeForfeit;
        self.losses += pair.games.iter().filter(is_late).count() as u64;
        self.games += pair.games.len() as u64;
    }

    /// Whether there are too many of them.
    pub fn too_many(&self) -> Option<TooMany> {
        let TimeLosses { losses, games } = *self;
        (losses >= FEWEST && 100 * losses > MOST_PERCENT * games).then_some(TooMany { losses, games })
    }
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooMany { losses, games } = self;
        write!(
            f,
            "{losses} of the {games} games of this session were lost on time, more than {MOST_PERCENT} %, so that they \
             measure the machine and not the players: give fewer --threads or the engines a larger overhead (often the \
             option `Move Overhead`), or begin a run with a slower clock"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::collector::tests::pair;

    fn late(index: u64) -> PairRecord {
        let mut pair = pair(index);
        pair.games[0].termination = Termination::TimeForfeit;
        pair
    }

    #[test]
    fn five_losses_and_more_than_one_in_a_hundred() {
        let mut watched = TimeLosses::default();
        (0..4).for_each(|index| watched.add(&late(index)));
        assert_eq!(watched.too_many(), None);
        watched.add(&late(4));
        assert_eq!(watched.too_many(), Some(TooMany { losses: 5, games: 10 }));
        (0..244).for_each(|index| watched.add(&pair(index)));
        assert_eq!(watched.too_many(), Some(TooMany { losses: 5, games: 498 }));
        watched.add(&pair(0));
        assert_eq!(watched.too_many(), None, "one in a hundred is allowed");
    }
}
