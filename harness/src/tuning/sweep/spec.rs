//! All that decides what a sweep plays, and the pairs that follow from it.

use super::arms::{Setting, Value, Variant, joined};
use super::schedule::{Limits, Mode, Rules};
use crate::experiment::{Conditions, PlayerSpec, test_facts};
use crate::facts::{self, Fact, digest_of, fact};
use crate::statistics::SprtSpec;
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
    pub variants: Vec<Variant>,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The test; its alpha is that of all arms together.
    pub test: SprtSpec,
    /// How the pairs are shared out.
    pub mode: Mode,
    /// The margin to measure to, Elo, as was asked when the run began. It decides no game: more can be asked later.
    pub margin: Option<f64>,
    /// The pairs of all arms together that were allowed when it began; nor do they decide a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_pairs: Option<u64>,
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

    /// What is asked, in words.
    pub fn question(&self) -> String {
        let asked = match &self.question {
            Question::Values(_) => self.axes().join(" "),
            Question::Ablation => format!("each of {} techniques off", self.variants.len()),
        };
        format!("{asked} against {} · {}", self.base.file, self.conditions.limit)
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
        let others = |variant: &Variant| {
            let mut settings = variant.settings.clone();
            settings.remove(place);
            settings
        };
        // A grid may have no arm in some of its cells: the order is seen where it has most.
        let along = |variant: &&Variant| {
            Reverse(self.variants.iter().filter(|other| others(other) == others(variant)).count())
        };
        let mut variants: Vec<&Variant> = self.variants.iter().collect();
        variants.sort_by_cached_key(along);
        let mut values: Vec<Value> = Vec::new();
        for value in variants.into_iter().map(|variant| &variant.settings[place].value) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        values
    }

    /// How far the run was to go when it began.
    pub fn limits(&self) -> Limits {
        Limits { max_pairs: self.max_pairs, margin: self.margin, ..Limits::default() }
    }

    /// How an arm is called: the value of the only key, all settings, or `without` the technique that is off.
    pub fn label(&self, variant: &Variant) -> String {
        self.label_of(&variant.settings)
    }

    /// An arm as a player that is told from all others: `toga with Hash=4`, `full without lmr`.
    pub fn player_in_words(&self, variant: &Variant) -> String {
        let base = self.base.name();
        match self.question {
            Question::Ablation => format!("{base} {}", self.label(variant)),
            Question::Values(_) => format!("{base} with {}", joined(&variant.settings, " ")),
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
    pub fn arm_test(&self) -> SprtSpec {
        self.test.one_of(self.variants.len())
    }

    /// Pairs in which every arm has one block.
    pub fn round(&self) -> u64 {
        self.block * self.variants.len() as u64
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

    /// SHA-256 of everything that decides the games and the verdict.
    pub fn digest(&self) -> String {
        let of_players =
            [fact("base", &self.base.digest), fact("arms", self.of_each_arm(|player| player.digest.clone()))];
        digest_of(&[&of_players[..], &self.facts()].concat())
    }

    /// What another sweep has different, a line each: `block: 64 → 32`.
    pub fn differences(&self, other: &SweepSpec) -> Vec<String> {
        let config = self.base.differences(&other.base).into_iter();
        let arms = self.variants.iter().zip(&other.variants).flat_map(|(ours, theirs)| {
            let arm = joined(&ours.settings, " ");
            let lines = ours.player.differences(&theirs.player).into_iter();
            lines.map(move |line| format!("{arm}: {line}"))
        });
        config
            .map(|line| format!("base.{line}"))
            .chain(arms)
            .chain(facts::differences(&self.facts(), &other.facts()))
            .collect()
    }

    /// What decides the games and the verdict, but for the configurations, under the name of the option that sets it.
    fn facts(&self) -> Vec<Fact> {
        let values: Vec<_> = self.variants.iter().map(|variant| joined(&variant.settings, " ")).collect();
        let mode = match self.mode {
            Mode::Find => "find",
            Mode::Measure => "measure",
        };
        let mut facts = vec![
            fact("values", values.join(", ")),
            fact("engine (of base)", self.base.build()),
            fact("engine (of values)", self.of_each_arm(|player| player.build())),
            fact("mode", mode),
            fact("block", self.block),
        ];
        facts.extend(self.conditions.facts());
        facts.extend(test_facts(&self.test));
        facts
    }

    fn of_each_arm<T: ToString>(&self, figure: impl Fn(&PlayerSpec) -> T) -> String {
        self.variants.iter().map(|variant| figure(&variant.player).to_string()).collect::<Vec<_>>().join(" ")
    }
}
