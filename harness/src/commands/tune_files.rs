//! What a tuning run keeps up to date in its own folder of the results, where only this run writes: the values as a
//! configuration, those it began with as another, and the picture of how they moved.

use super::Failure;
use crate::report::tuning::Tuned;
use crate::report::tuning_chart;
use crate::run::drive::ListenerError;
use crate::tuning::tune::{TUNED, Tune};
use crate::whole_file;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Iterations that take less than this do not each have the files written anew.
const WRITE_EVERY: Duration = Duration::from_secs(1);

/// The files of a run.
pub struct TuneFiles {
    run: String,
    folder: PathBuf,
    /// When they were last written, and after how many iterations.
    written: Option<(Instant, u64)>,
}

impl TuneFiles {
    /// The files of this run, of which nothing is written yet.
    pub fn new(results: &Path, run: &str) -> TuneFiles {
        TuneFiles { run: run.to_owned(), folder: results.join(run), written: None }
    }

    /// The configuration with the values as they are, rounded.
    pub fn config(&self) -> PathBuf {
        self.folder.join(TUNED)
    }

    /// Writes them if there is news, but not too often.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn refresh(&mut self, tune: &Tune) -> Result<(), ListenerError> {
        let is_news = self.written.is_none_or(|(when, iterations)| {
            iterations != tune.iterations() && when.elapsed() >= WRITE_EVERY
        });
        match is_news {
            true => self.replace(tune).map_err(ListenerError),
            false => Ok(()),
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
        let configs =
            [spec.start(), spec.tuned(tune.values())?].map(|player| (player.file.clone(), player.to_toml()));
        for (name, text) in configs.into_iter().chain([("trajectories.svg".to_owned(), picture)]) {
            let path = self.folder.join(name);
            whole_file::replace(&path, &text).map_err(|error| {
                format!("{} cannot be written: {error}; resume the run when it can", path.display())
            })?;
        }
        self.written = Some((Instant::now(), done));
        Ok(())
    }
}
