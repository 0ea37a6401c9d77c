//! Players: what identifies one in an experiment, in the store and in messages.

use super::external::ExternalEngine;
use super::external_file::{self, ExternalFile};
use crate::facts::{Fact, digest_of, fact};
use crate::game::limit::Limit;
use crate::game::play::OwnTerms;
use engine::bench;
use engine::config::{ConfigErrors, ConfigRecord, EngineConfig};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

/// One player of an experiment.
///
/// As JSON: `{"file", "digest", "config", "signature"}` for the built-in engine, `{"file", "digest", "uci"}` for
/// another; `"limit"` where it has one of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredPlayer", into = "StoredPlayer")]
pub struct PlayerSpec {
    /// The configuration's file as reports call it: its name, or what tells it from others of that name.
    pub file: String,
    /// The engine it describes.
    pub engine: EngineSpec,
    /// SHA-256 of all values of the configuration, and of its limit if it has one of its own.
    pub digest: String,
    /// Its own limit, instead of that of the games it plays in.
    pub limit: Option<Limit>,
    /// How late its answers may come, ms, instead of the margin of the games it plays in.
    pub margin: Option<u64>,
    /// The name under which the configuration was found, where `file` does not say it. It decides nothing.
    typed: Option<String>,
    /// The options of the command line that were set of it, without its name, in their order: to play the run again they
    /// are given again. They decide nothing but by what they set.
    set: Vec<(String, String)>,
}

/// The engine behind a player.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineSpec {
    /// The engine of this project.
    BuiltIn {
        /// The configuration, every value spelled out.
        config: EngineConfig,
        /// What short searches with it find, in short ([`bench::fingerprint`]): another build would find something else.
        signature: u64,
    },
    /// The engine of this project with a stored configuration that this version cannot play: another version knew more
    /// or other values. It can be shown and compared, not played.
    OtherVersion {
        /// The configuration as it was stored.
        record: ConfigRecord,
        /// As for the one that can be played.
        signature: u64,
    },
    /// Any program that speaks UCI.
    External(ExternalEngine),
}

/// Why a configuration is no player.
#[derive(Debug)]
pub enum BadPlayer {
    /// The file is wrong.
    Config(ConfigErrors),
    /// The program it names cannot be used, in a sentence.
    Program(String),
}

impl PlayerSpec {
    /// The built-in engine with this configuration, which was read from `file`.
    pub fn new(file: &Path, config: EngineConfig) -> PlayerSpec {
        PlayerSpec {
            file: file_name(file).unwrap_or_else(|| config.name.clone()),
            digest: config.digest(),
            engine: EngineSpec::BuiltIn { signature: bench::fingerprint(&config), config },
            limit: None,
            margin: None,
            typed: None,
            set: Vec::new(),
        }
    }

    /// The player that a configuration file describes, of either kind.
    ///
    /// # Errors
    /// The file is wrong, or the program that it names is not there or not the one it pins.
    pub fn load(path: &Path) -> Result<PlayerSpec, BadPlayer> {
        match external_file::read(path).map_err(BadPlayer::Config)? {
            None => EngineConfig::load(path)
                .map(|config| PlayerSpec::new(path, config))
                .map_err(BadPlayer::Config),
            Some(file) => PlayerSpec::external(path, file).map_err(BadPlayer::Program),
        }
    }

    /// Another engine, whose configuration reports call `file`.
    pub fn of_engine(file: &str, engine: ExternalEngine) -> PlayerSpec {
        PlayerSpec {
            file: file.to_owned(),
            digest: engine.digest(),
            engine: EngineSpec::External(engine),
            limit: None,
            margin: None,
            typed: None,
            set: Vec::new(),
        }
    }

    fn external(path: &Path, file: ExternalFile) -> Result<PlayerSpec, String> {
        let engine = ExternalEngine::find(file, path)?;
        let file = file_name(path).unwrap_or_else(|| engine.name.clone());
        Ok(PlayerSpec::of_engine(&file, engine))
    }

    /// The same player, whose configuration was found under this name, which says more than the file's name if it has
    /// folders.
    pub fn typed_as(self, name: &str) -> PlayerSpec {
        let typed = name.contains(['/', '=']).then(|| name.to_owned());
        PlayerSpec { typed, ..self }
    }

    /// The same player under another label, whose configuration is still found as it was typed.
    pub fn labelled(self, label: &str) -> PlayerSpec {
        if self.file == label {
            return self;
        }
        let typed = Some(self.as_typed().to_owned());
        PlayerSpec { file: label.to_owned(), typed, ..self }
    }

    /// The same player under another name in reports and game files, which decides nothing.
    pub fn named(mut self, name: String) -> PlayerSpec {
        match &mut self.engine {
            EngineSpec::BuiltIn { config, .. } => config.name = name,
            EngineSpec::OtherVersion { record, .. } => record.name = name,
            EngineSpec::External(engine) => engine.name = name,
        }
        self
    }

    /// The same player under another name in reports.
    pub fn called(&self, file: &str) -> PlayerSpec {
        PlayerSpec { file: file.to_owned(), typed: None, ..self.clone() }
    }

    /// What is to be typed to find its configuration.
    pub fn as_typed(&self) -> &str {
        self.typed.as_deref().unwrap_or(&self.file)
    }

    /// The word by which an option of the command line names it.
    pub fn word(&self) -> &str {
        if self.as_typed().contains('=') { self.name() } else { self.as_typed() }
    }

    /// The options of the command line that were set of it, and their values without its name.
    pub fn options_set(&self) -> &[(String, String)] {
        &self.set
    }

    /// What it has instead of the terms of the games it plays in.
    pub fn own_terms(&self) -> OwnTerms {
        OwnTerms { limit: self.limit, margin: self.margin.map(Duration::from_millis) }
    }

    /// The same player whose engine is changed by this option of the command line.
    ///
    /// # Errors
    /// A sentence: it is the built-in engine, or the value is none.
    pub fn set(
        mut self,
        option: &str,
        value: &str,
        change: impl FnOnce(&mut ExternalEngine) -> Result<(), String>,
    ) -> Result<PlayerSpec, String> {
        match &mut self.engine {
            EngineSpec::External(engine) => change(engine)?,
            EngineSpec::BuiltIn { .. } | EngineSpec::OtherVersion { .. } => {
                return Err(format!("{} is the built-in engine", self.file));
            }
        }
        let said = (option.to_owned(), value.to_owned());
        let is_same = |(before, earlier): &&mut (String, String)| {
            before == option && set_by(before, earlier) == set_by(option, value)
        };
        // What it replaces is not said again, and the order stays, which is that of the engine's options.
        match self.set.iter_mut().find(is_same) {
            Some(before) => *before = said,
            None => self.set.push(said),
        }
        let (limit, margin) = (self.limit, self.margin);
        Ok(self.under(limit, margin))
    }

    /// The same player as the engine on this machine plays it now.
    ///
    /// # Errors
    /// Its program cannot be read any more, or another version of this one stored its configuration.
    pub fn measured_anew(&self) -> Result<PlayerSpec, String> {
        Ok(match &self.engine {
            EngineSpec::BuiltIn { config, .. } => self.playing(config.clone()),
            EngineSpec::OtherVersion { record, .. } => {
                return record.to_play().map(|config| self.playing(config));
            }
            EngineSpec::External(engine) => {
                let engine = EngineSpec::External(engine.measured_anew()?);
                PlayerSpec { engine, ..self.clone() }
            }
        })
    }

    /// Whether this program can play it.
    ///
    /// # Errors
    /// The sentence that says why not: another version of the engine stored its configuration, or its program is not there.
    pub fn is_playable(&self) -> Result<(), String> {
        match &self.engine {
            EngineSpec::BuiltIn { .. } => Ok(()),
            EngineSpec::OtherVersion { record, .. } => record.to_play().map(|_| ()),
            EngineSpec::External(engine) => engine.measured_anew().map(|_| ()),
        }
    }

    /// The same player with the built-in engine of this program.
    fn playing(&self, config: EngineConfig) -> PlayerSpec {
        let anew = PlayerSpec::new(Path::new(&self.file), config).under(self.limit, self.margin);
        PlayerSpec { file: self.file.clone(), typed: self.typed.clone(), set: self.set.clone(), ..anew }
    }

    /// The same player with other values of its parameters, or options of an external engine; reports call it `file`. The
    /// fingerprint of the built-in engine is not taken anew, which takes as long as some moves of a game.
    ///
    /// # Errors
    /// A sentence, if it has no such parameter or its values are not legal together.
    pub fn varied<'a>(
        &self,
        file: &str,
        values: impl Iterator<Item = (&'a str, i32)>,
    ) -> Result<PlayerSpec, String> {
        let mut varied = self.called(file);
        match &mut varied.engine {
            EngineSpec::BuiltIn { config, .. } => {
                for (name, value) in values {
                    config.params.set(name, value.into()).map_err(|error| error.to_string())?;
                }
                if let Some(error) = config.params.check().first() {
                    return Err(error.to_string());
                }
            }
            EngineSpec::OtherVersion { record, .. } => {
                for (name, value) in values {
                    record.params.insert(name.to_owned(), value.into());
                }
            }
            EngineSpec::External(engine) => {
                for (name, value) in values {
                    engine.set_option(name, value);
                }
            }
        }
        let (limit, margin) = (varied.limit, varied.margin);
        Ok(varied.under(limit, margin))
    }

    /// The same player with this limit and this time margin of its own, or none: another player than without it, hence with
    /// another digest.
    pub fn under(self, limit: Option<Limit>, margin: Option<u64>) -> PlayerSpec {
        let engine = match &self.engine {
            EngineSpec::BuiltIn { config, .. } => config.digest(),
            // What the values of another version come to is not known here.
            EngineSpec::OtherVersion { .. } => return PlayerSpec { limit, margin, ..self },
            EngineSpec::External(engine) => engine.digest(),
        };
        let own = [limit.map(|limit| fact("limit", limit)), margin.map(|margin| fact("time-margin", margin))];
        let own: Vec<Fact> = own.into_iter().flatten().collect();
        let digest = match own.is_empty() {
            true => engine,
            false => digest_of(&[vec![fact("engine", engine)], own].concat()),
        };
        PlayerSpec { digest, limit, margin, ..self }
    }

    /// Its file, with the limit of its own if it has one, as it stands in questions.
    pub fn label(&self) -> String {
        let margin = self.margin.map(|margin| format!("time margin {margin} ms"));
        let own: Vec<String> = self.limit.map(|limit| limit.to_string()).into_iter().chain(margin).collect();
        match own.is_empty() {
            true => self.file.clone(),
            false => format!("{} ({})", self.file, own.join(", ")),
        }
    }

    /// The name in reports and game files.
    pub fn name(&self) -> &str {
        match &self.engine {
            EngineSpec::BuiltIn { config, .. } => &config.name,
            EngineSpec::OtherVersion { record, .. } => &record.name,
            EngineSpec::External(engine) => &engine.name,
        }
    }

    /// A configuration file that spells everything out.
    pub fn to_toml(&self) -> String {
        match &self.engine {
            EngineSpec::BuiltIn { config, .. } => config.to_toml(),
            EngineSpec::OtherVersion { record, .. } => record.to_toml(),
            EngineSpec::External(engine) => engine.to_toml(),
        }
    }

    /// The configuration, if it is one that the built-in engine can play.
    pub fn config(&self) -> Option<&EngineConfig> {
        match &self.engine {
            EngineSpec::BuiltIn { config, .. } => Some(config),
            EngineSpec::OtherVersion { .. } | EngineSpec::External(_) => None,
        }
    }

    /// The program, if it is another engine than the built-in one.
    pub fn external_engine(&self) -> Option<&ExternalEngine> {
        match &self.engine {
            EngineSpec::External(engine) => Some(engine),
            EngineSpec::BuiltIn { .. } | EngineSpec::OtherVersion { .. } => None,
        }
    }

    /// Threads that one search takes, as far as the configuration says.
    pub fn search_threads(&self) -> usize {
        let told = self.external_engine().and_then(|engine| engine.option("Threads"));
        told.and_then(|threads| threads.parse().ok()).unwrap_or(1).max(1)
    }

    /// What tells this build of the engine from another: the fingerprint of its searches, or the digest of its executable.
    pub fn build(&self) -> String {
        match &self.engine {
            EngineSpec::BuiltIn { signature, .. } | EngineSpec::OtherVersion { signature, .. } => {
                signature.to_string()
            }
            EngineSpec::External(engine) => engine.sha256.clone(),
        }
    }

    /// What another player's configuration has different, one `key: ours → theirs` each.
    pub fn differences(&self, other: &PlayerSpec) -> Vec<String> {
        let mut differences = match (&self.engine, &other.engine) {
            (EngineSpec::BuiltIn { config: ours, .. }, EngineSpec::BuiltIn { config: theirs, .. }) => {
                ours.differences(theirs)
            }
            (EngineSpec::External(ours), EngineSpec::External(theirs)) => ours.differences(theirs),
            _ => match (self.record(), other.record()) {
                (Some(ours), Some(theirs)) => ours.differences(&theirs),
                _ => vec![format!("engine: {} → {}", self.file, other.file)],
            },
        };
        if self.limit != other.limit {
            let own =
                |limit: Option<Limit>| limit.map_or("that of all".to_owned(), |limit| limit.to_string());
            differences.push(format!("limit: {} → {}", own(self.limit), own(other.limit)));
        }
        if self.margin != other.margin {
            let own = |margin: Option<u64>| {
                margin.map_or("that of all".to_owned(), |margin| format!("{margin} ms"))
            };
            differences.push(format!("time-margin: {} → {}", own(self.margin), own(other.margin)));
        }
        differences
    }
}

impl PlayerSpec {
    /// The configuration of the built-in engine of whatever version, value by value.
    fn record(&self) -> Option<Cow<'_, ConfigRecord>> {
        match &self.engine {
            EngineSpec::BuiltIn { config, .. } => Some(Cow::Owned(ConfigRecord::from(config))),
            EngineSpec::OtherVersion { record, .. } => Some(Cow::Borrowed(record)),
            EngineSpec::External(_) => None,
        }
    }
}

fn file_name(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// A player as it is stored; the fields of one kind or those of the other are there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPlayer {
    file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    config: Option<ConfigRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    uci: Option<ExternalEngine>,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<Limit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    margin: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    typed: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set: Vec<(String, String)>,
}

impl From<PlayerSpec> for StoredPlayer {
    fn from(PlayerSpec { file, engine, digest, limit, margin, typed, set }: PlayerSpec) -> StoredPlayer {
        let (config, signature, uci) = match engine {
            EngineSpec::BuiltIn { config, signature } => {
                (Some(ConfigRecord::from(&config)), Some(signature), None)
            }
            EngineSpec::OtherVersion { record, signature } => (Some(record), Some(signature), None),
            EngineSpec::External(engine) => (None, None, Some(engine)),
        };
        StoredPlayer { file, config, uci, digest, signature, limit, margin, typed, set }
    }
}

impl TryFrom<StoredPlayer> for PlayerSpec {
    type Error = String;

    fn try_from(stored: StoredPlayer) -> Result<PlayerSpec, String> {
        let StoredPlayer { file, config, uci, digest, signature, limit, margin, typed, set } = stored;
        let engine = match (config, signature, uci) {
            (Some(record), Some(signature), None) => match record.to_play() {
                Ok(config) => EngineSpec::BuiltIn { config, signature },
                Err(_) => EngineSpec::OtherVersion { record, signature },
            },
            (None, None, Some(engine)) => EngineSpec::External(engine),
            _ => return Err(format!("the player {file} is neither the built-in engine nor another")),
        };
        Ok(PlayerSpec { file, engine, digest, limit, margin, typed, set })
    }
}

/// What is set by this value, where an option can set several things: the name before `=`. Names of UCI options are the same in any
/// letter case.
pub fn set_by(option: &str, value: &str) -> String {
    let name = value.split('=').next().unwrap_or_default().trim();
    match option {
        "option" => name.to_ascii_lowercase(),
        "env" => name.to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_player_stored_before_there_were_others_is_read() {
        let spec = PlayerSpec::new(Path::new("any/base.toml"), EngineConfig::default());
        let EngineSpec::BuiltIn { config, signature } = &spec.engine else { panic!("{spec:?}") };
        let stored =
            json!({"file": "base.toml", "config": config, "digest": spec.digest, "signature": signature});
        assert_eq!(serde_json::to_value(&spec).unwrap(), stored);
        assert_eq!(serde_json::from_value::<PlayerSpec>(stored.clone()).unwrap(), spec);
        for (key, value) in [("signature", json!(null)), ("more", json!(1)), ("uci", json!({}))] {
            let mut damaged = stored.clone();
            damaged[key] = value;
            assert!(serde_json::from_value::<PlayerSpec>(damaged).is_err(), "{key}");
        }
    }
}
