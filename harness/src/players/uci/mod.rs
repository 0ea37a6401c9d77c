//! Any engine that speaks UCI, as a player: a child process, one `go` a move.
//!
//! An engine that crashes, hangs or floods loses its game and is killed; the next game starts it anew. What an engine
//! says too late is never taken for the answer to the next question: an engine that missed its deadline is gone, and
//! what another has written unasked is read away before it is asked again.

mod check;
mod guard;
mod info;
mod lines;
mod log;
mod options;
mod pace;
mod process;
mod text;

pub use check::{Outcome, Step, check};
pub use log::DialogueLog;

use super::external::ExternalEngine;
use super::{Answer, Fault, Player, Question, Setup, StartError};
use crate::game::clock::MARGIN;
use crate::game::fen::fen_of;
use crate::game::limit::MoveLimit;
use crate::openings::Opening;
use info::{Best, Line, Thoughts};
use options::Declared;
use pace::Pace;
use process::{Process, Silence};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};
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

/// An engine that is told to quit has this long.
const QUIT: Duration = Duration::from_millis(500);

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
    game: Game,
    pace: Pace,
    has_noted: Noted,
}

/// The time in which an answer must come.
#[derive(Clone, Copy)]
struct Allowed {
    time: Duration,
    /// It is a matter of the engine's clock, so that silence loses on time.
    has_clock: bool,
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
            game: Game::default(),
            pace: Pace::default(),
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
        running.process.quit(QUIT);
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
    fn breaks(&mut self, silence: &Silence, asked: &str, allowed: Allowed) -> Fault {
        self.running = None;
        let what = format!("{} after `{}`", in_words(silence, allowed.time), printable(asked.as_bytes()));
        if *silence != Silence::Stopped {
            self.broke = Some(what.clone());
        }
        match silence {
            Silence::Stopped => Fault::Cancelled,
            Silence::Broken(_) => Fault::Crash(what),
            Silence::Deadline if allowed.has_clock => Fault::Late(what),
            Silence::Deadline => Fault::Stall(what),
        }
    }

    fn note(&mut self, noted: fn(&mut Noted) -> &mut bool, what: &str) {
        if !std::mem::replace(noted(&mut self.has_noted), true) {
            (self.setup.note)(&format!("note: {} {what}", self.engine.name));
        }
    }

    /// How long this move may take.
    fn allowed(&self, question: &Question) -> Allowed {
        let milliseconds = match question.limit {
            MoveLimit::Nodes(_) | MoveLimit::Depth(_) => {
                return Allowed { time: self.setup.move_timeout, has_clock: false };
            }
            MoveLimit::MoveTime(milliseconds) => milliseconds,
            MoveLimit::Clocks(clocks) => self.game.position.turn().fold_wb(clocks.white_ms, clocks.black_ms),
        };
        Allowed { time: Duration::from_millis(milliseconds) + MARGIN + GRACE, has_clock: true }
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

    /// Asks, and reads until the answer, which comes with its text if it is unreadable.
    fn ask(
        &mut self,
        go: &str,
        allowed: Allowed,
        stop: &AtomicBool,
    ) -> Result<(Best, Thoughts, String), Silence> {
        let begun = Instant::now();
        // A time beyond what a clock can count is no limit.
        let deadline = begun.checked_add(allowed.time).unwrap_or(begun + Duration::from_secs(1 << 30));
        self.drain()?;
        let running = self.running.as_mut().ok_or_else(|| Silence::Broken("is not running".to_owned()))?;
        let mut dialogue = Dialogue { running, log: self.setup.log.as_ref(), name: &self.engine.name };
        dialogue.send(&format!("{}\n{go}\n", self.game.command), deadline)?;
        if let Some(time) = self.pace.sleep().filter(|_| !allowed.has_clock) {
            std::thread::sleep(time);
        }
        let mut thoughts = Thoughts::default();
        loop {
            let line = dialogue.line(deadline, stop)?;
            if let Line::Best(best) = thoughts.read(line) {
                let words = if best == Best::Unreadable { printable(line) } else { String::new() };
                self.pace.answered(begun.elapsed());
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
        ready.map_err(|silence| {
            self.breaks(&silence, "ucinewgame", Allowed { time: READY, has_clock: false })
        })?;
        self.game = Game::new(opening);
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        self.game.follow(question.moves)?;
        let go = go(question.limit);
        let allowed = self.allowed(question);
        let (best, thoughts, words) =
            self.ask(&go, allowed, question.stop).map_err(|silence| self.breaks(&silence, &go, allowed))?;
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
            running.process.quit(QUIT);
        }
    }
}

/// The game as the engine is told it: the position after the last capture or pawn move, and the moves since. What
/// stood before can never return, and the shorter the command, the more engines can read it: GNU Chess loses its way
/// in lines of more than a thousand characters.
#[derive(Default)]
struct Game {
    position: Chess,
    /// Moves played since the opening.
    played: usize,
    /// `position fen … moves …`
    command: String,
}

impl Game {
    fn new(opening: &Opening) -> Game {
        Game { position: opening.position(), played: 0, command: format!("position fen {}", opening.fen) }
    }

    /// Adds the moves that came since the last question.
    fn follow(&mut self, moves: &[UciMove]) -> Result<(), Fault> {
        for uci in &moves[self.played.min(moves.len())..] {
            let illegal = |_| Fault::Crash(format!("was to be told the illegal move {uci}"));
            let is_first = self.position.halfmoves() == 0 || self.played == 0;
            self.position.play_unchecked(uci.to_move(&self.position).map_err(illegal)?);
            self.played += 1;
            if self.position.halfmoves() == 0 {
                self.command = format!("position fen {}", fen_of(&self.position));
            } else {
                let _ = write!(self.command, "{}{uci}", if is_first { " moves " } else { " " });
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::limit::Clocks;

    #[test]
    fn the_engine_is_told_the_moves_since_the_last_that_cannot_be_taken_back() {
        let opening = Opening::parse("4k3/8/8/8/8/8/P7/4K2R w K - 5 9", 1).unwrap();
        let mut game = Game::new(&opening);
        let mut told = |moves: &str| {
            let moves: Vec<_> = moves.split_whitespace().map(|uci| uci.parse().unwrap()).collect();
            game.follow(&moves).unwrap();
            game.command.clone()
        };
        assert_eq!(told(""), "position fen 4k3/8/8/8/8/8/P7/4K2R w K - 5 9");
        let castled = "position fen 4k3/8/8/8/8/8/P7/4K2R w K - 5 9 moves e1g1 e8e7";
        assert_eq!(told("e1g1 e8e7"), castled);
        assert_eq!(told("e1g1 e8e7"), castled);
        let pushed = "position fen 8/4k3/8/8/P7/8/8/5RK1 b - - 0 10";
        assert_eq!(told("e1g1 e8e7 a2a4"), pushed);
        assert_eq!(told("e1g1 e8e7 a2a4 e7e6 f1f2"), format!("{pushed} moves e7e6 f1f2"));
    }

    #[test]
    fn limits_as_commands() {
        let clocks = Clocks {
            white_ms: 1000,
            black_ms: 900,
            white_increment_ms: 0,
            black_increment_ms: 0,
            moves_to_go: None,
        };
        for (limit, command) in [
            (MoveLimit::Nodes(5), "go nodes 5"),
            (MoveLimit::Depth(5), "go depth 5"),
            (MoveLimit::MoveTime(5), "go movetime 5"),
            (MoveLimit::Clocks(clocks), "go wtime 1000 btime 900"),
            (
                MoveLimit::Clocks(Clocks { white_increment_ms: 10, moves_to_go: Some(4), ..clocks }),
                "go wtime 1000 btime 900 winc 10 binc 0 movestogo 4",
            ),
        ] {
            assert_eq!(go(limit), command);
        }
    }
}
