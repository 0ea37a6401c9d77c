//! Declarations of options: what is wrong with the `option` lines of an engine, in words.

use super::super::options::place_of_type;

/// The words behind the type that begin a field.
const FIELDS: [&str; 4] = ["default", "min", "max", "var"];

/// What is wrong with each line that declares an option, in the order of the lines: `LINE: REASON`.
pub fn faults(lines: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut faults = Vec::new();
    for line in lines {
        let reason = match name_and_type(line) {
            Err(reason) => Some(reason),
            Ok((name, kind)) => {
                let is_known = names.contains(&name.to_lowercase());
                names.push(name.to_lowercase());
                match is_known {
                    true => Some(format!("the option {name} is declared twice")),
                    false => fault_of(&kind),
                }
            }
        };
        faults.extend(reason.map(|reason| format!("`{line}`: {reason}")));
    }
    faults
}

/// The name of the option, and its type with all that is behind it.
fn name_and_type(line: &str) -> Result<(String, Vec<&str>), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["option", "name", rest @ ..] = &words[..] else {
        return Err("it does not begin with `option name`".to_owned());
    };
    let at = place_of_type(rest).ok_or("it has no type")?;
    match at {
        0 => Err("it has no name".to_owned()),
        _ => Ok((rest[..at].join(" "), rest[at + 1..].to_vec())),
    }
}

/// What is wrong with a type and what is behind it.
fn fault_of(words: &[&str]) -> Option<String> {
    let fields = fields(words);
    let values = |name: &'static str| {
        fields.iter().filter(move |(field, _)| *field == name).map(|(_, value)| value.as_str())
    };
    let default = || values("default").next();
    match words.first().copied() {
        Some("button") => None,
        Some("string") if default().is_none() => {
            Some("a string has a default, `default <empty>` if it is none".to_owned())
        }
        Some("string") => None,
        Some("check") => match default() {
            Some("true" | "false") => None,
            Some(other) => Some(format!("the default of a check is true or false, not {other}")),
            None => Some("a check has a default, true or false".to_owned()),
        },
        Some("combo") => match default() {
            _ if values("var").next().is_none() => Some("a combo has values, each behind `var`".to_owned()),
            None => Some("a combo has a default".to_owned()),
            Some(default) if !values("var").any(|value| value == default) => {
                Some(format!("its default {default} is none of its values"))
            }
            Some(_) => None,
        },
        Some("spin") => fault_of_spin(["default", "min", "max"].map(|name| (name, values(name).next()))),
        Some(other) => Some(format!("the type {other} is none of check, spin, combo, button and string")),
        None => Some("it has no type".to_owned()),
    }
}

fn fault_of_spin(fields: [(&str, Option<&str>); 3]) -> Option<String> {
    let mut numbers = [0_i64; 3];
    for (number, (name, value)) in numbers.iter_mut().zip(fields) {
        match value.map(str::parse) {
            None => return Some(format!("a spin has a {name}")),
            Some(Ok(whole)) => *number = whole,
            Some(Err(_)) => {
                return Some(format!("its {name} {} is no whole number", value.unwrap_or_default()));
            }
        }
    }
    let [default, min, max] = numbers;
    if min > max {
        Some(format!("its min {min} is greater than its max {max}"))
    } else if !(min..=max).contains(&default) {
        Some(format!("its default {default} is not from {min} to {max}"))
    } else {
        None
    }
}

/// What stands behind the type: each field with its words.
fn fields<'a>(words: &[&'a str]) -> Vec<(&'a str, String)> {
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words.iter().skip(1) {
        match fields.last_mut() {
            _ if FIELDS.contains(word) => fields.push((word, Vec::new())),
            Some((_, value)) => value.push(word),
            None => {}
        }
    }
    fields.into_iter().map(|(field, value)| (field, value.join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_declarations_have_no_fault() {
        let lines = [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Style type combo default Very Risky var Solid var Very Risky",
            "option name Book string type string default <empty>",
            "option name Empty type string default",
            "option name Book type type spin max 9 min 1 default 3",
        ];
        assert_eq!(faults(&lines), [] as [String; 0]);
    }

    #[test]
    fn every_fault_is_named() {
        for (line, reason) in [
            ("option Hash type spin default 16 min 1 max 1024", "does not begin with `option name`"),
            ("option name type check default true", "it has no name"),
            ("option name Style", "it has no type"),
            ("option name Style type", "it has no type"),
            ("option name Style type list", "the type list is none of"),
            ("option name Hash type spin default 16", "a spin has a min"),
            ("option name Hash type spin min 1 max 16", "a spin has a default"),
            ("option name Hash type spin default 0 min 1 max 9", "its default 0 is not from 1 to 9"),
            ("option name Hash type spin default 2 min 9 max 1", "its min 9 is greater than its max 1"),
            ("option name Speed type spin default 0.5 min 0 max 1", "its default 0.5 is no whole number"),
            ("option name Speed type spin default 0 min 0 max 1.5", "its max 1.5 is no whole number"),
            ("option name Ponder type check default 1", "is true or false, not 1"),
            ("option name Ponder type check", "a check has a default"),
            ("option name Style type combo default Normal", "a combo has values"),
            ("option name Style type combo var Solid", "a combo has a default"),
            (
                "option name Style type combo default Wild var Solid var Calm",
                "its default Wild is none of its values",
            ),
            ("option name Book type string", "a string has a default"),
        ] {
            let found = faults(&[line]);
            assert!(found.len() == 1 && found[0].contains(reason) && found[0].contains(line), "{found:?}");
        }
        let twice =
            ["option name Hash type button", "option name hash type button", "option name HASH type button"];
        assert_eq!(faults(&twice).len(), 2);
        assert!(faults(&twice)[0].ends_with("the option hash is declared twice"));
    }
}
