//! Life of a run, written once for every kind: begun or taken up again under a lock, played, finished with its figures.
//!
//! One rule holds for every run that is taken up again: one that was ended prints its report again, and plays on only when
//! it is asked for more than it has; one that was interrupted goes on to where it was last asked to end.

use super::Failure;
use super::carry_out::{Outcome, Outputs, Session, carry_out};
use super::conditions::{conditions, overridden};
use super::engine_options::check_players;
use super::job::{Job, refuse_another};
use super::options::{RunOptions, current_folder};
use crate::conditions::Conditions;
use crate::kinds::spec::RunSpec;
use crate::kinds::stored::{goal_of, goal_of_ended, spec_of};
use crate::openings::Book;
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::run::Interrupt;
use crate::run::drive::Execution;
use crate::store::{RunInfo, Store};
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
struct Surroundings {
    conditions: Conditions,
    book: Book,
    execution: Execution,
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
        let (conditions, book) = match self.stored {
            Some(spec) => overridden(spec.conditions(), self.given, self.folder)?,
            None => conditions(self.options, self.folder)?,
        };
        let execution = self.options.execution(self.kept_players, &conditions)?;
        Ok(self.found.get_or_init(|| Surroundings { conditions, book, execution }))
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
    let stored = given.resume.as_deref().map(|name| stored_run(&results, name)).transpose()?;
    let stored_spec: Option<&Command::Spec> = stored.as_ref().map(|(_, _, spec)| spec);
    let found = OnceCell::new();
    let kept_players = command.kept_players(stored_spec);
    let asked = Asked { stored: stored_spec, options: &options, folder: &folder, given, kept_players, found };
    let spec = command.spec(&asked)?;
    asked.surroundings()?;
    let Some(Surroundings { conditions, book, execution }) = asked.found.into_inner() else {
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
    let asked_now = command.goal(if stored.is_some() { given } else { &options }, previous.as_ref())?;
    let is_goal_new = stored.is_none() || asked_now.is_some();
    let goal = match asked_now.or(previous) {
        Some(goal) => goal,
        None => command.goal(&options, None)?.unwrap_or_else(|| command.usual_goal()),
    };
    let ready = Ready {
        spec: &spec,
        book: &book,
        goal: &goal,
        execution: &execution,
        is_new: stored.is_none(),
        is_goal_new,
        quiet: given.quiet.is_some(),
    };
    command.check(&ready)?;
    let to_try = command.players_to_try(stored_spec.unwrap_or(&spec))?;
    check_players(to_try.iter().map(|player| &**player), &conditions, &book, &execution, interrupt)?;
    command.warn(&ready)?;
    let (job, files, spec) = match stored {
        Some((store, info, spec)) => {
            let job = Job { lock: store.lock_run(&info.id)?, store, info };
            (job, given.open_files(true)?, spec)
        }
        None => {
            let (job, files) = Job::begin(&results, &spec, &goal, || given.open_files(false))?;
            (job, files, spec)
        }
    };
    let (spec, book) = (Arc::new(spec), Arc::new(book));
    let mut outputs = outputs(&job);
    let resume = given.resume_command(Command::Spec::KIND, &job.info.id, &results) + &command.also();
    let quiet = given.quiet.is_some();
    let session = Session { book: &book, execution: &execution, interrupt, quiet, resume };
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
