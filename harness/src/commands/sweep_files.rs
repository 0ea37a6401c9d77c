//! What a sweep leaves in its folder of the results: the picture, and a configuration that is ready to use. Both follow from
//! the counts alone, and are written again as the run goes on. What somebody has changed, or another has written, is left as
//! it is.

use crate::cli::Failure;
use crate::cli::files::{check_folder, check_whole_file, no_file};
use crate::kinds::spec::RunSpec;
use crate::kinds::sweep::SweepSpec;
use crate::kinds::sweep::arms::{Arm, Setting, Value};
use crate::kinds::sweep::summary::SweepSummary;
use crate::players::spec::EngineSpec;
use crate::report::sealed::{self, NotWritten};
use crate::report::tell;
use engine::config::EngineConfig;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a run.
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// Makes the folder of the run, if there is none yet.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn of_run(results: &Path, run: &str) -> Result<Files, Failure> {
        let folder = results.join(run);
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
        Ok(Files { folder })
    }

    /// Writes the picture; `svg` is a further place for it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn draw(&self, summary: &SweepSummary, svg: Option<&Path>) -> Result<(), Failure> {
        let picture = format!("<!-- {} -->\n{}", sealed::mark(), summary.chart().svg());
        write(&self.folder.join("sweep.svg"), &picture)?;
        svg.map_or(Ok(()), |svg| write(svg, &picture))
    }

    /// Writes the best arm as a configuration; one that was written before goes if there is no best any more.
    ///
    /// # Errors
    /// It cannot be written, or removed.
    pub fn recommend(&self, spec: &SweepSpec, best: Option<usize>) -> Result<(), Failure> {
        let path = self.folder.join("best.toml");
        match best {
            Some(arm) => write(&path, &best_config(&self.folder, spec, &spec.arms[arm])),
            None if !path.exists() => Ok(()),
            None => match sealed::check(&path) {
                Ok(()) => fs::remove_file(&path).map_err(|error| unwritable(&path, &error)),
                Err(refused) => left(refused),
            },
        }
    }
}

/// Refuses a file for the picture that no sweep has written, or that cannot be made. A run that goes on may replace its own.
///
/// # Errors
/// See above.
pub fn check_replaceable(svg: &Path) -> Result<(), Failure> {
    check_whole_file(svg, "--svg")?;
    match sealed::check(svg) {
        Ok(()) => check_folder(svg, "--svg"),
        Err(NotWritten::NotOurs(path)) => Err(Failure::usage(format!(
            "{} was not written by a sweep, or was changed since, and is not overwritten: give another --svg file",
            path.display()
        ))),
        Err(NotWritten::Io(path, error)) => Err(no_file(&path, "--svg", &error)),
    }
}

/// Writes a file that is not there, or that this program wrote.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    sealed::write(path, text).or_else(left)
}

/// What is somebody else's is left alone, which is no failure.
fn left(refused: NotWritten) -> Result<(), Failure> {
    match refused {
        NotWritten::NotOurs(path) => {
            tell(format_args!(
                "warning: {} was not written by this run, or was changed since, and is left as it is: move it away and resume \
                 the run to have it written",
                path.display()
            ));
            Ok(())
        }
        NotWritten::Io(path, error) => Err(unwritable(&path, &error)),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::run(format!("{} cannot be written: {error}; resume the run when it can", path.display()))
}

/// A configuration that plays as the arm, with where it comes from above it.
fn best_config(folder: &Path, spec: &SweepSpec, arm: &Arm) -> String {
    let config = match arm.player.engine {
        EngineSpec::BuiltIn { .. } | EngineSpec::OtherVersion { .. } => extension(folder, spec, arm),
        EngineSpec::External(ref engine) => {
            let mut engine = engine.clone();
            // As it was found; a path in a configuration is seen from the folder of that.
            if engine.command[0].contains('/') {
                engine.command[0] = engine.program.display().to_string();
            }
            engine.to_toml()
        }
    };
    format!("# The best of a sweep: {}\n# {}\n{config}", spec.question(), sealed::mark())
}

/// What extends the base as long as the base's file is what it was, and otherwise spells everything out.
fn extension(folder: &Path, spec: &SweepSpec, arm: &Arm) -> String {
    let is_base =
        |path: &&PathBuf| EngineConfig::load(path).is_ok_and(|config| config.digest() == spec.base.digest);
    let extends = match &spec.base_file {
        None => String::new(),
        Some(_) => match spec.base_file.as_ref().filter(is_base) {
            None => return arm.player.to_toml(),
            Some(path) => {
                let path = pathdiff::diff_paths(path, folder).unwrap_or_else(|| path.clone());
                format!("extends = {}\n", toml::Value::from(path.to_string_lossy().as_ref()))
            }
        },
    };
    let changes: Vec<Setting> = arm.changes().collect();
    let section = |title, is_member: fn(&Value) -> bool| {
        let members = changes.iter().filter(|change| is_member(&change.value));
        let lines: String = members.map(|Setting { key, value }| format!("{key} = {value}\n")).collect();
        if lines.is_empty() { lines } else { format!("\n[{title}]\n{lines}") }
    };
    let techniques = section("techniques", |value| matches!(value, Value::Switch(_)));
    let params = section("params", |value| matches!(value, Value::Number(_)));
    let name = toml::Value::from(arm.player.name());
    format!("name = {name}\n{extends}{techniques}{params}")
}
