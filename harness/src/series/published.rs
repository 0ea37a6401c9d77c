//! Published results that are reproduced, and the engines under which they are. The experiment files that the project
//! ships.
//!
//! An experiment names the engine as it stood (`base`, a config of the chain in `states/`), what was changed, the limit and
//! the precision of ours, and what was published.

use crate::game::limit::Limit;
use engine::config::EngineConfig;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One published test and how it is repeated.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproduction {
    /// The file's name without its ending: what users call it.
    #[serde(skip)]
    pub id: String,
    /// What was asked.
    pub question: String,
    /// The engine as it stood, seen from the file.
    base: PathBuf,
    /// What the candidate changes: `key=value`.
    candidate: Vec<String>,
    /// Positions searched for each move.
    pub nodes: u64,
    /// Half-width of the 95 % interval to be reached, Elo.
    pub precision: f64,
    /// What was published.
    pub published: Published,
    #[serde(skip)]
    path: PathBuf,
}

/// A published result. What was not published is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Where it stands.
    pub source: String,
    /// Its place in the order of tests.
    pub state: u32,
    /// What the source made of it.
    pub verdict: PublishedVerdict,
    /// Lead of the candidate, Elo.
    pub elo: Option<f64>,
    /// Half-width of its 95 % interval, Elo.
    pub margin: Option<f64>,
    /// Games played.
    pub games: Option<u64>,
    /// The same test once more, by others.
    pub second_run: Option<SecondRun>,
}

/// A repetition by the source itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecondRun {
    /// Lead of the candidate, Elo.
    pub elo: f64,
    /// Half-width of its 95 % interval, Elo.
    pub margin: f64,
}

/// What a source made of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PublishedVerdict {
    /// Its SPRT accepted the change.
    Passed,
    /// Its SPRT rejected it.
    Failed,
    /// It said that the change made the engine weaker.
    Weaker,
    /// It ended without a verdict.
    None,
}

impl PublishedVerdict {
    /// The word in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            PublishedVerdict::Passed => "passed",
            PublishedVerdict::Failed => "failed",
            PublishedVerdict::Weaker => "weaker",
            PublishedVerdict::None => "no verdict",
        }
    }
}

impl Reproduction {
    /// The limit under which it is repeated.
    pub const fn limit(&self) -> Limit {
        Limit::nodes(self.nodes)
    }

    /// Reads one file.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub fn read(path: &Path) -> Result<Reproduction, String> {
        let name = path.display();
        let text =
            std::fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        let read: Reproduction = toml::from_str(&text).map_err(|error| format!("in {name}: {error}"))?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Reproduction { id, path: path.to_owned(), ..read })
    }

    /// All of a folder, in the order in which they were published. Only files that are named like a test (`84`,
    /// `stage-11`) are read: others in the folder are its notes.
    ///
    /// # Errors
    /// The folder or one of its files cannot be read.
    pub fn read_all(folder: &Path) -> Result<Vec<Reproduction>, String> {
        let unreadable = |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
        let mut all = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let is_toml = path.extension().is_some_and(|extension| extension == "toml");
            if is_toml && path.file_stem().is_some_and(|stem| stem != LIST) {
                all.push(Reproduction::read(&path)?);
            }
        }
        all.sort_by_key(|one| one.published.state);
        Ok(all)
    }

    /// The engine as it stood, and with the change.
    ///
    /// # Errors
    /// What is wrong with the configurations.
    pub fn players(&self) -> Result<[EngineConfig; 2], String> {
        let base =
            EngineConfig::load(&self.path.with_file_name(&self.base)).map_err(|error| error.to_string())?;
        let mut candidate =
            EngineConfig { name: format!("{} with {}", base.name, self.change()), ..base.clone() };
        candidate.set_all(&self.candidate).map_err(|error| format!("{}: {error}", self.path.display()))?;
        Ok([base, candidate])
    }

    /// What the candidate changes, as one line.
    pub fn change(&self) -> String {
        self.candidate.join(" ")
    }
}

/// The list of published figures, from which the experiments were written.
const LIST: &str = "published-results";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/experiments")
    }

    #[derive(Deserialize)]
    struct List {
        result: Vec<BTreeMap<String, toml::Value>>,
    }

    #[test]
    fn every_published_result_has_its_experiment_with_its_figures() {
        let text = std::fs::read_to_string(folder().join("published-results.toml")).unwrap();
        let list: List = toml::from_str(&text).unwrap();
        let all = Reproduction::read_all(&folder()).unwrap();
        assert_eq!(all.len(), list.result.len());
        for (ours, theirs) in all.iter().zip(&list.result) {
            let text = |key: &str| theirs.get(key).and_then(toml::Value::as_str).map(str::to_owned);
            let number = |key: &str| theirs.get(key).and_then(toml::Value::as_float);
            let Published { state, verdict, elo, margin, games, second_run, .. } = &ours.published;
            assert_eq!(Some(ours.id.clone()), text("id"));
            assert_eq!(Some(ours.question.clone()), text("question"), "{}", ours.id);
            assert_eq!(Some(i64::from(*state)), theirs["state"].as_integer(), "{}", ours.id);
            let word = text("verdict").unwrap().replace("none", "no verdict");
            assert_eq!(verdict.as_str(), word, "{}", ours.id);
            assert_eq!((*elo, *margin), (number("elo"), number("margin")), "{}", ours.id);
            let given = theirs.get("games").and_then(toml::Value::as_integer);
            assert_eq!(games.map(|games| games as i64), given, "{}", ours.id);
            assert_eq!(second_run.is_some(), theirs.contains_key("second_run"), "{}", ours.id);
            assert!(ours.precision <= margin.unwrap_or(8.0), "{} is not as precise as the source", ours.id);
        }
    }

    #[test]
    fn each_candidate_is_its_state_with_what_the_list_says_of_it() {
        let all = Reproduction::read_all(&folder()).unwrap();
        for one in &all {
            let [base, candidate] = one.players().unwrap();
            let changed: Vec<String> = base
                .differences(&candidate)
                .iter()
                .map(|line| line.split(':').next().unwrap().to_owned())
                .collect();
            let named: Vec<&str> = one.candidate.iter().map(|set| set.split('=').next().unwrap()).collect();
            assert!(!changed.is_empty(), "{} changes nothing", one.id);
            assert!(changed.iter().all(|key| named.contains(&key.as_str())), "{}: {changed:?}", one.id);
        }
    }

    /// Every passed change is in the states after it, and the last state is the published engine.
    #[test]
    fn the_chain_of_states_ends_at_the_published_engine() {
        let all = Reproduction::read_all(&folder()).unwrap();
        let [last, _] = all.last().unwrap().players().unwrap();
        let published = EngineConfig::load(&folder().join("../published.toml")).unwrap();
        assert_eq!(last.differences(&published), [""; 0]);
        for (place, one) in all.iter().enumerate() {
            let Some(next) = all.get(place + 1) else { continue };
            let ([base, candidate], [next_base, _]) = (one.players().unwrap(), next.players().unwrap());
            let expected = if one.published.verdict == PublishedVerdict::Passed { candidate } else { base };
            let surprises = expected.differences(&next_base).len();
            let adopted_without_a_test = match next.id.as_str() {
                // With both switches of SEE pruning, and without cutoffs in open windows, which PVS does not have.
                "60" => 15,
                "71" => 2,
                "119" => 4,
                "123" => 2,
                _ => 0,
            };
            assert!(surprises <= adopted_without_a_test, "{} → {}: {surprises}", one.id, next.id);
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("7.toml");
        std::fs::write(&path, "question = \"?\"\nbas = \"x.toml\"\n").unwrap();
        let error = Reproduction::read(&path).unwrap_err();
        assert!(error.contains("7.toml") && error.contains("line 2") && error.contains("`bas`"), "{error}");
        assert!(
            Reproduction::read_all(&folder.path().join("nowhere")).unwrap_err().contains("cannot be read")
        );
    }
}
