//! UCI fuzzing: the engine follows the protocol for any input. Random conversations with the real program, most of
//! them half sense, half nonsense.
//!
//! However it goes on, there is one `readyok` for each `isready`, one `bestmove` for each `go`, nothing on standard
//! error, no broken search, and an orderly end.

use engine::params::PARAMS;
use engine::techniques::TECHNIQUES;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Conversations, each with an engine of its own.
const CONVERSATIONS: u32 = 60;

/// After this long, a conversation counts as hung.
const PATIENCE: Duration = Duration::from_secs(120);

const FENS: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/PPPk4/8/8/8/8/4Kppp/8 b - - 99 4000",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/8/K3R3 w - -",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w KQkq e3 -5 0",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "7",
    "64",
    "500",
    "-1",
    "2147483647",
    "-2147483648",
    "9223372036854775807",
    "18446744073709551616",
    "1e9",
    "",
    "٣",
];

fn number() -> impl Strategy<Value = String> {
    prop_oneof![3 => (0..20i64).prop_map(|n| n.to_string()), 2 => select(&NUMBERS[..]).prop_map(str::to_owned)]
}

/// Any text a line can hold.
fn garbage() -> impl Strategy<Value = Vec<u8>> {
    let line = vec(any::<u8>().prop_filter("it ends the line", |&byte| byte != b'\n'), 0..80);
    let long = (select(&b"a 7\xff"[..]), 1000..200_000usize).prop_map(|(byte, times)| vec![byte; times]);
    prop_oneof![8 => line, 1 => long]
}

/// A move, or something like it.
fn move_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(&["e2e4", "e7e5", "g1f3", "b8c6", "e1g1", "a7a8q", "0000", "h7"][..]).prop_map(str::to_owned),
        2 => "[a-h][1-8][a-h][1-8][qrbnk]?",
        1 => "\\PC{0,6}",
    ]
}

fn position() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        3 => Just("startpos".to_owned()),
        3 => select(&FENS[..]).prop_map(|fen| format!("fen {fen}")),
        1 => "fen [1-8pnbrqkPNBRQK/]{0,70} [wb-] [KQkqA-Ha-h-]{0,4} [a-h1-8-]{0,2}",
        1 => "\\PC{0,20}",
    ];
    (start, vec(move_text(), 0..5))
        .prop_map(|(start, moves)| format!("position {start} moves {}", moves.join(" ")))
}

fn option() -> impl Strategy<Value = String> {
    let parameter = (0..PARAMS.len(), prop_oneof![number(), Just("least".into()), Just("most".into())])
        .prop_map(|(index, value)| {
            let info = &PARAMS[index];
            let value = match value.as_str() {
                "least" => info.min.to_string(),
                "most" => info.max.to_string(),
                _ => value,
            };
            (info.name.to_owned(), value)
        });
    let switch = select(&["true", "false", "perhaps", ""][..]).prop_map(str::to_owned);
    let technique =
        (0..TECHNIQUES.len(), switch.clone()).prop_map(|(index, on)| (TECHNIQUES[index].name.to_owned(), on));
    // A table of the largest size allowed would be granted, and is no business of a test.
    let hash = select(&["1", "2", "0", "-3", "65537", "99999999999999999999", "many"][..]);
    let other =
        (select(&["Threads", "Ponder", "UCI_Chess960", "Clear Hash", "value", "Hash Hash"][..]), switch);
    prop_oneof![
        4 => parameter,
        3 => technique,
        1 => hash.prop_map(|size| ("Hash".to_owned(), size.to_owned())),
        1 => other.prop_map(|(name, value)| (name.to_owned(), value)),
        1 => ("\\PC{0,30}", "\\PC{0,30}"),
    ]
    .prop_map(|(name, value)| format!("setoption name {name} value {value}"))
}

fn go() -> impl Strategy<Value = String> {
    const WORDS: [&str; 11] = [
        "depth",
        "nodes",
        "mate",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "searchmoves",
        "perft",
    ];
    let limit = prop_oneof![
        6 => (select(&WORDS[..]), number()).prop_map(|(word, number)| format!("{word} {number}")),
        1 => vec(move_text(), 0..3).prop_map(|moves| format!("searchmoves {}", moves.join(" "))),
        1 => select(&["infinite", "ponder", "ponder infinite"][..]).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ];
    vec(limit, 0..4).prop_map(|limits| format!("go {}", limits.join(" ")))
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let known = select(
        &["uci", "isready", "ucinewgame", "stop", "ponderhit", "debug on", "register later", "\t", "\r"][..],
    );
    prop_oneof![
        5 => go().prop_map(String::into_bytes),
        4 => option().prop_map(String::into_bytes),
        3 => position().prop_map(String::into_bytes),
        4 => known.prop_map(|line| line.as_bytes().to_vec()),
        2 => garbage(),
        // The beginning of something known, and then anything.
        1 => (select(&["go ", "position ", "setoption name ", "isready "][..]), garbage())
            .prop_map(|(word, rest)| [word.as_bytes(), &rest].concat()),
    ]
    .prop_filter("it would end the conversation", |line| first_word(line).as_deref() != Some("quit"))
}

/// The command of a line, as the engine understands it.
fn first_word(line: &[u8]) -> Option<String> {
    String::from_utf8_lossy(line).split_whitespace().next().map(str::to_owned)
}

/// Everything the engine says to these lines, and on standard error.
fn converse(lines: &[Vec<u8>]) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_engine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let (mut output, mut complaints) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let mut script = lines.join(&b'\n');
    script.extend(b"\nstop\n");
    let (sender, said) = channel();
    std::thread::spawn(move || {
        let (mut out, mut err) = (String::new(), String::new());
        output.read_to_string(&mut out).expect("the engine writes UTF-8");
        complaints.read_to_string(&mut err).expect("the engine writes UTF-8");
        let _ = sender.send((out, err));
    });
    // One that broke down reads no more; that it did is seen below.
    std::thread::spawn(move || input.write_all(&script));
    let said = said.recv_timeout(PATIENCE);
    if said.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().unwrap();
    let (out, err) = said.expect("the engine ends when its input does");
    assert!(status.success(), "{status}: {err}");
    (out, err)
}

#[test]
fn whatever_it_is_told_the_engine_answers_as_it_should() {
    let config = Config {
        cases: CONVERSATIONS,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]);
    TestRunner::new_with_rng(config, random)
        .run(&vec(line(), 1..40), |lines| {
            let (out, err) = converse(&lines);
            let told =
                |word: &str| lines.iter().filter(|line| first_word(line).as_deref() == Some(word)).count();
            let said = |word: &str| out.lines().filter(|line| line.split(' ').next() == Some(word)).count();
            prop_assert_eq!(&err, "");
            prop_assert!(!out.contains("broke down"), "{}", out);
            prop_assert_eq!(said("readyok"), told("isready"));
            prop_assert_eq!(said("bestmove"), told("go"));
            prop_assert_eq!(said("uciok"), told("uci"));
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}
