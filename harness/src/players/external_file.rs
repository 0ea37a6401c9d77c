//! Configuration file of an external engine, and what is wrong with it.
//!
//! ```toml
//! name = "Stockfish"              # optional; the file's stem otherwise
//!
//! [uci]
//! command = ["stockfish"]         # found in PATH, or seen from this file if it has a slash
//! args = []                       # further arguments
//! dir = "."                       # the folder it runs in, seen from this file
//! env = { OMP_NUM_THREADS = "1" }
//! options = { Threads = 1, "Move Overhead" = 0 }
//! sha256 = "…"                    # refuse any other program
//! restart = true                  # after a crash, for the next game
//! ```

use engine::config::{ConfigErrors, Findings, Place, ProblemKind, Source};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The keys beside `[uci]`.
const TOP_KEYS: [&str; 2] = ["name", "uci"];

/// The keys of a configuration of the built-in engine that have no meaning beside `[uci]`.
const BUILT_IN_KEYS: [&str; 3] = ["extends", "techniques", "params"];

/// The keys of `[uci]`.
const KEYS: [&str; 7] = ["command", "args", "dir", "env", "options", "sha256", "restart"];

/// The file's content, checked as far as the file alone allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalFile {
    /// The name, if it gives one.
    pub name: Option<String>,
    /// Program and arguments; never empty.
    pub command: Vec<String>,
    /// The folder to run in, as written.
    pub dir: Option<PathBuf>,
    /// Additions to the environment.
    pub env: BTreeMap<String, String>,
    /// UCI options in the order of the file.
    pub options: Vec<(String, String)>,
    /// The digest that the program must have.
    pub sha256: Option<String>,
    /// Start it again after a crash.
    pub restart: bool,
}

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads a configuration; none if it has no `[uci]` and is one of the built-in engine.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read(path: &Path) -> Result<Option<ExternalFile>, ConfigErrors> {
    // What comes through a pipe can be read but once, and is left to the reader of the built-in configurations,
    // as is the complaint about what cannot be read at all.
    if !path.is_file() {
        return Ok(None);
    }
    Source::read(path, Place::Nowhere).map_or(Ok(None), |source| parse(&source))
}

fn parse(source: &Arc<Source>) -> Result<Option<ExternalFile>, ConfigErrors> {
    let (table, syntax_errors) = DeTable::parse_recoverable(&source.text);
    let table = table.get_ref();
    let Some((uci_key, uci)) = table.iter().find(|(key, _)| key.get_ref() == "uci") else { return Ok(None) };
    let mut reader = Reader { findings: Findings::new(source), args: Vec::new(), file: empty() };
    for (key, value) in table {
        reader.top_entry(key, value);
    }
    match uci.get_ref().as_table() {
        None => {
            let remedy = "write [uci] on a line of its own".to_owned();
            reader.findings.wrong_type("uci", "a table", uci_key.span(), uci, remedy);
        }
        Some(entries) => {
            for (key, value) in entries {
                reader.uci_entry(key, value);
            }
            if !entries.iter().any(|(key, _)| key.get_ref() == "command") {
                let remedy = "write command = [\"PROGRAM\"], such as command = [\"stockfish\"]".to_owned();
                reader.other("[uci] has no `command`".to_owned(), remedy, uci_key.span());
            }
        }
    }
    let Reader { findings, mut args, mut file } = reader;
    ConfigErrors::unless_none(findings.finish(&syntax_errors))?;
    file.command.append(&mut args);
    Ok(Some(file))
}

fn empty() -> ExternalFile {
    ExternalFile {
        name: None,
        command: Vec::new(),
        dir: None,
        env: BTreeMap::new(),
        options: Vec::new(),
        sha256: None,
        restart: true,
    }
}

struct Reader {
    findings: Findings,
    args: Vec<String>,
    file: ExternalFile,
}

impl Reader {
    fn top_entry(&mut self, key: &Key, value: &Value) {
        let name = key.get_ref().as_ref();
        match name {
            "uci" => {}
            "name" => {
                self.file.name = self.findings.line_of_text("name", value, "a name such as \"Stockfish\"")
            }
            _ if BUILT_IN_KEYS.contains(&name) => self.other(
                format!("`{name}` belongs to the built-in engine, and [uci] says that this is another"),
                "keep one of the two".to_owned(),
                key.span(),
            ),
            _ => {
                let place = "at the top of an external engine's config";
                self.findings.unknown_key(place, name, &TOP_KEYS, key.span());
            }
        }
    }

    fn uci_entry(&mut self, key: &Key, value: &Value) {
        let findings = &mut self.findings;
        match key.get_ref().as_ref() {
            "command" => {
                let example = "a list such as [\"stockfish\"]";
                self.file.command = self.words("command", value, example);
                if value.get_ref().as_array().is_some_and(|items| items.is_empty()) {
                    self.other(
                        "`command` names no program".to_owned(),
                        format!("write {example}"),
                        value.span(),
                    );
                }
            }
            "args" => self.args = self.words("args", value, "a list such as [\"--uci\"]"),
            "dir" => {
                let dir = findings.line_of_text("dir", value, "a path such as \"engines/one\"");
                self.file.dir = dir.map(PathBuf::from);
            }
            "env" => {
                let env = self.texts("env", value, "a table such as { NAME = \"value\" }");
                self.file.env = env.into_iter().collect();
            }
            "options" => {
                self.file.options = self.texts("options", value, "a table such as { Threads = 1 }");
                self.refuse_namesakes(value);
            }
            "sha256" => {
                let digest = findings.line_of_text("sha256", value, "64 hexadecimal digits in quotes");
                let is_digest =
                    |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
                match digest {
                    Some(text) if !is_digest(&text) => self.other(
                        "`sha256` is no digest".to_owned(),
                        "write 64 hexadecimal digits, as sha256sum prints them".to_owned(),
                        value.span(),
                    ),
                    digest => self.file.sha256 = digest,
                }
            }
            "restart" => match value.get_ref().as_bool() {
                Some(restart) => self.file.restart = restart,
                None => {
                    let remedy = "write the bare word true or false".to_owned();
                    findings.wrong_type("restart", "true or false", value.span(), value, remedy);
                }
            },
            name => findings.unknown_key("in [uci]", name, &KEYS, key.span()),
        }
    }

    /// A list of texts.
    fn words(&mut self, key: &'static str, value: &Value, example: &str) -> Vec<String> {
        let Some(items) = value.get_ref().as_array() else {
            self.findings.wrong_type(key, "a list of texts", value.span(), value, format!("write {example}"));
            return Vec::new();
        };
        let words = items.iter().filter_map(|item| match item.get_ref().as_str() {
            Some(word) if !word.contains('\0') => Some(word.to_owned()),
            _ => {
                let remedy = format!("write {example}");
                self.findings.wrong_type(key, "a list of texts", item.span(), item, remedy);
                None
            }
        });
        words.collect()
    }

    /// A table of texts, numbers and truth values as texts, in the order of the file.
    fn texts(&mut self, key: &'static str, value: &Value, example: &str) -> Vec<(String, String)> {
        let Some(table) = value.get_ref().as_table() else {
            self.findings.wrong_type(key, "a table", value.span(), value, format!("write {example}"));
            return Vec::new();
        };
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut texts = Vec::new();
        for (name, value) in entries {
            match text_of(value.get_ref()) {
                Some(text)
                    if ![name.get_ref().as_ref(), &text]
                        .iter()
                        .any(|text| text.contains(char::is_control)) =>
                {
                    texts.push((name.get_ref().as_ref().to_owned(), text));
                }
                _ => {
                    let expected = "texts, numbers, true and false without control characters as values";
                    self.findings.wrong_type(key, expected, value.span(), value, format!("write {example}"));
                }
            }
        }
        texts
    }

    /// Refuses options whose names differ in letter case only: to the engine they are one.
    fn refuse_namesakes(&mut self, options: &Value) {
        let names = options.get_ref().as_table().into_iter().flat_map(|table| table.keys());
        let mut names: Vec<&Key> = names.collect();
        names.sort_by_key(|name| name.span().start);
        for (nth, name) in names.iter().enumerate() {
            let text = name.get_ref();
            let is_same = |other: &&&Key| other.get_ref().eq_ignore_ascii_case(text);
            if let Some(other) = names[..nth].iter().find(is_same) {
                let what =
                    format!("`{text}` is the option `{}` again: UCI ignores letter case", other.get_ref());
                self.other(what, "keep one of the two".to_owned(), name.span());
            }
        }
    }

    fn other(&mut self, what: String, remedy: String, span: Range<usize>) {
        self.findings.report(ProblemKind::Other { what, remedy }, span);
    }
}

/// The value as UCI writes it.
fn text_of(value: &DeValue) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Boolean(on) => Some(on.to_string()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number.to_string())
        }
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}
