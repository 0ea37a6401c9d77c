//! Openings of a PGN file. The position after the first plies of each game.

use super::movetext::{BadWord, follow};
use crate::game::fen::fen_of;
use crate::game::opening::{BadOpening, Opening};
use pgn_reader::{RawTag, Reader, Visitor};
use shakmaty::Chess;
use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Continue};

/// Longer tag lines than these, in bytes, are taken for a damaged file.
const TAG_LINE: usize = 1 << 12;

/// Names of standard chess and Chess960 in the tag `Variant`, in small letters without blanks and signs.
const VARIANTS: [&str; 9] = [
    "",
    "standard",
    "normal",
    "chess",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
];

/// Reads every game of the file: its opening, or the line where it begins and what is wrong with it.
/// Only the main line counts; variations, comments and annotations are passed over.
pub(super) fn read_games(text: &[u8], plies: usize) -> Vec<Result<Opening, (usize, BadOpening)>> {
    let taken = Cell::new(0);
    let source = Counted { rest: text, taken: &taken };
    let mut reader = Reader::build(source).set_supported_tag_line_length(TAG_LINE).finish();
    let mut games = Vec::new();
    let (mut line, mut counted) = (1, 0);
    loop {
        let more = reader.has_more();
        let start = taken.get() - reader.buffer().len();
        line += lines_in(&text[counted..start]);
        counted = start;
        let number = games.len() + 1;
        let tags = match more {
            Ok(false) => return games,
            Ok(true) => reader.read_game(&mut TagReader),
            Err(error) => Err(error),
        };
        match tags {
            Ok(tags) => {
                let end = taken.get() - reader.buffer().len();
                let game = Game { text: &text[start..end], line, tags: tags.unwrap_or_default() };
                games.extend(game.opening(plies).map(|read| {
                    read.map_err(|reason| match reason {
                        BadOpening::Game(reason) => {
                            (line, BadOpening::Game(format!("game {number}, {reason}")))
                        }
                        reason => (line, reason),
                    })
                }));
            }
            Err(error) => {
                // Where the next game begins is then unknown.
                let reason = format!("game {number}: the rest of the file cannot be read: {error}");
                games.push(Err((line, BadOpening::Game(reason))));
                return games;
            }
        }
    }
}

fn lines_in(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// A source that tells how much was read from it, so that games can be given their lines.
struct Counted<'a> {
    rest: &'a [u8],
    taken: &'a Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.rest.read(buffer)?;
        self.taken.set(self.taken.get() + count);
        Ok(count)
    }
}

/// Keeps the tags of a game. Its moves are read by [`follow`], and the reader only finds their end.
struct TagReader;

/// The tags that say where a game begins, whatever the case of their names.
#[derive(Default)]
struct Tags {
    any: bool,
    fen: Option<String>,
    set_up: Option<String>,
    variant: Option<String>,
}

impl Visitor for TagReader {
    type Tags = Tags;
    type Movetext = Tags;
    type Output = Tags;

    fn begin_tags(&mut self) -> ControlFlow<Tags, Tags> {
        Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Tags> {
        tags.any = true;
        let value = || Some(value.decode_utf8_lossy().trim().to_owned());
        match name.trim_ascii().to_ascii_lowercase().as_slice() {
            b"fen" => tags.fen = value(),
            b"setup" => tags.set_up = value(),
            b"variant" => tags.variant = value(),
            _ => {}
        }
        Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Tags, Tags> {
        Continue(tags)
    }

    fn end_game(&mut self, tags: Tags) -> Tags {
        tags
    }
}

/// A game as it stands in the file.
struct Game<'a> {
    text: &'a [u8],
    /// Where it begins.
    line: usize,
    tags: Tags,
}

impl Game<'_> {
    /// The position after so many plies; none if this is a lone result, which a blank line before it makes a game of its own.
    fn opening(&self, plies: usize) -> Option<Result<Opening, BadOpening>> {
        let start = match self.start() {
            Ok(start) => start,
            Err(bad) => return Some(Err(bad)),
        };
        match follow(self.text, start, plies) {
            Ok(end) => {
                let is_game = self.tags.any || end.has_moves;
                is_game.then(|| Opening::parse(&fen_of(&end.position), self.line))
            }
            Err(BadWord { at, reason }) => {
                Some(Err(self.bad(self.line + lines_in(&self.text[..at]), &reason)))
            }
        }
    }

    /// The position before the first move.
    fn start(&self) -> Result<Chess, BadOpening> {
        let Tags { fen, set_up, variant, .. } = &self.tags;
        if let Some(variant) = variant {
            let plain: String = variant.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
            if !VARIANTS.contains(&plain.as_str()) {
                let reason = format!(
                    "its variant is {variant}, and only standard chess and Chess960 are played: leave it out"
                );
                return Err(self.bad(self.line_of_tag("variant"), &reason));
            }
        }
        let Some(fen) = fen else { return Ok(Chess::new()) };
        match Opening::parse(fen, self.line) {
            Ok(start) if set_up.as_deref() == Some("0") && start.fen != fen_of(&Chess::new()) => {
                let reason = "[SetUp \"0\"] says that it begins from the usual position, and its FEN names another: \
                              delete one of the two";
                Err(self.bad(self.line_of_tag("setup"), reason))
            }
            Ok(start) => Ok(start.position()),
            Err(BadOpening::Over(termination)) => Err(BadOpening::Over(termination)),
            Err(bad) => Err(self.bad(self.line_of_tag("fen"), &format!("its FEN tag: {bad}"))),
        }
    }

    /// The line of the last tag of this name in small letters, which is the one that counts.
    fn line_of_tag(&self, name: &str) -> usize {
        let is_tag = |line: &[u8]| {
            let name_of_tag = line.trim_ascii().strip_prefix(b"[").unwrap_or_default().trim_ascii_start();
            let begin = name_of_tag.get(..name.len()).unwrap_or_default();
            begin.eq_ignore_ascii_case(name.as_bytes())
                && !name_of_tag.get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
        };
        let last = self.text.split(|&byte| byte == b'\n').collect::<Vec<_>>().into_iter().rposition(is_tag);
        self.line + last.unwrap_or(0)
    }

    fn bad(&self, line: usize, reason: &str) -> BadOpening {
        BadOpening::Game(format!("line {line}: {reason}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Line and FEN, or line and reason, of each game.
    fn read(text: &str, plies: usize) -> Vec<(usize, String)> {
        read_games(text.as_bytes(), plies)
            .into_iter()
            .map(|game| match game {
                Ok(opening) => (opening.line, opening.fen),
                Err((line, reason)) => (line, reason.to_string()),
            })
            .collect()
    }

    const RUY: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

    #[test]
    fn the_main_line_is_followed() {
        let text = "[Event \"a\"]\n[Site \"{x\"]\n\n1. e4! $1 {c [%clk 1]\n[Event \"in a comment\"]\n} e5 (1... c5 (1... e6) 2. Nf3) \
                    2.Nf3 = ; a comment (\n2… Nc6 !? +- 3. Bb5 1/2-1/2\n\n[Event \"b\"]\n\n1. d4 *\n";
        let d4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1";
        let expected = vec![(1, RUY.to_owned()), (9, d4.to_owned())];
        assert_eq!(read(text, usize::MAX), expected);
        assert_eq!(read(&text.replace('\n', "\r\n"), usize::MAX), expected);
    }

    #[test]
    fn only_the_first_plies_count() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Ke7 4. Xyz Kf9 1-0\n";
        assert_eq!(read(text, 5), [(1, RUY.to_owned())]);
        assert!(read(text, 0)[0].1.starts_with("rnbqkbnr/pppppppp/8/8/8/8"));
        assert_eq!(read(text, 7)[0].1, "game 1, line 1: \"Xyz\" is no move");
    }

    #[test]
    fn castling_with_zeros_and_fen_tags() {
        let text =
            "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 10\"]\n[SetUp \"1\"]\n\n10. 0-0 0-0-0+ 11. Ra8 \n";
        assert_eq!(read(text, 2), [(1, "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 11".to_owned())]);
        let text = "[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1\"]\n\n1. O-O *\n";
        assert_eq!(read(text, 1), [(1, "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b gb - 1 1".to_owned())]);
    }

    #[test]
    fn every_bad_game_is_named_by_its_line() {
        let text = "\n[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n\n[FEN \"8/8 w - -\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n1. e4 e5 2. Sf3 Nc6 *\n\n\
                    [Event \"d\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"e\"]\n\n1. e4\ne5 -- *\n\n[Event \"ok\"]\n\n1. e4 *\n";
        let all = read(text, usize::MAX);
        let lines: Vec<_> = all.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 6, 10, 14, 18, 23]);
        for ((_, reason), expected) in all.iter().zip([
            "game 1, line 4: 2. Ke3 cannot be played: illegal san",
            "game 2, line 6: its FEN tag: it is no board",
            "game 3, line 12: \"Sf3\" is no move",
            "over before it begins: checkmate",
            "game 5, line 21: 2. -- is a null move",
            "rnbqkbnr/pppppppp/8/8/4P3",
        ]) {
            assert!(reason.contains(expected), "{reason} / {expected}");
        }
    }

    #[test]
    fn tags_count_in_any_case_and_are_not_ignored() {
        let kings = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let game = |tags: &str| read(&format!("[Event \"a\"]\n{tags}\n\n*\n"), 9);
        for tags in [
            format!("[fen \"{kings}\"]"),
            format!("[Fen \"{kings}\"]\n[setup \"1\"]"),
            format!("[Variant \"From Position\"]\n[FEN \"{kings}\"]"),
            format!("[VARIANT \"Chess 960\"]\n[FEN \"{kings}\"]"),
            format!("[variant \"standard\"]\n[FEN \"{kings}\"]"),
        ] {
            assert_eq!(game(&tags), [(1, kings.to_owned())], "{tags}");
        }
        for (tags, reason) in [
            (
                "[Variant \"Atomic\"]",
                "game 1, line 2: its variant is Atomic, and only standard chess and Chess960",
            ),
            ("[Site \"?\"]\n[variant \"crazyhouse\"]", "game 1, line 3: its variant is crazyhouse"),
            ("[VARIANT \"Three-check\"]", "game 1, line 2: its variant is Three-check"),
            (&format!("[FEN \"{kings}\"]\n[SetUp \"0\"]"), "game 1, line 3: [SetUp \"0\"] says"),
            (&format!("[setup \"0\"]\n[fen \"{kings}\"]"), "game 1, line 2: [SetUp \"0\"] says"),
            (&format!("[SETUP \"0\"]\n[Fen \"{kings}\"]\n"), "game 1, line 2: [SetUp \"0\"] says"),
        ] {
            let [(1, error)] = &game(tags)[..] else { panic!("{tags}") };
            assert!(error.starts_with(reason), "{error}");
        }
        let start = fen_of(&Chess::new());
        assert_eq!(game(&format!("[FEN \"{start}\"]\n[SetUp \"0\"]")), [(1, start)]);
    }

    #[test]
    fn a_result_after_a_blank_line_is_no_game() {
        assert_eq!(read("[Event \"a\"]\n\n1. e4 e5\n\n1-0\n\n", 9).len(), 1);
        assert_eq!(read("\n\n", 9), []);
    }

    #[test]
    fn a_file_cut_in_a_comment_is_reported() {
        let all = read("[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4 {never closed", 9);
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].0, 5);
        assert!(all[1].1.contains("unterminated comment"), "{}", all[1].1);
    }

    proptest! {
        #[test]
        fn no_file_breaks_the_reader(text in "([a-h1-8NBRQKO\\-x=+#.(){}\\[\\]\"; \n]|\\PC)*", plies in 0usize..5) {
            read_games(text.as_bytes(), plies);
        }
    }
}
