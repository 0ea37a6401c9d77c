//! `harness match A B [C…]`: a fixed number of pairs between two or more players.

use crate::cli::named_players::NamedPlayers;
use crate::cli::options::RunOptions;
use crate::cli::own_limit::refuse_idle_clock;
use crate::cli::play::{Asked, Plays, Ready, play};
use crate::cli::player::load_player;
use crate::cli::{Exit, Failure};
use crate::kinds::matches::{Format, MatchSpec};
use crate::options::{self, Name, Options, Set};
use crate::players::spec::PlayerSpec;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::goal::PairGoal;
use clap::Args;
use std::path::Path;

/// Pairs of each pairing unless another number is given.
const DEFAULT_PAIRS: u64 = 500;

/// A match has no test.
const TAKEN: Set = options::ALL & !options::TEST & !options::of(&[Name::expect]);

/// Play a fixed number of pairs: two players, everybody against everybody, or the first against all others
#[derive(Args)]
#[command(mut_arg("max-pairs", |argument| argument.help("Pairs that each two players play [default: 500]")))]
pub struct MatchArguments {
    /// Configurations or programs that play; all counts of two are seen from the side of the one named first
    #[arg(value_name = "PLAYER", required_unless_present = "resume", num_args = 2..)]
    players: Vec<String>,
    /// Only the first player meets the others
    #[arg(long, help_heading = "Players")]
    gauntlet: bool,
    #[command(flatten)]
    run: Options<TAKEN>,
    #[command(flatten)]
    named: NamedPlayers,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: MatchArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let played = play(&arguments, |_| Box::new(()), interrupt)?;
    played.outcome.print(&arguments.run)?;
    played.outcome.exit()
}

impl Plays for MatchArguments {
    type Spec = MatchSpec;

    fn given(&self) -> &RunOptions {
        &self.run
    }

    fn spec(&self, asked: &Asked<MatchSpec>) -> Result<MatchSpec, Failure> {
        let Asked { stored, folder, .. } = *asked;
        let (format, players) = match stored {
            Some(stored) if self.players.is_empty() => {
                (stored.format, self.named.again(&stored.players, folder)?)
            }
            _ => (self.format(), self.load_players(folder)?),
        };
        let conditions = asked.conditions()?;
        refuse_idle_clock(&players, conditions.limit)?;
        Ok(MatchSpec { format, players, conditions })
    }

    fn goal(&self, options: &RunOptions, _: Option<&PairGoal>) -> Result<Option<PairGoal>, Failure> {
        Ok(options.max_pairs.map(PairGoal::of))
    }

    fn usual_goal(&self) -> PairGoal {
        PairGoal::of(DEFAULT_PAIRS)
    }

    fn describes(&self) -> bool {
        !self.players.is_empty() || self.gauntlet || self.named.are_given()
    }

    fn kept_players(&self, stored: Option<&MatchSpec>) -> usize {
        stored.map_or(self.players.len(), |stored| stored.players.len())
    }

    fn warn(&self, Ready { spec, is_new, quiet, .. }: &Ready<MatchSpec>) -> Result<(), Failure> {
        if *is_new && !quiet {
            same_players(spec).into_iter().for_each(tell);
        }
        Ok(())
    }
}

impl MatchArguments {
    /// Two players make one pairing, whichever way they meet.
    fn format(&self) -> Format {
        match self.gauntlet && self.players.len() > 2 {
            true => Format::Gauntlet,
            false => Format::RoundRobin,
        }
    }

    /// The players that are named, each with its own limit if it has one, and told apart.
    fn load_players(&self, folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let players = self.players.iter().map(|name| load_player(name, folder));
        let players: Vec<PlayerSpec> = players.collect::<Result<_, _>>()?;
        for (number, player) in players.iter().enumerate() {
            if let Some(namesake) = players[..number].iter().find(|other| cannot_be_told_apart(player, other))
            {
                return Err(Failure::usage(format!(
                    "two players, {} and {}, have the name {}: give one another `name` in its configuration",
                    namesake.as_typed(),
                    player.as_typed(),
                    player.name()
                )));
            }
        }
        self.named.applied_anew(players, folder)
    }
}

/// Whether two players have one name, unless it is only that of their files, which lie in different folders.
fn cannot_be_told_apart(one: &PlayerSpec, other: &PlayerSpec) -> bool {
    let is_that_of_its_file = |player: &PlayerSpec| {
        Path::new(player.as_typed()).file_stem().is_some_and(|stem| stem == player.name())
    };
    let are_in_different_folders =
        one.as_typed() != other.as_typed() && is_that_of_its_file(one) && is_that_of_its_file(other);
    one.name() == other.name() && !are_in_different_folders
}

/// A warning for each player that is the same as one before it, under another name.
fn same_players(spec: &MatchSpec) -> Vec<String> {
    let repeats = spec.conditions.limit.is_deterministic();
    let warning = |(number, player): (usize, &PlayerSpec)| {
        let same = spec.players[..number].iter().find(|other| other.digest == player.digest)?;
        let games =
            if repeats { ", so their games against others are the same and no further evidence" } else { "" };
        Some(format!("warning: {} and {} are the same player{games}", same.name(), player.name()))
    };
    spec.players.iter().enumerate().filter_map(warning).collect()
}
