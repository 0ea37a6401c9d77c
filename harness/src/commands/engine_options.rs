//! How engines are run: the options of every command that plays games, none of which changes the experiment.

use super::Failure;
use super::conditions::check_memory;
use super::options::RunOptions;
use crate::experiment::{Conditions, PlayerSpec};
use crate::game::limit::Limit;
use crate::openings::Book;
use crate::players::uci::DialogueLog;
use crate::players::{self, Setup, StartError, Trial};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::drive::CarryingOut;
use crate::run::watch::OnFaults;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Players beyond this many are started anew when their turn comes: each idle one costs a process and a table.
const MOST_KEPT: usize = 8;

/// Where engines run, and what is written of their dialogue.
#[derive(Args, Clone, Debug, Default)]
pub struct EngineOptions {
    /// Run the built-in engine in processes of its own, over UCI; its games are the same
    #[arg(long)]
    out_of_process: bool,
    /// Write the dialogue with engines in other processes to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl EngineOptions {
    /// Those that hold for all sessions of a run (a log is that of one), with a blank before each.
    pub fn of_all_sessions(&self) -> &'static str {
        if self.out_of_process { " --out-of-process" } else { "" }
    }

    /// How games under these conditions are carried out.
    ///
    /// # Errors
    /// There is not enough memory for the players, or the log cannot be made.
    pub fn carrying_out(
        &self,
        conditions: &Conditions,
        options: &RunOptions,
        is_quiet: bool,
    ) -> Result<CarryingOut, Failure> {
        self.carrying_out_for(2, conditions, options, is_quiet)
    }

    /// The same for so many players, which each thread keeps ready, but for very many.
    ///
    /// # Errors
    /// As [`EngineOptions::carrying_out`].
    pub fn carrying_out_for(
        &self,
        players: usize,
        conditions: &Conditions,
        options: &RunOptions,
        is_quiet: bool,
    ) -> Result<CarryingOut, Failure> {
        let threads = options.threads();
        let kept_players = players.min(MOST_KEPT);
        check_memory(kept_players, threads, conditions.hash_megabytes)?;
        let setup = self.setup(conditions.hash_megabytes, options, is_quiet)?;
        if !is_quiet && let Some(warning) = crowded(conditions.limit, threads, num_cpus::get_physical()) {
            tell(warning);
        }
        let terms = conditions.terms().map_err(Failure::usage)?;
        let on_faults = options.faults.unwrap_or_default();
        Ok(CarryingOut { terms, setup: Setup { kept_players, ..setup }, threads, on_faults })
    }

    /// How the players of an experiment are run.
    ///
    /// # Errors
    /// The log cannot be made.
    fn setup(&self, hash_megabytes: u32, options: &RunOptions, is_quiet: bool) -> Result<Setup, Failure> {
        let itself = || {
            std::env::current_exe().map_err(|error| {
                Failure::run(format!("--out-of-process needs the path of this program: {error}"))
            })
        };
        let log = self.log.as_ref().map(|path| {
            DialogueLog::create(path).map_err(|error| {
                Failure::usage(format!(
                    "the log {} cannot be made: {error}; give another --log",
                    path.display()
                ))
            })
        });
        Ok(Setup {
            move_timeout: options.move_timeout.map_or(Setup::MOVE_TIMEOUT, Duration::from_secs),
            out_of_process: self.out_of_process.then(itself).transpose()?,
            log: log.transpose()?,
            note: Arc::new(move |text| {
                if !is_quiet {
                    tell(text)
                }
            }),
            ..Setup::new(hash_megabytes)
        })
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

/// Starts the engine of each player once, before the first game, and lets it search under the limit of its games.
///
/// # Errors
/// One does not start, does not take its options, or has no answer; the last is only told where faults end no run. Or it was
/// interrupted.
pub fn check_players<'a>(
    players: impl IntoIterator<Item = &'a PlayerSpec>,
    conditions: &Conditions,
    book: &Book,
    carrying_out: &CarryingOut,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let needs_chess960 = book.openings.iter().any(|opening| opening.chess960);
    let first = conditions.opening_order(book.openings.len()).get(conditions.openings.first);
    let Some(opening) = first.map(|place| &book.openings[place]) else { return Ok(()) };
    let CarryingOut { setup, on_faults, .. } = carrying_out;
    for player in players {
        let limit = player.limit.unwrap_or(conditions.limit);
        match players::check(player, setup, &Trial { opening, limit, needs_chess960, stop: interrupt.flag() })
        {
            Ok(()) => {}
            Err(StartError::Interrupted) => return Err(Failure::Interrupted),
            Err(StartError::Config(message)) => return Err(Failure::usage(message)),
            Err(StartError::Trial(message)) if *on_faults == OnFaults::PlayOn => {
                (setup.note)(&format!("warning: {message}"));
            }
            Err(StartError::Run(message) | StartError::Trial(message)) => return Err(Failure::run(message)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clocks_are_warned_of() {
        let clock = Limit::tc("10+0.1".parse().unwrap());
        let warning = crowded(clock, 3, 1).unwrap();
        assert!(warning.starts_with("warning: 3 games at once on 1 physical core: "), "{warning}");
        assert!(crowded(Limit::movetime(100), 3, 2).unwrap().contains("give --threads 2"));
        assert_eq!((crowded(clock, 2, 2), crowded(Limit::nodes(1), 99, 2)), (None, None));
    }
}
