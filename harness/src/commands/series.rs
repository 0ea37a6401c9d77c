//! What commands share that make many measurements: each is a stored run that is gone on with, so that the command can be
//! taken up again at any time, and asked for more precision later.

use super::conditions::{conditions, conditions_with};
use super::engine_options::EngineOptions;
use super::job::{Beginning, Finding, Job};
use super::options::RunOptions;
use super::{Exit, Failure, print_out};
use crate::experiment::Conditions;
use crate::game::play::Terms;
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::report::measured::Measured;
use crate::report::progress::{ProgressLine, measure_line};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::dealer::Dealer;
use crate::run::drive::{CarryingOut, Listener, ListenerError};
use crate::run::measure::{Enough, Measure, MeasureSpec};
use crate::run::recount::recount;
use crate::store::{RunInfo, Store, StoreError, kind};
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
        let carrying_out = EngineOptions::default().carrying_out(&conditions, &options, self.quiet)?;
        Ok(Series {
            results: options.results(folder),
            max_pairs: options.max_pairs,
            is_usual,
            conditions,
            book: Arc::new(book),
            carrying_out,
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
    carrying_out: CarryingOut,
    quiet: bool,
}

impl Series {
    /// Games in parallel.
    pub fn threads(&self) -> usize {
        self.carrying_out.threads
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
        let store = Store::open(&self.results)?;
        let job = match stored(&store, spec)? {
            Some(info) => Job { lock: store.lock_run(&info.id)?, store, info },
            None => {
                let (question, digest) = (spec.question(), spec.digest());
                let beginning = Beginning { kind: kind::MEASURE, question: &question, spec, digest: &digest };
                Job::begin(&self.results, &beginning, || Ok(()))?.0
            }
        };
        self.tell(format_args!("{} · run {}", spec.question(), job.info.id));
        let mut listener = Shown((!self.quiet).then(|| ProgressLine::new(spec.question())));
        let mut contest = Measure::new(spec, enough);
        let dealer = Dealer::new(&spec.conditions, Arc::clone(&self.book));
        // A measurement may have a limit of its own.
        let terms = Terms { limit: spec.conditions.limit, ..self.carrying_out.terms.clone() };
        let carrying_out = CarryingOut { terms, ..self.carrying_out.clone() };
        let played = job.play((&mut contest, &dealer), &carrying_out, interrupt, &mut listener, &GO_ON)?;
        if let Some(stopped) = played.stopped(GO_ON) {
            return Err(stopped);
        }
        let measured = Measured::new(&played.info.id, contest.tally());
        let finding = Finding { games: measured.games, verdict: "measured", is_final: false };
        played.finish(finding, &measured)?;
        Ok(measured)
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
        let Some(info) = stored(&store, spec)? else { return Ok(None) };
        let mut contest = Measure::new(spec, enough);
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

fn stored(store: &Store, spec: &MeasureSpec) -> Result<Option<RunInfo>, Failure> {
    let digest = spec.digest();
    Ok(store.runs()?.into_iter().find(|run| run.kind == kind::MEASURE && run.digest == digest))
}

/// Shows how far it is.
struct Shown(Option<ProgressLine>);

impl Listener<Measure> for Shown {
    fn counted(&mut self, _: &PairRecord, measure: &Measure, is_new: bool) -> Result<(), ListenerError> {
        if let Some(line) = &mut self.0 {
            line.counted(is_new, |rate| measure_line(measure, rate));
        }
        Ok(())
    }
}
