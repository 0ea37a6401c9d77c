//! What decides a run, fact by fact: the digest that names it, and the lines that say where two runs differ.

use sha2::{Digest, Sha256};
use std::fmt::Display;

/// The value of a rule that is not in force.
const OFF: &str = "off";

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
    format!("{:x}", hash.finalize())
}

/// Where two lists of the same facts differ, a line each: `limit: 5000 nodes/move → 1000 nodes/move`.
pub fn differences(ours: &[Fact], theirs: &[Fact]) -> Vec<String> {
    let both = ours.iter().zip(theirs).filter(|(ours, theirs)| ours != theirs);
    both.map(|((key, ours), (_, theirs))| format!("{key}: {ours} → {theirs}")).collect()
}
