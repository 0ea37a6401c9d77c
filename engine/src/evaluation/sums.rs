//! Sums of weights, and their tapered and scaled value.

use super::danger::danger_cost;
use super::recorder::Recorder;
use super::score::Score;
use super::weights::EvalWeights;
use crate::position::{BitBoard, Color, FULL_PHASE};

/// Partial sums of some terms, kept by the pawn hash table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    linear: Score,
    danger: [Score; Color::NUM],
}

/// Sums of one evaluation.
pub struct Sums<'a, R> {
    weights: &'a EvalWeights,
    /// White's linear terms minus Black's.
    linear: Score,
    /// What each side's pieces mean for the enemy king, units.
    danger: [Score; Color::NUM],
    recorder: R,
}

impl<'a, R: Recorder> Sums<'a, R> {
    /// Nothing yet.
    pub fn new(weights: &'a EvalWeights, recorder: R) -> Sums<'a, R> {
        Sums { weights, linear: Score::ZERO, danger: [Score::ZERO; Color::NUM], recorder }
    }

    /// Counts a weight so many times for a side.
    #[inline(always)]
    pub fn add(&mut self, color: Color, index: usize, times: i32) {
        let signed = if color == Color::White { times } else { -times };
        self.linear += self.weights[index] * signed;
        self.recorder.used(color, index, times);
    }

    /// Counts a weight of danger so many times for the side that attacks.
    #[inline(always)]
    pub fn endanger(&mut self, attacker: Color, index: usize, times: i32) {
        self.danger[attacker as usize] += self.weights[index] * times;
        self.recorder.used(attacker, index, times);
    }

    /// Counts a weight for each of these squares. There are often none, and counting is slow where the processor has no
    /// instruction for it.
    #[inline(always)]
    pub fn add_each(&mut self, color: Color, index: usize, squares: BitBoard) {
        if !squares.is_empty() {
            self.add(color, index, squares.len() as i32);
        }
    }

    /// Counts a weight of danger for each of these squares.
    #[inline(always)]
    pub fn endanger_each(&mut self, attacker: Color, index: usize, squares: BitBoard) {
        if !squares.is_empty() {
            self.endanger(attacker, index, squares.len() as i32);
        }
    }

    /// Adds what is known to come out of the terms left out.
    #[inline(always)]
    pub fn add_known(&mut self, known: Known) {
        self.linear += known.linear;
        for (danger, more) in self.danger.iter_mut().zip(known.danger) {
            *danger += more;
        }
    }

    /// What has been added up.
    pub fn known(&self) -> Known {
        Known { linear: self.linear, danger: self.danger }
    }

    /// Everything together, White's minus Black's.
    #[inline(always)]
    pub fn whole(&self) -> Score {
        let [white, black] = self.danger;
        self.linear + danger_cost(white) - danger_cost(black)
    }

    /// The weight that scales the whole.
    #[inline(always)]
    pub fn scale(&mut self, index: usize) -> Score {
        self.recorder.scaled(index);
        self.weights[index]
    }

    /// The weights in use.
    pub fn weights(&self) -> &'a EvalWeights {
        self.weights
    }

    /// The recorder of the weights used.
    pub fn into_recorder(self) -> R {
        self.recorder
    }
}

/// A value scaled, in 64ths, and mixed for the phase: centipawns.
#[inline(always)]
pub fn balance(whole: Score, scale: Score, phase: i32) -> i32 {
    let middlegame = whole.middlegame() * scale.middlegame() / 64;
    let endgame = whole.endgame() * scale.endgame() / 64;
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}
