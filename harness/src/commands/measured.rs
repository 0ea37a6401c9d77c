//! Plays one measurement of several: the stored run is gone on with, so that a command that makes many can be taken up
//! again at any time, and asked for more precision later.

use super::Failure;
use super::job::{Beginning, Job};
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::report::measured::Measured;
use crate::report::progress::{ProgressLine, measure_line};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::contest::Contest;
use crate::run::drive::{CarryingOut, Listener, ListenerError, drive};
use crate::run::measure::{Enough, Measure, MeasureSpec};
use crate::store::{RunInfo, Store};
use std::path::Path;
use std::sync::Arc;

/// The kind of run in the store.
const KIND: &str = "measure";

/// How measurements are played.
#[derive(Clone, Copy)]
pub struct Playing<'a> {
    /// Folder of the store.
    pub results: &'a Path,
    /// How, and how many at once.
    pub carrying_out: &'a CarryingOut,
    /// Ends it early.
    pub interrupt: &'a Interrupt,
    /// Show no progress.
    pub quiet: bool,
}

/// Plays what is missing of a measurement, and stores it.
///
/// # Errors
/// The store cannot be used, or the games cannot be played.
pub fn measure(
    spec: &MeasureSpec,
    book: &Arc<Book>,
    enough: Enough,
    playing: Playing,
) -> Result<Measured, Failure> {
    let Playing { results, carrying_out, interrupt, quiet } = playing;
    let store = Store::open(results)?;
    let Job { store, lock, info } = match stored(&store, spec)? {
        Some(info) => Job { lock: store.lock_run(&info.id)?, store, info },
        None => {
            let (question, digest) = (spec.question(), spec.digest());
            let beginning = Beginning { kind: KIND, question: &question, spec, digest: &digest };
            Job::begin(results, &beginning, || Ok(()))?.0
        }
    };
    if !quiet {
        tell(format_args!("{} · run {}", spec.question(), info.id));
    }
    let mut listener = Shown((!quiet).then(|| ProgressLine::new(spec.question())));
    let mut contest = Measure::new(spec, book, enough);
    // A measurement may have a limit of its own.
    let carrying_out = CarryingOut { terms: spec.conditions.terms(), ..carrying_out.clone() };
    let driven = drive(&mut contest, (&store, lock), &carrying_out, interrupt, &mut listener);
    if let Some(line) = &listener.0 {
        line.finish();
    }
    let (ended, _lock) = driven.map_err(|error| {
        Failure::run(format!("{error}\nto go on with {}, give the same command again", info.id))
    })?;
    let measured = Measured::new(&info.id, contest.tally());
    Job::finish(&store, &info.id, &ended, measured.games, "measured", &measured)?;
    Ok(measured)
}

/// What is stored of a measurement: the pairs up to the first that is missing.
///
/// # Errors
/// The store cannot be read.
pub fn look(
    spec: &MeasureSpec,
    book: &Arc<Book>,
    enough: Enough,
    results: &Path,
) -> Result<Option<Measured>, Failure> {
    let Ok(store) = Store::open_existing(results) else { return Ok(None) };
    let Some(info) = stored(&store, spec)? else { return Ok(None) };
    let mut contest = Measure::new(spec, book, enough);
    for (index, pair) in store.pairs(&info.id, 0).enumerate() {
        let pair = pair?;
        if pair.index != index as u64 || contest.is_over() {
            break;
        }
        contest.count(&pair);
    }
    Ok(Some(Measured::new(&info.id, contest.tally())))
}

fn stored(store: &Store, spec: &MeasureSpec) -> Result<Option<RunInfo>, Failure> {
    let digest = spec.digest();
    Ok(store.runs()?.into_iter().find(|run| run.kind == KIND && run.digest == digest))
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
