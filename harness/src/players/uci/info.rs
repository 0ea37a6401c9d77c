//! Parser of `info` lines and `bestmove`, as engines write them.
//!
//! Words are separated by any white space. A field is found by its name, in whatever order the fields stand; a word that
//! is neither a name nor the value of one (a move of a `pv`, a field unknown here) is passed over. Lines of other
//! variations than the first do not count, nor do scores that are bounds.

use crate::game::details::MoveDetails;
use crate::game::record::Score;
use shakmaty::uci::UciMove;
use std::iter::Peekable;
use std::str::FromStr;

/// What has been said of a position so far; none where nothing has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Thoughts {
    /// The last exact score.
    pub score: Option<Score>,
    /// The last depth, plies.
    pub depth: Option<u32>,
    /// Positions searched by then.
    pub nodes: Option<u64>,
    /// Time used by then, ms, on the engine's own clock.
    pub time: Option<u32>,
}

/// An engine's last word on a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Best {
    /// A move; whether it is legal, the referee says.
    Move(UciMove),
    /// As [`Best::Move`], with the piece of a promotion in upper case.
    UpperCase(UciMove),
    /// The engine says that it has none: `(none)`, `0000`, or nothing at all.
    None,
    /// Something else.
    Unreadable,
}

/// The words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether a line is the answer to a question.
pub(super) fn is_answer(line: &[u8]) -> bool {
    words(line).next() == Some(b"bestmove")
}

impl Thoughts {
    /// Reads lines, of which only the last may be an answer, which is returned. They are read from the end, and no
    /// further than is needed: most of what engines write is soon outdated.
    pub fn read(&mut self, lines: &[u8]) -> Option<Best> {
        let mut latest = Thoughts::default();
        let mut answer = None;
        for line in lines.rsplit(|&byte| byte == b'\n') {
            let mut words = words(line);
            match words.next() {
                Some(b"bestmove") => answer = Some(best(words.next())),
                Some(b"info") => latest = latest.or(info(words)),
                _ => {}
            }
            if latest.score.is_some() && latest.depth.is_some() && latest.nodes.is_some() {
                break;
            }
        }
        *self = latest.or(*self);
        answer
    }

    /// What was said earlier counts where nothing has been said since.
    fn or(self, earlier: Thoughts) -> Thoughts {
        Thoughts {
            score: self.score.or(earlier.score),
            depth: self.depth.or(earlier.depth),
            nodes: self.nodes.or(earlier.nodes),
            time: self.time.or(earlier.time),
        }
    }
}

/// What one `info` says, after that word.
fn info<'a>(words: impl Iterator<Item = &'a [u8]>) -> Thoughts {
    let mut words = words.peekable();
    let mut said = Thoughts::default();
    let mut is_bound = false;
    while let Some(word) = words.next() {
        match word {
            // The rest of the line is any text.
            b"string" => break,
            b"multipv" if number(&mut words) != Some(1_u32) => return Thoughts::default(),
            b"depth" => said.depth = number(&mut words),
            b"nodes" => said.nodes = number(&mut words),
            b"time" => said.time = number(&mut words),
            // Only a score has these two; `score` itself says nothing.
            b"cp" => said.score = number(&mut words).map(Score::Centipawns),
            b"mate" => said.score = number(&mut words).map(Score::Mate),
            b"lowerbound" | b"upperbound" => is_bound = true,
            _ => {}
        }
    }
    Thoughts { score: said.score.filter(|_| !is_bound), ..said }
}

/// Reads the details of the first variation from lines, the last ones that tell them: `seldepth` and the moves of the `pv`, which
/// end at the first word that is no move.
pub(super) fn read_details(details: &mut MoveDetails, lines: &[u8]) {
    let mut latest = MoveDetails::default();
    for line in lines.rsplit(|&byte| byte == b'\n') {
        let mut words = words(line).peekable();
        if words.next() != Some(b"info") {
            continue;
        }
        let (mut seldepth, mut pv, mut is_other) = (None, String::new(), false);
        while let Some(word) = words.next() {
            match word {
                b"string" => break,
                b"multipv" => is_other = number(&mut words) != Some(1_u32),
                b"seldepth" => seldepth = number(&mut words),
                b"pv" => {
                    while let Some(played) = words.next_if(|word| is_move(word)) {
                        pv += if pv.is_empty() { "" } else { " " };
                        pv += &String::from_utf8_lossy(played);
                    }
                }
                _ => {}
            }
        }
        if is_other {
            continue;
        }
        latest.seldepth = latest.seldepth.or(seldepth);
        if latest.pv.is_empty() {
            latest.pv = pv;
        }
        if latest.seldepth.is_some() && !latest.pv.is_empty() {
            break;
        }
    }
    details.seldepth = latest.seldepth.or(details.seldepth);
    if !latest.pv.is_empty() {
        details.pv = latest.pv;
    }
}

fn is_move(word: &[u8]) -> bool {
    str::from_utf8(word).is_ok_and(|word| matches!(word.parse(), Ok(UciMove::Normal { .. })))
}

/// The value of a field: the next word, which is left where it is if it is no such number but perhaps a field itself.
fn number<'a, T: FromStr>(words: &mut Peekable<impl Iterator<Item = &'a [u8]>>) -> Option<T> {
    let value = str::from_utf8(words.peek()?).ok()?.parse().ok()?;
    words.next();
    Some(value)
}

fn best(word: Option<&[u8]>) -> Best {
    let Some(word) = word else { return Best::None };
    // `ponder` stands there when the move before it is an empty text.
    if matches!(word, b"(none)" | b"0000" | b"none" | b"NULL" | b"ponder") {
        return Best::None;
    }
    let mv = str::from_utf8(word).ok().and_then(|text| text.parse().ok());
    match mv {
        // A promotion in upper case is not the protocol's, but the referee's library understands it.
        Some(mv @ UciMove::Normal { .. }) if word.get(4).is_some_and(u8::is_ascii_uppercase) => {
            Best::UpperCase(mv)
        }
        Some(mv @ UciMove::Normal { .. }) => Best::Move(mv),
        // A drop such as `N@e4` is no move of chess.
        _ => Best::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same whether the lines come one by one or at once.
    #[track_caller]
    fn thoughts(lines: &[&str]) -> Thoughts {
        let (mut by_line, mut at_once) = (Thoughts::default(), Thoughts::default());
        for line in lines {
            assert_eq!(by_line.read(line.as_bytes()), None, "{line}");
        }
        assert_eq!(at_once.read((lines.join("\n") + "\n").as_bytes()), None);
        assert_eq!(at_once, by_line);
        by_line
    }

    fn cp(value: i32, depth: u32, nodes: u64) -> Thoughts {
        Thoughts { score: Some(Score::Centipawns(value)), depth: Some(depth), nodes: Some(nodes), time: None }
    }

    #[test]
    fn details_are_those_of_the_first_variation_as_told_last() {
        let read = |lines: &[&str]| {
            let (mut by_line, mut at_once) = (MoveDetails::default(), MoveDetails::default());
            lines.iter().for_each(|line| read_details(&mut by_line, line.as_bytes()));
            read_details(&mut at_once, (lines.join("\n") + "\n").as_bytes());
            assert_eq!(by_line, at_once);
            (at_once.seldepth, at_once.pv)
        };
        let first = "info depth 5 seldepth 9 multipv 1 score cp 30 nodes 100 pv e2e4 e7e5 nps 1000";
        assert_eq!(read(&[first]), (Some(9), "e2e4 e7e5".to_owned()));
        assert_eq!(read(&[first, "info pv a2a3 multipv 2 seldepth 30"]), (Some(9), "e2e4 e7e5".to_owned()));
        assert_eq!(read(&[first, "info depth 6 currmove d2d4"]), (Some(9), "e2e4 e7e5".to_owned()));
        assert_eq!(read(&[first, "info seldepth 11 string pv a2a3"]), (Some(11), "e2e4 e7e5".to_owned()));
        assert_eq!(read(&[first, "info pv e7e8q bmc 3", "bestmove e7e8q"]), (Some(9), "e7e8q".to_owned()));
        assert_eq!(read(&["info depth 5", "bestmove e2e4"]), (None, String::new()));
    }

    #[test]
    fn the_engines_own_time_is_the_last_it_told() {
        assert_eq!(thoughts(&["info depth 5 time 12 score cp 3 nodes 9"]).time, Some(12));
        assert_eq!(
            thoughts(&["info time 12 depth 5", "info depth 6 nodes 9 time 15 score cp 3"]).time,
            Some(15)
        );
        assert_eq!(thoughts(&["info depth 5 time x score cp 3", "info string time 7"]).time, None);
    }

    #[test]
    fn white_space_of_any_kind() {
        let line = " \tinfo  depth\t7 seldepth 9 score cp -12\tnodes 900 pv e2e4 e7e5\r";
        assert_eq!(thoughts(&[line]), cp(-12, 7, 900));
    }

    #[test]
    fn only_the_first_variation_and_exact_scores_count() {
        let exact = "info depth 5 multipv 1 score cp 30 nodes 100 pv e2e4";
        assert_eq!(
            thoughts(&[exact, "info depth 5 multipv 10 score cp -90 nodes 100 pv a2a3"]),
            cp(30, 5, 100)
        );
        assert_eq!(
            thoughts(&[exact, "info depth 5 multipv 2 score cp -90 nodes 100 pv a2a3"]),
            cp(30, 5, 100)
        );
        assert_eq!(
            thoughts(&[exact, "info depth 6 score cp 500 lowerbound nodes 150 pv e2e4"]),
            cp(30, 6, 150)
        );
        assert_eq!(thoughts(&[exact, "info depth 6 score upperbound cp 5 nodes 150"]), cp(30, 6, 150));
        assert_eq!(thoughts(&[exact, "info depth 6 currmove e2e4 currmovenumber 1"]), cp(30, 6, 100));
        assert_eq!(thoughts(&[exact, "info string score cp 7 depth 99"]), cp(30, 5, 100));
        assert_eq!(thoughts(&[exact, "info depth x score cp y nodes -1"]), cp(30, 5, 100));
        let mate = thoughts(&["info depth 9 score mate -3 nodes 7"]);
        assert_eq!(mate.score, Some(Score::Mate(-3)));
    }

    #[test]
    fn fields_in_any_order() {
        for line in [
            "info depth 7 nodes 500 pv e2e4 nps 1000 score cp -2000",
            "info pv e2e4 e7e5 depth 7 nodes 500 score cp -2000",
            "info score cp -2000 pv e2e4 multipv 1 nodes 500 depth 7",
            "info depth 3 pv e7e8q (none) 0000 depth 7 score cp -2000 wdl 1 2 997 nodes 500 string score cp 5",
            "info nodes 500 currline 1 e2e4 e7e5 score cp -2000 refutation d1h5 depth 7",
            "info depth score cp -2000 time nodes 500 depth 7",
        ] {
            assert_eq!(thoughts(&[line]), cp(-2000, 7, 500), "{line}");
        }
        for other in [
            "info depth 9 score cp -900 nodes 600 pv e2e4 multipv 2",
            "info pv e2e4 multipv 3 score mate 1 depth 9 nodes 600",
            "info string pv e2e4 depth 9 score cp 1 nodes 600",
            "info pv e2e4 string depth 9 score cp 1 nodes 600",
        ] {
            assert_eq!(thoughts(&["info depth 7 nodes 500 score cp -2000", other]), cp(-2000, 7, 500));
        }
        let bound = "info pv e2e4 lowerbound depth 8 score cp 500 nodes 600";
        assert_eq!(thoughts(&["info score cp 5", bound]), cp(5, 8, 600));
    }

    #[test]
    fn answers_of_every_sort() {
        let best = |text: &str| {
            let answer = Thoughts::default().read(format!("info depth 1\n{text}\n").as_bytes());
            answer.unwrap_or_else(|| panic!("{text}"))
        };
        assert_eq!(best("bestmove e2e4 ponder e7e5\r"), Best::Move("e2e4".parse().unwrap()));
        assert_eq!(best("\t bestmove\te7e8q"), Best::Move("e7e8q".parse().unwrap()));
        assert_eq!(best("bestmove a7a8Q"), Best::UpperCase("a7a8q".parse().unwrap()));
        for none in ["bestmove (none)", "bestmove 0000", "bestmove", "bestmove NULL", "bestmove  ponder e7e5"]
        {
            assert_eq!(best(none), Best::None, "{none}");
        }
        for nonsense in
            ["bestmove Nf3", "bestmove E2E4", "bestmove N@e4", "bestmove e2-e4", "bestmove \u{1b}[1m"]
        {
            assert_eq!(best(nonsense), Best::Unreadable, "{nonsense}");
        }
        assert!(!is_answer(b"bestmovee2e4") && is_answer(b"\t bestmove"));
        assert_eq!(Thoughts::default().read(b"bestmovee2e4"), None);
    }

    proptest! {
        #[test]
        fn no_line_breaks_the_reader(line in prop::collection::vec(any::<u8>(), 0..80), first in 0..3) {
            let start: &[u8] = [&b"info "[..], b"bestmove ", b""][first as usize];
            let _ = Thoughts::default().read(&[start, &line].concat());
        }
    }
}
