//! Folders of Syzygy tables, as the command line and the store name them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Folders with tables, written as in `PATH`. Of tables with the same name the first is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Folders(pub(super) Vec<PathBuf>);

impl Folders {
    /// The folders as they are named in a file.
    pub fn seen_from(self, file: &Path) -> Folders {
        Folders(self.0.into_iter().map(|folder| file.with_file_name(folder)).collect())
    }

    /// The folders without what is above them, so that they name no machine.
    pub fn last_names(&self) -> Folders {
        Folders(self.0.iter().map(|folder| folder.file_name().unwrap_or(folder.as_os_str()).into()).collect())
    }

    /// The folders from the root.
    pub(super) fn rooted(self) -> Folders {
        let absolute = |folder: PathBuf| std::path::absolute(&folder).unwrap_or(folder);
        Folders(self.0.into_iter().map(absolute).collect())
    }
}

impl fmt::Display for Folders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // They were split at what cannot be part of one.
        let joined = std::env::join_paths(&self.0).unwrap_or_default();
        f.write_str(&joined.to_string_lossy())
    }
}

impl FromStr for Folders {
    type Err = BadTables;

    fn from_str(text: &str) -> Result<Folders, BadTables> {
        let folders: Vec<_> =
            std::env::split_paths(text).filter(|folder| !folder.as_os_str().is_empty()).collect();
        match folders.is_empty() {
            true => Err(BadTables("no folder of Syzygy tables is named: write DIR or DIR:DIR".to_owned())),
            false => Ok(Folders(folders)),
        }
    }
}

impl TryFrom<String> for Folders {
    type Error = BadTables;
    fn try_from(text: String) -> Result<Folders, BadTables> {
        text.parse()
    }
}

impl From<Folders> for String {
    fn from(folders: Folders) -> String {
        folders.to_string()
    }
}

/// Why tables cannot be used, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTables(pub(super) String);

impl fmt::Display for BadTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadTables {}
