//! Known figure: the strength that a summary speaks of, as one estimate with its standard error, so that two can be compared.
//! A summary is what this program stores and prints as JSON, of any kind of run.

use super::kind::{kind_of, of_entry};
use crate::kinds::spec::RunSpec;
use crate::kinds::sprt::SprtSpec;
use crate::kinds::sweep::SweepSpec;
use crate::kinds::tune::TuneSpec;
use crate::statistics::{Confidence, Figure};
use serde_json::Value;

/// A figure, and how it was come by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownFigure {
    /// The lead of a candidate, Elo.
    pub figure: Figure,
    /// How it was come by, in a few words.
    pub source: &'static str,
}

/// The figure of a summary; of many, that of the `part` that is named: a value of a sweep, `first/second` of a match or the
/// number of that pairing.
///
/// A test that has decided is judged by the estimate that allows for it: the naive one is too high on average. A tuning
/// run is judged by its test of the tuned values, an entry of a ladder or of repeated experiments by what was measured.
///
/// # Errors
/// A sentence that says why there is none, or which parts there are.
pub fn known_figure(summary: &Value, part: Option<&str>) -> Result<KnownFigure, String> {
    if let Some(parts) = Parts::of(summary) {
        return of_elo(parts.part(part)?, "elo", parts.source);
    }
    if let Some(part) = part {
        return Err(format!("has no parts, and so no \"{part}\": leave it out"));
    }
    let summary = of_entry(summary);
    match kind_of(summary) {
        TuneSpec::KIND => match summary["validation"].is_object() {
            true => known_figure(&summary["validation"], None),
            false => {
                Err("is a tuning run whose values have not been tested against the start yet".to_owned())
            }
        },
        SprtSpec::KIND => match summary["verdict"].as_str() {
            // Counts far past a bound are not those of a test that stopped there.
            Some("h0" | "h1") if summary["elo_after_stop"].is_null() => {
                of_elo(summary, "elo", "as if its games had been fixed")
            }
            Some("h0" | "h1") => of_elo(summary, "elo_after_stop", "corrected for the stop"),
            _ => of_elo(summary, "elo", "not stopped by its test"),
        },
        _ => of_elo(summary, "elo", "measured"),
    }
}

/// The figures of a run that has several.
pub(super) struct Parts<'a> {
    /// What one of them is called.
    word: &'static str,
    /// How each was come by.
    source: &'static str,
    /// What each is called on the command line.
    names: Vec<String>,
    /// In a match, whose players' names may hold any sign, the place among the pairings names one as well.
    are_numbered: bool,
    parts: &'a [Value],
}

impl<'a> Parts<'a> {
    /// Those of a sweep or a match; none of any other summary.
    pub(super) fn of(summary: &'a Value) -> Option<Parts<'a>> {
        if kind_of(summary) == SweepSpec::KIND {
            let arms = summary["arms"].as_array()?;
            return Some(Parts {
                word: "value",
                source: "of one value, as if its games had been fixed",
                names: arms.iter().map(|arm| value_in_words(&arm["value"])).collect(),
                are_numbered: false,
                parts: arms,
            });
        }
        let pairings = summary["pairings"].as_array()?;
        Some(Parts {
            word: "pairing",
            source: "of a match",
            names: pairings.iter().map(|pairing| players(pairing, ["first", "second"])).collect(),
            are_numbered: true,
            parts: pairings,
        })
    }

    /// The part that is named, or the only one.
    pub(super) fn part(&self, wanted: Option<&str>) -> Result<&'a Value, String> {
        let Some(wanted) = wanted else {
            return match self.parts {
                [only] => Ok(only),
                [] => Err("has no figure yet: nothing has been played".to_owned()),
                _ => Err(format!("has several figures: name one of them behind a colon ({})", self.listed())),
            };
        };
        let numbered = || wanted.parse::<usize>().ok().filter(|&number| self.are_numbered && number > 0);
        let place = self.names.iter().position(|name| name == wanted);
        let place = place.or_else(|| numbered().map(|number| number - 1));
        place.and_then(|place| self.parts.get(place)).ok_or_else(|| {
            let is_reversed = |pairing: &&Value| players(pairing, ["second", "first"]) == wanted;
            match self.parts.iter().find(is_reversed).filter(|_| self.are_numbered) {
                Some(pairing) => format!(
                    "has no {} {wanted}: its figure is seen from the other side, as {}",
                    self.word,
                    players(pairing, ["first", "second"])
                ),
                None => format!("has no {} {wanted}: name one that it has ({})", self.word, self.listed()),
            }
        })
    }

    /// What the parts are called, those of a match with their numbers.
    fn listed(&self) -> String {
        let name = |(number, name): (usize, &String)| match self.are_numbered {
            true => format!("{number} or {name}"),
            false => name.clone(),
        };
        (1..).zip(&self.names).map(name).collect::<Vec<_>>().join(", ")
    }
}

/// The names of two players in this order.
fn players(pairing: &Value, order: [&str; 2]) -> String {
    order.map(|key| text(&pairing[key])).join("/")
}

fn of_elo(object: &Value, key: &str, source: &'static str) -> Result<KnownFigure, String> {
    let number = |name: &str| object[key][name].as_f64();
    let half = || Some(0.5 * (number("high")? - number("low")?));
    let margin = number("margin").or_else(half);
    let figure = number("estimate")
        .zip(margin)
        .and_then(|(estimate, margin)| Figure::with_margin(estimate, margin, Confidence::DEFAULT));
    figure.map(|figure| KnownFigure { figure, source }).ok_or_else(|| match object["games"].as_u64() {
        Some(games) => {
            format!("has no Elo with a margin after {games} games: they are too few, or too one-sided")
        }
        None => "has no Elo with a margin: name the summary of a run, or a stored run".to_owned(),
    })
}

/// A value of a sweep as it is named on the command line.
pub(super) fn value_in_words(value: &Value) -> String {
    match value {
        Value::Object(keys) => {
            keys.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
        }
        other => text(other),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn estimate(summary: &Value, part: Option<&str>) -> Result<(f64, &'static str), String> {
        known_figure(summary, part).map(|known| (known.figure.estimate(), known.source))
    }

    fn elo(estimate: f64) -> Value {
        json!({ "estimate": estimate, "margin": 3.0, "low": estimate - 3.0, "high": estimate + 3.0 })
    }

    #[test]
    fn each_kind_of_summary_has_its_figure() {
        let stopped = json!({
            "verdict": "h1", "games": 10, "elo": elo(9.0),
            "elo_after_stop": { "estimate": 7.0, "low": 1.0, "high": 12.0 },
        });
        assert_eq!(estimate(&stopped, None), Ok((7.0, "corrected for the stop")));
        let tune = json!({ "schedule": {}, "validation": stopped });
        assert_eq!(estimate(&tune, None), Ok((7.0, "corrected for the stop")));
        let undecided = json!({ "verdict": "undecided", "elo": elo(2.0) });
        assert_eq!(estimate(&undecided, None), Ok((2.0, "not stopped by its test")));
        for measured in [
            json!({ "run": "r", "elo": elo(4.0) }),
            json!({ "name": "09-pvs", "measured": { "elo": elo(4.0) } }),
            json!({ "id": "60", "ours": { "elo": elo(4.0) } }),
        ] {
            assert_eq!(estimate(&measured, None), Ok((4.0, "measured")));
        }
    }

    #[test]
    fn of_many_figures_one_is_named() {
        let sweep = json!({ "arms": [
            { "value": 10, "elo": elo(1.0) },
            { "value": "lmr", "elo": elo(2.0) },
            { "value": { "a": 3, "b": true }, "games": 4, "elo": null },
        ] });
        assert_eq!(estimate(&sweep, Some("10")).unwrap().0, 1.0);
        assert_eq!(estimate(&sweep, Some("lmr")).unwrap().0, 2.0);
        let error = estimate(&sweep, Some("a=3 b=true")).unwrap_err();
        assert!(error.contains("after 4 games"), "{error}");
        for unknown in [None, Some("11")] {
            let error = estimate(&sweep, unknown).unwrap_err();
            assert!(error.contains("(10, lmr, a=3 b=true)"), "{error}");
        }
        assert!(estimate(&sweep, Some("11")).unwrap_err().starts_with("has no value 11: "));
        let game = json!({ "pairings": [{ "first": "pvs", "second": "base", "elo": elo(5.0) }] });
        for name in ["pvs/base", "1"] {
            assert_eq!(estimate(&game, None), estimate(&game, Some(name)), "{name}");
        }
        for (unknown, words) in [
            ("base/pvs", "has no pairing base/pvs: its figure is seen from the other side, as pvs/base"),
            ("0", "has no pairing 0: name one that it has (1 or pvs/base)"),
            ("2", "has no pairing 2: "),
        ] {
            assert!(estimate(&game, Some(unknown)).unwrap_err().starts_with(words), "{unknown}");
        }
    }

    #[test]
    fn what_has_no_figure_says_why() {
        for (summary, words) in [
            (json!({}), "name the summary of a run"),
            (json!([1, 2]), "name the summary of a run"),
            (json!({ "ours": null }), "has no Elo"),
            (json!({ "schedule": {}, "validation": null }), "have not been tested"),
            (json!({ "games": 0, "elo": null }), "after 0 games"),
        ] {
            let error = estimate(&summary, None).unwrap_err();
            assert!(error.contains(words), "{summary}: {error}");
        }
        assert!(estimate(&json!({ "elo": elo(1.0) }), Some("10")).unwrap_err().contains("has no parts"));
    }
}
