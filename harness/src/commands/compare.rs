//! `harness compare RUN RUN`: do two measurements of the same question agree within their margins?

use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure, print_out};
use crate::compare::asked::Asked;
use crate::compare::known_figure::{KnownFigure, known_figure};
use crate::kinds::matches::MatchSpec;
use crate::kinds::report_of;
use crate::kinds::spec::RunSpec;
use crate::options::{self, Name, Options};
use crate::report::figures::signed;
use crate::statistics::{Agreement, Confidence, Estimate, Figure};
use crate::store::Store;
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Display;
use std::path::Path;

/// Say whether two runs of the same question agree within their margins
///
/// Each is a stored run, the file of a run's summary as `--json` prints it, or a published figure with its 95 % margin
/// such as 28.5±13.1 (or 28.5+-13.1). Of a sweep one value is named, as in RUN:40; of a match of many two players, as in
/// RUN:first/second, or the number of their pairing, as in RUN:2. A tuning run is judged by its test of the tuned values
/// against the start.
#[derive(Args)]
pub struct CompareArguments {
    /// A run (its name or the beginning of it), a file, or a figure
    #[arg(allow_hyphen_values = true)]
    first: String,
    /// Another one
    #[arg(allow_hyphen_values = true)]
    second: String,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::results, Name::json]) }>,
}

/// One of the two that are compared.
struct Measured {
    name: String,
    /// Where the figure comes from.
    source: &'static str,
    figure: Figure,
    /// What it was read from, and the part that was named; none of a figure that was given.
    summary: Option<(Value, Option<String>)>,
}

/// Runs the command.
///
/// # Errors
/// A run cannot be read, or has no figure yet.
pub fn execute(arguments: CompareArguments) -> Result<Exit, Failure> {
    let results = arguments.options.results_in(&current_folder()?)?;
    let first = measured(&arguments.first, &results)?;
    let second = measured(&arguments.second, &results)?;
    let difference = first.figure.minus(second.figure);
    let agreement = Agreement::of(first.figure, second.figure);
    let notes = notes(&first, &second);
    if arguments.options.json.is_some() {
        print_out(json!({
            "first": as_json(&first),
            "second": as_json(&second),
            "difference": figure_as_json(difference),
            "agreement": agreement,
            "in_words": agreement.as_str(),
            "reason": agreement.reason(),
            "rule": "95 % difference rule",
            "notes": notes,
        }))?;
        return Ok(Exit::Done);
    }
    let width = [&first, &second].map(|one| one.name.chars().count()).into_iter().max().unwrap_or(0).max(10);
    for Measured { name, source, figure, .. } in [&first, &second] {
        print_out(format_args!("{name:<width$}  {}  {source}", text(*figure)))?;
    }
    print_out(format_args!(
        "{:<width$}  {}  standard error {:.1}",
        "difference",
        text(difference),
        difference.standard_error()
    ))?;
    print_out(format_args!("{agreement}: {} (95 % difference rule)", agreement.reason()))?;
    notes.iter().try_for_each(|note| print_out(format_args!("note: {note}")))?;
    Ok(Exit::Done)
}

/// What keeps two runs from being independent measurements of one strength.
fn notes(first: &Measured, second: &Measured) -> Vec<String> {
    match (&first.summary, &second.summary) {
        (Some((one, part)), Some((other, other_part))) => {
            Asked::of(one, part.as_deref()).notes(&Asked::of(other, other_part.as_deref()))
        }
        _ => Vec::new(),
    }
}

/// The figure that an argument gives, that of the file of a summary, or that of a stored run.
fn measured(argument: &str, results: &Path) -> Result<Measured, Failure> {
    if let Some(figure) = parsed(argument).filter(|_| !Path::new(argument).is_file()) {
        let figure = figure.map_err(Failure::usage)?;
        return Ok(Measured { name: argument.to_owned(), source: "given", figure, summary: None });
    }
    let (place, part) = match argument.rsplit_once(':') {
        Some((place, part)) => (place, Some(part)),
        None => (argument, None),
    };
    let (name, summary) = match Path::new(place).is_file() {
        true => (place.to_owned(), of_file(place)?),
        false => of_run(place, results)?,
    };
    let KnownFigure { figure, source } =
        known_figure(&summary, part).map_err(|reason| Failure::usage(format!("{name} {reason}")))?;
    let name = part.map_or(name.clone(), |part| format!("{name}:{part}"));
    Ok(Measured { name, source, figure, summary: Some((summary, part.map(str::to_owned))) })
}

/// The summary that a file holds.
fn of_file(path: &str) -> Result<Value, Failure> {
    let unreadable = |error: &dyn Display| Failure::usage(format!("{path} cannot be read: {error}"));
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    serde_json::from_str(&text).map_err(|error| unreadable(&format!("it is no JSON ({error})")))
}

/// The full name and the summary of a stored run, as its games have it now.
fn of_run(name: &str, results: &Path) -> Result<(String, Value), Failure> {
    Store::read(results, |store| {
        let info = store.run(name)?;
        if info.kind == MatchSpec::KIND && info.finished.is_none() {
            return Err(Failure::usage(format!(
                "{} has not been played to its end: `harness match --resume {}` goes on",
                info.id, info.id
            )));
        }
        let summary = Value::Object(report_of(store, info.clone())?.json);
        Ok((info.id, summary))
    })
}

/// `28.5±13.1`, `+28.5 ± 13.1`, `-7.4+-8`, `5+/-4.1`; none if it is not written as a figure.
///
/// # Errors
/// It is, but cannot be compared.
fn parsed(text: &str) -> Option<Result<Figure, String>> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let Some((estimate, margin)) = ["±", "+/-", "+-"].iter().find_map(|sign| text.split_once(sign)) else {
        let missing =
            |_| Err(format!("{text} has no margin: write it with its 95 % margin, such as {text}±13.1"));
        return number(text).map(missing);
    };
    let figure = match (number(estimate), number(margin)) {
        (Some(estimate), Some(margin)) => Figure::with_margin(estimate, margin, Confidence::DEFAULT),
        _ => {
            return Some(Err(format!(
                "{text} is no figure with a margin: write two numbers, such as 28.5±13.1"
            )));
        }
    };
    Some(figure.ok_or_else(|| {
        format!("{text} cannot be compared: give a figure of Elo (up to a million) with a margin above 0, such as 28.5±13.1")
    }))
}

fn text(figure: Figure) -> String {
    let Estimate { estimate, margin, .. } = figure.interval(Confidence::DEFAULT);
    format!("{:>7} ± {margin:.1}", signed(estimate))
}

fn as_json(measured: &Measured) -> Value {
    let mut object = figure_as_json(measured.figure);
    object["name"] = json!(measured.name);
    object["source"] = json!(measured.source);
    object
}

fn figure_as_json(figure: Figure) -> Value {
    let Estimate { estimate, margin, low, high } = figure.interval(Confidence::DEFAULT);
    json!({
        "estimate": estimate,
        "standard_error": figure.standard_error(),
        "margin": margin,
        "low": low,
        "high": high,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_people_write_them() {
        for written in ["28.5±13.1", "+28.5 ± 13.1", "28.5+-13.1", " 28.5 +/- 13.1"] {
            let interval = parsed(written).unwrap().unwrap().interval(Confidence::DEFAULT);
            assert_eq!((interval.estimate, (interval.margin * 10.0).round()), (28.5, 131.0), "{written}");
        }
        assert_eq!(parsed("-7.4±8").unwrap().unwrap().estimate(), -7.4);
        for other in ["sprt-20261129-220542-zq85", "results/stage-11.json", "sweep:40", "sweep:a=3 b=true"] {
            assert_eq!(parsed(other), None, "{other}");
        }
        for (wrong, words) in [
            ("28.5", "28.5 has no margin"),
            ("-3", "-3 has no margin"),
            ("28.5±", "is no figure with a margin"),
            ("±3", "is no figure with a margin"),
            ("a±b", "is no figure with a margin"),
            ("28.5±0", "a margin above 0"),
            ("28.5±-3", "a margin above 0"),
            ("1±nan", "a margin above 0"),
            ("inf±3", "give a figure of Elo"),
            ("1e300±1e300", "give a figure of Elo (up to a million)"),
            ("-2e6±3", "give a figure of Elo (up to a million)"),
            ("5±1e9", "give a figure of Elo (up to a million)"),
        ] {
            let error = parsed(wrong).unwrap().unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
