//! Stored configurations: the JSON form in stored runs, read in two ways.
//!
//! To play, every value must be known: a key that did not exist when the config was stored takes the value that stands
//! for the engine's behaviour of then (the tables' column `absent`), and a key that this version does not know is
//! refused. As a record ([`ConfigRecord`]) any keys are read, and shown as they were stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::engine_config::{EngineConfig, differences, weight_values};
use crate::evaluation::EvalWeights;
use crate::params::SearchParams;
use crate::techniques::Techniques;

/// A configuration as it is stored, by this version of the engine or another: every value by name.
///
/// A key that stands at the value which a stored configuration without it has is left out: what was stored before the
/// key existed is stored in the same words now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfigRecord {
    /// What people call it.
    pub name: String,
    /// Which techniques are on.
    pub techniques: BTreeMap<String, bool>,
    /// The numbers of the search.
    pub params: BTreeMap<String, i64>,
    /// The weights of the evaluation, pairs of middlegame and endgame.
    pub eval: BTreeMap<String, Vec<[i64; 2]>>,
    /// Sections that this version does not know.
    #[serde(flatten)]
    more: BTreeMap<String, serde_json::Value>,
}

impl Serialize for EngineConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ConfigRecord::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for EngineConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ConfigRecord::deserialize(deserializer)?.to_play().map_err(serde::de::Error::custom)
    }
}

impl From<&EngineConfig> for ConfigRecord {
    fn from(config: &EngineConfig) -> Self {
        Self {
            techniques: (config.techniques.iter())
                .filter(|&(info, on)| config.techniques.absent(info) != Some(on))
                .map(|(info, on)| (info.name.to_owned(), on))
                .collect(),
            params: (config.params.iter())
                .filter(|&(info, value)| info.absent != Some(value))
                .map(|(info, value)| (info.name.to_owned(), value.into()))
                .collect(),
            eval: (config.eval.iter())
                .map(|(info, pairs)| {
                    (info.name.to_owned(), pairs.iter().map(|pair| pair.map(i64::from)).collect())
                })
                .collect(),
            name: config.name.clone(),
            more: BTreeMap::new(),
        }
    }
}

impl ConfigRecord {
    /// The configuration that plays as the one that was stored.
    ///
    /// # Errors
    /// A sentence: this version of the engine cannot play it, because it does not know a value or would have to make one up.
    pub fn to_play(&self) -> Result<EngineConfig, String> {
        self.known().map_err(|why| {
            format!(
                "the stored config `{}` is not one that this version of the engine can play, run the \
                 version that stored it or make the config anew: {why}",
                self.name
            )
        })
    }

    fn known(&self) -> Result<EngineConfig, String> {
        if let Some(section) = self.more.keys().next() {
            return Err(format!("no section is called `{section}`"));
        }
        let mut config = EngineConfig {
            name: self.name.clone(),
            techniques: Techniques::none(),
            params: SearchParams::default(),
            eval: EvalWeights::default(),
        };
        for (key, on) in &self.techniques {
            config.techniques.set(key, *on).map_err(|error| error.to_string())?;
        }
        for (key, value) in &self.params {
            config.params.set(key, *value).map_err(|error| error.to_string())?;
        }
        for (key, pairs) in &self.eval {
            config.eval.set(key, pairs).map_err(|error| error.to_string())?;
        }
        self.fill_in_absent(&mut config)?;
        if let Some(error) = config.techniques.check().first() {
            return Err(error.to_string());
        }
        if let Some(error) = config.params.check().first() {
            return Err(error.to_string());
        }
        Ok(config)
    }

    /// Gives the keys that the record lacks the values that stand for the engine's behaviour before they existed.
    fn fill_in_absent(&self, config: &mut EngineConfig) -> Result<(), String> {
        let missing = |key: &str| format!("it says nothing about `{key}`");
        let stored = config.techniques;
        for (info, _) in stored.iter().filter(|(info, _)| !self.techniques.contains_key(info.name)) {
            let on = stored.absent(info).ok_or_else(|| missing(info.name))?;
            config.techniques.set(info.name, on).expect("a name from the table");
        }
        for (info, _) in
            SearchParams::default().iter().filter(|(info, _)| !self.params.contains_key(info.name))
        {
            let value = info.absent.ok_or_else(|| missing(info.name))?;
            config.params.set(info.name, value.into()).expect("a name and a value from the table");
        }
        let mut groups = config.eval.iter().map(|(info, _)| info.name);
        groups.find(|key| !self.eval.contains_key(*key)).map_or(Ok(()), |key| Err(missing(key)))
    }

    /// Every key with its value as text, techniques first; weights each by itself.
    fn values(&self) -> Vec<(String, String)> {
        let techniques = self.techniques.iter().map(|(key, on)| (key.clone(), on.to_string()));
        let params = self.params.iter().map(|(key, value)| (key.clone(), value.to_string()));
        let weights = self.eval.iter().flat_map(|(key, pairs)| weight_values(key, pairs));
        let more = self.more.iter().map(|(key, value)| (key.clone(), value.to_string()));
        techniques.chain(params).chain(weights).chain(more).collect()
    }

    /// What another record has different, one `key: ours → theirs` each; names do not count. A key that one of them lacks
    /// is `-` there.
    pub fn differences(&self, other: &ConfigRecord) -> Vec<String> {
        differences(&self.values(), &other.values())
    }

    /// The record as the sections of a config file, as it was stored.
    pub fn to_toml(&self) -> String {
        let mut text = format!("name = {}\n", toml::Value::from(self.name.as_str()));
        let mut section = |name: &str, lines: Vec<String>| {
            text += &format!("\n[{name}]\n{}", lines.concat());
        };
        section("techniques", self.techniques.iter().map(|(key, on)| format!("{key} = {on}\n")).collect());
        section("params", self.params.iter().map(|(key, value)| format!("{key} = {value}\n")).collect());
        section("eval", self.eval.iter().map(|(key, pairs)| format!("{key} = {pairs:?}\n")).collect());
        for (key, value) in &self.more {
            text += &format!("\n# {key} = {value}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn stored() -> Value {
        serde_json::to_value(EngineConfig::default()).unwrap()
    }

    fn changed(change: impl Fn(&mut Value)) -> Value {
        let mut value = stored();
        change(&mut value);
        value
    }

    fn refusal(change: impl Fn(&mut Value)) -> String {
        serde_json::from_value::<EngineConfig>(changed(change)).unwrap_err().to_string()
    }

    fn remove(value: &mut Value, section: &str, key: &str) {
        value[section].as_object_mut().unwrap().remove(key).expect(key);
    }

    #[test]
    fn a_stored_config_comes_back_as_it_was() {
        let mut config = EngineConfig::default();
        config.set_all(&["aspiration_delta=31", "killers=false"]).unwrap();
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<EngineConfig>(&text).unwrap(), config);
        assert_eq!(stored()["name"], "default");
        assert_eq!(stored()["techniques"]["pvs"], true);
        assert_eq!(stored()["params"]["iir_min_depth"], 4);
    }

    #[test]
    fn one_stored_before_a_key_existed_plays_as_it_did_then() {
        for see in [false, true] {
            let old = changed(|value| {
                value["techniques"]["see_pruning"] = json!(see);
                remove(value, "params", "lmp_pv");
            });
            assert!(
                old["techniques"]
                    .get("open_window_cutoffs")
                    .or(old["techniques"].get("see_pruning_quiescence"))
                    .is_none()
            );
            let config: EngineConfig = serde_json::from_value(old.clone()).unwrap();
            assert_eq!(serde_json::to_value(&config).unwrap(), old, "the same words");
            assert_eq!(config.techniques.see_pruning_quiescence, see);
            assert!(!config.techniques.open_window_cutoffs);
            assert_eq!(config.params.lmp_pv, 1);
        }
    }

    #[test]
    fn one_from_another_version_is_refused_plainly() {
        let unknown = refusal(|value| value["params"]["futility_bias"] = json!(3));
        assert_eq!(
            unknown,
            "the stored config `default` is not one that this version of the engine can play, run the version that \
             stored it or make the config anew: no parameter is called `futility_bias`: did you mean `futility_base`?"
        );
        for (change, ending) in [
            (refusal(|value| value["techniques"]["magic"] = json!(true)), "no technique is called `magic`"),
            (refusal(|value| remove(value, "params", "lmp_base")), "about `lmp_base`"),
            (refusal(|value| remove(value, "techniques", "lmr")), "about `lmr`"),
            (
                refusal(|value| value["techniques"]["pvs"] = json!(false)),
                "set `pvs` to true or `lmr` to false",
            ),
            (refusal(|value| value["params"]["lmp_base"] = json!(-1)), "outside its range 0 to 32"),
            (refusal(|value| value["params"]["rfp_improving"] = json!(499)), "must stay below `rfp_margin`"),
            (refusal(|value| value["eval"] = json!({})), "it says nothing about `material`"),
            (
                refusal(|value| value["eval"]["tempo"] = json!([])),
                "`tempo` has 1 weight, not 0: write [[middlegame, endgame]]",
            ),
            (refusal(|value| value["network"] = json!({})), "no section is called `network`"),
            (refusal(|value| value["params"]["lmp_base"] = json!("3")), "invalid type: string"),
        ] {
            assert!(change.contains(ending), "{change}");
        }
    }

    #[test]
    fn as_a_record_any_keys_are_read_and_shown_as_stored() {
        let newer = changed(|value| {
            value["techniques"]["magic"] = json!(true);
            value["params"]["lmp_base"] = json!(-1);
            remove(value, "params", "lmp_improving");
            value["eval"]["tempo"] = json!([[1, 2], [3, 4]]);
            value["network"] = json!({"size": 16});
        });
        let record: ConfigRecord = serde_json::from_value(newer.clone()).unwrap();
        assert_eq!(serde_json::to_value(&record).unwrap(), newer);
        assert!(record.to_play().is_err());
        let ours: ConfigRecord = serde_json::from_value(stored()).unwrap();
        let tempo = stored()["eval"]["tempo"][0].clone();
        assert_eq!(
            ours.differences(&record),
            [
                "lmp_base: 3 → -1".to_owned(),
                "lmp_improving: 1 → -".to_owned(),
                format!("tempo: [{}, {}] → -", tempo[0], tempo[1]),
                "magic: - → true".to_owned(),
                "tempo[0]: - → [1, 2]".to_owned(),
                "tempo[1]: - → [3, 4]".to_owned(),
                "network: - → {\"size\":16}".to_owned(),
            ]
        );
        let text = record.to_toml();
        for line in
            ["magic = true\n", "lmp_base = -1\n", "tempo = [[1, 2], [3, 4]]\n", "# network = {\"size\":16}\n"]
        {
            assert!(text.contains(line), "{text}");
        }
    }
}
