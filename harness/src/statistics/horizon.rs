//! Horizon of a test: the pairs for which it stays undecided, whatever they bring.
//!
//! A simulation evaluates the LLR after every pair of millions, and nearly always far from both bounds. In the logistic
//! model most of these evaluations can be left out without changing any result:
//!
//! > Of all ways in which k more pairs can end, k wins of both games give the highest LLR and k losses the
//! > lowest; and more of them give a higher, or a lower one.
//!
//! So if neither k wins nor k losses decide the test, nothing does before pair k + 1.
//!
//! *Proof.* Let pʲᵢ be the likeliest probabilities under hypothesis j for the counts n. The LLR is Σ nᵢ ln(p¹ᵢ/p⁰ᵢ), the
//! difference of two maxima; moving the counts leaves the maximisers, to first order, in place, so ∂LLR/∂nᵢ =
//! ln(p¹ᵢ/p⁰ᵢ). This is the logarithm of a quotient of two positive linear functions of the score of i (see [`mle`](super::mle)),
//! hence monotone in the score. p¹ has the greater mean, so it rises; and both sum to 1, so it is not negative at the highest
//! score and not positive at the lowest. Therefore moving weight upwards, or adding it at the top, never lowers the LLR. ∎
//!
//! An empty cell counts as 0.001, not 0: a pair that fills it adds less than 1. One more win (or loss) than pairs
//! makes up for that, and keeps a rounding error from mattering. The normalized model has no such order, since a win of
//! both games also raises the variance, and the bayesian bounds move with the draws: there every pair is looked at, as in
//! the rarely used tests of single games.

use super::model::Model;
use super::pentanomial::{Pentanomial, Trinomial};
use super::sprt::{SprtBounds, Status};

/// With fewer sure pairs than this it is cheaper to evaluate them than to make sure.
const WORTH_A_LOOK: f64 = 4.0;

/// A little less than the straight line to the bound promises, so that the first guess mostly holds.
const CAUTION: f64 = 0.95;

/// Distance to a bound that is left alone, far above any rounding error of the LLR.
const MARGIN: f64 = 1e-6;

/// No look ahead is longer than this, in pairs.
const LONGEST: f64 = 1e12;

/// Finds sure pairs; it learns from one call to the next how fast the LLR can move.
#[derive(Clone, Copy, Debug)]
pub struct Horizon {
    /// The most that a pair won twice adds to the LLR, as last seen.
    rise: f64,
    /// The most that a pair lost twice takes from it.
    fall: f64,
}

impl Default for Horizon {
    fn default() -> Horizon {
        // As if one pair could decide: the first look corrects it.
        Horizon { rise: 0.1, fall: 0.1 }
    }
}

impl Horizon {
    /// A number of pairs after none of which the test can be decided; 0 if that is not known. `status` is that of these pairs.
    pub fn sure_pairs(&mut self, spec: &SprtBounds, status: &Status, pairs: &Pentanomial) -> u64 {
        if spec.model() != Model::Logistic || spec.is_trinomial() {
            return 0;
        }
        let (to_upper, to_lower) = (status.upper - status.llr - MARGIN, status.llr - status.lower - MARGIN);
        loop {
            let reach = (to_upper / self.rise).min(to_lower / self.fall).min(LONGEST);
            let guess = (CAUTION * reach).floor() - 1.0;
            if guess < WORTH_A_LOOK {
                return 0;
            }
            let added = guess as u64 + 1;
            let moved = |cell: usize| {
                let mut pairs = *pairs;
                pairs.0[cell] = pairs.0[cell].saturating_add(added);
                spec.evaluate(&pairs, &Trinomial::default()).llr - status.llr
            };
            let (risen, fallen) = (moved(4), -moved(0));
            self.rise = risen / added as f64;
            self.fall = fallen / added as f64;
            if risen < to_upper && fallen < to_lower {
                return guess as u64;
            }
        }
    }
}
