//! The plan: who plays whom, under which limit, from which openings, to answer what.
//!
//! Everything that decides a game is in the [`Experiment`], and nothing else is: pair `i` of an experiment is the
//! same two games on every machine. How many threads play it and when it is told to stop are not part of it.

use crate::game::adjudication::Adjudication;
use crate::game::limit::Limit;
use crate::game::play::Conditions;
use crate::openings::order::Order;
use crate::openings::{Book, Opening, OpeningOrder};
pub use crate::players::spec::PlayerSpec;
use crate::statistics::{Model, SprtSpec};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::{Display, Write};

/// The value of a rule that is not in force.
const OFF: &str = "off";

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

/// A question and all that decides the games played to answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Who the candidate is measured against.
    pub base: PlayerSpec,
    /// Who is measured.
    pub candidate: PlayerSpec,
    /// How long each may think.
    pub limit: Limit,
    /// From where they play.
    pub openings: OpeningsSpec,
    /// Decides the order of the openings.
    pub seed: u64,
    /// Table size of each player, MB.
    pub hash_megabytes: u32,
    /// When games end by the players' scores.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// The test that ends it.
    pub test: SprtSpec,
}

impl Experiment {
    /// What is asked, in words.
    pub fn question(&self) -> String {
        format!("{} against {} · {}", self.candidate.file, self.base.file, self.limit)
    }

    /// What ends its games besides the rules of chess.
    pub fn conditions(&self) -> Conditions {
        Conditions { limit: self.limit, adjudication: self.adjudication }
    }

    /// SHA-256 of everything that decides the games and the verdict; the names given to files and
    /// configurations do not.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (key, value) in self.facts().into_iter().filter(|(_, value)| value != OFF) {
            hash.update(format!("{key} = {value}\n"));
        }
        hash.finalize().iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// What another experiment has different, a line each: `limit: 5000 nodes/move → 1000 nodes/move`.
    pub fn differences(&self, other: &Experiment) -> Vec<String> {
        let players = [("base", &self.base, &other.base), ("candidate", &self.candidate, &other.candidate)];
        let configs = players.into_iter().flat_map(|(role, ours, theirs)| {
            ours.differences(theirs).into_iter().map(move |line| format!("{role}.{line}"))
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
    fn facts(&self) -> Vec<(&'static str, String)> {
        fn fact(key: &'static str, value: impl Display) -> (&'static str, String) {
            (key, value.to_string())
        }
        /// A rule that is off is no fact, so that experiments without it keep their digests.
        fn rule(key: &'static str, rule: Option<impl Display>) -> (&'static str, String) {
            fact(key, rule.map_or(OFF.to_owned(), |rule| rule.to_string()))
        }
        let Experiment { base, candidate, limit, openings, seed, hash_megabytes, adjudication, test } = self;
        let Adjudication { resign, draw, max_moves } = adjudication;
        vec![
            fact("base", &base.digest),
            fact("candidate", &candidate.digest),
            fact("engine (bench of base)", base.build()),
            fact("engine (bench of candidate)", candidate.build()),
            fact("limit", limit),
            fact("openings", &openings.digest),
            fact("order", openings.order),
            fact("plies", openings.plies.map_or("all".to_owned(), |plies| plies.to_string())),
            fact("seed", seed),
            fact("hash", hash_megabytes),
            rule("resign", *resign),
            rule("draw", *draw),
            rule("max-moves", *max_moves),
            fact("elo0", test.elo0()),
            fact("elo1", test.elo1()),
            fact("alpha", test.alpha()),
            fact("beta", test.beta()),
            fact("model", test.model()),
        ]
    }

    /// The test's bounds and model, as people write them.
    pub fn bounds(&self) -> String {
        let (elo0, elo1, model): (_, _, Model) = (self.test.elo0(), self.test.elo1(), self.test.model());
        format!("[{elo0}, {elo1}] {model}")
    }
}

/// An experiment with its openings at hand: the pairs, by number.
pub struct Plan {
    /// What is played.
    pub experiment: Experiment,
    book: Book,
    order: OpeningOrder,
}

/// A pair to be played. It follows from the experiment and its number alone.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Its number, from 0.
    pub index: u64,
    /// The opening of both games.
    pub opening: &'a Opening,
}

impl Plan {
    /// Joins an experiment and the book it names.
    pub fn new(experiment: Experiment, book: Book) -> Plan {
        // A clock never gives the same game twice, so the openings may come round again.
        let wraps = !experiment.limit.is_deterministic();
        let order = experiment.openings.order.of(book.openings.len(), experiment.seed, wraps);
        Plan { experiment, book, order }
    }

    /// The pair of this number; none when the book has no opening left for it.
    pub fn pair(&self, index: u64) -> Option<Pair<'_>> {
        let opening = &self.book.openings[self.order.get(index)?];
        Some(Pair { index, opening })
    }
}
