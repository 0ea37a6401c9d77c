//! Conditions: under which limit, from which openings and with which rules of adjudication the pairs of a run are played.
//!
//! With the players they decide every game: pair `i` of a run is the same two games on every machine. How many threads play
//! it and when it is told to stop are not part of it.

use crate::facts::{Fact, fact, rule};
use crate::game::adjudication::Adjudication;
use crate::game::clock::MARGIN;
use crate::game::limit::Limit;
use crate::game::play::Terms;
use crate::game::syzygy::{BadTables, SyzygyRule};
use crate::openings::OpeningOrder;
use crate::openings::order::Order;
use crate::options::Name;
use crate::statistics::SprtBounds;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// Where the openings come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningsSpec {
    /// Where the book is, from the root, so that a run can be resumed from another folder.
    pub file: String,
    /// SHA-256 of the book's bytes, unpacked.
    pub digest: String,
    /// How many openings it has.
    pub count: usize,
    /// In which order they are drawn.
    pub order: Order,
    /// Plies played from each line of a PGN book; all if not given.
    pub plies: Option<u32>,
    /// How many of the order are left out at the beginning, because another run has played them.
    #[serde(default)]
    pub first: u64,
    /// Whether bad entries of the book are left out; `count` is without them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip_bad: bool,
}

impl OpeningsSpec {
    /// How many a run has that begins with the first.
    pub fn left(&self) -> u64 {
        (self.count as u64).saturating_sub(self.first)
    }
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
    /// How late an answer may come before it counts as late, milliseconds; not given: 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_margin: Option<u64>,
    /// When games end without the rules of chess.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
}

impl Conditions {
    /// What ends a game besides the rules of chess.
    ///
    /// # Errors
    /// Tables of endgames are to decide games, and cannot be opened.
    pub fn terms(&self) -> Result<Terms, BadTables> {
        let Conditions { limit, time_margin, adjudication, .. } = self;
        let tables = adjudication.syzygy.as_ref().map(SyzygyRule::open).transpose()?;
        Ok(Terms {
            margin: time_margin.map_or(MARGIN, Duration::from_millis),
            adjudication: adjudication.clone(),
            tables: tables.map(Arc::new),
            details: false,
            ..Terms::from(*limit)
        })
    }

    /// Whether the run has an opening of this number, from 0. Under a clock the book begins anew at its end.
    pub fn has_opening(&self, number: u64) -> bool {
        !self.limit.is_deterministic() || number < self.openings.left()
    }

    /// In which order the openings of a book of so many are drawn, all of them.
    pub fn opening_order(&self, count: usize) -> OpeningOrder {
        // A clock never gives the same game twice, so the openings may come round again.
        let wraps = !self.limit.is_deterministic();
        self.openings.order.of(count, self.seed, wraps)
    }

    /// Every fact of them that decides the games, under the name of the option that sets it.
    pub fn facts(&self) -> Vec<Fact> {
        let Conditions { limit, openings, seed, hash_megabytes, time_margin, adjudication } = self;
        let Adjudication { resign, draw, max_moves, syzygy } = adjudication;
        vec![
            fact(Name::nodes.fact(), limit),
            fact(Name::openings.fact(), &openings.digest),
            fact(Name::order.fact(), openings.order),
            fact(Name::plies.fact(), openings.plies.map_or("all".to_owned(), |plies| plies.to_string())),
            rule(Name::skip_bad_openings.fact(), openings.skip_bad.then_some("on")),
            fact(Name::start.fact(), openings.first),
            fact(Name::seed.fact(), seed),
            fact(Name::hash.fact(), hash_megabytes),
            rule(Name::time_margin.fact(), *time_margin),
            rule(Name::resign.fact(), *resign),
            rule(Name::draw.fact(), *draw),
            rule(Name::max_moves.fact(), *max_moves),
            rule(Name::syzygy.fact(), syzygy.as_ref()),
        ]
    }
}

/// Every fact of a test that decides its verdict, under the name of the option that sets it.
pub fn test_facts(test: &SprtBounds) -> [Fact; 5] {
    [
        fact(Name::elo0.fact(), test.elo0()),
        fact(Name::elo1.fact(), test.elo1()),
        fact(Name::alpha.fact(), test.alpha()),
        fact(Name::beta.fact(), test.beta()),
        fact(Name::model.fact(), test.scale()),
    ]
}
