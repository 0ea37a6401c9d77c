//! The error about an option that a command does not take: which commands do, or what another program's option is called here.

use super::foreign::in_our_words;
use crate::options::TABLE;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use engine::suggest::nearest;

/// What clap suggests for a word that it does not know, and where it keeps that word.
const SUGGESTIONS: [(ContextKind, ContextKind); 3] = [
    (ContextKind::InvalidArg, ContextKind::SuggestedArg),
    (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
    (ContextKind::InvalidValue, ContextKind::SuggestedValue),
];

/// The error with a tip, if it is one about an option that other commands of the program take, or another program; without
/// a suggestion that is not near. `words` are the command line behind the program's name.
pub fn with_tip(mut error: Error, program: &Command, words: &[String]) -> Error {
    remove_far_suggestions(&mut error);
    let named = words.first().map_or("", String::as_str);
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) if error.kind() == ErrorKind::UnknownArgument => argument,
        _ => return error,
    };
    let argument = argument.clone();
    // No name begins with a dash, so that `-- --option` leads nowhere.
    error.remove(ContextKind::Suggested);
    let foreign = foreign_words(&argument, words);
    let of_another = program.find_subcommand(named).and_then(|command| in_our_words(command, &foreign));
    let tip = of_another.or_else(|| tip(argument.strip_prefix("--")?, program, named));
    if let Some(tip) = tip {
        // An option that only looks alike would mislead.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Clap takes words for alike that share some letters, as `--st` and `--start`.
fn remove_far_suggestions(error: &mut Error) {
    for (of_typed, of_suggested) in SUGGESTIONS {
        let Some(ContextValue::String(typed)) = error.get(of_typed) else { continue };
        let typed = typed.trim_start_matches('-').to_owned();
        let is_near = |known: &String| nearest(&typed, [known.trim_start_matches('-')]).is_some();
        let near = match error.get(of_suggested) {
            Some(ContextValue::String(known)) => is_near(known),
            Some(ContextValue::Strings(known)) => known.iter().any(is_near),
            _ => continue,
        };
        if !near {
            error.remove(of_suggested);
            // It names what was suggested.
            error.remove(ContextKind::Usage);
        }
    }
}

/// The option that is not taken, without dashes, and the values behind it. Of `-rounds` clap names `-r`.
fn foreign_words<'a>(argument: &str, words: &'a [String]) -> Vec<&'a str> {
    let is_option = |word: &str| word.starts_with('-') && word.parse::<f64>().is_err();
    let is_it = |word: &&String| match argument.starts_with("--") {
        true => word.split('=').next() == Some(argument),
        false => word.starts_with(argument),
    };
    let Some(place) = words.iter().position(|word| is_it(&word)) else { return Vec::new() };
    let (name, value) = match words[place].split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (words[place].as_str(), None),
    };
    let behind = words[place + 1..].iter().map(String::as_str).take_while(|word| !is_option(word));
    [name.trim_start_matches('-')].into_iter().chain(value).chain(behind).collect()
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
