//! Watch over the faults of a run: it ends where faults would decide it, unless it is to be played on all the same.
//!
//! A player whose first games all end by its faults plays no chess, and a verdict on it would look like any other. And where
//! many games are lost on time the players do not have the time that their clocks show: such games are decided by who was
//! interrupted.

use super::conduct::Watched;
use super::faults::Faults;
use clap::ValueEnum;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;

/// A player that loses so many of its first games by faults, all of them, ends the run.
const FIRST_GAMES: u64 = 10;

/// More than this share of games lost on time says that something is wrong with the conditions, per cent.
const MOST_PERCENT: u64 = 1;

/// Fewer time losses than this are chance.
const FEWEST: u64 = 5;

/// What happens when a player's faults decide the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFaults {
    /// The run ends; its games are kept.
    #[default]
    Stop,
    /// The games count as they are.
    PlayOn,
}

/// What is watched in one session of a run.
#[derive(Debug)]
pub(super) struct Watch {
    on_faults: OnFaults,
    /// Time losses of each player before this session: whoever goes on with a run has seen to it that there will be fewer.
    /// Empty until it begins.
    before: Vec<u64>,
    /// Games counted in this session.
    games: u64,
    /// Players of whom it was said that they do not honour their limit of nodes.
    noted: BTreeSet<String>,
}

/// Faults decide the games, so that the run is not worth going on with as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultsDecide {
    /// A player has done nothing but fail.
    FirstGames {
        /// Its name.
        player: String,
        /// What all players did so far.
        faults: Vec<(String, Faults)>,
    },
    /// Too many games were lost on time.
    OnTime {
        /// By whom.
        losses: Vec<(String, u64)>,
        /// Games counted in this session.
        games: u64,
    },
}

impl Watch {
    /// The watch over the pairs that earlier sessions stored.
    pub fn new(on_faults: OnFaults) -> Watch {
        Watch { on_faults, before: Vec::new(), games: 0, noted: BTreeSet::new() }
    }

    /// From now on it is over the pairs of this session, which begins with these players.
    pub fn begin(&mut self, on_faults: OnFaults, players: &[Watched]) {
        self.on_faults = on_faults;
        self.before = players.iter().map(|player| player.conduct.faults.time_losses).collect();
    }

    /// Takes note of a pair that was counted in this session.
    pub fn count_pair(&mut self) {
        self.games += 2;
    }

    /// What is to be told of players that do not honour their limit of nodes, once of each.
    pub fn news(&mut self, players: &[Watched]) -> Vec<String> {
        let found = players.iter().filter_map(Watched::nodes_searched);
        found
            .filter(|found| self.noted.insert(found.player.clone()))
            .map(|found| format!("warning: {found}"))
            .collect()
    }

    /// Whether faults decide the games.
    pub fn alarm(&self, players: &[Watched]) -> Option<FaultsDecide> {
        match self.on_faults {
            OnFaults::PlayOn => None,
            OnFaults::Stop => first_games(players).or_else(|| self.on_time(players)),
        }
    }

    fn on_time(&self, players: &[Watched]) -> Option<FaultsDecide> {
        let of_session = players.iter().zip(&self.before).map(|(player, before)| {
            (player.name.clone(), player.conduct.faults.time_losses.saturating_sub(*before))
        });
        let losses: Vec<_> = of_session.filter(|(_, losses)| *losses > 0).collect();
        let sum: u64 = losses.iter().map(|(_, losses)| losses).sum();
        let is_too_many = sum >= FEWEST && 100 * sum > MOST_PERCENT * self.games;
        is_too_many.then_some(FaultsDecide::OnTime { losses, games: self.games })
    }
}

/// A player that failed in each of its first games, or whose first games all ended by a fault of one side or the other.
fn first_games(players: &[Watched]) -> Option<FaultsDecide> {
    let of = |count: fn(&Watched) -> u64| players.iter().find(|player| count(player) >= FIRST_GAMES);
    let player = of(|player| player.conduct.faulty_from_start)
        .or_else(|| of(|player| player.conduct.decided_from_start))?;
    let faults = players.iter().filter(|player| player.conduct.faults.sum() > 0);
    Some(FaultsDecide::FirstGames {
        player: player.name.clone(),
        faults: faults.map(|player| (player.name.clone(), player.conduct.faults)).collect(),
    })
}

impl FaultsDecide {
    /// Whether the run ends at once when it is taken up again as it is.
    pub const fn is_lasting(&self) -> bool {
        matches!(self, FaultsDecide::FirstGames { .. })
    }
}

impl fmt::Display for FaultsDecide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultsDecide::FirstGames { player, faults } => {
                let whose: Vec<_> =
                    faults.iter().map(|(name, faults)| format!("of {name}: {}", faults.in_words())).collect();
                write!(
                    f,
                    "the first {FIRST_GAMES} games of {player} were all decided by faults ({}), so that they say nothing of \
                     strength: `harness show RUN` has the evidence and `harness check-engine` tries the engine; with --faults \
                     play-on the run goes on",
                    whose.join("; ")
                )
            }
            FaultsDecide::OnTime { losses, games } => {
                let sum: u64 = losses.iter().map(|(_, losses)| losses).sum();
                let whose: Vec<_> =
                    losses.iter().map(|(name, losses)| format!("{losses} by {name}")).collect();
                write!(
                    f,
                    "{sum} of the {games} games of this session were lost on time ({}), more than {MOST_PERCENT} %, so that \
                     they measure the machine and not the players: give fewer --threads or the engines a larger overhead \
                     (often the option `Move Overhead`), begin a run with a slower clock, or let it play on with --faults \
                     play-on",
                    whose.join(", ")
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::limit::Limit;
    use crate::run::conduct::Conduct;

    fn player(name: &str, time_losses: u64, faulty: u64, decided: u64) -> Watched {
        let mut conduct = Conduct::default();
        conduct.faults.time_losses = time_losses;
        (conduct.faulty_from_start, conduct.decided_from_start) = (faulty, decided);
        Watched { name: name.to_owned(), limit: Limit::nodes(1), conduct }
    }

    fn watch(on_faults: OnFaults, games: u64, before: &[Watched]) -> Watch {
        let mut watch = Watch::new(OnFaults::PlayOn);
        watch.begin(on_faults, before);
        (0..games / 2).for_each(|_| watch.count_pair());
        watch
    }

    #[test]
    fn five_losses_of_a_session_and_more_than_one_in_a_hundred() {
        let before = [player("a", 7, 0, 0), player("b", 0, 0, 0)];
        let now = |a: u64, b| [player("a", 7 + a, 0, 0), player("b", b, 0, 0)];
        assert_eq!(watch(OnFaults::Stop, 8, &before).alarm(&now(3, 1)), None);
        let losses = vec![("a".to_owned(), 3), ("b".to_owned(), 2)];
        let too_many = FaultsDecide::OnTime { losses, games: 498 };
        assert_eq!(watch(OnFaults::Stop, 498, &before).alarm(&now(3, 2)), Some(too_many));
        assert_eq!(
            watch(OnFaults::Stop, 500, &before).alarm(&now(3, 2)),
            None,
            "one in a hundred is allowed"
        );
        assert_eq!(watch(OnFaults::PlayOn, 10, &before).alarm(&now(5, 5)), None);
    }

    #[test]
    fn ten_faults_from_the_start() {
        let alarm = |on_faults, players: [Watched; 2]| watch(on_faults, 10, &players).alarm(&players);
        let named = |alarm: Option<FaultsDecide>| match alarm {
            Some(FaultsDecide::FirstGames { player, .. }) => player,
            other => format!("{other:?}"),
        };
        assert_eq!(named(alarm(OnFaults::Stop, [player("a", 0, 0, 10), player("b", 0, 10, 10)])), "b");
        assert_eq!(named(alarm(OnFaults::Stop, [player("a", 0, 3, 10), player("b", 0, 0, 10)])), "a");
        assert_eq!(alarm(OnFaults::Stop, [player("a", 0, 9, 9), player("b", 0, 0, 9)]), None);
        assert_eq!(alarm(OnFaults::PlayOn, [player("a", 0, 10, 10), player("b", 0, 0, 10)]), None);
    }
}
