//! What commands share that make many measurements: each is a stored run that is gone on with, so that the command can be
//! taken up again at any time, and asked for more precision later.

use crate::cli::carry_out::{Session, carry_out};
use crate::cli::conditions::{conditions, conditions_with};
use crate::cli::files::OpenFiles;
use crate::cli::job::{Job, known};
use crate::cli::options::RunOptions;
use crate::cli::{Exit, Failure};
use crate::conditions::Conditions;
use crate::game::play::Terms;
use crate::kinds::measure::summary::Measured;
use crate::kinds::measure::{Enough, Measure, MeasureSpec};
use crate::openings::Book;
use crate::options::{self, Name, Options, Set};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::drive::Execution;
use crate::run::recount::recount;
use crate::store::{Store, StoreError};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a series is taken up again.
const GO_ON: &str = "give the same command again";

/// What a measurement takes: it has no test, and is gone on with by the same command.
pub const TAKEN: Set = MEASURED & !options::TEST;

/// Options of games that are played within another command, without files beside the store.
pub const MEASURED: Set = options::ALL
    & !options::of(&[Name::resume, Name::out_of_process, Name::pgn, Name::events, Name::log, Name::expect]);

/// How measurements are played, and told.
#[derive(Args)]
pub struct SeriesOptions<const OPTIONS: Set> {
    /// Play nothing: tell what is stored
    #[arg(long)]
    pub stored: bool,
    /// How games are played.
    #[command(flatten)]
    pub options: Options<OPTIONS>,
}

impl<const OPTIONS: Set> SeriesOptions<OPTIONS> {
    /// Prepares for measurements that are begun in this folder.
    ///
    /// # Errors
    /// The settings, the book or the conditions cannot be used.
    pub fn open(&self, folder: &Path) -> Result<Series, Failure> {
        let options = self.options.clone().or(RunOptions::settings(folder)?);
        let (conditions, book) = conditions(&options, folder)?;
        let is_usual = is_usual(&options, (&conditions, &book), folder);
        let execution = options.execution(2, &conditions)?;
        Ok(Series {
            results: options.results(folder),
            options,
            is_usual,
            conditions,
            book: Arc::new(book),
            execution,
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
}

/// Measurements that are ready to be played.
pub struct Series {
    /// Folder of the store.
    pub results: PathBuf,
    /// The options in force.
    pub options: RunOptions,
    /// Under what circumstances, as far as they are common to all.
    pub conditions: Conditions,
    /// Whether they are the usual ones, but for the limit.
    pub is_usual: bool,
    /// The book of its openings.
    pub book: Arc<Book>,
    execution: Execution,
}

impl Series {
    /// Says what comes next, unless nobody wants to hear it.
    pub fn tell(&self, line: impl std::fmt::Display) {
        if self.options.quiet.is_none() {
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
        let session = Session {
            book: &self.book,
            execution: &execution,
            interrupt,
            quiet: self.options.quiet.is_some(),
            resume,
        };
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
