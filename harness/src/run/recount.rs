//! What do the stored pairs of a run come to? They are counted again by the contest itself, without its openings.

use super::contest::Contest;
use crate::game::record::PairRecord;
use crate::store::{Store, StoreError};

/// Counts stored pairs in their order, until the contest is over or one is missing; another process may be playing the
/// run. `counted` hears of each.
///
/// # Errors
/// The pairs cannot be read.
pub fn recount<C: Contest>(
    contest: &mut C,
    (store, run): (&Store, &str),
    mut counted: impl FnMut(&PairRecord, &C),
) -> Result<(), StoreError> {
    for pair in store.pairs_in_order(run) {
        let pair = pair?;
        if contest.is_over() {
            break;
        }
        contest.count(&pair);
        counted(&pair, contest);
    }
    Ok(())
}
