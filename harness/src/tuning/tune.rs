//! A tuning run: what is played in each iteration, and where that leads.

use super::spsa::{Parameter, Perturbation, Schedule};
use crate::experiment::{Conditions, PlayerSpec};
use crate::facts::{self, Fact, digest_of, fact};
use crate::game::record::PairRecord;
use crate::run::conduct::{Conduct, Watched};
use crate::run::contest::{Contest, Turn};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The configuration from which a run began, in the run's folder.
pub const START: &str = "start.toml";

/// The one with the values as they are, rounded.
pub const TUNED: &str = "tuned.toml";

/// All that decides a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSpec {
    /// The player that is tuned, at its start values.
    pub base: PlayerSpec,
    /// Under what circumstances pairs are played.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// How the steps shrink.
    pub schedule: Schedule,
    /// What is tuned, in the order in which perturbations are drawn.
    pub parameters: Vec<Parameter>,
    /// The names of the parameters in the order of the file, in which they are shown; none of runs that were stored before, and
    /// where it is the order of drawing. It decides no game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// Whether the two sides of an iteration differ in every parameter even at an end of its range, as in
    /// [`Perturbation::apart`]; not so in runs that were stored before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sides_apart: bool,
}

/// The values of one side of a pair, by which it differs from the player that is tuned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The iteration, from 1.
    pub iteration: u64,
    /// Parameters and values, in the order in which they are shown.
    pub values: Vec<(String, i32)>,
}

/// `rfp_margin=320 delta_margin=12`
impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<_> = self.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&values.join(" "))
    }
}

impl TuneSpec {
    /// What is asked, in words.
    pub fn question(&self) -> String {
        let names: Vec<&str> =
            self.places_as_shown().map(|place| self.parameters[place].name.as_str()).collect();
        format!("{} of {} · {}", names.join(", "), self.base.file, self.conditions.limit)
    }

    /// The places of the parameters in the order in which they are shown.
    pub fn places_as_shown(&self) -> impl Iterator<Item = usize> {
        let name = |place: &usize| &self.parameters[*place].name;
        let mut places: Vec<usize> = (0..self.parameters.len()).collect();
        places.sort_by_key(|place| self.shown.iter().position(|shown| shown == name(place)));
        places.into_iter()
    }

    /// SHA-256 of everything that decides the games and the values.
    pub fn digest(&self) -> String {
        digest_of(&[&[fact("base", &self.base.digest)], &self.facts()[..]].concat())
    }

    /// What another run has different, a line each.
    pub fn differences(&self, other: &TuneSpec) -> Vec<String> {
        let (ours, theirs) = (self.facts(), other.facts());
        let counted = (self.parameters.len() != other.parameters.len())
            .then(|| format!("parameters: {} → {}", self.parameters.len(), other.parameters.len()));
        let base = self.base.differences(&other.base).into_iter().map(|line| format!("base.{line}"));
        base.chain(facts::differences(&ours, &theirs)).chain(counted).collect()
    }

    /// What decides the games and the values, but for the configuration.
    fn facts(&self) -> Vec<Fact> {
        let TuneSpec { base, conditions, schedule, parameters, shown: _, sides_apart } = self;
        let Schedule { iterations, pairs, a_ratio, alpha, gamma, lag } = schedule;
        let schedule = [
            fact("engine (of base)", base.build()),
            fact("iterations", iterations),
            fact("pairs", pairs),
            fact("a_ratio", a_ratio),
            fact("alpha", alpha),
            fact("gamma", gamma),
            fact("lag", lag),
        ];
        let parameters = parameters.iter().map(|Parameter { name, start, min, max, c_end, r_end }| {
            fact("parameter", format!("{name} = {start} in {min}..={max}, c_end {c_end}, r_end {r_end}"))
        });
        let sides = sides_apart.then(|| fact("sides", "apart at the ends of ranges"));
        schedule.into_iter().chain(conditions.facts()).chain(parameters).chain(sides).collect()
    }

    /// Pairs of the whole run.
    pub const fn pairs(&self) -> u64 {
        self.schedule.iterations * self.schedule.pairs
    }

    /// The player from which it began, as [`START`] has it.
    pub fn start(&self) -> PlayerSpec {
        self.offspring(self.base.clone(), START, "start")
    }

    /// The player with these values, rounded, as [`TUNED`] has it.
    ///
    /// # Errors
    /// A sentence, if they are no legal configuration together.
    pub fn tuned(&self, values: &[f64]) -> Result<PlayerSpec, String> {
        Ok(self.offspring(self.player(values)?, TUNED, "tuned"))
    }

    /// The base with these values, rounded.
    ///
    /// # Errors
    /// A sentence, if they are no legal configuration together.
    pub fn player(&self, values: &[f64]) -> Result<PlayerSpec, String> {
        let values: Vec<i32> = values.iter().map(|value| value.round() as i32).collect();
        self.player_of(&values, &self.base.file)
    }

    /// A player under a file and a name of its own, by which a match tells it from the base.
    fn offspring(&self, player: PlayerSpec, file: &str, what: &str) -> PlayerSpec {
        player.named(format!("{} {what}", self.base.name())).called(file)
    }

    /// One side of an iteration: `full+` with the values of the plus side.
    fn side(&self, values: &[i32], sign: char) -> Result<PlayerSpec, String> {
        let player = self.player_of(values, &format!("{}{sign}", self.base.file))?;
        Ok(player.named(format!("{}{sign}", self.base.name())))
    }

    fn player_of(&self, values: &[i32], file: &str) -> Result<PlayerSpec, String> {
        let names = self.parameters.iter().map(|parameter| parameter.name.as_str());
        self.base.varied(file, names.zip(values.iter().copied()))
    }
}

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

    /// The values of base and candidate in the pair of this number; none before it is decided what they are.
    pub fn variations(&self, index: u64) -> Option<[Variation; 2]> {
        let iteration = index / self.spec.schedule.pairs;
        let Ends { perturbation, .. } = self.ends.get(usize::try_from(iteration).ok()?)?;
        let of_side = |values: &Vec<i32>| Variation {
            iteration: iteration + 1,
            values: (self.spec.places_as_shown())
                .map(|place| (self.spec.parameters[place].name.clone(), values[place]))
                .collect(),
        };
        Some([&perturbation.minus, &perturbation.plus].map(of_side))
    }

    /// Base and candidate of the pair of this number; none before it is decided what they are.
    pub fn players(&self, index: u64) -> Option<[Arc<PlayerSpec>; 2]> {
        let iteration = usize::try_from(index / self.spec.schedule.pairs).ok()?;
        let Ends { plus, minus, .. } = self.ends.get(iteration)?;
        Some([Arc::clone(minus), Arc::clone(plus)])
    }

    /// Why it cannot go on, if values came up that the player refuses.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
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

    fn is_over(&self) -> bool {
        self.failure.is_some() || self.iterations() >= self.spec.schedule.iterations
    }

    fn watched(&self) -> Vec<Watched> {
        let TuneSpec { base, conditions, .. } = &*self.spec;
        let limit = base.limit.unwrap_or(conditions.limit);
        vec![Watched { name: base.name().to_owned(), limit, conduct: self.conduct }]
    }
}
