//! The options that say what a test asks, for the commands that play nothing and so need no others of a run.

use super::options::RunOptions;
use super::preset::Preset;
use crate::statistics::Model;
use clap::Args;

/// What a test asks.
#[derive(Args, Clone, Debug)]
pub struct TestOptions {
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
}

impl From<&TestOptions> for RunOptions {
    fn from(options: &TestOptions) -> RunOptions {
        let TestOptions { elo0, elo1, alpha, beta, model, trinomial, preset } = *options;
        RunOptions { elo0, elo1, alpha, beta, model, trinomial, preset, ..RunOptions::default() }
    }
}
