//! How is a stored run asked for again? Its conditions as options of the command line, without the folders of this machine.

use super::shell_word;
use crate::experiment::Conditions;
use crate::game::adjudication::Adjudication;
use crate::game::limit::Limit;
use crate::game::syzygy::SyzygyRule;
use std::path::Path;

/// The options that give these conditions, separated by blanks.
pub fn options_of(conditions: &Conditions) -> String {
    let Conditions { limit, openings, seed, hash_megabytes, adjudication } = conditions;
    let limit = match limit {
        Limit::Nodes(nodes) => format!("--nodes {nodes}"),
        Limit::Depth(depth) => format!("--depth {depth}"),
        Limit::MoveTime(milliseconds) => format!("--movetime {milliseconds}"),
        Limit::Clock(control) => format!("--tc {control}"),
    };
    let mut options = format!(
        "{limit} --openings {} --order {} --seed {seed} --hash {hash_megabytes}",
        shell_word(&book_as_named(conditions)),
        openings.order
    );
    let Adjudication { resign, draw, max_moves, syzygy } = adjudication;
    let more = [
        openings.plies.map(|plies| format!(" --plies {plies}")),
        resign.map(|rule| format!(" --resign {rule}")),
        draw.map(|rule| format!(" --draw {rule}")),
        max_moves.map(|moves| format!(" --max-moves {moves}")),
        syzygy.as_ref().map(|SyzygyRule { folders, decides, .. }| {
            let folders = shell_word(&folders.last_names().to_string());
            format!(" --syzygy {folders} --syzygy-adjudicate {decides}")
        }),
    ];
    options.extend(more.into_iter().flatten());
    options
}

/// The book's file name.
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

/// What must be the same of them to get the same games: name, and digest or value.
pub fn identity_of(conditions: &Conditions) -> Vec<(String, String)> {
    let tables = conditions.adjudication.syzygy.as_ref().map(|SyzygyRule { tables, digest, .. }| {
        (format!("{tables} Syzygy tables"), format!("sha256 {digest} (of names and sizes)"))
    });
    let always = [
        (format!("book {}", book(conditions)), format!("sha256 {}", conditions.openings.digest)),
        ("seed".to_owned(), conditions.seed.to_string()),
    ];
    always.into_iter().chain(tables).collect()
}
