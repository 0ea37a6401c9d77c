//! Any engine that speaks UCI, as a player: a child process, one `go` a move.
//!
//! An engine that crashes, hangs or floods loses its game and is killed; the next game starts it anew. What an engine
//! says too late is never taken for the answer to the next question: an engine that missed its deadline is gone, and
//! what another has written unasked is read away before it is asked again.

mod check;
mod complaints;
mod descendants;
mod dialogue;
mod guard;
mod info;
mod lines;
pub(super) mod log;
mod options;
mod pace;
mod process;
mod text;
mod told;
mod trial;
mod turns;

pub use check::{Outcome, Step, check};
pub use log::DialogueLog;
pub use options::{Declared, NoSpin, Spin};

use super::external::ExternalEngine;
use super::restart::Restart;
use super::setup::{Setup, StartError, Trial};
use crate::game::details::MoveDetails;
use crate::game::limit::MoveLimit;
use crate::game::opening::Opening;
use crate::game::player::{Answer, Fault, Player, Question};
use dialogue::Dialogue;
use info::{Best, Thoughts};
use pace::Pace;
use process::{Process, Silence};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use text::{printable, shortened};
use told::Told;

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
    told: Told,
    pace: Pace,
    has_noted: Noted,
    /// What was said of the last search, if that was asked for.
    details: MoveDetails,
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
    /// Its `id name`.
    calls_itself: Option<String>,
    chess960: bool,
    /// It has begun a game.
    has_played: bool,
}

impl UciPlayer {
    /// A player that starts the engine for its first game.
    pub fn new(engine: ExternalEngine, setup: Setup) -> UciPlayer {
        UciPlayer {
            engine,
            setup,
            running: None,
            broke: None,
            told: Told::default(),
            pace: Pace::default(),
            has_noted: Noted::default(),
            details: MoveDetails::default(),
        }
    }

    /// Starts the engine once, lets it search and lets it go, to see that it can play.
    ///
    /// # Errors
    /// It does not start, its options are not what the configuration wants, or its search comes to nothing.
    pub fn check(&mut self, trial: &Trial) -> Result<(), StartError> {
        let running = self.start(trial.stop)?;
        if trial.needs_chess960 && !running.declared.has("UCI_Chess960") {
            return Err(StartError::Config(format!(
                "{} has no option UCI_Chess960, and the book has openings of Chess960: give another book or engine",
                self.engine.name
            )));
        }
        if let Some(most) = self.most_hash(&running.declared) {
            (self.setup.note)(&format!(
                "{} takes at most {most} MB for its table, and plays with them instead of {}",
                self.engine.name, self.setup.hash_megabytes
            ));
        }
        self.running = Some(running);
        let tried = self.try_search(trial);
        if let Some(Running { process, .. }) = self.running.take() {
            process.quit(QUIT);
        }
        tried.map_err(|what| {
            let what = shortened(&what.to_string());
            StartError::Trial(format!(
                "{} fails the trial search before the first game, at {}: {what}; see `harness check-engine`, or begin all \
                 the same with --faults play-on",
                self.engine.name, trial.limit
            ))
        })
    }

    /// Starts the engine once and lets it go, to hear which options it has. An engine that hangs is given up when its time to
    /// start is over.
    ///
    /// # Errors
    /// As [`UciPlayer::check`].
    pub fn declared(&mut self) -> Result<Declared, StartError> {
        let Running { process, declared, .. } = self.start(&AtomicBool::new(false))?;
        process.quit(QUIT);
        Ok(declared)
    }

    /// Starts the engine and sets its options.
    fn start(&mut self, stop: &AtomicBool) -> Result<Running, StartError> {
        let name = &self.engine.name;
        let mut process =
            Process::start(&self.engine).map_err(|error| StartError::Run(format!("{name}: {error}")))?;
        let mut dialogue = Dialogue { process: &mut process, log: self.setup.log.as_ref(), name };
        let start = self.engine.start_timeout.map_or(self.setup.start_timeout, Duration::from_secs);
        let (declared, calls_itself) = dialogue.introduce(stop, start).map_err(|silence| {
            let what = dialogue.evidence(&silence, start, "uci");
            StartError::Run(format!("{name} is no UCI engine that works: {what}; try it by hand"))
        })?;
        let commands = self.option_commands(&declared).map_err(|what| {
            StartError::Config(format!("{name} {what} (see `options` of its configuration)"))
        })?;
        let ready = self.setup.ready_timeout;
        dialogue.ready(&commands, stop, ready).map_err(|silence| {
            let what = dialogue.evidence(&silence, ready, "isready");
            StartError::Run(format!("{name} does not take its options: {what}"))
        })?;
        Ok(Running { process, declared, calls_itself, chess960: false, has_played: false })
    }

    /// The options of the configuration, and the table size if that says nothing of it.
    fn option_commands(&self, declared: &Declared) -> Result<String, String> {
        let mut commands = String::new();
        if declared.has("Hash") && self.engine.option("Hash").is_none() {
            let hash = self.most_hash(declared).unwrap_or(self.setup.hash_megabytes.into()).to_string();
            commands +=
                &declared.command("Hash", &hash).map_err(|what| format!("{what}; give another --hash"))?;
        }
        Ok(commands + &declared.commands(&self.engine.options)?)
    }

    /// The greatest table that the engine takes, MB, if that is smaller than the one of all players and it gets that one.
    fn most_hash(&self, declared: &Declared) -> Option<i64> {
        let is_own = self.engine.option("Hash").is_some();
        let most = declared.spin("Hash").ok().filter(|_| !is_own)?.max?;
        (0 < most && most < self.setup.hash_megabytes.into()).then_some(most)
    }

    /// The engine, started if need be.
    fn engine(&mut self, stop: &AtomicBool) -> Result<&mut Running, Fault> {
        if self.running.is_none() {
            if let Some(why) = self.broke.as_ref().filter(|_| self.engine.restart == Restart::Never) {
                return Err(Fault::Gone(format!(
                    "{} broke down and is never to be started again (restart = false, --restart never): {why}",
                    self.engine.name
                )));
            }
            let running = self.start(stop).map_err(|error| match stop.load(Ordering::Relaxed) {
                true => Fault::Cancelled,
                false => Fault::Gone(error.to_string()),
            })?;
            self.running = Some(running);
        }
        Ok(self.running.as_mut().expect("it has just been started"))
    }

    /// Ends the engine and says so in the words of a fault.
    fn breaks(&mut self, silence: &Silence, asked: &str, allowed: Allowed) -> Fault {
        let what = match self.running.take() {
            Some(Running { mut process, .. }) => {
                let log = self.setup.log.as_ref();
                Dialogue { process: &mut process, log, name: &self.engine.name }.evidence(
                    silence,
                    allowed.time,
                    asked,
                )
            }
            None => in_words(silence, allowed.time),
        };
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
        let MoveLimit { movetime, clocks, .. } = question.limit;
        let left = clocks.map(|clocks| self.told.turn().fold_wb(clocks.white_ms, clocks.black_ms));
        match movetime.into_iter().chain(left).min() {
            None => Allowed { time: self.setup.move_timeout, has_clock: false },
            Some(milliseconds) => {
                let time = Duration::from_millis(milliseconds) + question.margin + GRACE;
                Allowed { time, has_clock: true }
            }
        }
    }

    /// Reads away what was written unasked. If an answer is among it, another may be on its way, and only an engine
    /// that has said `readyok` has nothing more to say.
    fn drain(&mut self, stop: &AtomicBool) -> Result<(), Silence> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let process = &mut running.process;
        let mut dialogue = Dialogue { process, log: self.setup.log.as_ref(), name: &self.engine.name };
        if dialogue.drain()? {
            dialogue.ready("", stop, self.setup.ready_timeout)?;
            self.note(
                |noted| &mut noted.unasked,
                "answers more often than it is asked; the first answer counts",
            );
        }
        Ok(())
    }

    /// Asks, and reads until the answer, which comes with its text if it is unreadable.
    fn ask(&mut self, question: &Question, allowed: Allowed) -> Result<(Best, Thoughts, String), Silence> {
        let &Question { limit, stop, .. } = question;
        let begun = Instant::now();
        // A time beyond what a clock can count is no limit.
        let deadline = begun.checked_add(allowed.time).unwrap_or(begun + Duration::from_secs(1 << 30));
        self.drain(stop)?;
        let running = self.running.as_mut().ok_or_else(|| Silence::Broken("is not running".to_owned()))?;
        let process = &mut running.process;
        let mut dialogue = Dialogue { process, log: self.setup.log.as_ref(), name: &self.engine.name };
        turns::let_others_finish(!allowed.has_clock);
        dialogue.send(self.told.question(limit), deadline)?;
        if let Some(time) = self.pace.sleep().filter(|_| !allowed.has_clock) {
            dialogue.process.nap(time)?;
        }
        let mut thoughts = Thoughts::default();
        self.details = MoveDetails::default();
        let mut is_first = true;
        loop {
            let lines = dialogue.lines(deadline, stop)?;
            if question.details {
                info::read_details(&mut self.details, lines);
            }
            if let Some(best) = thoughts.read(lines) {
                let words = match best {
                    Best::Unreadable => printable(last_line(lines)),
                    _ => String::new(),
                };
                self.pace.answered(begun.elapsed(), is_first);
                return Ok((best, thoughts, words));
            }
            is_first = false;
        }
    }
}

/// Of lines with their ends.
fn last_line(lines: &[u8]) -> &[u8] {
    lines.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default()
}

impl Player for UciPlayer {
    fn new_game(&mut self, opening: &Opening, stop: &AtomicBool) -> Result<(), Fault> {
        let (log, name) = (self.setup.log.clone(), self.engine.name.clone());
        let time = self.setup.ready_timeout;
        if self.engine.restart == Restart::EveryGame
            && let Some(Running { process, .. }) = self.running.take_if(|running| running.has_played)
        {
            process.quit(QUIT);
        }
        let running = self.engine(stop)?;
        running.has_played = true;
        let mut commands = String::new();
        if running.chess960 != opening.chess960 {
            let command = running.declared.command("UCI_Chess960", &opening.chess960.to_string());
            commands = command.map_err(|what| Fault::Gone(format!("{name} {what}")))?;
            running.chess960 = opening.chess960;
        }
        commands += "ucinewgame\n";
        let process = &mut running.process;
        let ready = Dialogue { process, log: log.as_ref(), name: &name }.ready(&commands, stop, time);
        ready.map_err(|silence| self.breaks(&silence, "ucinewgame", Allowed { time, has_clock: false }))?;
        self.told = Told::new(opening);
        Ok(())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
        self.told.follow(question.moves)?;
        let allowed = self.allowed(question);
        let (best, thoughts, words) = self.ask(question, allowed).map_err(|silence| {
            let asked = self.told.go().to_owned();
            self.breaks(&silence, &asked, allowed)
        })?;
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
        let Thoughts { score, depth, nodes, time } = thoughts;
        Ok(Answer { best, score, depth: depth.unwrap_or(0), nodes: nodes.unwrap_or(0), own_ms: time })
    }

    fn details(&mut self) -> MoveDetails {
        std::mem::take(&mut self.details)
    }

    fn engine_name(&self) -> Option<String> {
        self.running.as_ref()?.calls_itself.clone()
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.process.quit(QUIT);
        }
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
