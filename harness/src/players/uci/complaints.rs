//! Standard error of an engine: the first and the last of what it wrote about a question, as evidence of a fault.
//!
//! A panic with a backtrace and the report of a sanitizer begin with the cause, an assertion ends with it.

use super::text::printable_line;
use std::collections::VecDeque;

/// Bytes kept of the beginning, and as many of the end.
const KEPT: usize = 3000;

/// Characters kept of one line.
const LONGEST_KEPT: usize = 500;

/// What an engine wrote to standard error since the last question for which it wrote anything.
#[derive(Debug, Default)]
pub(super) struct Complaints {
    first: Vec<u8>,
    last: VecDeque<u8>,
    /// Bytes between the two.
    left_out: usize,
    /// A question was asked since.
    is_old: bool,
}

impl Complaints {
    /// A question is asked: what is written from now on is about it.
    pub fn begin(&mut self) {
        self.is_old = true;
    }

    /// Takes what was written.
    pub fn add(&mut self, written: &[u8]) {
        if self.is_old && !written.is_empty() {
            *self = Complaints::default();
        }
        let (first, rest) = written.split_at(written.len().min(KEPT - self.first.len()));
        self.first.extend(first);
        self.last.extend(rest);
        let too_many = self.last.len().saturating_sub(KEPT);
        self.last.drain(..too_many);
        self.left_out += too_many;
    }

    /// The lines, without empty ones; where some are left out, a line says how much.
    pub fn lines(&self) -> Vec<String> {
        let (first, last): (&[u8], Vec<u8>) = (&self.first, self.last.iter().copied().collect());
        let texts = match self.left_out {
            0 => vec![[first, &last].concat()],
            count => vec![first.to_vec(), format!("… {count} bytes left out …").into_bytes(), last],
        };
        let lines = texts.iter().flat_map(|text| text.split(|&byte| byte == b'\n'));
        lines.map(|line| printable_line(line, LONGEST_KEPT)).filter(|line| !line.is_empty()).collect()
    }

    /// The lines as the end of a sentence about the engine; empty if there are none.
    pub fn in_words(&self) -> String {
        match &self.lines()[..] {
            [] => String::new(),
            lines => format!("; on standard error it wrote: {}", lines.join(" / ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of numbered lines that come in pieces of this size.
    fn numbered(count: usize, piece: usize) -> Vec<String> {
        let text: String = (0..count).map(|line| format!("line {line}\n")).collect();
        let mut complaints = Complaints::default();
        text.as_bytes().chunks(piece).for_each(|piece| complaints.add(piece));
        complaints.lines()
    }

    #[test]
    fn all_of_a_short_text_and_both_ends_of_a_long_one() {
        for piece in [1, 7, 4096, 1 << 20] {
            let short = numbered(500, piece);
            assert_eq!(short, (0..500).map(|line| format!("line {line}")).collect::<Vec<_>>());
            let long = numbered(100_000, piece);
            assert_eq!((long[0].as_str(), long[200].as_str()), ("line 0", "line 200"));
            assert_eq!(long.last().unwrap(), "line 99999");
            assert!(long.iter().any(|line| line.ends_with("bytes left out …")), "{long:?}");
            assert!(long.join(" / ").len() < 3 * KEPT);
        }
    }

    #[test]
    fn the_last_question_that_it_wrote_about_counts() {
        let mut complaints = Complaints::default();
        assert_eq!(complaints.in_words(), "");
        complaints.add(b"no network\n");
        complaints.begin();
        assert_eq!(complaints.in_words(), "; on standard error it wrote: no network");
        complaints.add(b"panicked at x\n\n\tbecause\n");
        complaints.begin();
        complaints.begin();
        assert_eq!(complaints.in_words(), "; on standard error it wrote: panicked at x / because");
    }
}
