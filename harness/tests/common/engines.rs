//! Configurations of the toy engine, `examples/toy_engine.rs`, which misbehaves in a way its arguments say.

use super::project::Project;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Marks the processes of one project: whoever descends from its engines has it in the environment.
pub const MARK: &str = "TOY_ENGINE_OF";

/// Its program.
pub fn toy() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_harness")).parent().unwrap();
    let toy = folder.join("examples/toy_engine");
    assert!(toy.is_file(), "build it with: cargo build -p harness --example toy_engine");
    toy
}

/// An engine with these arguments and these further lines of its configuration.
pub fn add_engine(project: &Project, name: &str, arguments: &str, more: &str) {
    let arguments: Vec<_> = arguments.split_whitespace().collect();
    let (toy, mark) = (toy(), project.path());
    let config =
        format!("[uci]\ncommand = [{toy:?}]\nargs = {arguments:?}\nenv = {{ {MARK} = {mark:?} }}\n{more}\n");
    project.write(&format!("configs/{name}.toml"), config);
}

/// Panics unless pgn-extract reads all of it.
pub fn pgn_extract_has_no_complaint(pgn: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    fs::write(&file, pgn).unwrap();
    let output = ["pgn-extract", "/usr/games/pgn-extract"]
        .into_iter()
        .find_map(|program| Command::new(program).arg("-s").arg(&file).stdin(Stdio::null()).output().ok())
        .expect("this test needs the program pgn-extract: install it (Debian package pgn-extract)");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{pgn}");
}
