//! TOML form of the file of what is to be tuned.
//!
//! ```toml
//! base = "../full.toml"        # relative to this file, or the name of a config
//! iterations = 2000
//! pairs = 8
//!
//! [parameters]
//! lmr_base = {}                # from its value in base, over the whole range
//! rfp_margin = { start = 200, min = 20, max = 300, c_end = 8, r_end = 0.002 }
//! ```

use super::file::{Entry, TuneFile};
use engine::config::{ConfigErrors, Findings, ProblemKind, Source};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The keys of the file.
const TOP_KEYS: [&str; 8] = ["base", "iterations", "pairs", "a_ratio", "alpha", "gamma", "lag", "parameters"];

/// The keys of a parameter.
const KEYS: [&str; 5] = ["start", "min", "max", "c_end", "r_end"];

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the text of a file.
///
/// # Errors
/// Everything that is wrong with it by itself.
pub fn parse(source: &Arc<Source>) -> Result<TuneFile, ConfigErrors> {
    let (table, syntax_errors) = DeTable::parse_recoverable(&source.text);
    let mut reader = Reader { findings: Findings::new(source), file: TuneFile::empty(source) };
    for (key, value) in table.get_ref() {
        reader.top_entry(key, value);
    }
    let Reader { findings, mut file } = reader;
    ConfigErrors::unless_none(findings.finish(&syntax_errors))?;
    // The order decides which draws of chance a parameter gets; it is not to depend on that of the lines.
    file.entries.sort_by(|one, other| one.name.get_ref().cmp(other.name.get_ref()));
    Ok(file)
}

struct Reader {
    findings: Findings,
    file: TuneFile,
}

impl Reader {
    fn top_entry(&mut self, key: &Key, value: &Value) {
        match key.get_ref().as_ref() {
            "base" => {
                self.file.base = self.findings.line_of_text("base", value, "a path such as \"full.toml\"")
            }
            "iterations" => self.file.schedule.iterations = self.count("iterations", value, 1),
            "pairs" => self.file.schedule.pairs = self.count("pairs", value, 1),
            "a_ratio" => self.file.schedule.a_ratio = self.number("a_ratio", value),
            "alpha" => self.file.schedule.alpha = self.number("alpha", value),
            "gamma" => self.file.schedule.gamma = self.number("gamma", value),
            "lag" => self.file.schedule.lag = self.count("lag", value, 0),
            "parameters" => match value.get_ref().as_table() {
                Some(table) => table.iter().for_each(|(key, value)| self.parameter(key, value)),
                None => {
                    let remedy = "write [parameters] on a line of its own".to_owned();
                    self.findings.wrong_type("parameters", "a table", key.span(), value, remedy);
                }
            },
            name => {
                let place = "at the top of a file for tune";
                self.findings.unknown_key(place, name, &TOP_KEYS, key.span());
            }
        }
    }

    fn parameter(&mut self, key: &Key, value: &Value) {
        let name = key.get_ref().as_ref();
        let Some(table) = value.get_ref().as_table() else {
            let what = format!("`{name}` takes a table that says how it is tuned");
            let remedy = format!("write {name} = {{}}, or {name} = {{ start = VALUE }}");
            return self.findings.report(ProblemKind::Other { what, remedy }, value.span());
        };
        let name = Spanned::new(key.span(), name.to_owned());
        let mut entry = Entry { name, start: None, min: None, max: None, c_end: None, r_end: None };
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "start" => entry.start = self.number("start", value),
                "min" => entry.min = self.integer("min", value),
                "max" => entry.max = self.integer("max", value),
                "c_end" => entry.c_end = self.number("c_end", value),
                "r_end" => entry.r_end = self.number("r_end", value),
                name => self.findings.unknown_key("for a parameter", name, &KEYS, key.span()),
            }
        }
        self.file.entries.push(entry);
    }

    fn number(&mut self, key: &'static str, value: &Value) -> Option<Spanned<f64>> {
        let number = match value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            other => whole(other).map(|whole| whole as f64),
        };
        self.taken((key, value), number, "a number")
    }

    fn integer(&mut self, key: &'static str, value: &Value) -> Option<Spanned<i32>> {
        let integer = whole(value.get_ref()).and_then(|whole| i32::try_from(whole).ok());
        self.taken((key, value), integer, "an integer of at most 32 bits")
    }

    fn count(&mut self, key: &'static str, value: &Value, least: u64) -> Option<Spanned<u64>> {
        let count = whole(value.get_ref()).and_then(|whole| u64::try_from(whole).ok());
        self.taken(
            (key, value),
            count.filter(|&count| count >= least),
            &format!("an integer of {least} or more"),
        )
    }

    /// The value with its place, or a complaint that it is not what was expected.
    fn taken<T>(
        &mut self,
        (key, value): (&'static str, &Value),
        read: Option<T>,
        expected: &str,
    ) -> Option<Spanned<T>> {
        if read.is_none() {
            let found = self.file.source.text.get(value.span()).unwrap_or_default().to_owned();
            let (expected, remedy) = (expected.to_owned(), format!("write {expected}, without quotes"));
            self.findings.report(ProblemKind::WrongType { key, expected, found, remedy }, value.span());
        }
        read.map(|read| Spanned::new(value.span(), read))
    }
}

fn whole(value: &DeValue) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
