//! Setting: one `key = value`, and whether it is legal by itself.
//!
//! Whether all settings together make a legal engine is decided in `resolve`.

use super::diagnostics::{Place, ProblemKind};
use super::engine_config::EngineConfig;
use super::section::{Section, TOP_KEYS};
use crate::evaluation::groups::{GROUPS, GroupInfo};
use crate::evaluation::{checked, shape};
use crate::params::{PARAMS, ParamError, ParamInfo};
use crate::suggest::nearest;
use crate::techniques::{TECHNIQUES, TechniqueInfo};

/// A key of `[techniques]`, `[params]` or `[eval]`.
#[derive(Clone, Copy)]
pub(super) enum Key {
    Technique(&'static TechniqueInfo),
    Param(&'static ParamInfo),
    Weights(&'static GroupInfo),
}

/// A value as written, before anyone knows what it should be.
pub(super) enum Written {
    Bool(bool),
    /// `value` is `None` if it does not fit; `text` is how it was written.
    Integer {
        value: Option<i64>,
        text: String,
    },
    /// An array of pairs of integers.
    Pairs(Vec<[i64; 2]>),
    /// Something else, described: "a string".
    Other(String),
}

/// A known key with a legal value, and where it was set.
pub(super) struct Setting {
    value: Value,
    pub place: Place,
}

enum Value {
    Technique(&'static TechniqueInfo, bool),
    Param(&'static ParamInfo, i32),
    Weights(&'static GroupInfo, Vec<[i64; 2]>),
}

impl Key {
    pub fn find(name: &str) -> Option<Key> {
        let technique = TechniqueInfo::find(name).map(Key::Technique);
        let param = || ParamInfo::find(name).map(Key::Param).ok();
        technique.ok().or_else(param).or_else(|| GroupInfo::find(name).map(Key::Weights).ok())
    }

    pub fn section(self) -> Section {
        match self {
            Key::Technique(_) => Section::Techniques,
            Key::Param(_) => Section::Params,
            Key::Weights(_) => Section::Eval,
        }
    }

    /// The setting that this key and that value make.
    pub fn with(self, written: Written, place: Place) -> Result<Setting, ProblemKind> {
        let value = match (self, written) {
            (Key::Technique(info), Written::Bool(on)) => Ok(Value::Technique(info, on)),
            (Key::Param(param), Written::Integer { value, text }) => value
                .and_then(|value| param.check(value).ok())
                .map(|value| Value::Param(param, value))
                .ok_or(ProblemKind::Param(ParamError::OutOfRange { param, value: text })),
            (Key::Weights(info), Written::Pairs(pairs)) => match checked(info, &pairs) {
                Ok(_) => Ok(Value::Weights(info, pairs)),
                Err(error) => Err(ProblemKind::Weights(error)),
            },
            (Key::Weights(GroupInfo { name, size, .. }), other) => Err(ProblemKind::WrongType {
                key: name,
                expected: "an array of pairs of integers".to_owned(),
                found: other.describe(),
                remedy: format!("write {}", shape(*size)),
            }),
            (Key::Technique(TechniqueInfo { name, .. }), other) => Err(ProblemKind::WrongType {
                key: name,
                expected: "true or false".to_owned(),
                found: other.describe(),
                remedy: "write the bare word true or false".to_owned(),
            }),
            (Key::Param(ParamInfo { name, min, max, default, .. }), other) => Err(ProblemKind::WrongType {
                key: name,
                expected: format!("an integer from {min} to {max}"),
                found: other.describe(),
                remedy: format!("write a plain number (the default is {default})"),
            }),
        };
        Ok(Setting { value: value?, place })
    }
}

impl Written {
    pub fn describe(self) -> String {
        match self {
            Written::Bool(on) => on.to_string(),
            Written::Integer { .. } => "an integer".to_owned(),
            Written::Pairs(_) => "an array".to_owned(),
            Written::Other(description) => description,
        }
    }

    fn from_argument(text: &str) -> Written {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        match text {
            "true" => Written::Bool(true),
            "false" => Written::Bool(false),
            _ if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Written::Integer { value: text.parse().ok(), text: text.to_owned() }
            }
            _ => match text.parse::<toml::Value>().ok().and_then(|value| value.try_into().ok()) {
                Some(pairs) => Written::Pairs(pairs),
                None => Written::Other(format!("`{text}`")),
            },
        }
    }
}

impl Setting {
    /// Reads a `key=value` of the command line.
    pub fn from_argument(assignment: &str) -> Result<Setting, ProblemKind> {
        let (name, value) = assignment.split_once('=').ok_or(ProblemKind::NoAssignment)?;
        let name = name.trim();
        let key = Key::find(name).ok_or_else(|| unknown(name, Section::Argument))?;
        key.with(Written::from_argument(value.trim()), Place::Argument(assignment.to_owned()))
    }

    /// The key that is set.
    pub fn name(&self) -> &'static str {
        match &self.value {
            Value::Technique(info, _) => info.name,
            Value::Param(info, _) => info.name,
            Value::Weights(info, _) => info.name,
        }
    }

    pub fn apply(&self, config: &mut EngineConfig) {
        match &self.value {
            Value::Technique(info, on) => {
                config.techniques.set(info.name, *on).expect("a name from the table");
            }
            Value::Param(info, value) => {
                config
                    .params
                    .set(info.name, i64::from(*value))
                    .expect("a name and a value that were checked");
            }
            Value::Weights(info, pairs) => {
                config.eval.set(info.name, pairs).expect("a name and weights that were checked");
            }
        }
    }
}

/// The problem of a name that means nothing where it stands, with the nearest name that would:
/// of the same section first, then of any other.
pub(super) fn unknown(typed: &str, section: Section) -> ProblemKind {
    let near = |section| {
        let name = match section {
            Section::Top => nearest(typed, TOP_KEYS),
            Section::Techniques => nearest(typed, TECHNIQUES.iter().map(|info| info.name)),
            Section::Params => nearest(typed, PARAMS.iter().map(|info| info.name)),
            Section::Eval => nearest(typed, GROUPS.iter().map(|info| info.name)),
            Section::Argument => None,
        };
        name.map(|name| (name, section))
    };
    let elsewhere = [Section::Params, Section::Techniques, Section::Eval];
    let suggestion = near(section).or_else(|| elsewhere.into_iter().find_map(near));
    ProblemKind::Unknown { typed: typed.to_owned(), section, suggestion }
}
