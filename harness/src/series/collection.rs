//! What many measurements together found, as files: the figures of each, a picture of all, and a table in the results'
//! `README.md`.
//!
//! The files are what a repository keeps, and often all that there is: its store is not committed. So a measurement's
//! file stands until a better one of the same is made.

use crate::kinds::measure::summary::Measured;
use crate::report::section;
use crate::whole_file;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// One of them.
pub trait Entry: Serialize {
    /// What its file is called, without an ending.
    fn name(&self) -> &str;

    /// What was found; none before anything was played.
    fn measured(&self) -> Option<&Measured>;

    /// Whether it may take the place of what its file holds: with no fewer games, or a margin that is no wider or no
    /// wider than this one, Elo.
    fn supersedes(&self, standing: &Self, margin_enough: f64) -> bool {
        let games = |entry: &Self| entry.measured().map_or(0, |measured| measured.lead.games);
        let margin = |entry: &Self| entry.measured().map_or(f64::INFINITY, |measured| measured.lead.margin());
        games(self) >= games(standing) || margin(self) <= margin(standing).max(margin_enough)
    }

    /// The name, as a link to the file where there is one.
    fn link(&self, folder: &str) -> String {
        let name = self.name();
        match self.measured() {
            Some(_) => format!("[{name}]({folder}/{name}.json)"),
            None => name.to_owned(),
        }
    }

    /// How many games were played, or a dash.
    fn games(&self) -> String {
        self.measured().map_or("-".to_owned(), |measured| measured.lead.games.to_string())
    }
}

/// Puts a new measurement in the place of the standing one, unless it says less.
///
/// # Errors
/// It says less. The sentence is for the user.
pub fn take<E: Entry>(
    (entries, place): (&mut [E], usize),
    entry: E,
    margin_enough: f64,
) -> Result<(), String> {
    let standing = &mut entries[place];
    if !entry.supersedes(standing, margin_enough) {
        return Err(format!(
            "{}: the results keep the {} games that they have; these are {}",
            entry.name(),
            standing.games(),
            entry.games()
        ));
    }
    *standing = entry;
    Ok(())
}

/// Writes them into this folder of the results, and the table into the part of `README.md` that has the folder's name.
///
/// # Errors
/// A sentence about the file that cannot be written.
pub fn write(
    (results, folder): (&Path, &str),
    entries: &[impl Entry],
    (picture, svg): (&str, &str),
    table: &str,
) -> Result<(), String> {
    let place = results.join(folder);
    let written = |name: &str, content: &str| {
        let path = place.join(name);
        whole_file::replace(&path, content)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    for entry in entries.iter().filter(|entry| entry.measured().is_some()) {
        let json = serde_json::to_string_pretty(entry).map_err(|error| error.to_string())?;
        written(&file_of(entry.name()), &(json + "\n"))?;
    }
    written(picture, svg)?;
    section::replace(&results.join("README.md"), folder, table)
}

/// The entry that stands in a folder of the results; none if there is no file of its name.
///
/// # Errors
/// A sentence about the file that is no such entry.
pub fn standing<E: DeserializeOwned>(
    (results, folder): (&Path, &str),
    name: &str,
) -> Result<Option<E>, String> {
    let path = results.join(folder).join(file_of(name));
    match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| unreadable(&path, &error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&path, &error)),
    }
}

fn file_of(name: &str) -> String {
    format!("{name}.json")
}

fn unreadable(path: &Path, error: &dyn Display) -> String {
    format!("{} cannot be read: {error}", path.display())
}

/// Reads the entries of a folder back, in the order of their names.
///
/// # Errors
/// A sentence about the file that is no such entry, or that there is none.
pub fn read<E: DeserializeOwned>(folder: &Path) -> Result<Vec<E>, String> {
    let files = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{} holds no figures (*.json)", folder.display()));
    }
    let entry = |path: &PathBuf| {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        serde_json::from_str(&text).map_err(|error| unreadable(path, &error))
    };
    paths.iter().map(entry).collect()
}
