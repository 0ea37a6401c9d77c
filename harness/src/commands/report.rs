//! `harness report RUN`: the report of a run as a page, as Markdown and as JSON.

use super::options::{RunOptions, current_folder};
use super::{Exit, Failure, print_out};
use crate::report::run_report::RunReport;
use crate::report::sealed::{self, NotWritten};
use crate::report::stored_run::StoredRun;
use crate::store::Store;
use clap::Args;
use std::path::{Path, PathBuf};

/// Write the report of a stored run: report.html with pictures, report.md and summary.json
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
    let run = StoredRun::read(&Store::open_existing(&results)?, &arguments.run)?;
    let out = arguments.out.unwrap_or_else(|| results.join(&run.info.id));
    std::fs::create_dir_all(&out)
        .map_err(|error| Failure::run(format!("{} cannot be made: {error}", out.display())))?;

    let report = RunReport::new(&run);
    let files = [
        (out.join("report.html"), report.html()),
        (out.join("report.md"), report.markdown()),
        (out.join("summary.json"), report.json_file().map_err(Failure::run)?),
    ];
    // All are looked at before the first is written.
    files.iter().try_for_each(|(path, _)| sealed::check(path)).map_err(not_written)?;
    for (path, text) in &files {
        sealed::write(path, text).map_err(not_written)?;
        print_out(shown(path, &folder))?;
    }
    Ok(Exit::Done)
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
