//! Kind of run that a summary is of.

use crate::kinds::matches::MatchSpec;
use crate::kinds::measure::MeasureSpec;
use crate::kinds::spec::RunSpec;
use crate::kinds::sprt::SprtSpec;
use crate::kinds::sweep::SweepSpec;
use crate::kinds::tune::TuneSpec;
use serde_json::Value;

/// The kind, as the summary says it. Committed summaries of before do not: they are told by what they hold.
pub fn kind_of(summary: &Value) -> &str {
    let has = |key: &str| summary.get(key).is_some();
    match summary["kind"].as_str() {
        Some(kind) => kind,
        None if has("arms") => SweepSpec::KIND,
        None if has("pairings") => MatchSpec::KIND,
        None if has("schedule") => TuneSpec::KIND,
        None if has("verdict") => SprtSpec::KIND,
        None => MeasureSpec::KIND,
    }
}

/// What was measured of an entry of a ladder or of repeated experiments; any other summary is itself.
pub fn of_entry(summary: &Value) -> &Value {
    ["measured", "ours"].into_iter().find_map(|key| summary.get(key)).unwrap_or(summary)
}
