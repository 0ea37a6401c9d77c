//! What is a configuration of the engine, and how do two of them differ?

use crate::evaluation::EvalWeights;
use crate::params::SearchParams;
use crate::techniques::Techniques;

/// A checked configuration of the engine. `Default` is the full engine.
///
/// Its serde form is `{name, techniques: {…}, params: {…}, eval: {…}}` with every value spelled out. Reading one back
/// fails with a plain sentence if it was stored by a version with other techniques, parameters
/// or weights.
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
        self.values()
            .zip(other.values())
            .filter(|((_, ours), (_, theirs))| ours != theirs)
            .map(|((key, ours), (_, theirs))| format!("{key}: {ours} → {theirs}"))
            .collect()
    }

    /// Every key with its value as text, techniques first; weights each by itself.
    fn values(&self) -> impl Iterator<Item = (String, String)> {
        let techniques = self.techniques.iter().map(|(info, on)| (info.name.to_owned(), on.to_string()));
        let params = self.params.iter().map(|(info, value)| (info.name.to_owned(), value.to_string()));
        let weights = self.eval.iter().flat_map(|(info, pairs)| {
            let place = |place: usize| if info.size == 1 { String::new() } else { format!("[{place}]") };
            let each =
                move |(at, pair): (usize, [i32; 2])| (info.name.to_owned() + &place(at), format!("{pair:?}"));
            pairs.into_iter().enumerate().map(each)
        });
        techniques.chain(params).chain(weights)
    }
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
