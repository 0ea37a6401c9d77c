//! Life of a run, written once for every kind: begun or taken up again under a lock, played, finished with its figures.
//! How a stored run goes on, [`resumed`](super::resumed) says.

use super::Failure;
use super::carry_out::{Outcome, Outputs, Session, carry_out, count_again};
use super::conditions::{conditions, overridden};
use super::engine_options::check_players;
use super::job::{Job, refuse_another};
use super::options::{RunOptions, current_folder};
use super::resumed::{Resumed, StoredRun};
use crate::conditions::Conditions;
use crate::kinds::spec::RunSpec;
use crate::openings::Book;
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::run::Interrupt;
use crate::run::drive::Execution;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A command that plays runs of one kind: what is its own.
pub trait Plays {
    /// What it plays.
    type Spec: RunSpec;

    /// The options as they were given.
    fn given(&self) -> &RunOptions;

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

    /// Whether its own arguments, besides the options, say what is played: of a run that is taken up again they must ask for
    /// what it is.
    fn describes(&self) -> bool;

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

    /// Players that a thread keeps ready; `stored` is the run that is taken up again.
    fn kept_players(&self, _stored: Option<&Self::Spec>) -> usize {
        2
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
    given: &'a RunOptions,
    kept_players: usize,
    found: OnceCell<Surroundings>,
}

/// Under what circumstances a run is played.
pub struct Surroundings {
    /// What is played, with files found where they are now.
    pub conditions: Conditions,
    /// The book.
    pub book: Arc<Book>,
    /// How it is carried out.
    pub execution: Execution,
}

impl Surroundings {
    /// Those of a stored run under its conditions, or of a new one. A thread keeps so many players ready.
    ///
    /// # Errors
    /// See [`conditions`].
    pub fn find(
        stored: Option<&Conditions>,
        (given, options): (&RunOptions, &RunOptions),
        folder: &Path,
        kept_players: usize,
    ) -> Result<Surroundings, Failure> {
        let (conditions, book) = match stored {
            Some(stored) => overridden(stored, given, folder)?,
            None => conditions(options, folder)?,
        };
        let execution = options.execution(kept_players, &conditions)?;
        Ok(Surroundings { conditions, book: Arc::new(book), execution })
    }
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
        self.surroundings().map(|found| &found.execution.setup)
    }

    fn surroundings(&self) -> Result<&Surroundings, Failure> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let stored = self.stored.map(RunSpec::conditions);
        let found = Surroundings::find(stored, (self.given, self.options), self.folder, self.kept_players)?;
        Ok(self.found.get_or_init(|| found))
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
    /// How far it went, or was to go.
    pub goal: Spec::Goal,
    /// The folder of the store.
    pub results: PathBuf,
    /// Under what circumstances it was played; none of an ended run whose report is only printed again.
    pub surroundings: Option<Surroundings>,
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
    let given = command.given();
    given.check_files()?;
    let options = given.clone().or(RunOptions::settings(&folder)?);
    let results = options.results(&folder);
    let stored: Option<StoredRun<Command::Spec>> =
        given.resume.as_deref().map(|name| StoredRun::find(&results, name)).transpose()?;
    // Of a stored run the settings file changes nothing.
    let asked_now = match &stored {
        Some(run) => command.goal(given, run.goal()?.as_ref())?,
        None => command.goal(&options, None)?,
    };
    let is_goal_new = stored.is_none() || asked_now.is_some();
    let goal = match &stored {
        None => asked_now,
        Some(run) => match run.resumed(asked_now)? {
            Resumed::Again(goal) if !is_described(command) => {
                let StoredRun { store, info, spec } = stored.expect("it was just looked at");
                let job = Job { lock: store.lock_run(&info.id)?, store, info };
                let (mut outputs, quiet) = (outputs(&job), given.quiet.is_some());
                let resume = resume_command(command, &job, &results);
                let work = (job, given.open_files(true)?);
                let outcome = count_again(work, (&spec, &goal), (quiet, resume), &mut *outputs)?;
                return Ok(Played { outcome, goal, results, surroundings: None });
            }
            Resumed::Again(goal) => Some(goal),
            Resumed::Onwards(Some(goal)) => Some(goal),
            Resumed::Onwards(None) => command.goal(&options, None)?,
        },
    };
    let goal = goal.unwrap_or_else(|| command.usual_goal());
    let stored_spec = stored.as_ref().map(|run| &*run.spec);
    let kept_players = command.kept_players(stored_spec);
    let found = OnceCell::new();
    let asked = Asked { stored: stored_spec, options: &options, folder: &folder, given, kept_players, found };
    let spec = command.spec(&asked)?;
    asked.surroundings()?;
    let surroundings = asked.found.into_inner().expect("they were just found");
    if let Some(run) = &stored {
        refuse_another(&run.info.id, &*run.spec, &spec)?;
    }
    let Surroundings { conditions, book, execution } = &surroundings;
    let ready = Ready {
        spec: &spec,
        book,
        goal: &goal,
        execution,
        is_new: stored.is_none(),
        is_goal_new,
        quiet: given.quiet.is_some(),
    };
    command.check(&ready)?;
    let to_try = command.players_to_try(stored_spec.unwrap_or(&spec))?;
    check_players(to_try.iter().map(|player| &**player), conditions, book, execution, interrupt)?;
    command.warn(&ready)?;
    let (job, files, spec) = match stored {
        Some(StoredRun { store, info, spec }) => {
            let job = Job { lock: store.lock_run(&info.id)?, store, info };
            (job, given.open_files(true)?, spec)
        }
        None => {
            let (job, files) = Job::begin(&results, &spec, &goal, || given.open_files(false))?;
            (job, files, Arc::new(spec))
        }
    };
    let mut outputs = outputs(&job);
    let resume = resume_command(command, &job, &results);
    let session = Session { book, execution, interrupt, quiet: given.quiet.is_some(), resume };
    let outcome = carry_out((job, files), (&spec, &goal), &session, &mut *outputs)?;
    Ok(Played { outcome, goal, results, surroundings: Some(surroundings) })
}

/// Whether the command line says what is played, and not only which run and how.
fn is_described<Command: Plays>(command: &Command) -> bool {
    command.describes() || command.given().given().any(|(option, _)| !option.role.fact().is_empty())
}

fn resume_command<Command: Plays>(command: &Command, job: &Job, results: &Path) -> String {
    command.given().resume_command(Command::Spec::KIND, &job.info.id, results) + &command.also()
}
