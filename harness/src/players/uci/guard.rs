//! Guard that ends the engines when the harness is killed. A shell that waits at the other end of a pipe.
//!
//! The kernel closes the pipe when the harness ends, however that happens. The guard then kills the process groups
//! it was told of: engines with their descendants; and after them, where there is `/proc`, the descendants that have
//! left those groups (see [`super::descendants`]). An engine is released to start only after the guard knows its group
//! (see [`super::process`]), so there is no instant in which it could be forgotten.

use super::descendants::{OURS, VARIABLE};
use nix::unistd::Pid;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Reads `+ GROUP` and `- GROUP`; at the end of input kills the groups that are left, and whoever has `$1` in its
/// environment. It looks again, since somebody may be starting another.
const SCRIPT: &str = r#"
groups=
while read -r sign group; do
    case $sign in
        +) groups="$groups $group" ;;
        -) others=
           for each in $groups; do [ "$each" = "$group" ] || others="$others $each"; done
           groups=$others ;;
    esac
done
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
for round in 1 2 3 4 5 6 7 8 9 10; do
    found=$(grep -lsF "$1" /proc/[0-9]*/environ)
    [ -n "$found" ] || break
    for file in $found; do
        process=${file#/proc/}
        kill -s KILL "${process%/environ}" 2>/dev/null
    done
    sleep 0.1
done
"#;

static GUARD: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// The guard kills this process group if the harness ends without a word.
///
/// # Errors
/// There is no guard, and none can be started.
pub(super) fn add(group: Pid) -> io::Result<()> {
    let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    let pipe = match &mut *guard {
        Some(pipe) => pipe,
        none => none.insert(start()?),
    };
    let told = writeln!(pipe, "+ {group}");
    if told.is_err() {
        // Somebody has killed it; the next engine gets another.
        *guard = None;
    }
    told
}

/// The group has been killed: its number may be another's soon.
pub(super) fn forget(group: Pid) {
    if let Some(pipe) = &mut *GUARD.lock().unwrap_or_else(PoisonError::into_inner) {
        // A guard that is gone kills nobody.
        let _ = writeln!(pipe, "- {group}");
    }
}

/// In a group of its own, so that Ctrl-C at the terminal does not end it.
fn start() -> io::Result<ChildStdin> {
    let mut command = Command::new("/bin/sh");
    let marked = format!("{VARIABLE}={}", *OURS);
    command.args(["-c", SCRIPT, "guard", &marked]).process_group(0).current_dir("/");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    child.stdin.take().ok_or_else(|| io::Error::other("no pipe to the guard"))
}
