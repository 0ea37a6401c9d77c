//! `harness report RUN`: the report of a run as a page, as Markdown and as JSON; of a folder of figures, the picture.

use crate::cli::options::current_folder;
use crate::cli::{Exit, Failure, print_out};
use crate::kinds::report_of;
use crate::options::{self, Name, Options};
use crate::series::{ladder, reproduction};
use crate::store::Store;
use clap::Args;
use std::path::{Path, PathBuf};

/// Write the report of a stored run: report.html with pictures, report.md and summary.json
///
/// Given the folder that `harness ladder` or `harness reproduce` filled, such as results/ladder, it draws the picture in it
/// again from the figures beside it; no store is needed.
#[derive(Args)]
pub struct ReportArguments {
    /// Name of the run, or its beginning; or a folder of figures
    run: String,
    /// Folder to write to [default: a folder of the run's name beside the store]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::results]) }>,
}

/// Runs the command.
///
/// # Errors
/// The run cannot be read, or a file cannot be written or is not this command's.
pub fn execute(arguments: ReportArguments) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    if Path::new(&arguments.run).is_dir() {
        let drawn = redraw(Path::new(&arguments.run)).map_err(Failure::usage)?;
        print_out(drawn.display())?;
        return Ok(Exit::Done);
    }
    let results = arguments.options.results_in(&folder)?;
    let (run, report) = Store::read(&results, |store| {
        let info = store.run(&arguments.run)?;
        Ok::<_, Failure>((info.id.clone(), report_of(store, info)?))
    })?;
    let out = arguments.out.unwrap_or_else(|| results.join(&run));
    std::fs::create_dir_all(&out).map_err(|error| {
        Failure::run(format!("{} cannot be made: {error}; name another folder with --out", out.display()))
    })?;
    for path in report.write(&out)? {
        print_out(shown(&path, &folder))?;
    }
    Ok(Exit::Done)
}

/// The picture of a ladder or of repeated experiments, by what is in the folder.
fn redraw(folder: &Path) -> Result<PathBuf, String> {
    ladder::redraw(folder).or_else(|reason| {
        let neither =
            |_| format!("{} holds neither a ladder nor repeated experiments: {reason}", folder.display());
        reproduction::redraw(folder).map_err(neither)
    })
}

/// A path as it is seen from here.
fn shown(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}
