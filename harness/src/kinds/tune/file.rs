//! File of what is to be tuned. It names the parameters, and perhaps a configuration and how long to try; each
//! value is kept with its place in the file, so that what is wrong with it can be shown there.
//!
//! It is read by [`read`](super::read); what is left out of it is filled in and checked by [`check`](super::check).

use super::spsa::{Parameter, SpsaSchedule};
use engine::config::Source;
use std::sync::Arc;
use toml::Spanned;

/// What the file says.
#[derive(Debug)]
pub struct TuneFile {
    /// Its text.
    pub source: Arc<Source>,
    /// The configuration whose parameters are tuned, as it is written there.
    pub base: Option<String>,
    /// How long and in which steps.
    pub schedule: GivenSchedule,
    /// The parameters.
    pub entries: Vec<Entry>,
}

/// As much of a schedule as is given.
#[derive(Debug, Default)]
pub struct GivenSchedule {
    /// How often the values change.
    pub iterations: Option<Spanned<u64>>,
    /// Pairs played with one perturbation.
    pub pairs: Option<Spanned<u64>>,
    /// See [`SpsaSchedule::a_ratio`].
    pub a_ratio: Option<Spanned<f64>>,
    /// See [`SpsaSchedule::alpha`].
    pub alpha: Option<Spanned<f64>>,
    /// See [`SpsaSchedule::gamma`].
    pub gamma: Option<Spanned<f64>>,
    /// See [`SpsaSchedule::lag`].
    pub lag: Option<Spanned<u64>>,
}

/// As much of a [`Parameter`] as is given.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its key, or the name of the UCI option.
    pub name: Spanned<String>,
    /// Where it begins.
    pub start: Option<Spanned<f64>>,
    /// The least value played.
    pub min: Option<Spanned<i32>>,
    /// The greatest value played.
    pub max: Option<Spanned<i32>>,
    /// How far it is moved to either side in the last iteration.
    pub c_end: Option<Spanned<f64>>,
    /// Learning rate of the last iteration.
    pub r_end: Option<Spanned<f64>>,
}

impl TuneFile {
    /// The names of the parameters in the order in which they are written.
    pub fn names_as_written(&self) -> Vec<String> {
        let mut names: Vec<_> = self.entries.iter().map(|entry| &entry.name).collect();
        names.sort_by_key(|name| name.span().start);
        names.into_iter().map(|name| name.get_ref().clone()).collect()
    }

    /// Nothing is read of it yet.
    pub(super) fn empty(source: &Arc<Source>) -> TuneFile {
        let source = Arc::clone(source);
        TuneFile { source, base: None, schedule: GivenSchedule::default(), entries: Vec::new() }
    }
}

impl GivenSchedule {
    /// What is given, and what is usual for the rest.
    pub fn or(&self, usual: &SpsaSchedule) -> SpsaSchedule {
        fn given<T: Copy>(given: &Option<Spanned<T>>, usual: T) -> T {
            given.as_ref().map_or(usual, |value| *value.get_ref())
        }
        SpsaSchedule {
            iterations: given(&self.iterations, usual.iterations),
            pairs: given(&self.pairs, usual.pairs),
            a_ratio: given(&self.a_ratio, usual.a_ratio),
            alpha: given(&self.alpha, usual.alpha),
            gamma: given(&self.gamma, usual.gamma),
            lag: given(&self.lag, usual.lag),
        }
    }
}

/// A file that asks for this; what is left out of it is not left to any table.
pub fn as_toml<'a>(
    base: &str,
    schedule: &SpsaSchedule,
    parameters: impl Iterator<Item = &'a Parameter>,
) -> String {
    let SpsaSchedule { iterations, pairs, a_ratio, alpha, gamma, lag } = schedule;
    let mut text = format!(
        "base = {}\niterations = {iterations}\npairs = {pairs}\na_ratio = {a_ratio}\nalpha = {alpha}\ngamma = {gamma}\n\
         lag = {lag}\n\n[parameters]\n",
        toml::Value::from(base)
    );
    for Parameter { name, start, min, max, c_end, r_end } in parameters {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let key = match !name.is_empty() && name.chars().all(is_bare) {
            true => name.clone(),
            false => toml::Value::from(name.as_str()).to_string(),
        };
        text += &format!(
            "{key} = {{ start = {start}, min = {min}, max = {max}, c_end = {c_end}, r_end = {r_end} }}\n"
        );
    }
    text
}
