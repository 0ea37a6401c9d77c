//! Tuning run under way: what is played in each iteration, and where that leads.

use super::spec::TuneSpec;
use super::spsa::Perturbation;
use crate::game::record::PairRecord;
use crate::players::spec::PlayerSpec;
use crate::run::conduct::{Conduct, Watched};
use crate::run::contest::{Contest, End, Turn, Variation};
use std::sync::Arc;

/// The two players of one iteration.
struct Ends {
    perturbation: Perturbation,
    plus: Arc<PlayerSpec>,
    minus: Arc<PlayerSpec>,
}

/// A tuning run under way.
///
/// Iteration `k` is played around the values that the iterations before `k - lag` have led to, and changes them in the
/// order of iterations: what is played follows from the specification and the outcomes of a fixed number of pairs.
pub struct Tune {
    spec: Arc<TuneSpec>,
    /// The iterations planned so far, from the first.
    ends: Vec<Ends>,
    /// Values after each completed iteration, beginning with the start.
    trajectory: Vec<Vec<f64>>,
    /// Wins less losses of the candidate in the iteration that is being counted, and its pairs so far.
    score: i64,
    counted: u64,
    pairs: u64,
    /// Pairs whose two sides were the same player.
    same_sides: u64,
    /// What the tuned player did, on either side.
    conduct: Conduct,
    failure: Option<String>,
}

impl Tune {
    /// Nothing counted yet.
    pub fn new(spec: &Arc<TuneSpec>) -> Tune {
        let start = spec.parameters.iter().map(|parameter| parameter.start).collect();
        let mut tune = Tune {
            spec: Arc::clone(spec),
            ends: Vec::new(),
            trajectory: vec![start],
            score: 0,
            counted: 0,
            pairs: 0,
            same_sides: 0,
            conduct: Conduct::default(),
            failure: None,
        };
        for _ in 0..=spec.schedule.lag {
            tune.decide_next_iteration();
        }
        tune
    }

    /// What is played.
    pub fn spec(&self) -> &TuneSpec {
        &self.spec
    }

    /// The values as they are now.
    pub fn values(&self) -> &[f64] {
        self.trajectory.last().expect("it begins with the start")
    }

    /// Values at the start and after each completed iteration.
    pub fn trajectory(&self) -> &[Vec<f64>] {
        &self.trajectory
    }

    /// Iterations completed.
    pub fn iterations(&self) -> u64 {
        self.trajectory.len() as u64 - 1
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Counted pairs whose two sides were the same player, which say nothing; there are none where the sides are kept apart.
    pub fn pairs_of_same_sides(&self) -> u64 {
        self.same_sides
    }

    /// Base and candidate of the pair of this number; none before it is decided what they are.
    fn players(&self, index: u64) -> Option<[Arc<PlayerSpec>; 2]> {
        let iteration = usize::try_from(index / self.spec.schedule.pairs).ok()?;
        let Ends { plus, minus, .. } = self.ends.get(iteration)?;
        Some([Arc::clone(minus), Arc::clone(plus)])
    }

    /// Plans one iteration more, around the present values.
    fn decide_next_iteration(&mut self) {
        let TuneSpec { schedule, parameters, conditions, sides_apart, .. } = &*self.spec;
        let iteration = self.ends.len() as u64;
        if iteration >= schedule.iterations {
            return;
        }
        let clipped = Perturbation::new(parameters, schedule, self.values(), iteration, conditions.seed);
        let perturbation = if *sides_apart { clipped.apart(parameters) } else { clipped };
        let player = |values: &[i32], sign| self.spec.side(values, sign).map(Arc::new);
        match (player(&perturbation.plus, '+'), player(&perturbation.minus, '-')) {
            (Ok(plus), Ok(minus)) => self.ends.push(Ends { perturbation, plus, minus }),
            (Err(reason), _) | (_, Err(reason)) => self.failure = Some(reason),
        }
    }
}

impl Contest for Tune {
    fn turn(&self, pair: u64) -> Turn {
        let iteration = pair / self.spec.schedule.pairs;
        if iteration >= self.spec.schedule.iterations || !self.spec.conditions.has_opening(pair) {
            return Turn::Nothing;
        }
        match self.players(pair) {
            Some(players) => Turn::Play { openings: [pair; 2], players },
            None => Turn::Undecided,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        // 0 to 4 half points of the candidate in two games: as many wins less losses as half points above two.
        self.score += pair.category() as i64 - 2;
        self.pairs += 1;
        self.conduct.add_both_sides(pair);
        self.counted += 1;
        let Ends { plus, minus, .. } = &self.ends[self.iterations() as usize];
        self.same_sides += u64::from(plus.digest == minus.digest);
        if self.counted < self.spec.schedule.pairs {
            return;
        }
        let mut values = self.values().to_vec();
        let ends = &self.ends[self.iterations() as usize];
        ends.perturbation.follow(&self.spec.parameters, &mut values, self.score);
        self.trajectory.push(values);
        (self.score, self.counted) = (0, 0);
        self.decide_next_iteration();
    }

    fn end(&self) -> Option<End> {
        match &self.failure {
            Some(reason) => Some(End::Failed(reason.clone())),
            None => (self.iterations() >= self.spec.schedule.iterations).then_some(End::GoalReached),
        }
    }

    fn variations(&self, pair: u64) -> Option<[Variation; 2]> {
        let iteration = pair / self.spec.schedule.pairs;
        let Ends { perturbation, .. } = self.ends.get(usize::try_from(iteration).ok()?)?;
        let of_side = |values: &Vec<i32>| Variation {
            iteration: iteration + 1,
            values: (self.spec.places_as_shown())
                .map(|place| (self.spec.parameters[place].name.clone(), values[place]))
                .collect(),
        };
        Some([&perturbation.minus, &perturbation.plus].map(of_side))
    }

    fn watched(&self) -> Vec<Watched> {
        let TuneSpec { base, conditions, .. } = &*self.spec;
        let limit = base.limit.unwrap_or(conditions.limit);
        vec![Watched { name: base.name().to_owned(), limit, conduct: self.conduct }]
    }
}
