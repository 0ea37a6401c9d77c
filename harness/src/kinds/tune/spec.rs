//! Specification of a tuning run: the player that is tuned, its parameters, and how the steps shrink.

use super::spsa::{Parameter, SpsaSchedule};
use crate::conditions::Conditions;
use crate::players::spec::PlayerSpec;
use serde::{Deserialize, Serialize};

/// The configuration from which a run began, in the run's folder.
pub const START: &str = "start.toml";

/// The one with the values as they are, rounded.
pub const TUNED: &str = "tuned.toml";

/// All that decides a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSpec {
    /// The player that is tuned, at its start values.
    pub base: PlayerSpec,
    /// Under what circumstances pairs are played.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// How the steps shrink.
    pub schedule: SpsaSchedule,
    /// What is tuned, in the order in which perturbations are drawn.
    pub parameters: Vec<Parameter>,
    /// The names of the parameters in the order of the file, in which they are shown; none of runs that were stored before, and
    /// where it is the order of drawing. It decides no game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// Whether the two sides of an iteration differ in every parameter even at an end of its range, as in
    /// [`Perturbation::apart`](super::spsa::Perturbation::apart); not so in runs that were stored before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sides_apart: bool,
}

impl TuneSpec {
    /// The places of the parameters in the order in which they are shown.
    pub fn places_as_shown(&self) -> impl Iterator<Item = usize> {
        let name = |place: &usize| &self.parameters[*place].name;
        let mut places: Vec<usize> = (0..self.parameters.len()).collect();
        places.sort_by_key(|place| self.shown.iter().position(|shown| shown == name(place)));
        places.into_iter()
    }

    /// Pairs of the whole run.
    pub const fn pairs(&self) -> u64 {
        self.schedule.iterations * self.schedule.pairs
    }

    /// The player from which it began, as [`START`] has it.
    pub fn start(&self) -> PlayerSpec {
        self.offspring(self.base.clone(), START, "start")
    }

    /// The player with these values, rounded, as [`TUNED`] has it.
    ///
    /// # Errors
    /// A sentence, if they are no legal configuration together.
    pub fn tuned(&self, values: &[f64]) -> Result<PlayerSpec, String> {
        Ok(self.offspring(self.player(values)?, TUNED, "tuned"))
    }

    /// The base with these values, rounded.
    ///
    /// # Errors
    /// A sentence, if they are no legal configuration together.
    pub fn player(&self, values: &[f64]) -> Result<PlayerSpec, String> {
        let values: Vec<i32> = values.iter().map(|value| value.round() as i32).collect();
        self.player_of(&values, &self.base.file)
    }

    /// A player under a file and a name of its own, by which a match tells it from the base.
    fn offspring(&self, player: PlayerSpec, file: &str, what: &str) -> PlayerSpec {
        player.named(format!("{} {what}", self.base.name())).called(file)
    }

    /// One side of an iteration: `full+` with the values of the plus side.
    pub(super) fn side(&self, values: &[i32], sign: char) -> Result<PlayerSpec, String> {
        let player = self.player_of(values, &format!("{}{sign}", self.base.file))?;
        Ok(player.named(format!("{}{sign}", self.base.name())))
    }

    fn player_of(&self, values: &[i32], file: &str) -> Result<PlayerSpec, String> {
        let names = self.parameters.iter().map(|parameter| parameter.name.as_str());
        self.base.varied(file, names.zip(values.iter().copied()))
    }
}
