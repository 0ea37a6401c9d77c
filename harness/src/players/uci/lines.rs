//! Lines that an engine writes. Pieces from a pipe in, whole lines out, and no more kept than allowed.

use memchr::memchr_iter;
use std::io::{self, Read};

/// A longer line is no line of an engine that works, bytes.
pub(super) const LONGEST_LINE: usize = 1 << 18;

/// Bytes asked of the pipe at a time: what a pipe holds on most systems.
const CHUNK: usize = 1 << 16;

/// What has been read and not yet taken.
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// The part that holds bytes not yet taken.
    begin: usize,
    end: usize,
    /// Length of the lines that were found in it and not yet taken.
    found: usize,
}

/// A line has no end.
#[derive(Debug)]
pub(super) struct TooLong;

impl Lines {
    pub fn new() -> Lines {
        Lines { buffer: vec![0; CHUNK], begin: 0, end: 0, found: 0 }
    }

    /// Reads once; 0 at the end of the stream.
    pub fn fill(&mut self, pipe: &mut impl Read) -> io::Result<usize> {
        if self.begin > 0 {
            self.buffer.copy_within(self.begin..self.end, 0);
            self.end -= self.begin;
            self.begin = 0;
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
        let count = pipe.read(&mut self.buffer[self.end..])?;
        self.end += count;
        Ok(count)
    }

    /// Whether a whole line is there to be taken, with all others that are there up to the first for which `is_last`
    /// holds.
    pub fn find(&mut self, is_last: fn(&[u8]) -> bool) -> Result<bool, TooLong> {
        let waiting = &self.buffer[self.begin..self.end];
        self.found = 0;
        for end in memchr_iter(b'\n', waiting) {
            let line = &waiting[self.found..end];
            if line.len() > LONGEST_LINE {
                return Err(TooLong);
            }
            self.found = end + 1;
            if is_last(line) {
                break;
            }
        }
        match self.found {
            0 if waiting.len() > LONGEST_LINE => Err(TooLong),
            found => Ok(found > 0),
        }
    }

    /// Takes what was found, each line with its end.
    pub fn take(&mut self) -> &[u8] {
        let begin = self.begin;
        self.begin += std::mem::take(&mut self.found);
        &self.buffer[begin..self.begin]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gives a few bytes at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_arrive(text in "[a-c\n]{0,200}", piece in 1usize..20) {
            let is_last = |line: &[u8]| line.first() == Some(&b'b');
            let (mut lines, mut pipe, mut got) = (Lines::new(), Pieces(text.as_bytes(), piece), String::new());
            while lines.fill(&mut pipe).unwrap() > 0 {
                while lines.find(is_last).unwrap() {
                    let taken = String::from_utf8(lines.take().to_vec()).unwrap();
                    prop_assert!(taken.ends_with('\n'));
                    let before_the_last = taken.lines().count() - 1;
                    prop_assert!(!taken.lines().take(before_the_last).any(|line| is_last(line.as_bytes())));
                    got += &taken;
                }
            }
            prop_assert_eq!(got, &text[..text.rfind('\n').map_or(0, |end| end + 1)]);
        }
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_memory() {
        let text = vec![b'x'; 100 << 20];
        let (mut lines, mut pipe) = (Lines::new(), Pieces(&text, usize::MAX));
        while lines.find(|_| true).is_ok_and(|found| !found) {
            lines.fill(&mut pipe).unwrap();
        }
        assert!(lines.find(|_| true).is_err());
        assert!(lines.buffer.len() <= 4 * LONGEST_LINE);
    }
}
