//! The engine that is checked: what is said to it, what it says, and what becomes of it.

use super::super::info::{Best, Thoughts, words};
use super::super::options::Declared;
use super::super::process::{Process, Silence};
use super::super::text::printable;
use super::super::{NEVER, in_words};
use crate::players::Setup;
use crate::players::external::ExternalEngine;
use std::time::{Duration, Instant};

/// Lines kept at the beginning and at the end of a step's dialogue.
const KEPT: usize = 12;

/// An engine that is told to stop must answer within this time.
const STOPPED: Duration = Duration::from_secs(2);

/// An engine and the dialogue of the step it is at.
pub struct Subject<'a> {
    engine: &'a ExternalEngine,
    process: Option<Process>,
    /// What it said after the last `uci`.
    pub introduction: Vec<String>,
    /// The options it declared there.
    pub declared: Declared,
    dialogue: Vec<String>,
    has_begun: bool,
}

/// Whether an engine of xboard's writes such a line about itself.
pub fn is_of_xboard(line: &str) -> bool {
    line.split_whitespace().next() == Some("feature")
}

/// An engine's answer to `go`.
pub struct Reply {
    /// The move.
    pub best: Best,
    /// As it was written.
    pub text: String,
    /// What it said of its search.
    pub thoughts: Thoughts,
    /// When it came.
    pub after: Duration,
}

impl Subject<'_> {
    /// Not started yet.
    pub fn new(engine: &ExternalEngine) -> Subject<'_> {
        Subject {
            engine,
            process: None,
            introduction: Vec::new(),
            declared: Declared::default(),
            dialogue: Vec::new(),
            has_begun: false,
        }
    }

    /// An engine that did not survive the last step is started again; the first steps do that by themselves.
    pub fn begin_step(&mut self) -> Result<(), String> {
        if self.has_begun && self.process.is_none() {
            self.start()?;
            self.introduce()?;
            self.configure()?;
            self.dialogue.clear();
        }
        Ok(())
    }

    /// Starts the program.
    pub fn start(&mut self) -> Result<(), String> {
        self.process = Some(Process::start(self.engine)?);
        Ok(())
    }

    /// `uci` up to `uciok`.
    pub fn introduce(&mut self) -> Result<(), String> {
        self.has_begun = true;
        let deadline = Instant::now() + Setup::START_TIMEOUT;
        self.send("uci")?;
        (self.introduction, self.declared) = (Vec::new(), Declared::default());
        loop {
            let line = self
                .line(deadline)?
                .ok_or_else(|| format!("no uciok within {} s", Setup::START_TIMEOUT.as_secs()))?;
            if words(&line).eq([b"uciok"]) {
                return Ok(());
            }
            self.declared.read(&line);
            self.introduction.push(printable(&line));
        }
    }

    /// Whether it speaks the protocol of xboard (Chess Engine Communication Protocol, version 2) and not UCI.
    pub fn answers_xboard(&mut self) -> bool {
        let deadline = Instant::now() + STOPPED;
        if self.send("xboard").and_then(|()| self.send("protover 2")).is_err() {
            return false;
        }
        while let Ok(Some(line)) = self.line(deadline) {
            if is_of_xboard(&printable(&line)) {
                return true;
            }
        }
        false
    }

    /// Sets the options of the configuration; how many there are.
    pub fn configure(&mut self) -> Result<usize, String> {
        let commands = self.declared.commands(&self.engine.options);
        let commands = commands.map_err(|what| format!("it {what} (see `options` of its configuration)"))?;
        commands.lines().try_for_each(|command| self.send(command))?;
        Ok(self.engine.options.len())
    }

    /// Sends one command.
    pub fn send(&mut self, command: &str) -> Result<(), String> {
        self.dialogue.push(format!("< {command}"));
        let process = self.process.as_mut().ok_or("it is not running")?;
        let sent = process.send(format!("{command}\n").as_bytes(), Instant::now() + Setup::READY_TIMEOUT);
        sent.map_err(|silence| self.lost(&silence))
    }

    /// Its next line; none if there is none until the deadline.
    pub fn line(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>, String> {
        let process = self.process.as_mut().ok_or("it is not running")?;
        match process.line(deadline, &NEVER).map(<[u8]>::to_vec) {
            Ok(line) => {
                self.dialogue.push(format!("> {}", printable(&line)));
                Ok(Some(line))
            }
            Err(Silence::Deadline) => Ok(None),
            Err(silence) => Err(self.lost(&silence)),
        }
    }

    /// Waits until it is ready.
    pub fn ready(&mut self) -> Result<(), String> {
        self.send("isready")?;
        let deadline = Instant::now() + Setup::START_TIMEOUT;
        while let Some(line) = self.line(deadline)? {
            if words(&line).eq([b"readyok"]) {
                return Ok(());
            }
        }
        self.process = None;
        Err(format!("no readyok within {} s", Setup::START_TIMEOUT.as_secs()))
    }

    /// A question and its answer within a time; an engine that is late is told to stop, and killed if it does not.
    pub fn ask(&mut self, position: &str, go: &str, within: Duration) -> Result<Reply, String> {
        self.ready()?;
        self.send(position)?;
        let begun = Instant::now();
        self.send(go)?;
        if let Some(reply) = self.reply(begun, begun + within)? {
            return Ok(reply);
        }
        let late = format!("no bestmove within {:.1} s after `{go}`", within.as_secs_f64());
        match self.stop() {
            Ok(_) => Err(format!("{late}, but after `stop`")),
            Err(_) => Err(late),
        }
    }

    /// `stop`, and the answer; without one the engine is killed.
    pub fn stop(&mut self) -> Result<Reply, String> {
        let begun = Instant::now();
        self.send("stop")?;
        match self.reply(begun, begun + STOPPED)? {
            Some(reply) => Ok(reply),
            None => {
                self.process = None;
                Err(format!("no bestmove within {} s after `stop`", STOPPED.as_secs()))
            }
        }
    }

    /// The answer to a question asked at this time, if it comes until the deadline.
    pub fn reply(&mut self, begun: Instant, deadline: Instant) -> Result<Option<Reply>, String> {
        let mut thoughts = Thoughts::default();
        while let Some(line) = self.line(deadline)? {
            if let Some(best) = thoughts.read(&line) {
                let after = begun.elapsed();
                return Ok(Some(Reply { best, text: printable(&line), thoughts, after }));
            }
            // An engine that writes without end never lets a line be missed.
            if Instant::now() > deadline {
                break;
            }
        }
        Ok(None)
    }

    /// Tells it to quit; whether it does within this time.
    pub fn quit(&mut self, within: Duration) -> bool {
        self.dialogue.push("< quit".to_owned());
        self.process.take().is_some_and(|process| process.quit(within))
    }

    /// The dialogue of the step, its middle left out if it is long.
    pub fn take_dialogue(&mut self) -> Vec<String> {
        let mut dialogue = std::mem::take(&mut self.dialogue);
        if dialogue.len() > 2 * KEPT {
            let left_out = dialogue.len() - 2 * KEPT;
            dialogue.splice(KEPT..KEPT + left_out, [format!("… {left_out} more lines …")]);
        }
        dialogue
    }

    fn lost(&mut self, silence: &Silence) -> String {
        let complaints = self.process.take().map(|mut process| process.complaints().in_words());
        format!("the engine {}{}", in_words(silence, Setup::READY_TIMEOUT), complaints.unwrap_or_default())
    }
}
