//! PGN of a stored game. As pgn-extract and any GUI read it, with the players' thoughts as comments and only legal moves in
//! the movetext.
//!
//! The form is that of the PGN export format (S. J. Edwards, 1994); the comments are in the
//! form cutechess introduced.

use super::details::{Details, MoveDetails, rfc3339};
use super::fen::fen_of;
use super::limit::{Limit, seconds};
use super::record::{GameRecord, MoveRecord, Score, Termination};
use super::referee::IllegalMove;
use super::timing::Timing;
use crate::game::opening::{BadOpening, Opening};
use shakmaty::san::SanPlus;
use shakmaty::{ByColor, Chess, Color, Position};
use std::fmt;
use std::time::Duration;

/// Lines are broken before this column.
const COLUMNS: usize = 80;

/// What the record does not know and the tags want.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    /// The experiment.
    pub event: &'a str,
    /// Where it was played.
    pub site: &'a str,
    /// When it was played: `2026.01.31`, with `??` for what is unknown.
    pub date: &'a str,
    /// The pair's number, as it is to be shown.
    pub pair: u64,
    /// 1 or 2, the game of the pair.
    pub game: u8,
    /// The base's name.
    pub base: &'a str,
    /// The candidate's name.
    pub candidate: &'a str,
    /// The limits of base and candidate.
    pub limits: [Limit; 2],
    /// What is said before the first move; nothing if it is empty.
    pub remark: &'a str,
}

/// A record that is no game: the store it comes from is damaged.
#[derive(Clone, Debug)]
pub enum Unwritable {
    /// The opening cannot be set up.
    Opening(BadOpening),
    /// A recorded move is not legal.
    Move(IllegalMove),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stored game cannot be written as PGN: ")?;
        match self {
            Unwritable::Opening(bad) => write!(f, "its opening is unplayable: {bad}"),
            Unwritable::Move(illegal) => write!(f, "its move {illegal}"),
        }?;
        f.write_str("; the store is damaged, restore it from a copy or replay the pair")
    }
}

impl std::error::Error for Unwritable {}

/// The game as PGN, with an empty line after it.
///
/// # Errors
///
/// The record does not describe a game of chess.
pub fn write_pgn(record: &GameRecord, header: &Header) -> Result<String, Unwritable> {
    let opening = Opening::parse(&record.opening, 0).map_err(Unwritable::Opening)?;
    let mut pgn = tags(record, header, &opening);
    pgn.push('\n');
    let remark = match header.remark {
        "" => String::new(),
        remark => format!("{{{}}} ", comment(remark)),
    };
    let limits = record.by_color(header.limits);
    pgn.push_str(&wrapped(&(remark + &movetext(record, limits, &opening)?)));
    pgn.push_str("\n\n");
    Ok(pgn)
}

/// The seven tag roster, then the others in the order of the export format.
fn tags(record: &GameRecord, header: &Header, opening: &Opening) -> String {
    let ByColor { white, black } = record.by_color([header.base, header.candidate]);
    let mut pgn = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        pgn.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    tag("Event", header.event);
    tag("Site", header.site);
    tag("Date", header.date);
    tag("Round", &format!("{}.{}", header.pair, header.game));
    tag("White", white);
    tag("Black", black);
    tag("Result", record.result.as_str());
    let set_up = opening.fen != fen_of(&Chess::new());
    if let Some(details) = &record.details {
        let Details { begun, ended, base, candidate, .. } = details;
        let ByColor { white, black } = record.by_color([base, candidate]);
        for (name, engine) in [("EngineBlackName", black), ("EngineWhiteName", white)] {
            engine.iter().for_each(|engine| tag(name, engine));
        }
        tag("GameDuration", &details.duration());
        tag("GameEndTime", &rfc3339(*ended));
        tag("GameStartTime", &rfc3339(*begun));
    }
    if set_up {
        tag("FEN", &opening.fen);
    }
    tag("PlyCount", &record.moves.len().to_string());
    if set_up {
        tag("SetUp", "1");
    }
    tag("Termination", termination_tag(record.termination));
    let ByColor { white, black } = record.by_color(header.limits.map(time_control_tag));
    if white == black {
        tag("TimeControl", &white);
    } else {
        tag("WhiteTimeControl", &white);
        tag("BlackTimeControl", &black);
    }
    if opening.chess960 {
        tag("Variant", "Chess960");
    }
    pgn
}

/// The ending in the words the PGN standard has.
const fn termination_tag(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::Repetition
        | Termination::FiftyMoves
        | Termination::InsufficientMaterial => "normal",
        Termination::TimeForfeit => "time forfeit",
        Termination::IllegalMove | Termination::NoMove => "rules infraction",
        Termination::Crash | Termination::Stall => "abandoned",
        Termination::Adjudication => "adjudication",
    }
}

/// The limit in the words the PGN standard has, which knows only time.
fn time_control_tag(limit: Limit) -> String {
    match (limit.tc, limit.movetime) {
        (Some(control), _) => control.to_string().replace(',', ":"),
        (None, Some(milliseconds)) => format!("1/{}", seconds(milliseconds)),
        (None, None) => "-".to_owned(),
    }
}

/// Moves, comments and result, separated by single blanks.
fn movetext(record: &GameRecord, limits: ByColor<Limit>, opening: &Opening) -> Result<String, Unwritable> {
    let mut position = opening.position();
    let mut text = String::new();
    let mut told = record.details.as_ref().map(|details| Told::new(details, limits));
    for (index, played) in record.moves.iter().enumerate() {
        let uci = played.uci;
        let chosen = uci
            .to_move(&position)
            .map_err(|_| Unwritable::Move(IllegalMove { uci, fen: fen_of(&position) }))?;
        let number = position.fullmoves();
        let turn = position.turn();
        let dots = match turn {
            Color::White => ".",
            Color::Black => "...",
        };
        let san = SanPlus::from_move_and_play_unchecked(&mut position, chosen);
        let more = told.as_mut().map_or(String::new(), |told| told.of_move(turn, index, played));
        text.push_str(&format!("{number}{dots} {san} {{{}{more}}} ", thought(played)));
    }
    let mut ending = record.termination.to_string();
    if !record.detail.is_empty() {
        ending = format!("{ending}: {}", record.detail);
    }
    text.push_str(&format!("{{{}}} {}", comment(&ending), record.result));
    Ok(text)
}

/// What is told of a game whose details were kept.
struct Told<'a> {
    moves: &'a [MoveDetails],
    /// The clocks, run again with the times of the moves.
    timing: Timing,
}

impl<'a> Told<'a> {
    fn new(details: &'a Details, limits: ByColor<Limit>) -> Told<'a> {
        // The game was judged when it was played.
        Told { moves: &details.moves, timing: Timing::new(limits.map(|limit| (limit, Duration::MAX))) }
    }

    /// `, tl=9.812s, latency=0.001s, sd=18, pv="e2e4 e7e5"`, in the words of fastchess (MIT): time left after the move, how much
    /// later than on the player's own clock its answer came, selective depth, principal variation.
    fn of_move(&mut self, turn: Color, index: usize, played: &MoveRecord) -> String {
        let _ = self.timing.spend(turn, Duration::from_micros(played.micros));
        let left = self.timing.left_ms(turn).map(|left| format!("tl={}s", in_seconds(left)));
        let latency = played.latency_ms().map(|latency| format!("latency={}s", in_seconds(latency)));
        let MoveDetails { seldepth, pv } = self.moves.get(index).cloned().unwrap_or_default();
        let seldepth = seldepth.map(|seldepth| format!("sd={seldepth}"));
        let pv = (!pv.is_empty()).then(|| format!("pv=\"{}\"", comment(&pv)));
        let told = [left, latency, seldepth, pv].into_iter().flatten();
        told.map(|told| format!(", {told}")).collect()
    }
}

/// Milliseconds as `9.812`.
fn in_seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// What the player said of its move: `+0.35/12 0.021s, n=5003`.
fn thought(played: &MoveRecord) -> String {
    let score = match played.score {
        Some(Score::Centipawns(value)) => {
            let sign = match value.signum() {
                1 => "+",
                -1 => "-",
                _ => "",
            };
            let value = value.unsigned_abs();
            format!("{sign}{}.{:02}", value / 100, value % 100)
        }
        Some(Score::Mate(moves)) => {
            // Mate in 0 is a mate on the board: its player has lost.
            format!("{}M{}", if moves <= 0 { '-' } else { '+' }, moves.unsigned_abs())
        }
        None => "?".to_owned(),
    };
    let MoveRecord { depth, nodes, micros, .. } = played;
    let milliseconds = micros.saturating_add(500) / 1000;
    format!("{score}/{depth} {}s, n={nodes}", in_seconds(milliseconds))
}

/// Makes a text safe inside braces, which PGN has no way to escape.
pub(crate) fn comment(text: &str) -> String {
    one_line(text).replace('{', "(").replace('}', ")")
}

/// Turns line breaks and other control characters into blanks, and runs of blanks into one.
pub(crate) fn one_line(text: &str) -> String {
    let printable: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    printable.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Breaks the text at blanks. Longer words stay whole, and no line begins with `%`, which would make
/// a reader skip it, or with `[`, which would look like a tag.
pub(crate) fn wrapped(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 {
            if column + 1 + length < COLUMNS || word.starts_with(['%', '[']) {
                lines.push(' ');
                column += 1;
            } else {
                lines.push('\n');
                column = 0;
            }
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::record::{GameResult, Side, Telemetry};
    use std::io::Write;
    use std::process::{Command, Stdio};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn header() -> Header<'static> {
        Header {
            event: "pvs against base",
            site: "?",
            date: "2026.01.31",
            pair: 17,
            game: 2,
            base: "base",
            candidate: "pvs",
            limits: [Limit::nodes(5000); 2],
            remark: "",
        }
    }

    fn record(opening: &str, moves: &str, result: GameResult, termination: Termination) -> GameRecord {
        let scores = [Some(Score::Centipawns(35)), Some(Score::Centipawns(-1234)), Some(Score::Mate(3))];
        let more = [Some(Score::Mate(-2)), Some(Score::Centipawns(0)), None];
        let moves = moves
            .split_whitespace()
            .zip(scores.into_iter().chain(more).cycle())
            .map(|(uci, score)| MoveRecord {
                uci: uci.parse().unwrap(),
                score,
                depth: 12,
                nodes: 5003,
                micros: 21_400,
                own_ms: None,
            })
            .collect();
        let opening = opening.to_owned();
        GameRecord {
            opening,
            white: Side::Candidate,
            moves,
            result,
            termination,
            detail: String::new(),
            telemetry: Telemetry::default(),
            details: None,
        }
    }

    fn fools_mate() -> GameRecord {
        record(START, "f2f3 e7e5 g2g4 d8h4", GameResult::BlackWins, Termination::Checkmate)
    }

    #[test]
    fn the_whole_text() {
        let expected = "\
[Event \"pvs against base\"]
[Site \"?\"]
[Date \"2026.01.31\"]
[Round \"17.2\"]
[White \"pvs\"]
[Black \"base\"]
[Result \"0-1\"]
[PlyCount \"4\"]
[Termination \"normal\"]
[TimeControl \"-\"]

1. f3 {+0.35/12 0.021s, n=5003} 1... e5 {-12.34/12 0.021s, n=5003} 2. g4
{+M3/12 0.021s, n=5003} 2... Qh4# {-M2/12 0.021s, n=5003} {checkmate} 0-1

";
        assert_eq!(write_pgn(&fools_mate(), &header()).unwrap(), expected);
    }

    #[test]
    fn a_mate_has_the_sign_of_who_wins() {
        let mut played = fools_mate().moves.remove(0);
        for (moves, written) in [(0, "-M0"), (1, "+M1"), (-1, "-M1"), (12, "+M12"), (-7, "-M7")] {
            played.score = Some(Score::Mate(moves));
            assert!(thought(&played).starts_with(&format!("{written}/")), "{}", thought(&played));
        }
    }

    #[test]
    fn details_are_told_with_the_moves_they_belong_to() {
        let mut record = fools_mate();
        record.moves[1].own_ms = Some(20);
        record.moves[3].own_ms = Some(30);
        let told = |seldepth, pv: &str| MoveDetails { seldepth, pv: pv.to_owned() };
        record.details = Some(Details {
            begun: 1_798_718_645_250,
            ended: 1_798_722_306_249,
            base: None,
            candidate: Some("Sturdy \"3\"".to_owned()),
            moves: vec![told(Some(15), "f2f3 e7e5"), told(None, ""), told(None, "g2g4 } d8h4")],
        });
        let limits = [Limit::nodes(5000), Limit::tc("1+0.5".parse().unwrap())];
        let text = write_pgn(&record, &Header { limits, ..header() }).unwrap();
        let [tags, moves] = text.trim_end().split("\n\n").collect::<Vec<_>>().try_into().unwrap();
        assert!(!tags.contains("EngineBlackName"), "{tags}");
        let tag = r#"[EngineWhiteName "Sturdy \"3\""]
[GameDuration "01:01:00"]
[GameEndTime "2026-12-31T13:05:06.249Z"]
[GameStartTime "2026-12-31T12:04:05.250Z"]
"#;
        assert!(tags.contains(tag), "{tags}");
        // White has the clock: 1.5 s at first, less 21 ms, and half a second more for each move.
        let expected = "1. f3 {+0.35/12 0.021s, n=5003, tl=1.978s, sd=15, pv=\"f2f3 e7e5\"} \
            1... e5 {-12.34/12 0.021s, n=5003, latency=0.002s} \
            2. g4 {+M3/12 0.021s, n=5003, tl=2.457s, pv=\"g2g4 ) d8h4\"} \
            2... Qh4# {-M2/12 0.021s, n=5003, latency=0.000s} {checkmate} 0-1";
        assert_eq!(moves.replace('\n', " "), expected);
    }

    #[test]
    fn limits_as_pgn_writes_them() {
        assert_eq!(time_control_tag(Limit::depth(3)), "-");
        assert_eq!(time_control_tag(Limit::movetime(100)), "1/0.1");
        assert_eq!(time_control_tag(Limit::tc("40/1:00+0.6".parse().unwrap())), "40/60+0.6");
        assert_eq!(
            time_control_tag(Limit::tc("40/90:00,20/30:00,15:00+5".parse().unwrap())),
            "40/5400:20/1800:900+5"
        );
    }

    #[test]
    fn lines_are_short_and_never_begin_with_what_a_reader_takes_for_something_else() {
        let mut fault = fools_mate();
        fault.detail = format!("panicked at {} %escape [Event \"x\"]", "%a [b ".repeat(60));
        let pgn = write_pgn(&fault, &header()).unwrap();
        let movetext = pgn.split_once("\n\n").unwrap().1;
        assert!(movetext.lines().all(|line| !line.starts_with(['%', '['])), "{movetext}");
        let short = write_pgn(&fools_mate(), &header()).unwrap();
        assert!(short.lines().all(|line| line.chars().count() < COLUMNS));
    }

    #[test]
    fn a_damaged_record_is_refused() {
        let mut damaged = fools_mate();
        damaged.moves.remove(1);
        let error = write_pgn(&damaged, &header()).unwrap_err().to_string();
        assert!(
            error.contains("its move g2g4 is not legal in") && error.contains("replay the pair"),
            "{error}"
        );
        damaged.opening = "nonsense".to_owned();
        assert!(matches!(write_pgn(&damaged, &header()), Err(Unwritable::Opening(_))));
    }

    /// Games of every kind, with names and evidence that try to break out of tags and comments.
    fn awkward_games() -> Vec<String> {
        let mut games = Vec::new();
        let mut add = |record: GameRecord, limit: Limit, name: &str| {
            let header = Header { limits: [limit; 2], candidate: name, ..header() };
            games.push(write_pgn(&record, &header).unwrap());
        };
        add(fools_mate(), Limit::nodes(5000), "plain");

        let endgame = "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 3 40";
        let mut illegal =
            record(endgame, "e8g8 b7a8q g2h1n e1c1", GameResult::WhiteWins, Termination::IllegalMove);
        illegal.detail = format!("e1e9 is not legal in {endgame}");
        add(illegal, Limit::movetime(100), "quote \" and backslash \\");

        let mut crash = record(START, "", GameResult::WhiteWins, Termination::Crash);
        crash.detail = "panicked at 'x':\n} 1-0 {\n%\n[Event \"no\"] ; (1. e4)\r\n\u{1b}[31m ü".to_owned();
        add(crash, Limit::tc("40/60+0.6".parse().unwrap()), "new\nline");

        let shuffled = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 2 9";
        let moves = "e1g1 e8b8 a2a4";
        let mut late = record(shuffled, moves, GameResult::BlackWins, Termination::TimeForfeit);
        late.detail = "took 0.200 s".to_owned();
        add(late, Limit::depth(4), "chess960");

        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        add(record(START, shuffle, GameResult::Draw, Termination::Repetition), Limit::nodes(1), "draw");
        let mut adjudicated = record(START, "e2e4", GameResult::BlackWins, Termination::Adjudication);
        adjudicated.detail =
            "White saw itself 600 centipawns down or mated in 1 of its moves in a row".to_owned();
        add(adjudicated, Limit::nodes(1), "adjudicated");
        games
    }

    #[test]
    fn chess960_is_marked_and_castles_in_letters() {
        let games = awkward_games();
        assert!(games[3].contains("[Variant \"Chess960\"]"), "{}", games[3]);
        assert!(
            games[3].contains("O-O-O {") && games[3].contains("O-O {") && games[3].contains("w GBgb - 2 9")
        );
        assert!(games[3].contains("[SetUp \"1\"]"));
    }

    /// `pgn-extract` reads every game without a word of complaint and finds as many as were written.
    #[test]
    fn pgn_extract_has_no_complaint() {
        let games = awkward_games();
        // Debian installs it where not every PATH looks.
        let mut child = ["pgn-extract", "/usr/games/pgn-extract"]
            .into_iter()
            .find_map(|program| {
                Command::new(program)
                    .arg("-s")
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .ok()
            })
            .expect("this test needs the program pgn-extract: install it (Debian package pgn-extract)");
        child.stdin.take().unwrap().write_all(games.concat().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "complaints about\n{}", games.concat());
        let read = String::from_utf8_lossy(&output.stdout);
        assert_eq!(read.lines().filter(|line| line.starts_with("[Event ")).count(), games.len(), "{read}");
    }
}
