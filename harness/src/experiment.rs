//! The plan: who plays whom, under which limit, from which openings, to answer what.
//!
//! Everything that decides a game is in the [`Experiment`], and nothing else is: pair `i` of an experiment is the
//! same two games on every machine. How many threads play it and when it is told to stop are not part of it.

use crate::game::limit::Limit;
use crate::openings::order::Order;
use crate::openings::{Book, Opening, OpeningOrder};
use crate::statistics::{Model, SprtSpec};
use engine::bench;
use engine::config::EngineConfig;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::{Display, Write};
use std::path::Path;
use std::sync::Arc;

/// Depth of the small bench that tells one build of the engine from another, plies.
const SIGNATURE_DEPTH: u32 = 4;

/// One of the two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSpec {
    /// The configuration as the user named it.
    pub file: String,
    /// The configuration, every value spelled out.
    pub config: EngineConfig,
    /// SHA-256 of all its values.
    pub digest: String,
    /// Nodes of a small bench with it: another engine would search another number.
    pub signature: u64,
}

impl PlayerSpec {
    /// The built-in engine with this configuration, which was read from `file`.
    pub fn new(file: &Path, config: EngineConfig) -> PlayerSpec {
        PlayerSpec {
            file: file
                .file_name()
                .map_or_else(|| config.name.clone(), |name| name.to_string_lossy().into_owned()),
            digest: config.digest(),
            signature: bench::bench(&config, SIGNATURE_DEPTH).nodes,
            config,
        }
    }
}

/// Where the openings come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningsSpec {
    /// Where the book is, from the root, so that a run can be resumed from another folder.
    pub file: String,
    /// SHA-256 of the book's bytes.
    pub digest: String,
    /// How many openings it has.
    pub count: usize,
    /// In which order they are drawn.
    pub order: Order,
    /// Plies played from each line of a PGN book; all if not given.
    pub plies: Option<u32>,
}

/// Under what circumstances pairs are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// How long each may think.
    pub limit: Limit,
    /// From where they play.
    pub openings: OpeningsSpec,
    /// Decides the order of the openings.
    pub seed: u64,
    /// Table size of each player, MB.
    pub hash_megabytes: u32,
}

impl Conditions {
    /// Every fact of them that decides the games, under the name of the option that sets it.
    pub fn facts(&self) -> Vec<Fact> {
        let Conditions { limit, openings, seed, hash_megabytes } = self;
        vec![
            fact("limit", limit),
            fact("openings", &openings.digest),
            fact("order", openings.order),
            fact("plies", openings.plies.map_or("all".to_owned(), |plies| plies.to_string())),
            fact("seed", seed),
            fact("hash", hash_megabytes),
        ]
    }
}

/// Something that decides the games or the verdict: its name and its value.
pub type Fact = (&'static str, String);

/// Every fact of a test that decides its verdict, under the name of the option that sets it.
pub fn test_facts(test: &SprtSpec) -> [Fact; 5] {
    [
        fact("elo0", test.elo0()),
        fact("elo1", test.elo1()),
        fact("alpha", test.alpha()),
        fact("beta", test.beta()),
        fact("model", test.model()),
    ]
}

/// A fact from whatever its value is.
pub fn fact(key: &'static str, value: impl Display) -> Fact {
    (key, value.to_string())
}

/// SHA-256 of facts, hexadecimal.
pub fn digest_of(facts: &[Fact]) -> String {
    let mut hash = Sha256::new();
    for (key, value) in facts {
        hash.update(format!("{key} = {value}\n"));
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// A question and all that decides the games played to answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Who the candidate is measured against.
    pub base: PlayerSpec,
    /// Who is measured.
    pub candidate: PlayerSpec,
    /// Under what circumstances.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The test that ends it.
    pub test: SprtSpec,
}

impl Experiment {
    /// What is asked, in words.
    pub fn question(&self) -> String {
        format!("{} against {} · {}", self.candidate.file, self.base.file, self.conditions.limit)
    }

    /// SHA-256 of everything that decides the games and the verdict; the names given to files and
    /// configurations do not.
    pub fn digest(&self) -> String {
        digest_of(&self.facts())
    }

    /// What another experiment has different, a line each: `limit: 5000 nodes/move → 1000 nodes/move`.
    pub fn differences(&self, other: &Experiment) -> Vec<String> {
        let players = [("base", &self.base, &other.base), ("candidate", &self.candidate, &other.candidate)];
        let configs = players.into_iter().flat_map(|(role, ours, theirs)| {
            ours.config.differences(&theirs.config).into_iter().map(move |line| format!("{role}.{line}"))
        });
        let is_digest_of_config = |key: &str| matches!(key, "base" | "candidate");
        let facts = self
            .facts()
            .into_iter()
            .zip(other.facts())
            .filter(|((key, ours), (_, theirs))| ours != theirs && !is_digest_of_config(key))
            .map(|((key, ours), (_, theirs))| format!("{key}: {ours} → {theirs}"));
        configs.chain(facts).collect()
    }

    /// Every fact that decides the games and the verdict, under the name of the option that sets it.
    fn facts(&self) -> Vec<Fact> {
        let Experiment { base, candidate, conditions, test } = self;
        let players = [
            fact("base", &base.digest),
            fact("candidate", &candidate.digest),
            fact("engine (bench of base)", base.signature),
            fact("engine (bench of candidate)", candidate.signature),
        ];
        players.into_iter().chain(conditions.facts()).chain(test_facts(test)).collect()
    }

    /// The test's bounds and model, as people write them.
    pub fn bounds(&self) -> String {
        let (elo0, elo1, model): (_, _, Model) = (self.test.elo0(), self.test.elo1(), self.test.model());
        format!("[{elo0}, {elo1}] {model}")
    }
}

/// Which opening each pair plays: the book and the order it is drawn in.
pub struct Draw {
    book: Book,
    order: OpeningOrder,
}

impl Draw {
    /// Joins the conditions and the book they name.
    pub fn new(conditions: &Conditions, book: Book) -> Draw {
        let Conditions { limit, openings, seed, .. } = conditions;
        // A clock never gives the same game twice, so the openings may come round again.
        let wraps = !limit.is_deterministic();
        let order = openings.order.of(book.openings.len(), *seed, wraps);
        Draw { book, order }
    }

    /// The opening of this number; none when the book has none left.
    pub fn opening(&self, index: u64) -> Option<&Opening> {
        self.order.get(index).map(|place| &self.book.openings[place])
    }
}

/// A pair to be played: the same opening twice, the candidate first with White, then with Black.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Its number in the run, from 0.
    pub index: u64,
    /// The opening of both games.
    pub opening: Opening,
    /// The player whose opponent is measured.
    pub base: Arc<PlayerSpec>,
    /// The player that is measured.
    pub candidate: Arc<PlayerSpec>,
}

/// An experiment with its openings at hand: the pairs, by number.
pub struct Plan {
    /// What is played.
    pub experiment: Experiment,
    draw: Draw,
    base: Arc<PlayerSpec>,
    candidate: Arc<PlayerSpec>,
}

impl Plan {
    /// Joins an experiment and the book it names.
    pub fn new(experiment: Experiment, book: Book) -> Plan {
        let draw = Draw::new(&experiment.conditions, book);
        let [base, candidate] =
            [&experiment.base, &experiment.candidate].map(|player| Arc::new(player.clone()));
        Plan { experiment, draw, base, candidate }
    }

    /// The pair of this number. It follows from the experiment and the number alone; there is none when the book
    /// has no opening left for it.
    pub fn pair(&self, index: u64) -> Option<Pair> {
        let opening = self.draw.opening(index)?.clone();
        Some(Pair { index, opening, base: Arc::clone(&self.base), candidate: Arc::clone(&self.candidate) })
    }
}
