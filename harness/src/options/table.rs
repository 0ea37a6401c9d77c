//! The table: every option of a run, once.
//!
//! A row reads: what it is for, then its name, type, the whole numbers that are allowed (`..`: any), what stands for its value in
//! the help, its default as people read it, its heading in the help, and its [role](Role).
//!
//! ```text
//! /// Plies to search for each move
//! depth: u32 [1..=127] "N", "Limit", Games("limit");
//! ```
//!
//! Options that decide games stand in the order of their facts, which a digest depends on.

use super::Role::{Call, Files, Games, Once, Session, Test};
use super::settings::Within;
use super::value::{Value, bounds};
use super::{Expected, MOST_PAIRS, Preset, RunOption};
use crate::facts::FIRST_OPENING;
use crate::game::adjudication::{DrawRule, Resign};
use crate::game::limit::TimeControl;
use crate::game::syzygy::{Decides, Folders};
use crate::openings::order::Order;
use crate::run::watch::OnFaults;
use crate::statistics::Model;
use clap::{Arg, ArgMatches};
use serde::de::MapAccess;
use std::marker::PhantomData;
use std::path::PathBuf;

/// Turns the table into [`RunOptions`], [`Name`], [`TABLE`], and what is done with every option alike.
macro_rules! options {
    ($(
        $(#[doc = $help:literal])+
        $name:ident: $type:ty [$allowed:expr] $value:literal $(= $default:literal)?, $heading:literal, $role:expr
            $(, with $also:expr)?;
    )+) => {
        /// What is given of the table's options, on the command line or in the settings.
        #[derive(Clone, Debug, Default)]
        pub struct RunOptions {
            $( $(#[doc = $help])+ pub $name: Option<$type>, )+
        }

        /// An option of the table, named as its field.
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Name {
            $( $(#[doc = $help])+ $name, )+
        }

        /// The table, in the order in which options are written.
        pub const TABLE: &[RunOption] = &[$(
            RunOption {
                name: Name::$name,
                long: {
                    const LONG: [u8; stringify!($name).len()] = with_dashes(stringify!($name).as_bytes());
                    match str::from_utf8(&LONG) { Ok(long) => long, Err(_) => "" }
                },
                help: concat!($($help),+).trim_ascii(),
                default: concat!($($default)?),
                value_name: $value,
                heading: $heading,
                role: $role,
                argument: |argument| {
                    let argument = <$type as Value>::argument(argument, bounds($allowed));
                    $( let argument = ($also)(argument); )?
                    argument
                },
            },
        )+];

        impl RunOptions {
            /// Each option, or if it is not given the other one.
            pub(super) fn or_each(self, others: RunOptions) -> RunOptions {
                RunOptions { $( $name: self.$name.or(others.$name), )+ }
            }

            /// Each option as the command line takes it, if it is given.
            pub(super) fn words(&self) -> [Option<String>; TABLE.len()] {
                [$( self.$name.as_ref().map(|value| value.written(TABLE[Name::$name as usize].long)), )+]
            }

            /// The options as clap has read them.
            pub(super) fn taken_from(matches: &mut ArgMatches) -> RunOptions {
                RunOptions { $( $name: Value::take(matches, TABLE[Name::$name as usize].long), )+ }
            }

            /// Reads the value of a key of the settings.
            pub(super) fn read<'de, A: MapAccess<'de>>(&mut self, key: Name, map: &mut A) -> Result<(), A::Error> {
                match key {
                    $( Name::$name => self.$name = Some(map.next_value_seed(Within(bounds($allowed), PhantomData))?), )+
                }
                Ok(())
            }
        }
    };
}

/// `max-pairs` of `max_pairs`: the name of a field as it is written on the command line.
const fn with_dashes<const LENGTH: usize>(name: &[u8]) -> [u8; LENGTH] {
    let (mut dashed, mut place) = ([0; LENGTH], 0);
    while place < LENGTH {
        dashed[place] = if name[place] == b'_' { b'-' } else { name[place] };
        place += 1;
    }
    dashed
}

options! {
    /// Nodes to search for each move; of several limits the first one reached ends the search
    nodes: u64 [1..] "N" = "5000", "Limit", Games("limit");
    /// Plies to search for each move
    depth: u32 [1..=127] "N", "Limit", Games("limit");
    /// Time for each move, ms; not with --tc
    movetime: u64 [1..] "MS", "Limit", Games("limit");
    /// Time control of each player: 10+0.1 (seconds + increment), 40/1:30 (moves/minutes:seconds), or
    /// several periods: 40/90:00+30,15:00+30
    tc: TimeControl [..] "TC", "Limit", Games("limit"), with |tc: Arg| tc.conflicts_with("movetime");

    /// Opening book: EPD, FEN or PGN, also packed by gzip or zstd
    openings: PathBuf [..] "FILE" = "the one in openings/", "Openings", Files("openings");
    /// Order of the openings
    order: Order [..] "ORDER" = "random", "Openings", Games("order");
    /// Plies to play from each line of a PGN book
    plies: u32 [..] "N" = "all", "Openings", Games("plies");
    /// Leave out what cannot be read of a book; it is counted and named. Without it one bad entry refuses the book
    skip_bad_openings: bool [..] "BOOL" = "false", "Openings", Games("skip-bad-openings");
    /// First opening to play, by its number in the order
    start: u64 [1..=MOST_PAIRS] "N" = "1", "Openings", Games(FIRST_OPENING);
    /// Seed of the random order
    seed: u64 [..] "N" = "1", "Openings", Games("seed");

    /// Hash: table size of each player, MB
    hash: u32 [1..=65536] "MB" = "16", "Players", Games("hash");

    /// Time margin: how late an answer may come under a clock before it loses, ms
    time_margin: u64 [..=3_600_000] "MS" = "100", "Limit", Games("time-margin");

    /// Adjudicate a loss: the player's own score was -SCORE cp or less, or mated, in MOVES of its moves in a row; with
    /// `twosided` the opponent's must have been SCORE or more in as many
    resign: Resign [..] "SCORE,MOVES[,twosided]", "Adjudication", Games("resign");
    /// Adjudicate a draw: both scores were within SCORE cp for MOVES moves of each side, from move number FROM on
    draw: DrawRule [..] "SCORE,MOVES,FROM", "Adjudication", Games("draw");
    /// Adjudicate a draw after this many moves of each side
    max_moves: u32 [1..] "N", "Adjudication", Games("max-moves");
    /// Adjudicate as soon as the Syzygy tables in these folders know the result
    syzygy: Folders [..] "DIR[:DIR]", "Adjudication", Files("syzygy");
    /// Results that the tables decide
    syzygy_adjudicate: Decides [..] "RESULTS" = "both", "Adjudication", Games("syzygy");
    /// Most pieces, kings included, of positions whose result the tables decide
    syzygy_pieces: u32 [3..=7] "N" = "all the tables have", "Adjudication", Games("syzygy");

    /// H0: the candidate leads by this or less, Elo
    elo0: f64 [..] "ELO" = "0", "Test", Test("elo0");
    /// H1: the candidate leads by this or more, Elo
    elo1: f64 [..] "ELO" = "5", "Test", Test("elo1");
    /// Risk of accepting H1 when H0 holds
    alpha: f64 [..] "P" = "0.05", "Test", Test("alpha");
    /// Risk of accepting H0 when H1 holds
    beta: f64 [..] "P" = "0.05", "Test", Test("beta");
    /// Elo model, the scale of elo0 and elo1: logistic, normalized or bayesian
    model: Model [..] "MODEL" = "logistic", "Test", Test("model");
    /// Test single games instead of pairs, as if they were independent
    trinomial: bool [..] "BOOL" = "false", "Test", Test("model");
    /// Usual bounds; --elo0 and --elo1 replace them
    preset: Preset [..] "PRESET", "Test", Test("elo0");

    /// Threads at work: games in parallel
    threads: u32 [1..=4096] "N" = "the number of physical cores", "Where and how", Session;
    /// Bind each game at a time to cores of its own, with its engines; --threads then has to fit
    affinity: bool [..] "BOOL" = "false", "Where and how", Session;
    /// Stop after this many pairs
    max_pairs: u64 [1..=MOST_PAIRS] "N", "Where and how", Session;
    /// Longest wait for a move under --nodes or --depth, s; for engines in other processes
    move_timeout: u64 [1..=86_400] "SEC" = "60", "Where and how", Session;
    /// Longest start of an engine in another process, until uciok, s
    start_timeout: u64 [1..=3600] "SEC" = "10", "Players", Session;
    /// Longest wait for an engine to get ready, until readyok, s
    ready_timeout: u64 [1..=3600] "SEC" = "60", "Players", Session;
    /// What happens when faults decide games: an engine fails its trial search, all of a player's first ten games end by its
    /// faults, or more than 1 % of a session's games are lost on time. The run ends with exit code 1 and its games are kept, or
    /// the games count as they are
    faults: OnFaults [..] "FAULTS" = "stop", "Where and how", Session, with |last: Arg| last.overrides_with("faults");
    /// Folder of the store and the reports
    results: PathBuf [..] "DIR" = "results/ beside the configs folder", "Where and how", Session;
    /// Go on with a stored run; whatever else is given must agree with it
    resume: String [..] "RUN", "Where and how", Once;

    /// Run the built-in engine in processes of its own, over UCI; its games are the same
    out_of_process: () [..] "", "Players", Call;

    /// Write every counted game to this file; - is standard output, and the report then goes to standard error
    pgn: PathBuf [..] "FILE", "Output", Call;
    /// Tell more in the PGN: principal variation, selective depth, time left and latency of each move, engines' names, times of the
    /// game. The store keeps it with each game that is played so, which takes twice the room
    pgn_detail: bool [..] "BOOL" = "false", "Output", Session;
    /// Write events to this file as lines of JSON: the run, every counted pair, the end; - is standard output
    events: PathBuf [..] "FILE", "Output", Call;
    /// Write the UCI dialogue with engines in other processes to this file; - is standard output
    log: PathBuf [..] "FILE", "Output", Once;
    /// Exit with code 3 unless this is the verdict
    expect: Expected [..] "VERDICT", "Output", Call;
    /// Print the report as JSON
    json: () [..] "", "Output", Call;
    /// Show no progress
    quiet: () [..] "", "Output", Call;
}
