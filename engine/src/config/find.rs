//! Config lookup: the file that a config argument means.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::suggest::nearest;

/// The folder that is looked in, of the nearest ancestor that has one.
const FOLDER: &str = "configs";

/// Folders in the folder of configs are listed this deep.
const DEEPEST: usize = 4;

/// A config argument that leads to no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigNotFound {
    /// The argument.
    pub argument: String,
    /// The paths that were looked at.
    pub tried: Vec<PathBuf>,
    /// The existing config of the nearest name.
    pub suggestion: Option<String>,
}

impl fmt::Display for ConfigNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried: Vec<_> = self.tried.iter().map(|path| format!("`{}`", path.display())).collect();
        write!(f, "there is no config `{}` (tried {}): ", self.argument, tried.join(", "))?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "did you mean `{suggestion}`?"),
            None => write!(f, "give a path, or the name of a file in `{FOLDER}/` here or in a folder above"),
        }
    }
}

impl std::error::Error for ConfigNotFound {}

/// The file that a config argument means: the path itself if there is such a file, else a file of that name
/// in `configs/` of the nearest ancestor folder of `cwd` (or `cwd` itself) that has one, with or without
/// `.toml`.
///
/// # Errors
/// [`ConfigNotFound`], which names what was tried and the nearest existing config.
pub fn find_config(argument: &str, cwd: &Path) -> Result<PathBuf, ConfigNotFound> {
    let folder = cwd.ancestors().map(|ancestor| ancestor.join(FOLDER)).find(|folder| folder.is_dir());
    let mut tried = vec![cwd.join(argument)];
    if let Some(folder) = &folder {
        tried.push(folder.join(argument));
        if !argument.ends_with(".toml") {
            tried.push(folder.join(format!("{argument}.toml")));
        }
    }
    // An absolute path stays itself whatever it is joined to.
    tried.dedup();
    // Not `is_file`: a config may come through a pipe.
    match tried.iter().find(|path| path.exists() && !path.is_dir()) {
        Some(path) => Ok(path.clone()),
        None => Err(ConfigNotFound {
            argument: argument.to_owned(),
            suggestion: folder.and_then(|folder| nearest_config(&folder, argument)),
            tried,
        }),
    }
}

/// The config in or below a folder whose path from there is nearest to `name`; with or without `.toml`, as
/// `name` is.
pub(super) fn nearest_config(folder: &Path, name: &str) -> Option<String> {
    let mut names = Vec::new();
    list(folder, "", DEEPEST, &mut names);
    names.sort();
    let stem = name.strip_suffix(".toml");
    let found = nearest(stem.unwrap_or(name), names.iter().map(String::as_str))?;
    Some(if stem.is_some() { format!("{found}.toml") } else { found.to_owned() })
}

/// Collects the configs in and below a folder, without `.toml`. What cannot be listed is left out: the names
/// only serve a suggestion.
fn list(folder: &Path, prefix: &str, depth: usize, names: &mut Vec<String>) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if let Some(stem) = name.strip_suffix(".toml") {
            names.push(format!("{prefix}{stem}"));
        } else if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            list(&entry.path(), &format!("{prefix}{name}/"), depth - 1, names);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        root
    }

    #[test]
    fn a_path_comes_before_the_folder_of_configs() {
        let root =
            tree(&["pvs.toml", "configs/pvs.toml", "configs/ladder/12.toml", "sub/deep/x", "configs/plain"]);
        let find = |argument, cwd| find_config(argument, &root.path().join(cwd)).unwrap();
        for (argument, cwd, expected) in [
            ("pvs.toml", "", "pvs.toml"),
            ("pvs", "", "configs/pvs.toml"),
            ("pvs.toml", "sub/deep", "configs/pvs.toml"),
            ("ladder/12", "sub", "configs/ladder/12.toml"),
            ("plain", "sub", "configs/plain"),
            ("configs/pvs.toml", "", "configs/pvs.toml"),
        ] {
            assert_eq!(find(argument, cwd), root.path().join(expected), "{argument} in {cwd}");
        }
        let absolute = root.path().join("pvs.toml");
        assert_eq!(find_config(absolute.to_str().unwrap(), Path::new("/")).unwrap(), absolute);
    }

    #[test]
    fn the_nearest_folder_wins_and_hides_those_above() {
        let root = tree(&["configs/base.toml", "inner/configs/other.toml"]);
        let error = find_config("base", &root.path().join("inner")).unwrap_err();
        assert_eq!(error.tried[2], root.path().join("inner/configs/base.toml"));
    }

    #[test]
    fn what_is_not_found_says_what_was_tried_and_what_is_near() {
        let root = tree(&["configs/base.toml", "configs/ladder/nmp.toml"]);
        let at = root.path().display();
        assert_eq!(
            find_config("bsae", root.path()).unwrap_err().to_string(),
            format!(
                "there is no config `bsae` (tried `{at}/bsae`, `{at}/configs/bsae`, `{at}/configs/bsae.toml`): \
                 did you mean `base`?"
            )
        );
        for named in ["nope.toml", "ladder/nope.toml", "./nope.toml"] {
            let tried = find_config(named, root.path()).unwrap_err().tried;
            assert_eq!(tried, [root.path().join(named), root.path().join("configs").join(named)]);
        }
        let suggestion = |argument| find_config(argument, root.path()).unwrap_err().suggestion;
        assert_eq!(suggestion("bsae.toml").as_deref(), Some("base.toml"));
        assert_eq!(suggestion("ladder/npm").as_deref(), Some("ladder/nmp"));
        assert_eq!(suggestion("configs"), None);
        let message = find_config("x", Path::new("/")).unwrap_err().to_string();
        assert!(
            message.ends_with("give a path, or the name of a file in `configs/` here or in a folder above")
        );
    }
}
