//! `harness match A B [C…]`: a fixed number of pairs between two or more players.

use super::conditions::{conditions, load_player, overridden};
use super::engine_options::check_players;
use super::files::{OpenFiles, RunFiles};
use super::job::{Beginning, Finding, Job, refuse_another, stored_run};
use super::options::{RunOptions, current_folder};
use super::own_limit::{OwnLimits, refuse_idle_clock};
use super::{Exit, Failure};
use crate::experiment::PlayerSpec;
use crate::game::record::PairRecord;
use crate::options::{self, Name, Options, Set};
use crate::report::pgn_file::Seat;
use crate::report::progress::ProgressLine;
use crate::report::tell;
use crate::report::tournament::TournamentSummary;
use crate::report::tournament_text::tournament_line;
use crate::run::Interrupt;
use crate::run::dealer::Dealer;
use crate::run::drive::{CarryingOut, Listener, ListenerError};
use crate::run::tournament::{End, Format, Tournament, TournamentSpec};
use crate::store::kind;
use clap::Args;
use std::path::Path;
use std::sync::Arc;

/// Pairs of each pairing unless another number is given.
const DEFAULT_PAIRS: u64 = 500;

/// A match has no test.
const TAKEN: Set = options::ALL & !options::TEST & !options::of(&[Name::expect]);

/// Play a fixed number of pairs: two players, everybody against everybody, or the first against all others
#[derive(Args)]
#[command(mut_arg("max-pairs", |argument| argument.help("Pairs that each two players play [default: 500]")))]
pub struct MatchArguments {
    /// Configurations that play; all counts of two are seen from the side of the one named first
    #[arg(value_name = "PLAYER", required_unless_present = "resume", num_args = 2..)]
    players: Vec<String>,
    /// Only the first player meets the others
    #[arg(long, help_heading = "Players")]
    gauntlet: bool,
    #[command(flatten)]
    run: Options<TAKEN>,
    #[command(flatten)]
    own_limits: OwnLimits,
}

/// A match that is ready to be played.
struct Ready {
    job: Job,
    spec: Arc<TournamentSpec>,
    dealer: Dealer,
    files: OpenFiles,
    carrying_out: CarryingOut,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: MatchArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    arguments.run.check_files()?;
    let in_force = arguments.run.clone().or(RunOptions::settings(&folder)?);
    let results = in_force.results(&folder);
    let ready = match &arguments.run.resume {
        Some(name) => resume(&arguments, name, &in_force, (&results, &folder), interrupt)?,
        None => begin(&arguments, &in_force, (&results, &folder), interrupt)?,
    };
    let given = arguments.run.max_pairs;
    let pairs = given.or(ready.spec.max_pairs).or(in_force.max_pairs).unwrap_or(DEFAULT_PAIRS);
    let (summary, end, stopped) = carry_out(ready, &arguments, pairs, interrupt)?;
    arguments.run.print(&summary, || summary.text())?;
    if let Some(stopped) = stopped {
        return Err(stopped);
    }
    if end == End::Interrupted {
        tell(format_args!("to go on: {}", arguments.run.resume_command(kind::MATCH, &summary.run, &results)));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

impl MatchArguments {
    /// Two players make one pairing, whichever way they meet.
    fn format(&self) -> Format {
        match self.gauntlet && self.players.len() > 2 {
            true => Format::Gauntlet,
            false => Format::RoundRobin,
        }
    }

    /// The players that are named, each with its own limit if it has one, and told apart.
    fn load_players(&self, folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let players = self.players.iter().map(|name| load_player(name, folder));
        let players: Vec<PlayerSpec> = players.collect::<Result<_, _>>()?;
        for (number, player) in players.iter().enumerate() {
            if let Some(namesake) = players[..number].iter().find(|other| cannot_be_told_apart(player, other))
            {
                return Err(Failure::usage(format!(
                    "two players, {} and {}, have the name {}: give one another `name` in its configuration",
                    namesake.as_typed(),
                    player.as_typed(),
                    player.name()
                )));
            }
        }
        self.own_limits.applied(players, folder)
    }
}

/// Whether two players have one name, unless it is only that of their files, which lie in different folders.
fn cannot_be_told_apart(one: &PlayerSpec, other: &PlayerSpec) -> bool {
    let is_that_of_its_file = |player: &PlayerSpec| {
        Path::new(player.as_typed()).file_stem().is_some_and(|stem| stem == player.name())
    };
    let are_in_different_folders =
        one.as_typed() != other.as_typed() && is_that_of_its_file(one) && is_that_of_its_file(other);
    one.name() == other.name() && !are_in_different_folders
}

/// A new run of the match that the arguments describe.
fn begin(
    arguments: &MatchArguments,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let players = arguments.load_players(folder)?;
    let (conditions, book) = conditions(options, folder)?;
    refuse_idle_clock(&players, conditions.limit)?;
    let spec =
        TournamentSpec { format: arguments.format(), players, conditions, max_pairs: options.max_pairs };
    if arguments.run.quiet.is_none() {
        same_players(&spec).into_iter().for_each(tell);
    }
    let carrying_out = options.carrying_out(spec.players.len(), &spec.conditions)?;
    check_players(&spec.players, &spec.conditions, &book, &carrying_out, interrupt)?;
    let beginning =
        Beginning { kind: kind::MATCH, question: &spec.question(), spec: &spec, digest: &spec.digest() };
    let (job, files) = Job::begin(results, &beginning, || arguments.run.open_files(false))?;
    let dealer = Dealer::new(&spec.conditions, book);
    Ok(Ready { job, spec: Arc::new(spec), dealer, files, carrying_out })
}

/// A warning for each player that is the same as one before it, under another name.
fn same_players(spec: &TournamentSpec) -> Vec<String> {
    let repeats = spec.conditions.limit.is_deterministic();
    let warning = |(number, player): (usize, &PlayerSpec)| {
        let same = spec.players[..number].iter().find(|other| other.digest == player.digest)?;
        let games =
            if repeats { ", so their games against others are the same and no further evidence" } else { "" };
        Some(format!("warning: {} and {} are the same player{games}", same.name(), player.name()))
    };
    spec.players.iter().enumerate().filter_map(warning).collect()
}

/// A stored run, if it is the one that the arguments describe.
fn resume(
    arguments: &MatchArguments,
    name: &str,
    options: &RunOptions,
    (results, folder): (&Path, &Path),
    interrupt: &Interrupt,
) -> Result<Ready, Failure> {
    let (store, info, stored): (_, _, TournamentSpec) = stored_run(results, name, kind::MATCH)?;
    let (conditions, book) = overridden(&stored.conditions, &arguments.run, folder)?;
    let asked = match arguments.players.is_empty() {
        true => {
            let players = arguments.own_limits.again(&stored.players, folder)?;
            TournamentSpec { format: stored.format, players, conditions, max_pairs: stored.max_pairs }
        }
        false => TournamentSpec {
            format: arguments.format(),
            players: arguments.load_players(folder)?,
            conditions,
            max_pairs: stored.max_pairs,
        },
    };
    refuse_idle_clock(&asked.players, asked.conditions.limit)?;
    refuse_another(&info.id, [stored.digest(), asked.digest()], || stored.differences(&asked))?;
    let carrying_out = options.carrying_out(stored.players.len(), &asked.conditions)?;
    check_players(&stored.players, &asked.conditions, &book, &carrying_out, interrupt)?;
    let lock = store.lock_run(&info.id)?;
    let files = arguments.run.open_files(true)?;
    let job = Job { store, lock, info };
    let dealer = Dealer::new(&stored.conditions, book);
    Ok(Ready { job, spec: Arc::new(stored), dealer, files, carrying_out })
}

/// Plays the run and stores what came out: the figures, why it ended, and why early if faults decided its games.
fn carry_out(
    Ready { job, spec, dealer, files, carrying_out }: Ready,
    arguments: &MatchArguments,
    pairs: u64,
    interrupt: &Interrupt,
) -> Result<(TournamentSummary, End, Option<Failure>), Failure> {
    let question = spec.question();
    let limit = spec.conditions.limit;
    if arguments.run.quiet.is_none() {
        tell(format_args!("{question} · run {}", job.info.id));
    }
    let mut listeners = Listeners {
        progress: arguments.run.quiet.is_none().then(|| ProgressLine::new(question.clone())),
        files: files.of_run(&job.info, &question, limit)?,
    };
    let mut tournament = Tournament::new(&spec, pairs);
    let resume = arguments.run.resume_command(kind::MATCH, &job.info.id, job.store.dir());
    let played = job.play((&mut tournament, &dealer), &carrying_out, interrupt, &mut listeners, &resume)?;
    let summary = TournamentSummary::new(
        (&played.info.id, tournament.end()),
        &spec,
        tournament.results(),
        &played.effort,
    );
    let finding = Finding { games: summary.games, verdict: summary.end, is_final: false };
    played.finish(finding, &summary)?;
    if tournament.end() != End::Interrupted {
        listeners.files.end(summary.end, summary.games)?;
    }
    Ok((summary, tournament.end(), played.stopped(&resume)))
}

/// Who hears of a counted pair.
struct Listeners {
    progress: Option<ProgressLine>,
    files: RunFiles,
}

impl Listener<Tournament> for Listeners {
    fn counted(
        &mut self,
        pair: &PairRecord,
        tournament: &Tournament,
        is_new: bool,
    ) -> Result<(), ListenerError> {
        self.files.add(pair, tournament.players_of(pair.index).map(Seat::of))?;
        if let Some(line) = &mut self.progress {
            line.counted(is_new, |rate| tournament_line(tournament, rate));
        }
        Ok(())
    }
}
