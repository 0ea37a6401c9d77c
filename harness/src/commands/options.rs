//! The options that several commands share, and the settings file that gives their defaults.
//!
//! An option that is not given on the command line is looked for in `harness.toml` of the nearest folder upwards
//! that has one, then has the default of the command.

use super::Failure;
use super::preset::Preset;
use crate::game::adjudication::{Adjudication, DrawRule, Resign};
use crate::game::limit::{Limit, TimeControl};
use crate::game::syzygy::{Decides, Folders, SyzygyRule};
use crate::openings::order::Order;
use crate::openings::{Book, find};
use crate::run::watch::OnFaults;
use crate::statistics::{Model, SprtBounds};
use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use std::path::{Path, PathBuf};

/// The settings file.
const SETTINGS: &str = "harness.toml";

/// The limit unless another is given.
const DEFAULT_LIMIT: Limit = Limit::nodes(5000);

/// More pairs than anybody could play; numbers up to here can be doubled and added without overflow.
pub const MOST_PAIRS: u64 = 1 << 40;

/// How games are played, what is asked of them, and where what comes out is kept.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RunOptions {
    /// Positions searched for each move [default: 5000]; limits that are given together hold together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(deserialize_with = "within::<_, _, 1, { u64::MAX }>")]
    pub nodes: Option<u64>,
    /// Plies searched for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=127))]
    #[serde(deserialize_with = "within::<_, _, 1, 127>")]
    pub depth: Option<u32>,
    /// Milliseconds for each move; not with --tc
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(deserialize_with = "within::<_, _, 1, { u64::MAX }>")]
    pub movetime: Option<u64>,
    /// Clock of each player, such as 10+0.1 (seconds and increment) or 40/1:30 (moves in minutes:seconds)
    #[arg(long, value_name = "TC", conflicts_with = "movetime")]
    pub tc: Option<TimeControl>,
    /// Book of openings: EPD, FEN or PGN, also gzip or zstd [default: the one in openings/]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// How openings are drawn [default: random]
    #[arg(long, value_enum)]
    pub order: Option<Order>,
    /// Decides the random order [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Plies played from each line of a PGN book [default: all]
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
    /// Number of the opening, in the order in which they are drawn, that is played first [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS))]
    #[serde(deserialize_with = "within::<_, _, 1, MOST_PAIRS>")]
    pub start: Option<u64>,
    /// Games in parallel [default: the number of physical cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    #[serde(deserialize_with = "within::<_, _, 1, 4096>")]
    pub threads: Option<u32>,
    /// Stop after this many pairs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_PAIRS))]
    #[serde(deserialize_with = "within::<_, _, 1, MOST_PAIRS>")]
    pub max_pairs: Option<u64>,
    /// Table size of each player, MB [default: 16]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    #[serde(deserialize_with = "within::<_, _, 1, 65536>")]
    pub hash: Option<u32>,
    /// Wall time of one move under --nodes or --depth, seconds, for engines in other processes [default: 60]
    #[arg(long, value_name = "SEC", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    #[serde(deserialize_with = "within::<_, _, 1, 86_400>")]
    pub move_timeout: Option<u64>,
    /// What happens when an engine fails its trial search before the first game, all of a player's first ten games end by its
    /// faults, or more than 1 % of a session's games are lost on time: the run ends with exit code 1 and its games are kept, or
    /// the games count as they are [default: stop]
    #[arg(long, value_enum)]
    pub faults: Option<OnFaults>,
    /// How late an answer may come under a clock before it loses, milliseconds [default: 100]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    #[serde(deserialize_with = "within::<_, _, 0, 3_600_000>")]
    pub time_margin: Option<u64>,
    /// A player loses whose own score was -SCORE centipawns or less, or mated, in MOVES of its moves in a row; with
    /// `twosided` only if the opponent's was SCORE or more in as many
    #[arg(long, value_name = "SCORE,MOVES[,twosided]")]
    pub resign: Option<Resign>,
    /// Drawn when both scores were within SCORE centipawns for MOVES moves of each side, from move number FROM on
    #[arg(long, value_name = "SCORE,MOVES,FROM")]
    pub draw: Option<DrawRule>,
    /// Drawn after this many moves of each side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(deserialize_with = "within::<_, _, 1, { u64::MAX }>")]
    pub max_moves: Option<u32>,
    /// Folders of Syzygy tables: a game ends as soon as they know its result
    #[arg(long, value_name = "DIR[:DIR]")]
    pub syzygy: Option<Folders>,
    /// Which results the tables decide [default: both]
    #[arg(long, value_enum, value_name = "RESULTS")]
    pub syzygy_adjudicate: Option<Decides>,
    /// Lead of the candidate if it is not better, Elo [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// Lead of the candidate if it is better, Elo [default: 5]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// Risk of accepting H1 when H0 holds [default: 0.05]
    #[arg(long, value_name = "P")]
    pub alpha: Option<f64>,
    /// Risk of accepting H0 when H1 holds [default: 0.05]
    #[arg(long, value_name = "P")]
    pub beta: Option<f64>,
    /// Scale of elo0 and elo1: logistic, normalized or bayesian [default: logistic]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<Model>,
    /// Look at single games instead of pairs, as if they were independent
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub trinomial: Option<bool>,
    /// A usual choice of elo0 and elo1; given themselves, these win
    #[arg(long, value_enum)]
    pub preset: Option<Preset>,
    /// Folder of the store and the reports [default: results/ beside the configs folder]
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
}

impl RunOptions {
    /// These options, and where one is not given, that of the settings.
    pub fn or(self, settings: RunOptions) -> RunOptions {
        // Limits belong together: those of the command line replace all in the settings.
        let settings = match self.given_limit() {
            Some(_) => RunOptions { nodes: None, depth: None, movetime: None, tc: None, ..settings },
            None => settings,
        };
        // So does a preset any bounds.
        let settings = match self.preset {
            Some(_) => RunOptions { elo0: None, elo1: None, ..settings },
            None => settings,
        };
        RunOptions {
            nodes: self.nodes.or(settings.nodes),
            depth: self.depth.or(settings.depth),
            movetime: self.movetime.or(settings.movetime),
            tc: self.tc.or(settings.tc),
            openings: self.openings.or(settings.openings),
            order: self.order.or(settings.order),
            seed: self.seed.or(settings.seed),
            plies: self.plies.or(settings.plies),
            start: self.start.or(settings.start),
            threads: self.threads.or(settings.threads),
            max_pairs: self.max_pairs.or(settings.max_pairs),
            hash: self.hash.or(settings.hash),
            move_timeout: self.move_timeout.or(settings.move_timeout),
            faults: self.faults.or(settings.faults),
            time_margin: self.time_margin.or(settings.time_margin),
            resign: self.resign.or(settings.resign),
            draw: self.draw.or(settings.draw),
            max_moves: self.max_moves.or(settings.max_moves),
            syzygy: self.syzygy.or(settings.syzygy),
            syzygy_adjudicate: self.syzygy_adjudicate.or(settings.syzygy_adjudicate),
            elo0: self.elo0.or(settings.elo0),
            elo1: self.elo1.or(settings.elo1),
            alpha: self.alpha.or(settings.alpha),
            beta: self.beta.or(settings.beta),
            model: self.model.or(settings.model),
            trinomial: self.trinomial.or(settings.trinomial),
            preset: self.preset.or(settings.preset),
            results: self.results.or(settings.results),
        }
    }

    /// The limit that is given, if one is.
    pub fn given_limit(&self) -> Option<Limit> {
        let RunOptions { nodes, depth, movetime, tc, .. } = *self;
        let limit = Limit { nodes, depth, movetime, tc };
        (limit != Limit::default()).then_some(limit)
    }

    /// The limit in force.
    pub fn limit(&self) -> Limit {
        self.given_limit().unwrap_or(DEFAULT_LIMIT)
    }

    /// The rules of adjudication, what is not given being that of `otherwise`.
    ///
    /// # Errors
    /// Tables of endgames are wanted that cannot be used, or not named.
    pub fn adjudication(&self, otherwise: &Adjudication) -> Result<Adjudication, Failure> {
        Ok(Adjudication {
            resign: self.resign.or(otherwise.resign),
            draw: self.draw.or(otherwise.draw),
            max_moves: self.max_moves.or(otherwise.max_moves),
            syzygy: self.syzygy_rule(otherwise.syzygy.as_ref())?,
        })
    }

    fn syzygy_rule(&self, otherwise: Option<&SyzygyRule>) -> Result<Option<SyzygyRule>, Failure> {
        let folders = self.syzygy.as_ref().or(otherwise.map(|rule| &rule.folders));
        let decides = self.syzygy_adjudicate.or(otherwise.map(|rule| rule.decides));
        match (folders, decides) {
            (Some(folders), _) => {
                let rule = SyzygyRule::of(folders.clone(), decides.unwrap_or_default());
                rule.map(Some).map_err(Failure::usage)
            }
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Failure::usage(
                "--syzygy-adjudicate says what tables decide, and none are named: give --syzygy DIR with it",
            )),
        }
    }

    /// Games in parallel.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(num_cpus::get_physical, |threads| threads as usize)
    }

    /// The test that is described, what is not given being that of `otherwise`.
    ///
    /// # Errors
    /// Its bounds or risks make no sense.
    pub fn test(&self, otherwise: &SprtBounds) -> Result<SprtBounds, Failure> {
        let [elo0, elo1] = self.preset.map_or([otherwise.elo0(), otherwise.elo1()], Preset::bounds);
        let test = SprtBounds::new(
            self.elo0.unwrap_or(elo0),
            self.elo1.unwrap_or(elo1),
            self.alpha.unwrap_or(otherwise.alpha()),
            self.beta.unwrap_or(otherwise.beta()),
            self.model.unwrap_or(otherwise.model()),
        )
        .map_err(Failure::usage)?;
        Ok(test.with_trinomial(self.trinomial.unwrap_or(otherwise.asks_for_games())))
    }

    /// Those of these options that describe a test, and are given, each with its value.
    pub fn given_for_test(&self) -> impl Iterator<Item = (&'static str, String)> {
        let number = |value: Option<f64>| value.map(|value| value.to_string());
        let given = [
            ("--elo0", number(self.elo0)),
            ("--elo1", number(self.elo1)),
            ("--alpha", number(self.alpha)),
            ("--beta", number(self.beta)),
            ("--model", self.model.map(|model| model.to_string())),
            ("--trinomial", self.trinomial.map(|is_wanted| is_wanted.to_string())),
            (
                "--preset",
                self.preset.and_then(|preset| Some(preset.to_possible_value()?.get_name().to_owned())),
            ),
        ];
        given.into_iter().filter_map(|(option, value)| Some((option, value?)))
    }

    /// Refuses the options of a test, where there is none.
    ///
    /// # Errors
    /// One of them is given; `reason` says why it has no place.
    pub fn refuse_test(&self, reason: &str) -> Result<(), Failure> {
        self.given_for_test().next().map_or(Ok(()), |(option, _)| {
            Err(Failure::usage(format!(
                "{option} belongs to a test, and {reason}: leave it out, or use `harness sprt`"
            )))
        })
    }

    /// The folder of the store.
    pub fn results(&self, folder: &Path) -> PathBuf {
        self.results.clone().unwrap_or_else(|| project(folder).unwrap_or(folder).join("results"))
    }

    /// The folder of the store for commands that take no other of these options: the one given, that of the settings, or
    /// the project's.
    ///
    /// # Errors
    /// As [`RunOptions::settings`].
    pub fn results_or_default(given: Option<PathBuf>, folder: &Path) -> Result<PathBuf, Failure> {
        let options = RunOptions { results: given, ..RunOptions::default() };
        Ok(options.or(RunOptions::settings(folder)?).results(folder))
    }

    /// The book that is named, or the one the project ships.
    ///
    /// # Errors
    /// There is none, or it has bad entries.
    pub fn book(&self, folder: &Path) -> Result<Book, Failure> {
        let path = match &self.openings {
            Some(path) => path.clone(),
            None => find::default_book(folder).map_err(Failure::usage)?,
        };
        Book::read(&path, self.plies.map(|plies| plies as usize)).map_err(Failure::usage)
    }

    /// The settings that hold in a folder; none if no folder upwards has the file.
    ///
    /// # Errors
    /// The file cannot be read, or has something in it that is no setting.
    pub fn settings(folder: &Path) -> Result<RunOptions, Failure> {
        let Some(path) = folder.ancestors().map(|parent| parent.join(SETTINGS)).find(|path| path.is_file())
        else {
            return Ok(RunOptions::default());
        };
        let name = path.display();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::usage(format!("{name} cannot be read: {error}")))?;
        let settings: RunOptions =
            toml::from_str(&text).map_err(|error| Failure::usage(format!("in {name}: {error}")))?;
        if settings.movetime.is_some() && settings.tc.is_some() {
            return Err(Failure::usage(format!(
                "{name} gives a time for each move (movetime) and a clock (tc); keep one"
            )));
        }
        // Paths in the file are seen from where it is, whatever the current folder.
        let from_file = |relative: PathBuf| path.with_file_name(relative);
        Ok(RunOptions {
            openings: settings.openings.map(from_file),
            results: settings.results.map(from_file),
            syzygy: settings.syzygy.map(|folders| folders.seen_from(&path)),
            ..settings
        })
    }
}

/// A number of the settings file, in the range that the command line allows.
fn within<'de, D, T, const LEAST: u64, const MOST: u64>(input: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = u64::deserialize(input)?;
    let allowed = T::try_from(number).ok().filter(|_| (LEAST..=MOST).contains(&number));
    allowed.map(Some).ok_or_else(|| match MOST {
        u64::MAX => D::Error::custom(format!("{number} is not at least {LEAST}")),
        _ => D::Error::custom(format!("{number} is not in {LEAST}..={MOST}")),
    })
}

/// The nearest folder upwards that has a `configs` folder.
fn project(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|parent| parent.join("configs").is_dir())
}

/// The current folder.
///
/// # Errors
/// It has been removed.
pub fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| Failure::usage(format!("there is no current folder: {error}")))
}
