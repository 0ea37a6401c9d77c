//! Carrying out a run: its pairs are played to its goal, and what came out is stored and told. Written once for every kind.

use super::files::{OpenFiles, RunFiles};
use super::job::{Job, failed};
use super::options::RunOptions;
use super::{Exit, Failure};
use crate::kinds::spec::{RunSpec, RunSummary};
use crate::openings::Book;
use crate::report::head::Effort;
use crate::report::pgn_file::Seat;
use crate::report::progress::ProgressLine;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::contest::{Contest, End};
use crate::run::dealer::Dealer;
use crate::run::drive::{Execution, Listener, ListenerError, RunError};
use crate::run::recount::{PlayedPair, recount};
use std::sync::Arc;

/// How a run is played in this session.
pub struct Session<'a> {
    /// The book.
    pub book: &'a Arc<Book>,
    /// How games are played.
    pub execution: &'a Execution,
    /// What ends it early.
    pub interrupt: &'a Interrupt,
    /// Show no progress.
    pub quiet: bool,
    /// What the user types to go on with the run.
    pub resume: String,
}

/// What a kind of run keeps up to date besides the store, as it goes on.
pub trait Outputs<Spec: RunSpec> {
    /// The run is about to be played.
    ///
    /// # Errors
    /// A file cannot be written.
    fn begin(&mut self, _job: &Job, _contest: &Spec::Contest, _session: &Session) -> Result<(), Failure> {
        Ok(())
    }

    /// A pair has been counted that was played now.
    ///
    /// # Errors
    /// A file cannot be written.
    fn counted(&mut self, _pair: &PlayedPair, _contest: &Spec::Contest) -> Result<(), ListenerError> {
        Ok(())
    }

    /// The run has ended or was interrupted.
    ///
    /// # Errors
    /// A file cannot be written.
    fn end(&mut self, _contest: &Spec::Contest, _summary: &mut Spec::Summary) -> Result<(), Failure> {
        Ok(())
    }
}

impl<Spec: RunSpec> Outputs<Spec> for () {}

/// What came out of a run.
pub struct Outcome<Spec: RunSpec> {
    /// What was played.
    pub spec: Arc<Spec>,
    /// The figures.
    pub summary: Spec::Summary,
    /// Why it ended; none if it was interrupted.
    pub end: Option<End>,
    /// Why it was ended early, if faults decided its games.
    pub stopped: Option<Failure>,
    /// How to go on with it.
    pub resume: String,
}

/// Plays the run as far as its goal, and stores what came out.
///
/// # Errors
/// See [`Failure`].
pub fn carry_out<Spec: RunSpec>(
    (job, files): (Job, OpenFiles),
    (spec, goal): (&Arc<Spec>, &Spec::Goal),
    session: &Session,
    outputs: &mut dyn Outputs<Spec>,
) -> Result<Outcome<Spec>, Failure> {
    let Session { book, execution, interrupt, quiet, resume } = session;
    let mut contest = spec.contest(goal);
    let dealer = Dealer::new(spec.conditions(), Arc::clone(book));
    let files = files.of_run(&job.info, &spec.question(), spec.conditions().limit)?;
    tell_heading(&**spec, &job, *quiet);
    outputs.begin(&job, &contest, session)?;
    let progress = (!quiet).then(|| ProgressLine::new(spec.heading()));
    let mut listeners = Listeners { progress, files, outputs };
    let played = job.play((&mut contest, &dealer), goal, execution, interrupt, &mut listeners, resume)?;
    let end = contest.end();
    if let Some(End::Failed(reason)) = end {
        return Err(failed(&RunError::Player(reason), resume));
    }
    let mut summary = Spec::summary(&played.info.id, &contest, &played.effort);
    listeners.outputs.end(&contest, &mut summary)?;
    played.finish(&summary, end == Some(End::Decided))?;
    if end.is_some() {
        listeners.files.end(summary.verdict(), summary.games())?;
    }
    let stopped = played.stopped(resume);
    Ok(Outcome { spec: Arc::clone(spec), summary, end, stopped, resume: resume.clone() })
}

/// What came out of an ended run, counted again up to the goal that ends it there. It needs neither the book nor the engines,
/// and writes the files that are asked for beside the store.
///
/// # Errors
/// See [`Failure`].
pub fn count_again<Spec: RunSpec>(
    (job, files): (Job, OpenFiles),
    (spec, goal): (&Arc<Spec>, &Spec::Goal),
    (quiet, resume): (bool, String),
    outputs: &mut dyn Outputs<Spec>,
) -> Result<Outcome<Spec>, Failure> {
    let mut contest = spec.contest(goal);
    let files = files.of_run(&job.info, &spec.question(), spec.conditions().limit)?;
    tell_heading(&**spec, &job, quiet);
    let mut listeners = Listeners { progress: None, files, outputs };
    let mut heard = Ok(());
    recount(&mut contest, (&job.store, &job.info.id), |pair, contest| {
        if heard.is_ok() {
            heard = listeners.counted(pair, contest, false);
        }
    })?;
    heard.map_err(|error| failed(&RunError::Listener(error), &resume))?;
    let effort = Effort::of(&job.store.sessions(&job.info.id)?);
    let mut summary = Spec::summary(&job.info.id, &contest, &effort);
    listeners.outputs.end(&contest, &mut summary)?;
    listeners.files.end(summary.verdict(), summary.games())?;
    Ok(Outcome { spec: Arc::clone(spec), summary, end: contest.end(), stopped: None, resume })
}

fn tell_heading<Spec: RunSpec>(spec: &Spec, job: &Job, quiet: bool) {
    if !quiet {
        spec.introduction().into_iter().for_each(tell);
        tell(format_args!("{} · run {}", spec.heading(), job.info.id));
    }
}

/// Who hears of a counted pair.
struct Listeners<'a, Spec: RunSpec> {
    progress: Option<ProgressLine>,
    files: RunFiles,
    outputs: &'a mut dyn Outputs<Spec>,
}

impl<Spec: RunSpec> Listener<Spec::Contest> for Listeners<'_, Spec> {
    fn counted(
        &mut self,
        pair: &PlayedPair,
        contest: &Spec::Contest,
        is_new: bool,
    ) -> Result<(), ListenerError> {
        let PlayedPair { record, players, variations } = pair;
        let seat = |side: usize| Seat::of(&players[side]).with(variations.as_ref().map(|both| &both[side]));
        self.files.add(record, [seat(0), seat(1)])?;
        if let Some(line) = &mut self.progress {
            line.counted(is_new, |rate| Spec::progress_line(contest, rate));
        }
        // What was counted before is no news: the outputs may be ahead of it.
        if is_new { self.outputs.counted(pair, contest) } else { Ok(()) }
    }
}

impl<Spec: RunSpec> Outcome<Spec> {
    /// Prints the report as it was asked for.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, given: &RunOptions) -> Result<(), Failure> {
        given.print(&self.summary, || self.summary.text() + &self.summary.ending())
    }

    /// How the command ends.
    ///
    /// # Errors
    /// Faults decided the games.
    pub fn exit(self) -> Result<Exit, Failure> {
        if let Some(stopped) = self.stopped {
            return Err(stopped);
        }
        if self.end.is_none() {
            tell(format_args!("to go on: {}", self.resume));
            return Ok(Exit::Interrupted);
        }
        Ok(Exit::Done)
    }
}
