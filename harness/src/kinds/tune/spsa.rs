//! SPSA: where the parameters go next. Simultaneous perturbation stochastic approximation (J. C. Spall, IEEE Transactions
//! on Automatic Control 37, 1992), in the form that engine tuners share (descended from zamar's `spsa`: fishtest,
//! OpenBench): pure functions from counts to values.
//!
//! In an iteration all parameters move at once, each up or down by its `c`, and a match is played between the two
//! ends. The winner's direction is followed a little, by `r·c` for every game won more than lost. Both shrink from iteration to
//! iteration and end at `c_end` and `r_end`, which are thus what a user can think about.

use crate::openings::stream::Stream;
use serde::{Deserialize, Serialize};

/// Streams of random numbers from here on are those of tuning; the ones below draw openings.
const FIRST_STREAM: u64 = 1 << 48;

/// An integer that moves by less than this would be the same on both sides too often (OpenBench's rule).
const LEAST_PERTURBATION: f64 = 0.5;

/// A number to be tuned. Its value is real while it is tuned, and an integer whenever it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its key, or the name of the UCI option.
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// The least value played.
    pub min: i32,
    /// The greatest value played.
    pub max: i32,
    /// How far it is moved to either side in the last iteration, in its own units.
    pub c_end: f64,
    /// Learning rate of the last iteration: the share of `c_end` it moves for every game won more than lost.
    pub r_end: f64,
}

/// How the steps shrink.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpsaSchedule {
    /// How often the values change.
    pub iterations: u64,
    /// Pairs played with one perturbation.
    pub pairs: u64,
    /// The share of the iterations by which the learning rate's decay is delayed.
    pub a_ratio: f64,
    /// Exponent of the learning rate's decay.
    pub alpha: f64,
    /// Exponent of the perturbation's decay.
    pub gamma: f64,
    /// How many iterations may be played before the outcome of one is known. Threads that have finished
    /// their share of an iteration go on with the next, and the result is still the same for any number of them.
    pub lag: u64,
}

impl Default for SpsaSchedule {
    /// What fishtest and OpenBench propose.
    fn default() -> SpsaSchedule {
        SpsaSchedule { iterations: 2000, pairs: 8, a_ratio: 0.1, alpha: 0.602, gamma: 0.101, lag: 1 }
    }
}

/// The sizes of one iteration for one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// How far it is moved to either side.
    pub c: f64,
    /// The share of `c` that it moves for every game won more than lost.
    pub r: f64,
}

impl SpsaSchedule {
    /// The sizes of an iteration, which are counted from 0.
    pub fn gains(&self, parameter: &Parameter, iteration: u64) -> Gains {
        let last = self.iterations as f64;
        let now = iteration as f64 + 1.0;
        let delay = self.a_ratio * last;
        let c = (parameter.c_end * (last / now).powf(self.gamma)).max(LEAST_PERTURBATION);
        let decay = ((delay + last) / (delay + now)).powf(self.alpha);
        Gains { c, r: parameter.r_end * (parameter.c_end / c).powi(2) * decay }
    }
}

impl SpsaSchedule {
    /// No parameter moves farther than this in the whole run, whatever is won; in its own units.
    pub fn farthest(&self, parameter: &Parameter) -> f64 {
        let Parameter { c_end, r_end, .. } = parameter;
        let games = 2.0 * self.iterations as f64 * self.pairs as f64;
        // A step is r·c = r_end·c_end²·decay/c: the decay is greatest in the first iteration, c is smallest in the last.
        let delay = self.a_ratio * self.iterations as f64;
        let most_decay = ((delay + self.iterations as f64) / (delay + 1.0)).powf(self.alpha);
        games * r_end * c_end.powi(2) * most_decay / c_end.max(LEAST_PERTURBATION)
    }
}

/// The two ends of an iteration, and what is needed to follow the winner.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// Values of the candidate, in the order of the parameters.
    pub plus: Vec<i32>,
    /// Values of its opponent.
    pub minus: Vec<i32>,
    /// What every game won more than lost adds to each value.
    steps: Vec<f64>,
}

impl Perturbation {
    /// The perturbation of an iteration around `values`, fixed by the seed.
    ///
    /// A real value becomes an integer by chance, so that it is right on average and a small step is not lost:
    /// ⌊v + u⌋ with one `u` from [0, 1) for both ends (OpenBench), which keeps their distance from depending on chance.
    pub fn new(
        parameters: &[Parameter],
        schedule: &SpsaSchedule,
        values: &[f64],
        iteration: u64,
        seed: u64,
    ) -> Perturbation {
        let mut stream = Stream::new(seed, FIRST_STREAM + iteration);
        let mut perturbation = Perturbation { plus: Vec::new(), minus: Vec::new(), steps: Vec::new() };
        for (parameter, value) in parameters.iter().zip(values) {
            let Gains { c, r } = schedule.gains(parameter, iteration);
            let sign = if stream.draw_below(2) == 0 { 1.0 } else { -1.0 };
            let lift = stream.draw_fraction();
            let played = |value: f64| {
                (value + lift).floor().clamp(f64::from(parameter.min), f64::from(parameter.max)) as i32
            };
            perturbation.plus.push(played(value + sign * c));
            perturbation.minus.push(played(value - sign * c));
            perturbation.steps.push(sign * r * c);
        }
        perturbation
    }

    /// The same with the two ends of every parameter apart, by 1 where its range had left them the same. There the value
    /// stands at an end of the range: a pair would not tell what a parameter is worth that both sides have alike.
    #[must_use]
    pub fn apart(mut self, parameters: &[Parameter]) -> Perturbation {
        let ends = self.plus.iter_mut().zip(&mut self.minus);
        for ((parameter, step), (plus, minus)) in parameters.iter().zip(&self.steps).zip(ends) {
            let (upper, lower) = if *step > 0.0 { (plus, minus) } else { (minus, plus) };
            match *upper == *lower {
                true if *upper < parameter.max => *upper += 1,
                true => *lower -= 1,
                false => {}
            }
        }
        self
    }

    /// Moves the values after the candidate has won so many more games than it lost, within their ranges.
    pub fn follow(&self, parameters: &[Parameter], values: &mut [f64], wins_minus_losses: i64) {
        for ((parameter, value), step) in parameters.iter().zip(values).zip(&self.steps) {
            let moved = *value + step * wins_minus_losses as f64;
            *value = moved.clamp(f64::from(parameter.min), f64::from(parameter.max));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parameter(start: f64, min: i32, max: i32, c_end: f64, r_end: f64) -> Parameter {
        Parameter { name: "p".to_owned(), start, min, max, c_end, r_end }
    }

    fn schedule(iterations: u64) -> SpsaSchedule {
        SpsaSchedule { iterations, ..SpsaSchedule::default() }
    }

    fn close(ours: f64, theirs: f64) -> bool {
        (ours - theirs).abs() <= 1e-10 * theirs.abs()
    }

    /// fishtest counts single pairs as iterations; figures of its `spsa_workflow.py` at b8eecff2.
    #[test]
    fn the_gains_are_those_of_fishtest() {
        let p0 = parameter(1000.0, 0, 2000, 100.0, 0.002);
        for (iteration, c, r) in [
            (0, 367.966_311_235_691_1, 0.000_625_641_772_614_920_6),
            (1000, 183.131_991_102_645_23, 0.002_488_615_569_848_844),
            (399_999, 100.0, 0.002),
        ] {
            let gains = schedule(400_000).gains(&p0, iteration);
            assert!(close(gains.c, c) && close(gains.r, r), "{iteration}: {gains:?}");
        }
        let lmr = parameter(500.0, 0, 1000, 50.0, 0.002);
        let gains = schedule(30_000).gains(&lmr, 100);
        assert!(close(gains.c, 88.863_372_695_941_37) && close(gains.r, 0.002_628_970_714_195_691_7));
    }

    /// OpenBench counts batches of pairs; figures of its `spsa_utils.py` at 9906bad.
    #[test]
    fn the_gains_are_those_of_openbench() {
        let gains = schedule(5000).gains(&parameter(500.0, 0, 1000, 50.0, 0.002), 0);
        assert!(close(gains.c, 118.185_983_822_768_16) && close(gains.r, 0.001_514_377_271_453_505_9));
        let small = schedule(5000).gains(&parameter(3.0, 0, 10, 0.2, 0.002), 0);
        assert!(close(small.c, 0.5) && close(small.r, 0.001_353_773_493_317_081_8), "{small:?}");
    }

    #[test]
    fn the_winner_is_followed_as_in_fishtest() {
        let p0 = [parameter(1000.0, 0, 2000, 100.0, 0.002)];
        for (iteration, score, moved) in [(399_999, 3, 0.6), (0, -16, 3.683_441_524_835_105)] {
            let perturbation = Perturbation::new(&p0, &schedule(400_000), &[1000.0], iteration, 1);
            let up = perturbation.plus > perturbation.minus;
            let mut values = [1000.0];
            perturbation.follow(&p0, &mut values, score);
            let expected = if up == (score > 0) { moved } else { -moved };
            assert!(close(values[0], 1000.0 + expected), "{values:?}");
        }
    }

    #[test]
    fn small_integers_are_right_on_average() {
        let small = [parameter(3.3, 0, 10, 0.2, 0.002)];
        let schedule = schedule(1000);
        let drawn = |seed| Perturbation::new(&small, &schedule, &[3.3], 999, seed);
        let sum: i32 = (0..4000).map(|seed| drawn(seed).plus[0] + drawn(seed).minus[0]).sum();
        assert!((f64::from(sum) / 8000.0 - 3.3).abs() < 0.03, "{sum}");
        assert!((0..200).all(|seed| (drawn(seed).plus[0] - drawn(seed).minus[0]).abs() == 1));
    }

    #[test]
    fn at_an_end_of_the_range_the_two_ends_stay_apart() {
        for (value, c_end) in [(0.0, 0.5), (10.0, 0.5), (0.3, 0.6), (10.0, 3.0), (0.0, 40.0)] {
            let parameters = [parameter(value, 0, 10, c_end, 0.002), parameter(5.0, 0, 10, 1.0, 0.002)];
            let mut moved = 0;
            for seed in 0..200 {
                let clipped = Perturbation::new(&parameters, &schedule(1000), &[value, 5.0], 999, seed);
                let apart = clipped.clone().apart(&parameters);
                moved += u32::from(apart != clipped);
                for ends in [&apart.plus, &apart.minus] {
                    assert!(ends.iter().all(|end| (0..=10).contains(end)), "{apart:?}");
                }
                let up = apart.steps[0] > 0.0;
                assert_eq!(apart.plus[0] > apart.minus[0], up, "{value} {c_end} {apart:?}");
                // Whatever was different is left as it was.
                assert!(clipped.plus[0] == clipped.minus[0] || apart == clipped);
                assert_eq!((apart.plus[1], apart.minus[1]), (clipped.plus[1], clipped.minus[1]));
            }
            assert_eq!(moved > 0, c_end < 1.0, "{value} {c_end}: {moved}");
        }
    }

    #[test]
    fn a_known_optimum_is_found() {
        // Elo lost by distance from the optimum, e·((v - best)/c_end)² with e = 4 Elo at c_end.
        let parameters = [parameter(40.0, 0, 200, 8.0, 0.006), parameter(150.0, 0, 200, 10.0, 0.006)];
        let best = [90.0, 60.0];
        let schedule = schedule(3000);
        let loss = |values: &[i32]| -> f64 {
            let distances = parameters.iter().zip(values).zip(best);
            distances.map(|((p, &v), b)| 4.0 * ((f64::from(v) - b) / p.c_end).powi(2)).sum()
        };
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.start).collect();
        let mut games = Stream::new(7, 0);
        for iteration in 0..schedule.iterations {
            let ends = Perturbation::new(&parameters, &schedule, &values, iteration, 3);
            let lead = loss(&ends.minus) - loss(&ends.plus);
            let expected = crate::statistics::elo::score_of_elo(lead);
            let won = (0..2 * schedule.pairs).filter(|_| games.draw_fraction() < expected).count() as i64;
            ends.follow(&parameters, &mut values, 2 * won - 2 * schedule.pairs as i64);
        }
        let off = values.iter().zip(best).zip(&parameters).map(|((v, b), p)| ((v - b) / p.c_end).abs());
        assert!(off.into_iter().all(|distance| distance < 1.0), "{values:?}");
    }

    proptest! {
        #[test]
        fn whatever_happens_values_stay_in_range(
            start in 0.0..100.0, c_end in 0.01..300.0, r_end in 0.0001..2.0, seed: u64,
            scores in prop::collection::vec(-16_i64..=16, 50),
        ) {
            let parameters = [parameter(start, 0, 100, c_end, r_end)];
            let mut values = [start];
            for (iteration, score) in scores.into_iter().enumerate() {
                let ends = Perturbation::new(&parameters, &schedule(50), &values, iteration as u64, seed);
                prop_assert!((0..=100).contains(&ends.plus[0]) && (0..=100).contains(&ends.minus[0]));
                ends.follow(&parameters, &mut values, score);
                prop_assert!((0.0..=100.0).contains(&values[0]));
            }
        }
    }
}
