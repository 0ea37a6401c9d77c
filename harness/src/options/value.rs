//! Types of options: how a value is read from the command line and from the settings, and written so that it is read again.

use super::{Expected, Preset};
use crate::game::adjudication::{DrawRule, Resign};
use crate::game::limit::TimeControl;
use crate::game::syzygy::{Decides, Folders};
use crate::openings::order::Order;
use crate::report::shell_word;
use crate::run::watch::OnFaults;
use crate::statistics::Model;
use clap::{Arg, ArgAction, ArgMatches, ValueEnum, value_parser};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::path::PathBuf;

/// Which whole numbers are allowed.
pub type Bounds = (Bound<u64>, Bound<u64>);

/// A range of the table as a value.
pub fn bounds(range: impl RangeBounds<u64>) -> Bounds {
    (range.start_bound().cloned(), range.end_bound().cloned())
}

/// What an option may be. Bounds are those of whole numbers; other types have their own rules.
pub trait Value: DeserializeOwned + Clone + Send + Sync + 'static {
    /// Makes an argument take such values.
    fn argument(argument: Arg, allowed: Bounds) -> Arg;

    /// The option with this value, as a shell takes it.
    fn written(&self, long: &str) -> String;

    /// The value that was given on the command line; none if there is no such argument.
    fn take(matches: &mut ArgMatches, long: &str) -> Option<Self> {
        matches.try_remove_one(long).ok().flatten()
    }

    /// The value of a key in the settings.
    ///
    /// # Errors
    /// It is no such value, or not allowed.
    fn read<'de, D: Deserializer<'de>>(input: D, _allowed: Bounds) -> Result<Self, D::Error> {
        Self::deserialize(input)
    }
}

/// A switch: it is given, or not.
impl Value for () {
    fn argument(argument: Arg, _: Bounds) -> Arg {
        argument.action(ArgAction::SetTrue)
    }

    fn written(&self, long: &str) -> String {
        format!("--{long}")
    }

    fn take(matches: &mut ArgMatches, long: &str) -> Option<()> {
        matches.try_remove_one(long).ok().flatten().filter(|is_given: &bool| *is_given).map(|_| ())
    }
}

/// A switch that can be turned off again where the settings turn it on: `--name` or `--name=false`.
impl Value for bool {
    fn argument(argument: Arg, _: Bounds) -> Arg {
        let argument = argument.value_parser(value_parser!(bool)).num_args(0..=1);
        argument.require_equals(true).default_missing_value("true")
    }

    fn written(&self, long: &str) -> String {
        format!("--{long}={self}")
    }
}

macro_rules! whole_numbers {
    ($($type:ty),+) => {$(
        impl Value for $type {
            fn argument(argument: Arg, allowed: Bounds) -> Arg {
                argument.value_parser(whole::<$type>(allowed))
            }

            fn written(&self, long: &str) -> String {
                format!("--{long} {self}")
            }

            fn read<'de, D: Deserializer<'de>>(input: D, allowed: Bounds) -> Result<$type, D::Error> {
                let number = u64::deserialize(input)?;
                within(number, allowed).ok_or_else(|| D::Error::custom(refusal(number, allowed)))
            }
        }
    )+};
}

/// Reads a whole number of this range from a word of the command line. What is no number, below zero or zero where that is not
/// allowed are refused in the same words.
pub fn whole<T: TryFrom<u64>>(range: impl RangeBounds<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    let allowed = bounds(range);
    move |text| {
        let number = text.parse().ok().and_then(|number| within(number, allowed));
        number.ok_or_else(|| refusal(text, allowed))
    }
}

fn within<T: TryFrom<u64>>(number: u64, allowed: Bounds) -> Option<T> {
    T::try_from(number).ok().filter(|_| allowed.contains(&number))
}

fn refusal(given: impl Display, (least, most): Bounds) -> String {
    let least = if let Bound::Included(least) = least { least } else { 0 };
    match most {
        Bound::Included(most) => format!("{given} is not a whole number from {least} to {most}"),
        _ => format!("{given} is not a whole number of {least} or more"),
    }
}

/// Types that clap reads by themselves, with what writes them in a word.
macro_rules! words {
    ($write:expr => $($type:ty),+) => {$(
        impl Value for $type {
            fn argument(argument: Arg, _: Bounds) -> Arg {
                argument.value_parser(value_parser!($type))
            }

            fn written(&self, long: &str) -> String {
                let word = shell_word(&$write(self));
                format!("--{long}{}{word}", if word.starts_with('-') { '=' } else { ' ' })
            }
        }
    )+};
}

fn name(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

whole_numbers!(u32, u64);
words!(ToString::to_string => f64, String, TimeControl, Resign, DrawRule, Model, Folders);
words!(|path: &PathBuf| path.display().to_string() => PathBuf);
words!(name => Order, OnFaults, Decides, Preset, Expected);
