//! Test after a tuning run: what is asked for, and which stored run it is.

use super::spec::TuneSpec;
use crate::conditions::Conditions;
use crate::kinds::not_read::NotRead;
use crate::kinds::sprt::SprtSpec;
use crate::kinds::stored::{goal_of, spec_of};
use crate::statistics::SprtBounds;
use crate::store::{RunInfo, Store};
use serde::{Deserialize, Serialize};

/// What follows the last iteration: the test of the tuned values against the start. It decides no game of the tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FollowUp {
    /// The test; none: the values are not tested.
    pub test: Option<SprtBounds>,
    /// The most pairs of it.
    pub max_pairs: Option<u64>,
}

/// The conditions of the test: those of the tuning, on openings that it has not played.
pub fn conditions_of_test(spec: &TuneSpec, conditions: &Conditions) -> Conditions {
    let mut conditions = conditions.clone();
    conditions.openings.first += spec.pairs();
    conditions
}

/// The stored test of these values that was asked for last of the tuning run `info`; of a run of which that is not known, the
/// newest.
///
/// # Errors
/// The store cannot be read.
pub fn stored_test(
    store: &Store,
    (info, spec): (&RunInfo, &TuneSpec),
    values: &[f64],
) -> Result<Option<RunInfo>, NotRead> {
    match goal_of::<TuneSpec>(info)? {
        Some(FollowUp { test: None, .. }) => Ok(None),
        Some(FollowUp { test, .. }) => test_of(store, spec, values, test),
        None => test_of(store, spec, values, None),
    }
}

/// The newest stored test of these values against the start, with these bounds if any are named.
///
/// # Errors
/// The store cannot be read.
pub fn test_of(
    store: &Store,
    spec: &TuneSpec,
    values: &[f64],
    bounds: Option<SprtBounds>,
) -> Result<Option<RunInfo>, NotRead> {
    let Ok(tuned) = spec.tuned(values) else { return Ok(None) };
    let facts = conditions_of_test(spec, &spec.conditions).facts();
    let is_it = |info: &RunInfo| {
        spec_of::<SprtSpec>(info).is_ok_and(|SprtSpec { base, candidate, conditions, test }| {
            base.digest == spec.base.digest
                && candidate.digest == tuned.digest
                && conditions.facts() == facts
                && bounds.is_none_or(|bounds| bounds == test)
        })
    };
    Ok(store.runs()?.into_iter().find(is_it))
}
