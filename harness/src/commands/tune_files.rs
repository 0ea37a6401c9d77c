//! What a tuning run keeps up to date in its own folder of the results, where only this run writes: the values as a
//! configuration, those it began with as another, and the picture of how they moved.

use super::Failure;
use crate::report::tuning::Tuned;
use crate::report::tuning_chart;
use crate::run::drive::ListenerError;
use crate::tuning::tune::Tune;
use crate::whole_file;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The configuration from which it began.
pub const START: &str = "start.toml";

/// The configuration with the values as they are, rounded.
pub const TUNED: &str = "tuned.toml";

/// Between two looks that somebody may take at a run while it is played.
const WRITE_EVERY: Duration = Duration::from_secs(20);

/// The files of a run.
pub struct TuneFiles {
    run: String,
    folder: PathBuf,
    written: Instant,
}

impl TuneFiles {
    /// The files of this run, of which nothing is written yet.
    pub fn new(results: &Path, run: &str) -> TuneFiles {
        TuneFiles { run: run.to_owned(), folder: results.join(run), written: Instant::now() }
    }

    /// The configuration with the values as they are, rounded.
    pub fn config(&self) -> PathBuf {
        self.folder.join(TUNED)
    }

    /// Writes them if that is some time ago.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn refresh(&mut self, tune: &Tune) -> Result<(), ListenerError> {
        match self.written.elapsed() < WRITE_EVERY {
            true => Ok(()),
            false => self.replace(tune).map_err(ListenerError),
        }
    }

    /// Writes them.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&mut self, tune: &Tune) -> Result<(), Failure> {
        self.replace(tune).map_err(Failure::run)
    }

    fn replace(&mut self, tune: &Tune) -> Result<(), String> {
        let spec = tune.spec();
        let (done, all) = (tune.iterations(), spec.schedule.iterations);
        let heading = [
            format!("{} · {}", spec.base.file, spec.conditions.limit),
            format!("{done} of {all} iterations, {} games · run {}", 2 * tune.pairs(), self.run),
        ];
        let picture =
            tuning_chart::file(&heading.each_ref().map(String::as_str), &Tuned::all(tune), [done, all]);
        let config = spec.player(tune.values(), TUNED)?.to_toml();
        let start = spec.base.to_toml();
        for (name, text) in [(START, start), (TUNED, config), ("trajectories.svg", picture)] {
            let path = self.folder.join(name);
            whole_file::replace(&path, &text).map_err(|error| {
                format!("{} cannot be written: {error}; resume the run when it can", path.display())
            })?;
        }
        self.written = Instant::now();
        Ok(())
    }
}
