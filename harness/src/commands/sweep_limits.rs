//! How far does a sweep go, next to a verdict? As far as is asked now. If nothing is, a stored one that was ended is looked at
//! as it is, and another goes as far as was asked when it began.

use super::Failure;
use crate::report::sweep_report::limits_of_stored;
use crate::store::RunInfo;
use crate::tuning::sweep::schedule::{Limits, Mode};
use crate::tuning::sweep::spec::SweepSpec;

/// How far a new run goes.
///
/// # Errors
/// It is not said, or makes no sense.
pub fn of_new(spec: &SweepSpec) -> Result<Limits, Failure> {
    checked(spec, spec.limits())
}

/// How far a stored run goes, of which this is asked now: both limits or one, or nothing.
///
/// # Errors
/// It is not said, or makes no sense.
pub fn of_stored(spec: &SweepSpec, info: &RunInfo, asked: Limits) -> Result<Limits, Failure> {
    let ended = limits_of_stored(spec, info);
    if asked.max_pairs.is_some() || asked.margin.is_some() {
        return checked(spec, Limits { already: ended.already, ..asked });
    }
    if ended.already > 0 {
        return Ok(ended);
    }
    match spec.max_pairs {
        Some(most) if info.pairs > most => Err(Failure::usage(format!(
            "{} has {} pairs and was begun with --max-pairs {most}, so it was to go further: say how far with --max-pairs N",
            info.id, info.pairs
        ))),
        _ => checked(spec, spec.limits()),
    }
}

fn checked(spec: &SweepSpec, limits: Limits) -> Result<Limits, Failure> {
    let Limits { max_pairs, margin, already } = limits;
    match (spec.mode, margin, max_pairs) {
        (Mode::Find, Some(_), _) => {
            Err(Failure::usage("--margin says how far to measure: give --measure with it"))
        }
        (Mode::Measure, None, None) => {
            Err(Failure::usage("how far to measure is not said: give --margin ELO, or --max-pairs N"))
        }
        (Mode::Measure, _, Some(pairs)) if pairs.max(already) < spec.round() => Err(Failure::usage(format!(
            "--max-pairs {pairs} is less than one block of {} pairs for each of {} arms: give at least {}, or a smaller \
             --block",
            spec.block,
            spec.variants.len(),
            spec.round()
        ))),
        _ => Ok(limits),
    }
}
