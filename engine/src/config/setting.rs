//! What does one `key = value` set, and is that legal by itself?
//!
//! Whether all settings together make a legal engine is decided in `resolve`.

use super::diagnostics::{Place, ProblemKind};
use super::engine_config::EngineConfig;
use super::section::{Section, TOP_KEYS};
use crate::params::{PARAMS, ParamError, ParamInfo};
use crate::suggest::nearest;
use crate::techniques::{TECHNIQUES, TechniqueInfo};

/// A key of `[techniques]` or `[params]`.
#[derive(Clone, Copy)]
pub(super) enum Key {
    Technique(&'static TechniqueInfo),
    Param(&'static ParamInfo),
}

/// A value as written, before anyone knows what it should be.
pub(super) enum Written {
    Bool(bool),
    /// `value` is `None` if it does not fit; `text` is how it was written.
    Integer {
        value: Option<i64>,
        text: String,
    },
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
}

impl Key {
    pub fn find(name: &str) -> Option<Key> {
        let technique = TechniqueInfo::find(name).map(Key::Technique);
        technique.ok().or_else(|| ParamInfo::find(name).map(Key::Param).ok())
    }

    pub fn section(self) -> Section {
        match self {
            Key::Technique(_) => Section::Techniques,
            Key::Param(_) => Section::Params,
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
            _ => Written::Other(format!("`{text}`")),
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
        match self.value {
            Value::Technique(info, _) => info.name,
            Value::Param(info, _) => info.name,
        }
    }

    pub fn apply(&self, config: &mut EngineConfig) {
        match self.value {
            Value::Technique(info, on) => {
                config.techniques.set(info.name, on).expect("a name from the table");
            }
            Value::Param(info, value) => {
                config.params.set(info.name, value.into()).expect("a name and a value that were checked");
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
            Section::Argument => None,
        };
        name.map(|name| (name, section))
    };
    let suggestion = near(section).or_else(|| near(Section::Params)).or_else(|| near(Section::Techniques));
    ProblemKind::Unknown { typed: typed.to_owned(), section, suggestion }
}
