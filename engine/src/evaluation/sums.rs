//! Sums: how weights add up to one value.

use super::danger::danger_cost;
use super::trace::Sink;
use super::{EvalWeights, FULL_PHASE, Score};
use crate::position::{BitBoard, Color};

/// What some terms add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    linear: Score,
    danger: [Score; Color::NUM],
}

/// What has been added up of one evaluation.
pub struct Sums<'a, S> {
    weights: &'a EvalWeights,
    /// White's linear terms minus Black's.
    linear: Score,
    /// What each side's pieces mean for the enemy king, units.
    danger: [Score; Color::NUM],
    sink: S,
}

impl<'a, S: Sink> Sums<'a, S> {
    /// Nothing yet.
    pub fn new(weights: &'a EvalWeights, sink: S) -> Sums<'a, S> {
        Sums { weights, linear: Score::ZERO, danger: [Score::ZERO; Color::NUM], sink }
    }

    /// Counts a weight so many times for a side.
    #[inline(always)]
    pub fn add(&mut self, color: Color, index: usize, times: i32) {
        let signed = if color == Color::White { times } else { -times };
        self.linear += self.weights[index] * signed;
        self.sink.used(color, index, times);
    }

    /// Counts a weight of danger so many times for the side that attacks.
    #[inline(always)]
    pub fn endanger(&mut self, attacker: Color, index: usize, times: i32) {
        self.danger[attacker as usize] += self.weights[index] * times;
        self.sink.used(attacker, index, times);
    }

    /// Counts a weight for each of these squares. There are often none, and counting is dear where the processor has no
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
        self.sink.scaled(index);
        self.weights[index]
    }

    /// The weights in use.
    pub fn weights(&self) -> &'a EvalWeights {
        self.weights
    }

    /// What has heard of it all.
    pub fn into_sink(self) -> S {
        self.sink
    }
}

/// A value scaled, in 64ths, and mixed for the phase: centipawns.
#[inline(always)]
pub fn balance(whole: Score, scale: Score, phase: i32) -> i32 {
    let middlegame = whole.middlegame() * scale.middlegame() / 64;
    let endgame = whole.endgame() * scale.endgame() / 64;
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}
