//! Openings of a PGN file. The position after the first plies of each game.

use crate::game::fen::fen_of;
use crate::game::opening::{BadOpening, Opening};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Color, Position};
use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Break, Continue};

/// Longer tag lines than these, in bytes, are taken for a damaged file.
const TAG_LINE: usize = 1 << 12;

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
        line += text[counted..start].iter().filter(|&&byte| byte == b'\n').count();
        counted = start;
        let game = match more {
            Ok(false) => return games,
            Ok(true) => reader.read_game(&mut FirstPlies { plies, line }).map(Option::flatten),
            Err(error) => Err(error),
        };
        match game {
            Ok(Some(read)) => {
                let end = taken.get() - reader.buffer().len();
                // Looked for first: the moves after such a word are read as if it were not there.
                games.push(match unreadable_word(&text[start..end], plies) {
                    Some(word) => Err((line, BadOpening::Game(format!("\"{word}\" is no move")))),
                    None => read.map_err(|reason| (line, reason)),
                });
            }
            Ok(None) => {}
            Err(error) => {
                // Where the next game begins is then unknown.
                let reason = format!("the rest of the file cannot be read: {error}");
                games.push(Err((line, BadOpening::Game(reason))));
                return games;
            }
        }
    }
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

/// Plays the first plies of a game.
struct FirstPlies {
    plies: usize,
    line: usize,
}

#[derive(Default)]
struct Tags {
    any: bool,
    fen: Option<String>,
}

struct Movetext {
    position: Chess,
    plies: usize,
    /// Whether there was anything but a lone result: a blank line before it makes it a game of its own.
    any: bool,
}

impl FirstPlies {
    fn reached(&self, game: &Movetext) -> Option<Result<Opening, BadOpening>> {
        game.any.then(|| Opening::parse(&fen_of(&game.position), self.line))
    }
}

impl Visitor for FirstPlies {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = Option<Result<Opening, BadOpening>>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.any = true;
        if name == b"FEN" {
            tags.fen = Some(value.decode_utf8_lossy().into_owned());
        }
        Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Movetext> {
        let position = match tags.fen.map(|fen| Opening::parse(&fen, self.line)) {
            None => Chess::new(),
            Some(Ok(start)) => start.position(),
            Some(Err(BadOpening::Over(termination))) => {
                return Break(Some(Err(BadOpening::Over(termination))));
            }
            Some(Err(bad)) => return Break(Some(Err(BadOpening::Game(format!("its FEN tag: {bad}"))))),
        };
        Continue(Movetext { position, plies: 0, any: tags.any })
    }

    fn san(&mut self, game: &mut Movetext, played: SanPlus) -> ControlFlow<Self::Output> {
        game.any = true;
        if game.plies == self.plies {
            return Break(self.reached(game));
        }
        match played.san.to_move(&game.position) {
            Ok(chosen) => {
                game.position.play_unchecked(chosen);
                game.plies += 1;
                Continue(())
            }
            Err(error) => {
                let number = game.position.fullmoves();
                let dots = if game.position.turn() == Color::White { "." } else { "..." };
                let reason = format!("{number}{dots} {} cannot be played: {error}", played.san);
                Break(Some(Err(BadOpening::Game(reason))))
            }
        }
    }

    fn end_game(&mut self, game: Movetext) -> Self::Output {
        self.reached(&game)
    }
}

/// The first word among the first `plies` moves of the main line that is no move.
///
/// The reader passes over what it cannot read, so that a game in another language or notation would
/// silently give another opening.
fn unreadable_word(game: &[u8], plies: usize) -> Option<String> {
    let mut moves = 0;
    let mut depth = 0_u32;
    let mut at = 0;
    while at < game.len() && moves < plies {
        let rest = &game[at..];
        let through = |last: u8| rest.iter().position(|&byte| byte == last).map_or(rest.len(), |end| end + 1);
        let line_begins = at == 0 || game[at - 1] == b'\n';
        at += match rest[0] {
            b'{' => through(b'}'),
            b';' => through(b'\n'),
            b'[' | b'%' if line_begins => through(b'\n'),
            b'(' => {
                depth += 1;
                1
            }
            b')' => {
                depth = depth.saturating_sub(1);
                1
            }
            byte if byte.is_ascii_whitespace() || byte == b'}' => 1,
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}();".contains(byte);
                let length = rest.iter().position(ends).unwrap_or(rest.len());
                let word = String::from_utf8_lossy(&rest[..length]);
                if depth == 0 {
                    match kind_of(&word) {
                        Word::Move => moves += 1,
                        Word::Other => {}
                        Word::Unreadable => return Some(word.into_owned()),
                    }
                }
                length
            }
        };
    }
    None
}

enum Word {
    Move,
    /// A number, a result, an annotation.
    Other,
    Unreadable,
}

fn kind_of(word: &str) -> Word {
    let dashed = word.replace(['–', '—'], "-");
    if dashed.starts_with("0-0") {
        return Word::Move;
    }
    if ["1-0", "0-1", "1/2-1/2", "½-½", "*", "e.p."].contains(&dashed.as_str()) || word.starts_with('$') {
        return Word::Other;
    }
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', '…']);
    // Annotations may follow at once: `e4!?`, `e4$1`.
    let bare = bare.split(['!', '?', '$']).next().unwrap_or(bare);
    // Old games judge positions by signs: `+-`, `=`, `∞`.
    if !bare.contains(char::is_alphanumeric) {
        Word::Other
    } else if bare.starts_with("0-0") || SanPlus::from_ascii(bare.as_bytes()).is_ok() {
        Word::Move
    } else {
        Word::Unreadable
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
        assert_eq!(read(text, 7)[0].1, "\"Xyz\" is no move");
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
                    [Event \"d\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"e\"]\n\n1. e2-e4 *\n\n[Event \"ok\"]\n\n1. e4 *\n";
        let all = read(text, usize::MAX);
        let lines: Vec<_> = all.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 6, 10, 14, 18, 22]);
        for ((_, reason), expected) in all.iter().zip([
            "2. Ke3 cannot be played: illegal san",
            "its FEN tag: it is no board",
            "\"Sf3\" is no move",
            "over before it begins: checkmate",
            "\"e2-e4\" is no move",
            "rnbqkbnr/pppppppp/8/8/4P3",
        ]) {
            assert!(reason.contains(expected), "{reason} / {expected}");
        }
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
