//! An engine for tests and benchmarks, not for users: it plays a legal move at once, and misbehaves on demand.
//!
//! Arguments `[MODE [PLY]]`: from its PLY-th move of a game on (0 is the first) it does what MODE says. `says:TEXT` writes
//! this text before its move, `_` for a blank, `|` for the end of a line and `{best}` for the move; `until-stop:TEXT` writes
//! it and then searches until it is told to stop; `only:MOVE` answers this move; `panic:N` dies with a backtrace of N lines.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position, PositionError, Role};
use std::io::{BufRead, Write};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The program, with its arguments.
pub fn run(mut arguments: impl Iterator<Item = String>) {
    let mode = arguments.next().unwrap_or_default();
    let from: usize = arguments.next().and_then(|ply| ply.parse().ok()).unwrap_or(0);
    match mode.as_str() {
        "never-starts" => hang(),
        "exits-at-once" => {
            eprintln!("\u{1b}[31mno licence\u{7}");
            std::process::exit(3);
        }
        _ => play(&mode, from),
    }
}

/// Leaves a file `stalled` in the folder that the environment names, so that a test can wait for it.
fn hang() -> ! {
    if let Some(folder) = std::env::var_os("TOY_ENGINE_OF") {
        let _ = std::fs::write(std::path::Path::new(&folder).join("stalled"), "");
    }
    loop {
        sleep(Duration::from_secs(1000));
    }
}

/// Everything is flushed at once, as engines do.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn play(mode: &str, from: usize) {
    let end = if mode == "crlf" { "\r\n" } else { "\n" };
    let mut position = Chess::default();
    let mut castling = CastlingMode::Standard;
    let (mut asked, mut depth, mut games) = (0, 3, 0);
    let mut is_searching = false;
    // Both ignore what a terminal sends, and hold on to the pipes.
    let script = "trap '' TERM INT HUP; (trap '' TERM INT HUP; sleep 1000) & sleep 1000";
    let mut descendant = None;
    match mode {
        "grandchild" => descendant = Some(start("sh", &["-c", script])),
        // In a session of their own, and left to themselves at the end.
        "daemon" => drop(start("setsid", &["sh", "-c", script])),
        _ => {}
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("uci") if mode == "xboard" => {}
            Some("protover") if mode == "xboard" => say("feature myname=\"toy\" done=1\n"),
            Some("uci") => {
                if let Some(lines) = mode.strip_prefix("declares:") {
                    say(&format!("{}{end}", lines.replace('_', " ").replace('|', end)));
                }
                for text in [
                    "id name toy",
                    "option name Hash type spin default 1 min 1 max 1024",
                    "option name Style type combo default Calm var Calm var Wild",
                    "option name UCI_Chess960 type check default false",
                ] {
                    say(&format!("{text}{end}"));
                }
                if mode == "threads" {
                    say(&format!("option name Threads type spin default 1 min 1 max 512{end}"));
                }
                say(&format!("{}uciok{end}", options_to_tune(mode)));
            }
            Some("isready") => say(&format!("readyok{end}")),
            Some("ucinewgame") if mode == "never-ready" && games >= from => hang(),
            Some("ucinewgame") => {
                games += 1;
                asked = 0;
            }
            Some("setoption") if words.contains(&"Style") => depth += usize::from(words.ends_with(&["Wild"])),
            Some("setoption") if words.contains(&"UCI_Chess960") => {
                castling = CastlingMode::from_chess960(words.ends_with(&["true"]));
            }
            Some("position") => position = read_position(&words, castling),
            Some("stop") if is_searching => {
                is_searching = false;
                answer("", depth, (&position, castling), end);
            }
            Some("go") if mode.starts_with("until-stop:") => {
                is_searching = true;
                say(&format!("{}{end}", mode["until-stop:".len()..].replace('_', " ")));
            }
            Some("go") => {
                asked += 1;
                answer(if asked > from { mode } else { "" }, depth, (&position, castling), end);
            }
            Some("quit") => break,
            _ => {}
        }
    }
    if let Some(mut child) = descendant {
        child.wait().expect("a child");
    }
}

/// Options that change nothing, of which the last has no range.
fn options_to_tune(mode: &str) -> String {
    let most = match mode {
        "tunable" | "slow" => 50,
        "narrow" => 5,
        _ => return String::new(),
    };
    format!(
        "option name Contempt type spin default 0 min -{most} max {most}\n\
         option name Slow Mover type spin default 100 min 10 max 1000\n\
         option name Free type spin default 3\n"
    )
}

fn start(program: &str, arguments: &[&str]) -> Child {
    Command::new(program).args(arguments).stdin(Stdio::null()).spawn().expect("a program of every system")
}

fn read_position(words: &[&str], castling: CastlingMode) -> Chess {
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut position = match words[1] {
        "startpos" => Chess::default(),
        _ => {
            let fen: Fen = words[2..moves].join(" ").parse().expect("a FEN");
            let position = fen.into_position(castling).or_else(PositionError::ignore_too_much_material);
            position.or_else(PositionError::ignore_impossible_check).expect("a position")
        }
    };
    for word in words.get(moves + 1..).unwrap_or_default() {
        let uci: UciMove = word.parse().expect("a move");
        position.play_unchecked(uci.to_move(&position).expect("a legal move"));
    }
    position
}

/// A promotion or a capture if there is one, so that games end; otherwise a move that depends on the position.
fn choose(position: &Chess) -> Move {
    let legal = position.legal_moves();
    let promotion = legal.iter().find(|chosen| chosen.promotion() == Some(Role::Queen));
    let capture = legal.iter().find(|chosen| chosen.is_capture());
    let any = &legal[position.halfmoves() as usize * 7 % legal.len()];
    *promotion.or(capture).unwrap_or(any)
}

fn answer(mode: &str, depth: usize, (position, castling): (&Chess, CastlingMode), end: &str) {
    if position.legal_moves().is_empty() {
        return say(&format!("bestmove (none){end}"));
    }
    let best = choose(position).to_uci(castling).to_string();
    let info = format!("info depth {depth} score cp 25 nodes 100 pv {best}{end}");
    let bestmove = format!("bestmove {best}{end}");
    let normal = format!("{info}{bestmove}");
    if let Some(text) = mode.strip_prefix("says:") {
        let text = text.replace('_', " ").replace('|', end).replace("{best}", &best);
        return say(&format!("{text}{end}{bestmove}"));
    }
    if let Some(always) = mode.strip_prefix("only:") {
        return say(&format!("bestmove {always}{end}"));
    }
    if let Some(frames) = mode.strip_prefix("panic:") {
        let frames: usize = frames.parse().expect("a number");
        let trace: String = (0..frames).map(|frame| format!("  {frame}: some::function\n")).collect();
        eprintln!("fatal error at search.rs:7:\nthe \u{1b}[1mcause\r\n\n{trace}note: the end");
        std::process::exit(101);
    }
    match mode {
        "crash" => {
            eprintln!("assertion failed: {{x}}\u{1b}[2J");
            std::process::abort();
        }
        "hang" | "grandchild" => hang(),
        "complains-and-hangs" => {
            eprintln!("out of nodes");
            hang();
        }
        // Slow enough that the clock ends it, not the size of what it writes, on any machine.
        "info-for-ever" => loop {
            say(&info);
            sleep(Duration::from_micros(100));
        },
        "info-flood" => loop {
            say(&info.repeat(10_000));
        },
        "close-stdout" => {
            // The descriptor itself is closed by a shell that replaces this process.
            use std::os::unix::process::CommandExt;
            let error = Command::new("sh").args(["-c", "exec >&-; exec sleep 1000"]).exec();
            panic!("no shell: {error}");
        }
        "tabs" => say(&normal.replace(' ', "\t")),
        "leading-blanks" => say(&format!("  \t{info}   {bestmove}")),
        "upper-case" => {
            let promoted = best.get(4..).unwrap_or("").to_uppercase();
            say(&format!("{info}bestmove {}{promoted}{end}", &best[..4]));
        }
        "none" => say("bestmove (none)\n"),
        "null" => say("bestmove 0000\n"),
        "illegal" => say("bestmove a1a1\n"),
        "wrong-notation" => say("bestmove Nf3\u{1b}[31m}\n"),
        // The second answer would be illegal for any later question.
        "two-bestmoves" => say(&format!("{normal}bestmove a1a1{end}")),
        "late" => {
            sleep(Duration::from_millis(1500));
            say(&normal);
        }
        "slow" => {
            sleep(Duration::from_millis(5));
            say(&normal);
        }
        "multipv" => {
            say(&format!("{info}info depth 3 multipv 10 score cp -777 nodes 100 pv {best}\n{bestmove}"))
        }
        "bounds" => {
            say(&format!("{info}info depth 4 score cp 777 lowerbound nodes 120 pv {best}\n{bestmove}"))
        }
        "long-line" => {
            for _ in 0..100 {
                say(&"x".repeat(1 << 20));
            }
            say(&format!("\n{normal}"));
        }
        "stderr" => {
            for _ in 0..1000 {
                eprint!("{}", "noise ".repeat(100));
            }
            say(&normal);
        }
        _ => say(&normal),
    }
}
