//! What a tuning run keeps up to date in its own folder of the results, where only this run writes: the values as a
//! configuration, those it began with as another, and the picture of how they moved.

use crate::cli::Failure;
use crate::cli::carry_out::{Outputs, Session};
use crate::cli::job::Job;
use crate::kinds::measure::MeasureSpec;
use crate::kinds::measure::pilot::pilot;
use crate::kinds::tune::summary::{TuneSummary, Tuned, forecast_line, ranges_line};
use crate::kinds::tune::{TUNED, Tune, TuneSpec, chart};
use crate::report::head::Effort;
use crate::report::tell;
use crate::run::drive::ListenerError;
use crate::run::recount::PlayedPair;
use crate::whole_file;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Pairs on each thread that show how fast a run will be.
const PILOT_ROUNDS: u64 = 2;

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

    fn replace(&mut self, tune: &Tune) -> Result<(), String> {
        let spec = tune.spec();
        let (done, all) = (tune.iterations(), spec.schedule.iterations);
        let heading = [
            format!("{} · {}", spec.base.file, spec.conditions.limit),
            format!("{done} of {all} iterations, {} games · run {}", 2 * tune.pairs(), self.run),
        ];
        let picture = chart::file(&heading.each_ref().map(String::as_str), &Tuned::all(tune), [done, all]);
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

impl Outputs<TuneSpec> for TuneFiles {
    fn begin(&mut self, job: &Job, tune: &Tune, session: &Session) -> Result<(), Failure> {
        if job.info.pairs == 0 {
            self.replace(tune).map_err(Failure::run)?;
        }
        if !session.quiet {
            tell(ranges_line(tune.spec()));
            tell(forecast_line(tune.spec(), speed(job, tune.spec(), session)?));
        }
        Ok(())
    }

    fn counted(&mut self, _: &PlayedPair, tune: &Tune) -> Result<(), ListenerError> {
        let is_news = self.written.is_none_or(|(when, iterations)| {
            iterations != tune.iterations() && when.elapsed() >= WRITE_EVERY
        });
        if is_news { self.replace(tune).map_err(ListenerError) } else { Ok(()) }
    }

    fn end(&mut self, tune: &Tune, summary: &mut TuneSummary) -> Result<(), Failure> {
        summary.config = Some(self.folder.join(TUNED));
        self.replace(tune).map_err(Failure::run)
    }
}

/// Games a second: of the sessions before, or else of a few pairs that are not kept; none if that was interrupted.
fn speed(job: &Job, spec: &TuneSpec, session: &Session) -> Result<Option<f64>, Failure> {
    let Session { execution, interrupt, book, .. } = session;
    let (games, seconds) = if job.info.pairs > 0 {
        (job.info.games(), Effort::of(&job.store.sessions(&job.info.id)?).seconds)
    } else {
        let (base, conditions) = (spec.base.clone(), spec.conditions.clone());
        let measure = MeasureSpec { candidate: base.clone(), base, conditions, part_of: None };
        let pairs = (PILOT_ROUNDS * execution.threads as u64).min(spec.pairs());
        let found = pilot(&Arc::new(measure), Arc::clone(book), pairs, execution, interrupt);
        let found = found.map_err(Failure::run)?;
        (found.tally.games.games(), found.wall.as_secs_f64())
    };
    let is_known = games > 0 && seconds > 0.0 && !interrupt.is_asked();
    Ok(is_known.then(|| games as f64 / seconds))
}
