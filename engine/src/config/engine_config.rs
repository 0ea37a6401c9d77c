//! Engine configuration, and the differences between two.

use std::collections::HashMap;
use std::fmt::Debug;

use crate::evaluation::EvalWeights;
use crate::params::SearchParams;
use crate::techniques::Techniques;

/// A checked configuration of the engine. `Default` is the full engine.
///
/// Its serde form is `{name, techniques: {…}, params: {…}, eval: {…}}`, that of a [`ConfigRecord`](super::ConfigRecord). Reading one back
/// fails with a plain sentence if this version cannot play what was stored (see `stored.rs`).
#[derive(Clone, Debug, PartialEq)]
pub struct EngineConfig {
    /// What people call it; it has no influence on play.
    pub name: String,
    /// Which techniques are on.
    pub techniques: Techniques,
    /// The numbers of the search.
    pub params: SearchParams,
    /// The weights of the static evaluation.
    pub eval: EvalWeights,
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            techniques: Techniques::default(),
            params: SearchParams::default(),
            eval: EvalWeights::default(),
        }
    }
}

impl EngineConfig {
    /// What another config sets differently, one `key: ours → theirs` each; names do not count.
    pub fn differences(&self, other: &EngineConfig) -> Vec<String> {
        differences(&self.values(), &other.values())
    }

    /// Every key with its value as text, techniques first; weights each by itself.
    fn values(&self) -> Vec<(String, String)> {
        let techniques = self.techniques.iter().map(|(info, on)| (info.name.to_owned(), on.to_string()));
        let params = self.params.iter().map(|(info, value)| (info.name.to_owned(), value.to_string()));
        let weights = self.eval.iter().flat_map(|(info, pairs)| weight_values(info.name, &pairs));
        techniques.chain(params).chain(weights).collect()
    }
}

/// The weights of a group, each by itself: key and value as text.
pub(super) fn weight_values<Half: Debug>(group: &str, pairs: &[[Half; 2]]) -> Vec<(String, String)> {
    let place = |at: usize| if pairs.len() == 1 { String::new() } else { format!("[{at}]") };
    pairs.iter().enumerate().map(|(at, pair)| (group.to_owned() + &place(at), format!("{pair:?}"))).collect()
}

/// Where two lists of keys and values differ, one `key: ours → theirs` each. A key that one of them lacks is `-` there.
pub(super) fn differences(ours: &[(String, String)], theirs: &[(String, String)]) -> Vec<String> {
    let [our_values, their_values] = [ours, theirs].map(|values| {
        values.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect::<HashMap<_, _>>()
    });
    let of_others_only = theirs.iter().filter(|(key, _)| !our_values.contains_key(key.as_str()));
    let keys = ours.iter().chain(of_others_only).map(|(key, _)| key.as_str());
    let line = |key| {
        let [ours, theirs] = [&our_values, &their_values].map(|values| *values.get(key).unwrap_or(&"-"));
        (ours != theirs).then(|| format!("{key}: {ours} → {theirs}"))
    };
    keys.filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::SHIPPED;
    use crate::evaluation::groups::TEMPO;

    #[test]
    fn differences_name_key_and_both_values() {
        let ours = EngineConfig::default();
        let mut theirs = EngineConfig { name: "other".to_owned(), ..ours.clone() };
        assert!(ours.differences(&theirs).is_empty());
        theirs.params.aspiration_delta = 30;
        theirs.techniques.pvs = false;
        theirs.eval.set("tempo", &[[1, 2]]).unwrap();
        let tempo = format!("tempo: {:?} → [1, 2]", SHIPPED[TEMPO]);
        assert_eq!(ours.differences(&theirs), ["pvs: true → false", "aspiration_delta: 25 → 30", &tempo]);
    }
}
