//! What commands share that make many measurements: each is a stored run that is gone on with, so that the command can be
//! taken up again at any time, and asked for more precision later.

use super::conditions::{conditions, conditions_with};
use super::engine_options::EngineOptions;
use super::files::OpenFiles;
use super::job::{Job, known};
use super::options::RunOptions;
use super::play::{Session, carry_out};
use super::{Exit, Failure, print_out};
use crate::conditions::Conditions;
use crate::game::play::Terms;
use crate::kinds::measure::summary::Measured;
use crate::kinds::measure::{Enough, Measure, MeasureSpec};
use crate::openings::Book;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::drive::Execution;
use crate::run::recount::recount;
use crate::store::{Store, StoreError};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a series is taken up again.
const GO_ON: &str = "give the same command again";

/// How measurements are played, and told.
#[derive(Args)]
pub struct SeriesOptions {
    /// Play nothing: tell what is stored
    #[arg(long)]
    pub stored: bool,
    /// How games are played.
    #[command(flatten)]
    pub options: RunOptions,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

impl SeriesOptions {
    /// Prepares for measurements that are begun in this folder.
    ///
    /// # Errors
    /// The settings, the book or the conditions cannot be used.
    pub fn open(&self, folder: &Path) -> Result<Series, Failure> {
        self.options.refuse_test("this measures without one")?;
        let options = self.options.clone().or(RunOptions::settings(folder)?);
        let (conditions, book) = conditions(&options, folder)?;
        let is_usual = is_usual(&options, (&conditions, &book), folder);
        let engines = EngineOptions::default();
        let setup = engines.setup(conditions.hash_megabytes, &options, self.quiet)?;
        let execution = engines.execution(2, &conditions, &options, setup)?;
        Ok(Series {
            results: options.results(folder),
            max_pairs: options.max_pairs,
            is_usual,
            conditions,
            book: Arc::new(book),
            execution,
            quiet: self.quiet,
        })
    }

    /// Ends the command, which an interrupt may have cut short.
    pub fn exit(&self, interrupt: &Interrupt) -> Exit {
        if interrupt.is_asked() {
            tell(format_args!("to go on: {GO_ON}"));
            return Exit::Interrupted;
        }
        Exit::Done
    }

    /// Prints the report, as it was asked for.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, report: &impl Serialize, text: impl FnOnce() -> String) -> Result<(), Failure> {
        match self.json {
            true => print_out(serde_json::to_string(report).map_err(Failure::run)?),
            false => print_out(text()),
        }
    }
}

/// Measurements that are ready to be played.
pub struct Series {
    /// Folder of the store.
    pub results: PathBuf,
    /// The pairs that were asked for.
    pub max_pairs: Option<u64>,
    /// Under what circumstances, as far as they are common to all.
    pub conditions: Conditions,
    /// Whether they are the usual ones, but for the limit.
    pub is_usual: bool,
    /// The book of its openings.
    pub book: Arc<Book>,
    execution: Execution,
    quiet: bool,
}

impl Series {
    /// Games in parallel.
    pub fn threads(&self) -> usize {
        self.execution.threads
    }

    /// Says what comes next, unless nobody wants to hear it.
    pub fn tell(&self, line: impl std::fmt::Display) {
        if !self.quiet {
            tell(line);
        }
    }

    /// Plays what is missing of a measurement, and stores it.
    ///
    /// # Errors
    /// The store cannot be used, or the games cannot be played.
    pub fn measure(
        &self,
        spec: &MeasureSpec,
        enough: Enough,
        interrupt: &Interrupt,
    ) -> Result<Measured, Failure> {
        let spec = Arc::new(spec.clone());
        let job = Job::begin_or_go_on(&self.results, &*spec, &enough)?;
        // A measurement may have a limit of its own.
        let terms = Terms { limit: spec.conditions.limit, ..self.execution.terms.clone() };
        let execution = Execution { terms, ..self.execution.clone() };
        let resume = GO_ON.to_owned();
        let session =
            Session { book: &self.book, execution: &execution, interrupt, quiet: self.quiet, resume };
        let outcome = carry_out((job, OpenFiles::default()), (&spec, &enough), &session, &mut ())?;
        outcome.stopped.map_or(Ok(outcome.summary), Err)
    }

    /// What is stored of a measurement: the pairs up to the first that is missing.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn look(&self, spec: &MeasureSpec, enough: Enough) -> Result<Option<Measured>, Failure> {
        let store = match Store::open_existing(&self.results) {
            Err(StoreError::NoStore { .. } | StoreError::Empty { .. }) => return Ok(None),
            opened => opened?,
        };
        let Some(info) = known(&store, spec)? else { return Ok(None) };
        let mut contest = Measure::new(&Arc::new(spec.clone()), enough);
        recount(&mut contest, (&store, &info.id), |_, _| ())?;
        Ok(Some(Measured::new(&info.id, contest.tally())))
    }
}

/// Whether these are the conditions that hold if none is asked for, but for the limit.
fn is_usual(options: &RunOptions, (asked, book): (&Conditions, &Book), folder: &Path) -> bool {
    let RunOptions { nodes, depth, movetime, tc, .. } = *options;
    let limit_alone = RunOptions { nodes, depth, movetime, tc, ..RunOptions::default() };
    let usual = match (&options.openings, options.plies) {
        // The book is large, and has been read already.
        (None, None) => conditions_with(&limit_alone, book),
        // Where the project ships no book, none is usual.
        _ => conditions(&limit_alone, folder).map(|(conditions, _)| conditions),
    };
    usual.is_ok_and(|usual| usual.facts() == asked.facts())
}
