//! Are the stored games those that this program plays? Each is played again and compared move by move.

use crate::experiment::Experiment;
use crate::game::play::{Terms, play_game};
use crate::game::record::{GameRecord, MoveRecord, PairRecord};
use crate::openings::Opening;
use crate::players::{self, Player, Setup};
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
    experiment: &Experiment,
    terms: &Terms,
    pairs: &[PairRecord],
    stop: &AtomicBool,
) -> Option<Vec<Difference>> {
    let setup = Setup::new(experiment.conditions.hash_megabytes);
    let players = || [&experiment.base, &experiment.candidate].map(|spec| players::player(spec, &setup));
    let differences: Option<Vec<Vec<Difference>>> = pool.install(|| {
        pairs
            .par_iter()
            .map_init(players, |players, pair| {
                let numbers = 2 * pair.index + 1..;
                let games = numbers.zip(&pair.games);
                let differing = games.map(|(number, stored)| replay(players, terms, number, stored, stop));
                Some(differing.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
            })
            .collect()
    });
    Some(differences?.concat())
}

/// The first difference, if there is one; none of both if it was told to stop.
fn replay(
    [base, candidate]: &mut [Box<dyn Player>; 2],
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
    let played =
        play_game(&opening, stored.white, &mut **base, &mut **candidate, terms.clone(), stop).ok()?;
    Some(first_difference(number, stored, &played.record))
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
    let ends = [stored, played].map(|record| format!("{} by {}", record.result, record.termination));
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

fn described(played: Option<&MoveRecord>) -> String {
    let Some(MoveRecord { uci, score, depth, nodes, .. }) = played else { return "no move".to_owned() };
    let score = score.map_or("-".to_owned(), |score| score.to_string());
    format!("{uci} (score {score}, depth {depth}, {nodes} nodes)")
}
