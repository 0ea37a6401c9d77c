//! Forms of other tuners. Read and written: OpenBench's and fishtest's lines, and the `config.json` of weather-factory.

use super::file::{Entry, TuneFile};
use super::spsa::Parameter;
use engine::config::{ConfigErrors, Findings, Problem, ProblemKind, Source};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

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

/// weather-factory's entry for one parameter.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weather {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// weather-factory's parameters in the order of the file, each key as often as it stands there.
struct WeatherFile(Vec<(String, Weather)>);

impl<'de> Deserialize<'de> for WeatherFile {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<WeatherFile, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = WeatherFile;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object of parameters")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WeatherFile, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(WeatherFile(entries))
            }
        }

        input.deserialize_map(Entries)
    }
}

/// Reads parameters; the form is seen from the text.
///
/// # Errors
/// Every line that is wrong.
pub fn parse(source: &Arc<Source>) -> Result<TuneFile, ConfigErrors> {
    let entries = match source.text.trim_start().starts_with('{') {
        true => parse_weather_factory(source)?,
        false => parse_lines(source)?,
    };
    Ok(TuneFile { entries, ..TuneFile::empty(source) })
}

/// Writes parameters down with these values, rounded as they are played and as the configuration has them; ends with a newline.
pub fn format(form: Form, parameters: &[Parameter], values: &[f64], config: &str) -> String {
    let line = |[separator, kind]: [&str; 2], (parameter, value): (&Parameter, &f64)| {
        let Parameter { name, min, max, c_end, r_end, .. } = parameter;
        let fields = [&played(*value), &f64::from(*min), &f64::from(*max), c_end, r_end].map(f64::to_string);
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
        (
            parameter.name.clone(),
            Weather { value: played(value), min_value, max_value, step: parameter.c_end },
        )
    };
    let entries: BTreeMap<String, Weather> = all.map(entry).collect();
    serde_json::to_string_pretty(&entries).expect("numbers and text have a JSON form") + "\n"
}

/// The integer that is played for a value between integers; never -0.
fn played(value: f64) -> f64 {
    value.round() + 0.0
}

/// What is wrong in some part of a text.
struct Wrong {
    what: String,
    remedy: String,
    span: Range<usize>,
}

impl Wrong {
    fn report(self, findings: &mut Findings) {
        let Wrong { what, remedy, span } = self;
        findings.report(ProblemKind::Other { what, remedy }, span);
    }
}

fn parse_lines(source: &Arc<Source>) -> Result<Vec<Entry>, ConfigErrors> {
    let (mut findings, mut entries) = (Findings::new(source), Vec::new());
    let mut begin = 0;
    for line in source.text.split_inclusive('\n') {
        let cells = Cells::of(line, begin);
        begin += line.len();
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        match cells.entry() {
            Ok(entry) => entries.push(entry),
            Err(wrong) => wrong.report(&mut findings),
        }
    }
    ConfigErrors::unless_none(findings.finish(&[]))?;
    Ok(entries)
}

/// What stands between the commas of a line, without the blanks around it.
struct Cells<'a>(Vec<Spanned<&'a str>>);

impl<'a> Cells<'a> {
    /// Of a line that begins at this byte of its text.
    fn of(line: &'a str, begin: usize) -> Cells<'a> {
        let mut next = begin;
        let cell = |cell: &'a str| {
            let start = next + cell.len() - cell.trim_start().len();
            next += cell.len() + 1;
            Spanned::new(start..start + cell.trim().len(), cell.trim())
        };
        Cells(line.split(',').map(cell).collect())
    }

    /// OpenBench's line is known by its second cell.
    fn entry(&self) -> Result<Entry, Wrong> {
        const OPENBENCH: &str = "name, int, value, min, max, c_end, r_end";
        const FISHTEST: &str = "name,value,min,max,c_end,r_end";
        let kind = self.0.get(1).map(|cell| *cell.get_ref());
        match (kind, self.0.len()) {
            (Some("int" | "float"), 7) => self.entry_of(2),
            (Some("int" | "float"), count) => Err(self.wrong_line(
                format!("this line has {count} fields, and OpenBench's have 7"),
                format!("write {OPENBENCH}"),
            )),
            (_, 6) => self.entry_of(1),
            (_, count) => Err(self.wrong_line(
                format!("this line has {count} fields, and fishtest's have 6, OpenBench's 7"),
                format!("write {FISHTEST} (fishtest) or {OPENBENCH} (OpenBench)"),
            )),
        }
    }

    /// The parameter whose value stands in this cell, and all else behind it.
    fn entry_of(&self, value: usize) -> Result<Entry, Wrong> {
        let name = &self.0[0];
        Ok(Entry {
            name: Spanned::new(name.span(), (*name.get_ref()).to_owned()),
            start: Some(self.number(value, "value")?),
            min: Some(self.whole(value + 1, "min")?),
            max: Some(self.whole(value + 2, "max")?),
            c_end: Some(self.number(value + 3, "c_end")?),
            r_end: Some(self.number(value + 4, "r_end")?),
        })
    }

    fn number(&self, place: usize, what: &str) -> Result<Spanned<f64>, Wrong> {
        let (name, cell) = (self.0[0].get_ref(), &self.0[place]);
        let number = cell.get_ref().parse().ok().filter(|number: &f64| number.is_finite());
        number.map(|number| Spanned::new(cell.span(), number)).ok_or_else(|| Wrong {
            what: format!("the {what} of {name}, \"{}\", is no number", cell.get_ref()),
            remedy: "write a number such as 80 or 0.002".to_owned(),
            span: cell.span(),
        })
    }

    fn whole<T: TryFrom<i64>>(&self, place: usize, what: &str) -> Result<Spanned<T>, Wrong> {
        let number = self.number(place, what)?;
        let what = format!("the {what} of {}", self.0[0].get_ref());
        whole(&what, &number)
    }

    fn wrong_line(&self, what: String, remedy: String) -> Wrong {
        let [first, last] = [self.0.first(), self.0.last()].map(|cell| cell.map_or(0..0, Spanned::span));
        Wrong { what, remedy, span: first.start..last.end }
    }
}

fn parse_weather_factory(source: &Arc<Source>) -> Result<Vec<Entry>, ConfigErrors> {
    let text = &source.text;
    let WeatherFile(entries) = serde_json::from_str(text).map_err(|error| {
        let what = format!("this is no weather-factory config: {error}");
        let remedy = "write {\"NAME\": {\"value\": 80, \"min_value\": 10, \"max_value\": 300, \"step\": 8}}"
            .to_owned();
        let place = source.place(place_of(&error, text));
        ConfigErrors::from(Problem::new(ProblemKind::Other { what, remedy }, place))
    })?;
    let mut findings = Findings::new(source);
    let mut behind = 0;
    let entry = |(name, weather): (String, Weather)| {
        // Its values have no places of their own.
        let span = place_of_key(text, &name, behind);
        behind = span.end;
        weather.entry(&name, &span).map_err(|wrong| wrong.report(&mut findings)).ok()
    };
    let mut entries: Vec<Entry> = entries.into_iter().filter_map(entry).collect();
    ConfigErrors::unless_none(findings.finish(&[]))?;
    // As in a TOML file, the draws of chance that a parameter gets do not depend on the order of the lines.
    entries.sort_by(|one, other| one.name.get_ref().cmp(other.name.get_ref()));
    Ok(entries)
}

impl Weather {
    fn entry(&self, name: &str, span: &Range<usize>) -> Result<Entry, Wrong> {
        let number = |value| Spanned::new(span.clone(), value);
        Ok(Entry {
            name: Spanned::new(span.clone(), name.to_owned()),
            start: Some(number(self.value)),
            min: Some(whole(&format!("the min_value of {name}"), &number(self.min_value))?),
            max: Some(whole(&format!("the max_value of {name}"), &number(self.max_value))?),
            c_end: Some(number(self.step)),
            r_end: None,
        })
    }
}

/// Where a key of an object stands in the text, from this byte on.
fn place_of_key(text: &str, name: &str, from: usize) -> Range<usize> {
    let key = serde_json::Value::from(name).to_string();
    let is_key = |(at, _): &(usize, &str)| {
        let behind = text[from + at + key.len()..].trim_start().strip_prefix(':');
        behind.is_some_and(|value| value.trim_start().starts_with('{'))
    };
    let start = text[from..].match_indices(&key).find(is_key).map_or(0, |(at, _)| from + at);
    start..start + key.len()
}

/// The bytes of the text at which it stopped being JSON.
fn place_of(error: &serde_json::Error, text: &str) -> Range<usize> {
    let before = error.line().saturating_sub(1);
    let line: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let at = (line + error.column().saturating_sub(1)).min(text.len());
    at..at + 1
}

fn whole<T: TryFrom<i64>>(what: &str, number: &Spanned<f64>) -> Result<Spanned<T>, Wrong> {
    let value = *number.get_ref();
    let whole = (value.fract() == 0.0).then(|| T::try_from(value as i64).ok()).flatten();
    whole.map(|whole| Spanned::new(number.span(), whole)).ok_or_else(|| Wrong {
        what: format!("{what} is {value}, which is no integer that could be played"),
        remedy: "give an integer of at most 32 bits, as all parameters are played".to_owned(),
        span: number.span(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::tune::spsa::SpsaSchedule;
    use crate::players::spec::PlayerSpec;
    use crate::players::uci::Declared;
    use engine::config::EngineConfig;
    use std::path::Path;

    fn read(text: &str) -> Result<TuneFile, ConfigErrors> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.txt");
        std::fs::write(&path, text).unwrap();
        crate::kinds::tune::read::read(&path)
    }

    fn parameters(text: &str) -> Vec<Parameter> {
        let base = PlayerSpec::new(Path::new("full.toml"), EngineConfig::default());
        read(text).unwrap().wanted(&base, &Declared::default(), None, &SpsaSchedule::default()).unwrap().0
    }

    #[test]
    fn every_form_is_read_back() {
        let parameters_before = parameters(
            "rfp_margin, int, 80, 50, 300, 8, 0.002\n\n# a comment\nlmr_base, int, 77.5, 0, 200, 10, 0.003",
        );
        assert_eq!(parameters_before.len(), 2);
        let [_, lmr_base] = &parameters_before[..] else { panic!("two") };
        assert_eq!((lmr_base.start, lmr_base.max, lmr_base.r_end), (77.5, 200, 0.003));
        let values: Vec<f64> = parameters_before.iter().map(|parameter| parameter.start).collect();
        let written = |form| format(form, &parameters_before, &values, "");
        // What lies between integers is written as it is played.
        let mut parameters_before = parameters_before.clone();
        parameters_before[1].start = 78.0;
        for form in [Form::OpenBench, Form::Fishtest] {
            assert_eq!(parameters(&written(form)), parameters_before, "{form:?}");
        }
        // weather-factory knows no r_end and no order.
        let mut read = parameters(&written(Form::WeatherFactory));
        read.sort_by(|a, b| b.name.cmp(&a.name));
        assert_eq!(read[1].r_end, R_END);
        read[1].r_end = 0.003;
        assert_eq!(read, parameters_before);
    }

    #[test]
    fn a_value_may_lie_between_integers_in_every_form() {
        let usual = parameters("rfp_margin, int, 75.5, 50, 300, 7.5, 0.002");
        assert_eq!(usual[0].start, 75.5);
        for text in [
            "rfp_margin, float, 75.5, 50.0, 300.0, 7.5, 0.002",
            "rfp_margin,75.5,50,300,7.5,0.002",
            "{\"rfp_margin\": {\"value\": 75.5, \"min_value\": 50, \"max_value\": 300, \"step\": 7.5}}",
        ] {
            assert_eq!(parameters(text), usual, "{text}");
        }
        for value in [-32.9448422464296, -0.3, 75.5] {
            for form in [Form::OpenBench, Form::Fishtest, Form::WeatherFactory] {
                let text = format(form, &usual, &[value], "");
                let whole = format!("{}", played(value));
                assert!(text.contains(&whole) && !text.contains("-0") && !text.contains("32.9"), "{text}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, place, sentence) in [
            (
                "a,1,0,10,1,0.002\nb,1,0",
                "2:1",
                "this line has 3 fields, and fishtest's have 6, OpenBench's 7",
            ),
            ("a, int, 1, 0, 2, 0.1", "1:1", "this line has 6 fields, and OpenBench's have 7"),
            ("a, float, 1.5, 0.5, 2, 0.1, 0.002", "1:16", "the min of a is 0.5, which is no integer"),
            ("a, float, 1, 0, 2.5, 0.1, 0.002", "1:17", "the max of a is 2.5, which is no integer"),
            ("a,x,0,10,1,0.002", "1:3", "the value of a, \"x\", is no number"),
            ("a,1,0.5,10,1,0.002", "1:5", "the min of a is 0.5, which is no integer"),
            ("a,1,0,1e99,1,0.002", "1:7", "which is no integer"),
            ("a,NaN,0,10,1,0.002", "1:3", "is no number"),
            ("{\n\"a\": {\"value\": 1}}", "2:17", "this is no weather-factory config: missing field"),
            (
                "{\n \"a\": {\"value\": 1, \"min_value\": 0.5, \"max_value\": 3, \"step\": 1}}",
                "2:2",
                "the min_value of a is 0.5",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(sentence) && error.contains(&format!("lines.txt:{place}\n")), "{error}");
        }
    }
}
