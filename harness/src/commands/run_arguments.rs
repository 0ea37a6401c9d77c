//! What the commands take alike that play one run with files beside it: `sprt`, `match`, `sweep` and `tune`.

use super::engine_options::EngineOptions;
use super::files::FileOptions;
use super::job::ResumeCommand;
use super::options::RunOptions;
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
    /// What is needed of them once the run is known.
    pub fn presentation(&self) -> Presentation<'_> {
        let also = [
            self.engines.of_all_sessions(),
            if self.json { " --json" } else { "" },
            if self.quiet { " --quiet" } else { "" },
        ];
        Presentation { options: &self.options, files: &self.files, quiet: self.quiet, also: also.concat() }
    }
}

/// How a run meets its user.
#[derive(Clone)]
pub struct Presentation<'a> {
    /// The options as they were given.
    pub options: &'a RunOptions,
    /// The files that are wanted.
    pub files: &'a FileOptions,
    /// Show no progress.
    pub quiet: bool,
    /// Further options that must be given again to go on, with a blank before each.
    pub also: String,
}

impl<'a> Presentation<'a> {
    /// What goes on with a run of this command.
    pub fn resume_command(&'a self, command: &'a str, run: &'a str, results: &'a Path) -> ResumeCommand<'a> {
        let FileOptions { pgn, events } = self.files;
        let (pgn, events) = (pgn.as_deref(), events.as_deref());
        ResumeCommand { command, run, results, options: self.options, pgn, events, also: &self.also }
    }
}
