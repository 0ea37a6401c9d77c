//! Default book, where none is named. The one the project ships.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

/// The folder that marks a project, and the one beside it with the books.
const MARK: &str = "configs";
const BOOKS: &str = "openings";

/// Why there is no default book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDefaultBook {
    /// Neither this folder nor any above it has a folder `configs`.
    NoProject(PathBuf),
    /// This folder is to hold the book and holds none.
    NoBook(PathBuf),
}

impl fmt::Display for NoDefaultBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDefaultBook::NoProject(from) => {
                write!(
                    f,
                    "no book was named, and neither {} nor a folder above it has a folder {MARK}/ with {BOOKS}/ beside it",
                    from.display()
                )
            }
            NoDefaultBook::NoBook(folder) => {
                write!(f, "no book was named, and there is no *.epd file in {}", folder.display())
            }
        }?;
        f.write_str("; name a book with --openings FILE")
    }
}

impl std::error::Error for NoDefaultBook {}

/// The root of the project that a folder belongs to: the nearest folder upwards that has a folder `configs/`.
pub fn project(start: &Path) -> Option<&Path> {
    start.ancestors().find(|folder| folder.join(MARK).is_dir())
}

/// The first `*.epd` by name in `openings/` of the nearest folder, from `start` upwards, that has a
/// folder `configs/` too.
///
/// # Errors
///
/// There is no such folder, or no book in it.
pub fn default_book(start: &Path) -> Result<PathBuf, NoDefaultBook> {
    let project = project(start).ok_or_else(|| NoDefaultBook::NoProject(start.to_owned()))?;
    let folder = project.join(BOOKS);
    fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "epd") && path.is_file())
        .min()
        .ok_or(NoDefaultBook::NoBook(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_project_and_the_first_book() {
        let root = tempfile::tempdir().unwrap();
        let project = root.path().join("project");
        let deep = project.join("results/old");
        for folder in ["configs", "openings/z.epd", "results/old"] {
            fs::create_dir_all(project.join(folder)).unwrap();
        }
        fs::create_dir_all(root.path().join("configs")).unwrap();
        fs::create_dir_all(root.path().join("openings")).unwrap();
        fs::write(root.path().join("openings/outer.epd"), "").unwrap();

        let error = default_book(&deep).unwrap_err();
        assert_eq!(error, NoDefaultBook::NoBook(project.join("openings")));
        assert!(error.to_string().ends_with("; name a book with --openings FILE"));
        for name in ["b.epd", "a.epd", "README.md", "a.pgn"] {
            fs::write(project.join("openings").join(name), "").unwrap();
        }
        assert_eq!(default_book(&deep), Ok(project.join("openings/a.epd")));
        assert_eq!(default_book(root.path()), Ok(root.path().join("openings/outer.epd")));
    }

    #[test]
    fn outside_of_any_project() {
        let root = tempfile::tempdir().unwrap();
        let error = default_book(root.path()).unwrap_err();
        assert_eq!(error, NoDefaultBook::NoProject(root.path().to_owned()));
        assert!(error.to_string().contains("has a folder configs/ with openings/ beside it; name a book"));
    }
}
