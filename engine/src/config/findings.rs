//! Findings in one TOML file, collected while its entries are visited.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeValue, Error};

use super::diagnostics::{Problem, ProblemKind, Source, quote};
use super::setting::Written;
use crate::suggest::nearest;

/// The problems of a file, each with the place that has it.
pub struct Findings {
    source: Arc<Source>,
    found: Vec<(Range<usize>, Problem)>,
}

impl Findings {
    /// Nothing is wrong yet.
    pub fn new(source: &Arc<Source>) -> Findings {
        Findings { source: Arc::clone(source), found: Vec::new() }
    }

    /// Something is wrong in these bytes.
    pub fn report(&mut self, kind: ProblemKind, span: Range<usize>) {
        let problem = Problem::new(kind, self.source.place(span.clone()));
        self.found.push((span, problem));
    }

    /// The value of `key` is of a type it cannot have; `span` is what is underlined.
    pub fn wrong_type(
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

    /// The value of `key` as one line of text that is not empty; `example` is what the writer is shown otherwise.
    pub fn line_of_text(
        &mut self,
        key: &'static str,
        value: &Spanned<DeValue>,
        example: &str,
    ) -> Option<String> {
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

    /// A key that means nothing where it stands, which is said in words; `known` are the keys that do.
    pub fn unknown_key(&mut self, place: &str, name: &str, known: &[&'static str], span: Range<usize>) {
        let name = quote(name);
        let remedy = match nearest(&name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys there are {}", known.join(", ")),
        };
        self.report(ProblemKind::Other { what: format!("`{name}` means nothing {place}"), remedy }, span);
    }

    pub(super) fn written(&self, value: &Spanned<DeValue>) -> Written {
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

    /// All problems in the order of their lines, with what the parser stumbled over.
    ///
    /// One mistake makes the parser stumble several times, and what it recovered from such a line is
    /// a guess: only the first syntax error of a line is reported there.
    pub fn finish(mut self, syntax_errors: &[Error]) -> Vec<Problem> {
        let mut broken_lines = BTreeSet::new();
        let mut broken = Vec::new();
        for error in syntax_errors {
            let span = error.span().unwrap_or_default();
            if broken_lines.insert(self.source.line_number(span.start)) {
                broken.push((ProblemKind::Syntax(error.message().to_owned()), span));
            }
        }
        let source = Arc::clone(&self.source);
        self.found.retain(|(span, _)| !broken_lines.contains(&source.line_number(span.start)));
        for (kind, span) in broken {
            self.report(kind, span);
        }
        self.found.sort_by_key(|(span, _)| span.start);
        self.found.into_iter().map(|(_, problem)| problem).collect()
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
