//! Simulation of a test: what it does to candidates of a known strength. The very code that judges real games,
//! [`SprtBounds::evaluate`], over simulated pairs.
//!
//! Every simulated test has random numbers of its own, a stream that follows from the seed and the test's number.
//! The results are therefore the same for any number of threads, and tests of the same seed at several strengths meet the
//! same luck, which makes their differences sharper than their values.

use super::horizon::Horizon;
use super::overshoot::Overshoot;
use super::pair_model::PairOdds;
use super::pentanomial::{Pentanomial, Trinomial};
use super::sprt::{SprtBounds, Status, Verdict};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;
use std::num::NonZeroU64;

/// The quantiles that are told.
pub const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Tests that are all alike but for their luck.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    /// The test.
    pub spec: SprtBounds,
    /// How pairs end.
    pub odds: PairOdds,
    /// Decides the luck.
    pub seed: u64,
    /// The LLR is looked at after every so many pairs, and once more at the end.
    pub batch: NonZeroU64,
    /// Whether the bounds are moved inwards by the [`overshoot`](super::overshoot) to be expected.
    pub overshoot: bool,
    /// Tests end undecided after so many pairs.
    pub max_pairs: u64,
}

/// How one test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its answer; none if it was stopped before.
    pub verdict: Option<Verdict>,
    /// Pairs that it took.
    pub pairs: u64,
}

impl Simulation {
    /// Simulates so many tests on all threads of the current rayon pool, and tells what they did; `None` for no test.
    pub fn run(&self, runs: u64) -> Option<Outcomes> {
        let ended: Vec<Ended> = (0..runs).into_par_iter().map(|number| self.test(number)).collect();
        Outcomes::of(&ended)
    }

    /// The test of this number.
    pub fn test(&self, number: u64) -> Ended {
        if self.overshoot {
            return self.play(number, |_, _| 0);
        }
        let mut horizon = Horizon::default();
        self.play(number, |status, pairs| horizon.sure_pairs(&self.spec, status, pairs))
    }

    /// Plays a test. `sure_pairs` says after how many pairs more it cannot be decided; the overshoot is learnt from
    /// every look, so that none may be left out for it.
    fn play(&self, number: u64, mut sure_pairs: impl FnMut(&Status, &Pentanomial) -> u64) -> Ended {
        let mut luck = ChaCha8Rng::seed_from_u64(self.seed);
        luck.set_stream(number);
        let dice = Dice::new(&self.odds);
        let mut counts = Counts::default();
        let mut overshoot = self.overshoot.then(|| Overshoot::new(self.batch));
        let mut played = 0;
        loop {
            let status = self.spec.evaluate(&counts.pairs(), &counts.games());
            let verdict = match &mut overshoot {
                None => status.verdict,
                Some(overshoot) => {
                    overshoot.update(played, status.llr);
                    overshoot.verdict(&status)
                }
            };
            if verdict.is_some() || played >= self.max_pairs {
                return Ended { verdict, pairs: played };
            }
            let undecided_until = played.saturating_add(sure_pairs(&status, &counts.pairs()));
            let batch = self.batch.get();
            let next_look = (undecided_until / batch + 1).saturating_mul(batch).min(self.max_pairs);
            for _ in played..next_look {
                counts.0[dice.throw(luck.next_u64())] += 1;
            }
            played = next_look;
        }
    }
}

/// Pairs by how they ended: LL, LD, DD, WL, WD, WW.
#[derive(Default)]
struct Counts([u64; 6]);

impl Counts {
    fn pairs(&self) -> Pentanomial {
        let [ll, ld, dd, wl, wd, ww] = self.0;
        Pentanomial([ll, ld, dd + wl, wd, ww])
    }

    fn games(&self) -> Trinomial {
        let [ll, ld, dd, wl, wd, ww] = self.0;
        Trinomial { wins: wl + wd + 2 * ww, losses: 2 * ll + ld + wl, draws: ld + 2 * dd + wd }
    }
}

/// A die with a side for each way a pair can end, in the order of [`Counts`].
struct Dice {
    /// Random numbers from here on mean a later side.
    thresholds: [u64; 5],
}

impl Dice {
    fn new(odds: &PairOdds) -> Dice {
        let [ll, ld, level, wd, _] = odds.scores;
        let mut below = 0.0;
        let thresholds = [ll, ld, level - odds.win_each, odds.win_each, wd].map(|probability| {
            below += probability;
            (below * 2_f64.powi(64)) as u64
        });
        Dice { thresholds }
    }

    fn throw(&self, random: u64) -> usize {
        self.thresholds.iter().map(|&threshold| usize::from(random >= threshold)).sum()
    }
}

/// A figure found by simulation, and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Simulated {
    /// The figure.
    pub estimate: f64,
    /// One standard error of it.
    pub error: f64,
}

/// A number of games that a share of the tests did not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantile {
    /// The share.
    pub share: f64,
    /// The number of games.
    #[serde(flatten)]
    pub games: Simulated,
}

/// What the simulated tests did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outcomes {
    /// How many there were.
    pub runs: u64,
    /// The share that accepted H1.
    pub h1: Simulated,
    /// The share that accepted H0.
    pub h0: Simulated,
    /// The share stopped before an answer.
    pub undecided: Simulated,
    /// Games on average, those of stopped tests included.
    pub games: Simulated,
    /// See [`QUANTILES`].
    pub quantiles: [Quantile; 5],
}

impl Outcomes {
    /// The figures of these tests; `None` if there are none.
    pub fn of(ended: &[Ended]) -> Option<Outcomes> {
        let mut games: Vec<f64> = ended.iter().map(|test| 2.0 * test.pairs as f64).collect();
        games.sort_by(f64::total_cmp);
        let share = |verdict| share(ended.iter().filter(|test| test.verdict == verdict).count(), ended.len());
        (!games.is_empty()).then(|| Outcomes {
            runs: games.len() as u64,
            h1: share(Some(Verdict::H1)),
            h0: share(Some(Verdict::H0)),
            undecided: share(None),
            games: mean(&games),
            quantiles: QUANTILES.map(|share| Quantile { share, games: quantile(&games, share) }),
        })
    }
}

/// A share of a number of tests. The error is that of half a test more among one more, so that it is not 0 where
/// all ended alike.
fn share(count: usize, total: usize) -> Simulated {
    let (count, total) = (count as f64, total as f64);
    let careful = (count + 0.5) / (total + 1.0);
    Simulated { estimate: count / total, error: (careful * (1.0 - careful) / total).sqrt() }
}

fn mean(values: &[f64]) -> Simulated {
    let count = values.len() as f64;
    let estimate = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - estimate).powi(2)).sum::<f64>() / count;
    Simulated { estimate, error: (variance / count).sqrt() }
}

/// A quantile of sorted values, with half the distance between the values one standard error of their rank away.
fn quantile(sorted: &[f64], share: f64) -> Simulated {
    let count = sorted.len() as f64;
    let at = |rank: f64| sorted[(rank.floor().max(0.0) as usize).min(sorted.len() - 1)];
    let (rank, error) = (share * count, (share * (1.0 - share) * count).sqrt());
    Simulated { estimate: at(rank), error: (at(rank + error) - at(rank - error)) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Model, PairModel};

    /// Simulated tests and fits of the evaluation are the same for a seed, whatever version of the library draws.
    #[test]
    fn the_numbers_of_a_seed_are_pinned() {
        let mut luck = ChaCha8Rng::seed_from_u64(1);
        let drawn = [(); 3].map(|()| luck.next_u64());
        assert_eq!(drawn, [0x6709_4cea_8ca4_0db1, 0x1494_06d8_fc0e_8e6b, 0x98b8_2b03_3607_0665]);
    }

    fn simulation(spec: SprtBounds, model: &PairModel, elo: f64) -> Simulation {
        Simulation {
            spec,
            odds: model.at(elo),
            seed: 7,
            batch: NonZeroU64::MIN,
            overshoot: false,
            max_pairs: 1_000_000,
        }
    }

    fn batch_of(pairs: u64) -> NonZeroU64 {
        pairs.try_into().unwrap()
    }

    fn spec(elo0: f64, elo1: f64) -> SprtBounds {
        SprtBounds::new(elo0, elo1, 0.05, 0.1, Model::Logistic).unwrap()
    }

    /// What is left out is never what decides.
    #[test]
    fn looking_ahead_changes_no_result() {
        let drawish = PairModel::of_counts(Pentanomial([0, 3, 5000, 4, 0]), None).unwrap();
        let lopsided = PairModel::of_counts(Pentanomial([900, 20, 0, 0, 1]), None).unwrap();
        let ordinary = PairModel::new(0.4, 90.0).unwrap();
        for (model, (elo0, elo1), elos) in [
            (&ordinary, (0.0, 20.0), [-40.0, 10.0, 21.0]),
            (&ordinary, (-3.0, 1200.0), [-400.0, 300.0, 900.0]),
            (&drawish, (0.0, 1.0), [-1.0, 0.4, 1.0]),
            (&lopsided, (-5.0, 30.0), [-200.0, 10.0, 60.0]),
        ] {
            for elo in elos {
                for batch in [1, 7].map(batch_of) {
                    let simulation =
                        Simulation { batch, max_pairs: 20_000, ..simulation(spec(elo0, elo1), model, elo) };
                    for number in 0..12 {
                        let naive = simulation.play(number, |_, _| 0);
                        assert_eq!(
                            simulation.test(number),
                            naive,
                            "{model:?} [{elo0}, {elo1}] {elo} {number}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let simulation = simulation(spec(0.0, 30.0), &PairModel::new(0.3, 0.0).unwrap(), 12.0);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| simulation.run(100)).unwrap()
        };
        assert_eq!(with(1), with(3));
        let other = Simulation { seed: 8, ..simulation };
        assert_ne!(other.run(100), simulation.run(100));
    }

    #[test]
    fn pairs_end_as_often_as_they_should() {
        let odds = PairModel::new(0.3, 100.0).unwrap().at(15.0);
        let dice = Dice::new(&odds);
        let mut luck = ChaCha8Rng::seed_from_u64(3);
        let mut counts = Counts::default();
        const THROWS: u64 = 400_000;
        for _ in 0..THROWS {
            counts.0[dice.throw(luck.next_u64())] += 1;
        }
        for (count, probability) in counts.pairs().0.into_iter().zip(odds.scores) {
            let error = (probability / THROWS as f64).sqrt();
            assert!(
                (count as f64 / THROWS as f64 - probability).abs() < 4.0 * error,
                "{count} {probability}"
            );
        }
        let (thrown, meant) = (counts.games().draw_ratio().unwrap(), odds.games().draw_ratio().unwrap());
        assert!((thrown - meant).abs() < 4e-3, "{thrown} {meant}");
    }

    #[test]
    fn a_stopped_test_is_undecided_and_batches_are_kept() {
        let model = PairModel::new(0.5, 0.0).unwrap();
        let stopped = Simulation { max_pairs: 10, ..simulation(spec(0.0, 1.0), &model, 0.0) };
        assert_eq!(stopped.test(0), Ended { verdict: None, pairs: 10 });
        let batched = Simulation { batch: batch_of(32), ..simulation(spec(0.0, 40.0), &model, 0.0) };
        assert!((0..50).all(|number| batched.test(number).pairs.is_multiple_of(32)));
    }

    #[test]
    fn bounds_that_allow_for_the_overshoot_are_met_no_later() {
        let model = PairModel::new(0.5, 0.0).unwrap();
        let plain = Simulation { batch: batch_of(32), ..simulation(spec(0.0, 20.0), &model, 8.0) };
        let corrected = Simulation { overshoot: true, ..plain };
        let lengths = |simulation: &Simulation| -> Vec<u64> {
            (0..100).map(|number| simulation.test(number).pairs).collect()
        };
        let (plain, corrected) = (lengths(&plain), lengths(&corrected));
        assert!(corrected.iter().zip(&plain).all(|(corrected, plain)| corrected <= plain));
        assert!(corrected.iter().sum::<u64>() < plain.iter().sum());
    }

    #[test]
    fn figures_of_known_tests() {
        let ended: Vec<Ended> = (1..=100).map(|pairs| Ended { verdict: Some(Verdict::H1), pairs }).collect();
        let figures = Outcomes::of(&ended).unwrap();
        assert_eq!((figures.h1.estimate, figures.h0.estimate, figures.games.estimate), (1.0, 0.0, 101.0));
        assert!(figures.h1.error > 0.0 && figures.h0.error > 0.0);
        assert_eq!(
            figures.quantiles.map(|quantile| quantile.games.estimate),
            [12.0, 52.0, 102.0, 152.0, 192.0]
        );
        assert_eq!(figures.quantiles[2].games.error, 10.0);
        assert_eq!(Outcomes::of(&[]), None);
    }
}
