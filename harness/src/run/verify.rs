//! Verification: stored games are played again and compared move by move.

use super::pool::Bench;
use super::recount::PlayedPair;
use crate::game::opening::Opening;
use crate::game::play::{Cancelled, Played, Terms, play_game};
use crate::game::player::Player;
use crate::game::record::{GameRecord, MoveRecord};
use crate::players::Setup;
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// How a game that was played again differs from what is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the game in the run, from 1.
    pub game: u64,
    /// Number of the first move that differs, from 1; none if all moves are the same.
    pub ply: Option<usize>,
    /// What is stored.
    pub stored: String,
    /// What was played now.
    pub played: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { game, ply, stored, played } = self;
        write!(f, "game {game}")?;
        if let Some(ply) = ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": stored {stored}, played again {played}")
    }
}

/// Plays these pairs again on all threads of the pool, and names the first difference of each game that has one, in the
/// order of the pairs. None if it was told to stop.
pub fn verify(
    pool: &rayon::ThreadPool,
    setup: &Setup,
    terms: &Terms,
    pairs: &[PlayedPair],
    stop: &AtomicBool,
) -> Option<Vec<Difference>> {
    let differences: Option<Vec<Vec<Difference>>> = pool.install(|| {
        pairs
            .par_iter()
            .map_init(|| Bench::new(setup), |bench, pair| replay_pair(bench, terms, pair, stop))
            .collect()
    });
    Some(differences?.concat())
}

/// The first differences of both games; none if it was told to stop.
fn replay_pair(
    bench: &mut Bench,
    terms: &Terms,
    PlayedPair { record, players: [base, candidate], .. }: &PlayedPair,
    stop: &AtomicBool,
) -> Option<Vec<Difference>> {
    let terms = &Terms { own: [base.own_terms(), candidate.own_terms()], ..terms.clone() };
    let [mut base, mut candidate] = bench.take_both(base, candidate);
    let numbered = (2 * record.index + 1..).zip(&record.games);
    let differences = numbered
        .map(|(number, stored)| {
            let players: [&mut dyn Player; 2] = [&mut *base.player, &mut *candidate.player];
            replay(players, terms, number, stored, stop)
        })
        .collect::<Option<Vec<_>>>();
    bench.keep([base, candidate]);
    Some(differences?.into_iter().flatten().collect())
}

/// The first difference, if there is one; none of both if it was told to stop.
fn replay(
    [base, candidate]: [&mut dyn Player; 2],
    terms: &Terms,
    number: u64,
    stored: &GameRecord,
    stop: &AtomicBool,
) -> Option<Option<Difference>> {
    let opening = match Opening::parse(&stored.opening, 0) {
        Ok(opening) => opening,
        Err(bad) => {
            let (stored, played) = (stored.opening.clone(), format!("no game, for {bad}"));
            return Some(Some(Difference { game: number, ply: None, stored, played }));
        }
    };
    match play_game(&opening, stored.white, base, candidate, terms.clone(), stop) {
        Ok(Played { record, .. }) => Some(first_difference(number, stored, &record)),
        Err(Cancelled { cause: Some(cause), .. }) => {
            let (stored, played) = (ending(stored), format!("no game, for {cause}"));
            Some(Some(Difference { game: number, ply: None, stored, played }))
        }
        Err(Cancelled { cause: None, .. }) => None,
    }
}

/// Times may differ, nothing else; counters only where they were stored.
fn first_difference(game: u64, stored: &GameRecord, played: &GameRecord) -> Option<Difference> {
    let difference = |ply, stored, played| Some(Difference { game, ply, stored, played });
    let longer = stored.moves.len().max(played.moves.len());
    for ply in 0..longer {
        let [one, other] = [stored, played].map(|record| described(record.moves.get(ply)));
        if one != other {
            return difference(Some(ply + 1), one, other);
        }
    }
    let ends = [stored, played].map(ending);
    if ends[0] != ends[1] {
        let [one, other] = ends;
        return difference(None, one, other);
    }
    let sides = [
        ("base", &stored.telemetry.base, &played.telemetry.base),
        ("candidate", &stored.telemetry.candidate, &played.telemetry.candidate),
    ];
    let differing = sides.into_iter().find(|(_, stored, played)| stored.is_some() && stored != played);
    differing.and_then(|(side, ..)| {
        let words = |what: &str| format!("{what} counters of the {side}'s search");
        difference(None, words("some"), words("other"))
    })
}

fn ending(record: &GameRecord) -> String {
    format!("{} by {}", record.result, record.termination)
}

fn described(played: Option<&MoveRecord>) -> String {
    let Some(MoveRecord { uci, score, depth, nodes, .. }) = played else { return "no move".to_owned() };
    let score = score.map_or("-".to_owned(), |score| score.to_string());
    format!("{uci} (score {score}, depth {depth}, {nodes} nodes)")
}
