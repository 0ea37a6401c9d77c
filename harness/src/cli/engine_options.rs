//! How engines are run, which changes nothing of the experiment, and the check of every engine before the first game.

use super::Failure;
use super::conditions::check_memory;
use super::options::RunOptions;
use crate::conditions::Conditions;
use crate::game::limit::Limit;
use crate::game::opening::{Oddity, Opening};
use crate::game::play::Terms;
use crate::openings::Book;
use crate::players::spec::{EngineSpec, PlayerSpec};
use crate::players::uci::DialogueLog;
use crate::players::{self};
use crate::players::{Setup, StartError, Trial};
use crate::report::run_file::{self, RunFile};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::drive::Execution;
use crate::run::watch::OnFaults;
use engine::position::Position;
use std::sync::Arc;
use std::time::Duration;

/// Players beyond this many are started anew when their turn comes: each idle one costs a process and a table.
const MOST_KEPT: usize = 8;

impl RunOptions {
    /// How games of so many players under these conditions are carried out: each thread keeps the players ready, but for very
    /// many.
    ///
    /// # Errors
    /// There is not enough memory for the players, or the log cannot be made.
    pub fn execution(&self, players: usize, conditions: &Conditions) -> Result<Execution, Failure> {
        let threads = self.threads();
        let kept_players = players.min(MOST_KEPT);
        check_memory(kept_players, threads, conditions.hash_megabytes)?;
        let itself = |()| {
            std::env::current_exe().map_err(|error| {
                Failure::run(format!("--out-of-process needs the path of this program: {error}"))
            })
        };
        let out_of_process = self.out_of_process.map(itself).transpose()?;
        let log = self.log.as_ref().map(|path| run_file::open(path, "--log", false)).transpose();
        let log = log.map_err(Failure::usage)?.map(|file| match file {
            RunFile::Regular(file) | RunFile::Stream(file) => {
                DialogueLog::new(file, Arc::new(|text| tell(text)))
            }
        });
        let is_quiet = self.quiet.is_some();
        let note = move |text: &str| {
            // A warning is no progress: what is wrong with the figures is said to those as well who want no more than figures.
            if !is_quiet || text.starts_with("warning") {
                tell(text)
            }
        };
        crowded(conditions.limit, threads, num_cpus::get_physical()).into_iter().for_each(|text| note(&text));
        let seconds = |given: Option<u64>, usual| given.map_or(usual, Duration::from_secs);
        let setup = Setup {
            move_timeout: seconds(self.move_timeout, Setup::MOVE_TIMEOUT),
            start_timeout: seconds(self.start_timeout, Setup::START_TIMEOUT),
            ready_timeout: seconds(self.ready_timeout, Setup::READY_TIMEOUT),
            out_of_process,
            log,
            note: Arc::new(note),
            kept_players,
            cores: self.affinity.filter(|&wanted| wanted).map(|_| Arc::default()),
            ..Setup::new(conditions.hash_megabytes)
        };
        let details = self.pgn_detail == Some(true);
        let terms = Terms { details, ..conditions.terms().map_err(Failure::usage)? };
        Ok(Execution { terms, setup, threads, on_faults: self.faults.unwrap_or_default() })
    }
}

/// A warning where games under a clock share processors.
fn crowded(limit: Limit, threads: usize, cores: usize) -> Option<String> {
    (limit.has_clock() && threads > cores).then(|| {
        format!(
            "warning: {threads} games at once on {cores} physical core{}: under a clock they take time from each other; \
             give --threads {cores} or a limit of nodes",
            if cores == 1 { "" } else { "s" }
        )
    })
}

/// A warning where engines that search on several threads share processors. Of the two players of a game one searches.
fn crowded_by_threads(player: &PlayerSpec, games: usize, cores: usize) -> Option<String> {
    let threads = player.search_threads();
    let fitting = cores / threads;
    (threads > 1 && games.saturating_mul(threads) > cores).then(|| {
        format!(
            "warning: {} searches on {threads} threads, in {games} game{} at once, and there {}: they take time from each \
             other; give {}the engine fewer Threads",
            player.file,
            if games == 1 { "" } else { "s" },
            if cores == 1 { "is 1 physical core".to_owned() } else { format!("are {cores} physical cores") },
            if fitting > 0 { format!("--threads {fitting}, or ") } else { String::new() }
        )
    })
}

/// Starts the engine of each player once, before the first game, lets it search under the limit of its games, and claims the cores
/// of the games, or warns of engines that take more threads than there are.
///
/// # Errors
/// One does not start, does not take its options, or has no answer; the last is only told where faults end no run. There are not
/// enough cores for `--affinity`. Or it was interrupted.
pub fn check_players<'a>(
    players: impl IntoIterator<Item = &'a PlayerSpec>,
    conditions: &Conditions,
    book: &Book,
    execution: &Execution,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let needs_chess960 = book.openings.iter().any(|opening| opening.chess960);
    let first = conditions.opening_order(book.openings.len()).get(conditions.openings.first);
    let Some(opening) = first.map(|place| &book.openings[place]) else { return Ok(()) };
    let Execution { setup, on_faults, threads, .. } = execution;
    let players: Vec<&PlayerSpec> = players.into_iter().collect();
    check_odd_openings(&players, book, setup)?;
    let Some(widest) = players.iter().max_by_key(|player| player.search_threads()) else { return Ok(()) };
    let warning = match &setup.cores {
        Some(cores) => cores.claim(*threads, widest.search_threads()).map_err(Failure::usage)?,
        None => crowded_by_threads(widest, *threads, num_cpus::get_physical()),
    };
    warning.iter().for_each(|warning| (setup.note)(warning));
    for player in &players {
        let limit = player.limit.unwrap_or(conditions.limit);
        match players::check(player, setup, &Trial { opening, limit, needs_chess960, stop: interrupt.flag() })
        {
            Err(StartError::Trial(message)) if *on_faults == OnFaults::PlayOn => {
                (setup.note)(&format!("warning: {message}"));
            }
            checked => checked.map_err(cannot_start)?,
        }
    }
    Ok(())
}

/// Warns of openings that no game of normal chess leads to.
///
/// # Errors
/// The built-in engine is to play them, whose board has no such positions.
fn check_odd_openings(players: &[&PlayerSpec], book: &Book, setup: &Setup) -> Result<(), Failure> {
    let odd: Vec<_> = book.openings.iter().filter_map(|opening| Some((opening, opening.oddity?))).collect();
    let Some(first) = odd.first() else { return Ok(()) };
    let told = |(opening, oddity): &(&Opening, Oddity)| {
        format!("{}:{}: {oddity}", book.path.display(), opening.line)
    };
    let built_in = players.iter().find(|player| matches!(player.engine, EngineSpec::BuiltIn { .. }));
    let refused = odd.iter().find(|(opening, _)| Position::from_fen(&opening.fen).is_err());
    if let Some((player, refused)) = built_in.zip(refused) {
        return Err(Failure::usage(format!(
            "{}, and {} is the built-in engine, which does not play from such positions: delete it, or let other engines \
             play",
            told(refused),
            player.name()
        )));
    }
    let more = match odd.len() {
        1 => String::new(),
        count => format!("; {} of the openings are like that", count),
    };
    (setup.note)(&format!(
        "warning: {}; it is played as it stands, and an engine may refuse it{more}",
        told(first)
    ));
    Ok(())
}

/// Why a command ends whose engine does not start.
pub fn cannot_start(error: StartError) -> Failure {
    match error {
        StartError::Config(message) => Failure::usage(message),
        StartError::Run(message) | StartError::Trial(message) => Failure::run(message),
        StartError::Interrupted => Failure::Interrupted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_engines_count_in_every_game() {
        let engine = |options: &str| {
            let of_engine = format!(
                r#"{{"name":"x","command":["x"],"program":"/x","dir":null,"env":{{}},"options":{options},"restart":true,"sha256":""}}"#
            );
            PlayerSpec::of_engine("x.toml", serde_json::from_str(&of_engine).unwrap())
        };
        let of_four = engine(r#"[["threads", "4"]]"#);
        let warning = crowded_by_threads(&of_four, 2, 2).unwrap();
        assert!(
            warning.contains("4 threads, in 2 games at once, and there are 2 physical cores"),
            "{warning}"
        );
        assert!(warning.ends_with("; give the engine fewer Threads"), "{warning}");
        let warning = crowded_by_threads(&of_four, 3, 8).unwrap();
        assert!(warning.ends_with("; give --threads 2, or the engine fewer Threads"), "{warning}");
        assert_eq!(crowded_by_threads(&of_four, 2, 8), None);
        for quiet in ["[]", r#"[["Threads", "1"]]"#, r#"[["Threads", "0"]]"#, r#"[["Threads", "all"]]"#] {
            assert_eq!(crowded_by_threads(&engine(quiet), 99, 1), None, "{quiet}");
        }
    }

    #[test]
    fn only_clocks_are_warned_of() {
        let clock = Limit::tc("10+0.1".parse().unwrap());
        let warning = crowded(clock, 3, 1).unwrap();
        assert!(warning.starts_with("warning: 3 games at once on 1 physical core: "), "{warning}");
        assert!(crowded(Limit::movetime(100), 3, 2).unwrap().contains("give --threads 2"));
        assert_eq!((crowded(clock, 2, 2), crowded(Limit::nodes(1), 99, 2)), (None, None));
    }
}
