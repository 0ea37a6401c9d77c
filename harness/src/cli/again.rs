//! What the user types to go on with a run that was interrupted, or failed.

use super::options::RunOptions;
use crate::options::Role;
use crate::report::shell_word;
use std::path::{Path, PathBuf};

impl RunOptions {
    /// The command that goes on with a run of this store as these options say, which were given for it. Those that are stored with
    /// the run are left out.
    pub fn resume_command(&self, command: &str, run: &str, results: &Path) -> String {
        // Cargo starts a program that is in no search path: only as it was called can it be called again.
        let program = std::env::args_os().next().map_or_else(|| PathBuf::from("harness"), PathBuf::from);
        let given = RunOptions { results: Some(results.to_owned()), ..self.clone() };
        format!("{} {command} --resume {run}{}", quoted(&program), given.written(Role::is_given_again))
    }
}

/// A path as a shell takes it.
pub fn quoted(path: &Path) -> String {
    shell_word(&path.display().to_string())
}
