//! Life of a run, written once for every kind: begun or taken up again under a lock, played, finished with its figures.
//!
//! One rule holds for every run that is taken up again: one that was ended prints its report again, and plays on only when
//! it is asked for more than it has; one that was interrupted goes on to where it was last asked to end.

use super::conditions::{conditions, overridden};
use super::engine_options::check_players;
use super::files::{OpenFiles, RunFiles};
use super::job::{Job, failed, refuse_another};
use super::options::{RunOptions, current_folder};
use super::run_arguments::RunArguments;
use super::{Exit, Failure};
use crate::conditions::Conditions;
use crate::kinds::spec::{RunSpec, RunSummary};
use crate::kinds::stored::{goal_of, goal_of_ended, spec_of};
use crate::openings::Book;
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::report::pgn_file::Seat;
use crate::report::progress::ProgressLine;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::contest::{Contest, End};
use crate::run::dealer::Dealer;
use crate::run::drive::{Execution, Listener, ListenerError, RunError};
use crate::run::recount::PlayedPair;
use crate::store::{RunInfo, Store};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A command that plays runs of one kind: what is its own.
pub trait Plays {
    /// What it plays.
    type Spec: RunSpec;

    /// The options that all such commands have.
    fn run(&self) -> &RunArguments;

    /// What is asked for.
    ///
    /// # Errors
    /// See [`Failure`].
    fn spec(&self, asked: &Asked<Self::Spec>) -> Result<Self::Spec, Failure>;

    /// How far the run is to go as these options say; none if they do not. `previous` is how far a stored run went, or was to
    /// go.
    ///
    /// # Errors
    /// It makes no sense.
    fn goal(
        &self,
        options: &RunOptions,
        previous: Option<&<Self::Spec as RunSpec>::Goal>,
    ) -> Result<Option<<Self::Spec as RunSpec>::Goal>, Failure>;

    /// How far a run goes of which nothing else is said.
    fn usual_goal(&self) -> <Self::Spec as RunSpec>::Goal {
        Default::default()
    }

    /// Refuses a run that cannot be played to its goal.
    ///
    /// # Errors
    /// See [`Failure`].
    fn check(&self, _ready: &Ready<Self::Spec>) -> Result<(), Failure> {
        Ok(())
    }

    /// Warns of what is odd about a run whose engines work.
    ///
    /// # Errors
    /// See [`Failure`].
    fn warn(&self, _ready: &Ready<Self::Spec>) -> Result<(), Failure> {
        Ok(())
    }

    /// The players whose engines are started once before the first game.
    ///
    /// # Errors
    /// One of them cannot be.
    fn players_to_try<'a>(&self, spec: &'a Self::Spec) -> Result<Vec<Cow<'a, PlayerSpec>>, Failure> {
        Ok(spec.players().into_iter().map(|(_, player)| Cow::Borrowed(player)).collect())
    }

    /// Further options that must be given again to go on, with a blank before each.
    fn also(&self) -> String {
        String::new()
    }
}

/// What a specification is made of, besides the command's own arguments.
pub struct Asked<'a, Spec> {
    /// The run that is taken up again: what is not given is as it has it.
    pub stored: Option<&'a Spec>,
    /// The options in force.
    pub options: &'a RunOptions,
    /// The current folder.
    pub folder: &'a Path,
    arguments: &'a RunArguments,
    found: OnceCell<Surroundings>,
}

/// Under what circumstances a run is played.
struct Surroundings {
    conditions: Conditions,
    book: Book,
    setup: Setup,
}

impl<Spec: RunSpec> Asked<'_, Spec> {
    /// Under what circumstances it is played. Players that are named should be known before: the book takes longer to read.
    ///
    /// # Errors
    /// See [`conditions`].
    pub fn conditions(&self) -> Result<Conditions, Failure> {
        self.surroundings().map(|found| found.conditions.clone())
    }

    /// How the players are run.
    ///
    /// # Errors
    /// See [`conditions`].
    pub fn setup(&self) -> Result<&Setup, Failure> {
        self.surroundings().map(|found| &found.setup)
    }

    fn surroundings(&self) -> Result<&Surroundings, Failure> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let (conditions, book) = match self.stored {
            Some(spec) => overridden(spec.conditions(), &self.arguments.options, self.folder)?,
            None => conditions(self.options, self.folder)?,
        };
        let RunArguments { engines, quiet, .. } = self.arguments;
        let setup = engines.setup(conditions.hash_megabytes, self.options, *quiet)?;
        Ok(self.found.get_or_init(|| Surroundings { conditions, book, setup }))
    }
}

/// A run that is ready to be begun or gone on with.
pub struct Ready<'a, Spec: RunSpec> {
    /// All that decides its games.
    pub spec: &'a Spec,
    /// Its book.
    pub book: &'a Book,
    /// How far it is to go.
    pub goal: &'a Spec::Goal,
    /// How it is carried out.
    pub execution: &'a Execution,
    /// Whether it begins.
    pub is_new: bool,
    /// Whether the goal is asked for now, and not that of before.
    pub is_goal_new: bool,
    /// Whether nothing is to be told.
    pub quiet: bool,
}

/// A run that was played as far as was wanted.
pub struct Played<Spec: RunSpec> {
    /// What came out.
    pub outcome: Outcome<Spec>,
    /// What was played, with files found where they are now.
    pub conditions: Conditions,
    /// The book.
    pub book: Arc<Book>,
    /// How it was carried out.
    pub execution: Execution,
    /// How far it went, or was to go.
    pub goal: Spec::Goal,
    /// The folder of the store.
    pub results: PathBuf,
}

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

/// Plays what a command asks for: a new run, or more of a stored one.
///
/// # Errors
/// See [`Failure`].
pub fn play<Command: Plays>(
    command: &Command,
    outputs: impl FnOnce(&Job) -> Box<dyn Outputs<Command::Spec>>,
    interrupt: &Interrupt,
) -> Result<Played<Command::Spec>, Failure> {
    let folder = current_folder()?;
    let arguments = command.run();
    arguments.check_files()?;
    let options = arguments.options.clone().or(RunOptions::settings(&folder)?);
    let results = options.results(&folder);
    let stored = arguments.resume.as_deref().map(|name| stored_run(&results, name)).transpose()?;
    let stored_spec: Option<&Command::Spec> = stored.as_ref().map(|(_, _, spec)| spec);
    let found = OnceCell::new();
    let asked = Asked { stored: stored_spec, options: &options, folder: &folder, arguments, found };
    let spec = command.spec(&asked)?;
    asked.surroundings()?;
    let Some(Surroundings { conditions, book, setup }) = asked.found.into_inner() else {
        unreachable!("it was just looked for")
    };
    if let Some((_, info, stored)) = &stored {
        refuse_another(&info.id, stored, &spec)?;
    }
    let previous = match &stored {
        Some((_, info, spec)) => goal_of_ended(spec, info).or(goal_of::<Command::Spec>(info)?),
        None => None,
    };
    // Of a stored run the settings file changes nothing.
    let given = if stored.is_some() { &arguments.options } else { &options };
    let asked_now = command.goal(given, previous.as_ref())?;
    let is_goal_new = stored.is_none() || asked_now.is_some();
    let goal = match asked_now.or(previous) {
        Some(goal) => goal,
        None => command.goal(&options, None)?.unwrap_or_else(|| command.usual_goal()),
    };
    let execution = arguments.engines.execution(spec.players().len(), &conditions, &options, setup)?;
    let ready = Ready {
        spec: &spec,
        book: &book,
        goal: &goal,
        execution: &execution,
        is_new: stored.is_none(),
        is_goal_new,
        quiet: arguments.quiet,
    };
    command.check(&ready)?;
    let to_try = command.players_to_try(stored_spec.unwrap_or(&spec))?;
    check_players(to_try.iter().map(|player| &**player), &conditions, &book, &execution, interrupt)?;
    command.warn(&ready)?;
    let (job, files, spec) = match stored {
        Some((store, info, spec)) => {
            let job = Job { lock: store.lock_run(&info.id)?, store, info };
            (job, arguments.files.open(true)?, spec)
        }
        None => {
            let (job, files) = Job::begin(&results, &spec, &goal, || arguments.files.open(false))?;
            (job, files, spec)
        }
    };
    let (spec, book) = (Arc::new(spec), Arc::new(book));
    let mut outputs = outputs(&job);
    let resume = arguments.resume_command(Command::Spec::KIND, &job.info.id, &results, &arguments.files)
        + &command.also();
    let session = Session { book: &book, execution: &execution, interrupt, quiet: arguments.quiet, resume };
    let outcome = carry_out((job, files), (&spec, &goal), &session, &mut *outputs)?;
    Ok(Played { outcome, conditions, book, execution, goal, results })
}

/// A run of this kind that is to be gone on with; [`Store::lock_run`] then makes it a job.
///
/// # Errors
/// There is no such run, or it is of another kind or from another version of this program.
pub fn stored_run<Spec: RunSpec>(results: &Path, name: &str) -> Result<(Store, RunInfo, Spec), Failure> {
    let store = Store::open_existing(results)?;
    let info = store.run(name)?;
    let spec = spec_of(&info)?;
    Ok((store, info, spec))
}

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
    fn counted(&mut self, _contest: &Spec::Contest) -> Result<(), ListenerError> {
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
    if !quiet {
        spec.introduction().into_iter().for_each(tell);
        tell(format_args!("{} · run {}", spec.heading(), job.info.id));
    }
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

/// Who hears of a counted pair.
struct Listeners<'a, Spec: RunSpec> {
    progress: Option<ProgressLine>,
    files: RunFiles,
    outputs: &'a mut dyn Outputs<Spec>,
}

impl<Spec: RunSpec> Listener<Spec::Contest> for Listeners<'_, Spec> {
    fn counted(
        &mut self,
        PlayedPair { record, players, variations }: &PlayedPair,
        contest: &Spec::Contest,
        is_new: bool,
    ) -> Result<(), ListenerError> {
        let seat = |side: usize| Seat::of(&players[side]).with(variations.as_ref().map(|both| &both[side]));
        self.files.add(record, [seat(0), seat(1)])?;
        if let Some(line) = &mut self.progress {
            line.counted(is_new, |rate| Spec::progress_line(contest, rate));
        }
        // What was counted before is no news: the outputs may be ahead of it.
        if is_new { self.outputs.counted(contest) } else { Ok(()) }
    }
}

impl<Spec: RunSpec> Outcome<Spec> {
    /// Prints the report.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, arguments: &RunArguments) -> Result<(), Failure> {
        match arguments.json {
            true => arguments.print_report(serde_json::to_string(&self.summary).map_err(Failure::run)?),
            false => arguments.print_report(format_args!("{}{}", self.summary.text(), self.summary.ending())),
        }
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
