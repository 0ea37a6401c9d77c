//! Weights of the evaluation: their values, and which values are legal.

use super::groups::{COUNT, GROUPS, GroupInfo};
use super::score::{Score, s};
use super::shipped::SHIPPED;
use std::fmt;
use std::ops::Index;

/// A value for every weight, owned by each search as its parameters are. `Default` is what the engine ships.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalWeights(Box<[Score; COUNT]>);

/// Why weights were refused. `Display` is one sentence: [`what`](Self::what) happened and the
/// [`remedy`](Self::remedy).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightError {
    /// No group of weights has this name.
    Unknown {
        /// The name as given.
        name: String,
        /// The nearest group, if one comes close.
        suggestion: Option<&'static str>,
    },
    /// A group was given another number of weights than it has.
    WrongCount {
        /// The group's name.
        name: &'static str,
        /// How many it has.
        size: usize,
        /// How many were given.
        given: usize,
    },
    /// A half of a weight is out of its range.
    OutOfRange {
        /// The group's name.
        name: &'static str,
        /// Which of its weights, from 0.
        place: usize,
        /// The value as given.
        value: i64,
        /// The least and the greatest legal value.
        range: (i32, i32),
    },
}

impl WeightError {
    /// What happened.
    pub fn what(&self) -> String {
        match self {
            Self::Unknown { name, .. } => format!("no weights are called `{name}`"),
            Self::WrongCount { name, size, given } => {
                format!("`{name}` has {}, not {given}", counted(*size))
            }
            Self::OutOfRange { name, place, value, range: (min, max) } => {
                format!("`{name}` has {value} at place {place}, which is outside its range {min} to {max}")
            }
        }
    }

    /// What to do next.
    pub fn remedy(&self) -> String {
        match self {
            Self::Unknown { suggestion: Some(suggestion), .. } => format!("did you mean `{suggestion}`?"),
            Self::Unknown { suggestion: None, .. } => "`engine weights` lists them all".to_owned(),
            Self::WrongCount { size, .. } => format!("write {}", shape(*size)),
            Self::OutOfRange { range: (min, max), .. } => format!("choose integers from {min} to {max}"),
        }
    }
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what(), self.remedy())
    }
}

impl std::error::Error for WeightError {}

/// How the weights of a group of this size are written, for people.
pub fn shape(size: usize) -> String {
    match size {
        1 => "[[middlegame, endgame]]".to_owned(),
        _ => format!("{size} pairs [[middlegame, endgame], …]"),
    }
}

fn counted(size: usize) -> String {
    if size == 1 { "1 weight".to_owned() } else { format!("{size} weights") }
}

impl Default for EvalWeights {
    fn default() -> Self {
        EvalWeights::from_pairs(|index| SHIPPED[index])
    }
}

impl Index<usize> for EvalWeights {
    type Output = Score;
    #[inline(always)]
    fn index(&self, index: usize) -> &Score {
        &self.0[index]
    }
}

impl EvalWeights {
    /// The weights of a group in a config that does not mention it: pairs of middlegame and endgame.
    pub fn shipped(group: &GroupInfo) -> &'static [[i32; 2]] {
        &SHIPPED[group.range()]
    }

    /// The weights whose middlegame and endgame halves `pair` gives by index; halves out of their range are
    /// brought to its end.
    pub fn from_pairs(pair: impl Fn(usize) -> [i32; 2]) -> EvalWeights {
        let mut scores = Box::new([Score::ZERO; COUNT]);
        for info in GROUPS {
            let (min, max) = info.kind.range().into_inner();
            for index in info.range() {
                let [middlegame, endgame] = pair(index);
                scores[index] = s(middlegame.clamp(min, max), endgame.clamp(min, max));
            }
        }
        EvalWeights(scores)
    }

    /// Every group with its weights, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (&'static GroupInfo, Vec<[i32; 2]>)> {
        GROUPS.iter().map(|info| {
            let pairs = self.0[info.range()].iter().map(|score| [score.middlegame(), score.endgame()]);
            (info, pairs.collect())
        })
    }

    /// Sets the weights of the group of that name.
    ///
    /// # Errors
    /// There is no such group, it has another number of weights, or one is out of range; nothing has changed
    /// then.
    pub fn set(&mut self, name: &str, pairs: &[[i64; 2]]) -> Result<(), WeightError> {
        let info = GroupInfo::find(name)
            .map_err(|suggestion| WeightError::Unknown { name: name.to_owned(), suggestion })?;
        let scores = checked(info, pairs)?;
        self.0[info.range()].copy_from_slice(&scores);
        Ok(())
    }
}

/// The weights of a group, if they are legal.
///
/// # Errors
/// Their number or a value is not.
pub fn checked(info: &'static GroupInfo, pairs: &[[i64; 2]]) -> Result<Vec<Score>, WeightError> {
    let &GroupInfo { name, size, .. } = info;
    if pairs.len() != size {
        return Err(WeightError::WrongCount { name, size, given: pairs.len() });
    }
    let range = info.kind.range();
    let half = |place, value: i64| {
        let legal = i32::try_from(value).ok().filter(|value| range.contains(value));
        legal.ok_or(WeightError::OutOfRange { name, place, value, range: (*range.start(), *range.end()) })
    };
    let pair = |(place, &[middlegame, endgame]): (usize, &[i64; 2])| {
        Ok(s(half(place, middlegame)?, half(place, endgame)?))
    };
    pairs.iter().enumerate().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::groups::TEMPO;

    #[test]
    fn shipped_values_are_in_range() {
        for info in GROUPS {
            let range = info.kind.range();
            assert!(
                EvalWeights::shipped(info).as_flattened().iter().all(|half| range.contains(half)),
                "{}",
                info.name
            );
        }
    }

    #[test]
    fn set_changes_one_group_or_nothing() {
        let mut weights = EvalWeights::default();
        weights.set("tempo", &[[17, -3]]).unwrap();
        assert_eq!(weights[TEMPO], s(17, -3));
        let before = weights.clone();
        for (name, pairs, message) in [
            ("tempi", vec![[0, 0]], "no weights are called `tempi`: did you mean `tempo`?"),
            ("tempo", vec![], "`tempo` has 1 weight, not 0: write [[middlegame, endgame]]"),
            (
                "outpost",
                vec![[0, 0]],
                "`outpost` has 2 weights, not 1: write 2 pairs [[middlegame, endgame], …]",
            ),
            (
                "tempo",
                vec![[0, 1 << 40]],
                "`tempo` has 1099511627776 at place 0, which is outside its range -4000 to 4000: choose integers \
                 from -4000 to 4000",
            ),
            (
                "scale_no_pawns",
                vec![[0, 129]],
                "`scale_no_pawns` has 129 at place 0, which is outside its range 0 to 128: choose integers from 0 to 128",
            ),
        ] {
            assert_eq!(weights.set(name, &pairs).unwrap_err().to_string(), message);
            assert_eq!(weights, before);
        }
    }

    #[test]
    fn every_group_can_be_read_and_set_back() {
        let weights = EvalWeights::default();
        let mut copy = EvalWeights::from_pairs(|_| [0, 0]);
        for (info, pairs) in weights.iter() {
            let wide: Vec<[i64; 2]> = pairs.iter().map(|pair| pair.map(i64::from)).collect();
            copy.set(info.name, &wide).unwrap();
        }
        assert_eq!(copy, weights);
    }
}
