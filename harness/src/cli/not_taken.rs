//! The error about an option that a command does not take: it says which commands do.

use crate::options::TABLE;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// The error with a tip, if it is one about an option that other commands of the program take; `named` is the command that was
/// called.
pub fn with_tip(mut error: Error, program: &Command, named: &str) -> Error {
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) if error.kind() == ErrorKind::UnknownArgument => argument,
        _ => return error,
    };
    if let Some(tip) = argument.strip_prefix("--").and_then(|long| tip(long, program, named)) {
        // An option that only looks alike would mislead.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

fn tip(long: &str, program: &Command, named: &str) -> Option<String> {
    let takes = |command: &&Command| command.get_arguments().any(|taken| taken.get_long() == Some(long));
    let takers: Vec<_> = program.get_subcommands().filter(takes).map(Command::get_name).collect();
    let is_of_test = TABLE.iter().any(|option| option.long == long && option.role.is_of_test());
    Some(match (named, long) {
        _ if takers.is_empty() => return None,
        ("reproduce", "max-pairs") => "--budget says how many games an experiment may take".to_owned(),
        ("fit-eval", "max-pairs") => "--play says how many pairs are played".to_owned(),
        ("fit-eval", "resume") => {
            "to go on with a run of self-play, name it: `harness fit-eval RUN --play N`".to_owned()
        }
        ("ladder" | "reproduce", "resume") => {
            format!("`harness {named}` goes on with what is stored when the same command is given again")
        }
        _ if is_of_test => format!(
            "--{long} belongs to a test, and `harness {named}` has none: leave it out, or use `harness sprt`"
        ),
        _ => format!("`harness {named}` has no --{long}; these have: {}", takers.join(", ")),
    })
}
