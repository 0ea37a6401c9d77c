//! Arm of a sweep: the base with other values of some keys, which make a legal player together.
//!
//! A technique that is turned off takes those with it that cannot be without it: to leave them on is no legal engine. The keys of
//! another engine are its UCI options. Which it has, and which values they take, it says when it is started.

use crate::players::external::ExternalEngine;
use crate::players::spec::EngineSpec;
use crate::players::spec::PlayerSpec;
use engine::config::{ConfigRecord, EngineConfig};
use engine::params::ParamInfo;
use engine::techniques::{TechniqueError, TechniqueInfo, Techniques};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// What a key is set to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Whether a technique is on.
    Switch(bool),
    /// A parameter's value.
    Number(i32),
    /// Any other value of an option of another engine.
    Text(String),
}

impl Value {
    /// The value of an option of another engine.
    fn of_option(text: &str) -> Value {
        let switch = text.parse().map(Value::Switch);
        let value = switch.or_else(|_| text.parse().map(Value::Number));
        value.unwrap_or_else(|_| Value::Text(text.to_owned()))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => on.fmt(f),
            Value::Number(value) => value.fmt(f),
            Value::Text(value) => value.fmt(f),
        }
    }
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Name of the parameter or technique.
    pub key: String,
    /// What it is set to.
    pub value: Value,
}

impl Setting {
    /// What a player's configuration sets the key to; none if it does not.
    pub fn of(player: &PlayerSpec, key: &str) -> Option<Setting> {
        match &player.engine {
            EngineSpec::BuiltIn { config, .. } => Setting::of_config(config, key),
            EngineSpec::OtherVersion { record, .. } => Setting::of_record(record, key),
            EngineSpec::External(engine) => {
                Some(Setting { key: key.to_owned(), value: Value::of_option(engine.option(key)?) })
            }
        }
    }

    fn of_record(record: &ConfigRecord, key: &str) -> Option<Setting> {
        let switch = record.techniques.get(key).copied().map(Value::Switch);
        let number =
            || record.params.get(key).and_then(|value| i32::try_from(*value).ok()).map(Value::Number);
        Some(Setting { key: key.to_owned(), value: switch.or_else(number)? })
    }

    fn of_config(config: &EngineConfig, key: &str) -> Option<Setting> {
        let switch = config.techniques.get(key).map(Value::Switch);
        let value = switch.or_else(|| config.params.get(key).map(Value::Number))?;
        Some(Setting { key: key.to_owned(), value })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// The base with other values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// The values it was asked for with.
    pub settings: Vec<Setting>,
    /// Techniques that are off because one of the settings turned off what they need.
    pub taken_along: Vec<String>,
    /// The player.
    pub player: PlayerSpec,
}

impl Arm {
    /// The base with these assignments (`key=value`), which only together need to be legal.
    pub(super) fn new(base: &PlayerSpec, assignments: &[String]) -> Result<Arm, String> {
        match &base.engine {
            EngineSpec::BuiltIn { config, .. } => Arm::of_config(config, assignments),
            EngineSpec::OtherVersion { record, .. } => {
                let config = record.to_play()?;
                Arm::of_config(&config, assignments)
            }
            EngineSpec::External(engine) => Ok(Arm::of_engine(base, engine, assignments)),
        }
    }

    /// Another engine with other options. Only the engine itself can tell whether it has them.
    fn of_engine(base: &PlayerSpec, engine: &ExternalEngine, assignments: &[String]) -> Arm {
        let mut engine = engine.clone();
        let mut settings = Vec::new();
        for (key, value) in assignments.iter().filter_map(|text| text.split_once('=')) {
            let value = Value::of_option(value);
            engine.set_option(key, &value);
            settings.push(Setting { key: key.to_owned(), value });
        }
        engine.name = joined(&settings, " ");
        let player = PlayerSpec::of_engine(&engine.name.clone(), engine).under(base.limit, base.margin);
        Arm { settings, taken_along: Vec::new(), player }
    }

    /// The built-in engine with other values.
    pub(super) fn of_config(base: &EngineConfig, assignments: &[String]) -> Result<Arm, String> {
        let keys: Vec<&str> = assignments.iter().filter_map(|text| text.split('=').next()).collect();
        let mut taken_along = BTreeSet::new();
        for key in assignments.iter().filter_map(|text| text.strip_suffix("=false")) {
            let needing = needing(&base.techniques, key).into_iter();
            taken_along.extend(needing.filter(|technique| !keys.contains(technique)));
        }
        let off = taken_along.iter().map(|technique| format!("{technique}=false"));
        let all: Vec<String> = assignments.iter().cloned().chain(off).collect();
        let mut config = base.clone();
        config.set_all(&all).map_err(|errors| errors.to_string())?;
        let settings: Vec<_> = keys.iter().filter_map(|key| Setting::of_config(&config, key)).collect();
        config.name = joined(&settings, " ");
        Ok(Arm {
            taken_along: taken_along.into_iter().map(str::to_owned).collect(),
            player: PlayerSpec::new(Path::new(&config.name.clone()), config),
            settings,
        })
    }

    /// With the parameters that it makes no use of as they are in the base: what differs in them alone plays alike, and
    /// is the same so.
    pub(super) fn without_idle(self, base: &PlayerSpec) -> Result<Arm, String> {
        let of_base = |setting: &Setting| {
            idle_without(&setting.key, &self.player).and_then(|_| Setting::of(base, &setting.key))
        };
        let settings: Vec<_> =
            self.settings.iter().map(|setting| of_base(setting).unwrap_or_else(|| setting.clone())).collect();
        if settings == self.settings {
            return Ok(self);
        }
        Arm::new(base, &settings.iter().map(Setting::to_string).collect::<Vec<_>>())
    }

    /// Everything that it has different from the base.
    pub fn changes(&self) -> impl Iterator<Item = Setting> {
        let off = |key: &String| Setting { key: key.clone(), value: Value::Switch(false) };
        self.settings.iter().cloned().chain(self.taken_along.iter().map(off))
    }
}

/// Settings as a text.
pub fn joined(settings: &[Setting], separator: &str) -> String {
    settings.iter().map(Setting::to_string).collect::<Vec<_>>().join(separator)
}

/// The technique that is off in a player, and without which it makes no use of the parameter.
pub(super) fn idle_without(key: &str, player: &PlayerSpec) -> Option<&'static str> {
    let technique = ParamInfo::find(key).ok()?.technique;
    (player.config()?.techniques.get(technique) == Some(false)).then_some(technique)
}

/// The techniques that cannot stay on when this one is turned off.
pub(super) fn needing(techniques: &Techniques, name: &str) -> Vec<&'static str> {
    let mut left = *techniques;
    let mut needing = Vec::new();
    let mut next = TechniqueInfo::find(name).ok().map(|info| info.name);
    while let Some(name) = next
        && left.set(name, false).is_ok()
    {
        next = left.check().into_iter().find_map(|error| match error {
            TechniqueError::NeedOff { technique, .. } => Some(technique),
            TechniqueError::Unknown { .. } => None,
        });
        needing.extend(next);
    }
    needing
}
