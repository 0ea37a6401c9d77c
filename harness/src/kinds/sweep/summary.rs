//! Summary of a sweep: every figure, computed once, for the screen, for JSON, for the charts and for the store. The words are
//! in [`text`](super::text).

use super::arms::{Setting, Value};
use super::chart::{Point, SweepChart};
use super::contest::Sweep;
use super::schedule::{ArmState, End, Mode};
use super::spec::{Question, SweepSpec};
use crate::kinds::spec::RunSpec;
use crate::report::head::{Effort, Head, Named};
use crate::report::lead::Lead;
use crate::run::contest::Contest;
use crate::run::faults::FaultsWithSum;
use crate::statistics::confidence::always_valid;
use crate::statistics::{Confidence, Interval, Model, Pentanomial, elo};
use serde::Serialize;
use serde_json::{Map, json};
use std::cmp::Ordering;

/// The report of a sweep; serialised, it is the object that `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct SweepSummary {
    /// How and where it was played.
    #[serde(flatten)]
    pub head: Head,
    /// `h1`: an arm is shown to be stronger than the base; `h0`: none is by elo1 or more; otherwise `undecided`.
    pub verdict: &'static str,
    /// The key, both keys of a grid, or `ablation`.
    pub key: String,
    /// Whom the arms play.
    pub base: Named,
    /// What the base sets the key to, as `value` of an arm; none where its techniques are turned off.
    pub reference: serde_json::Value,
    /// How the pairs were shared out.
    pub mode: Mode,
    /// Pairs in a block.
    pub block: u64,
    /// Scale of the bounds.
    pub model: Model,
    /// Lead under H0.
    pub elo0: f64,
    /// Lead under H1.
    pub elo1: f64,
    /// Risk of accepting H1 wrongly for any of the arms.
    pub alpha: f64,
    /// Risk of accepting H0 wrongly for one arm.
    pub beta: f64,
    /// An arm is dropped at or below this LLR.
    pub lower: f64,
    /// An arm has won at or above it.
    pub upper: f64,
    /// The arms, in the order in which they were given.
    pub arms: Vec<ArmSummary>,
    /// The value that is recommended; none if no difference is shown.
    pub best: serde_json::Value,
    /// Positions searched by the base for a move, on average.
    pub base_nodes_per_move: Option<f64>,
    /// Depth reached by it, on average, plies.
    pub base_depth_per_move: Option<f64>,
    /// Games counted.
    pub games: u64,
    /// Games that the base lost by its own faults.
    pub base_faults: FaultsWithSum,
    #[serde(skip)]
    pub(super) words: Words,
}

/// The figures of one arm.
#[derive(Clone, Debug, Serialize)]
pub struct ArmSummary {
    /// Its value; an object for a grid, the technique that is off for an ablation.
    pub value: serde_json::Value,
    /// Techniques that are off because they need one that was turned off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken_along: Vec<String>,
    /// SHA-256 of its configuration's values.
    pub digest: String,
    /// Its lead over the base, as if the number of games had been fixed.
    #[serde(flatten)]
    pub lead: Lead,
    /// Where its logistic Elo lies, with 95 % for all arms together.
    pub simultaneous: Interval,
    /// Log-likelihood ratio of its test.
    pub llr: f64,
    /// `winner`, `dropped`, or `open`.
    pub state: &'static str,
    /// Positions it searched for a move, on average.
    pub nodes_per_move: Option<f64>,
    /// Depth it reached, on average, plies.
    pub depth_per_move: Option<f64>,
    /// Games lost by faults of either player.
    #[serde(flatten)]
    pub faults: FaultsWithSum,
    /// Those of them that it lost itself.
    pub own_faults: FaultsWithSum,
    #[serde(skip)]
    pub(super) label: String,
}

/// What is said in words.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub base_file: String,
    pub base_label: Option<String>,
    pub is_ablation: bool,
    /// Why it ended; none if it was interrupted.
    pub end: Option<End>,
    pub best: Option<String>,
    /// The key along which the chart goes.
    axis: String,
    places: Vec<Place>,
    base_place: Option<Place>,
}

/// Where an arm, or the base, stands in the chart.
#[derive(Clone, Debug)]
struct Place {
    at: Option<f64>,
    /// What tells its curve from the others.
    series: Option<Setting>,
}

impl SweepSummary {
    /// Computes every figure.
    pub fn new(run: &str, sweep: &Sweep, effort: &Effort) -> SweepSummary {
        let spec = sweep.spec();
        let (end, test) = (sweep.schedule().end(), spec.arm_test());
        let arms: Vec<_> = (0..spec.arms.len()).map(|arm| ArmSummary::new(sweep, arm)).collect();
        let best = best_arm(end, spec.mode, &arms);
        let games = 2 * sweep.schedule().counted();
        let axis = axis(spec);
        let place = |settings: &[Setting]| Place::of(axis, settings);
        SweepSummary {
            head: Head::of((run, SweepSpec::KIND), &spec.conditions, (games, effort), sweep.watched()),
            verdict: match (best, end) {
                (Some(_), _) => "h1",
                (None, Some(End::AllDropped)) => "h0",
                (None, _) => "undecided",
            },
            key: spec.key(),
            base: Named::of(&spec.base),
            reference: spec.base_settings().map_or(json!(null), |settings| value(spec, &settings)),
            mode: spec.mode,
            block: spec.block,
            model: test.model(),
            elo0: test.elo0(),
            elo1: test.elo1(),
            alpha: spec.test.alpha(),
            beta: test.beta(),
            lower: test.lower(),
            upper: test.upper(),
            best: best.map_or(json!(null), |arm| arms[arm].value.clone()),
            base_nodes_per_move: sweep.base_cost().nodes_per_move(),
            base_depth_per_move: sweep.base_cost().depth_per_move(),
            games,
            base_faults: sweep.base_faults().into(),
            words: Words {
                base_file: spec.base.file.clone(),
                base_label: spec.base_label(),
                is_ablation: spec.question == Question::Ablation,
                end,
                best: best.map(|arm| arms[arm].label.clone()),
                axis: match (&spec.question, axis) {
                    (Question::Values(keys), Some(axis)) => keys[axis].clone(),
                    _ => spec.key(),
                },
                places: spec.arms.iter().map(|arm| place(&arm.settings)).collect(),
                base_place: spec.base_settings().map(|settings| place(&settings)),
            },
            arms,
        }
    }

    /// The index of the arm that is recommended.
    pub fn best_arm(&self) -> Option<usize> {
        best_arm(self.words.end, self.mode, &self.arms)
    }

    /// Strength against value.
    pub fn chart(&self) -> SweepChart {
        let point = |label, place: &Place, elo, interval| {
            let series = place.series.as_ref().map_or(String::new(), Setting::to_string);
            Point { label, at: place.at, series, elo, interval }
        };
        let arms = self.arms.iter().zip(&self.words.places).map(|(arm, place)| {
            (place, point(arm.label.clone(), place, arm.lead.elo.map(|elo| elo.estimate), arm.simultaneous))
        });
        let zero = Interval { low: Some(0.0), high: Some(0.0) };
        let base = self.words.base_label.as_ref().zip(self.words.base_place.as_ref());
        let base =
            base.map(|(label, place)| (place, point(format!("{label} (base)"), place, Some(0.0), zero)));
        let mut points: Vec<_> = base.into_iter().chain(arms).collect();
        points.sort_by(|(ours, _), (theirs, _)| ours.order(theirs));
        SweepChart {
            key: self.words.axis.clone(),
            title: format!("{} against {}", self.key, self.words.base_file),
            points: points.into_iter().map(|(_, point)| point).collect(),
        }
    }
}

impl ArmSummary {
    fn new(sweep: &Sweep, index: usize) -> ArmSummary {
        let (spec, counts, cost) = (sweep.spec(), &sweep.schedule().arms()[index], &sweep.costs()[index]);
        let arm = &spec.arms[index];
        let [_, own] = counts.tally.conduct;
        ArmSummary {
            value: value(spec, &arm.settings),
            taken_along: arm.taken_along.clone(),
            digest: arm.player.digest.clone(),
            lead: Lead::of(&counts.tally),
            simultaneous: simultaneous(&counts.tally.pairs, spec.mode, spec.arms.len()),
            llr: sweep.schedule().status(index).llr,
            state: match counts.state {
                ArmState::Winner => "winner",
                ArmState::Dropped => "dropped",
                ArmState::Open => "open",
            },
            nodes_per_move: cost.nodes_per_move(),
            depth_per_move: cost.depth_per_move(),
            faults: counts.tally.faults().into(),
            own_faults: own.faults.into(),
            label: spec.label(arm),
        }
    }
}

impl Place {
    fn of(axis: Option<usize>, settings: &[Setting]) -> Place {
        let Some(axis) = axis else { return Place { at: None, series: None } };
        let other = settings.iter().enumerate().find(|(place, _)| *place != axis);
        Place { at: number(&settings[axis].value), series: other.map(|(_, setting)| setting.clone()) }
    }

    /// One curve after the other, by its value, each along the axis; what has no place stays as it is.
    fn order(&self, other: &Place) -> Ordering {
        let [ours, theirs] = [self, other].map(|place| place.series.as_ref().map(|setting| &setting.value));
        ours.cmp(&theirs).then(self.at.partial_cmp(&other.at).unwrap_or(Ordering::Equal))
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(value) => Some(f64::from(*value)),
        Value::Switch(_) | Value::Text(_) => None,
    }
}

/// Which key the chart goes along: the one with most numbers; another key tells the curves apart. None if no key has
/// numbers alone.
fn axis(spec: &SweepSpec) -> Option<usize> {
    let Question::Values(keys) = &spec.question else { return None };
    let values: Vec<_> = (0..keys.len()).map(|place| spec.values_at(place)).collect();
    let has_numbers = |place: &usize| values[*place].iter().all(|value| number(value).is_some());
    // Of several the last would be taken.
    (0..keys.len()).rev().filter(has_numbers).max_by_key(|&place| values[place].len())
}

/// An arm's value as JSON: that of the only key, an object of both, or the technique that is off.
fn value(spec: &SweepSpec, settings: &[Setting]) -> serde_json::Value {
    match (&spec.question, settings) {
        (Question::Ablation, [off]) => json!(off.key),
        (Question::Values(_), [only]) => json!(only.value),
        _ => settings
            .iter()
            .map(|setting| (setting.key.clone(), json!(setting.value)))
            .collect::<Map<_, _>>()
            .into(),
    }
}

/// The interval of one of several arms, such that all of them hold together with 95 %.
///
/// Where the numbers of pairs depend on the outcomes, it is a confidence sequence, whose risk is divided by the number of
/// arms. Where all arms get equally many, it is the usual interval (or the exact one, if all pairs ended alike) at a level of
/// 0.95^(1/arms): enough for normal means, however they depend on each other (Z. Šidák, 1967), and they do by their
/// common openings.
fn simultaneous(pairs: &Pentanomial, mode: Mode, arms: usize) -> Interval {
    let level = Confidence::DEFAULT.level();
    let level = match mode {
        Mode::Find => 1.0 - (1.0 - level) / arms as f64,
        Mode::Measure => level.powf(1.0 / arms as f64),
    };
    let confidence = Confidence::new(level).unwrap_or_default();
    match mode {
        Mode::Find => always_valid(&pairs.0, confidence),
        Mode::Measure => elo::interval(&pairs.0, confidence),
    }
}

/// The winner; where arms are measured, the strongest of those that are certainly stronger than the base.
fn best_arm(end: Option<End>, mode: Mode, arms: &[ArmSummary]) -> Option<usize> {
    if let Some(End::Winner(arm)) = end {
        return Some(arm);
    }
    if mode == Mode::Find || end.is_none() {
        return None;
    }
    let stronger =
        arms.iter().enumerate().filter(|(_, arm)| arm.simultaneous.low.is_some_and(|low| low > 0.0));
    // The score, and not the Elo, which those that won every pair have not.
    let scores = stronger.filter_map(|(index, arm)| Some((index, arm.lead.pentanomial.mean()?)));
    scores.max_by(|(_, ours), (_, theirs)| ours.total_cmp(theirs)).map(|(index, _)| index)
}
