//! A part of a Markdown file that a program keeps up to date, while people write the rest.
//!
//! The part stands between two comments, `<!-- NAME: begin -->` and `<!-- NAME: end -->`; a file without them gets it at
//! its end.

use crate::whole_file;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Replaces the part of this name, or adds it.
///
/// # Errors
/// The file cannot be read or written, or has only one of the comments; nothing has changed then.
pub fn replace(path: &Path, name: &str, content: &str) -> Result<(), String> {
    let file = path.display();
    let unusable = |error: std::io::Error| format!("{file} cannot be written: {error}");
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{file} cannot be read: {error}")),
    };
    let replaced = replaced(&text, name, content).ok_or_else(|| {
        format!(
            "{file} has only one of the comments that enclose the part \"{name}\": restore both or delete it"
        )
    })?;
    whole_file::replace(path, &replaced).map_err(unusable)
}

fn replaced(text: &str, name: &str, content: &str) -> Option<String> {
    let [begin, end] = ["begin", "end"].map(|which| format!("<!-- {name}: {which} -->"));
    let part = format!("{begin}\n{}\n{end}", content.trim_end());
    match (text.find(&begin), text.find(&end)) {
        (Some(from), Some(to)) if from < to => {
            Some(format!("{}{part}{}", &text[..from], &text[to + end.len()..]))
        }
        (None, None) if text.trim().is_empty() => Some(part + "\n"),
        (None, None) => Some(format!("{}\n\n{part}\n", text.trim_end())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_wrote_stays() {
        let first = replaced("# Results\n\nMine.\n", "ladder", "| 1 |\n").unwrap();
        assert_eq!(first, "# Results\n\nMine.\n\n<!-- ladder: begin -->\n| 1 |\n<!-- ladder: end -->\n");
        let edited = first.clone() + "\nMore of mine.\n";
        let second = replaced(&edited, "ladder", "| 2 |").unwrap();
        assert_eq!(second, first.replace("| 1 |", "| 2 |") + "\nMore of mine.\n");
        assert_eq!(replaced("", "x", "y").unwrap(), "<!-- x: begin -->\ny\n<!-- x: end -->\n");
    }

    #[test]
    fn a_damaged_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("README.md");
        fs::write(&path, "<!-- x: begin -->\nlost end").unwrap();
        assert!(replace(&path, "x", "y").unwrap_err().contains("only one of the comments"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "<!-- x: begin -->\nlost end");
        let new = folder.path().join("new/README.md");
        replace(&new, "x", "y").unwrap();
        assert!(fs::read_to_string(&new).unwrap().contains("\ny\n"));
    }
}
