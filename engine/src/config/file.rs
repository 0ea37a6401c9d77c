//! Config file: one TOML file, and what is wrong with it by itself.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::diagnostics::{Place, Problem, ProblemKind, Source};
use super::find::nearest_config;
use super::findings::Findings;
use super::section::Section;
use super::setting::{Key, Setting, unknown};

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
        match Source::read(path, asked_by) {
            Ok(source) => Self::parse(&source),
            Err(problem) => ConfigFile { problems: vec![*problem], ..Self::default() },
        }
    }

    fn parse(source: &Arc<Source>) -> ConfigFile {
        let (table, syntax_errors) = DeTable::parse_recoverable(&source.text);
        let mut reader = Reader {
            source,
            findings: Findings::new(source),
            name: None,
            extends: None,
            settings: Vec::new(),
        };
        for entry in table.get_ref() {
            reader.top_entry(entry);
        }
        let Reader { findings, name, extends, settings, .. } = reader;
        ConfigFile { name, extends, settings, problems: findings.finish(&syntax_errors) }
    }
}

/// Collects what a file says while its entries are visited.
struct Reader<'a> {
    source: &'a Arc<Source>,
    findings: Findings,
    name: Option<String>,
    extends: Option<(String, Place)>,
    settings: Vec<Setting>,
}

impl Reader<'_> {
    fn top_entry(&mut self, (key, value): Entry) {
        let name = key.get_ref().as_ref();
        match name {
            "name" => self.name = self.findings.line_of_text("name", value, "a name such as \"pvs\""),
            "extends" => {
                let file = self.findings.line_of_text("extends", value, "a path such as \"base.toml\"");
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
            return self.findings.wrong_type(
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
                Some(known) => match known.with(self.findings.written(value), place) {
                    Ok(setting) => self.settings.push(setting),
                    // What is wrong is the value, not the key.
                    Err(kind) => self.findings.report(kind, value.span()),
                },
                None => self.misplaced(name, section, key.span()),
            }
        }
    }

    fn misplaced(&mut self, name: &str, section: Section, span: Range<usize>) {
        let kind = match Key::find(name) {
            Some(key) => ProblemKind::WrongSection { key: name.to_owned(), section, belongs: key.section() },
            None => unknown(name, section),
        };
        self.findings.report(kind, span);
    }
}

impl Source {
    /// Reads a config file as text; `asked_by` is where another file names it.
    ///
    /// # Errors
    /// It cannot be read, is too large for a config, or is not UTF-8.
    pub fn read(path: &Path, asked_by: Place) -> Result<Arc<Source>, Box<Problem>> {
        let bytes = read_bytes(path).map_err(|kind| Problem::new(kind, asked_by))?;
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        match str::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(path, text.to_owned())),
            Err(error) => {
                let source = Source::new(path, String::from_utf8_lossy(bytes).into_owned());
                let start = error.valid_up_to();
                let span = start..start + char::REPLACEMENT_CHARACTER.len_utf8();
                Err(Box::new(Problem::new(ProblemKind::NotUtf8, source.place(span))))
            }
        }
    }
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
