//! What commands share that make many measurements: each is a stored run that is gone on with, so that the command can be
//! taken up again at any time, and asked for more precision later.

use super::conditions::{conditions, conditions_with};
use super::job::{Beginning, Finding, Job};
use super::options::RunOptions;
use super::{Exit, Failure};
use crate::experiment::Conditions;
use crate::game::play::Terms;
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::options::{self, Name, Options, Set};
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
        let carrying_out = options.carrying_out(2, &conditions)?;
        Ok(Series {
            results: options.results(folder),
            options,
            is_usual,
            conditions,
            book: Arc::new(book),
            carrying_out,
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
    carrying_out: CarryingOut,
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
        let mut listener = Shown(self.options.quiet.is_none().then(|| ProgressLine::new(spec.question())));
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
