//! Book: the openings that a file holds, every one of them playable. A book is read as a whole before the first game, and
//! refused if any entry is bad.

use super::pgn;
use super::unpack::{BadArchive, MOST_UNPACKED, PACKED_ENDINGS, unpacked};
use crate::game::opening::{BadOpening, Opening};
use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// So many bad entries are named; of the rest only the number.
const SHOWN: usize = 20;

/// A book whose every entry can be played.
#[derive(Clone, Debug)]
pub struct Book {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of what is in the file, in hexadecimal: the same book compressed is the same book.
    pub digest: String,
    /// The openings in the order of the file; at least one.
    pub openings: Vec<Opening>,
}

impl Book {
    /// Its file's name: the folder is the affair of the machine.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }
}

/// An entry that is no opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEntry {
    /// Its line in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: BadOpening,
}

/// All bad entries of a book, the first of them by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadEntries {
    /// The first ones, in the order of the file.
    pub shown: Vec<BadEntry>,
    /// How many there are in all.
    pub total: usize,
}

impl BadEntries {
    fn add(&mut self, line: usize, reason: BadOpening) {
        self.total += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(BadEntry { line, reason });
        }
    }

    /// One line for each entry, `file:line: reason`, and the number of those not named.
    pub(super) fn list(&self, path: &Path, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for BadEntry { line, reason } in &self.shown {
            write!(f, "\n  {}:{line}: {reason}", path.display())?;
        }
        match self.total - self.shown.len() {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

/// Why a book cannot be used.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The file is compressed and cannot be unpacked.
    Archive(PathBuf, BadArchive),
    /// There is no opening in it.
    Empty(PathBuf),
    /// Some entries are no openings.
    BadEntries(PathBuf, BadEntries),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Unreadable(path, error) => {
                write!(f, "the book {} cannot be read: {error}; check its path", path.display())
            }
            BookError::Archive(path, bad) => write!(f, "the book {} {bad}", path.display()),
            BookError::Empty(path) => {
                write!(
                    f,
                    "the book {} holds no opening; give one with EPD, FEN or PGN entries",
                    path.display()
                )
            }
            BookError::BadEntries(path, bad) => {
                let entries = if bad.total == 1 { "entry" } else { "entries" };
                let (path_shown, total) = (path.display(), bad.total);
                write!(f, "the book {path_shown} has {total} bad {entries}; correct or delete:")?;
                bad.list(path, f)?;
                write!(f, "\nor leave them out with --skip-bad-openings")
            }
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BookError::Unreadable(_, error) => Some(error),
            _ => None,
        }
    }
}

impl Book {
    /// Reads a book: PGN if it is named so or begins with a tag, else a position a line, EPD or FEN; each of them
    /// may be compressed with gzip or zstd. `plies` is how much of each PGN game is played, all of it if none.
    ///
    /// # Errors
    ///
    /// The file cannot be read or unpacked, is empty, or has any bad entry.
    pub fn read(path: &Path, plies: Option<usize>) -> Result<Book, BookError> {
        let (book, bad) = read_entries(path, plies)?;
        if bad.total > 0 {
            return Err(BookError::BadEntries(path.to_owned(), bad));
        }
        Ok(book)
    }

    /// Reads the good entries of a book. The bad ones, if there are any, come as a text that counts and names them.
    ///
    /// # Errors
    ///
    /// The file cannot be read or unpacked, or has no good entry.
    pub fn read_good(path: &Path, plies: Option<usize>) -> Result<(Book, Option<SkippedEntries>), BookError> {
        let (book, bad) = read_entries(path, plies)?;
        if book.openings.is_empty() {
            return Err(BookError::BadEntries(path.to_owned(), bad));
        }
        let skipped = (bad.total > 0).then(|| SkippedEntries { path: path.to_owned(), bad });
        Ok((book, skipped))
    }
}

/// Entries of a book that are left out.
#[derive(Clone, Debug)]
pub struct SkippedEntries {
    path: PathBuf,
    bad: BadEntries,
}

impl fmt::Display for SkippedEntries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = if self.bad.total == 1 { "entry is" } else { "entries are" };
        write!(f, "warning: {} bad {entries} left out of the book {}:", self.bad.total, self.path.display())?;
        self.bad.list(&self.path, f)
    }
}

/// The good and the bad entries of a file; at least one of either.
pub(super) fn read_entries(path: &Path, plies: Option<usize>) -> Result<(Book, BadEntries), BookError> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

    let bytes = fs::read(path).map_err(|error| BookError::Unreadable(path.to_owned(), error))?;
    let bytes = unpacked(bytes, MOST_UNPACKED).map_err(|bad| BookError::Archive(path.to_owned(), bad))?;
    let digest = encode_string(&Sha256::digest(&bytes));
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);

    let entries = if is_named_pgn(path) || text.trim_ascii_start().starts_with(b"[") {
        pgn::read_games(text, plies.unwrap_or(usize::MAX))
    } else {
        read_lines(&String::from_utf8_lossy(text))
    };

    let mut book = Book { path: path.to_owned(), digest, openings: Vec::with_capacity(entries.len()) };
    let mut bad = BadEntries::default();
    for entry in entries {
        match entry {
            Ok(opening) => book.openings.push(opening),
            Err((line, reason)) => bad.add(line, reason),
        }
    }
    if book.openings.is_empty() && bad.total == 0 {
        return Err(BookError::Empty(path.to_owned()));
    }
    Ok((book, bad))
}

/// Whether the name ends in `.pgn`, compressed or not.
fn is_named_pgn(path: &Path) -> bool {
    let ends_in =
        |path: &Path, ending: &str| path.extension().is_some_and(|last| last.eq_ignore_ascii_case(ending));
    let is_packed = PACKED_ENDINGS.into_iter().any(|ending| ends_in(path, ending));
    ends_in(path, "pgn") || is_packed && ends_in(&path.with_extension(""), "pgn")
}

/// A position on each line that is not blank or a comment.
fn read_lines(text: &str) -> Vec<Result<Opening, (usize, BadOpening)>> {
    text.lines()
        .zip(1..)
        .map(|(line, number)| (line.trim(), number))
        .filter(|(line, _)| !line.is_empty() && !line.starts_with(['#', '%']))
        .map(|(line, number)| Opening::parse(line, number).map_err(|reason| (number, reason)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use tempfile::TempDir;

    fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        (folder, path)
    }

    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    const D4: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -";

    #[test]
    fn lines_of_every_kind() {
        let latin1 = [
            b"\xef\xbb\xbf# comment\r\n\r\n".as_slice(),
            E4.as_bytes(),
            b" id \"f\xfcnf\";\r\n  \r\n% more\r\n",
        ]
        .concat();
        let content = [latin1, format!("{D4} 0 1").into_bytes()].concat();
        let (_folder, path) = file("book.epd", &content);
        let book = Book::read(&path, None).unwrap();
        let lines: Vec<_> = book.openings.iter().map(|opening| opening.line).collect();
        assert_eq!(lines, [3, 6]);
        assert_eq!(book.openings[1].fen, format!("{D4} 0 1"));
        assert_eq!(book.path, path);
    }

    #[test]
    fn the_digest_is_that_of_the_bytes() {
        let (_folder, path) = file("book.epd", "8/4k3/8/8/8/8/4P3/4K3 w - -\n");
        // printf '8/4k3/8/8/8/8/4P3/4K3 w - -\n' | sha256sum
        let expected = "e9e8a88e6732c206bef9582511ef2edf040408307914a8ef94830e947b95028a";
        assert_eq!(Book::read(&path, None).unwrap().digest, expected);
    }

    #[test]
    fn pgn_is_known_by_name_or_by_content() {
        let moves = "1. e4 c5 2. Nf3 *\n";
        let (_folder, path) = file("book.PGN", moves);
        assert_eq!(Book::read(&path, Some(1)).unwrap().openings[0].fen, format!("{E4} 0 1"));
        let (_folder, path) = file("book.txt", format!("\u{feff}\n[Event \"x\"]\n\n{moves}"));
        let book = Book::read(&path, Some(1)).unwrap();
        assert_eq!((book.openings[0].fen.as_str(), book.openings[0].line), (format!("{E4} 0 1").as_str(), 2));
    }

    #[test]
    fn a_compressed_book_is_the_same_book() {
        let text = format!("{E4}\n{D4}\n");
        let (_folder, plain) = file("book.epd", &text);
        let plain = Book::read(&plain, None).unwrap();
        let zstd = compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        // The bytes decide, not the name.
        for name in ["book.epd.zst", "book.epd", "book.gz"] {
            let (_folder, path) = file(name, &zstd);
            let book = Book::read(&path, None).unwrap();
            assert_eq!((book.digest, book.openings), (plain.digest.clone(), plain.openings.clone()));
        }
        let moves = compress_to_vec(b"1. e4 c5 *".as_slice(), CompressionLevel::Fastest);
        let (_folder, path) = file("book.PGN.zst", moves);
        assert_eq!(Book::read(&path, Some(1)).unwrap().openings[0].fen, format!("{E4} 0 1"));
    }

    #[test]
    fn every_bad_entry_is_named_up_to_a_limit() {
        let bad = "8/8/8/8/8/8/8/8 w - -\n".repeat(22);
        let (_folder, path) = file("book.epd", format!("{E4}\n{bad}7k/5Q2/6K1/8/8/8/8/8 b - -\n"));
        let error = Book::read(&path, None).unwrap_err().to_string();
        let shown = path.display();
        assert!(
            error.starts_with(&format!("the book {shown} has 23 bad entries; correct or delete:\n")),
            "{error}"
        );
        assert!(error.contains(&format!("\n  {shown}:2: illegal position: empty board")), "{error}");
        assert!(error.contains(&format!("\n  {shown}:21: ")) && !error.contains(&format!("{shown}:22: ")));
        assert!(error.ends_with("\n  and 3 more\nor leave them out with --skip-bad-openings"), "{error}");
    }

    #[test]
    fn files_that_are_no_books() {
        let missing = Path::new("no/such/book.epd");
        let error = Book::read(missing, None).unwrap_err().to_string();
        assert!(
            error.contains("no/such/book.epd cannot be read") && error.contains("check its path"),
            "{error}"
        );
        for (content, reason) in [
            (b"".as_slice(), "holds no opening"),
            (b"\x1f\x8b\x08", "cannot be unpacked (gzip: "),
            (b"\x28\xb5\x2f\xfd", "cannot be unpacked (zstd: "),
            (b"\xff\xfe\x00\x01", "1 bad entry;"),
        ] {
            for name in ["book.epd", "book.pgn"] {
                if name == "book.pgn" && reason == "1 bad entry;" {
                    continue;
                }
                let (_folder, path) = file(name, content);
                let error = Book::read(&path, None).unwrap_err().to_string();
                assert!(error.contains(reason), "{name} {content:?}: {error}");
            }
        }
        let (_folder, path) = file("book.epd", "# nothing\n\n");
        assert!(Book::read(&path, None).unwrap_err().to_string().contains("holds no opening"));
        let (_folder, path) = file("book.pgn", "nothing\n\n");
        assert!(Book::read(&path, None).unwrap_err().to_string().contains("\"nothing\" is no move"));
    }
}
