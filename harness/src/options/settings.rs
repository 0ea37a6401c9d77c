//! `harness.toml`: options of a run that hold for a folder and those below it, a key each, named as on the command line.

use super::value::{Bounds, Value};
use super::{Name, Role, RunOptions, TABLE};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
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
                while let Some(name) = map.next_key()? {
                    options.read(name, &mut map)?;
                }
                Ok(options)
            }
        }
        input.deserialize_map(Settings)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Name, D::Error> {
        let key = String::deserialize(input)?;
        let option = TABLE.iter().find(|option| option.long == key && keys().contains(&option.long));
        option.map(|option| option.name).ok_or_else(|| D::Error::unknown_field(&key, keys()))
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
