//! Values that are chosen by name: `--preset` and `--expect`.

use clap::ValueEnum;
use serde::Deserialize;

/// A usual choice of the bounds of a test, in whatever model the test has.
///
/// The wider apart the bounds, the shorter the test: its length goes with the square of their distance, and with
/// a true lead in the middle between them it is longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// [0, 5]: is a change of some promise worth keeping?
    Gain,
    /// [0, 2]: the same for small gains, with some six times the games
    GainSmall,
    /// [-3, 1]: does a change that is wanted for other reasons cost strength?
    NonRegression,
    /// [-1.75, 0.25]: can something be removed, if that costs nothing that one would miss?
    Simplify,
}

impl Preset {
    /// elo0 and elo1.
    ///
    /// A neutral change must pass the last two more often than not, so zero lies nearer to elo1 than to elo0. [-3, 1] is as
    /// wide as a quick test wants and lets a loss of 3 pass with 5 %. Many removals add up, so
    /// their bounds are fishtest's closer ones, which stop small losses too and cost four times the games.
    pub const fn bounds(self) -> [f64; 2] {
        match self {
            Preset::Gain => [0.0, 5.0],
            Preset::GainSmall => [0.0, 2.0],
            Preset::NonRegression => [-3.0, 1.0],
            Preset::Simplify => [-1.75, 0.25],
        }
    }
}

/// A verdict that a script expects: the exit code tells it whether it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The candidate is stronger; in a sweep, one of the values is.
    H1,
    /// It is not; in a sweep, none is.
    H0,
}

impl Expected {
    /// The verdict, a word as in summaries.
    pub const fn verdict(self) -> &'static str {
        match self {
            Expected::H1 => "h1",
            Expected::H0 => "h0",
        }
    }
}
