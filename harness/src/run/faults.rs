//! Faults: games that a player lost by its own doing, each kind apart.

use crate::game::record::Termination;
use serde::Serialize;

/// Games lost by faults, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// The player exceeded its time.
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
    /// Adds a game that was lost so; an ending that is no fault changes nothing.
    pub fn add(&mut self, termination: Termination) {
        match termination {
            Termination::TimeForfeit => self.time_losses += 1,
            Termination::IllegalMove => self.illegal_moves += 1,
            Termination::Crash => self.crashes += 1,
            Termination::Stall => self.stalls += 1,
            Termination::NoMove => self.no_moves += 1,
            _ => {}
        }
    }

    /// Those of two players together.
    pub fn and(self, other: Faults) -> Faults {
        Faults {
            time_losses: self.time_losses + other.time_losses,
            illegal_moves: self.illegal_moves + other.illegal_moves,
            crashes: self.crashes + other.crashes,
            stalls: self.stalls + other.stalls,
            no_moves: self.no_moves + other.no_moves,
        }
    }

    /// Games lost by a fault of any kind.
    pub fn sum(&self) -> u64 {
        self.named().map(|(_, count)| count).iter().sum()
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

    /// `time losses 3, crashes 1`: the kinds that happened.
    pub fn in_words(&self) -> String {
        let happened = self.named().into_iter().filter(|(_, count)| *count > 0);
        happened.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
    }

    /// `184 of 184 games were lost by faults of liar`; none without faults.
    pub fn share(&self, name: &str, games: u64) -> Option<String> {
        match self.sum() {
            0 => None,
            1 => Some(format!("1 of {games} games was lost by a fault of {name}")),
            faults => Some(format!("{faults} of {games} games were lost by faults of {name}")),
        }
    }
}

/// The faults of one player as JSON has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FaultsWithSum {
    /// Each kind apart.
    #[serde(flatten)]
    pub kinds: Faults,
    /// All of them.
    pub faults: u64,
}

impl From<Faults> for FaultsWithSum {
    fn from(kinds: Faults) -> FaultsWithSum {
        FaultsWithSum { kinds, faults: kinds.sum() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_counts_apart_and_all_in_the_sum() {
        let mut faults = Faults::default();
        assert_eq!((faults.in_words().as_str(), faults.share("x", 9)), ("", None));
        Termination::ALL.into_iter().for_each(|termination| faults.add(termination));
        faults.add(Termination::Stall);
        assert_eq!(
            serde_json::to_value(FaultsWithSum::from(faults)).unwrap(),
            serde_json::json!({"time_losses": 1, "illegal_moves": 1, "crashes": 1, "stalls": 2, "no_moves": 1, "faults": 6})
        );
        assert_eq!(faults.in_words(), "time losses 1, illegal moves 1, crashes 1, stalls 2, no move 1");
        assert_eq!(faults.share("x", 9).unwrap(), "6 of 9 games were lost by faults of x");
        assert_eq!(faults.and(faults).sum(), 12);
    }
}
