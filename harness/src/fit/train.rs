//! Training: the weights with the least loss.
//!
//! Mini-batches and Adam (Kingma and Ba, 2015), stopped when positions of games that the fit does not see get no better.
//! Every sum has a fixed order, so that the result is the same for any number of threads.

use super::data::{Data, Sample, weight_name};
use super::model::{Model, Values, log_loss};
use engine::evaluation::groups::COUNT;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions that one task sums up: fixed, since it decides the order of additions.
const CHUNK: usize = 1024;

/// How a fit is carried out.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over the positions, at most.
    pub epochs: u32,
    /// Passes without a better validation loss after which it ends.
    pub patience: u32,
    /// Adam's step in the first pass, centipawns; it shrinks by [`DECAY`] with each.
    pub rate: f32,
    /// Positions to a step.
    pub batch: usize,
    /// Decides the order of the positions.
    pub seed: u64,
    /// A weight that makes a difference in fewer training positions is not determined.
    pub least: usize,
    /// Such weights stay as they are; otherwise the fit is refused.
    pub keep_rare: bool,
    /// What is added to the mean loss for half the square of a weight's distance from the start, in centipawns; see [`hold`].
    pub hold: f32,
}

/// The force with which weights are held at those of the start, if these are believed to be wrong by about `deviation`
/// centipawns: the negative logarithm of a normal prior, per observation. A game is one observation, however many
/// positions it has, since they share its result. It keeps apart what the games tell together: of two weights that come and
/// go together, one could else grow without bound at the expense of the other.
///
/// At the end each weight stands where the slope of the mean loss is `hold` times its distance from the start.
pub fn hold(deviation: f64, games: u64) -> f32 {
    (1.0 / (deviation * deviation * games.max(1) as f64)) as f32
}

/// By how much Adam's step shrinks with each pass.
pub const DECAY: f32 = 0.97;

/// What one pass found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Its number, from 1; 0 is the start.
    pub number: u32,
    /// Mean log loss over the training positions while they were passed, nats.
    pub training: f64,
    /// Mean log loss over the validation positions after it, nats.
    pub validation: f64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The weights of the best validation loss.
    pub values: Values,
    /// The losses at the start.
    pub before: Epoch,
    /// The losses of the best pass.
    pub after: Epoch,
    /// Mean log loss over the training positions with these weights, nats.
    pub training: f64,
    /// The weights that the data do not determine, which stayed as they were.
    pub kept: Vec<usize>,
}

impl Fitted {
    /// Whether the training positions are predicted worse than at the start. The positions to judge by may like the weights
    /// all the same, by chance: the steps were too large for a pass of so few.
    pub fn training_rose(&self) -> bool {
        self.training > self.before.training
    }
}

/// Why there was no fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FitError {
    /// No position to learn from, or none to judge by.
    NoPositions {
        /// For which of the two.
        purpose: &'static str,
    },
    /// All training positions have the same result.
    OneResult,
    /// Weights that the data do not determine: index and number of positions.
    Undetermined(Vec<(usize, usize)>),
    /// It was told to stop.
    Interrupted,
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::NoPositions { purpose } => write!(
                f,
                "the games hold no quiet position for {purpose}: name runs with more games, or play some with --play"
            ),
            FitError::OneResult => f.write_str(
                "all training positions have the same result, from which nothing can be learnt: name runs with other \
                 games",
            ),
            FitError::Undetermined(weights) => {
                const SHOWN: usize = 8;
                let named: Vec<String> = weights
                    .iter()
                    .take(SHOWN)
                    .map(|&(index, positions)| format!("{} ({positions} positions)", weight_name(index)))
                    .collect();
                let more = match weights.len().saturating_sub(SHOWN) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                write!(
                    f,
                    "the data do not determine {} of the weights, {}{more}: give more games, lower --least, or keep \
                     such weights as they are with --keep-rare",
                    weights.len(),
                    named.join(", ")
                )
            }
            FitError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for FitError {}

/// The scale k that loses least when the start's evaluations predict the targets: expected score =
/// 1 / (1 + exp(−k · centipawns)). The loss is convex in k, so thirds of an interval find it.
pub fn fit_k(data: &Data, start: &Values) -> f32 {
    let model = Model::new(1.0);
    let points: Vec<(f32, f32)> = (0..data.len())
        .into_par_iter()
        .map(|number| {
            let sample = data.sample(number);
            (model.value(&sample, start), sample.target)
        })
        .collect();
    let loss = |k: f32| -> f64 {
        let of = |chunk: &[(f32, f32)]| chunk.iter().map(|&(x, target)| log_loss(k * x, target)).sum::<f64>();
        points.par_chunks(CHUNK).map(of).collect::<Vec<_>>().iter().sum()
    };
    let (mut low, mut high) = (1e-4, 5e-2);
    while high - low > 1e-6 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) { high -= third } else { low += third }
    }
    (low + high) / 2.0
}

/// Fits all weights that the data determine, from `start`. `progress` hears of each pass.
///
/// # Errors
/// See [`FitError`].
pub fn fit(
    (training, validation): (&Data, &Data),
    start: &Values,
    k: f32,
    settings: &Settings,
    stop: &AtomicBool,
    mut progress: impl FnMut(&Epoch, &Epoch),
) -> Result<Fitted, FitError> {
    let kept = check((training, validation), settings.least, settings.keep_rare)?;
    let model = Model::new(k);
    let mut adam = Adam::new(start.clone(), &kept);
    let before = Epoch {
        number: 0,
        training: mean_loss(&model, training, start),
        validation: mean_loss(&model, validation, start),
    };
    let mut best = Fitted { values: start.clone(), before, after: before, training: before.training, kept };
    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut rate = settings.rate;
    for number in 1..=settings.epochs {
        shuffle(&mut order, &mut random);
        let mut loss = 0.0;
        for batch in order.chunks(settings.batch) {
            if stop.load(Ordering::Relaxed) {
                return Err(FitError::Interrupted);
            }
            let (batch_loss, gradient) = batch_gradient(&model, training, batch, &adam.values);
            loss += batch_loss;
            adam.step(&gradient, rate, settings.hold);
        }
        rate *= DECAY;
        let validation = mean_loss(&model, validation, &adam.values);
        let epoch = Epoch { number, training: loss / training.len() as f64, validation };
        if validation < best.after.validation {
            best.after = epoch;
            best.values.clone_from(&adam.values);
        }
        progress(&epoch, &best.after);
        if number - best.after.number >= settings.patience {
            break;
        }
    }
    if best.after.number > 0 {
        best.training = mean_loss(&model, training, &best.values);
    }
    Ok(best)
}

/// The weights that these positions do not determine, to be kept as they are.
///
/// # Errors
/// The positions are fit for no fit, or such weights are not to be kept.
pub fn check(
    (training, validation): (&Data, &Data),
    least: usize,
    keep_rare: bool,
) -> Result<Vec<usize>, FitError> {
    for (data, purpose) in [(training, "training"), (validation, "validation")] {
        if data.is_empty() {
            return Err(FitError::NoPositions { purpose });
        }
    }
    let first = training.sample(0).target;
    if (0..training.len()).all(|number| training.sample(number).target == first) {
        return Err(FitError::OneResult);
    }
    let positions = training.positions_by_weight();
    let rare: Vec<(usize, usize)> =
        positions.into_iter().enumerate().filter(|&(_, positions)| positions < least).collect();
    match rare.is_empty() || keep_rare {
        true => Ok(rare.into_iter().map(|(index, _)| index).collect()),
        false => Err(FitError::Undetermined(rare)),
    }
}

/// Fisher and Yates.
fn shuffle(order: &mut [u32], random: &mut ChaCha8Rng) {
    for place in (1..order.len()).rev() {
        // The bias of a remainder of 64 bits is far below anything that could be seen.
        order.swap(place, (random.next_u64() % (place as u64 + 1)) as usize);
    }
}

/// The loss summed over a batch, and its mean gradient.
fn batch_gradient(model: &Model, data: &Data, batch: &[u32], values: &Values) -> (f64, Values) {
    let of_chunk = |chunk: &[u32]| {
        let mut gradient = vec![[0.0; 2]; COUNT];
        let learn = |&number: &u32| model.learn(&data.sample(number as usize), values, &mut gradient);
        let loss: f64 = chunk.iter().map(learn).sum();
        (loss, gradient)
    };
    let chunks: Vec<(f64, Values)> = batch.par_chunks(CHUNK).map(of_chunk).collect();
    let mut loss = 0.0;
    let mut mean = vec![[0.0; 2]; COUNT];
    for (chunk_loss, gradient) in chunks {
        loss += chunk_loss;
        for (sum, part) in mean.as_flattened_mut().iter_mut().zip(gradient.as_flattened()) {
            *sum += part / batch.len() as f32;
        }
    }
    (loss, mean)
}

fn mean_loss(model: &Model, data: &Data, values: &Values) -> f64 {
    let numbers: Vec<usize> = (0..data.len()).collect();
    let of_chunk = |chunk: &[usize]| -> f64 {
        let samples = chunk.iter().map(|&number| data.sample(number));
        samples.map(|sample: Sample| model.loss(&sample, values)).sum()
    };
    numbers.par_chunks(CHUNK).map(of_chunk).collect::<Vec<_>>().iter().sum::<f64>() / data.len() as f64
}

/// Adam's memory of past gradients.
struct Adam {
    start: Values,
    values: Values,
    mean: Values,
    square: Values,
    is_kept: Vec<bool>,
    steps: i32,
}

impl Adam {
    fn new(values: Values, kept: &[usize]) -> Adam {
        let zero = vec![[0.0; 2]; values.len()];
        let mut is_kept = vec![false; values.len()];
        for &index in kept {
            is_kept[index] = true;
        }
        Adam { start: values.clone(), values, mean: zero.clone(), square: zero, is_kept, steps: 0 }
    }

    /// A step down this gradient of the loss, then the prior's own step (a proximal one, which lands where the prior and the
    /// step just made are in balance). As a part of the gradient the prior would count for no more than its sign, since Adam
    /// divides by the gradient's size: a weight would leave the start by whole steps, however strongly it was held.
    fn step(&mut self, gradient: &Values, rate: f32, hold: f32) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        const TINY: f32 = 1e-8;
        self.steps += 1;
        let unbiased = |decay: f32| 1.0 - decay.powi(self.steps);
        let (mean_share, square_share) = (unbiased(MEAN_DECAY), unbiased(SQUARE_DECAY));
        let halves = (self.values.as_flattened_mut().iter_mut())
            .zip(self.mean.as_flattened_mut())
            .zip(self.square.as_flattened_mut())
            .zip(gradient.as_flattened())
            .zip(self.start.as_flattened());
        for (place, ((((value, mean), square), slope), start)) in halves.enumerate() {
            if self.is_kept[place / 2] {
                continue;
            }
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let size = (*square / square_share).sqrt() + TINY;
            *value -= rate * (*mean / mean_share) / size;
            if hold > 0.0 {
                *value = start + (*value - start) / (1.0 + rate / size * hold);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::model::{expected, values};
    use engine::bench::POSITIONS;
    use engine::evaluation::groups::MATERIAL;
    use engine::evaluation::{EvalWeights, trace};
    use engine::position::{MoveList, Position};

    const K: f32 = 0.005;

    /// Positions of random games, each with the score that `truth` expects.
    fn synthetic(truth: &Values, seed: u64, games: usize) -> Data {
        let weights = EvalWeights::default();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut data = Data::default();
        let model = Model::new(K);
        for number in 0..games {
            let mut position = Position::from_fen(POSITIONS[number % POSITIONS.len()]).unwrap();
            for _ in 0..60 {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[random.next_u64() as usize % moves.len()]);
                let trace = trace(&position, &weights);
                let mut alone = Data::default();
                alone.push(&trace, 0.0).unwrap();
                let target = expected(K * model.value(&alone.sample(0), truth));
                data.push(&trace, target).unwrap();
            }
        }
        data
    }

    fn settings() -> Settings {
        Settings {
            epochs: 60,
            patience: 20,
            rate: 0.7,
            batch: 2048,
            seed: 1,
            least: 50,
            keep_rare: true,
            hold: 0.0,
        }
    }

    /// What the engine ships, with another worth of knight and rook.
    fn truth() -> Values {
        let mut truth = values(&EvalWeights::default());
        truth[MATERIAL + 1] = [420.0, 250.0];
        truth[MATERIAL + 3] = [600.0, 700.0];
        truth
    }

    fn fitted(threads: usize, settings: &Settings) -> Result<Fitted, FitError> {
        let start = values(&EvalWeights::default());
        let (training, validation) = (synthetic(&truth(), 1, 120), synthetic(&truth(), 2, 24));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let stop = AtomicBool::new(false);
        pool.install(|| fit((&training, &validation), &start, K, settings, &stop, |_, _| {}))
    }

    /// A piece's worth may move into its squares and mobility, so what is asked is what positions are worth.
    #[test]
    fn it_finds_the_weights_that_made_the_data_whatever_the_number_of_threads() {
        let one = fitted(1, &settings()).unwrap();
        assert!(one.after.validation < one.before.validation, "{:?} {:?}", one.before, one.after);
        let unseen = synthetic(&truth(), 3, 24);
        let model = Model::new(K);
        let distance = |values: &Values| -> f32 {
            let off = |number| {
                let sample = unseen.sample(number);
                (model.value(&sample, values) - model.value(&sample, &truth())).abs()
            };
            (0..unseen.len()).map(off).sum::<f32>() / unseen.len() as f32
        };
        let (before, after) = (distance(&values(&EvalWeights::default())), distance(&one.values));
        assert!(after < before / 2.0, "mean error of {before} centipawns before, {after} after");
        assert_eq!(fitted(3, &settings()).unwrap(), one);
    }

    #[test]
    fn the_more_the_start_is_trusted_the_nearer_the_weights_stay() {
        let start = values(&EvalWeights::default());
        let moved = |hold| {
            let fitted = fitted(2, &Settings { hold, epochs: 20, ..settings() }).unwrap();
            let pairs = fitted.values.as_flattened().iter().zip(start.as_flattened());
            pairs.map(|(now, before)| (now - before).powi(2)).sum::<f32>()
        };
        let (free, held, nailed) = (moved(0.0), moved(hold(10.0, 7_200)), moved(hold(0.1, 7_200)));
        assert!(held < free * 0.8 && nailed < held / 10.0, "{free} {held} {nailed}");
    }

    /// Each weight comes to rest where the slope of the loss is `hold` times its distance from the start, however large the steps.
    #[test]
    fn the_prior_holds_as_its_formula_says() {
        let start = values(&EvalWeights::default());
        let (data, model) = (synthetic(&truth(), 1, 60), Model::new(K));
        let whole: Vec<u32> = (0..data.len() as u32).collect();
        for (deviation, rate) in [(0.01, 5.0), (0.01, 0.5), (0.1, 5.0), (1.0, 0.5)] {
            let hold = hold(deviation, 100);
            let mut adam = Adam::new(start.clone(), &[]);
            for _ in 0..150 {
                let (_, slopes) = batch_gradient(&model, &data, &whole, &adam.values);
                adam.step(&slopes, rate, hold);
            }
            let (_, slopes) = batch_gradient(&model, &data, &whole, &adam.values);
            let largest =
                slopes.as_flattened().iter().fold(0.0_f32, |most, slope| most.max(slope.abs())) / hold;
            let halves = adam.values.as_flattened().iter().zip(start.as_flattened());
            for (place, ((value, start), slope)) in halves.zip(slopes.as_flattened()).enumerate() {
                let (moved, expected) = (value - start, -slope / hold);
                assert!(
                    (moved - expected).abs() <= 0.02 * largest + 2e-4,
                    "prior {deviation}, rate {rate}, {place}: {moved} instead of {expected}"
                );
            }
        }
    }

    #[test]
    fn a_training_loss_that_rises_is_told() {
        let fitted = fitted(2, &settings()).unwrap();
        assert!(!fitted.training_rose() && fitted.training < fitted.before.training, "{:?}", fitted.before);
        let worse = Fitted { training: fitted.before.training + 1e-6, ..fitted };
        assert!(worse.training_rose());
    }

    #[test]
    fn weights_the_data_do_not_determine_are_named_or_kept() {
        let strict = Settings { keep_rare: false, ..settings() };
        let message = fitted(1, &strict).unwrap_err().to_string();
        assert!(message.contains("the data do not determine"), "{message}");
        assert!(message.contains("positions)") && message.contains("--keep-rare"), "{message}");
        let brief = Settings { epochs: 1, ..settings() };
        let fitted = fitted(1, &brief).unwrap();
        let start = values(&EvalWeights::default());
        assert!(!fitted.kept.is_empty());
        assert!(fitted.kept.iter().all(|&index| fitted.values[index] == start[index]));
    }

    #[test]
    fn data_without_sense_are_refused() {
        let start = values(&EvalWeights::default());
        let data = synthetic(&start, 1, 2);
        let stop = AtomicBool::new(false);
        let nothing = Data::default();
        let fit = |pair| fit(pair, &start, K, &settings(), &stop, |_, _| {}).unwrap_err();
        assert_eq!(fit((&nothing, &data)), FitError::NoPositions { purpose: "training" });
        assert_eq!(fit((&data, &nothing)), FitError::NoPositions { purpose: "validation" });
        let mut drawn = Data::default();
        for _ in 0..9 {
            drawn.push(&trace(&Position::start(), &EvalWeights::default()), 0.5).unwrap();
        }
        assert_eq!(fit((&drawn, &data)), FitError::OneResult);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(fit((&data, &data)), FitError::Interrupted);
    }

    #[test]
    fn the_scale_is_found_again() {
        let start = values(&EvalWeights::default());
        let data = synthetic(&start, 1, 24);
        assert!((fit_k(&data, &start) - K).abs() < 1e-4);
    }
}
