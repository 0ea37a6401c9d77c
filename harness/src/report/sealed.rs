//! Seal of a written file: whether it may be overwritten. It may if this program wrote it and nobody has changed it since.
//!
//! A report carries a seal: the SHA-256 of its own text with the digits of the seal set to zero.

use crate::whole_file;
use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

const BEFORE_THE_SEAL: &str = "written by harness report, seal ";
const DIGITS: usize = 64;

/// Why a report was not written.
#[derive(Debug)]
pub enum NotWritten {
    /// The file is not a report of this program as it wrote it.
    NotOurs(PathBuf),
    /// It cannot be written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritten::NotOurs(path) => write!(
                f,
                "{} was not written by this command, or was changed since, and is not overwritten: move it away or \
                 give another folder with --out",
                path.display()
            ),
            NotWritten::Io(path, error) => write!(
                f,
                "{} cannot be written ({error}): make room or give another folder with --out",
                path.display()
            ),
        }
    }
}

impl std::error::Error for NotWritten {}

/// The words that a text must have in it once, where its seal goes.
pub fn mark() -> String {
    format!("{BEFORE_THE_SEAL}{}", "0".repeat(DIGITS))
}

/// Whether the file may be written: it is not there, or it is a sealed text.
///
/// # Errors
/// See [`NotWritten`].
pub fn check(path: &Path) -> Result<(), NotWritten> {
    // To read a pipe or a device may take for ever.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(NotWritten::NotOurs(path.to_owned()));
    }
    match std::fs::read_to_string(path) {
        Ok(text) if is_sealed(&text) => Ok(()),
        Ok(_) => Err(NotWritten::NotOurs(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Not text at all.
        Err(error) if error.kind() == ErrorKind::InvalidData => Err(NotWritten::NotOurs(path.to_owned())),
        Err(error) => Err(NotWritten::Io(path.to_owned(), error)),
    }
}

/// Seals the text and writes it, whole or not at all.
///
/// # Errors
/// See [`NotWritten`].
pub fn write(path: &Path, text: &str) -> Result<(), NotWritten> {
    check(path)?;
    let sealed = text.replacen(&mark(), &format!("{BEFORE_THE_SEAL}{}", digest(text)), 1);
    whole_file::replace(path, &sealed).map_err(|error| NotWritten::Io(path.to_owned(), error))
}

fn is_sealed(text: &str) -> bool {
    text.match_indices(BEFORE_THE_SEAL).any(|(index, words)| {
        let (begin, end) = (index + words.len(), index + words.len() + DIGITS);
        text.get(begin..end).is_some_and(|seal| {
            let unsealed = [&text[..begin], &"0".repeat(DIGITS), &text[end..]].concat();
            digest(&unsealed) == seal
        })
    })
}

fn digest(text: &str) -> String {
    encode_string(&Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_may_be_replaced_and_what_was_changed_may_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        let text = |body: &str| format!("<!-- {} -->\n{body}\n", mark());
        write(&path, &text("first")).unwrap();
        write(&path, &text("second")).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.ends_with("second\n") && !written.contains(&mark()));

        for other in [written.replace("second", "2nd"), String::new(), text("unsealed")] {
            std::fs::write(&path, &other).unwrap();
            let refused = write(&path, &text("third")).unwrap_err().to_string();
            assert!(refused.contains("is not overwritten: move it away"), "{refused}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(matches!(write(&path, &text("")), Err(NotWritten::NotOurs(_))));
        let nowhere = path.join("report.md");
        assert!(matches!(write(&nowhere, &text("")), Err(NotWritten::Io(..))));
    }
}
