//! Resolution of a config: a file, the files it extends and the defaults together, and whether that is a legal engine.

use std::path::{Path, PathBuf};

use super::diagnostics::{ConfigErrors, Place, Problem, ProblemKind};
use super::engine_config::EngineConfig;
use super::file::ConfigFile;
use super::setting::Setting;
use crate::params::ParamError;
use crate::techniques::TechniqueError;

impl EngineConfig {
    /// Reads a config file and all files it extends.
    ///
    /// # Errors
    /// Everything that is wrong in the chain of files and in the engine they describe.
    pub fn load(path: &Path) -> Result<EngineConfig, ConfigErrors> {
        let mut problems = Vec::new();
        let mut files = read_chain(path, &mut problems);

        let name = files.first_mut().and_then(|file| file.name.take());
        let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut config = EngineConfig { name: name.unwrap_or_else(stem), ..EngineConfig::default() };

        // The most distant ancestor speaks first, so that later files override it.
        let settings: Vec<_> = files.into_iter().rev().flat_map(|file| file.settings).collect();
        apply(&mut config, &settings, &mut problems);
        ConfigErrors::unless_none(problems)?;
        Ok(config)
    }
}

/// The file and those it extends, nearest first, as far as they can be read.
fn read_chain(path: &Path, problems: &mut Vec<Problem>) -> Vec<ConfigFile> {
    let mut files: Vec<ConfigFile> = Vec::new();
    // Each file by its true path, and by the one it is known as.
    let mut seen: Vec<(PathBuf, PathBuf)> = Vec::new();
    let mut next = Some((path.to_owned(), Place::Nowhere));
    while let Some((path, asked_by)) = next {
        let true_path = path.canonicalize().unwrap_or_else(|_| path.clone());
        if let Some(first) = seen.iter().position(|(other, _)| *other == true_path) {
            let circle = seen[first..].iter().map(|(_, known_as)| known_as.clone()).chain([path]).collect();
            problems.push(Problem::new(ProblemKind::Circle(circle), asked_by));
            break;
        }
        seen.push((true_path, path.clone()));
        let mut file = ConfigFile::read(&path, asked_by);
        problems.append(&mut file.problems);
        next = file.extends.take().map(|(parent, place)| (path.with_file_name(parent), place));
        files.push(file);
    }
    files
}

/// Applies settings in their order, then adds to `problems` what is wrong with the whole.
///
/// What may be a mere consequence of a problem already known is left out.
pub(super) fn apply(config: &mut EngineConfig, settings: &[Setting], problems: &mut Vec<Problem>) {
    for setting in settings {
        setting.apply(config);
    }
    let technique_errors = config.techniques.check().into_iter().map(ProblemKind::Technique);
    let param_errors = config.params.check().into_iter().map(ProblemKind::Param);
    let certain = |keys: &[&str]| {
        !keys.iter().any(|key| problems.iter().any(|problem| problem.kind.casts_doubt_on(key)))
    };
    let found: Vec<_> = technique_errors
        .chain(param_errors)
        .filter_map(|kind| {
            let keys = keys_of_the_whole(&kind);
            (keys.len() < 2 || certain(&keys)).then(|| blame(kind, &keys, settings))
        })
        .collect();
    problems.extend(found);
}

/// The keys that a problem of the whole is about, the one to blame first. What is wrong with a single key is
/// no consequence of any other.
fn keys_of_the_whole(kind: &ProblemKind) -> Vec<&'static str> {
    match kind {
        ProblemKind::Technique(TechniqueError::NeedOff { technique, need }) => vec![technique, need],
        ProblemKind::Param(ParamError::NotBelow { name, limit_name, .. }) => vec![name, limit_name],
        ProblemKind::Param(ParamError::OutOfRange { param, .. }) => vec![param.name],
        _ => vec![],
    }
}

/// A problem of the whole, placed where the first of its keys was last set, or else the second.
fn blame(kind: ProblemKind, keys: &[&str], settings: &[Setting]) -> Problem {
    let last_set = |key: &&str| {
        settings.iter().rev().find(|setting| setting.name() == *key).map(|setting| setting.place.clone())
    };
    let mut places = keys.iter().filter_map(last_set);
    Problem { kind, place: places.next().unwrap_or(Place::Nowhere), related: places.next() }
}
