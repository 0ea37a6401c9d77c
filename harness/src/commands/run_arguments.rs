//! What the commands take alike that play one run with files beside it: `sprt`, `match`, `sweep` and `tune`.

use super::engine_options::EngineOptions;
use super::files::FileOptions;
use super::job::ResumeCommand;
use super::options::RunOptions;
use super::{Failure, print_out};
use crate::report::run_file::is_standard_output;
use crate::report::tell;
use clap::Args;
use std::fmt::Display;
use std::os::unix::fs::FileTypeExt;
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
    /// Refuses two files in one.
    ///
    /// # Errors
    /// Two of the options name standard output, or one path that is no device.
    pub fn check_files(&self) -> Result<(), Failure> {
        let files = self.named_files();
        for (nth, (option, path)) in files.iter().enumerate() {
            let is_same = |(_, other): &&(_, &Path)| {
                is_standard_output(path) && is_standard_output(other) || path == other && !is_device(path)
            };
            if let Some((other, _)) = files[..nth].iter().find(is_same) {
                return Err(Failure::usage(format!(
                    "{other} and {option} would be mixed in {}: give one of them another file",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// The report, on standard output unless something else is written there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print_report(&self, report: impl Display) -> Result<(), Failure> {
        match self.named_files().iter().any(|(_, path)| is_standard_output(path)) {
            true => {
                tell(report);
                Ok(())
            }
            false => print_out(report),
        }
    }

    /// The files that are wanted, with their options.
    fn named_files(&self) -> Vec<(&'static str, &Path)> {
        let FileOptions { pgn, events } = &self.files;
        let files = [("--pgn", pgn), ("--events", events), ("--log", &self.engines.log)];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect()
    }

    /// What goes on with a run, which is played by the command of this name, and with these files of it.
    pub fn resume_command(&self, command: &str, run: &str, results: &Path, files: &FileOptions) -> String {
        let also = [
            self.engines.of_all_sessions(),
            if self.json { " --json" } else { "" },
            if self.quiet { " --quiet" } else { "" },
        ];
        let (pgn, events) = (files.pgn.as_deref(), files.events.as_deref());
        let also = also.concat();
        ResumeCommand { command, run, results, options: &self.options, pgn, events, also: &also }.to_string()
    }
}

/// Whether it keeps nothing, so that any number may write to it.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.file_type().is_char_device())
}
