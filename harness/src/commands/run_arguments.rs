//! What the commands take alike that play one run with files beside it, `sprt` and `match`.

use super::Failure;
use super::conditions::load_player;
use super::engine_options::EngineOptions;
use super::files::FileOptions;
use super::job::ResumeCommand;
use super::options::RunOptions;
use super::own_limit::{self, OwnLimit};
use crate::experiment::PlayerSpec;
use clap::Args;
use std::path::Path;

/// How the games are played, and how the run meets its user.
#[derive(Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub(super) options: RunOptions,
    #[command(flatten)]
    pub(super) engines: EngineOptions,
    #[command(flatten)]
    pub(super) files: FileOptions,
    /// A limit of its own for one player, instead of that of all: nodes=N, depth=N, movetime=MS, tc=TC; may be repeated
    #[arg(long, value_name = "PLAYER:KEY=VALUE[,KEY=VALUE]")]
    pub(super) limit_of: Vec<OwnLimit>,
    /// Go on with a stored run; whatever else is given must agree with it
    #[arg(long, value_name = "RUN")]
    pub resume: Option<String>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl RunArguments {
    /// The player that a configuration describes, with its own limit if it has one.
    ///
    /// # Errors
    /// See [`load_player`].
    pub fn load_player(&self, name: &str, folder: &Path) -> Result<PlayerSpec, Failure> {
        load_player(name, folder).map(|player| own_limit::applied(&self.limit_of, player))
    }

    /// A stored player as the engine of this program plays it, with its own limit or the one given now.
    ///
    /// # Errors
    /// Its program is no longer there.
    pub fn again(&self, player: &PlayerSpec) -> Result<PlayerSpec, Failure> {
        let player = player.measured_anew().map_err(Failure::run)?;
        Ok(own_limit::applied(&self.limit_of, player))
    }

    /// What is needed of them once the run is known.
    pub fn presentation(&self) -> Presentation<'_> {
        Presentation { options: &self.options, files: &self.files, quiet: self.quiet }
    }
}

/// How a run meets its user.
#[derive(Clone, Copy)]
pub struct Presentation<'a> {
    /// The options as they were given.
    pub options: &'a RunOptions,
    /// The files that are wanted.
    pub files: &'a FileOptions,
    /// Show no progress.
    pub quiet: bool,
}

impl<'a> Presentation<'a> {
    /// What goes on with a run of this command.
    pub fn resume_command(&self, command: &'a str, run: &'a str, results: &'a Path) -> ResumeCommand<'a> {
        let FileOptions { pgn, events } = self.files;
        let (pgn, events) = (pgn.as_deref(), events.as_deref());
        ResumeCommand { command, run, results, options: self.options, pgn, events }
    }
}
