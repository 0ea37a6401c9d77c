//! Report of a stored run in all its forms, and the files that it is written to.

use super::document::Document;
use super::sealed::{self, NotWritten};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// A report in all its forms.
pub struct Report {
    /// For people.
    pub document: Document,
    /// For programs.
    pub json: Map<String, Value>,
}

impl Report {
    /// Writes the page, the Markdown and the JSON to a folder, which is there; returns the files.
    ///
    /// # Errors
    /// One of them is not a report as it was written, or cannot be written; all are looked at before the first is.
    pub fn write(&self, folder: &Path) -> Result<[PathBuf; 3], NotWritten> {
        let mut object = self.json.clone();
        object.insert("written_by".to_owned(), json!(sealed::mark()));
        let files = [
            (folder.join("report.html"), self.document.html()),
            (folder.join("report.md"), self.document.markdown()),
            (folder.join("summary.json"), format!("{:#}\n", Value::Object(object))),
        ];
        files.iter().try_for_each(|(path, _)| sealed::check(path))?;
        files.iter().try_for_each(|(path, text)| sealed::write(path, text))?;
        Ok(files.map(|(path, _)| path))
    }
}
