//! External engine: its program, and what decides how it plays.

use super::external_file::{ExternalFile, set_option};
use super::restart::Restart;
use crate::facts::{self, Fact, digest_of, fact};
use base16ct::lower::encode_string;
use engine::config::EngineConfig;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A program that speaks UCI, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalEngine {
    /// The name in reports and game files.
    pub name: String,
    /// Program and arguments as the configuration has them; no shell reads them.
    pub command: Vec<String>,
    /// The program's file, from the root.
    pub program: PathBuf,
    /// The folder it runs in; that of the harness if not given.
    pub dir: Option<PathBuf>,
    /// Set in its environment, besides that of the harness.
    pub env: BTreeMap<String, String>,
    /// UCI options and their values, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// When it is started again.
    pub restart: Restart,
    /// How long its start may take, s; none: as long as for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_timeout: Option<u64>,
    /// SHA-256 of the program's file.
    pub sha256: String,
}

impl ExternalEngine {
    /// The engine that a configuration describes, found on this machine; `named` is the configuration's file, or what else
    /// describes the engine.
    ///
    /// # Errors
    /// A sentence: the program is not there, cannot be executed, or is not the one that the file pins.
    pub fn find(file: ExternalFile, named: &Path) -> Result<ExternalEngine, String> {
        let config = named.display();
        let word = &file.command[0];
        let program = find_program(word, &file.folder)
            .ok_or_else(|| format!("{config}: {}", why_not_found(word, &file.folder)))?;
        let sha256 = digest_of_file(&program)?;
        if let Some(pinned) = file.sha256.filter(|pinned| !pinned.eq_ignore_ascii_case(&sha256)) {
            return Err(format!(
                "{config}: {} is another program than the one pinned (its sha256 is {sha256}, not {pinned}): \
                 restore that one or change `sha256`",
                program.display()
            ));
        }
        let stem = || named.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(ExternalEngine {
            name: file.name.unwrap_or_else(stem),
            command: [file.command, file.args].concat(),
            program,
            dir: file.dir,
            env: file.env,
            options: file.options,
            restart: file.restart,
            start_timeout: file.start_timeout,
            sha256,
        })
    }

    /// The built-in engine with this configuration, played by `program` when it is called with `command`.
    pub fn built_in(program: &Path, command: &str, config: &EngineConfig) -> ExternalEngine {
        let values = serde_json::to_string(config).expect("a configuration has a JSON form");
        ExternalEngine {
            name: config.name.clone(),
            command: vec![program.display().to_string(), command.to_owned(), values],
            program: program.to_owned(),
            dir: None,
            env: BTreeMap::new(),
            options: Vec::new(),
            restart: Restart::AfterCrash,
            start_timeout: None,
            // Nobody asks for it: the build is told by the bench of the engine in this process.
            sha256: String::new(),
        }
    }

    /// What the configuration sets a UCI option to, whose letter case does not count.
    pub fn option(&self, name: &str) -> Option<&str> {
        let named = self.options.iter().find(|(option, _)| option.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.as_str())
    }

    /// Sets a UCI option, in the place of the value it had, whose letter case does not count.
    pub fn set_option(&mut self, name: &str, value: impl ToString) {
        set_option(&mut self.options, name, value.to_string());
    }

    /// A configuration file that describes it.
    pub fn to_toml(&self) -> String {
        let text = |text: &str| toml::Value::from(text).to_string();
        let pairs = |pairs: &mut dyn Iterator<Item = (&String, &String)>| {
            let pairs: Vec<_> =
                pairs.map(|(key, value)| format!("{} = {}", text(key), text(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        };
        let command: Vec<_> = self.command.iter().map(|word| text(word)).collect();
        let mut lines = vec![
            format!("name = {}\n\n[uci]", text(&self.name)),
            format!("command = [{}]", command.join(", ")),
        ];
        lines.extend(self.dir.as_ref().map(|dir| format!("dir = {}", text(&dir.to_string_lossy()))));
        lines.push(format!("env = {}", pairs(&mut self.env.iter())));
        lines.push(format!("options = {}", pairs(&mut self.options.iter().map(|(key, value)| (key, value)))));
        lines.push(match self.restart {
            Restart::EveryGame => "restart = \"every-game\"".to_owned(),
            restart => format!("restart = {}", restart == Restart::AfterCrash),
        });
        lines.extend(self.start_timeout.map(|seconds| format!("start_timeout = {seconds}")));
        lines.join("\n") + "\n"
    }

    /// The same engine with the digest that its program has now.
    ///
    /// # Errors
    /// The program cannot be read.
    pub fn measured_anew(&self) -> Result<ExternalEngine, String> {
        Ok(ExternalEngine { sha256: digest_of_file(&self.program)?, ..self.clone() })
    }

    /// SHA-256 of what decides its play, but for the program itself.
    pub fn digest(&self) -> String {
        digest_of(&self.facts())
    }

    /// What another engine has different, one `key: ours → theirs` each.
    pub fn differences(&self, other: &ExternalEngine) -> Vec<String> {
        facts::differences(&self.facts_in_words(), &other.facts_in_words())
    }

    /// The facts as people write them: `options: Hash=8, Threads=1`.
    fn facts_in_words(&self) -> Vec<Fact> {
        let ExternalEngine { command, env, options, restart, .. } = self;
        let set = |pairs: &mut dyn Iterator<Item = (&String, &String)>| {
            let pairs: Vec<_> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
            if pairs.is_empty() { "none".to_owned() } else { pairs.join(", ") }
        };
        let words: Vec<_> = command
            .iter()
            .map(|word| shlex::try_quote(word).map_or(word.as_str().into(), |word| word))
            .collect();
        let restart = match restart {
            Restart::Never => "never",
            Restart::AfterCrash => "after a crash",
            Restart::EveryGame => "every game",
        };
        vec![
            fact("command", words.join(" ")),
            fact("environment", set(&mut env.iter())),
            fact("options", set(&mut options.iter().map(|(name, value)| (name, value)))),
            fact("restart", restart),
        ]
    }

    fn facts(&self) -> Vec<Fact> {
        // The debug form quotes every text, so that two different lists never look the same.
        let ExternalEngine { command, env, options, restart, .. } = self;
        let facts = [
            fact("command", format!("{command:?}")),
            fact("env", format!("{env:?}")),
            fact("options", format!("{options:?}")),
        ];
        let anew = (*restart == Restart::EveryGame).then(|| fact("restart", "every game"));
        facts.into_iter().chain(anew).collect()
    }
}

/// A program named with a slash is a file seen from `folder`, any other is looked for in PATH.
pub fn find_program(name: &str, folder: &Path) -> Option<PathBuf> {
    let found = places(name, folder).into_iter().find(|file| is_executable(file))?;
    if name.contains('/') { Some(found) } else { std::path::absolute(found).ok() }
}

/// The file that would be the program of this name, if it could be executed.
pub fn not_executable(name: &str, folder: &Path) -> Option<PathBuf> {
    places(name, folder).into_iter().find(|file| file.is_file() && !is_executable(file))
}

/// Where a program of this name may be.
fn places(name: &str, folder: &Path) -> Vec<PathBuf> {
    if name.contains('/') {
        return vec![folder.join(name)];
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).collect()
}

/// Why there is no program of this name, and what to do.
pub fn why_not_found(name: &str, folder: &Path) -> String {
    let there = folder.join(name);
    match not_executable(name, folder) {
        Some(file) => {
            format!(
                "{} may not be executed: make it a program with chmod +x, or name another",
                file.display()
            )
        }
        None if !name.contains('/') => {
            format!("there is no program `{name}` in PATH: install it or correct the name")
        }
        None if there.is_dir() => format!("{} is a folder: name the program in it", there.display()),
        None => {
            let folder = folder.display();
            format!("there is no program `{name}` seen from {folder}: build it or correct the name")
        }
    }
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// A file as it was when it was read: another one, or the same one written anew, has something different.
type Stamp = (PathBuf, u64, u64, i64, i64);

/// SHA-256 of a program's file. Programs of today carry networks of a hundred megabytes, and often both players are the same one:
/// what has been read in this process is not read again while its stamp is the same.
fn digest_of_file(program: &Path) -> Result<String, String> {
    static KNOWN: Mutex<BTreeMap<Stamp, String>> = Mutex::new(BTreeMap::new());
    let unreadable = |error| format!("the program {} cannot be read: {error}", program.display());
    let file = File::open(program).map_err(unreadable)?;
    let of = file.metadata().map_err(unreadable)?;
    let stamp = (program.to_owned(), of.ino(), of.len(), of.mtime(), of.mtime_nsec());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(digest) = known().get(&stamp) {
        return Ok(digest.clone());
    }
    let digest = sha256_of(file).map_err(unreadable)?;
    known().insert(stamp, digest.clone());
    Ok(digest)
}

fn sha256_of(file: File) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = BufReader::with_capacity(1 << 16, file);
    loop {
        let read = file.fill_buf()?;
        if read.is_empty() {
            return Ok(encode_string(&hash.finalize()));
        }
        hash.update(read);
        let length = read.len();
        file.consume(length);
    }
}
