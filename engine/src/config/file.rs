//! What does one TOML file say, and what is wrong with it by itself?

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::diagnostics::{Place, Problem, ProblemKind, Source};
use super::find::nearest_config;
use super::section::Section;
use super::setting::{Key, Setting, Written, unknown};

/// A config with every key and comment has about 20 KiB; beyond this it is something else.
const LARGEST: u64 = 256 * 1024;

type Entry<'a, 'i> = (&'a Spanned<DeString<'i>>, &'a Spanned<DeValue<'i>>);

/// One file's content, as far as it could be read and understood.
#[derive(Default)]
pub(super) struct ConfigFile {
    /// Its `name`, if it has one.
    pub name: Option<String>,
    /// The path it extends, as written, and where.
    pub extends: Option<(String, Place)>,
    /// What it sets.
    pub settings: Vec<Setting>,
    /// What is wrong with it, in the order of its lines.
    pub problems: Vec<Problem>,
}

impl ConfigFile {
    /// Reads a file; `asked_by` is where another file's `extends` names it.
    pub fn read(path: &Path, asked_by: Place) -> ConfigFile {
        let unusable =
            |kind, place| ConfigFile { problems: vec![Problem::new(kind, place)], ..Self::default() };
        let bytes = match read_bytes(path) {
            Ok(bytes) => bytes,
            Err(kind) => return unusable(kind, asked_by),
        };
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        match str::from_utf8(bytes) {
            Ok(text) => Self::parse(path, text),
            Err(error) => {
                let source = Source::new(path, String::from_utf8_lossy(bytes).into_owned());
                let start = error.valid_up_to();
                let span = start..start + char::REPLACEMENT_CHARACTER.len_utf8();
                unusable(ProblemKind::NotUtf8, source.place(span))
            }
        }
    }

    fn parse(path: &Path, text: &str) -> ConfigFile {
        let (table, syntax_errors) = DeTable::parse_recoverable(text);
        let mut reader = Reader {
            source: Source::new(path, text.to_owned()),
            found: Vec::new(),
            name: None,
            extends: None,
            settings: Vec::new(),
        };
        for entry in table.get_ref() {
            reader.top_entry(entry);
        }

        // One mistake makes the parser stumble several times, and what it recovered from such a line is
        // a guess: only the first syntax error of a line is reported there.
        let mut broken_lines = BTreeSet::new();
        let mut broken = Vec::new();
        for error in &syntax_errors {
            let span = error.span().unwrap_or_default();
            if broken_lines.insert(reader.source.line_number(span.start)) {
                broken.push((ProblemKind::Syntax(error.message().to_owned()), span));
            }
        }
        let source = Arc::clone(&reader.source);
        reader.found.retain(|(span, _)| !broken_lines.contains(&source.line_number(span.start)));
        for (kind, span) in broken {
            reader.report(kind, span);
        }
        reader.found.sort_by_key(|(span, _)| span.start);

        let problems = reader.found.into_iter().map(|(_, problem)| problem).collect();
        ConfigFile { name: reader.name, extends: reader.extends, settings: reader.settings, problems }
    }
}

/// Collects what a file says while its entries are visited.
struct Reader {
    source: Arc<Source>,
    /// Problems with the span of the text that has them.
    found: Vec<(Range<usize>, Problem)>,
    name: Option<String>,
    extends: Option<(String, Place)>,
    settings: Vec<Setting>,
}

impl Reader {
    fn top_entry(&mut self, (key, value): Entry) {
        let name = key.get_ref().as_ref();
        match name {
            "name" => self.name = self.line_of_text("name", value, "a name such as \"pvs\""),
            "extends" => {
                let file = self.line_of_text("extends", value, "a path such as \"base.toml\"");
                self.extends = file.map(|file| (file, self.source.place(value.span())));
            }
            "techniques" => self.section("techniques", Section::Techniques, (key, value)),
            "params" => self.section("params", Section::Params, (key, value)),
            "eval" => self.section("eval", Section::Eval, (key, value)),
            _ => self.misplaced(name, Section::Top, key.span()),
        }
    }

    fn section(&mut self, name: &'static str, section: Section, (key, value): Entry) {
        let Some(table) = value.get_ref().as_table() else {
            return self.wrong_type(
                name,
                "a table",
                key.span(),
                value,
                format!("write [{name}] on a line of its own"),
            );
        };
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let place = self.source.place(key.span().start..value.span().end);
            match Key::find(name).filter(|known| known.section() == section) {
                Some(known) => match known.with(self.written(value), place) {
                    Ok(setting) => self.settings.push(setting),
                    // What is wrong is the value, not the key.
                    Err(kind) => self.report(kind, value.span()),
                },
                None => self.misplaced(name, section, key.span()),
            }
        }
    }

    fn line_of_text(&mut self, key: &'static str, value: &Spanned<DeValue>, example: &str) -> Option<String> {
        let remedy = format!("write {example}");
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() && !text.contains(char::is_control) => {
                Some(text.to_owned())
            }
            Some(_) => {
                let expected = "one line of text".to_owned();
                let found = "an empty one or control characters".to_owned();
                self.report(ProblemKind::WrongType { key, expected, found, remedy }, value.span());
                None
            }
            None => {
                self.wrong_type(key, "text in quotes", value.span(), value, remedy);
                None
            }
        }
    }

    fn misplaced(&mut self, name: &str, section: Section, span: Range<usize>) {
        let kind = match Key::find(name) {
            Some(key) => ProblemKind::WrongSection { key: name.to_owned(), section, belongs: key.section() },
            None => unknown(name, section),
        };
        self.report(kind, span);
    }

    fn wrong_type(
        &mut self,
        key: &'static str,
        expected: &str,
        span: Range<usize>,
        value: &Spanned<DeValue>,
        remedy: String,
    ) {
        let found = self.written(value).describe();
        self.report(ProblemKind::WrongType { key, expected: expected.to_owned(), found, remedy }, span);
    }

    fn report(&mut self, kind: ProblemKind, span: Range<usize>) {
        let problem = Problem::new(kind, self.source.place(span.clone()));
        self.found.push((span, problem));
    }

    fn written(&self, value: &Spanned<DeValue>) -> Written {
        match value.get_ref() {
            DeValue::Boolean(on) => Written::Bool(*on),
            DeValue::Integer(integer) => Written::Integer {
                value: i64::from_str_radix(integer.as_str(), integer.radix()).ok(),
                text: self.source.text.get(value.span()).unwrap_or_default().to_owned(),
            },
            DeValue::Array(array) => match pairs(array) {
                Some(pairs) => Written::Pairs(pairs),
                None => Written::Other("an array".to_owned()),
            },
            other => Written::Other(format!("a {}", other.type_str())),
        }
    }
}

/// The numbers of an array of pairs.
fn pairs(array: &DeArray) -> Option<Vec<[i64; 2]>> {
    let number = |value: &Spanned<DeValue>| {
        let integer = value.get_ref().as_integer()?;
        i64::from_str_radix(integer.as_str(), integer.radix()).ok()
    };
    let pair = |value: &Spanned<DeValue>| match &value.get_ref().as_array()?[..] {
        [middlegame, endgame] => Some([number(middlegame)?, number(endgame)?]),
        _ => None,
    };
    array.iter().map(pair).collect()
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, ProblemKind> {
    let unreadable =
        |reason: String, suggestion| ProblemKind::Unreadable { path: path.to_owned(), reason, suggestion };
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(|error| {
        let (reason, suggestion) = match error.kind() {
            ErrorKind::NotFound => ("there is no such file".to_owned(), sibling(path)),
            ErrorKind::IsADirectory => ("it is a directory".to_owned(), None),
            _ => (error.to_string(), None),
        };
        unreadable(reason, suggestion)
    })?;
    if bytes.len() as u64 > LARGEST {
        return Err(unreadable(format!("it has more than {} KiB", LARGEST / 1024), None));
    }
    Ok(bytes)
}

/// The file in the same folder whose name is nearest to that of a missing one.
fn sibling(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let found = nearest_config(path.parent()?, name)?;
    Some(path.with_file_name(found).display().to_string())
}
