//! What was played in a stored run, whatever its kind, and who played its pairs?

use super::stored_run::{NotRead, spec_of};
use crate::experiment::{Conditions, PlayerSpec};
use crate::game::record::PairRecord;
use crate::run::contest::Contest;
use crate::run::measure::MeasureSpec;
use crate::run::tournament::TournamentSpec;
use crate::store::{RunInfo, kind};
use crate::tuning::sweep::schedule::{Limits, Schedule, Turn};
use crate::tuning::sweep::spec::SweepSpec;
use crate::tuning::tune::{Tune, TuneSpec, Variation};
use std::sync::Arc;

/// The specification of a run, as far as it says who plays whom under which conditions.
pub enum StoredSpec {
    /// The same two in every pair: a test, a measurement, or games for a fit.
    Duel(Box<MeasureSpec>),
    /// A match.
    Match(TournamentSpec),
    /// A sweep.
    Sweep(SweepSpec),
    /// A tuning run.
    Tune(TuneSpec),
}

impl StoredSpec {
    /// The specification of this run.
    ///
    /// # Errors
    /// Another version of this program stored it.
    pub fn of(info: &RunInfo) -> Result<StoredSpec, NotRead> {
        match info.kind.as_str() {
            kind::SPRT | kind::MEASURE | kind::SELFPLAY => spec_of(info).map(StoredSpec::Duel),
            kind::MATCH => spec_of(info).map(StoredSpec::Match),
            kind::SWEEP => spec_of(info).map(StoredSpec::Sweep),
            kind::TUNE => spec_of(info).map(StoredSpec::Tune),
            kind => Err(NotRead::OtherVersion {
                run: info.id.clone(),
                reason: format!("runs of the kind {kind} are not known here"),
            }),
        }
    }

    /// Under what circumstances its pairs are played.
    pub fn conditions(&self) -> &Conditions {
        match self {
            StoredSpec::Duel(spec) => &spec.conditions,
            StoredSpec::Match(spec) => &spec.conditions,
            StoredSpec::Sweep(spec) => &spec.conditions,
            StoredSpec::Tune(spec) => &spec.conditions,
        }
    }

    /// The players that it names; a tuning run makes others from its one.
    pub fn players(&self) -> Vec<&PlayerSpec> {
        match self {
            StoredSpec::Duel(spec) => vec![&spec.base, &spec.candidate],
            StoredSpec::Match(spec) => spec.players.iter().collect(),
            StoredSpec::Sweep(spec) => {
                let arms = spec.variants.iter().map(|variant| &variant.player);
                std::iter::once(&spec.base).chain(arms).collect()
            }
            StoredSpec::Tune(spec) => vec![&spec.base],
        }
    }

    /// Who played its pairs.
    pub fn roster(&self) -> Roster {
        let shared = |players: Vec<&PlayerSpec>| players.into_iter().cloned().map(Arc::new).collect();
        let course = match self {
            StoredSpec::Duel(_) => Course::Pairings(vec![[1, 0]]),
            StoredSpec::Match(spec) => Course::Pairings(spec.pairings()),
            StoredSpec::Sweep(spec) => {
                let schedule = Schedule::new(spec.rules(), spec.variants.len(), Limits::default());
                Course::Sweep(Box::new(schedule))
            }
            StoredSpec::Tune(spec) => Course::Tune(Box::new(Tune::new(&Arc::new(spec.clone())))),
        };
        Roster { players: shared(self.players()), course, next: 0 }
    }
}

/// Who played the pairs of a run, told pair by pair: in a sweep and in a tuning run it follows from the pairs before.
pub struct Roster {
    players: Vec<Arc<PlayerSpec>>,
    course: Course,
    next: u64,
}

/// What decides who plays next.
enum Course {
    /// Candidate and base by number, in turn.
    Pairings(Vec<[usize; 2]>),
    Sweep(Box<Schedule>),
    Tune(Box<Tune>),
}

impl Roster {
    /// The values of base and candidate in a pair of a tuning run that was taken; none of any other run.
    pub fn variations(&self, pair: u64) -> Option<[Variation; 2]> {
        self.tune()?.variations(pair)
    }

    /// What the pairs taken of a tuning run have come to; none of any other run.
    pub fn tune(&self) -> Option<&Tune> {
        match &self.course {
            Course::Tune(tune) => Some(tune),
            Course::Pairings(_) | Course::Sweep(_) => None,
        }
    }

    /// Base and candidate of the next stored pair, which is counted. None where who plays follows from the pairs before, and
    /// one of them is missing, or the run was over.
    pub fn take(&mut self, pair: &PairRecord) -> Option<[Arc<PlayerSpec>; 2]> {
        let is_next = pair.index == self.next;
        self.next += u64::from(is_next);
        let player = |number: usize| Arc::clone(&self.players[number]);
        match &mut self.course {
            Course::Pairings(pairings) => {
                let [candidate, base] = pairings[(pair.index % pairings.len() as u64) as usize];
                Some([player(base), player(candidate)])
            }
            Course::Sweep(schedule) => {
                let arm = match schedule.turn(pair.index) {
                    Turn::Arm { arm, .. } if is_next => arm,
                    _ => return None,
                };
                schedule.count(|tally| tally.add(pair));
                Some([player(0), player(arm + 1)])
            }
            Course::Tune(tune) => {
                let players = tune.players(pair.index).filter(|_| is_next)?;
                tune.count(pair);
                Some(players)
            }
        }
    }
}
