//! What decides a run, fact by fact: the digest that names it, and the lines that say where two runs differ.

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};
use std::fmt::Display;

/// The value of a rule that is not in force.
pub const OFF: &str = "off";

/// The fact of the opening that a run begins with, whose value counts from 0.
pub const FIRST_OPENING: &str = "first opening";

/// Something that decides the games or the verdict: its name and its value.
pub type Fact = (&'static str, String);

/// A fact from whatever its value is.
pub fn fact(key: &'static str, value: impl Display) -> Fact {
    (key, value.to_string())
}

/// A rule that may be off. One that is off is no fact, so that runs without it keep their digests.
pub fn rule(key: &'static str, value: Option<impl Display>) -> Fact {
    fact(key, value.map_or(OFF.to_owned(), |value| value.to_string()))
}

/// SHA-256 of facts, hexadecimal.
pub fn digest_of(facts: &[Fact]) -> String {
    let mut hash = Sha256::new();
    for (key, value) in facts.iter().filter(|(_, value)| value != OFF) {
        hash.update(format!("{key} = {value}\n"));
    }
    encode_string(&hash.finalize())
}

/// The value as people read it: they count openings from 1, as `--start` does, and a digest counts them from 0.
pub fn shown((key, value): &Fact) -> String {
    match value.parse::<u64>() {
        Ok(index) if *key == FIRST_OPENING => index.saturating_add(1).to_string(),
        _ => value.clone(),
    }
}

/// Where two lists of facts differ, a line each: `limit: 5000 nodes/move → 1000 nodes/move`. A name may stand several times.
pub fn differences(ours: &[Fact], theirs: &[Fact]) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in ours.iter().chain(theirs) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let mut lines = Vec::new();
    for name in names {
        let of_name = |facts: &[Fact]| -> Vec<String> {
            facts.iter().filter(|fact| fact.0 == name).map(shown).collect()
        };
        let (ours, theirs) = (of_name(ours), of_name(theirs));
        for place in 0..ours.len().max(theirs.len()) {
            let [one, other] = [&ours, &theirs].map(|shown| shown.get(place).map_or("none", String::as_str));
            if one != other {
                lines.push(format!("{name}: {one} → {other}"));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_shown_as_people_count_them() {
        let [seed, other_seed] = [0, 1].map(|value| fact("seed", value));
        let [first, fifth] = [0, 4].map(|index| fact(FIRST_OPENING, index));
        assert_eq!((shown(&seed), shown(&first)), ("0".to_owned(), "1".to_owned()));
        let lines = differences(&[seed, first], &[other_seed, fifth]);
        assert_eq!(lines, ["seed: 0 → 1", "first opening: 1 → 5"]);
    }

    #[test]
    fn a_fact_more_is_told_beside_none() {
        let [a, b, c] = ["a", "b", "c"].map(|value| fact("parameter", value));
        let sides = fact("sides", "apart");
        let lines = differences(&[a.clone(), b.clone(), sides.clone()], &[a, c, b, sides]);
        assert_eq!(lines, ["parameter: b → c", "parameter: none → b"]);
    }
}
