//! `harness report RUN`: the report of a run as a page, as Markdown and as JSON.

use super::options::{RunOptions, current_folder};
use super::{Exit, Failure, print_out};
use crate::report::match_report::MatchReport;
use crate::report::run_report::RunReport;
use crate::report::sealed::{self, NotWritten};
use crate::report::stored_match::StoredMatch;
use crate::report::stored_run::StoredRun;
use crate::store::{RunInfo, Store};
use clap::Args;
use std::path::{Path, PathBuf};

/// Write the report of a stored test or match: report.html, report.md and summary.json
#[derive(Args)]
pub struct ReportArguments {
    /// Name of the run, or its beginning
    run: String,
    /// Folder to write to [default: a folder of the run's name beside the store]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Folder of the store [default: results/ beside the configs folder]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// The run cannot be read, or a file cannot be written or is not this command's.
pub fn execute(arguments: ReportArguments) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let results = RunOptions::results_or_default(arguments.results, &folder)?;
    let store = Store::open_existing(&results)?;
    let info = store.run(&arguments.run)?;
    let out = arguments.out.unwrap_or_else(|| results.join(&info.id));
    let [html, markdown, json] = texts(&store, info)?;
    std::fs::create_dir_all(&out)
        .map_err(|error| Failure::run(format!("{} cannot be made: {error}", out.display())))?;
    let files = [
        (out.join("report.html"), html),
        (out.join("report.md"), markdown),
        (out.join("summary.json"), json),
    ];
    // All are looked at before the first is written.
    files.iter().try_for_each(|(path, _)| sealed::check(path)).map_err(not_written)?;
    for (path, text) in &files {
        sealed::write(path, text).map_err(not_written)?;
        print_out(shown(path, &folder))?;
    }
    Ok(Exit::Done)
}

/// The page, the Markdown and the JSON.
fn texts(store: &Store, info: RunInfo) -> Result<[String; 3], Failure> {
    let (html, markdown, json) = if info.kind == StoredMatch::KIND {
        let run = StoredMatch::read(store, info)?;
        let report = MatchReport::new(&run);
        (report.html(), report.markdown(), report.json())
    } else {
        let run = StoredRun::read(store, &info.id)?;
        let report = RunReport::new(&run);
        (report.html(), report.markdown(), report.json())
    };
    let mut json = json.map_err(Failure::run)?;
    json.insert("written_by".to_owned(), sealed::mark().into());
    let json = serde_json::to_string_pretty(&json).map_err(Failure::run)?;
    Ok([html, markdown, json + "\n"])
}

fn not_written(error: NotWritten) -> Failure {
    match error {
        NotWritten::NotOurs(_) => Failure::usage(error),
        NotWritten::Io(..) => Failure::run(error),
    }
}

/// A path as it is seen from here.
fn shown(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}
