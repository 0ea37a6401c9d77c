//! Options of a run: one [`TABLE`] has each of them once, with its type, range, help and role. From it follow clap's
//! arguments, the keys of `harness.toml`, the merge of the two, the names of the facts that a digest is made of, and the options in
//! the commands that are printed: to play a run again, and to go on with one.
//!
//! A command names the options it takes as a [`Set`], and flattens [`Options`] of that set into its arguments.

mod choices;
pub mod settings;
mod stored;
mod table;
mod value;

pub use choices::{Expected, Preset};
pub use settings::keys;
pub use table::{Name, RunOptions, TABLE};
pub use value::whole;

use crate::game::limit::Limit;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use std::ops::Deref;

/// More pairs than anybody could play; numbers up to here can be doubled and added without overflow.
pub const MOST_PAIRS: u64 = 1 << 40;

/// The limit unless another is given.
const DEFAULT_LIMIT: Limit = Limit::nodes(5000);

/// The headings of the help, in their order.
pub const HEADINGS: [&str; 7] =
    ["Players", "Limit", "Openings", "Test", "Adjudication", "Where and how", "Output"];

/// An option: a row of the table.
pub struct RunOption {
    /// Its name in this program.
    pub name: Name,
    /// Its name on the command line, without the dashes, and in `harness.toml`.
    pub long: &'static str,
    help: &'static str,
    /// What holds if it is not given, for people; empty if nothing does.
    default: &'static str,
    /// What stands for its value in the help; empty if it takes none.
    value_name: &'static str,
    /// Where in the help it stands.
    pub heading: &'static str,
    /// What it decides.
    pub role: Role,
    /// Makes an argument take its values.
    argument: fn(Arg) -> Arg,
}

/// What an option decides. All but [`Call`](Role::Call) and [`Once`](Role::Once) are keys of `harness.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The games: a fact of this name.
    Games(&'static str),
    /// The games, by what is in files: a fact of this name. Where they lie is none, and must be said again to go on.
    Files(&'static str),
    /// The test: a fact of this name.
    Test(&'static str),
    /// How a session is carried out: no fact, and said again to go on.
    Session,
    /// The same, but of one call of the program: no key of the settings.
    Call,
    /// Something of one call, not said again.
    Once,
}

impl Role {
    /// The name of the fact that the option decides; empty if it decides none.
    pub const fn fact(self) -> &'static str {
        match self {
            Role::Games(fact) | Role::Files(fact) | Role::Test(fact) => fact,
            Role::Session | Role::Call | Role::Once => "",
        }
    }

    /// Whether games depend on it.
    pub const fn is_of_games(self) -> bool {
        matches!(self, Role::Games(_) | Role::Files(_))
    }

    /// Whether a test depends on it.
    pub const fn is_of_test(self) -> bool {
        matches!(self, Role::Test(_))
    }

    /// Whether it must be given again to go on with a run.
    pub const fn is_given_again(self) -> bool {
        matches!(self, Role::Files(_) | Role::Session | Role::Call)
    }
}

impl RunOption {
    fn argument(&self) -> Arg {
        let RunOption { long, help, default, value_name, heading, .. } = *self;
        let help = if default.is_empty() { help.to_owned() } else { format!("{help} [default: {default}]") };
        let argument = Arg::new(long).long(long).help(help).help_heading(heading);
        (self.argument)(match value_name {
            "" => argument,
            name => argument.value_name(name).allow_negative_numbers(true),
        })
    }
}

impl Name {
    /// The name of the fact that the option decides; empty if it decides none.
    pub const fn fact(self) -> &'static str {
        TABLE[self as usize].role.fact()
    }
}

/// Options of the table, a bit each.
pub type Set = u64;

/// Every option.
pub const ALL: Set = (1 << TABLE.len()) - 1;

/// The options of a test.
pub const TEST: Set = {
    let (mut set, mut place) = (0, 0);
    while place < TABLE.len() {
        set |= (TABLE[place].role.is_of_test() as Set) << place;
        place += 1;
    }
    set
};

/// These options.
pub const fn of(names: &[Name]) -> Set {
    match names {
        [] => 0,
        [first, others @ ..] => 1 << *first as usize | of(others),
    }
}

/// The options of a command that takes these of the table, as they are given; a value of any other is none.
pub struct Options<const TAKEN: Set>(RunOptions);

impl<const TAKEN: Set> Deref for Options<TAKEN> {
    type Target = RunOptions;
    fn deref(&self) -> &RunOptions {
        &self.0
    }
}

impl<const TAKEN: Set> Args for Options<TAKEN> {
    fn augment_args(command: Command) -> Command {
        let below = |heading| TABLE.iter().filter(move |option| option.heading == heading);
        let taken = HEADINGS.into_iter().flat_map(below).filter(|option| TAKEN & of(&[option.name]) != 0);
        command.args(taken.map(RunOption::argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const TAKEN: Set> FromArgMatches for Options<TAKEN> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Options(RunOptions::taken_from(&mut matches.clone())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0 = Self::from_arg_matches(matches)?.0.or(std::mem::take(&mut self.0));
        Ok(())
    }
}

impl RunOptions {
    /// These options, and where one is not given, that of the settings.
    pub fn or(self, settings: RunOptions) -> RunOptions {
        // Limits belong together: those of the command line replace all in the settings.
        let settings = match self.given_limit() {
            Some(_) => RunOptions { nodes: None, depth: None, movetime: None, tc: None, ..settings },
            None => settings,
        };
        // So does a preset any bounds.
        let settings = match self.preset {
            Some(_) => RunOptions { elo0: None, elo1: None, ..settings },
            None => settings,
        };
        self.or_each(settings)
    }

    /// The limit that is given, if one is.
    pub fn given_limit(&self) -> Option<Limit> {
        let RunOptions { nodes, depth, movetime, tc, .. } = *self;
        let limit = Limit { nodes, depth, movetime, tc };
        (limit != Limit::default()).then_some(limit)
    }

    /// The limit in force.
    pub fn limit(&self) -> Limit {
        self.given_limit().unwrap_or(DEFAULT_LIMIT)
    }

    /// Threads at work: games in parallel.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(num_cpus::get_physical, |threads| threads as usize)
    }

    /// The options that are given, in the order of the table, each as the command line takes it: `--max-pairs 5`.
    pub fn given(&self) -> impl Iterator<Item = (&'static RunOption, String)> {
        TABLE.iter().zip(self.words()).filter_map(|(option, words)| Some((option, words?)))
    }

    /// The options that are given and have such a role, with a blank before each.
    pub fn written(&self, is_wanted: impl Fn(Role) -> bool) -> String {
        let wanted = self.given().filter(|(option, _)| is_wanted(option.role));
        wanted.map(|(_, words)| format!(" {words}")).collect()
    }
}
