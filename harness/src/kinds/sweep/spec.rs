//! Specification of a sweep: its arms, and all that decides their games.

use super::arms::{Arm, Setting, Value, joined};
use super::schedule::{Mode, Rules};
use crate::conditions::Conditions;
use crate::players::spec::PlayerSpec;
use crate::statistics::SprtBounds;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::path::PathBuf;

/// What the arms are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// Values of these keys, one or two.
    Values(Vec<String>),
    /// The base without each of its techniques in turn.
    Ablation,
}

/// A sweep: its arms, and everything that decides their games and the verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepSpec {
    /// What the arms are.
    pub question: Question,
    /// Whom they play.
    pub base: PlayerSpec,
    /// The file that the base was read from, from the root; none for the full engine by default.
    pub base_file: Option<PathBuf>,
    /// The arms.
    #[serde(rename = "variants")]
    pub arms: Vec<Arm>,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The test; its alpha is that of all arms together.
    pub test: SprtBounds,
    /// How the pairs are shared out.
    pub mode: Mode,
    /// Pairs in a block.
    pub block: u64,
}

impl SweepSpec {
    /// The key, both keys of a grid, or `ablation`.
    pub fn key(&self) -> String {
        match &self.question {
            Question::Values(keys) => keys.join(" "),
            Question::Ablation => "ablation".to_owned(),
        }
    }

    /// Each key with its values, as on the command line; none where techniques are turned off.
    pub fn axes(&self) -> Vec<String> {
        let Question::Values(keys) = &self.question else { return Vec::new() };
        let axis = |(place, key): (usize, &String)| {
            let values: Vec<_> = self.values_at(place).iter().map(Value::to_string).collect();
            format!("{key}={}", values.join(","))
        };
        keys.iter().enumerate().map(axis).collect()
    }

    /// The values that arms give to the key at this place, each once, in the order in which they were given.
    pub fn values_at(&self, place: usize) -> Vec<Value> {
        let others = |arm: &Arm| {
            let mut settings = arm.settings.clone();
            settings.remove(place);
            settings
        };
        // A grid may have no arm in some of its cells: the order is seen where it has most.
        let along =
            |arm: &&Arm| Reverse(self.arms.iter().filter(|other| others(other) == others(arm)).count());
        let mut arms: Vec<&Arm> = self.arms.iter().collect();
        arms.sort_by_cached_key(along);
        let mut values: Vec<Value> = Vec::new();
        for value in arms.into_iter().map(|arm| &arm.settings[place].value) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        values
    }

    /// How an arm is called: the value of the only key, all settings, or `without` the technique that is off.
    pub fn label(&self, arm: &Arm) -> String {
        self.label_of(&arm.settings)
    }

    /// An arm as a player that is told from all others: `toga with Hash=4`, `full without lmr`.
    pub fn player_in_words(&self, arm: &Arm) -> String {
        let base = self.base.name();
        match self.question {
            Question::Ablation => format!("{base} {}", self.label(arm)),
            Question::Values(_) => format!("{base} with {}", joined(&arm.settings, " ")),
        }
    }

    /// How the base would be called if it were an arm; none where it sets nothing that arms set.
    pub fn base_label(&self) -> Option<String> {
        Some(self.label_of(&self.base_settings()?))
    }

    /// What the base sets the keys to; none where its techniques are turned off, or where another engine's options are left
    /// as they are by default.
    pub fn base_settings(&self) -> Option<Vec<Setting>> {
        let Question::Values(keys) = &self.question else { return None };
        keys.iter().map(|key| Setting::of(&self.base, key)).collect()
    }

    fn label_of(&self, settings: &[Setting]) -> String {
        match (&self.question, settings) {
            (Question::Ablation, [off]) => format!("without {}", off.key),
            (Question::Values(_), [only]) => only.value.to_string(),
            _ => joined(settings, " "),
        }
    }

    /// The test of one arm.
    pub fn arm_test(&self) -> SprtBounds {
        self.test.one_of(self.arms.len())
    }

    /// Pairs in which every arm has one block.
    pub fn round(&self) -> u64 {
        self.block * self.arms.len() as u64
    }

    /// What the schedule follows.
    pub fn rules(&self) -> Rules {
        let Conditions { limit, openings, seed, .. } = &self.conditions;
        Rules {
            mode: self.mode,
            test: self.arm_test(),
            block: self.block,
            seed: *seed,
            openings: limit.is_deterministic().then(|| openings.left()),
        }
    }
}
