//! Sweeps whose games are drawn from a seeded stream, through the very schedule and tests that real ones go through.

use harness::kinds::sweep::schedule::{End, Goal, Mode, Rules, Schedule, Turn};
use harness::run::tally::Tally;
use harness::statistics::elo::odds_of_elo;
use harness::statistics::{Pentanomial, SprtBounds, mle};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// How pairs end between equal players: a variance of 0.033, as under a clock.
const LEVEL: Pentanomial = Pentanomial([24, 166, 620, 166, 24]);

/// One simulated sweep.
pub struct Outcome {
    /// Why it ended.
    pub end: End,
    /// Pairs it took.
    pub pairs: u64,
}

/// Pairs of an arm so many Elo stronger than the base.
struct Arm {
    /// Probability of at most this many half points, as a part of 2⁶⁴.
    thresholds: [u64; 4],
    random: ChaCha8Rng,
}

impl Arm {
    fn new(elo: f64, seed: u64, number: u64) -> Arm {
        let sample = LEVEL.sample();
        let weights = mle::with_mean(&sample, odds_of_elo(elo));
        let mut sum = 0.0;
        let thresholds = std::array::from_fn(|index| {
            sum += sample.cells()[index] / sample.size() / weights[index];
            (sum * 2.0_f64.powi(64)) as u64
        });
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        Arm { thresholds, random: ChaCha8Rng::from_seed(key) }
    }

    fn play(&mut self, tally: &mut Tally) {
        let drawn = self.random.next_u64();
        tally.pairs.0[self.thresholds.iter().filter(|&&threshold| drawn >= threshold).count()] += 1;
    }
}

/// A winner is sought among arms of these strengths, Elo.
pub fn find_winner(strengths: &[f64], test: SprtBounds, block: u64, seed: u64) -> Outcome {
    let mut arms: Vec<_> = (0..).zip(strengths).map(|(number, &elo)| Arm::new(elo, seed, number)).collect();
    let test = test.one_of(arms.len());
    let rules = Rules { mode: Mode::Find, test, block, seed, openings: None };
    let mut schedule = Schedule::new(rules, arms.len(), Goal::default());
    loop {
        if let Some(end) = schedule.end() {
            return Outcome { end, pairs: schedule.counted() };
        }
        let Turn::Arm { arm, .. } = schedule.turn(schedule.counted()) else {
            panic!("what is counted is decided")
        };
        schedule.count(|tally| arms[arm].play(tally));
    }
}

/// Pairs that it takes to test arms of these strengths one after the other, each to its end.
pub fn one_by_one(strengths: &[f64], test: SprtBounds, block: u64, seed: u64) -> u64 {
    let alone = |(number, &elo): (u64, &f64)| {
        let mut arm = Arm::new(elo, seed, number);
        let mut tally = Tally::default();
        while test.evaluate(&tally.pairs, &tally.games).verdict.is_none() {
            (0..block).for_each(|_| arm.play(&mut tally));
        }
        tally.pairs.pairs()
    };
    (0..).zip(strengths).map(alone).sum()
}
