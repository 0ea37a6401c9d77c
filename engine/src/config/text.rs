//! Written forms of a config: the file that spells everything out, and the digest.

use std::fmt::Write;

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};

use super::engine_config::EngineConfig;
use super::stored::ConfigRecord;
use crate::evaluation::EvalWeights;
use crate::params_format::{Format, format_params};

impl EngineConfig {
    /// A config file that spells everything out, with meanings as comments; [`load`](Self::load) reads it back
    /// to the same value.
    pub fn to_toml(&self) -> String {
        let mut text = format!("name = {}\n\n[techniques]\n", toml::Value::from(self.name.as_str()));
        for (info, on) in self.techniques.iter() {
            writeln!(text, "# {}\n{} = {on}", info.doc, info.name).expect("a String takes all");
        }
        text + "\n" + &format_params(&self.params, Format::Toml) + "\n" + &format_weights(&self.eval)
    }

    /// What names this config in results: on the same version of the engine, equal digests play alike.
    ///
    /// What the stored form leaves out ([`ConfigRecord`]) is left out, so that configs which were stored before a key
    /// existed keep their digests.
    ///
    /// The SHA-256, in lower-case hex, of one line `technique <name> <true|false>` for every technique and then
    /// one line `param <name> <value>` for every parameter, then one line `eval <name> <middlegame> <endgame> …`
    /// for every group of weights, each ending in a newline, sorted by name within its kind. The config's name is not part of it.
    pub fn digest(&self) -> String {
        // Its maps are sorted by name.
        let ConfigRecord { techniques, params, eval, .. } = ConfigRecord::from(self);
        let techniques = techniques.iter().map(|(name, on)| format!("technique {name} {on}\n"));
        let params = params.iter().map(|(name, value)| format!("param {name} {value}\n"));
        let weights = eval.iter().map(|(name, pairs)| {
            let halves: String = pairs.as_flattened().iter().map(|half| format!(" {half}")).collect();
            format!("eval {name}{halves}\n")
        });
        let lines: String = techniques.chain(params).chain(weights).collect();
        encode_string(&Sha256::digest(lines))
    }
}

/// The `[eval]` section of a config, meanings as comments; ends with a newline.
pub fn format_weights(weights: &EvalWeights) -> String {
    /// Pairs that stand on one line.
    const ON_A_LINE: usize = 8;
    let mut text = String::from("[eval]\n");
    for (info, pairs) in weights.iter() {
        let lines: Vec<_> = pairs
            .chunks(ON_A_LINE)
            .map(|chunk| chunk.iter().map(|pair| format!("{pair:?}")).collect::<Vec<_>>().join(", "))
            .collect();
        let array = match lines.as_slice() {
            [line] => format!("[{line}]"),
            _ => format!("[\n    {},\n]", lines.join(",\n    ")),
        };
        writeln!(text, "# {}\n{} = {array}", info.doc, info.name).expect("a String takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::evaluation::groups::GROUPS;
    use crate::params::PARAMS;
    use crate::techniques::TECHNIQUES;

    #[test]
    fn every_single_change_changes_the_digest() {
        let config = EngineConfig::default();
        let mut digests = BTreeSet::from([config.digest()]);
        for info in TECHNIQUES {
            let mut other = config.clone();
            other.techniques.set(info.name, !config.techniques.get(info.name).unwrap()).unwrap();
            digests.insert(other.digest());
        }
        for info in PARAMS {
            let mut other = config.clone();
            let value = if info.default == info.max { info.min } else { info.default + 1 };
            other.params.set(info.name, value.into()).unwrap();
            digests.insert(other.digest());
        }
        for info in GROUPS {
            let mut other = config.clone();
            let mut pairs = vec![[0, 0]; info.size];
            let [middlegame, endgame] = EvalWeights::shipped(info)[info.size - 1].map(i64::from);
            pairs[info.size - 1] = [middlegame, if endgame == 0 { 1 } else { endgame - 1 }];
            other.eval.set(info.name, &pairs).unwrap();
            digests.insert(other.digest());
        }
        assert_eq!(digests.len(), 1 + TECHNIQUES.len() + PARAMS.len() + GROUPS.len());
        let renamed = EngineConfig { name: "other".to_owned(), ..config.clone() };
        assert_eq!(renamed.digest(), config.digest());
    }

    #[test]
    fn a_written_file_reads_back_to_the_same_config() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("written.toml");
        for name in ["plain", "with \"quotes\" and \\", "Ünïcode → ♞"] {
            let mut config = EngineConfig { name: name.to_owned(), ..EngineConfig::default() };
            config
                .set_all(&[
                    "aspiration_delta=31",
                    "killers=false",
                    "lmr_base=-7",
                    "outpost=[[1, -2], [3, 4]]",
                ])
                .unwrap();
            std::fs::write(&path, config.to_toml()).unwrap();
            assert_eq!(EngineConfig::load(&path).unwrap(), config);
        }
    }

    #[test]
    fn a_written_file_explains_itself() {
        let text = EngineConfig::default().to_toml();
        assert!(text.starts_with(
            "name = \"default\"\n\n[techniques]\n# cutoffs; off means plain fail-soft minimax\nalpha_beta = true\n"
        ));
        assert!(text.contains("\n\n[params]\n# half-width of the first aspiration window"));
    }
}
