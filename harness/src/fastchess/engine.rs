//! `-engine` and `-each`: what is said of an engine.

use super::words::number;
use crate::game::limit::{Limit, TimeControl};

/// An engine of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engine {
    /// Its program, or a configuration of this project (`*.toml`).
    pub cmd: String,
    /// The name it is given; empty: that of its file.
    pub name: String,
    /// The folder that it runs in and its program is seen from; empty: the current one.
    pub dir: String,
    /// Arguments of its program, in one word.
    pub args: String,
    /// UCI options in the order in which they were given.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub limit: Limit,
    /// How late an answer may come, ms; none given: 0.
    pub margin: Option<u64>,
    /// Whether it is started anew for every game.
    pub restarts: bool,
}

impl Engine {
    /// Sets what `key=value` says.
    ///
    /// # Errors
    /// A sentence: nobody knows the key, it has no meaning here, or the value is none.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "cmd" => value.clone_into(&mut self.cmd),
            "name" => value.clone_into(&mut self.name),
            "dir" => value.clone_into(&mut self.dir),
            "args" => value.clone_into(&mut self.args),
            "tc" => self.limit.tc = time_control(value)?,
            "st" => self.limit.movetime = Some(milliseconds(value)?),
            "nodes" => self.limit.nodes = Some(at_least_one(key, value)?),
            "depth" | "plies" => self.limit.depth = Some(at_least_one(key, value)?),
            "timemargin" => self.margin = Some(number(value, "whole number of milliseconds, 0 or more")?),
            "restart" => {
                self.restarts = match value {
                    "on" => true,
                    // cutechess-cli's word for: when the protocol asks for it, which UCI does not.
                    "off" | "auto" => false,
                    _ => return Err(format!("restart={value}: write on or off")),
                }
            }
            "proto" if value == "uci" => {}
            "proto" => return Err(format!("proto={value}: this program speaks UCI only")),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => self.options.push((name.to_owned(), value.to_owned())),
                _ => {
                    return Err(format!(
                        "{key}={value} says nothing of an engine: the keys are cmd, name, dir, args, tc, st, nodes, depth, \
                         plies, timemargin, restart, proto and option.NAME"
                    ));
                }
            },
        }
        Ok(())
    }

    /// The value of a UCI option that is set last.
    pub fn option(&self, name: &str) -> Option<&str> {
        let is_it = |(other, _): &&(String, String)| other.eq_ignore_ascii_case(name);
        self.options.iter().rev().find(is_it).map(|(_, value)| value.as_str())
    }

    /// Whether it is a configuration of this project and no program.
    pub fn is_configuration(&self) -> bool {
        self.cmd.ends_with(".toml")
    }
}

fn at_least_one<T: std::str::FromStr + Default + PartialEq>(key: &str, value: &str) -> Result<T, String> {
    let given: T = number(value, "whole number")?;
    if given == T::default() { Err(format!("{key}={value}: give at least 1")) } else { Ok(given) }
}

/// Seconds as milliseconds, as `st` has them.
fn milliseconds(value: &str) -> Result<u64, String> {
    let seconds: f64 = number(value.strip_suffix('s').unwrap_or(value), "number of seconds")?;
    let milliseconds = (seconds * 1000.0).round();
    match (1.0..1e12).contains(&milliseconds) {
        true => Ok(milliseconds as u64),
        false => Err(format!("st={value}: give at least 0.001 seconds a move")),
    }
}

/// A time control; none without a limit (`inf`).
fn time_control(value: &str) -> Result<Option<TimeControl>, String> {
    if value.contains("hg") {
        return Err(format!("tc={value}: hourglass clocks are not played"));
    }
    let whole_game = ["inf/", "infinite/"].into_iter().find_map(|prefix| value.strip_prefix(prefix));
    let value = whole_game.unwrap_or(value);
    if matches!(value, "inf" | "infinite") {
        return Ok(None);
    }
    let plain: Vec<_> = value.split('+').map(|part| part.strip_suffix('s').unwrap_or(part)).collect();
    plain.join("+").parse().map(Some).map_err(|error| format!("tc={value}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(key: &str, value: &str) -> Result<Limit, String> {
        let mut engine = Engine::default();
        engine.set(key, value).map(|()| engine.limit)
    }

    #[test]
    fn limits_have_fastchess_units() {
        for (key, value, written) in [
            ("tc", "10+0.1", "tc 10+0.1"),
            ("tc", "40/1:30+0.5", "tc 40/90+0.5"),
            ("tc", "inf/8s+0.08s", "tc 8+0.08"),
            ("st", "0.25", "250 ms/move"),
            ("st", "2s", "2000 ms/move"),
            ("nodes", "5000", "5000 nodes/move"),
            ("plies", "7", "depth 7"),
            ("depth", "9", "depth 9"),
            ("tc", "inf", ""),
        ] {
            assert_eq!(limit(key, value).unwrap().to_string(), written, "{key}={value}");
        }
        for (key, value) in
            [("tc", "hg"), ("tc", ""), ("tc", "x"), ("st", "0"), ("st", "-1"), ("nodes", "0"), ("depth", "a")]
        {
            assert!(limit(key, value).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn the_last_value_of_an_option_counts() {
        let mut engine = Engine::default();
        for (key, value) in [("option.Hash", "8"), ("option.Move Overhead", "5"), ("option.hash", "4")] {
            engine.set(key, value).unwrap();
        }
        assert_eq!((engine.option("Hash"), engine.option("Threads")), (Some("4"), None));
        for (key, value) in [
            ("proto", "xboard"),
            ("restart", "yes"),
            ("option.", "1"),
            ("ponder", "on"),
            ("timemargin", "-1"),
        ] {
            assert!(engine.set(key, value).is_err(), "{key}={value}");
        }
    }
}
