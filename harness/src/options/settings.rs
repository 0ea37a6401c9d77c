//! `harness.toml`: options of a run that hold for a folder and those below it, a key each, named as on the command line.

use super::value::{Bounds, Value};
use super::{Name, Role, RunOptions, TABLE};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::sync::LazyLock;

/// Every key that the file may have.
pub fn keys() -> &'static [&'static str] {
    static KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let settings = TABLE.iter().filter(|option| !matches!(option.role, Role::Call | Role::Once));
        settings.map(|option| option.long).collect()
    });
    &KEYS
}

impl<'de> Deserialize<'de> for RunOptions {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<RunOptions, D::Error> {
        struct Settings;
        impl<'de> Visitor<'de> for Settings {
            type Value = RunOptions;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("options of runs")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RunOptions, A::Error> {
                let mut options = RunOptions::default();
                while let Some(key) = map.next_key()? {
                    match key {
                        Key::Option(name) => options.read(name, &mut map)?,
                        Key::Elsewhere => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(options)
            }
        }
        input.deserialize_map(Settings)
    }
}

/// The key of players' own limits, a list of what `--limit-of` takes, which is read where the players are known.
pub const LIMIT_OF: &str = "limit-of";

/// A key of the file.
enum Key {
    Option(Name),
    /// It is read by itself.
    Elsewhere,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Key, D::Error> {
        let key = String::deserialize(input)?;
        if key == LIMIT_OF {
            return Ok(Key::Elsewhere);
        }
        let option = TABLE.iter().find(|option| option.long == key && keys().contains(&option.long));
        option.map(|option| Key::Option(option.name)).ok_or_else(|| D::Error::unknown_field(&key, keys()))
    }
}

/// A value within these bounds.
pub(super) struct Within<T>(pub(super) Bounds, pub(super) PhantomData<T>);

impl<'de, T: Value> DeserializeSeed<'de> for Within<T> {
    type Value = T;
    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<T, D::Error> {
        T::read(input, self.0)
    }
}
