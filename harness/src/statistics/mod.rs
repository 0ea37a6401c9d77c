//! Statistics of games between two players: Elo with its margin, the log-likelihood ratio, the sequential test's verdict, and the
//! estimate corrected for optional stopping.
//!
//! Pure functions on integer counts: no clock, no file, nothing of the rest of the project. A figure that cannot be
//! computed (no games, or all in one category) is `None`, never NaN, never an invented number.
//!
//! Each file uses only files above it:
//!
//! | file | holds | uses |
//! |---|---|---|
//! | [`sample`] | regularised counts of equally spaced outcomes, their moments | |
//! | [`normal`] | the normal distribution, confidence levels | |
//! | [`model`] | the scales of bounds | |
//! | [`roots`] | the zero of a function inside a bracket | |
//! | [`pentanomial`] | the integer counts of pairs and of games | `sample` |
//! | [`mle`] | the likeliest distribution under a hypothesis | `sample`, `roots` |
//! | [`elo`] | logistic and normalized Elo, margins, likelihood of superiority | `sample`, `normal` |
//! | [`bayes_elo`] | the model of BayesElo, for bounds given in its scale | `sample`, `elo` |
//! | [`llr`] | the log-likelihood ratio in the three models | `sample`, `mle`, `elo`, `bayes_elo` |
//! | [`brownian`] | when and where a Brownian motion leaves a strip | `normal` |
//! | [`linear`] | inverses of small matrices | |
//! | [`ratings`] | the strengths of several players by all their games | `normal`, `roots`, `pentanomial`, `elo`, `linear` |
//! | [`leaders`] | which of several players may be the strongest | `normal`, `ratings` |
//! | [`sprt`] | the test's question, bounds and verdict | `sample`, `model`, `pentanomial`, `llr` |
//! | [`overshoot`] | bounds moved inwards by what the LLR jumps over them | `sprt` |
//! | [`motion`] | the LLR as a Brownian motion | `sample`, `pentanomial`, `elo`, `bayes_elo`, `model`, `sprt` |
//! | [`after_stop`] | Elo corrected for the stopping rule | `normal`, `roots`, `pentanomial`, `elo`, `brownian`, `sprt`, `motion` |
//! | [`remaining`] | how many games the test may still take | `pentanomial`, `brownian`, `sprt`, `motion` |
//! | [`confidence`] | an anytime-valid interval | `sample`, `normal`, `roots`, `elo` |
//! | [`agreement`] | whether two measurements agree | `normal`, `elo` |
//! | [`breakdown`] | what 1-1 pairs consist of, the bias of the openings | `pentanomial`, `elo` |
//! | [`figures`] | every figure of a result, computed once for all who show it | `sample`, `normal`, `model`, `pentanomial`, `elo`, `sprt`, `after_stop`, `confidence`, `breakdown` |
//! | [`pair_model`] | how pairs end, given strength, draws and openings | `sample`, `normal`, `model`, `roots`, `pentanomial`, `mle`, `elo`, `bayes_elo`, `sprt` |
//! | [`power`] | what a test passes and costs, by formula | `roots`, `sample`, `model`, `mle`, `elo`, `bayes_elo`, `brownian`, `sprt`, `pair_model` |
//! | [`horizon`] | for how many pairs a test is sure to stay undecided | `model`, `pentanomial`, `sprt` |
//! | [`simulation`] | what a test passes and costs, by simulation | `pentanomial`, `sprt`, `overshoot`, `pair_model`, `horizon` |

pub mod after_stop;
pub mod agreement;
pub mod bayes_elo;
pub mod breakdown;
pub mod brownian;
pub mod confidence;
pub mod elo;
pub mod figures;
pub mod horizon;
pub mod leaders;
pub mod linear;
pub mod llr;
pub mod mle;
pub mod model;
pub mod motion;
pub mod normal;
pub mod overshoot;
pub mod pair_model;
pub mod pentanomial;
pub mod power;
pub mod ratings;
pub mod remaining;
pub mod roots;
pub mod sample;
pub mod simulation;
pub mod sprt;

pub use after_stop::{AfterStop, NotCorrected};
pub use agreement::{Agreement, Figure};
pub use elo::{Estimate, Interval};
pub use figures::{Figures, Results};
pub use model::Model;
pub use normal::Confidence;
pub use pair_model::{PairModel, PairOdds};
pub use pentanomial::{Pentanomial, Trinomial};
pub use sample::Sample;
pub use simulation::{Outcomes, Simulation};
pub use sprt::{SprtBounds, Status, Verdict};
