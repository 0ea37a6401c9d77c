//! Origin of the figures of a report, and what must be the same to get them again.

use super::document::Part;
use super::shell_word;
use super::telemetry::Unit;
use crate::conditions::{Conditions, OpeningsSpec};
use crate::game::syzygy::SyzygyRule;
use crate::openings::{Book, find};
use crate::options::{Role, RunOptions};
use crate::players::spec::{EngineSpec, PlayerSpec};
use crate::report::figures::readable_seconds;
use crate::report::head::Effort;
use crate::statistics::{Model, SprtBounds};
use crate::store::{RunInfo, Session};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::env::current_dir;
use std::path::{Path, PathBuf};

/// Which run it was: a sentence.
pub fn origin(info: &RunInfo) -> String {
    format!("Run {}, begun {}, {}.", info.id, info.created, info.state.as_str())
}

/// How long all sessions took, in words.
pub fn time(effort: &Effort) -> String {
    let inside = (effort.thread_seconds > 0.0).then(|| effort.search_seconds / effort.thread_seconds);
    format!(
        "{} on {} thread{}, {} of the threads' time inside the search",
        readable_seconds(effort.seconds),
        effort.threads,
        if effort.threads == 1 { "" } else { "s" },
        Unit::Percent.write(inside)
    )
}

/// The conditions as options of a command, with a blank before each. The files that they name are seen from the project's root.
pub fn options_of(conditions: &Conditions) -> String {
    let Conditions { openings, adjudication, .. } = conditions;
    let openings = match Place::from_here(openings) {
        Place::Shipped => None,
        Place::Inside(path) => Some(path),
        Place::Outside => Some(file_name(openings).into()),
    };
    let syzygy = adjudication.syzygy.as_ref().map(|rule| rule.folders.last_names());
    RunOptions { openings, syzygy, ..conditions.into() }.written(Role::is_of_games)
}

/// A test as options, with a blank before each.
pub fn options_of_test(test: &SprtBounds) -> String {
    let model = Some(test.model()).filter(|model| *model != Model::default());
    let trinomial = test.asks_for_games().then_some(true);
    RunOptions { model, trinomial, ..test.into() }.written(Role::is_of_test)
}

/// What was set of players on the command line as options, with a blank before each: limits of their own, and options of
/// their engines.
pub fn player_options_of<'a>(players: impl IntoIterator<Item = &'a PlayerSpec>) -> String {
    let own_limit = |player: &PlayerSpec| {
        let limits = player.limit.into_iter().flat_map(|limit| limit.named().collect::<Vec<_>>());
        let margin = player.margin.map(|margin| ("time-margin", margin.to_string()));
        let keys: Vec<_> = limits.chain(margin).map(|(name, value)| format!("{name}={value}")).collect();
        let word = shell_word(&format!("{}:{}", player.word(), keys.join(",")));
        (!keys.is_empty()).then(|| format!(" --limit-of {word}"))
    };
    let option = |player: &PlayerSpec, (option, value): &(String, String)| {
        format!(" --{option} {}", shell_word(&format!("{}:{value}", player.word())))
    };
    let options = |player: &'a PlayerSpec| {
        own_limit(player).into_iter().chain(player.options_set().iter().map(move |set| option(player, set)))
    };
    players.into_iter().flat_map(options).collect()
}

/// The book's file name: its folder is the affair of the machine that played.
pub fn book(conditions: &Conditions) -> String {
    file_name(&conditions.openings)
}

/// Where a book lies.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// It is the one that the project ships, and so needs no name.
    Shipped,
    /// Below the project's root: its path from there.
    Inside(PathBuf),
    /// Elsewhere. Its folder names a machine, so it is left out.
    Outside,
}

impl Place {
    /// Where the book of a run lies, seen from the project of the current folder; if it is in none, from the book's own.
    fn from_here(openings: &OpeningsSpec) -> Place {
        let folder = current_dir().unwrap_or_default();
        let is_shipped = find::default_book(&folder)
            .is_ok_and(|path| Book::read(&path, None).is_ok_and(|book| book.digest == openings.digest));
        let file = Path::new(&openings.file);
        let root = find::project(&folder).or_else(|| find::project(file));
        match root.and_then(|root| file.strip_prefix(root).ok()) {
            _ if is_shipped => Place::Shipped,
            Some(path) => Place::Inside(path.to_owned()),
            None => Place::Outside,
        }
    }
}

fn file_name(openings: &OpeningsSpec) -> String {
    let path = Path::new(&openings.file);
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A player's whole configuration, folded away.
pub fn every_value(player: &PlayerSpec) -> Part {
    Part::Folded(format!("Every value of {}", player.file), player.to_toml())
}

/// What must be the same to get the same games: name and digest or value. The players come with their parts.
pub fn identity(
    players: &[(&str, &PlayerSpec)],
    conditions: &Conditions,
    info: &RunInfo,
    sessions: &[Session],
) -> Vec<(String, String)> {
    let player = |(part, player): &(&str, &PlayerSpec)| {
        let program = match player.engine {
            EngineSpec::BuiltIn { signature, .. } | EngineSpec::OtherVersion { signature, .. } => {
                (format!("engine of {}", player.file), format!("fingerprint {signature:012x}"))
            }
            EngineSpec::External(_) => {
                (format!("program of {}", player.file), format!("sha256 {}", player.build()))
            }
        };
        [(format!("{part} {}", player.file), format!("sha256 {}", player.digest)), program]
    };
    let tables = conditions.adjudication.syzygy.as_ref().map(|SyzygyRule { tables, digest, .. }| {
        (format!("{tables} Syzygy tables"), format!("sha256 {digest} (of names and sizes)"))
    });
    let openings = &conditions.openings;
    let place = match Place::from_here(openings) {
        Place::Outside => " (outside the project: give its path with --openings)",
        Place::Shipped | Place::Inside(_) => "",
    };
    let mut identity: Vec<_> = players.iter().flat_map(player).chain(tables).collect();
    identity.extend([
        (format!("book {}", book(conditions)), format!("sha256 {}{place}", openings.digest)),
        ("experiment".to_owned(), format!("sha256 {}", info.digest)),
        ("seed".to_owned(), conditions.seed.to_string()),
        ("run".to_owned(), info.id.clone()),
    ]);
    identity.extend(sessions.last().map(|last| ("program".to_owned(), last.program.clone())));
    identity
}

/// A summary as JSON, with what is stored of the run beside its games.
///
/// # Errors
/// A figure that is no number; there is none.
pub fn as_json(
    summary: &impl Serialize,
    info: &RunInfo,
    sessions: &[Session],
) -> serde_json::Result<Map<String, Value>> {
    let mut object = match serde_json::to_value(summary)? {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    let more = [
        ("kind", json!(info.kind)),
        ("state", json!(info.state.as_str())),
        ("question", json!(info.question)),
        ("started", json!(info.created)),
        ("finished", json!(info.finished)),
        ("stored_games", json!(info.games())),
        ("digest", json!(info.digest)),
        ("sessions", sessions_as_json(sessions)),
    ];
    object.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Ok(object)
}

/// When and on how many threads it was played, as programs read it.
pub fn sessions_as_json(sessions: &[Session]) -> Value {
    let session = |session: &Session| {
        json!({
            "program": session.program,
            "threads": session.threads,
            "started": session.started,
            "updated": session.updated,
            "seconds": session.wall_micros as f64 / 1e6,
            "search_seconds": session.search_micros as f64 / 1e6,
        })
    };
    sessions.iter().map(session).collect()
}
