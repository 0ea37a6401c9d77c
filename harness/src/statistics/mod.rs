//! What do the counts say? Elo with its margin, the log-likelihood ratio, the sequential test's verdict, and the
//! estimate that allows for having stopped when the verdict fell.
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
//! | [`roots`] | the zero of a function inside a bracket | |
//! | [`pentanomial`] | the integer counts of pairs and of games | `sample` |
//! | [`mle`] | the likeliest distribution under a hypothesis | `sample`, `roots` |
//! | [`elo`] | logistic and normalized Elo, margins, likelihood of superiority | `sample`, `normal` |
//! | [`bayes_elo`] | the model of BayesElo, for bounds given in its scale | `sample`, `elo` |
//! | [`llr`] | the log-likelihood ratio in the three models | `sample`, `mle`, `elo`, `bayes_elo` |
//! | [`brownian`] | when and where a Brownian motion leaves a strip | `normal` |
//! | [`sprt`] | the test's question, bounds and verdict | `sample`, `pentanomial`, `llr` |
//! | [`after_stop`] | Elo corrected for the stopping rule | `sample`, `normal`, `roots`, `pentanomial`, `elo`, `bayes_elo`, `brownian`, `sprt` |
//! | [`remaining`] | how many games the test may still take | `pentanomial`, `elo`, `sprt` |
//! | [`confidence`] | an interval that is valid at every look | `sample`, `normal`, `roots`, `elo` |

pub mod after_stop;
pub mod bayes_elo;
pub mod brownian;
pub mod confidence;
pub mod elo;
pub mod llr;
pub mod mle;
pub mod normal;
pub mod pentanomial;
pub mod remaining;
pub mod roots;
pub mod sample;
pub mod sprt;

pub use after_stop::AfterStop;
pub use elo::{Estimate, Interval};
pub use normal::Confidence;
pub use pentanomial::{Pentanomial, Trinomial};
pub use sample::Sample;
pub use sprt::{Model, SprtSpec, Status, Verdict};
