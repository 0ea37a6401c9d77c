//! Players of one command: how one of them is named on the command line, and labels that no two of them share.
//!
//! A configuration is known by its file's name wherever it is shown. Two files of one name in two folders would be one
//! player to whoever reads a heading, a list of runs or a PGN file.

use super::Failure;
use crate::players::spec::PlayerSpec;
use engine::config::find_config;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The place of the player that this word of the option names: by the path of its configuration, by its `name`, or by its file's
/// name with or without `.toml`. A path names the player that was typed so; a file's name counts where no path does.
///
/// # Errors
/// It names none of the players, or several.
pub fn place_of(word: &str, option: &str, players: &[PlayerSpec], folder: &Path) -> Result<usize, Failure> {
    // A name that was typed for one player (`new=./engine`) is meant, whatever the programs of others are called.
    let has_typed_name =
        |player: &PlayerSpec| player.as_typed().split_once('=').is_some_and(|(name, _)| name == word);
    if let [place] =
        (0..players.len()).filter(|&place| has_typed_name(&players[place])).collect::<Vec<_>>()[..]
    {
        return Ok(place);
    }
    // A word with folders is a path, whose `.toml` may be left out as that of a file's name.
    let in_full = format!("{word}.toml");
    let words: &[&str] = if word.contains('/') { &[word, &in_full] } else { &[word] };
    let ways: [&dyn Fn(&PlayerSpec) -> bool; 3] = [
        &|player| words.contains(&player.as_typed()),
        &|player| {
            let file = words.iter().find_map(|word| file_of(word, folder));
            file.is_some_and(|file| file_of(player.as_typed(), folder) == Some(file))
        },
        &|player| {
            let path = Path::new(player.as_typed());
            [path.file_name(), path.file_stem()].into_iter().flatten().any(|name| name == word)
        },
    ];
    let by_file = ways.iter().find(|is_meant| players.iter().any(is_meant));
    let is_meant = |player: &PlayerSpec| {
        player.name() == word || player.file == word || by_file.is_some_and(|is_meant| is_meant(player))
    };
    let meant: Vec<usize> = (0..players.len()).filter(|&place| is_meant(&players[place])).collect();
    match meant[..] {
        [place] => Ok(place),
        [] => {
            let files: Vec<_> = players.iter().map(PlayerSpec::as_typed).collect();
            let files = files.join(", ");
            Err(Failure::usage(format!("{option} names {word}, who does not play: the players are {files}")))
        }
        _ => {
            let paths: Vec<_> =
                meant.iter().map(|&place| format!("`{}`", players[place].as_typed())).collect();
            let paths = paths.join(" and ");
            Err(Failure::usage(format!(
                "{option} names {word}, and that is {paths}: write the path of the one that is meant, as it was \
                 typed for the player"
            )))
        }
    }
}

/// The configuration file that a word leads to, whichever way it is written; none if there is none.
fn file_of(word: &str, folder: &Path) -> Option<PathBuf> {
    find_config(word, folder).ok()?.canonicalize().ok()
}

/// The same players, with labels and names that no two of different files share. A label that several have is replaced by
/// the players' names if these differ, and otherwise by the paths of their files; a name that several have by the label.
pub fn told_apart(players: Vec<PlayerSpec>) -> Vec<PlayerSpec> {
    let files = |players: &[PlayerSpec]| texts(players, |player| player.file.clone());
    let names = |players: &[PlayerSpec]| texts(players, |player| player.name().to_owned());
    let paths = texts(&players, |player| player.as_typed().to_owned());

    let labels = distinct(files(&players), &[names(&players), paths]);
    let players: Vec<_> =
        players.into_iter().zip(labels).map(|(player, label)| player.labelled(&label)).collect();

    let stems =
        texts(&players, |player| player.file.strip_suffix(".toml").unwrap_or(&player.file).to_owned());
    let names = distinct(names(&players), &[stems, files(&players)]);
    players.into_iter().zip(names).map(|(player, name)| player.named(name)).collect()
}

fn texts(players: &[PlayerSpec], text: impl Fn(&PlayerSpec) -> String) -> Vec<String> {
    players.iter().map(text).collect()
}

/// The texts, each that stands there several times replaced by the first of its `others` with which all differ; if none
/// does, as they are.
pub fn distinct(texts: Vec<String>, others: &[Vec<String>]) -> Vec<String> {
    let is_shared = |text: &String| texts.iter().filter(|other| *other == text).count() > 1;
    let with = |other: &Vec<String>| -> Vec<String> {
        let places = texts.iter().zip(other);
        places.map(|(text, other)| if is_shared(text) { other } else { text }.clone()).collect()
    };
    let all_differ = |texts: &Vec<String>| texts.iter().collect::<BTreeSet<_>>().len() == texts.len();
    let differing = others.iter().map(with).find(all_differ);
    differing.unwrap_or(texts)
}
