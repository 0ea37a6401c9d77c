//! What many measurements together found, as files: the figures of each, a picture of all, and a table in the results'
//! `README.md`.

use super::measured::Measured;
use super::section;
use crate::whole_file;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

/// One of them.
pub trait Entry: Serialize {
    /// What its file is called, without an ending.
    fn name(&self) -> &str;

    /// What was found; none before anything was played.
    fn measured(&self) -> Option<&Measured>;

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
        self.measured().map_or("-".to_owned(), |measured| measured.games.to_string())
    }
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
        written(&format!("{}.json", entry.name()), &(json + "\n"))?;
    }
    written(picture, svg)?;
    section::replace(&results.join("README.md"), folder, table)
}

/// Reads the entries of a folder back, in the order of their names.
///
/// # Errors
/// A sentence about the file that is no such entry, or that there is none.
pub fn read<E: DeserializeOwned>(folder: &Path) -> Result<Vec<E>, String> {
    let unreadable =
        |path: &Path, error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", path.display());
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
