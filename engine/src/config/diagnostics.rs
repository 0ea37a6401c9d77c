//! Diagnostics of a config: what is wrong, where, and how it is shown.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

use super::section::{Section, TOP_KEYS};
use crate::evaluation::WeightError;
use crate::params::ParamError;
use crate::techniques::TechniqueError;

/// After this many problems the text says how many more there are: nobody reads on, and a hostile file
/// could have a hundred thousand.
const MOST_SHOWN: usize = 50;

/// A name or number longer than this is cut in messages.
const LONGEST_QUOTE: usize = 60;

/// Everything that is wrong with a config; never empty.
///
/// `Display` is plain text for people, each problem with its line underlined and starting with `error:`.
#[derive(Clone, Debug)]
pub struct ConfigErrors {
    problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What it is.
    pub kind: ProblemKind,
    /// Where it is.
    pub place: Place,
    /// A second place that has part in it: where the technique that is needed was turned off.
    pub related: Option<Place>,
}

/// Where a problem is.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a file.
    File {
        /// The file.
        source: Arc<Source>,
        /// The bytes of its text.
        span: Range<usize>,
    },
    /// In this argument of the command line.
    Argument(String),
    /// Nowhere: the whole file, or a value that nobody has set.
    Nowhere,
}

/// A config file as it was read.
#[derive(Debug)]
pub struct Source {
    /// Its path, as the user or the `extends` before it gave it.
    pub path: PathBuf,
    /// Its text, without a byte order mark.
    pub text: String,
    /// Where each line starts, so that finding the line of a place does not read the file again.
    line_starts: Vec<usize>,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The file cannot be read.
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// Why.
        reason: String,
        /// The nearest config beside it, if the file does not exist.
        suggestion: Option<String>,
    },
    /// The file is not text.
    NotUtf8,
    /// The file is not TOML.
    Syntax(String),
    /// Files extend each other for ever; the first and the last are the same.
    Circle(Vec<PathBuf>),
    /// A name that means nothing where it stands.
    Unknown {
        /// The name.
        typed: String,
        /// Where it stands.
        section: Section,
        /// The nearest name that means something, and where.
        suggestion: Option<(&'static str, Section)>,
    },
    /// A known key in the wrong part of the file.
    WrongSection {
        /// The key.
        key: String,
        /// Where it stands.
        section: Section,
        /// Where it belongs.
        belongs: Section,
    },
    /// A value of the wrong type.
    WrongType {
        /// The key.
        key: &'static str,
        /// What it takes.
        expected: String,
        /// What it got.
        found: String,
        /// What to write instead.
        remedy: String,
    },
    /// An argument of the command line that is not `key=value`.
    NoAssignment,
    /// An illegal parameter.
    Param(ParamError),
    /// Illegal weights.
    Weights(WeightError),
    /// An illegal selection of techniques.
    Technique(TechniqueError),
    /// What the reader of another kind of config has to say.
    Other {
        /// What happened.
        what: String,
        /// What to do next.
        remedy: String,
    },
}

impl ConfigErrors {
    /// The problems as an error, if there are any.
    ///
    /// # Errors
    /// There are.
    pub fn unless_none(problems: Vec<Problem>) -> Result<(), ConfigErrors> {
        if problems.is_empty() { Ok(()) } else { Err(ConfigErrors { problems }) }
    }

    /// The problems: file by file from the one that was asked for, each in the order of its lines, then those
    /// of the whole.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn text(&self) -> String {
        let mut reports: Vec<_> = self.problems.iter().take(MOST_SHOWN).map(Problem::text).collect();
        if let Some(more) = self.problems.len().checked_sub(MOST_SHOWN).filter(|&more| more > 0) {
            reports.push(format!("… and {more} more"));
        }
        reports.join("\n\n")
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for ConfigErrors {}

impl From<Problem> for ConfigErrors {
    fn from(problem: Problem) -> ConfigErrors {
        ConfigErrors { problems: vec![problem] }
    }
}

impl Problem {
    /// A problem in one place.
    pub fn new(kind: ProblemKind, place: Place) -> Problem {
        Problem { kind, place, related: None }
    }

    /// With its line and the remedy below it if there is a line to show, else in one sentence.
    fn text(&self) -> String {
        let renderer = Renderer::plain();
        let (what, remedy) = (self.kind.what(), self.kind.remedy());
        let Some(snippet) = self.place.snippet(AnnotationKind::Primary) else {
            let sentence = match &self.place {
                Place::Argument(argument) => {
                    format!("in the argument `{}`: {what}: {remedy}", quote(argument))
                }
                _ => format!("{what}: {remedy}"),
            };
            return renderer.render(&[Group::with_title(Level::ERROR.primary_title(sentence))]);
        };
        let related = self.related.as_ref().and_then(|place| place.snippet(AnnotationKind::Context));
        // The renderer takes messages below the title as they are, control characters and all.
        let help = Level::HELP.message(normalize_untrusted_str(&remedy));
        let group = Group::with_title(Level::ERROR.primary_title(what));
        renderer.render(&[group.element(snippet).elements(related).element(help)])
    }
}

impl Place {
    /// The line of the place with its part underlined, if it is in a file.
    fn snippet(&self, kind: AnnotationKind) -> Option<Snippet<'_, annotate_snippets::Annotation<'_>>> {
        let Place::File { source, span } = self else { return None };
        let (number, line, span) = source.line(span);
        let path = normalize_untrusted_str(&source.path.display().to_string());
        Some(Snippet::source(line).line_start(number).path(path).annotation(kind.span(span)))
    }
}

impl Source {
    pub(super) fn new(path: &Path, text: String) -> Arc<Source> {
        let after_newlines = text.match_indices('\n').map(|(newline, _)| newline + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        Arc::new(Source { path: path.to_owned(), text, line_starts })
    }

    /// A place in this file.
    pub fn place(self: &Arc<Self>, span: Range<usize>) -> Place {
        Place::File { source: Arc::clone(self), span }
    }

    /// The number, from 1, of the line with that byte.
    pub(super) fn line_number(&self, at: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= at)
    }

    /// The line in which a span of bytes begins: its number, its text, and the part of the span in it.
    ///
    /// Any span is taken, whatever parser it came from. Handing the renderer one line only keeps the
    /// time per problem independent of the file's length.
    fn line(&self, span: &Range<usize>) -> (usize, &str, Range<usize>) {
        let start = self.text.floor_char_boundary(span.start);
        let end = self.text.ceil_char_boundary(span.end.max(start));
        let number = self.line_number(start);
        let line_start = self.line_starts[number - 1];
        let line = self.text[line_start..].lines().next().unwrap_or("");
        let within = |at: usize| (at - line_start).min(line.len());
        (number, line, within(start)..within(end))
    }
}

impl ProblemKind {
    /// What happened.
    pub fn what(&self) -> String {
        match self {
            Self::Unreadable { path, reason, .. } => {
                format!("cannot read the config `{}`: {reason}", path.display())
            }
            Self::NotUtf8 => "this is not UTF-8 text".to_owned(),
            Self::Syntax(message) => format!("this is not TOML: {message}"),
            Self::Circle(files) => {
                let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
                format!("`extends` goes in a circle: {}", files.join(" → "))
            }
            Self::Unknown { typed, section, .. } => {
                let typed = quote(typed);
                match section {
                    Section::Top => format!("`{typed}` means nothing at the top of a config"),
                    Section::Techniques => format!("no technique is called `{typed}`"),
                    Section::Params => format!("no parameter is called `{typed}`"),
                    Section::Eval => format!("no weights are called `{typed}`"),
                    Section::Argument => format!("no parameter, technique or weights are called `{typed}`"),
                }
            }
            Self::WrongSection { key, section, belongs } => {
                let is = match belongs {
                    Section::Techniques => "is a technique and does",
                    Section::Eval => "are weights and do",
                    _ => "is a parameter and does",
                };
                format!("`{key}` {is} not belong {}", section.place())
            }
            Self::WrongType { key, expected, found, .. } => {
                format!("`{key}` takes {expected}, not {}", quote(found))
            }
            Self::NoAssignment => "there is no `=`".to_owned(),
            Self::Param(ParamError::OutOfRange { param, value }) => {
                ParamError::OutOfRange { param, value: quote(value) }.what()
            }
            Self::Param(error) => error.what(),
            Self::Weights(error) => error.what(),
            Self::Technique(error) => error.what(),
            Self::Other { what, .. } => what.clone(),
        }
    }

    /// What to do next.
    pub fn remedy(&self) -> String {
        match self {
            Self::Unreadable { suggestion: Some(suggestion), .. } => format!("did you mean `{suggestion}`?"),
            Self::Unreadable { suggestion: None, .. } => "give the path of a config file".to_owned(),
            Self::NotUtf8 => "save the file as UTF-8".to_owned(),
            Self::Syntax(_) => "see https://toml.io for the format".to_owned(),
            Self::Circle(_) => "remove this `extends` or name another file".to_owned(),
            Self::Unknown { suggestion: Some((name, belongs)), section, .. } => {
                if section == belongs || *section == Section::Argument {
                    format!("did you mean `{name}`?")
                } else {
                    format!("did you mean `{name}`, which belongs {}?", belongs.place())
                }
            }
            Self::Unknown { suggestion: None, section: Section::Top, .. } => {
                "a config has the keys `name` and `extends` and the tables [techniques], [params] and [eval]"
                    .to_owned()
            }
            Self::Unknown { suggestion: None, section: Section::Techniques, typed } => {
                TechniqueError::Unknown { name: typed.clone(), suggestion: None }.remedy()
            }
            Self::Unknown { suggestion: None, section: Section::Eval, typed } => {
                WeightError::Unknown { name: typed.clone(), suggestion: None }.remedy()
            }
            Self::Unknown { suggestion: None, typed, .. } => {
                ParamError::Unknown { name: typed.clone(), suggestion: None }.remedy()
            }
            Self::WrongSection { belongs, .. } => format!("it belongs {}", belongs.place()),
            Self::WrongType { remedy, .. } => remedy.clone(),
            Self::NoAssignment => "write key=value".to_owned(),
            Self::Param(error) => error.remedy(),
            Self::Weights(error) => error.remedy(),
            Self::Technique(error) => error.remedy(),
            Self::Other { remedy, .. } => remedy.clone(),
        }
    }

    /// Whether this problem leaves it open what the writer wanted `key` to be, so that a complaint about
    /// the whole that involves `key` might be a mere consequence.
    pub(super) fn casts_doubt_on(&self, key: &str) -> bool {
        match self {
            Self::Unreadable { .. } | Self::NotUtf8 | Self::Syntax(_) | Self::Circle(_) => true,
            Self::Unknown { section: Section::Top, .. } => true,
            Self::Unknown { suggestion, .. } => suggestion.is_some_and(|(name, _)| name == key),
            Self::WrongSection { key: name, .. } => name == key,
            Self::WrongType { key: name, .. } => *name == key || TOP_KEYS.contains(name),
            Self::Param(ParamError::OutOfRange { param, .. }) => param.name == key,
            Self::NoAssignment
            | Self::Param(_)
            | Self::Weights(_)
            | Self::Technique(_)
            | Self::Other { .. } => false,
        }
    }
}

/// The text, cut if it is very long.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
