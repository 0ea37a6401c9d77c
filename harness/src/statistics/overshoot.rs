//! Overshoot: how far the LLR jumps over a bound, and the bound that is moved to meet it.
//!
//! Wald's bounds take the LLR to stop *on* a bound. It stops beyond it, the farther the more pairs are counted
//! between two looks, so that the real risks are smaller than those asked for and the test is longer than it need be.
//! Whenever the LLR sets a record it has just jumped over a bound that might have stood between; the mean overshoot is
//! E(D²) / 2E(D) over the jumps D between records (D. Siegmund, "Sequential Analysis", corollary 8.33). Both bounds are
//! moved inwards by it. The method is fishtest's *dynamic overshoot correction* (`stat_util.update_SPRT`); it saves about
//! 1 % of the games with a look after each pair and 8 % with a look after each 32, and restores the nominal risks.

use super::sprt::{Status, Verdict};
use std::num::NonZeroU64;

/// The records of a test that is looked at after each whole batch of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overshoot {
    batch: NonZeroU64,
    counted: u64,
    below: Records,
    above: Records,
    is_dropped: bool,
}

/// Jumps from record to record in one direction, as positive numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Records {
    /// The last record, from which the next jump is measured.
    pub record: f64,
    /// Sum of the jumps.
    pub jumps: f64,
    /// Sum of their squares.
    pub squares: f64,
}

impl Records {
    fn reach(&mut self, height: f64) {
        let jump = height - self.record;
        if jump > 0.0 {
            self.jumps += jump;
            self.squares += jump * jump;
            self.record = height;
        }
    }

    /// How far the next record is expected to lie beyond a bound, in units of the LLR; 0 without a record.
    pub fn expected_overshoot(&self) -> f64 {
        if self.jumps > 0.0 { 0.5 * self.squares / self.jumps } else { 0.0 }
    }
}

impl Overshoot {
    /// A test that begins, to be looked at after each `batch` pairs.
    pub fn new(batch: NonZeroU64) -> Overshoot {
        let none = Records::default();
        Overshoot { batch, counted: 0, below: none, above: none, is_dropped: false }
    }

    /// Notes the LLR after so many pairs in all.
    ///
    /// If looks were missed, the records begin anew from here. If pairs have vanished, or the number is not one of whole batches,
    /// the jumps are no longer those of this test, and the correction is dropped for good.
    pub fn update(&mut self, pairs: u64, llr: f64) {
        if pairs < self.counted || pairs % self.batch != 0 {
            self.is_dropped = true;
        } else if pairs - self.counted == self.batch.get() {
            self.below.reach(-llr);
            self.above.reach(llr);
        } else if pairs != self.counted {
            self.below.record = -llr;
            self.above.record = llr;
        }
        self.counted = pairs;
    }

    /// The records downwards (as heights below 0) and upwards; `None` once dropped.
    pub fn records(&self) -> Option<[Records; 2]> {
        (!self.is_dropped).then_some([self.below, self.above])
    }

    /// The bounds of the test moved inwards.
    pub fn bounds(&self, status: &Status) -> [f64; 2] {
        let [below, above] = self.records().unwrap_or_default().map(|records| records.expected_overshoot());
        [status.lower + below, status.upper - above]
    }

    /// The answer, once the LLR lies beyond a moved bound.
    pub fn verdict(&self, status: &Status) -> Option<Verdict> {
        let [lower, upper] = self.bounds(status);
        if status.llr < lower {
            Some(Verdict::H0)
        } else if status.llr > upper {
            Some(Verdict::H1)
        } else {
            None
        }
    }
}
