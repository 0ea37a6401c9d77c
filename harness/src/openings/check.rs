//! Check of a book. What `harness book check` tells of it, good and bad entries alike.

use super::book::{BadEntries, BookError, read_entries};
use crate::game::opening::Opening;
use shakmaty::{Chess, Color, EnPassantMode, Position, Setup};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// So many repeated openings are named.
const SHOWN: usize = 10;

/// The state of a book.
#[derive(Clone, Debug)]
pub struct BookCheck {
    /// The file.
    pub path: PathBuf,
    /// SHA-256 of what is in the file, unpacked, in hexadecimal.
    pub digest: String,
    /// Entries that can be played, repeated ones included.
    pub openings: usize,
    /// Entries that cannot be played.
    pub bad: BadEntries,
    /// Openings whose position, move counters apart, stands in the book before.
    pub repeated: Repeated,
    /// Openings that stand in the book before with the colours exchanged, and not as they are.
    pub mirrored: Repeated,
    /// Openings with White to move; Black has the rest.
    pub white_to_move: usize,
    /// Openings with castling rights that normal chess has not.
    pub chess960: usize,
    /// Openings that no game of normal chess leads to, and that are played all the same.
    pub odd: usize,
}

/// Openings that were there before, the first of them by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeated {
    /// The line of such an opening and that of the first like it.
    pub shown: Vec<(usize, usize)>,
    /// How many there are in all.
    pub total: usize,
}

impl Repeated {
    fn add(&mut self, line: usize, first: usize) {
        self.total += 1;
        if self.shown.len() < SHOWN {
            self.shown.push((line, first));
        }
    }
}

impl BookCheck {
    /// Whether the book can be used and no opening in it stands twice.
    pub fn is_clean(&self) -> bool {
        self.openings > 0 && self.bad.total == 0 && self.repeated.total == 0
    }
}

/// Reads a book and examines every entry; `plies` as in [`Book::read`](super::Book::read).
///
/// # Errors
///
/// The file cannot be read or holds nothing. Bad entries are no error here but part of the answer.
pub fn check_book(path: &Path, plies: Option<usize>) -> Result<BookCheck, BookError> {
    let (book, bad) = read_entries(path, plies)?;
    let mut check = BookCheck {
        path: book.path,
        digest: book.digest,
        openings: book.openings.len(),
        bad,
        repeated: Repeated::default(),
        mirrored: Repeated::default(),
        white_to_move: 0,
        chess960: 0,
        odd: 0,
    };
    let mut seen = FirstLines::with_capacity(book.openings.len());
    for opening in &book.openings {
        let position = opening.position();
        check.white_to_move += usize::from(position.turn() == Color::White);
        check.chess960 += usize::from(opening.chess960);
        check.odd += usize::from(opening.oddity.is_some());

        let setup = without_counters(&position);
        let mirror = seen.line_of(&setup.clone().into_mirrored());
        match (seen.add(setup, opening.line), mirror) {
            (Some(first), _) => check.repeated.add(opening.line, first),
            (None, Some(first)) => check.mirrored.add(opening.line, first),
            (None, None) => {}
        }
    }
    Ok(check)
}

/// The openings that stand in the list more than once. Under a node or depth limit, each of them would be the same
/// two games again.
pub fn repeated(openings: &[Opening]) -> Repeated {
    let mut repeated = Repeated::default();
    let mut seen = FirstLines::with_capacity(openings.len());
    for opening in openings {
        if let Some(first) = seen.add(opening.without_counters(), opening.line) {
            repeated.add(opening.line, first);
        }
    }
    repeated
}

/// The line on which each position stood first.
struct FirstLines<P>(HashMap<P, usize>);

impl<P: Eq + Hash> FirstLines<P> {
    fn with_capacity(openings: usize) -> FirstLines<P> {
        FirstLines(HashMap::with_capacity(openings))
    }

    fn line_of(&self, position: &P) -> Option<usize> {
        self.0.get(position).copied()
    }

    /// The line on which the position stood before; none if this is the first.
    fn add(&mut self, position: P, line: usize) -> Option<usize> {
        match self.0.entry(position) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(place) => {
                place.insert(line);
                None
            }
        }
    }
}

fn without_counters(position: &Chess) -> Setup {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    (setup.halfmoves, setup.fullmoves) = (0, NonZeroU32::MIN);
    setup
}

impl fmt::Display for BookCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: usize| 100.0 * count as f64 / self.openings.max(1) as f64;
        let black_to_move = self.openings - self.white_to_move;
        writeln!(f, "{}", self.path.display())?;
        writeln!(f, "sha256        {}", self.digest)?;
        writeln!(f, "openings      {}", self.openings)?;
        writeln!(
            f,
            "to move       White {} ({:.1} %), Black {black_to_move} ({:.1} %)",
            self.white_to_move,
            share(self.white_to_move),
            share(black_to_move)
        )?;
        writeln!(f, "Chess960      {} ({:.1} %)", self.chess960, share(self.chess960))?;
        if self.odd > 0 {
            writeln!(
                f,
                "odd           {} that no game of normal chess leads to, and are played all the same",
                self.odd
            )?;
        }
        write_repeated(f, "repeated", &self.repeated)?;
        write_repeated(f, "mirrored", &self.mirrored)?;
        write!(f, "bad entries   {}", self.bad.total)?;
        self.bad.list(&self.path, f)
    }
}

fn write_repeated(f: &mut fmt::Formatter<'_>, name: &str, repeated: &Repeated) -> fmt::Result {
    writeln!(f, "{name:<14}{}", repeated.total)?;
    for (line, first) in &repeated.shown {
        writeln!(f, "  line {line} is line {first}")?;
    }
    match repeated.total - repeated.shown.len() {
        0 => Ok(()),
        more => writeln!(f, "  and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, iter};

    fn check(lines: &[&str]) -> BookCheck {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        fs::write(&path, lines.join("\n")).unwrap();
        check_book(&path, None).unwrap()
    }

    #[test]
    fn everything_is_counted() {
        let check = check(&[
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 5 9", // the same
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",  // mirrored
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2",  // the same again, counted once
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 2",   // other rights
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -",
            "1R2K1R1/8/8/8/8/8/8/1r2k1r1 w - -",
            "8/8/8/8/8/8/8/8 w - -",
        ]);
        assert_eq!((check.openings, check.bad.total), (7, 1));
        assert_eq!((check.white_to_move, check.chess960), (5, 1));
        assert_eq!(check.repeated, Repeated { shown: vec![(2, 1), (4, 3)], total: 2 });
        assert_eq!(check.mirrored, Repeated { shown: vec![(3, 1)], total: 1 });
        assert!(!check.is_clean());

        let text = check.to_string();
        for expected in [
            "to move       White 5 (71.4 %), Black 2 (28.6 %)",
            "Chess960      1 (14.3 %)",
            "repeated      2\n  line 2 is line 1\n  line 4 is line 3\n",
            "mirrored      1\n  line 3 is line 1\n",
            "bad entries   1\n  ",
            "book.epd:8: illegal position: empty board",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn a_clean_book_and_long_lists() {
        let kings = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        assert!(check(&[kings]).is_clean());
        let text = check(&iter::repeat_n(kings, 14).collect::<Vec<_>>()).to_string();
        assert!(text.contains("repeated      13\n") && text.contains("\n  and 3 more\n"), "{text}");
    }
}
