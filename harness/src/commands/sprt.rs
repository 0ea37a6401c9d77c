//! `harness sprt BASE CANDIDATE`: self-play pairs until the test decides.

use super::expected::Expected;
use super::options::RunOptions;
use super::own_limit::{OwnLimits, refuse_idle_clock};
use super::play::{Asked, Plays, Ready, play};
use super::run_arguments::RunArguments;
use super::{Exit, Failure};
use crate::kinds::sprt::SprtSpec;
use crate::report::tell;
use crate::run::Interrupt;
use crate::run::goal::PairGoal;
use crate::statistics::SprtBounds;
use clap::Args;

/// Play pairs of games between two configurations until a sequential test decides
#[derive(Args)]
pub struct SprtArguments {
    /// Configuration the candidate is measured against
    #[arg(required_unless_present = "resume", requires = "candidate")]
    base: Option<String>,
    /// Configuration that is measured
    candidate: Option<String>,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    own_limits: OwnLimits,
    /// Exit with code 3 unless this is the verdict
    #[arg(long, value_enum)]
    expect: Option<Expected>,
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
        Exit::Done => Ok(Expected::exit(arguments.expect, verdict)),
        exit => Ok(exit),
    }
}

impl Plays for SprtArguments {
    type Spec = SprtSpec;

    fn run(&self) -> &RunArguments {
        &self.run
    }

    fn spec(&self, asked: &Asked<SprtSpec>) -> Result<SprtSpec, Failure> {
        let Asked { stored, options, folder, .. } = *asked;
        let players = match (&self.base, &self.candidate, stored) {
            (Some(base), Some(candidate), _) => self.own_limits.load_players(&[base, candidate], folder)?,
            (_, _, Some(stored)) => {
                self.own_limits.again(&[stored.base.clone(), stored.candidate.clone()], folder)?
            }
            _ => Vec::new(),
        };
        let conditions = asked.conditions()?;
        refuse_idle_clock(&players, conditions.limit)?;
        let [base, candidate] = players.try_into().expect("two players, or a stored run");
        let test = match stored {
            Some(stored) => self.run.options.test(&stored.test)?,
            None => options.test(&SprtBounds::default())?,
        };
        Ok(SprtSpec { base, candidate, conditions, test })
    }

    fn goal(&self, options: &RunOptions, _: Option<&PairGoal>) -> Result<Option<PairGoal>, Failure> {
        Ok(options.max_pairs.map(PairGoal::of))
    }

    fn warn(&self, Ready { spec, is_new, quiet, .. }: &Ready<SprtSpec>) -> Result<(), Failure> {
        if *is_new && !quiet && spec.base.digest == spec.candidate.digest {
            tell("warning: both configurations are the same, so every pair will be level");
        }
        Ok(())
    }

    fn also(&self) -> String {
        Expected::in_words(self.expect)
    }
}
