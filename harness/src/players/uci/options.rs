//! Options of a UCI engine: what it declares, and whether they may be set to what the configuration wants.

use super::info::words;
use super::text::printable;
use engine::suggest::nearest;
use std::fmt;

/// More options than this no engine declares; what comes after them is not kept.
const MOST_OPTIONS: usize = 2000;

/// The options an engine declared.
#[derive(Debug, Default)]
pub struct Declared(Vec<OptionInfo>);

/// What an engine declares of an option that takes a number. What it leaves out is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spin {
    /// The value it has unless it is set.
    pub default: Option<i64>,
    /// The least value that it takes.
    pub min: Option<i64>,
    /// The greatest.
    pub max: Option<i64>,
}

/// Why an option takes no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSpin {
    /// A sentence without its subject, the engine.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

#[derive(Debug)]
struct OptionInfo {
    name: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin(Spin),
    Combo(Vec<String>),
    Button,
    /// A text, or a type that this program does not know.
    Text,
}

impl Declared {
    /// Reads a line; true if it declares an option.
    pub(super) fn read(&mut self, line: &[u8]) -> bool {
        let text: Vec<_> = words(line).map(String::from_utf8_lossy).collect();
        let text: Vec<&str> = text.iter().map(AsRef::as_ref).collect();
        let Some(["option", "name", rest @ ..]) = text.get(..) else { return false };
        if self.0.len() < MOST_OPTIONS
            && let Some(at) = place_of_type(rest)
        {
            self.0.push(OptionInfo { name: rest[..at].join(" "), kind: kind(&rest[at + 1..]) });
        }
        true
    }

    /// Whether there is an option of this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// What is declared of an option that takes a number.
    ///
    /// # Errors
    /// There is no such option, or it takes something else.
    pub fn spin(&self, name: &str) -> Result<Spin, NoSpin> {
        match self.find(name) {
            Some(OptionInfo { kind: Kind::Spin(spin), .. }) => Ok(*spin),
            Some(_) => Err(NoSpin {
                what: format!("takes no number for its option `{name}`"),
                remedy: "name an option of the type spin".to_owned(),
            }),
            None => Err(NoSpin { what: format!("has no option `{name}`"), remedy: self.near(name) }),
        }
    }

    /// What to do about a name that is not declared.
    fn near(&self, name: &str) -> String {
        match nearest(name, self.0.iter().map(|option| option.name.as_str())) {
            Some(near) => format!("did you mean `{}`?", printable(near.as_bytes())),
            None => "it lists those it has when it is sent `uci`".to_owned(),
        }
    }

    /// The commands that set these options, a line each.
    ///
    /// # Errors
    /// As [`Declared::command`].
    pub fn commands(&self, options: &[(String, String)]) -> Result<String, String> {
        options.iter().map(|(name, value)| self.command(name, value)).collect()
    }

    /// The command that sets an option, its name as the engine writes it (case does not count in UCI).
    ///
    /// # Errors
    /// A sentence without its beginning: there is no such option, or it does not take this value.
    pub fn command(&self, name: &str, value: &str) -> Result<String, String> {
        let Some(OptionInfo { name: declared, kind }) = self.find(name) else {
            return Err(format!("has no option `{name}`: {}", self.near(name)));
        };
        let refused =
            |allowed: String| Err(format!("takes {allowed} for its option `{name}`, not `{value}`"));
        match kind {
            Kind::Check if !matches!(value, "true" | "false") => refused("true or false".to_owned()),
            Kind::Spin(spin) if !value.parse().is_ok_and(|value| spin.takes(value)) => {
                refused(spin.to_string())
            }
            Kind::Combo(allowed) if !allowed.iter().any(|known| known.eq_ignore_ascii_case(value)) => {
                refused(printable(allowed.join(", ").as_bytes()))
            }
            Kind::Button if value == "true" => Ok(format!("setoption name {declared}\n")),
            Kind::Button => refused("true, which presses it,".to_owned()),
            // The protocol's way to write an empty text.
            Kind::Text if value.is_empty() => Ok(format!("setoption name {declared} value <empty>\n")),
            _ => Ok(format!("setoption name {declared} value {value}\n")),
        }
    }

    fn find(&self, name: &str) -> Option<&OptionInfo> {
        self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

impl Spin {
    /// Whether it takes this value.
    pub fn takes(&self, value: i64) -> bool {
        self.min.is_none_or(|min| min <= value) && self.max.is_none_or(|max| value <= max)
    }
}

/// `a number from 1 to 1024`
impl fmt::Display for Spin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "a number from {min} to {max}"),
            (Some(min), None) => write!(f, "a number of {min} or more"),
            (None, Some(max)) => write!(f, "a number of {max} or less"),
            (None, None) => f.write_str("a whole number"),
        }
    }
}

/// Where the name ends and `type` stands: a name may have that word, too, but no type follows it there.
pub(super) fn place_of_type(words: &[&str]) -> Option<usize> {
    const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];
    let is_type = |pair: &[&str]| pair[0] == "type" && TYPES.contains(&pair[1]);
    words.windows(2).position(is_type).or_else(|| words.iter().position(|&word| word == "type"))
}

/// `spin default 16 min 1 max 1024`, the fields after the type in any order.
fn kind(words: &[&str]) -> Kind {
    let after = |key: &str| {
        let at = words.iter().position(|&word| word == key)?;
        words.get(at + 1)?.parse().ok()
    };
    match words.first() {
        Some(&"check") => Kind::Check,
        Some(&"spin") => Kind::Spin(Spin { default: after("default"), min: after("min"), max: after("max") }),
        Some(&"button") => Kind::Button,
        Some(&"combo") => {
            let vars = words.split(|&word| word == "var").skip(1).map(|name| {
                let name = name.split(|&word| word == "default").next().unwrap_or_default();
                name.join(" ")
            });
            Kind::Combo(vars.collect())
        }
        _ => Kind::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Declared {
        let mut declared = Declared::default();
        for line in [
            "option name Hash type spin default 16 min 1 max 1024",
            "  option\tname Clear Hash type button\r",
            "option name Ponder type check default false",
            "option name Style type combo default Normal var Solid var Very Risky var Normal",
            "option name SyzygyPath type string default <empty>",
            "option name Free type spin default 3",
            "option name Piece type values type spin max 9 default 3 min 2",
            "option name Book type type combo var Own var None default Own",
        ] {
            assert!(declared.read(line.as_bytes()), "{line}");
        }
        assert!(!declared.read(b"id name option name X type check"));
        declared
    }

    #[test]
    fn what_is_declared_can_be_set() {
        for (name, value, command) in [
            ("hash", "64", "setoption name Hash value 64\n"),
            ("Clear Hash", "true", "setoption name Clear Hash\n"),
            ("Ponder", "true", "setoption name Ponder value true\n"),
            ("Style", "very risky", "setoption name Style value very risky\n"),
            ("SyzygyPath", "", "setoption name SyzygyPath value <empty>\n"),
            ("Free", "-99", "setoption name Free value -99\n"),
            ("Piece type values", "9", "setoption name Piece type values value 9\n"),
            ("book type", "None", "setoption name Book type value None\n"),
        ] {
            assert_eq!(declared().command(name, value).unwrap(), command);
        }
    }

    #[test]
    fn numbers_come_with_their_range_as_far_as_it_is_declared() {
        let spin = |default, min, max| Ok(Spin { default, min, max });
        assert_eq!(declared().spin("hash"), spin(Some(16), Some(1), Some(1024)));
        assert_eq!(declared().spin("Free"), spin(Some(3), None, None));
        for (name, what, remedy) in [
            ("Ponder", "takes no number for its option `Ponder`", "name an option of the type spin"),
            ("Fre", "has no option `Fre`", "did you mean `Free`?"),
        ] {
            let no_spin = NoSpin { what: what.to_owned(), remedy: remedy.to_owned() };
            assert_eq!(declared().spin(name), Err(no_spin));
        }
    }

    #[test]
    fn what_is_not_declared_is_refused_with_what_is() {
        for (name, value, message) in [
            ("Hsah", "64", "has no option `Hsah`: did you mean `Hash`?"),
            ("Contempt", "0", "has no option `Contempt`: it lists those it has when it is sent `uci`"),
            ("Hash", "0", "takes a number from 1 to 1024 for its option `Hash`, not `0`"),
            ("Hash", "many", "takes a number from 1 to 1024 for its option `Hash`, not `many`"),
            ("Ponder", "1", "takes true or false for its option `Ponder`, not `1`"),
            (
                "Piece type values",
                "1",
                "takes a number from 2 to 9 for its option `Piece type values`, not `1`",
            ),
            ("Style", "Wild", "takes Solid, Very Risky, Normal for its option `Style`, not `Wild`"),
            ("Clear Hash", "now", "takes true, which presses it, for its option `Clear Hash`, not `now`"),
        ] {
            assert_eq!(declared().command(name, value).unwrap_err(), message);
        }
    }
}
