//! Process of an engine: started, heard and ended with nothing left behind.
//!
//! The program starts in a process group of its own: Ctrl-C at the terminal does not reach it, and it is killed with
//! all its descendants at once; those that have left the group are looked for. Pipes are waited for with a deadline;
//! nothing is read ahead, so that an engine that writes without end fills its pipe and waits, not our memory.

use super::complaints::Complaints;
use super::descendants::{Mark, VARIABLE};
use super::guard;
use super::lines::{LONGEST_LINE, Lines};
use super::turns;
use crate::players::external::ExternalEngine;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Waits for a word before it becomes the engine: by then the guard knows the process.
const LAUNCHER: &str = r#"read -r go && exec "$@""#;

/// Between two looks at whether the answer is still wanted and the engine still alive.
const SLICE: Duration = Duration::from_millis(50);

/// After the end of its output, the engine's exit is waited for this long, to name it.
const EXIT: Duration = Duration::from_millis(200);

/// What a pipe holds is read in so many pieces.
const MOST_STDERR_READS: usize = 16;

/// What one answer may take to say, bytes.
const LONGEST_ANSWER: usize = 64 << 20;

/// A running engine.
pub(super) struct Process {
    child: Child,
    group: Pid,
    mark: Mark,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    lines: Lines,
    complaints: Complaints,
    /// Bytes read since the last question.
    answered: usize,
}

/// Why there is no line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The time is up.
    Deadline,
    /// The answer is no longer wanted.
    Stopped,
    /// The engine is gone, or writes what no memory holds; in words.
    Broken(String),
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    /// A sentence that says what cannot be started.
    pub fn start(engine: &ExternalEngine) -> Result<Process, String> {
        let program = engine.program.display();
        let failed = |error: io::Error| format!("{program} cannot be started: {error}");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", LAUNCHER, "sh"]).arg(&engine.program).args(&engine.command[1..]);
        let mark = Mark::new();
        command.envs(&engine.env).env(VARIABLE, mark.value()).process_group(0);
        if let Some(dir) = &engine.dir {
            if !dir.is_dir() {
                return Err(format!("{program} cannot be started: its `dir` {} is no folder", dir.display()));
            }
            command.current_dir(dir);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The engine would inherit it.
        turns::let_others_finish(false);
        let mut child = command.spawn().map_err(failed)?;
        let group = Pid::from_raw(child.id().cast_signed());
        let (Some(stdin), Some(stdout), stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were asked for");
        };
        let mut process = Process {
            child,
            group,
            mark,
            stdin,
            stdout,
            stderr,
            lines: Lines::new(),
            complaints: Complaints::default(),
            answered: 0,
        };
        never_block(&process.stdin).and_then(|()| never_block(&process.stdout)).map_err(failed)?;
        guard::add(group).map_err(|error| {
            format!(
                "{program} is not started, since nothing would end it if this process were killed: {error}"
            )
        })?;
        process.stdin.write_all(b"go\n").map_err(failed)?;
        Ok(process)
    }

    /// Its number in the system.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes text to the engine, which must take it before the deadline.
    pub fn send(&mut self, mut text: &[u8], deadline: Instant) -> Result<(), Silence> {
        self.answered = 0;
        self.complaints.begin();
        while !text.is_empty() {
            match self.stdin.write(text) {
                Ok(count) => text = &text[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let mut pipe = [PollFd::new(self.stdin.as_fd(), PollFlags::POLLOUT)];
                    // Not to be interrupted by `stop`: a pipe that takes nothing is soon past the deadline.
                    if poll_pipes(&mut pipe, deadline.saturating_duration_since(Instant::now()))? == 0 {
                        return Err(Silence::Deadline);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(Silence::Broken(self.ending(&format!("takes no more commands ({error})"))));
                }
            }
        }
        Ok(())
    }

    /// What the engine has written, in whole lines with their ends: at least one, and none after the first for which
    /// `is_last` holds.
    pub fn lines(
        &mut self,
        is_last: fn(&[u8]) -> bool,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<&[u8], Silence> {
        while !self.has_lines(is_last)? {
            self.wait(deadline, stop)?;
        }
        Ok(self.lines.take())
    }

    /// The next line, with its end.
    pub fn line(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<&[u8], Silence> {
        self.lines(|_| true, deadline, stop)
    }

    /// A line that the engine has written already, if there is one.
    pub fn leftover(&mut self) -> Result<Option<&[u8]>, Silence> {
        let has_line = self.has_lines(|_| true)? || (self.read()? && self.has_lines(|_| true)?);
        Ok(has_line.then(|| self.lines.take()))
    }

    fn has_lines(&mut self, is_last: fn(&[u8]) -> bool) -> Result<bool, Silence> {
        self.lines
            .find(is_last)
            .map_err(|_| Silence::Broken(format!("wrote a line of more than {} KiB", LONGEST_LINE >> 10)))
    }

    /// Does not listen for this time, and then reads what has come meanwhile.
    pub fn nap(&mut self, time: Duration) -> Result<(), Silence> {
        std::thread::sleep(time);
        self.read().map(drop)
    }

    /// Waits until there is something to read, and reads it.
    fn wait(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<(), Silence> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Silence::Deadline);
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Silence::Stopped);
            }
            let out = self.stdout.as_fd();
            // Once standard error is closed there is but one pipe, waited for twice.
            let err = self.stderr.as_ref().map_or(out, |pipe| pipe.as_fd());
            let mut pipes = [out, err].map(|pipe| PollFd::new(pipe, PollFlags::POLLIN));
            let ready = poll_pipes(&mut pipes, left.min(SLICE))?;
            let [has_said, has_complained] = pipes.map(|pipe| pipe.any().unwrap_or(false));
            if has_complained {
                self.read_stderr();
            }
            if has_said && self.read()? {
                return Ok(());
            }
            if ready == 0 && self.exit_status().is_some() {
                // A descendant may hold the pipe open.
                return Err(Silence::Broken(self.ending("is gone")));
            }
        }
    }

    /// Reads what there is; false if there is nothing yet.
    fn read(&mut self) -> Result<bool, Silence> {
        match self.lines.fill(&mut self.stdout) {
            Ok(0) => Err(Silence::Broken(self.ending("has closed its output"))),
            Ok(count) => {
                self.answered += count;
                if self.answered > LONGEST_ANSWER {
                    let limit = LONGEST_ANSWER >> 20;
                    return Err(Silence::Broken(format!("wrote more than {limit} MiB for one answer")));
                }
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(Silence::Broken(self.ending(&format!("cannot be read ({error})")))),
        }
    }

    /// Keeps some of what there is; once the pipe is closed, it is let go.
    fn read_stderr(&mut self) {
        let mut chunk = [0; 4096];
        let count = self.stderr.as_mut().map_or(0, |pipe| pipe.read(&mut chunk).unwrap_or(0));
        if count == 0 {
            self.stderr = None;
        }
        self.complaints.add(&chunk[..count]);
    }

    /// How it ended, in words; `seen` is what was noticed first.
    fn ending(&mut self, seen: &str) -> String {
        let until = Instant::now() + EXIT;
        while self.exit_status().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        match self.exit_status() {
            Some(WaitStatus::Exited(_, code)) => format!("exited with code {code}"),
            Some(WaitStatus::Signaled(_, signal, _)) => format!("was ended by {signal}"),
            _ => format!("{seen} and is alive"),
        }
    }

    /// What it wrote to standard error, up to now.
    pub fn complaints(&mut self) -> &Complaints {
        // Not for ever: a descendant may go on writing.
        for _ in 0..MOST_STDERR_READS {
            let Some(pipe) = &self.stderr else { break };
            match poll(&mut [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)], PollTimeout::ZERO) {
                Ok(1..) => self.read_stderr(),
                _ => break,
            }
        }
        &self.complaints
    }

    /// How it ended, if it has. It stays a zombie, so that its number remains its own until the group is killed.
    fn exit_status(&self) -> Option<WaitStatus> {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(self.group), flags).ok().filter(|status| *status != WaitStatus::StillAlive)
    }

    /// Lets it quit by itself, within this time; whether it did.
    pub fn quit(mut self, within: Duration) -> bool {
        let deadline = Instant::now() + within;
        if self.send(b"quit\n", deadline).is_ok() {
            let never = AtomicBool::new(false);
            // Until it closes its output, which ends with a look at how it ended.
            while self.line(deadline, &never).is_ok() {}
        }
        self.exit_status().is_some()
    }
}

impl Drop for Process {
    /// Kills it with all its descendants.
    fn drop(&mut self) {
        // Fails only if none of the group is left.
        let _ = killpg(self.group, Signal::SIGKILL);
        guard::forget(self.group);
        // Killed or not, it is waited for: this frees its number.
        let _ = self.child.wait();
        self.mark.kill_all();
    }
}

/// How many of the pipes are ready, or closed, within this time. It is rounded up, so that a deadline is past when the
/// wait for it is over.
fn poll_pipes(pipes: &mut [PollFd], time: Duration) -> Result<i32, Silence> {
    let milliseconds = time.as_micros().div_ceil(1000);
    match poll(pipes, PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX)) {
        // As good as ready: whoever waits looks at it and at the time.
        Err(Errno::EINTR) => Ok(1),
        result => result.map_err(|error| Silence::Broken(format!("its pipe cannot be waited for: {error}"))),
    }
}

/// Reading and writing return at once where there is nothing to read or no room.
fn never_block(pipe: impl AsFd) -> io::Result<()> {
    fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}
