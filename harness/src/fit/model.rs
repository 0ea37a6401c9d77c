//! Logistic model of the fit: what weights say of a position, and the gradient by which each changes to say better.
//!
//! The same arithmetic as the engine's, unrounded: `tests` hold the two together.

use super::data::{Sample, Use, kinds};
use engine::evaluation::groups::{COUNT, Kind};
use engine::evaluation::{EvalWeights, danger_cost_and_slope};

/// Every weight as a pair of middlegame and endgame, unrounded.
pub type Values = Vec<[f32; 2]>;

/// The weights of an engine, unrounded.
pub fn values(weights: &EvalWeights) -> Values {
    (0..COUNT).map(|index| [weights[index].middlegame() as f32, weights[index].endgame() as f32]).collect()
}

/// The weights of an engine, rounded and brought into their ranges.
pub fn weights(values: &[[f32; 2]]) -> EvalWeights {
    EvalWeights::from_pairs(|index| values[index].map(|half| half.round() as i32))
}

/// Values positions and finds gradients.
pub struct Model {
    kinds: Vec<Kind>,
    /// What a centipawn is worth in the logistic function's argument.
    k: f32,
}

/// What a position is worth by the weights, and on what that depends.
#[derive(Clone, Copy, Debug, Default)]
struct Valuation {
    /// Before scaling, by half.
    whole: [f32; 2],
    /// What one more unit of danger would add, by attacker and half.
    slopes: [[f32; 2]; 2],
    /// Centipawns, from White's side.
    value: f32,
}

impl Model {
    /// A model with this scale: expected score = 1 / (1 + exp(−k · centipawns)).
    pub fn new(k: f32) -> Model {
        Model { kinds: kinds(), k }
    }

    /// What a position is worth in centipawns, from White's side.
    pub fn value(&self, sample: &Sample, values: &[[f32; 2]]) -> f32 {
        self.valuation(sample, values).value
    }

    fn valuation(&self, sample: &Sample, values: &[[f32; 2]]) -> Valuation {
        let mut whole = [0.0; 2];
        let mut danger = [[0.0; 2]; 2];
        for &Use { index, white, black } in sample.uses {
            let index = usize::from(index);
            let (white, black) = (f32::from(white), f32::from(black));
            for half in 0..2 {
                let value = values[index][half];
                if self.kinds[index] == Kind::Danger {
                    danger[0][half] += value * white;
                    danger[1][half] += value * black;
                } else {
                    whole[half] += value * (white - black);
                }
            }
        }
        let mut slopes = [[0.0; 2]; 2];
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            for half in 0..2 {
                let (cost, slope) = danger_cost_and_slope(danger[side][half]);
                whole[half] += sign * cost;
                slopes[side][half] = sign * slope;
            }
        }
        let shares = shares(sample);
        let value = (0..2).map(|half| whole[half] * values[sample.scale][half] / 64.0 * shares[half]).sum();
        Valuation { whole, slopes, value }
    }

    /// The log loss of a position in nats; its gradient by every weight is added to `gradient`.
    pub fn learn(&self, sample: &Sample, values: &[[f32; 2]], gradient: &mut [[f32; 2]]) -> f64 {
        let Valuation { whole, slopes, value } = self.valuation(sample, values);
        let error = self.k * (expected(self.k * value) - sample.target);
        let shares = shares(sample);
        let mut by_whole = [0.0; 2];
        for half in 0..2 {
            by_whole[half] = error * shares[half] * values[sample.scale][half] / 64.0;
            gradient[sample.scale][half] += error * shares[half] * whole[half] / 64.0;
        }
        for &Use { index, white, black } in sample.uses {
            let index = usize::from(index);
            let (white, black) = (f32::from(white), f32::from(black));
            for half in 0..2 {
                gradient[index][half] += by_whole[half]
                    * match self.kinds[index] {
                        Kind::Danger => slopes[0][half] * white + slopes[1][half] * black,
                        Kind::Linear | Kind::Scale => white - black,
                    };
            }
        }
        log_loss(self.k * value, sample.target)
    }

    /// The log loss of a position, nats.
    pub fn loss(&self, sample: &Sample, values: &[[f32; 2]]) -> f64 {
        log_loss(self.k * self.value(sample, values), sample.target)
    }
}

/// How much the middlegame and the endgame count.
fn shares(sample: &Sample) -> [f32; 2] {
    [sample.phase, 1.0 - sample.phase]
}

/// The logistic function.
pub fn expected(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// −t·ln σ(x) − (1 − t)·ln(1 − σ(x)), in a form that does not overflow.
pub fn log_loss(x: f32, target: f32) -> f64 {
    let (x, target) = (f64::from(x), f64::from(target));
    x.max(0.0) - x * target + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::data::Data;
    use engine::bench::POSITIONS;
    use engine::evaluation::trace;
    use engine::position::Position;

    fn data() -> (Data, EvalWeights) {
        let weights = EvalWeights::default();
        let mut data = Data::default();
        for (number, fen) in POSITIONS.iter().enumerate() {
            let position = Position::from_fen(fen).unwrap();
            data.push(&trace(&position, &weights), number as f32 / 24.0).unwrap();
        }
        (data, weights)
    }

    #[test]
    fn the_model_says_what_the_engine_says_but_for_rounding() {
        let (data, engine_weights) = data();
        let model = Model::new(0.004);
        for (number, fen) in POSITIONS.iter().enumerate() {
            let exact = trace(&Position::from_fen(fen).unwrap(), &engine_weights).value(&engine_weights);
            let ours = model.value(&data.sample(number), &values(&engine_weights));
            assert!((ours - exact as f32).abs() < 4.0, "{fen}: {ours} against {exact}");
        }
        assert_eq!(weights(&values(&engine_weights)), engine_weights);
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let (data, engine_weights) = data();
        let model = Model::new(0.004);
        let start = values(&engine_weights);
        for number in 0..data.len() {
            let sample = data.sample(number);
            let mut gradient = vec![[0.0; 2]; COUNT];
            model.learn(&sample, &start, &mut gradient);
            let touched: Vec<usize> = (0..COUNT).filter(|&index| gradient[index] != [0.0; 2]).collect();
            for &index in touched.iter().step_by(7) {
                for half in 0..2 {
                    let loss_at = |shift: f32| {
                        let mut moved = start.clone();
                        moved[index][half] += shift;
                        model.loss(&sample, &moved)
                    };
                    // Danger has a kink at 0: its units are whole, so no step this small crosses it.
                    let slope = ((loss_at(0.05) - loss_at(-0.05)) / 0.1) as f32;
                    let ours = gradient[index][half];
                    let difference = (slope - ours).abs();
                    assert!(difference < 2e-5 + 0.02 * slope.abs(), "{index} {half}: {slope} and {ours}");
                }
            }
        }
    }

    #[test]
    fn the_loss_is_finite_however_sure_and_wrong() {
        for (x, target) in [(1e9, 0.0), (-1e9, 1.0), (0.0, 0.5), (1e9, 1.0)] {
            assert!(log_loss(x, target).is_finite());
        }
        assert_eq!(log_loss(0.0, 0.5), std::f64::consts::LN_2);
    }
}
