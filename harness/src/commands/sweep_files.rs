//! What a finished sweep leaves in its folder of the results: the picture, and a configuration that is ready to use. Both
//! follow from the counts alone. No file that holds something else is ever replaced.

use super::Failure;
use crate::report::sweep::SweepSummary;
use crate::report::tell;
use crate::tuning::sweep::arms::{Setting, Value, Variant};
use crate::tuning::sweep::spec::SweepSpec;
use crate::whole_file;
use engine::config::EngineConfig;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Writes the files; `svg` is a further place for the picture.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    folder: &Path,
    spec: &SweepSpec,
    summary: &SweepSummary,
    best: Option<&Variant>,
    svg: Option<&Path>,
) -> Result<(), Failure> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let picture = summary.chart().svg();
    add(&folder.join("sweep.svg"), &picture)?;
    if let Some(svg) = svg {
        add(svg, &picture)?;
    }
    if let Some(variant) = best {
        add(&folder.join("best.toml"), &best_config(&folder, spec, variant))?;
    }
    Ok(())
}

/// Refuses a file for the picture that is there, before anything is played.
///
/// # Errors
/// It is there.
pub fn refuse_existing(svg: &Path) -> Result<(), Failure> {
    match svg.exists() {
        true => Err(Failure::usage(format!(
            "{} exists already and is not overwritten: give another --svg file",
            svg.display()
        ))),
        false => Ok(()),
    }
}

/// Writes a file unless it is there; whoever looks at a run again finds it as it was.
fn add(path: &Path, text: &str) -> Result<(), Failure> {
    match whole_file::create(path, text) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            if !fs::read_to_string(path).is_ok_and(|there| there == text) {
                tell(format_args!(
                    "warning: {} holds something else and is left as it is: move it away and resume the run to have it \
                     written",
                    path.display()
                ));
            }
            Ok(())
        }
        Err(error) => Err(unwritable(path, &error)),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::run(format!("{} cannot be written: {error}; resume the run when it can", path.display()))
}

/// A configuration that plays as the arm: it extends the base as long as the base's file is what it was, and otherwise
/// spells everything out.
fn best_config(folder: &Path, spec: &SweepSpec, variant: &Variant) -> String {
    let is_base = |path: &&std::path::PathBuf| {
        EngineConfig::load(path).is_ok_and(|config| config.digest() == spec.base.digest)
    };
    let extends = match &spec.base_file {
        None => String::new(),
        Some(_) => match spec.base_file.as_ref().filter(is_base) {
            None => return variant.player.to_toml(),
            Some(path) => {
                let path = pathdiff::diff_paths(path, folder).unwrap_or_else(|| path.clone());
                format!("extends = {}\n", toml::Value::from(path.to_string_lossy().as_ref()))
            }
        },
    };
    let changes: Vec<Setting> = variant.changes().collect();
    let section = |title, is_member: fn(&Value) -> bool| {
        let members = changes.iter().filter(|change| is_member(&change.value));
        let lines: String = members.map(|Setting { key, value }| format!("{key} = {value}\n")).collect();
        if lines.is_empty() { lines } else { format!("\n[{title}]\n{lines}") }
    };
    let techniques = section("techniques", |value| matches!(value, Value::Switch(_)));
    let params = section("params", |value| matches!(value, Value::Number(_)));
    let name = toml::Value::from(variant.player.name());
    format!("# The best of a sweep: {}\nname = {name}\n{extends}{techniques}{params}", spec.question())
}
