//! Recount: the stored pairs of a run counted again by its contest, in the order of their numbers.

use super::contest::{Contest, Turn, Variation};
use crate::game::record::PairRecord;
use crate::players::spec::PlayerSpec;
use crate::store::{Store, StoreError};
use std::sync::Arc;

/// A pair with those who played it.
#[derive(Clone, Debug)]
pub struct PlayedPair {
    /// Its games.
    pub record: PairRecord,
    /// Base and candidate.
    pub players: [Arc<PlayerSpec>; 2],
    /// Their values in a tuning run; none in any other.
    pub variations: Option<[Variation; 2]>,
}

impl PlayedPair {
    /// Joins a pair with the players that the contest names for its number; none if it names none.
    pub fn of<C: Contest + ?Sized>(record: PairRecord, contest: &C) -> Option<PlayedPair> {
        let Turn::Play { players, .. } = contest.turn(record.index) else { return None };
        Some(PlayedPair { players, variations: contest.variations(record.index), record })
    }
}

/// Counts stored pairs until the contest is over or a pair is missing; another process may be playing the run. `counted`
/// hears of each.
///
/// # Errors
/// The pairs cannot be read.
pub fn recount<C: Contest>(
    contest: &mut C,
    (store, run): (&Store, &str),
    mut counted: impl FnMut(&PlayedPair, &C),
) -> Result<(), StoreError> {
    for record in store.pairs_in_order(run) {
        let record = record?;
        if contest.is_over() {
            break;
        }
        let Some(pair) = PlayedPair::of(record, contest) else { break };
        contest.count(&pair.record);
        counted(&pair, contest);
    }
    Ok(())
}

/// One stored pair with its players; none if it is not stored. The contest has an unlimited goal and has counted nothing: where who
/// plays depends on earlier results, these are read first.
///
/// # Errors
/// The pairs cannot be read.
pub fn played_pair(
    contest: &mut dyn Contest,
    (store, run): (&Store, &str),
    index: u64,
) -> Result<Option<PlayedPair>, StoreError> {
    let is_it = |record: &PairRecord| record.index == index;
    if matches!(contest.turn(index), Turn::Play { .. }) {
        let record = store.pairs(run, index).next().transpose()?.filter(is_it);
        return Ok(record.and_then(|record| PlayedPair::of(record, &*contest)));
    }
    let pairs = played_pairs(contest, (store, run));
    let found = pairs.take_while(|pair| pair.as_ref().map_or(true, |pair| pair.record.index <= index)).last();
    Ok(found.transpose()?.filter(|pair| is_it(&pair.record)))
}

/// All stored pairs with their players, also those after a missing one or after the end, up to the first whose players
/// depend on a pair that is missing. The contest has an unlimited goal and has counted nothing.
pub fn played_pairs(
    contest: &mut dyn Contest,
    (store, run): (&Store, &str),
) -> impl Iterator<Item = Result<PlayedPair, StoreError>> {
    let mut next = 0;
    let mut stored = store.pairs(run, 0);
    std::iter::from_fn(move || {
        let record = match stored.next()? {
            Ok(record) => record,
            Err(error) => return Some(Err(error)),
        };
        let pair = PlayedPair::of(record, &*contest)?;
        if pair.record.index == next {
            contest.count(&pair.record);
            next += 1;
        }
        Some(Ok(pair))
    })
}
