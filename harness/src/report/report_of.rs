//! The report of a stored run, whatever its kind, and the files that it is written to.

use super::document::Document;
use super::measure_report::MeasureReport;
use super::run_report::RunReport;
use super::sealed::{self, NotWritten};
use super::stored_run::{NotRead, StoredRun};
use super::{match_report, sweep_report, tuning_report};
use crate::store::{Store, kind};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// A report in all its forms.
pub struct Report {
    /// For people.
    pub document: Document,
    /// For programs.
    pub json: Map<String, Value>,
}

/// The report of the run of this name, or the only one whose name begins so.
///
/// # Errors
/// See [`NotRead`].
pub fn report_of(store: &Store, name: &str) -> Result<Report, NotRead> {
    let info = store.run(name)?;
    match info.kind.as_str() {
        kind::SWEEP => sweep_report::report(store, info),
        kind::TUNE => tuning_report::report(store, info),
        kind::MATCH => match_report::report(store, info),
        kind::MEASURE => MeasureReport::read(store, info, None)?.report(),
        _ => {
            let run = StoredRun::read(store, name)?;
            let report = RunReport::new(&run);
            Ok(Report { document: report.document(), json: report.json()? })
        }
    }
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
