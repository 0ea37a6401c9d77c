//! Tournament: all that a command line of fastchess asks for.

use super::Dialect;
use super::engine::Engine;
use crate::game::limit::Limit;
use crate::statistics::sprt::SpecError;
use crate::statistics::{Model, SprtBounds};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Rounds of a test that names none, in fastchess.
const ROUNDS_OF_A_TEST: u64 = 500_000;

/// What is asked for, with fastchess's defaults where nothing is said.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Who plays, in the order given; `-each` is applied already.
    pub engines: Vec<Engine>,
    /// Whether the first engines only meet the others.
    pub gauntlet: bool,
    /// How many first engines those are.
    pub seeds: u64,
    /// Rounds: openings of each pairing.
    pub rounds: u64,
    /// Games from each opening.
    pub games: u64,
    /// The openings.
    pub openings: Openings,
    /// Whether they are those of Chess960.
    pub chess960: bool,
    /// Decides the order of the openings; none: another one every time.
    pub seed: Option<u64>,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
    /// `-resign`: score, moves, whether both must see it.
    pub resign: Option<(u32, u32, bool)>,
    /// `-draw`: score, moves, first move number.
    pub draw: Option<(u32, u32, u32)>,
    /// Moves of each side after which a game is drawn.
    pub max_moves: Option<u32>,
    /// Folders of Syzygy tables.
    pub tables: Option<String>,
    /// Results that the tables decide, in the words of `--syzygy-adjudicate`.
    pub tables_decide: Option<&'static str>,
    /// Most pieces of the positions whose results they are.
    pub tables_pieces: Option<u32>,
    /// Games at once; 0 or less: so many fewer than there are processors.
    pub concurrency: i64,
    /// Whether more of them than processors are meant.
    pub forced_concurrency: bool,
    /// Whether an engine that breaks down is started again.
    pub recover: bool,
    /// Longest start of an engine, ms.
    pub startup_ms: Option<u64>,
    /// Longest wait for `readyok`, ms: the longer of `-ping-ms` and `-ucinewgame-ms`.
    pub ready_ms: Option<u64>,
    /// What is printed.
    pub report: Report,
    /// The file of games.
    pub pgn: Option<PgnOut>,
    /// Whether each game has cores of its own.
    pub affinity: bool,
    /// Whether it is told how late answers come.
    pub shows_latency: bool,
    /// The file of final positions.
    pub epd: Option<EpdOut>,
    /// The file of the UCI dialogue.
    pub log: Option<Log>,
    /// What is different here and no reason to refuse: said once.
    pub notes: Vec<String>,
    /// Whether the command is printed in the words of this program, and not carried out.
    pub only_translate: bool,
}

/// `-openings`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    /// The book; none: every game begins from the start position.
    pub file: Option<PathBuf>,
    /// Whether it is drawn from at random.
    pub random: bool,
    /// Plies of each line of a PGN book.
    pub plies: Option<u32>,
    /// The first opening, from 1.
    pub start: Option<u64>,
}

/// `-sprt`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// H0.
    pub elo0: f64,
    /// H1.
    pub elo1: f64,
    /// Risk of accepting H1 wrongly.
    pub alpha: f64,
    /// Risk of accepting H0 wrongly.
    pub beta: f64,
    /// Scale of the bounds.
    pub model: Model,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 0.0, alpha: 0.0, beta: 0.0, model: Model::Normalized }
    }
}

/// What is printed while games are played, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// In whose words.
    pub dialect: Dialect,
    /// Whether pairs are counted, and not single games.
    pub penta: bool,
    /// Pairs (games without `penta`) between two blocks of figures; none: only at the end.
    pub rating_interval: Option<u64>,
    /// Games between two lines of the score; none: only at the end.
    pub score_interval: Option<u64>,
}

/// `-pgnout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnOut {
    /// The file.
    pub file: PathBuf,
    /// Whether what is in it stays.
    pub append: bool,
    /// Whether the checksum is printed after each game.
    pub crc32: bool,
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// What is said of each move.
    pub detail: Detail,
}

/// What a PGN file says of each move besides score, depth and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Positions searched.
    pub nodes: bool,
    /// Positions searched a second.
    pub nps: bool,
    /// Time left on the clock after the move.
    pub timeleft: bool,
    /// How much later than on the engine's own clock its answer came.
    pub latency: bool,
    /// The deepest ply reached.
    pub seldepth: bool,
    /// The principal variation.
    pub pv: bool,
    /// Nothing at all, and only the tags that every game must have.
    pub min: bool,
    /// Moves as UCI has them, and not in standard algebraic notation.
    pub uci: bool,
}

/// `-epdout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdOut {
    /// The file.
    pub file: PathBuf,
    /// Whether what is in it stays.
    pub append: bool,
}

/// `-log engine=true`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The file.
    pub file: PathBuf,
    /// Whether what is in it stays.
    pub append: bool,
}

impl Tournament {
    /// Nothing said yet.
    pub fn of(dialect: Dialect) -> Tournament {
        let is_fastchess = dialect == Dialect::Fastchess;
        Tournament {
            engines: Vec::new(),
            gauntlet: false,
            seeds: 1,
            rounds: if is_fastchess { 2 } else { 1 },
            games: if is_fastchess { 2 } else { 1 },
            openings: Openings::default(),
            chess960: false,
            seed: None,
            sprt: None,
            resign: None,
            draw: None,
            max_moves: None,
            tables: None,
            tables_decide: None,
            tables_pieces: None,
            concurrency: 1,
            forced_concurrency: false,
            recover: false,
            startup_ms: None,
            ready_ms: None,
            report: Report {
                dialect,
                penta: is_fastchess,
                rating_interval: is_fastchess.then_some(10),
                score_interval: Some(1),
            },
            pgn: None,
            affinity: false,
            shows_latency: false,
            epd: None,
            log: None,
            notes: Vec::new(),
            only_translate: false,
        }
    }

    /// Says something once.
    pub fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// The tournament as it can be played, with what is different here noted.
    ///
    /// # Errors
    /// A sentence: something is missing or makes no sense together.
    pub fn checked(mut self) -> Result<Tournament, String> {
        self.check_engines()?;
        self.check_rounds()?;
        self.name_engines();
        let Report { dialect, penta, .. } = &mut self.report;
        *penta &= *dialect == Dialect::Fastchess && self.games == 2;
        if self.sprt.is_some_and(|test| test.model == Model::Bayesian) && self.report.penta {
            self.report.penta = false;
            self.note("-sprt model=bayesian looks at single games, and so does the report");
        }
        self.test().transpose().map_err(|what| format!("-sprt: {what}"))?;
        if self.openings.file.is_none() && self.chess960 {
            return Err("-variant fischerandom needs a book: give -openings file=FILE".to_owned());
        }
        if self.openings.file.is_none() {
            self.note("without -openings every game begins from the start position");
        }
        self.note_differences();
        Ok(self)
    }

    fn check_engines(&mut self) -> Result<(), String> {
        let engines = self.engines.len();
        if engines < 2 {
            return Err("two engines are needed: give -engine cmd=PROGRAM twice".to_owned());
        }
        if self.sprt.is_some() && engines > 2 {
            return Err(format!("-sprt tests one engine against another, and there are {engines}"));
        }
        if let Some(unlimited) = self.engines.iter().find(|engine| engine.limit == Limit::default()) {
            return Err(format!(
                "{} may think for ever: give tc=, st=, nodes= or depth=, as in -each tc=10+0.1",
                unlimited.cmd
            ));
        }
        if let Some(twice) =
            self.engines.iter().find(|engine| engine.limit.tc.and(engine.limit.movetime).is_some())
        {
            return Err(format!("{} has a clock (tc) and a time for each move (st): keep one", twice.cmd));
        }
        let others = (engines - 1) as u64;
        if self.gauntlet && self.seeds != 1 {
            if self.seeds < others {
                return Err(format!(
                    "-seeds {}: a gauntlet has one engine that meets the others here, or all meet all (-tournament roundrobin)",
                    self.seeds
                ));
            }
            self.gauntlet = false;
        }
        Ok(())
    }

    fn check_rounds(&mut self) -> Result<(), String> {
        // Scripts of cutechess-cli say -games N and mean the number of games; fastchess reads it so, too.
        if self.games > 2 {
            std::mem::swap(&mut self.games, &mut self.rounds);
            if self.games > 2 {
                return Err(format!(
                    "-games {}: a pair has two games; give -games 2 and as many -rounds as pairs",
                    self.rounds
                ));
            }
        }
        if self.rounds == 0 && self.sprt.is_some() {
            self.rounds = ROUNDS_OF_A_TEST;
        }
        if self.pairs() == 0 {
            return Err("there is no game to play: give -rounds 1 or more, and -games 2".to_owned());
        }
        if self.games == 1 {
            let (rounds, pairs) = (self.rounds, self.pairs());
            self.note(format!("-games 1: games are played in pairs always, {pairs} pairs in the place of {rounds} single games"));
        }
        Ok(())
    }

    /// Gives those without a name that of their file, and a number to those of a name that is taken.
    fn name_engines(&mut self) {
        let mut taken = BTreeSet::new();
        for engine in &mut self.engines {
            if engine.name.is_empty() {
                let stem = Path::new(&engine.cmd).file_stem().unwrap_or_default();
                engine.name = stem.to_string_lossy().into_owned();
            }
            let first = engine.name.clone();
            let mut number = 1;
            while !taken.insert(engine.name.clone()) {
                number += 1;
                engine.name = format!("{first}_{number}");
            }
        }
    }

    fn note_differences(&mut self) {
        let processors = num_cpus::get() as i64;
        if self.concurrency > processors && !self.forced_concurrency {
            self.note(format!(
                "-concurrency {}: there are {processors} processors, and games under a clock will be short of them",
                self.concurrency
            ));
        }
        if self.engines.iter().any(|engine| engine.option("Hash").is_none() && !engine.is_configuration()) {
            self.note("Hash is 16 MB where option.Hash does not set it, and not the engine's own default");
        }
        if self.openings.random && self.seed.is_none() {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let seed = now.map_or(1, |since| since.as_nanos() as u64 % 1_000_000_007);
            self.seed = Some(seed);
            self.note(format!("order=random without -srand: the seed is {seed}"));
        }
        if self.only_translate && self.epd.is_some() {
            self.note("-epdout: no option of this program writes final positions; `harness fastchess` does");
        }
        self.note("pairs are counted in their order: both games of one are announced when it and all before it are finished");
    }

    /// The test, if there is one.
    ///
    /// # Errors
    /// Its bounds or risks make no sense.
    pub fn test(&self) -> Option<Result<SprtBounds, SpecError>> {
        let Sprt { elo0, elo1, alpha, beta, model } = self.sprt?;
        let test = SprtBounds::new(elo0, elo1, alpha, beta, model);
        Some(test.map(|test| test.with_trinomial(!self.report.penta)))
    }

    /// Games at once.
    pub fn threads(&self) -> u64 {
        let processors = num_cpus::get() as i64;
        let threads = if self.concurrency > 0 { self.concurrency } else { processors + self.concurrency };
        threads.max(1).unsigned_abs()
    }

    /// Pairs that each two engines play: two games from each opening whatever `-games` says, and as many games.
    pub fn pairs(&self) -> u64 {
        self.rounds.saturating_mul(self.games).div_ceil(2)
    }

    /// How many pairings there are.
    pub fn pairings(&self) -> u64 {
        let engines = self.engines.len() as u64;
        if self.gauntlet { engines.saturating_sub(1) } else { engines * engines.saturating_sub(1) / 2 }
    }
}
