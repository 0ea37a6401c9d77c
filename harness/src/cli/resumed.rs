//! Resume rule, the same for every run: one that was ended prints its report again, and plays on only when it is asked for more
//! than it has; one that was interrupted goes on to where it was last asked to end.

use super::Failure;
use crate::kinds::spec::RunSpec;
use crate::kinds::stored::{goal_of, goal_of_ended, spec_of};
use crate::run::contest::Contest;
use crate::run::recount::recount;
use crate::store::{RunInfo, Store, StoreError};
use std::path::Path;
use std::sync::Arc;

/// A run of the kind that a command plays, as it is stored.
pub struct StoredRun<Spec> {
    /// The store that keeps it.
    pub store: Store,
    /// What the store knows of it.
    pub info: RunInfo,
    /// All that decides its games.
    pub spec: Arc<Spec>,
}

/// How a stored run goes on.
pub enum Resumed<Goal> {
    /// It was ended, and no more is asked of it than it has: its report is printed again. This goal ends it where it ended.
    Again(Goal),
    /// It is played on to this goal; none if none was ever stored.
    Onwards(Option<Goal>),
}

impl<Goal> Resumed<Goal> {
    /// The goal of a run whose report is only printed again.
    pub fn again(self) -> Option<Goal> {
        match self {
            Resumed::Again(goal) => Some(goal),
            Resumed::Onwards(_) => None,
        }
    }
}

impl<Spec: RunSpec> StoredRun<Spec> {
    /// The run of this name.
    ///
    /// # Errors
    /// There is no such run, or it is of another kind or from another version of this program.
    pub fn find(results: &Path, name: &str) -> Result<StoredRun<Spec>, Failure> {
        let store = Store::open_existing(results)?;
        let info = store.run(name)?;
        let spec = Arc::new(spec_of(&info)?);
        Ok(StoredRun { store, info, spec })
    }

    /// How far it went, or was to go; none if that was not stored.
    ///
    /// # Errors
    /// Another version stored it.
    pub fn goal(&self) -> Result<Option<Spec::Goal>, Failure> {
        Ok(goal_of_ended(&*self.spec, &self.info).or(goal_of::<Spec>(&self.info)?))
    }

    /// How it goes on if this is asked of it now.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn resumed(&self, asked: Option<Spec::Goal>) -> Result<Resumed<Spec::Goal>, Failure> {
        let StoredRun { info, spec, .. } = self;
        let Some(asked) = asked else {
            return Ok(match goal_of_ended(&**spec, info) {
                Some(ended) => Resumed::Again(ended),
                None => Resumed::Onwards(goal_of::<Spec>(info)?),
            });
        };
        let (counted, asks_for_more) = self.counted_to(&asked)?;
        if asks_for_more {
            return Ok(Resumed::Onwards(Some(asked)));
        }
        if let (Some(_), Some(pairs), Some(verdict)) = (&info.finished, info.counted, &info.verdict)
            && let Some(ended) = spec.goal_of_ended(Some(asked.clone()), pairs, verdict)
        {
            return Ok(Resumed::Again(ended));
        }
        // An interrupted run that has more than it is asked for ends with all it has: no pair is left out.
        let (all, _) = self.counted_to(&Spec::Goal::default())?;
        let with_all = if counted < all { spec.goal_of_ended(Some(asked.clone()), all, "") } else { None };
        Ok(Resumed::Onwards(Some(with_all.unwrap_or(asked))))
    }

    /// How many of its pairs a contest with this goal counts, and whether it is then not over yet.
    fn counted_to(&self, goal: &Spec::Goal) -> Result<(u64, bool), StoreError> {
        let (mut contest, mut pairs) = (self.spec.contest(goal), 0);
        recount(&mut contest, (&self.store, &self.info.id), |_, _| pairs += 1)?;
        Ok((pairs, !contest.is_over()))
    }
}
