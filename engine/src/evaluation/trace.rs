//! Evaluation trace: how often each weight counts in a position.
//!
//! The evaluation is generic over a recorder of the weights used. In play the recorder does nothing
//! (`Unrecorded`). For a fit it is a [`Trace`], which gives the evaluation with any other weights without the position.

use super::groups::{COUNT, GroupInfo, Kind};
use super::recorder::{Recorder, Unrecorded};
use super::score::Score;
use super::sums::{Sums, balance};
use super::weights::EvalWeights;
use crate::position::Color;

/// How often each weight counts in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    times: Box<[[i16; 2]; COUNT]>,
    /// The index of the weight that scales the whole.
    pub scale: usize,
    /// The game phase, from 0 (kings and pawns) to [`FULL_PHASE`](super::FULL_PHASE).
    pub phase: i32,
}

impl Recorder for Trace {
    fn used(&mut self, color: Color, index: usize, times: i32) {
        let count = &mut self.times[index][color as usize];
        *count = count.saturating_add(times as i16);
    }
    fn scaled(&mut self, index: usize) {
        self.scale = index;
    }
}

impl Trace {
    pub(super) fn new(phase: i32) -> Trace {
        Trace { times: Box::new([[0; 2]; COUNT]), scale: 0, phase }
    }

    /// How often a weight counts for this side.
    pub fn times(&self, color: Color, index: usize) -> i32 {
        i32::from(self.times[index][color as usize])
    }

    /// The index of every weight that counts for either side, with how often for White and for Black.
    pub fn used(&self) -> impl Iterator<Item = (usize, [i16; 2])> {
        self.times.iter().copied().enumerate().filter(|(_, times)| *times != [0; 2])
    }

    /// The evaluation that these weights give, in centipawns from White's side.
    pub fn value(&self, weights: &EvalWeights) -> i32 {
        let mut sums = Sums::new(weights, Unrecorded);
        for (index, times) in self.used() {
            for color in Color::ALL {
                let times = i32::from(times[color as usize]);
                match GroupInfo::of(index).0.kind {
                    Kind::Danger => sums.endanger(color, index, times),
                    Kind::Linear | Kind::Scale => sums.add(color, index, times),
                }
            }
        }
        let whole: Score = sums.whole();
        balance(whole, weights[self.scale], self.phase)
    }
}
