//! Any engine that speaks UCI, as a player: a child process, one `go` a move.
//!
//! An engine that crashes, hangs or floods loses its game and is killed; the next game starts it anew. What an engine
//! says too late is never taken for the answer to the next question: an engine that missed its deadline is gone, and
//! what another has written unasked is read away before it is asked again.

mod guard;
mod info;
mod lines;
mod log;
mod options;
mod process;
mod text;

pub use log::DialogueLog;

use super::external::ExternalEngine;
use super::{Answer, Fault, Player, Question, Setup, StartError};
use crate::game::clock::MARGIN;
use crate::game::limit::MoveLimit;
use crate::openings::Opening;
use info::{Best, Line, Thoughts};
use options::Declared;
use process::{Process, Silence};
use shakmaty::{Color, Position};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use text::printable;

/// An engine that is started must say `uciok` within this time.
const START: Duration = Duration::from_secs(10);

/// An engine must be ready for a game within this time: it may have a large table to clear.
const READY: Duration = Duration::from_secs(60);

/// Under a clock, an answer is waited for a little longer than it may take: what comes in it is judged by the clock
/// and loses the game, but the engine need not be killed.
const GRACE: Duration = Duration::from_millis(300);

/// Waiting that nobody interrupts.
static NEVER: AtomicBool = AtomicBool::new(false);

/// An external engine.
pub struct UciPlayer {
    engine: ExternalEngine,
    setup: Setup,
    /// None before the first game, and after the engine broke down.
    running: Option<Running>,
    /// Why the last one was ended.
    broke: Option<String>,
    /// `position fen … moves …` of the game so far.
    position: String,
    /// Moves in it.
    played: usize,
    /// Who moves first in the opening.
    first: Option<Color>,
    has_noted: Noted,
}

/// Habits that are told once for each player.
#[derive(Default)]
struct Noted {
    upper_case: bool,
    unasked: bool,
}

/// An engine that has introduced itself.
struct Running {
    process: Process,
    declared: Declared,
    chess960: bool,
}

impl UciPlayer {
    /// A player that starts the engine for its first game.
    pub fn new(engine: ExternalEngine, setup: Setup) -> UciPlayer {
        UciPlayer {
            engine,
            setup,
            running: None,
            broke: None,
            position: String::new(),
            played: 0,
            first: None,
            has_noted: Noted::default(),
        }
    }

    /// Starts the engine once and lets it go, to see that it can play.
    ///
    /// # Errors
    /// It does not start, or its options are not what the configuration wants.
    pub fn check(&mut self, needs_chess960: bool) -> Result<(), StartError> {
        let running = self.start()?;
        if needs_chess960 && !running.declared.has("UCI_Chess960") {
            return Err(StartError::Config(format!(
                "{} has no option UCI_Chess960, and the book has openings of Chess960: give another book or engine",
                self.engine.name
            )));
        }
        running.process.quit();
        Ok(())
    }

    /// Starts the engine and sets its options.
    fn start(&mut self) -> Result<Running, StartError> {
        let name = &self.engine.name;
        let process =
            Process::start(&self.engine).map_err(|error| StartError::Run(format!("{name}: {error}")))?;
        let mut running = Running { process, declared: Declared::default(), chess960: false };
        let mut dialogue = Dialogue { running: &mut running, log: self.setup.log.as_ref(), name };
        dialogue.introduce().map_err(|silence| {
            StartError::Run(format!(
                "{name} is no UCI engine that works: {} after `uci`; try it by hand",
                in_words(&silence, START)
            ))
        })?;
        let commands = self.option_commands(&running.declared).map_err(|what| {
            StartError::Config(format!("{name} {what} (see `options` of its configuration)"))
        })?;
        let mut dialogue = Dialogue { running: &mut running, log: self.setup.log.as_ref(), name };
        dialogue.ready(&commands).map_err(|silence| {
            StartError::Run(format!("{name} does not take its options: {}", in_words(&silence, READY)))
        })?;
        Ok(running)
    }

    /// The options of the configuration, and the table size if that says nothing of it.
    fn option_commands(&self, declared: &Declared) -> Result<String, String> {
        let mut commands = String::new();
        let is_given = |name: &str| self.engine.options.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
        if declared.has("Hash") && !is_given("Hash") {
            let hash = self.setup.hash_megabytes.to_string();
            commands +=
                &declared.command("Hash", &hash).map_err(|what| format!("{what}; give another --hash"))?;
        }
        for (name, value) in &self.engine.options {
            commands += &declared.command(name, value)?;
        }
        Ok(commands)
    }

    /// The engine, started if need be.
    fn engine(&mut self) -> Result<&mut Running, Fault> {
        if self.running.is_none() {
            if let Some(why) = self.broke.as_ref().filter(|_| !self.engine.restart) {
                return Err(Fault::Gone(format!(
                    "{} broke down and its configuration says restart = false: {why}",
                    self.engine.name
                )));
            }
            let running = self.start().map_err(|error| Fault::Gone(error.to_string()))?;
            self.running = Some(running);
        }
        Ok(self.running.as_mut().expect("it has just been started"))
    }

    /// Ends the engine and says so in the words of a fault.
    fn breaks(&mut self, silence: &Silence, asked: &str, allowed: Duration, late: bool) -> Fault {
        self.running = None;
        let what = format!("{} after `{}`", in_words(silence, allowed), printable(asked.as_bytes()));
        if *silence != Silence::Stopped {
            self.broke = Some(what.clone());
        }
        match silence {
            Silence::Stopped => Fault::Cancelled,
            Silence::Broken(_) => Fault::Crash(what),
            Silence::Deadline if late => Fault::Late(what),
            Silence::Deadline => Fault::Stall(what),
        }
    }

    fn note(&mut self, noted: fn(&mut Noted) -> &mut bool, what: &str) {
        if !std::mem::replace(noted(&mut self.has_noted), true) {
            (self.setup.note)(&format!("note: {} {what}", self.engine.name));
        }
    }

    /// How long this move may take, and whether more is a matter of a clock.
    fn allowed(&self, question: &Question) -> (Duration, bool) {
        let first = self.first.unwrap_or(Color::White);
        let us = if question.moves.len().is_multiple_of(2) { first } else { !first };
        let milliseconds = match question.limit {
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => return (self.setup.move_timeout, false),
            MoveLimit::MoveTime(milliseconds) => milliseconds,
            MoveLimit::Clocks(clocks) => us.fold_wb(clocks.white_ms, clocks.black_ms),
        };
        (Duration::from_millis(milliseconds) + MARGIN + GRACE, true)
    }

    /// Reads away what was written unasked. If an answer is among it, another may be on its way, and only an engine
    /// that has said `readyok` has nothing more to say.
    fn drain(&mut self) -> Result<(), Silence> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let mut dialogue = Dialogue { running, log: self.setup.log.as_ref(), name: &self.engine.name };
        let mut has_answered = false;
        while let Some(line) = dialogue.leftover()? {
            has_answered |= matches!(Thoughts::default().read(line), Line::Best(_));
        }
        if has_answered {
            dialogue.ready("")?;
            self.note(
                |noted| &mut noted.unasked,
                "answers more often than it is asked; the first answer counts",
            );
        }
        Ok(())
    }

    /// Asks, and reads until the answer.
    fn ask(
        &mut self,
        text: &str,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<(Best, Thoughts, String), Silence> {
        self.drain()?;
        let running = self.running.as_mut().ok_or_else(|| Silence::Broken("is not running".to_owned()))?;
        let mut dialogue = Dialogue { running, log: self.setup.log.as_ref(), name: &self.engine.name };
        dialogue.send(text, deadline)?;
        let mut thoughts = Thoughts::default();
        loop {
            let line = dialogue.line(deadline, stop)?;
            if let Line::Best(best) = thoughts.read(line) {
                let words = if best == Best::Unreadable { printable(line) } else { String::new() };
                return Ok((best, thoughts, words));
            }
        }
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self, opening: &Opening) -> Result<(), Fault> {
        let (log, name) = (self.setup.log.clone(), self.engine.name.clone());
        let running = self.engine()?;
        let mut commands = String::new();
        if running.chess960 != opening.chess960 {
            let command = running.declared.command("UCI_Chess960", &opening.chess960.to_string());
            commands = command.map_err(|what| Fault::Gone(format!("{name} {what}")))?;
            running.chess960 = opening.chess960;
        }
        commands += "ucinewgame\n";
        let ready = Dialogue { running, log: log.as_ref(), name: &name }.ready(&commands);
        ready.map_err(|silence| self.breaks(&silence, "ucinewgame", READY, false))?;
        self.position = format!("position fen {}", opening.fen);
        self.played = 0;
        self.first = Some(opening.position().turn());
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        let begun = Instant::now();
        for uci in &question.moves[self.played.min(question.moves.len())..] {
            let before = if self.played == 0 { " moves " } else { " " };
            let _ = write!(self.position, "{before}{uci}");
            self.played += 1;
        }
        let go = go(question.limit);
        let (allowed, late) = self.allowed(question);
        let text = format!("{}\n{go}\n", self.position);
        // A limit beyond what a clock can count is none.
        let deadline = begun.checked_add(allowed).unwrap_or(begun + Duration::from_secs(1 << 30));
        let (best, thoughts, words) = self
            .ask(&text, deadline, question.stop)
            .map_err(|silence| self.breaks(&silence, &go, allowed, late))?;
        let best = match best {
            Best::Move(best) => best,
            Best::UpperCase(best) => {
                self.note(
                    |noted| &mut noted.upper_case,
                    "writes promotions in upper case, which is accepted",
                );
                best
            }
            Best::None => return Err(Fault::NoMove("answered that it has no move".to_owned())),
            Best::Unreadable => return Err(Fault::Unreadable(format!("answered `{words}`"))),
        };
        let Thoughts { score, depth, nodes } = thoughts;
        Ok(Answer { best, score, depth, nodes })
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.process.quit();
        }
    }
}

/// What is said to an engine and heard from it, written to the log.
struct Dialogue<'a> {
    running: &'a mut Running,
    log: Option<&'a DialogueLog>,
    name: &'a str,
}

impl Dialogue<'_> {
    fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Silence> {
        if let Some(log) = self.log {
            for line in text.lines() {
                log.line(&self.who(), '<', line.as_bytes());
            }
        }
        self.running.process.send(text.as_bytes(), deadline)
    }

    fn line(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<&[u8], Silence> {
        let who = self.log.map(|_| self.who());
        let line = self.running.process.line(deadline, stop)?;
        if let (Some(log), Some(who)) = (self.log, who) {
            log.line(&who, '>', line);
        }
        Ok(line)
    }

    fn leftover(&mut self) -> Result<Option<&[u8]>, Silence> {
        let who = self.log.map(|_| self.who());
        let line = self.running.process.leftover()?;
        if let (Some(log), Some(who), Some(line)) = (self.log, who, line) {
            log.line(&who, '>', line);
        }
        Ok(line)
    }

    fn who(&self) -> String {
        format!("{}[{}]", self.name, self.running.process.id())
    }

    /// `uci`, and what the engine says up to `uciok`.
    fn introduce(&mut self) -> Result<(), Silence> {
        let deadline = Instant::now() + START;
        self.send("uci\n", deadline)?;
        let mut declared = Declared::default();
        loop {
            let line = self.line(deadline, &NEVER)?;
            if info::words(line).eq([b"uciok"]) {
                self.running.declared = declared;
                return Ok(());
            }
            declared.read(line);
        }
    }

    /// Sends commands and waits until the engine has obeyed them all.
    fn ready(&mut self, commands: &str) -> Result<(), Silence> {
        let deadline = Instant::now() + READY;
        self.send(&format!("{commands}isready\n"), deadline)?;
        while !info::words(self.line(deadline, &NEVER)?).eq([b"readyok"]) {}
        Ok(())
    }
}

/// Why there was no answer, as the beginning of a sentence about the engine.
fn in_words(silence: &Silence, allowed: Duration) -> String {
    match silence {
        Silence::Deadline => format!("has not answered within {:.1} s", allowed.as_secs_f64()),
        Silence::Stopped => "was told to stop".to_owned(),
        Silence::Broken(what) => what.clone(),
    }
}

/// The command that asks for a move.
fn go(limit: MoveLimit) -> String {
    match limit {
        MoveLimit::Nodes(nodes) => format!("go nodes {nodes}"),
        MoveLimit::Depth(depth) => format!("go depth {depth}"),
        MoveLimit::MoveTime(milliseconds) => format!("go movetime {milliseconds}"),
        MoveLimit::Clocks(clocks) => {
            let mut text = format!("go wtime {} btime {}", clocks.white_ms, clocks.black_ms);
            if clocks.white_increment_ms > 0 || clocks.black_increment_ms > 0 {
                let _ =
                    write!(text, " winc {} binc {}", clocks.white_increment_ms, clocks.black_increment_ms);
            }
            if let Some(moves) = clocks.moves_to_go {
                let _ = write!(text, " movestogo {moves}");
            }
            text
        }
    }
}
