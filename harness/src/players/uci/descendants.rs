//! Descendants of an engine's process. Those of its process group, and those that have left it: they are known by a mark in
//! their environment.
//!
//! A process that calls `setsid` is out of its group's reach, and once its parent has ended it is nobody's child; but
//! it keeps the environment it was started with. Linux shows that of every process in `/proc`. Where there is no
//! `/proc` there is only the group. (Jenkins ends what its builds leave behind in the same way.)

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// The environment variable that has the mark.
pub(super) const VARIABLE: &str = "HARNESS_ENGINE";

/// Looks for processes that were being started during the last one.
const MOST_ROUNDS: usize = 20;

/// Between two looks: what was killed needs a moment to disappear.
const PAUSE: Duration = Duration::from_millis(2);

/// What the marks of all engines of this process begin with, and no others. Each part ends with a point, so that no
/// mark is the beginning of another.
pub(super) static OURS: LazyLock<String> = LazyLock::new(|| {
    let began = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    format!("{}.{}.", std::process::id(), began.as_nanos())
});

/// The mark of one engine.
pub(super) struct Mark(String);

impl Mark {
    /// One that no other engine has.
    pub fn new() -> Mark {
        static ENGINES: AtomicU64 = AtomicU64::new(0);
        Mark(format!("{}{}.", *OURS, ENGINES.fetch_add(1, Ordering::Relaxed)))
    }

    /// The value of [`VARIABLE`].
    pub fn value(&self) -> &str {
        &self.0
    }

    /// Kills whoever bears it.
    pub fn kill_all(&self) {
        let mark = format!("{VARIABLE}={}", self.0);
        for _ in 0..MOST_ROUNDS {
            let found = processes_with(mark.as_bytes());
            if found.is_empty() {
                break;
            }
            for process in found {
                // It may have ended meanwhile.
                let _ = kill(process, Signal::SIGKILL);
            }
            sleep(PAUSE);
        }
    }
}

/// The processes with this variable in their environment. Those whose environment we may not read are not ours.
fn processes_with(variable: &[u8]) -> Vec<Pid> {
    let has_it = |folder: &Path| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == variable)
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .filter(|(_, folder)| has_it(folder))
        .map(|(process, _)| Pid::from_raw(process))
        .collect()
}
