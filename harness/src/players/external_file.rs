//! Configuration file of an external engine, and what is wrong with it.
//!
//! ```toml
//! name = "Stockfish"              # optional; the file's stem otherwise
//! extends = "engine.toml"         # optional: another such file, whose values hold where this one has none
//!
//! [uci]
//! command = ["stockfish"]         # found in PATH, or seen from this file if it has a slash
//! args = []                       # further arguments
//! dir = "."                       # the folder it runs in, seen from this file
//! env = { OMP_NUM_THREADS = "1" }
//! options = { Threads = 1, "Move Overhead" = 0 }
//! sha256 = "…"                    # refuse any other program
//! restart = true                  # after a crash, for the next game; or "every-game"
//! start_timeout = 60              # seconds until it must have said uciok
//! ```

use super::restart::Restart;
use engine::config::{ConfigErrors, Findings, Place, ProblemKind, Source};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The keys beside `[uci]`.
const TOP_KEYS: [&str; 3] = ["name", "extends", "uci"];

/// The keys of a configuration of the built-in engine that have no meaning beside `[uci]`.
const BUILT_IN_KEYS: [&str; 3] = ["techniques", "params", "eval"];

/// Keys by which other programs name an engine: at the top of a file they mean that `[uci]` is missing.
const OTHERS_KEYS: [&str; 5] = ["command", "cmd", "path", "executable", "proto"];

/// The keys of `[uci]`.
const KEYS: [&str; 8] = ["command", "args", "dir", "env", "options", "sha256", "restart", "start_timeout"];

/// The file's content, with that of the files it extends, checked as far as the files alone allow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalFile {
    /// The name, if it gives one.
    pub name: Option<String>,
    /// The program, and arguments that are written with it; never empty.
    pub command: Vec<String>,
    /// The folder from which a program with a slash is seen.
    pub folder: PathBuf,
    /// Further arguments.
    pub args: Vec<String>,
    /// The folder to run in.
    pub dir: Option<PathBuf>,
    /// Additions to the environment.
    pub env: BTreeMap<String, String>,
    /// UCI options in the order of the file.
    pub options: Vec<(String, String)>,
    /// The digest that the program must have.
    pub sha256: Option<String>,
    /// When it is started again.
    pub restart: Restart,
    /// How long its start may take, s; none: as long as for all.
    pub start_timeout: Option<u64>,
}

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads a configuration; none if it is one of the built-in engine: it has no `[uci]`, nor has a file that it extends.
///
/// # Errors
/// Everything that is wrong in the file.
pub fn read(path: &Path) -> Result<Option<ExternalFile>, ConfigErrors> {
    read_extended(path, &mut Vec::new())
}

/// The same of a file that these extend.
fn read_extended(path: &Path, below: &mut Vec<PathBuf>) -> Result<Option<ExternalFile>, ConfigErrors> {
    // What comes through a pipe can be read but once, and is left to the reader of the built-in configurations,
    // as is the complaint about what cannot be read at all.
    if !path.is_file() {
        return Ok(None);
    }
    Source::read(path, Place::Nowhere).map_or(Ok(None), |source| parse(&source, below))
}

fn parse(source: &Arc<Source>, below: &mut Vec<PathBuf>) -> Result<Option<ExternalFile>, ConfigErrors> {
    let (table, syntax_errors) = DeTable::parse_recoverable(&source.text);
    let table = table.get_ref();
    let entry = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name);
    let path = std::path::absolute(&source.path).unwrap_or_else(|_| source.path.clone());
    let mut findings = Findings::new(source);
    let parent = match entry("extends").map(|(_, value)| (value.get_ref().as_str(), value.span())) {
        Some((Some(_), span)) if below.contains(&path) => {
            let remedy = "leave out one `extends`".to_owned();
            findings
                .report(ProblemKind::Other { what: "the files extend each other".to_owned(), remedy }, span);
            return Err(ConfigErrors::unless_none(findings.finish(&[])).expect_err("one was just reported"));
        }
        Some((Some(file), _)) => {
            below.push(path.clone());
            read_extended(&path.with_file_name(file), below)?
        }
        _ => None,
    };
    let uci = entry("uci");
    let is_extended = parent.is_some();
    if uci.is_none() && !is_extended {
        return match OTHERS_KEYS.iter().find_map(|key| entry(key)) {
            Some((key, value)) => Err(no_uci(findings, key, value)),
            None => Ok(None),
        };
    }
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    // Its name is its own.
    let file = ExternalFile { name: None, ..parent.unwrap_or_default() };
    let mut reader = Reader { findings, folder, file };
    for (key, value) in table {
        reader.top_entry(key, value, is_extended);
    }
    match uci.map(|(key, uci)| (key, uci, uci.get_ref().as_table())) {
        None => {}
        Some((key, uci, None)) => {
            let remedy = "write [uci] on a line of its own".to_owned();
            reader.findings.wrong_type("uci", "a table", key.span(), uci, remedy);
        }
        Some((uci_key, _, Some(entries))) => {
            // Another program is not the one that the extended file pins.
            if entries.iter().any(|(key, _)| key.get_ref() == "command") {
                reader.file.sha256 = None;
            } else if !is_extended {
                let remedy = "write command = [\"PROGRAM\"], such as command = [\"stockfish\"]".to_owned();
                reader.other("[uci] has no `command`".to_owned(), remedy, uci_key.span());
            }
            for (key, value) in entries {
                reader.uci_entry(key, value);
            }
        }
    }
    let Reader { findings, file, .. } = reader;
    ConfigErrors::unless_none(findings.finish(&syntax_errors))?;
    Ok(Some(file))
}

/// The complaint about a file that names a program as another tool would have it.
fn no_uci(mut findings: Findings, key: &Key, value: &Value) -> ConfigErrors {
    let program = value.get_ref().as_str().unwrap_or("PROGRAM");
    let what = format!(
        "`{}` is no key of the built-in engine, and another engine is described below [uci]",
        key.get_ref()
    );
    let remedy = format!("write [uci] on a line, and below it command = [{}]", toml::Value::from(program));
    findings.report(ProblemKind::Other { what, remedy }, key.span());
    ConfigErrors::unless_none(findings.finish(&[])).expect_err("one was just reported")
}

struct Reader {
    findings: Findings,
    /// Where the file is.
    folder: PathBuf,
    /// What it says, on top of what it extends.
    file: ExternalFile,
}

impl Reader {
    fn top_entry(&mut self, key: &Key, value: &Value, is_extended: bool) {
        let name = key.get_ref().as_ref();
        match name {
            "uci" => {}
            "name" => {
                self.file.name = self.findings.line_of_text("name", value, "a name such as \"Stockfish\"")
            }
            "extends" if is_extended => {}
            "extends" => self.other(
                "`extends` names no configuration of an external engine".to_owned(),
                "name a file with [uci], seen from this one, or leave it out".to_owned(),
                value.span(),
            ),
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
                self.file.folder.clone_from(&self.folder);
                if value.get_ref().as_array().is_some_and(|items| items.is_empty()) {
                    self.other(
                        "`command` names no program".to_owned(),
                        format!("write {example}"),
                        value.span(),
                    );
                }
            }
            "args" => self.file.args = self.words("args", value, "a list such as [\"--uci\"]"),
            "dir" => {
                let dir = findings.line_of_text("dir", value, "a path such as \"engines/one\"");
                self.file.dir = dir.map(|dir| self.folder.join(dir));
            }
            "env" => {
                let env = self.texts("env", value, "a table such as { NAME = \"value\" }");
                self.file.env.extend(env);
            }
            "options" => {
                let options = self.texts("options", value, "a table such as { Threads = 1 }");
                self.refuse_namesakes(value);
                for (name, value) in options {
                    set_option(&mut self.file.options, &name, value);
                }
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
            "restart" => match (value.get_ref().as_bool(), value.get_ref().as_str()) {
                (Some(restart), _) => self.file.restart = Restart::from(restart),
                (_, Some("every-game")) => self.file.restart = Restart::EveryGame,
                _ => {
                    let remedy = "write true or false as a bare word, or \"every-game\"".to_owned();
                    findings.wrong_type(
                        "restart",
                        "true, false or \"every-game\"",
                        value.span(),
                        value,
                        remedy,
                    );
                }
            },
            "start_timeout" => match text_of(value.get_ref()).and_then(|text| text.parse().ok()) {
                Some(seconds @ 1..=3600) => self.file.start_timeout = Some(seconds),
                _ => {
                    let remedy = "write a number such as 60".to_owned();
                    findings.wrong_type("start_timeout", "1 to 3600 seconds", value.span(), value, remedy);
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

/// Sets an option among others, in the place of the value it had, whose letter case does not count.
pub(super) fn set_option(options: &mut Vec<(String, String)>, name: &str, value: String) {
    match options.iter_mut().find(|(option, _)| option.eq_ignore_ascii_case(name)) {
        Some((_, old)) => *old = value,
        None => options.push((name.to_owned(), value)),
    }
}
