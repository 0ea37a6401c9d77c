//! How does a config travel in JSON: in stored experiments, and to workers elsewhere?

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::engine_config::EngineConfig;
use crate::evaluation::EvalWeights;
use crate::params::SearchParams;
use crate::techniques::Techniques;

impl Serialize for EngineConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredConfig::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for EngineConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StoredConfig::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

/// Every value by name. Unlike [`EngineConfig`] it need not be one that this version can play.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredConfig {
    name: String,
    techniques: BTreeMap<String, bool>,
    params: BTreeMap<String, i64>,
    eval: BTreeMap<String, Vec<[i64; 2]>>,
}

impl From<&EngineConfig> for StoredConfig {
    fn from(config: &EngineConfig) -> Self {
        Self {
            techniques: config.techniques.iter().map(|(info, on)| (info.name.to_owned(), on)).collect(),
            params: config.params.iter().map(|(info, value)| (info.name.to_owned(), value.into())).collect(),
            eval: (config.eval.iter())
                .map(|(info, pairs)| {
                    (info.name.to_owned(), pairs.iter().map(|pair| pair.map(i64::from)).collect())
                })
                .collect(),
            name: config.name.clone(),
        }
    }
}

/// Succeeds only if this version would play exactly what was stored: a value it does not know, or one it
/// would have to make up, is another engine.
impl TryFrom<StoredConfig> for EngineConfig {
    type Error = String;

    fn try_from(stored: StoredConfig) -> Result<Self, String> {
        let StoredConfig { name, techniques, params, eval } = stored;
        let refuse = |why: String| {
            format!(
                "the stored config `{name}` is not one that this version of the engine can play, run the \
                 version that stored it or make the config anew: {why}"
            )
        };
        let mut config = EngineConfig {
            name: name.clone(),
            techniques: Techniques::none(),
            params: SearchParams::default(),
            eval: EvalWeights::default(),
        };
        for (key, on) in &techniques {
            config.techniques.set(key, *on).map_err(|error| refuse(error.to_string()))?;
        }
        for (key, value) in &params {
            config.params.set(key, *value).map_err(|error| refuse(error.to_string()))?;
        }
        for (key, pairs) in &eval {
            config.eval.set(key, pairs).map_err(|error| refuse(error.to_string()))?;
        }
        let missing_technique =
            config.techniques.iter().map(|(info, _)| info.name).find(|key| !techniques.contains_key(*key));
        let missing_param =
            config.params.iter().map(|(info, _)| info.name).find(|key| !params.contains_key(*key));
        let missing_weights =
            config.eval.iter().map(|(info, _)| info.name).find(|key| !eval.contains_key(*key));
        if let Some(key) = missing_technique.or(missing_param).or(missing_weights) {
            return Err(refuse(format!("it says nothing about `{key}`")));
        }
        if let Some(error) = config.techniques.check().first() {
            return Err(refuse(error.to_string()));
        }
        if let Some(error) = config.params.check().first() {
            return Err(refuse(error.to_string()));
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn stored() -> Value {
        serde_json::to_value(EngineConfig::default()).unwrap()
    }

    fn refusal(change: impl Fn(&mut Value)) -> String {
        let mut value = stored();
        change(&mut value);
        serde_json::from_value::<EngineConfig>(value).unwrap_err().to_string()
    }

    #[test]
    fn a_stored_config_comes_back_as_it_was() {
        let mut config = EngineConfig::default();
        config.set_all(&["aspiration_delta=31", "killers=false"]).unwrap();
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<EngineConfig>(&text).unwrap(), config);
        assert_eq!(stored()["name"], "default");
        assert_eq!(stored()["techniques"]["pvs"], true);
        assert_eq!(stored()["params"]["aspiration_delta"], 25);
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
            (
                refusal(|value| drop(value["params"].as_object_mut().unwrap().remove("lmp_base"))),
                "about `lmp_base`",
            ),
            (
                refusal(|value| drop(value["techniques"].as_object_mut().unwrap().remove("lmr"))),
                "about `lmr`",
            ),
            (
                refusal(|value| value["techniques"]["pvs"] = json!(false)),
                "set `pvs` to true or `lmr` to false",
            ),
            (refusal(|value| value["params"]["lmp_base"] = json!(-1)), "outside its range 0 to 32"),
            (refusal(|value| value["params"]["rfp_improving"] = json!(80)), "must stay below `rfp_margin`"),
            (refusal(|value| value["eval"] = json!({})), "it says nothing about `material`"),
            (
                refusal(|value| value["eval"]["tempo"] = json!([])),
                "`tempo` has 1 weight, not 0: write [[middlegame, endgame]]",
            ),
            (refusal(|value| value["network"] = json!({})), "unknown field `network`"),
            (refusal(|value| value["params"]["lmp_base"] = json!("3")), "invalid type: string"),
        ] {
            assert!(change.contains(ending), "{change}");
        }
    }
}
