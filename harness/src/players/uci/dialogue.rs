//! Dialogue with an engine, line by line or an answer at a time, and all of it logged.

use super::in_words;
use super::info::{is_answer, words};
use super::log::DialogueLog;
use super::options::Declared;
use super::process::{Process, Silence};
use super::text::{printable, shortened};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A running engine and where the dialogue with it is written.
pub(super) struct Dialogue<'a> {
    pub process: &'a mut Process,
    pub log: Option<&'a DialogueLog>,
    /// The engine's name, for the log.
    pub name: &'a str,
}

impl Dialogue<'_> {
    /// Says one or more lines, which the engine must take before the deadline.
    pub fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Silence> {
        if let Some(log) = self.log {
            log.lines(self.name, self.process.id(), '<', text.as_bytes());
        }
        self.process.send(text.as_bytes(), deadline)
    }

    /// What the engine has written, in whole lines: at least one, and none after an answer.
    pub fn lines(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<&[u8], Silence> {
        let id = self.process.id();
        let lines = self.process.lines(is_answer, deadline, stop)?;
        if let Some(log) = self.log {
            log.lines(self.name, id, '>', lines);
        }
        Ok(lines)
    }

    /// The next line.
    fn line(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<&[u8], Silence> {
        let id = self.process.id();
        let line = self.process.line(deadline, stop)?;
        if let Some(log) = self.log {
            log.lines(self.name, id, '>', line);
        }
        Ok(line)
    }

    /// Reads away what the engine has written unasked; whether an answer was among it.
    pub fn drain(&mut self) -> Result<bool, Silence> {
        let id = self.process.id();
        let mut has_answered = false;
        while let Some(line) = self.process.leftover()? {
            has_answered |= is_answer(line);
            if let Some(log) = self.log {
                log.lines(self.name, id, '>', line);
            }
        }
        Ok(has_answered)
    }

    /// Why there was no answer to `asked` in the time `allowed`, as the beginning of a sentence about the engine, with what
    /// it wrote to standard error.
    pub fn evidence(&mut self, silence: &Silence, allowed: Duration, asked: &str) -> String {
        let id = self.process.id();
        let complaints = self.process.complaints();
        if let Some(log) = self.log {
            log.complaints(self.name, id, complaints);
        }
        let asked = printable(asked.as_bytes());
        format!("{} after `{asked}`{}", in_words(silence, allowed), complaints.in_words())
    }

    /// `uci`, and up to `uciok` the options that the engine declares, and what it calls itself.
    pub fn introduce(
        &mut self,
        stop: &AtomicBool,
        within: Duration,
    ) -> Result<(Declared, Option<String>), Silence> {
        let deadline = Instant::now() + within;
        self.send("uci\n", deadline)?;
        let (mut declared, mut name) = (Declared::default(), None);
        loop {
            let line = self.line(deadline, stop)?;
            if words(line).eq([b"uciok"]) {
                return Ok((declared, name));
            }
            if !declared.read(line) && words(line).take(2).eq([b"id".as_slice(), b"name"]) {
                let rest: Vec<_> = words(line).skip(2).map(printable).collect();
                name = Some(shortened(&rest.join(" ")));
            }
        }
    }

    /// Sends commands and waits until the engine has obeyed them all.
    pub fn ready(&mut self, commands: &str, stop: &AtomicBool, within: Duration) -> Result<(), Silence> {
        let deadline = Instant::now() + within;
        self.send(&format!("{commands}isready\n"), deadline)?;
        while !words(self.line(deadline, stop)?).eq([b"readyok"]) {}
        Ok(())
    }
}
