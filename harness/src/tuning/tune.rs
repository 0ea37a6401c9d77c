//! A tuning run: what is played in each iteration, and where that leads.

use super::spsa::{Parameter, Perturbation, Schedule};
use crate::experiment::{Conditions, Draw, Pair, PlayerSpec};
use crate::facts::{self, Fact, digest_of, fact};
use crate::game::record::PairRecord;
use crate::openings::Book;
use crate::players::spec::EngineSpec;
use crate::run::conduct::{Conduct, Watched};
use crate::run::contest::{Contest, Next};
use serde::{Deserialize, Serialize};
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
    /// What is tuned.
    pub parameters: Vec<Parameter>,
}

impl TuneSpec {
    /// What is asked, in words.
    pub fn question(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        format!("{} of {} · {}", names.join(", "), self.base.file, self.conditions.limit)
    }

    /// SHA-256 of everything that decides the games and the values.
    pub fn digest(&self) -> String {
        digest_of(&[&[fact("base", &self.base.digest)], &self.facts()[..]].concat())
    }

    /// What another run has different, a line each.
    pub fn differences(&self, other: &TuneSpec) -> Vec<String> {
        let (ours, theirs) = (self.facts(), other.facts());
        let missing = ours.len().abs_diff(theirs.len());
        let counted = (missing > 0)
            .then(|| format!("parameters: {} → {}", self.parameters.len(), other.parameters.len()));
        let base = self.base.differences(&other.base).into_iter().map(|line| format!("base.{line}"));
        base.chain(facts::differences(&ours, &theirs)).chain(counted).collect()
    }

    /// What decides the games and the values, but for the configuration.
    fn facts(&self) -> Vec<Fact> {
        let TuneSpec { base, conditions, schedule, parameters } = self;
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
        schedule.into_iter().chain(conditions.facts()).chain(parameters).collect()
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
    fn offspring(&self, mut player: PlayerSpec, file: &str, what: &str) -> PlayerSpec {
        let name = format!("{} {what}", self.base.name());
        match &mut player.engine {
            EngineSpec::BuiltIn { config, .. } => config.name = name,
            EngineSpec::External(engine) => engine.name = name,
        }
        player.called(file)
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
pub struct Tune<'a> {
    spec: &'a TuneSpec,
    /// Without openings where what was played is only followed.
    draw: Draw,
    /// The iterations planned so far, from the first.
    ends: Vec<Ends>,
    /// Values after each completed iteration, beginning with the start.
    trajectory: Vec<Vec<f64>>,
    /// Wins less losses of the candidate in the iteration that is being counted, and its pairs so far.
    score: i64,
    counted: u64,
    pairs: u64,
    /// What the tuned player did, on either side.
    conduct: Conduct,
    failure: Option<String>,
}

impl<'a> Tune<'a> {
    /// Nothing played yet.
    pub fn new(spec: &'a TuneSpec, book: &Arc<Book>) -> Tune<'a> {
        Tune::with(spec, Draw::new(&spec.conditions, Arc::clone(book)))
    }

    /// Nothing counted yet of what was played.
    pub fn of_stored(spec: &'a TuneSpec) -> Tune<'a> {
        Tune::with(spec, Draw::none())
    }

    fn with(spec: &'a TuneSpec, draw: Draw) -> Tune<'a> {
        let start = spec.parameters.iter().map(|parameter| parameter.start).collect();
        let mut tune = Tune {
            spec,
            draw,
            ends: Vec::new(),
            trajectory: vec![start],
            score: 0,
            counted: 0,
            pairs: 0,
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
        self.spec
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
        let TuneSpec { schedule, parameters, conditions, .. } = self.spec;
        let iteration = self.ends.len() as u64;
        if iteration >= schedule.iterations {
            return;
        }
        let perturbation = Perturbation::new(parameters, schedule, self.values(), iteration, conditions.seed);
        let player = |values: &[i32], sign: &str| {
            self.spec.player_of(values, &format!("{}{sign}", self.spec.base.file)).map(Arc::new)
        };
        match (player(&perturbation.plus, "+"), player(&perturbation.minus, "-")) {
            (Ok(plus), Ok(minus)) => self.ends.push(Ends { perturbation, plus, minus }),
            (Err(reason), _) | (_, Err(reason)) => self.failure = Some(reason),
        }
    }
}

impl Contest for Tune<'_> {
    fn pair(&self, index: u64) -> Next {
        let iteration = index / self.spec.schedule.pairs;
        if iteration >= self.spec.schedule.iterations {
            return Next::Nothing;
        }
        let Some(opening) = self.draw.opening(index) else {
            return Next::Nothing;
        };
        match self.players(index) {
            Some([base, candidate]) => Next::Pair(Pair { index, opening: opening.clone(), base, candidate }),
            None => Next::Undecided,
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        // 0 to 4 half points of the candidate in two games: as many wins less losses as half points above two.
        self.score += pair.category() as i64 - 2;
        self.pairs += 1;
        self.conduct.add_both_sides(pair);
        self.counted += 1;
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
        let TuneSpec { base, conditions, .. } = self.spec;
        let limit = base.limit.unwrap_or(conditions.limit);
        vec![Watched { name: base.name().to_owned(), limit, conduct: self.conduct }]
    }
}
