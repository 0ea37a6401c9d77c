//! What several end-to-end tests need: a project to run the program in, and a small file system of its own.

#![allow(dead_code, reason = "every test program is compiled with all of this and uses some of it")]

pub mod book;
pub mod engines;
pub mod project;
pub mod workers;

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Set in a copy of the test program that runs in a mount namespace of its own.
const IN_NAMESPACE: &str = "HARNESS_TEST_IN_NAMESPACE";

/// A file system in memory, unmounted when dropped.
pub struct Tmpfs {
    folder: TempDir,
}

impl Tmpfs {
    fn mount(size: &str) -> Result<Tmpfs, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        run(Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder.path()))?;
        Ok(Tmpfs { folder })
    }

    /// Its root.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Changes it while mounted: `size=8m`, `ro`, `rw`.
    pub fn remount(&self, options: &str) {
        // The options it has now are left out: among them is the owner's number outside a user namespace, which
        // the kernel refuses inside.
        let mut mount = Command::new("mount");
        mount.args(["--options-mode", "ignore", "-o", &format!("remount,{options}")]).arg(self.path());
        // A process that another test is about to start holds our open files until it becomes another program.
        let busy = |tried: &Result<(), String>| tried.as_ref().is_err_and(|error| error.contains("busy"));
        let mut tried = run(&mut mount);
        for _ in 0..100 {
            if !busy(&tried) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
            tried = run(&mut mount);
        }
        tried.unwrap();
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        // Lazily, so that a file still open does not keep the mount.
        if let Err(error) = run(Command::new("umount").arg("--lazy").arg(self.folder.path())) {
            eprintln!("{error}");
        }
    }
}

/// Runs `test` on a file system of this size (as in `2m`). Without the right to mount, the test of this name
/// (its whole path in the test program) is run again in a user namespace, where everybody may.
///
/// # Panics
/// Where neither is allowed: such a test fails, it is never passed over.
pub fn with_tmpfs(name: &str, size: &str, test: impl FnOnce(&Tmpfs)) {
    let refused = match Tmpfs::mount(size) {
        Ok(tmpfs) => return test(&tmpfs),
        Err(error) => error,
    };
    assert!(
        std::env::var_os(IN_NAMESPACE).is_none(),
        "cannot mount a tmpfs in a user namespace either: {refused}"
    );
    let program = std::env::current_exe().unwrap();
    let again = Command::new("unshare")
        .arg("-rm")
        .arg(program)
        .args(["--exact", name, "--nocapture"])
        .env(IN_NAMESPACE, "1")
        .output();
    let output = again.unwrap_or_else(|error| {
        panic!("this test mounts a tmpfs, which needs root ({refused}) or unshare(1) ({error})")
    });
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success() && out.contains("1 passed"),
        "this test mounts a tmpfs, which needs root ({refused}) or unprivileged user namespaces (`unshare -rm`), \
         or it failed there:\n{out}\n{err}"
    );
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(Output { status, .. }) if status.success() => Ok(()),
        Ok(output) => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}
