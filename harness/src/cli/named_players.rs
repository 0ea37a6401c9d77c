//! Players of one command: loaded, with what is set of them on the command line, and told apart.

use super::Failure;
use super::own_limit::OwnLimits;
use super::player::load_player;
use super::player_options::PlayerOptions;
use super::told_apart::told_apart;
use crate::players::spec::PlayerSpec;
use clap::Args;
use std::path::Path;

/// What is set of the players that a command names.
#[derive(Args)]
pub struct NamedPlayers {
    #[command(flatten)]
    limits: OwnLimits,
    #[command(flatten)]
    options: PlayerOptions,
}

impl NamedPlayers {
    /// Whether anything is set.
    pub fn are_given(&self) -> bool {
        self.limits.are_given() || self.options.are_given()
    }

    /// The players that these words name.
    ///
    /// # Errors
    /// See [`load_player`], [`PlayerOptions::applied`] and [`OwnLimits::applied`].
    pub fn load(&self, words: &[&str], folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let players = words.iter().map(|word| load_player(word, folder));
        self.applied_anew(players.collect::<Result<_, _>>()?, folder)
    }

    /// The players of a new run with what is set of them here, and where that says nothing in the settings file, told apart.
    ///
    /// # Errors
    /// See [`PlayerOptions::applied`], [`OwnLimits::or_settings`] and [`OwnLimits::applied`].
    pub fn applied_anew(&self, players: Vec<PlayerSpec>, folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let players = self.options.applied(players, folder)?;
        let limits = self.limits.or_settings(&players, folder)?;
        Ok(told_apart(limits.applied(players, folder)?))
    }

    /// Stored players as the engines of this machine play them, with what was set of them or is set now.
    ///
    /// # Errors
    /// A program is no longer there; otherwise as [`NamedPlayers::load`].
    pub fn again(&self, stored: &[PlayerSpec], folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let players = stored.iter().map(|player| player.measured_anew().map_err(Failure::run));
        self.applied(players.collect::<Result<_, _>>()?, folder)
    }

    /// The players with what is set of them, told apart.
    ///
    /// # Errors
    /// See [`PlayerOptions::applied`] and [`OwnLimits::applied`].
    pub fn applied(&self, players: Vec<PlayerSpec>, folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let players = self.options.applied(players, folder)?;
        Ok(told_apart(self.limits.applied(players, folder)?))
    }
}
