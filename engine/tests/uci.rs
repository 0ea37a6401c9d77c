//! UCI protocol: the program with a GUI, a match runner and malicious input.
//!
//! Every test talks to the real program. Nothing here measures time; a watchdog only turns a hang into a
//! failure.

mod common;

use common::{assert_playable, position};
use engine::params::PARAMS;
use engine::position::{Move, Position};
use engine::techniques::{TECHNIQUES, Techniques};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// After this long without a line, the engine counts as hung.
const PATIENCE: Duration = Duration::from_secs(60);

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_engine"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                let _ = sender.send(line.expect("the engine writes UTF-8"));
            }
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// The lines up to the first that begins with `word`, that one last.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().split_whitespace().next() == Some(word) {
                return lines;
            }
        }
    }

    /// What the engine says to these lines, without the `readyok` that ends it.
    fn said_to(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.send("isready");
        let mut said = self.until("readyok");
        said.pop();
        said
    }

    fn best_move(&mut self) -> String {
        let lines = self.until("bestmove");
        lines.last().unwrap().split_whitespace().nth(1).unwrap().to_owned()
    }

    /// Everything said until the program has ended, which it must do without failing.
    fn ended(mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(_) => panic!("the engine does not end"),
            }
        }
        let mut complaints = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success() && complaints.is_empty(), "{status}: {complaints}");
        lines
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn errors(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string error: ")).collect()
}

/// An `info` line with a score, taken apart.
struct Info {
    depth: u32,
    nodes: u64,
    score: (String, i32),
    exact: bool,
    pv: Vec<Move>,
}

/// Reads an `info` line as the protocol defines it; every word must be accounted for.
fn parse_info(line: &str, position: &Position) -> Info {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], "info", "{line}");
    let (mut fields, mut score, mut exact, mut pv) = (BTreeMap::new(), None, true, Vec::new());
    let mut at = 1;
    while at < words.len() {
        match words[at] {
            key @ ("depth" | "seldepth" | "nodes" | "nps" | "hashfull" | "time") => {
                let old = fields.insert(key, words[at + 1].parse::<u64>().expect(line));
                assert_eq!(old, None, "{line}");
                at += 2;
            }
            "score" => {
                let unit = words[at + 1];
                assert!(["cp", "mate"].contains(&unit), "{line}");
                score = Some((unit.to_owned(), words[at + 2].parse().expect(line)));
                at += 3;
            }
            "lowerbound" | "upperbound" => {
                exact = false;
                at += 1;
            }
            "pv" => {
                let mut board = position.clone();
                assert!(at + 1 < words.len(), "an empty pv: {line}");
                for text in &words[at + 1..] {
                    let mv = board.parse_uci(text).unwrap_or_else(|error| panic!("{line}: {error}"));
                    pv.push(mv);
                    board = board.play(mv);
                }
                at = words.len();
            }
            other => panic!("{other:?} in {line}"),
        }
    }
    assert!(fields["hashfull"] <= 1000, "{line}");
    assert_eq!(fields.len(), 6, "{line}");
    Info { depth: fields["depth"] as u32, nodes: fields["nodes"], score: score.expect(line), exact, pv }
}

/// Searches and takes the answer apart; the last report and `bestmove` must agree.
fn go(engine: &mut Engine, position: &Position, command: &str) -> Vec<Info> {
    engine.send(command);
    answer(engine, position)
}

fn answer(engine: &mut Engine, position: &Position) -> Vec<Info> {
    let lines = engine.until("bestmove");
    let infos: Vec<Info> = lines[..lines.len() - 1].iter().map(|line| parse_info(line, position)).collect();
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    let line = &infos.last().expect("a report before every answer").pv;
    assert_playable(position, line, "pv");
    let mut board = position.clone();
    for (word, mv) in words.iter().skip(1).step_by(2).zip(line) {
        assert_eq!(board.parse_uci(word).unwrap(), *mv, "{lines:?}");
        board = board.play(*mv);
    }
    assert!(infos.is_sorted_by_key(|info| info.nodes));
    infos
}

#[test]
fn the_handshake_lists_every_option_once_with_a_range_that_holds_its_default() {
    let mut engine = Engine::start(&[]);
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name ") && lines[1].starts_with("id author "));
    let mut names = Vec::new();
    for line in lines.iter().filter(|line| line.starts_with("option")) {
        let (name, rest) = line.strip_prefix("option name ").unwrap().split_once(" type ").unwrap();
        names.push(name.to_owned());
        let words: Vec<&str> = rest.split(' ').collect();
        match words[..] {
            ["spin", "default", default, "min", min, "max", max] => {
                let [default, min, max] = [default, min, max].map(|text| text.parse::<i64>().unwrap());
                assert!(min <= default && default <= max, "{line}");
            }
            ["check", "default", "true" | "false"] | ["button"] => {}
            _ => panic!("{line}"),
        }
    }
    let mut expected = vec!["Hash", "Threads", "Ponder", "UCI_Chess960", "Clear Hash"];
    expected.extend(TECHNIQUES.iter().map(|info| info.name));
    expected.extend(PARAMS.iter().map(|info| info.name));
    assert_eq!(names, expected);
    engine.send("quit");
    assert_eq!(engine.ended(), [] as [&str; 0]);
}

#[test]
fn the_defaults_shown_are_those_of_the_command_line() {
    let mut engine = Engine::start(&["--set", "killers=false", "--set", "aspiration_delta=31"]);
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines.contains(&"option name killers type check default false".to_owned()));
    assert!(lines.iter().any(|line| line.starts_with("option name aspiration_delta type spin default 31 ")));
}

#[test]
fn every_option_can_be_set_in_any_case_and_takes_no_nonsense() {
    let mut engine = Engine::start(&[]);
    let on = Techniques::default();
    for (info, value) in on.iter() {
        for name in [info.name.to_owned(), info.name.to_uppercase()] {
            let command = format!("setoption name {name} value {value}");
            assert_eq!(engine.said_to(&command), [] as [&str; 0], "{command}");
        }
        for nonsense in ["", " value", " value 1", " value yes please"] {
            let said = engine.said_to(&format!("setoption name {}{nonsense}", info.name));
            assert_eq!(errors(&said).len(), 1, "{said:?}");
            assert!(said[0].contains(info.name) && said[0].contains("true or false"), "{said:?}");
        }
    }
    for info in PARAMS {
        for value in [info.min, info.max, info.default] {
            // `rfp_improving` must stay below `rfp_margin`: alone, its maximum is too much, and so is the minimum of that.
            let contradicts =
                [("rfp_improving", info.max), ("rfp_margin", info.min)].contains(&(info.name, value));
            let said = engine.said_to(&format!("setoption name {} value {value}", info.name));
            assert_eq!(said.is_empty(), !contradicts, "{} {value}: {said:?}", info.name);
        }
        let (below, above) = (i64::from(info.min) - 1, i64::from(info.max) + 1);
        for nonsense in
            [below.to_string(), above.to_string(), "1.5".into(), "x".into(), String::new(), "9".repeat(40)]
        {
            let said = engine.said_to(&format!("setoption name {} value {nonsense}", info.name));
            assert_eq!(errors(&said).len(), 1, "{said:?}");
            assert!(said[0].contains(info.name), "{said:?}");
        }
    }
    for (command, complaints) in [
        ("setoption name Hash value 2", 0),
        ("setoption name hASH value 1", 0),
        ("setoption name Hash value 0", 1),
        ("setoption name Hash value -1", 1),
        ("setoption name Hash value 99999999999999999999", 1),
        ("setoption name Threads value 1", 0),
        ("setoption name Threads value 2", 1),
        ("setoption name Ponder value true", 0),
        ("setoption name Clear Hash", 0),
        ("setoption name clear   hash", 0),
        ("setoption name UCI_Chess960 value maybe", 1),
        ("setoption name No Such Thing value 3", 1),
        ("setoption name", 1),
        ("setoption", 1),
        ("setoption value 3", 1),
    ] {
        let said = engine.said_to(command);
        assert_eq!((errors(&said).len(), said.len()), (complaints, complaints), "{command}: {said:?}");
    }
    engine.send("position startpos");
    assert_eq!(go(&mut engine, &Position::start(), "go depth 3").last().unwrap().depth, 3);
}

#[test]
fn options_that_do_not_fit_together_are_reported_and_the_last_good_ones_play() {
    let mut engine = Engine::start(&[]);
    let said = engine.said_to("setoption name alpha_beta value false");
    let dependants =
        TECHNIQUES.iter().filter(|info| info.default && info.needs.contains(&"alpha_beta")).count();
    assert_eq!(errors(&said).len(), dependants, "one for each that needs it: {said:?}");
    engine.send("go depth 4");
    let lines = engine.until("bestmove");
    assert_eq!(errors(&lines).len(), dependants, "{lines:?}");
    assert_eq!(engine.said_to("setoption name alpha_beta value true"), [] as [&str; 0]);
    assert_eq!(errors(&engine.said_to("setoption name pvs value false")).len(), 1, "`lmr` needs it");
}

#[test]
fn an_option_changes_the_search_that_follows() {
    let mut engine = Engine::start(&[]);
    let start = Position::start();
    let mut nodes = |option: &str| {
        engine.send(option);
        engine.send("ucinewgame");
        go(&mut engine, &start, "go depth 5").last().unwrap().nodes
    };
    let with = nodes("setoption name killers value true");
    let without = nodes("setoption name killers value false");
    assert_ne!(with, without);
    assert_eq!(nodes("setoption name killers value true"), with, "the same search from the same state");
}

#[test]
fn every_limit_ends_its_search() {
    let mut engine = Engine::start(&[]);
    let start = Position::start();
    for command in [
        "go depth 4",
        "go nodes 3000",
        "go nodes 1",
        "go nodes 0",
        "go depth 0",
        "go depth -3",
        "go movetime 20",
        "go movetime 0",
        "go movetime -7",
        "go wtime 200 btime 200",
        "go wtime 200 btime 200 winc 10 binc 10 movestogo 1",
        "go wtime 0 btime 0",
        "go wtime -500 btime 100 movestogo 0",
        "go depth 99 nodes 2000 movetime 60000 wtime 60000",
        "go depth 4294967296 nodes 18446744073709551616 nodes 500",
    ] {
        engine.send("position startpos");
        engine.send(command);
        let lines = engine.until("bestmove");
        let infos: Vec<Info> =
            lines.iter().filter(|l| l.contains(" score ")).map(|l| parse_info(l, &start)).collect();
        assert_eq!(infos.last().unwrap().pv.len().min(1), 1, "{command}: {lines:?}");
        if command.contains("nodes") && !command.contains("-") {
            assert!(infos.last().unwrap().nodes <= 3000, "{command}");
        }
    }
    assert_eq!(go(&mut engine, &start, "go depth 4").last().unwrap().depth, 4);
}

#[test]
fn a_mate_that_is_asked_for_ends_the_search() {
    let mut engine = Engine::start(&[]);
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    let infos = go(&mut engine, &position(fen), "go mate 2");
    let last = infos.last().unwrap();
    assert_eq!((last.score.clone(), last.exact), (("mate".to_owned(), 2), true));
    let best = last.pv[0].to_uci(false);
    assert_eq!(best, "a1a6");
}

#[test]
fn the_game_is_over_where_there_is_no_move() {
    let mut engine = Engine::start(&[]);
    for (fen, score) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"), ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "mate 0")]
    {
        engine.send(&format!("position fen {fen}"));
        for command in ["go depth 5", "go movetime 5", "go nodes 10"] {
            engine.send(command);
            let lines = engine.until("bestmove");
            assert_eq!(lines.last().unwrap(), "bestmove (none)");
            assert!(lines[0].contains(&format!(" score {score} ")), "{lines:?}");
            parse_info(&lines[0], &position(fen));
        }
    }
}

#[test]
fn searchmoves_restrict_the_root() {
    let mut engine = Engine::start(&[]);
    for (moves, allowed) in [("a2a3", &["a2a3"][..]), ("h2h4 b1a3", &["h2h4", "b1a3"])] {
        engine.send("position startpos");
        for command in [format!("go depth 4 searchmoves {moves}"), format!("go searchmoves {moves} nodes 1")]
        {
            engine.send(&command);
            assert!(allowed.contains(&engine.best_move().as_str()), "{command}");
        }
    }
    engine.send("go searchmoves e2e5 depth 2");
    let lines = engine.until("bestmove");
    assert_eq!(errors(&lines).len(), 1, "{lines:?}");
}

#[test]
fn an_endless_search_ends_when_told_and_not_before() {
    let mut engine = Engine::start(&[]);
    engine.send("position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"); // over at once, whatever the depth
    for command in
        ["go infinite", "go", "go ponder depth 2", "go ponder wtime 1 btime 1", "go infinite depth 1"]
    {
        engine.send(command);
        assert!(engine.said_to("").iter().all(|line| !line.starts_with("bestmove")), "{command}");
        engine.send("stop");
        engine.best_move();
    }
    assert_eq!(engine.said_to("stop\nstop\nponderhit"), [] as [&str; 0], "nothing to stop");
}

#[test]
fn a_ponder_search_answers_after_the_hit() {
    let mut engine = Engine::start(&[]);
    let game = "position startpos moves e2e4 e7e5";
    for command in
        ["go ponder depth 3", "go ponder movetime 1", "go ponder wtime 100 btime 100", "go ponder nodes 100"]
    {
        engine.send(game);
        engine.send(command);
        assert!(engine.said_to("").iter().all(|line| !line.starts_with("bestmove")), "{command}");
        engine.send("ponderhit");
        engine.best_move();
    }
}

#[test]
fn commands_during_a_search_neither_hang_nor_lose_its_answer() {
    let mut engine = Engine::start(&[]);
    for command in [
        "ucinewgame",
        "position startpos moves e2e4",
        "setoption name Hash value 3",
        "setoption name Clear Hash",
        "go depth 1",
    ] {
        engine.send("position startpos");
        engine.send("go infinite");
        engine.said_to(
            "uci\ndebug on\nsetoption name pvs value true\nsetoption name aspiration_delta value 20",
        );
        engine.send(command);
        engine.best_move();
        if command.starts_with("go") {
            engine.best_move();
        }
        assert_eq!(engine.said_to(""), [] as [&str; 0], "{command}");
    }
}

#[test]
fn the_program_ends_with_quit_and_with_its_input() {
    for last in ["", "go infinite\n", "go ponder depth 3\n", "go\n"] {
        for quit in ["quit\n", "quit", "", "stop\n", "isready"] {
            let mut engine = Engine::start(&[]);
            engine.send_bytes(format!("position startpos\n{last}{quit}").as_bytes());
            let lines = engine.ended();
            let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, usize::from(!last.is_empty()), "{last:?} {quit:?}: {lines:?}");
        }
    }
    // What has a limit is finished first: `echo "go depth 5" | engine` gives an answer of depth 5.
    let mut engine = Engine::start(&[]);
    engine.send_bytes(b"go depth 5");
    let lines = engine.ended();
    assert!(lines[lines.len() - 2].starts_with("info depth 5 "), "{lines:?}");
}

#[test]
fn garbage_is_answered_in_few_words_and_survived() {
    let mut engine = Engine::start(&[]);
    let long = "x".repeat(1 << 20);
    let garbage: Vec<Vec<u8>> = vec![
        long.clone().into_bytes(),
        format!("go depth {long}").into_bytes(),
        format!("go {long} depth 1").into_bytes(),
        format!("setoption name {long} value {long}").into_bytes(),
        format!("setoption name pvs value {long}").into_bytes(),
        format!("setoption name aspiration_delta value {long}").into_bytes(),
        format!("setoption name Hash value {long}").into_bytes(),
        format!("position {long}").into_bytes(),
        format!("position startpos {long}").into_bytes(),
        format!("position startpos moves {long}").into_bytes(),
        format!("position fen {long}").into_bytes(),
        format!("position fen {}", "x ".repeat(1 << 19)).into_bytes(),
        b"\0".to_vec(),
        b"\0\0uci\0".to_vec(),
        b"isready\0".to_vec(),
        (0..=255).collect(),
        b"\xff\xfe\xfd position".to_vec(),
        "position fen \u{1f600} w - - 0 1".into(),
        "go nodes \u{0661}".into(),
    ];
    for bytes in garbage {
        engine.send_bytes(&bytes);
        engine.send("\nstop");
        let said = engine.said_to("");
        let what = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
        assert!(!errors(&said).is_empty(), "{what}");
        for line in said {
            assert!(line.len() < 400, "{} bytes to {what}: {line:.200}", line.len());
            assert!(!line.contains(|c: char| c.is_control()), "{what}: {line:?}");
        }
    }
    for odd in ["uci\r", "  uci", "\tuci \r", "uci and more"] {
        engine.send(odd);
        engine.until("uciok");
    }
    assert_eq!(engine.said_to("\r\n\n   \n\r"), [] as [&str; 0]);
    engine.send("position startpos moves e2e4\r\ngo depth 2\r");
    engine.best_move();
}

#[test]
fn positions_that_cannot_be_are_refused_and_nothing_is_searched_until_the_next() {
    let mut engine = Engine::start(&[]);
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    for wrong in [
        "position",
        "position start",
        "position startpos e2e4",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2 w - - 0 1",
        "position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "position fen KKKKKKKK/8/8/8/8/8/8/kkkkkkkk w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 70000 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - hmvc many;",
        "position fen QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/k7/7K b - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 e7e5 0000",
        "position startpos moves e1g1",
    ] {
        let said = engine.said_to(wrong);
        assert_eq!((errors(&said).len(), said.len()), (1, 1), "{wrong}: {said:?}");
        for command in ["go depth 1", "go infinite", "go movetime 1"] {
            engine.send(command);
            let answer = engine.until("bestmove");
            let reason = said[0].strip_prefix("info string error: ").unwrap();
            assert!(
                answer[0].starts_with("info string error: ") && answer[0].ends_with(reason),
                "{answer:?}"
            );
            assert_eq!(answer[1..], ["bestmove 0000"], "{wrong}");
        }
        engine.send(&format!("position fen {fen}"));
        go(&mut engine, &position(fen), "go depth 1");
    }
}

/// A line of a book or a test suite can be pasted behind `position fen`.
#[test]
fn an_epd_is_a_position_whatever_its_operations() {
    let mut engine = Engine::start(&[]);
    let four = "4k3/8/8/8/8/8/4P3/4K3 b - -";
    for (operations, moves, fen) in [
        ("bm Kd7; id \"ends; here 1\";", "", format!("{four} 0 1")),
        (";", "", format!("{four} 0 1")),
        ("hmvc 4; fmvn 31;", "e8d8", "3k4/8/8/8/8/8/4P3/4K3 w - - 5 32".to_owned()),
        ("c0 \"the best moves\"; acd 12;", "e8d8", "3k4/8/8/8/8/8/4P3/4K3 w - - 1 2".to_owned()),
        ("4 31 ce 12;", "", format!("{four} 4 31")),
    ] {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        let said = engine.said_to(&format!("position fen {four} {operations}{moves}"));
        assert_eq!(said, [] as [&str; 0], "{operations}");
        go(&mut engine, &position(&fen), "go depth 1");
    }
}

#[test]
fn castling_is_written_as_the_gui_asked() {
    let normal = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let mut engine = Engine::start(&[]);
    for (chess960, castling) in [(false, "e1c1"), (true, "e1a1")] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        engine.send(&format!("position fen {normal}"));
        engine.send("go depth 1 searchmoves e1c1");
        assert_eq!(engine.best_move(), castling);
        engine.send("go depth 1 searchmoves e1a1");
        assert_eq!(engine.best_move(), castling);
    }
    // Both ways in, whatever the option: the game goes on from the same position.
    let after = position("r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    for chess960 in [false, true] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        for mv in ["e1c1", "e1a1"] {
            engine.send(&format!("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {mv}"));
            go(&mut engine, &after, "go depth 3");
        }
    }
    // A king that castles next to its rook's corner, and rooks' files in the FEN.
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    engine.send("setoption name UCI_Chess960 value true");
    engine.send(&format!("position fen {fen}"));
    go(&mut engine, &position(fen), "go depth 4");
}

#[test]
fn reports_are_well_formed_over_a_whole_game() {
    let mut engine = Engine::start(&[]);
    let mut board = Position::start();
    let mut moves = String::new();
    for ply in 0..60 {
        engine.send(&format!("position startpos moves{moves}"));
        let command = ["go nodes 700", "go depth 3", "go nodes 37", "go movetime 2"][ply % 4];
        let infos = go(&mut engine, &board, command);
        let Some(&best) = infos.last().unwrap().pv.first() else { break };
        moves += &format!(" {}", best.to_uci(false));
        board = board.play(best);
        if common::legal_moves(&board).is_empty() {
            break;
        }
    }
}

#[test]
fn a_game_as_long_as_any_is_taken_in() {
    let mut engine = Engine::start(&[]);
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(1500);
    engine.send(&format!("position startpos moves{shuffle}"));
    go(&mut engine, &Position::start(), "go depth 3");
}
