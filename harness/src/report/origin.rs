//! Origin of the figures of a report, and what must be the same to get them again.

use super::document::Part;
use super::shell_word;
use super::telemetry::Unit;
use crate::conditions::Conditions;
use crate::game::adjudication::Adjudication;
use crate::game::syzygy::SyzygyRule;
use crate::openings::order::Order;
use crate::players::spec::{EngineSpec, PlayerSpec};
use crate::report::figures::readable_seconds;
use crate::report::head::Effort;
use crate::statistics::{Model, SprtBounds};
use crate::store::{RunInfo, Session};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::Path;

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

/// The conditions as options of a command, with a blank before each.
pub fn options_of(conditions: &Conditions) -> String {
    let Conditions { limit, openings, seed, hash_megabytes, time_margin, adjudication } = conditions;
    let limit: Vec<_> = limit.named().map(|(name, value)| format!("--{name} {value}")).collect();
    let order: Order = openings.order;
    let book = shell_word(&book_as_named(conditions));
    let mut options = format!(
        " {} --openings {book} --order {order} --seed {seed} --hash {hash_megabytes}",
        limit.join(" ")
    );
    let Adjudication { resign, draw, max_moves, syzygy } = adjudication;
    let more = [
        resign.map(|rule| format!(" --resign {rule}")),
        draw.map(|rule| format!(" --draw {rule}")),
        max_moves.map(|moves| format!(" --max-moves {moves}")),
        openings.plies.map(|plies| format!(" --plies {plies}")),
        (openings.first > 0).then(|| format!(" --start {}", openings.first + 1)),
        time_margin.map(|milliseconds| format!(" --time-margin {milliseconds}")),
        syzygy.as_ref().map(|SyzygyRule { folders, decides, .. }| {
            let folders = shell_word(&folders.last_names().to_string());
            format!(" --syzygy {folders} --syzygy-adjudicate {decides}")
        }),
    ];
    options.extend(more.into_iter().flatten());
    options
}

/// A test as options, with a blank before each.
pub fn options_of_test(test: &SprtBounds) -> String {
    let [elo0, elo1, alpha, beta] = [test.elo0(), test.elo1(), test.alpha(), test.beta()];
    let mut options = format!(" --elo0={elo0} --elo1={elo1} --alpha {alpha} --beta {beta}");
    if test.model() != Model::default() {
        options += &format!(" --model {}", test.model());
    }
    if test.asks_for_games() {
        options += " --trinomial";
    }
    options
}

/// The limits that players have of their own as options, with a blank before each.
pub fn own_limits_of<'a>(players: impl IntoIterator<Item = &'a PlayerSpec>) -> String {
    let option = |player: &PlayerSpec| {
        let limits = player.limit?.named().map(|(name, value)| format!("{name}={value}"));
        let limits = limits.collect::<Vec<_>>().join(",");
        Some(format!(" --limit-of {}", shell_word(&format!("{}:{limits}", player.as_typed()))))
    };
    players.into_iter().filter_map(option).collect()
}

/// The book's file name: its folder is the affair of the machine that played.
pub fn book(conditions: &Conditions) -> String {
    let path = Path::new(&conditions.openings.file);
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The book as it is named from a project's root: in `openings/` if it lies in a folder of that name.
fn book_as_named(conditions: &Conditions) -> String {
    let folder = Path::new(&conditions.openings.file).parent().and_then(Path::file_name);
    match folder.is_some_and(|name| name == "openings") {
        true => format!("openings/{}", book(conditions)),
        false => book(conditions),
    }
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
    let mut identity: Vec<_> = players.iter().flat_map(player).chain(tables).collect();
    identity.extend([
        (format!("book {}", book(conditions)), format!("sha256 {}", conditions.openings.digest)),
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
