//! A folder as users have it, with configs and a book, in which the real program runs under a watchdog.

use super::book;
use harness::game::record::PairRecord;
use harness::store::{RunInfo, Store};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No command of these tests takes this long on any machine that is not stuck.
const WATCHDOG: Duration = Duration::from_secs(120);

/// Between two looks at something that is waited for.
const POLL: Duration = Duration::from_millis(2);

/// `configs/` of the repository, `openings/book.epd` with [`Project::OPENINGS`] positions, and a place for results.
pub struct Project {
    folder: PathBuf,
    _owned: Option<TempDir>,
}

impl Project {
    /// Positions of the book.
    pub const OPENINGS: usize = 160;

    /// In a folder of its own, removed when dropped.
    pub fn new() -> Project {
        let owned = tempfile::tempdir().unwrap();
        let Project { folder, .. } = Project::within(owned.path());
        Project { folder, _owned: Some(owned) }
    }

    /// In a folder that is there.
    pub fn within(folder: &Path) -> Project {
        let project = Project { folder: folder.to_owned(), _owned: None };
        let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        for name in ["base.toml", "pvs.toml", "published.toml", "eval/published.toml"] {
            project.write(&format!("configs/{name}"), fs::read_to_string(configs.join(name)).unwrap());
        }
        project.write("openings/book.epd", book::epd(Self::OPENINGS, 1));
        project
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// A path in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file and the folders it needs.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    /// `harness` with these arguments, separated by blanks, in this folder.
    pub fn harness(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
        command.args(arguments.split_whitespace()).current_dir(&self.folder);
        command
    }

    /// Runs it to its end.
    pub fn run(&self, arguments: &str) -> Ended {
        Running::start(&mut self.harness(arguments)).end()
    }

    /// Begins `harness sprt base pvs` with these further arguments.
    pub fn start_sprt(&self, arguments: &str) -> Running {
        Running::start(&mut self.harness(&format!("sprt base pvs {arguments}")))
    }

    /// The report of `harness sprt base pvs` with these further arguments, which ends well and says nothing else.
    pub fn sprt(&self, arguments: &str) -> Value {
        let ended = self.run(&format!("sprt base pvs --json --quiet {arguments}"));
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
        ended.json()
    }

    /// The store in `results/`.
    pub fn store(&self) -> Store {
        Store::open_existing(&self.at("results")).unwrap()
    }

    /// The newest run; none before there is one.
    pub fn newest(&self) -> Option<RunInfo> {
        Store::open_existing(&self.at("results")).ok()?.runs().ok()?.into_iter().next()
    }

    /// The name of the newest run, once it has so many pairs.
    pub fn wait_for_pairs(&self, running: &mut Running, pairs: u64) -> String {
        let mut name = String::new();
        running.wait_until("pairs are stored", || match self.newest() {
            Some(run) if run.pairs >= pairs => {
                name = run.id;
                true
            }
            _ => false,
        });
        name
    }

    /// The first stored pairs of a run, as many as were counted.
    pub fn pairs(&self, report: &Value) -> Vec<PairRecord> {
        let counted = report["games"].as_u64().unwrap() / 2;
        let run = report["run"].as_str().unwrap();
        let pairs: Vec<_> = self.store().pairs(run, 0).take(counted as usize).map(Result::unwrap).collect();
        assert!((0..counted).eq(pairs.iter().map(|pair| pair.index)));
        pairs
    }

    /// The moves of every counted game, with the opening before them.
    pub fn games(&self, report: &Value) -> Vec<String> {
        let games = self.pairs(report).into_iter().flat_map(|pair| pair.games);
        games
            .map(|game| {
                let moves = game.moves.iter().map(|played| format!(" {}", played.uci));
                format!("{} {}{}", game.opening, game.result, moves.collect::<String>())
            })
            .collect()
    }
}

/// A process that is killed if it does not end.
pub struct Running {
    child: Child,
    began: Instant,
    out: JoinHandle<String>,
    err: JoinHandle<String>,
}

impl Running {
    /// Starts it and listens to both of its outputs, unless they lead elsewhere already.
    pub fn start(command: &mut Command) -> Running {
        Running::start_with(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// Starts it with the outputs as they are given.
    pub fn start_with(command: &mut Command) -> Running {
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        let out = listen(child.stdout.take());
        let err = listen(child.stderr.take());
        Running { child, began: Instant::now(), out, err }
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits until something is so; false if the process ends before.
    pub fn waits_for(&mut self, mut is_so: impl FnMut() -> bool) -> bool {
        while !is_so() {
            if self.has_ended() {
                return is_so();
            }
            self.watch();
            thread::sleep(POLL);
        }
        true
    }

    /// Waits until something is so, which it must be before the process ends.
    pub fn wait_until(&mut self, what: &str, is_so: impl FnMut() -> bool) {
        assert!(self.waits_for(is_so), "the process ended before {what}");
    }

    /// Sends the signal of this name, as in `INT`.
    pub fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }

    /// Kills it at once.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for its end, by itself.
    pub fn end(mut self) -> Ended {
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None => self.watch(),
            }
            thread::sleep(POLL);
        };
        Ended::new(status, self.out.join().unwrap(), self.err.join().unwrap())
    }

    fn watch(&mut self) {
        if self.began.elapsed() > WATCHDOG {
            self.child.kill().unwrap();
            panic!("the process did not end within {WATCHDOG:?}");
        }
    }
}

fn listen(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut stream) = stream {
            stream.read_to_string(&mut text).unwrap();
        }
        text
    })
}

/// What a process said, and how it ended.
#[derive(Debug)]
pub struct Ended {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ended {
    fn new(status: ExitStatus, out: String, err: String) -> Ended {
        let text = format!("{out}\n{err}");
        assert!(!text.contains("panicked at"), "{text}");
        assert!(!text.contains('\u{1b}'), "colours in a pipe: {text}");
        let code = status.code().unwrap_or_else(|| panic!("ended by a signal: {status}\n{text}"));
        Ended { code, out, err }
    }

    /// The one JSON value on standard output.
    pub fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// It ended with this code, and standard error has all of these.
    pub fn expect(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "without {word:?}: {}\n{}", self.err, self.out);
        }
    }

    /// The command it printed to go on with the run, as arguments of `harness`.
    pub fn resume_command(&self) -> Vec<String> {
        let line = self.err.lines().find_map(|line| line.strip_prefix("to go on: "));
        let mut words = line.unwrap_or_else(|| panic!("{self:?}")).split(' ').map(str::to_owned);
        assert_eq!(
            words.next().as_deref(),
            Some(env!("CARGO_BIN_EXE_harness")),
            "the program as it was called"
        );
        words.collect()
    }
}

/// What must be the same however a run was carried out.
pub fn findings(report: &Value) -> Vec<(&'static str, Value)> {
    [
        "verdict",
        "games",
        "wins",
        "losses",
        "draws",
        "pentanomial",
        "llr",
        "elo",
        "elo_after_stop",
        "nelo",
        "los",
    ]
    .map(|key| (key, report[key].clone()))
    .into()
}

/// PGN without what differs from one run of the same games to another: times, and the run's name and date.
pub fn timeless(pgn: &str) -> String {
    let lasting = |line: &&str| !line.starts_with("[Event ") && !line.starts_with("[Date ");
    let lines: Vec<_> = pgn.lines().filter(lasting).collect();
    // Line breaks depend on the lengths of times.
    let words = lines.join("\n").replace("\n\n", " ¶ ");
    words.split_whitespace().filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ")
}

/// `0.021s,` in a comment.
fn is_time(word: &str) -> bool {
    word.strip_suffix("s,").is_some_and(|number| number.parse::<f64>().is_ok())
}
