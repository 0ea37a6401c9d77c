//! How do other tuners write parameters down? Read and written: OpenBench's and fishtest's lines, and the `config.json`
//! of weather-factory.

use super::spsa::Parameter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The learning rate at the end that fishtest and OpenBench propose.
pub const R_END: f64 = 0.002;

/// A way to write parameters down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// A configuration with the present values.
    Toml,
    /// `name, int, value, min, max, c_end, r_end`
    #[value(name = "openbench")]
    OpenBench,
    /// `name,value,min,max,c_end,r_end`
    Fishtest,
    /// weather-factory's `config.json`.
    WeatherFactory,
}

/// A text that is none of the forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadForm {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for BadForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for BadForm {}

/// weather-factory's entry for one parameter.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weather {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// Reads parameters; the form is seen from the text.
///
/// # Errors
/// The first line that is wrong.
pub fn parse(text: &str) -> Result<Vec<Parameter>, BadForm> {
    match text.trim_start().starts_with('{') {
        true => parse_weather_factory(text),
        false => parse_lines(text),
    }
}

/// Writes parameters down with these values, which the configuration has rounded; ends with a newline.
pub fn format(form: Form, parameters: &[Parameter], values: &[f64], config: &str) -> String {
    let line = |[separator, kind]: [&str; 2], (parameter, value): (&Parameter, &f64)| {
        let Parameter { name, min, max, c_end, r_end, .. } = parameter;
        let fields = [value, &f64::from(*min), &f64::from(*max), c_end, r_end].map(f64::to_string);
        format!("{name}{separator}{kind}{}\n", fields.join(separator))
    };
    let all = parameters.iter().zip(values);
    match form {
        Form::Toml => config.to_owned(),
        Form::OpenBench => all.map(|one| line([", ", "int, "], one)).collect(),
        Form::Fishtest => all.map(|one| line([",", ""], one)).collect(),
        Form::WeatherFactory => weather_factory(all),
    }
}

fn weather_factory<'a>(all: impl Iterator<Item = (&'a Parameter, &'a f64)>) -> String {
    let entry = |(parameter, &value): (&Parameter, &f64)| {
        let (min_value, max_value) = (f64::from(parameter.min), f64::from(parameter.max));
        (parameter.name.clone(), Weather { value, min_value, max_value, step: parameter.c_end })
    };
    let entries: BTreeMap<String, Weather> = all.map(entry).collect();
    serde_json::to_string_pretty(&entries).expect("numbers and text have a JSON form") + "\n"
}

fn parse_lines(text: &str) -> Result<Vec<Parameter>, BadForm> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, text)| parse_line(text).map_err(|reason| BadForm { line, reason }))
        .collect()
}

fn parse_line(line: &str) -> Result<Parameter, String> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    let (name, numbers) = match cells[..] {
        [name, "int", ref numbers @ ..] if numbers.len() == 5 => (name, numbers),
        [name, "float", ..] => return Err(format!("{name} is a float, and only integers can be played")),
        [name, ref numbers @ ..] if numbers.len() == 5 => (name, numbers),
        _ => {
            return Err(format!(
                "\"{line}\" is neither \"name, int, value, min, max, c_end, r_end\" (OpenBench) nor \
                 \"name,value,min,max,c_end,r_end\" (fishtest)"
            ));
        }
    };
    let number = |place: usize, what: &str| {
        let cell = numbers[place];
        cell.parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .ok_or_else(|| format!("the {what} of {name}, \"{cell}\", is no number"))
    };
    Ok(Parameter {
        name: name.to_owned(),
        start: number(0, "value")?,
        min: whole(number(1, "min")?, name)?,
        max: whole(number(2, "max")?, name)?,
        c_end: number(3, "c_end")?,
        r_end: number(4, "r_end")?,
    })
}

fn parse_weather_factory(text: &str) -> Result<Vec<Parameter>, BadForm> {
    let entries: BTreeMap<String, Weather> = serde_json::from_str(text).map_err(|error| BadForm {
        line: error.line(),
        reason: format!("no weather-factory config: {error}"),
    })?;
    entries
        .into_iter()
        .map(|(name, Weather { value, min_value, max_value, step })| {
            let bound = |value| whole(value, &name).map_err(|reason| BadForm { line: 1, reason });
            let (min, max) = (bound(min_value)?, bound(max_value)?);
            Ok(Parameter { name, start: value, min, max, c_end: step, r_end: R_END })
        })
        .collect()
}

fn whole(number: f64, name: &str) -> Result<i32, String> {
    let is_whole = number.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number);
    if is_whole {
        Ok(number as i32)
    } else {
        Err(format!("the range of {name} ends at {number}, which is no integer"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_back() {
        let parameters = parse(
            "rfp_margin, int, 80, 10, 300, 8, 0.002\n\n# a comment\nlmr_base, int, 77.5, 0, 200, 10, 0.003",
        )
        .unwrap();
        assert_eq!(parameters.len(), 2);
        assert_eq!((parameters[1].start, parameters[1].max, parameters[1].r_end), (77.5, 200, 0.003));
        let values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let written = |form| format(form, &parameters, &values, "");
        for form in [Form::OpenBench, Form::Fishtest] {
            assert_eq!(parse(&written(form)).unwrap(), parameters, "{form:?}");
        }
        // weather-factory knows no r_end and no order.
        let mut read = parse(&written(Form::WeatherFactory)).unwrap();
        read.sort_by(|a, b| b.name.cmp(&a.name));
        assert_eq!(read[1].r_end, R_END);
        read[1].r_end = 0.003;
        assert_eq!(read, parameters);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, sentence) in [
            ("a,1,0,10,1,0.002\nb,1,0", "line 2: \"b,1,0\" is neither"),
            ("a, float, 1.0, 0, 2, 0.1, 0.002", "line 1: a is a float, and only integers can be played"),
            ("a,x,0,10,1,0.002", "line 1: the value of a, \"x\", is no number"),
            ("a,1,0.5,10,1,0.002", "line 1: the range of a ends at 0.5, which is no integer"),
            ("a,1,0,1e99,1,0.002", "which is no integer"),
            ("a,NaN,0,10,1,0.002", "is no number"),
            ("{\n\"a\": {\"value\": 1}}", "line 2: no weather-factory config: missing field"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(sentence), "{error}");
        }
    }
}
