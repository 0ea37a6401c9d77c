//! Report of a tuning run: where each parameter went, and whether that made the player stronger.

use super::chart;
use super::file::as_toml;
use super::follow_up::stored_test;
use super::spec::TuneSpec;
use super::summary::{TuneSummary, Tuned};
use crate::kinds::not_read::NotRead;
use crate::kinds::sprt::report::SprtReport;
use crate::kinds::stored::Stored;
use crate::report::conduct;
use crate::report::document::{Document, Part};
use crate::report::figures::{signed, to_digits};
use crate::report::origin::{self, identity, options_of, origin};
use crate::report::written::Report;
use crate::store::{RunInfo, Store};
use serde_json::{Value, json};

/// The report of a stored run.
///
/// # Errors
/// See [`NotRead`].
pub fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
    let run: Stored<TuneSpec> = Stored::read(store, info, |_, _| ())?;
    let mut summary = run.summary();
    let test = stored_test(store, (&run.info, &run.spec), &summary.values)?;
    let validation = test.map(|info| SprtReport::read(store, info)).transpose()?;
    summary.validation = validation.as_ref().map(|test| test.summary.clone());
    let document = document(&run, &summary, validation.as_ref());

    let (spec, games) = (&run.spec, &run.games);
    let mut json = origin::as_json(&summary, &run.info, &run.sessions)?;
    let more = [
        ("verdict_in_words", json!(document.answer)),
        ("endings", games.endings_as_json()),
        ("faults", json!(games.faults(ENDS))),
        ("telemetry", json!({"minus": games.base.as_json(), "plus": games.candidate.as_json()})),
        ("command", json!(command(spec, validation.as_ref()))),
        ("file", json!(file(spec))),
        ("base_values", Value::String(spec.base.to_toml())),
    ];
    json.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Ok(Report { document, json })
}

/// What the two players of an iteration are called.
const ENDS: [&str; 2] = ["the minus side", "the plus side"];

fn document(run: &Stored<TuneSpec>, summary: &TuneSummary, validation: Option<&SprtReport>) -> Document {
    let Stored { info, spec, sessions, games, .. } = run;
    let iterations = [summary.iterations, spec.schedule.iterations];
    let mean = games.mean_length().map_or("-".to_owned(), |mean| format!("{mean:.1} plies"));
    let facts = [
        ("Iterations", format!("{} of {}", iterations[0], iterations[1])),
        ("Games", summary.games.to_string()),
        ("Pairs of the same player", summary.same_sides().unwrap_or_else(|| "none".to_owned())),
        ("Mean length of a game", mean),
        ("Time", origin::time(&run.effort())),
    ];
    let mut parts = vec![
        values(&summary.parameters),
        Part::Pictures {
            charts: chart::charts(&summary.parameters, iterations),
            letters: summary.parameter_lines().trim_end().to_owned(),
        },
        Part::Facts(facts.map(|(name, text)| (name.to_owned(), text)).to_vec()),
        Part::Heading("The tuned values against the start"),
    ];
    match validation {
        None => parts.push(Part::Text("They have not been tested against each other.".to_owned())),
        Some(report) => {
            parts.extend([
                Part::Text(format!("{}.", report.verdict())),
                Part::Facts(report.figures()),
                Part::Pictures { charts: report.charts(), letters: String::new() },
            ]);
        }
    }
    parts.extend([
        Part::Heading("How the games ended"),
        games.endings_table("the plus side"),
        Part::Pictures { charts: games.lengths_chart().into_iter().collect(), letters: String::new() },
        Part::Heading("What the searches did"),
        Part::Text(games.missing_telemetry().unwrap_or_default()),
        games.telemetry_table(ENDS),
        Part::Heading("Faults"),
        Part::Facts(conduct::facts(&summary.head.watched)),
        games.part_of_faults(games.faults(ENDS)),
        Part::Heading("How to play it again"),
        Part::Text("With this in tune.toml:".to_owned()),
        Part::Code(file(spec)),
        Part::Code(command(spec, validation)),
        Part::Facts(identity(&[("base", &spec.base)], &spec.conditions, info, sessions)),
        Part::Folded(format!("Every value of {} at the start", spec.base.file), spec.base.to_toml()),
    ]);
    Document {
        title: format!("{} tuned", spec.base.file),
        question: format!("Which values of {} make it stronger at {}?", names(spec), spec.conditions.limit),
        origin: origin(info),
        answer: answer(summary, validation),
        parts,
    }
}

fn names(spec: &TuneSpec) -> String {
    spec.places_as_shown().map(|place| spec.parameters[place].name.as_str()).collect::<Vec<_>>().join(", ")
}

/// A line for each parameter.
fn values(parameters: &[Tuned]) -> Part {
    let head = ["parameter", "start", "now", "in steps of c_end", "c_end", "range"].map(str::to_owned);
    let row = |tuned: &Tuned| {
        let Tuned { parameter, value, .. } = tuned;
        vec![
            parameter.name.clone(),
            parameter.start.to_string(),
            to_digits(*value, 1),
            signed(tuned.moved(*value)),
            parameter.c_end.to_string(),
            format!("{} to {}", parameter.min, parameter.max),
        ]
    };
    Part::Table { head: head.to_vec(), rows: parameters.iter().map(row).collect() }
}

fn answer(summary: &TuneSummary, validation: Option<&SprtReport>) -> String {
    let moved = summary.parameters.iter().map(|Tuned { parameter, value, .. }| {
        format!("{} {} → {}", parameter.name, parameter.start, to_digits(*value, 0))
    });
    let moved = moved.collect::<Vec<_>>().join(", ");
    let so_far = if summary.is_finished() { "" } else { " so far" };
    let tested = validation.map_or("not tested yet".to_owned(), |report| {
        let elo =
            report.elo().last().map_or("no Elo to tell".to_owned(), |elo| format!("{} Elo", elo.text()));
        format!("against the start {elo}. {}", report.verdict())
    });
    format!("{moved}{so_far}; {tested}{}", conduct::caveat(&summary.head.watched))
}

/// The file that asks for the run.
fn file(spec: &TuneSpec) -> String {
    let parameters = spec.places_as_shown().map(|place| &spec.parameters[place]);
    as_toml(&spec.base.file, &spec.schedule, parameters).trim_end().to_owned()
}

/// The command that plays the run again and the test after it, with the file that the report shows.
fn command(spec: &TuneSpec, validation: Option<&SprtReport>) -> String {
    let test = validation.map(SprtReport::test_options).unwrap_or_default();
    format!("harness tune tune.toml{}{test}", options_of(&spec.conditions))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::spsa::Parameter;

    #[test]
    fn a_parameter_is_told_with_its_start_and_its_distance_from_it() {
        let parameter =
            Parameter { name: "p".to_owned(), start: 200.0, min: 0, max: 300, c_end: 8.0, r_end: 0.002 };
        let tuned = Tuned { parameter, value: 143.24, trajectory: vec![200.0, 143.24] };
        let Part::Table { rows, .. } = values(&[tuned]) else { panic!("a table") };
        assert_eq!(rows, [["p", "200", "143.2", "-7.1", "8", "0 to 300"]]);
    }
}
