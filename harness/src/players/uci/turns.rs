//! SCHED_BATCH for the reader thread: whether it or the engine runs first when the engine has written a line.
//!
//! Linux lets a thread that was asleep take the processor from one that is at work, so a reader is switched to for every
//! line, in the middle of the engine's work. A thread of the policy `SCHED_BATCH` (sched(7)) takes it only when the engine waits for
//! the next question: then all lines are there at once. Never under a clock, where a reader that comes late would cost
//! the engine time. Other systems have no such policy, and nothing changes there.

use std::cell::Cell;

thread_local! {
    static YIELDS: Cell<bool> = const { Cell::new(false) };
}

/// From now on this thread lets others finish what they do, or not. Processes inherit it from the thread that starts
/// them.
pub(super) fn let_others_finish(yields: bool) {
    if YIELDS.replace(yields) != yields {
        set_policy(yields);
    }
}

#[cfg(target_os = "linux")]
fn set_policy(yields: bool) {
    use nix::libc::{
        SCHED_BATCH, SCHED_OTHER, pthread_self, pthread_setschedparam, sched_getscheduler, sched_param,
    };
    thread_local! {
        // SAFETY: it reads a number of the calling thread.
        static INHERITED: i32 = unsafe { sched_getscheduler(0) };
    }
    // Whoever gave the program a policy of another kind knows why.
    if INHERITED.with(|&policy| policy != SCHED_OTHER) {
        return;
    }
    let policy = if yields { SCHED_BATCH } else { SCHED_OTHER };
    let none = sched_param { sched_priority: 0 };
    // SAFETY: the thread is this one, which runs, and the parameters are read from a value that outlives the call. It halves
    // the harness's own time for a move (docs/engines.md), and no library sets a policy without the niceness, too.
    // A system that refuses it plays the same games, a little slower.
    let _ = unsafe { pthread_setschedparam(pthread_self(), policy, &raw const none) };
}

#[cfg(not(target_os = "linux"))]
fn set_policy(_yields: bool) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;

    /// The policy that `/proc/PID/stat` gives as field 41, proc(5).
    fn policy(stat: &str) -> u32 {
        let after_name = &stat[stat.rfind(')').unwrap() + 2..];
        after_name.split(' ').nth(38).unwrap().parse().unwrap()
    }

    #[test]
    fn a_reader_is_patient_and_an_engine_started_after_is_not() {
        let own = || policy(&std::fs::read_to_string("/proc/thread-self/stat").unwrap());
        let of_child = || {
            let read = Command::new("cat").arg("/proc/self/stat").output().unwrap();
            policy(std::str::from_utf8(&read.stdout).unwrap())
        };
        let before = own();
        let_others_finish(true);
        assert_eq!(own(), 3, "SCHED_BATCH");
        let_others_finish(false);
        assert_eq!((own(), of_child()), (before, before));
    }
}
