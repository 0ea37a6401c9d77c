//! `harness sprt BASE CANDIDATE`: self-play pairs until the test decides.

use crate::cli::named_players::NamedPlayers;
use crate::cli::options::RunOptions;
use crate::cli::own_limit::refuse_idle_clock;
use crate::cli::play::{Asked, Plays, Ready, play};
use crate::cli::{Exit, Failure};
use crate::kinds::sprt::SprtSpec;
use crate::options::{self, Options};
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::goal::PairGoal;
use clap::Args;

/// Play pairs of games between two configurations until a sequential test decides
#[derive(Args)]
pub struct SprtArguments {
    /// Configuration or program the candidate is measured against
    #[arg(required_unless_present = "resume", requires = "candidate")]
    base: Option<String>,
    /// Configuration or program that is measured
    candidate: Option<String>,
    #[command(flatten)]
    run: Options<{ options::ALL }>,
    #[command(flatten)]
    named: NamedPlayers,
}

/// Runs the command.
///
/// # Errors
/// See [`Failure`].
pub fn execute(arguments: SprtArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let played = play(&arguments, |_| Box::new(()), interrupt)?;
    played.outcome.print(&arguments.run)?;
    let verdict = played.outcome.summary.verdict;
    match played.outcome.exit()? {
        Exit::Done => Ok(Exit::expecting(arguments.run.expect, verdict)),
        exit => Ok(exit),
    }
}

impl Plays for SprtArguments {
    type Spec = SprtSpec;

    fn given(&self) -> &RunOptions {
        &self.run
    }

    fn spec(&self, asked: &Asked<SprtSpec>) -> Result<SprtSpec, Failure> {
        let Asked { stored, options, folder, .. } = *asked;
        let players = match (&self.base, &self.candidate, stored) {
            (Some(base), Some(candidate), _) => self.named.load(&[base, candidate], folder)?,
            (_, _, Some(stored)) => {
                self.named.again(&[stored.base.clone(), stored.candidate.clone()], folder)?
            }
            _ => Vec::new(),
        };
        let conditions = asked.conditions()?;
        refuse_idle_clock(&players, conditions.limit)?;
        let [base, candidate] = players.try_into().expect("two players, or a stored run");
        let test = match stored {
            Some(stored) => self.run.clone().or((&stored.test).into()).test()?,
            None => options.test()?,
        };
        Ok(SprtSpec { base, candidate, conditions, test })
    }

    fn goal(&self, options: &RunOptions, _: Option<&PairGoal>) -> Result<Option<PairGoal>, Failure> {
        Ok(options.max_pairs.map(PairGoal::of))
    }

    fn describes(&self) -> bool {
        self.base.is_some() || self.named.are_given()
    }

    fn warn(&self, Ready { spec, is_new, quiet, .. }: &Ready<SprtSpec>) -> Result<(), Failure> {
        if *is_new && !quiet && spec.base.digest == spec.candidate.digest {
            tell("warning: both configurations are the same, so every pair will be level");
        }
        Ok(())
    }
}
