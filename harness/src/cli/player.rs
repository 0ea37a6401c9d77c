//! Player: what a word of the command line names, a configuration or a program.
//!
//! | word | names |
//! |---|---|
//! | `pvs`, `configs/pvs.toml` | a configuration, also in the `configs/` of the nearest folder upwards that has one |
//! | `./new`, `builds/new` | a program |
//! | `stockfish` | a program of PATH, where no configuration has the name |
//! | `new=./builds/new` | either of them under another name |

use super::Failure;
use crate::players::external::{ExternalEngine, find_program, not_executable};
use crate::players::external_file::ExternalFile;
use crate::players::spec::{BadPlayer, PlayerSpec};
use crate::report::tell;
use engine::config::find_config;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The player that a word names.
///
/// # Errors
/// There is no such file or program, or something in it is wrong.
pub fn load_player(typed: &str, folder: &Path) -> Result<PlayerSpec, Failure> {
    let (name, word) = named(typed, folder);
    let player = match kind_of(word, folder)? {
        Kind::Configuration(path) => load_config(word, &path, folder)?,
        Kind::Program => load_program(word, folder)?,
    };
    Ok(match name {
        None => player,
        Some(name) => player.named(name.to_owned()).called(name).typed_as(typed),
    })
}

/// What a word names.
enum Kind {
    Configuration(PathBuf),
    Program,
}

/// Splits `new=./builds/new`; a file that has such a name is meant as it is.
fn named<'a>(word: &'a str, folder: &Path) -> (Option<&'a str>, &'a str) {
    match word.split_once('=') {
        Some((name, rest)) if !name.is_empty() && !name.contains('/') && !folder.join(word).exists() => {
            (Some(name), rest)
        }
        _ => (None, word),
    }
}

fn kind_of(word: &str, folder: &Path) -> Result<Kind, Failure> {
    let there = folder.join(word);
    let is_config = word.ends_with(".toml");
    if word.contains('/') && !is_config {
        if find_program(word, folder).is_some() {
            return Ok(Kind::Program);
        }
        if there.is_dir() {
            return Err(Failure::usage(format!(
                "{word} is a folder: name a program or a configuration in it"
            )));
        }
        if is_program(&there) {
            return Err(Failure::usage(format!(
                "{word} is a program that may not be executed: chmod +x {word}, or name another"
            )));
        }
    }
    match find_config(word, folder) {
        Ok(path) if !is_config && is_program(&path) => {
            Err(Failure::usage(format!("{word} is a program here: write ./{word} for it")))
        }
        Ok(path) => Ok(Kind::Configuration(path)),
        Err(_) if !is_config && !word.contains('/') && find_program(word, folder).is_some() => {
            tell(format_args!("{word} is the program of this name in PATH, since no configuration has it"));
            Ok(Kind::Program)
        }
        Err(not_found) if !is_config && !word.contains('/') => {
            Err(Failure::usage(match not_executable(word, folder) {
                Some(program) => format!(
                    "{} is a program that may not be executed: chmod +x it, or name another; nor is there a config `{word}`",
                    program.display()
                ),
                None => format!("{not_found}; nor is a program of this name in PATH"),
            }))
        }
        Err(not_found) => Err(Failure::usage(not_found)),
    }
}

/// Whether a file is something that a system executes, by its first bytes: a program in machine code, or a script.
fn is_program(path: &Path) -> bool {
    const STARTS: [&[u8]; 6] =
        [b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xfe\xed\xfa\xcf", b"\xca\xfe\xba\xbe", b"MZ"];
    let mut start = Vec::new();
    // A pipe can be read but once, and is a configuration.
    let read =
        path.is_file() && File::open(path).is_ok_and(|file| file.take(4).read_to_end(&mut start).is_ok());
    read && STARTS.iter().any(|known| start.starts_with(known))
}

fn load_config(word: &str, path: &Path, folder: &Path) -> Result<PlayerSpec, Failure> {
    // Messages name the file as the user sees it from here.
    let path = path.strip_prefix(folder).unwrap_or(path);
    let player = PlayerSpec::load(path).map_err(|error| match error {
        BadPlayer::Config(errors) => Failure::usage(errors),
        BadPlayer::Program(message) => Failure::run(message),
    })?;
    let word = Path::new(word).strip_prefix(folder).unwrap_or(Path::new(word));
    Ok(player.typed_as(&word.to_string_lossy()))
}

fn load_program(word: &str, folder: &Path) -> Result<PlayerSpec, Failure> {
    let file =
        ExternalFile { command: vec![word.to_owned()], folder: folder.to_owned(), ..ExternalFile::default() };
    let engine = ExternalEngine::find(file, Path::new(word)).map_err(Failure::run)?;
    let label = Path::new(word).file_name().map_or(word.into(), |name| name.to_string_lossy());
    let name = label.clone().into_owned();
    Ok(PlayerSpec::of_engine(&label, ExternalEngine { name, ..engine }).typed_as(word))
}
