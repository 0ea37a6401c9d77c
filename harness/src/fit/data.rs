//! Positions as a fit needs them: which weights count how often, and how the game ended.

use engine::evaluation::groups::{COUNT, GROUPS, GroupInfo, Kind};
use engine::evaluation::{FULL_PHASE, Trace};
use std::fmt;

/// One position of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The weights that count.
    pub uses: &'a [Use],
    /// The weight that scales the whole.
    pub scale: usize,
    /// The share of the middlegame, 0 to 1.
    pub phase: f32,
    /// The expected score of White, 0 to 1.
    pub target: f32,
}

/// One weight in one position: four bytes, since there are some sixty in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The weight's index.
    pub index: u16,
    /// How often it counts for White.
    pub white: i8,
    /// How often it counts for Black.
    pub black: i8,
}

/// What is kept of one position besides its uses.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Where its uses end; they begin where those of the position before end.
    end: u32,
    scale: u16,
    phase: u8,
    target: f32,
}

/// Positions with their targets.
#[derive(Clone, Debug, Default)]
pub struct Data {
    uses: Vec<Use>,
    heads: Vec<Head>,
}

/// More positions than can be counted in 32 bits were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are more positions than a fit can hold (some sixty million): name fewer runs")
    }
}

impl Data {
    /// Adds a position and what it should be found to be worth: the expected score of White, 0 to 1.
    ///
    /// # Errors
    /// There is no room for more.
    pub fn push(&mut self, trace: &Trace, target: f32) -> Result<(), TooMuch> {
        for (index, [white, black]) in trace.used() {
            // What both sides have alike changes nothing, unless it is squared.
            if white != black || GroupInfo::of(index).0.kind == Kind::Danger {
                let clamp = |times: i16| times.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
                self.uses.push(Use { index: index as u16, white: clamp(white), black: clamp(black) });
            }
        }
        let end = u32::try_from(self.uses.len()).map_err(|_| TooMuch)?;
        self.heads.push(Head { end, scale: trace.scale as u16, phase: trace.phase as u8, target });
        Ok(())
    }

    /// Adds the positions of another set.
    ///
    /// # Errors
    /// There is no room for more.
    pub fn append(&mut self, other: Data) -> Result<(), TooMuch> {
        let before = self.uses.len() as u32;
        self.uses.extend(other.uses);
        u32::try_from(self.uses.len()).map_err(|_| TooMuch)?;
        self.heads.extend(other.heads.into_iter().map(|head| Head { end: head.end + before, ..head }));
        Ok(())
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The position of this number.
    pub fn sample(&self, number: usize) -> Sample<'_> {
        let head = self.heads[number];
        let start = if number == 0 { 0 } else { self.heads[number - 1].end };
        Sample {
            uses: &self.uses[start as usize..head.end as usize],
            scale: head.scale.into(),
            phase: f32::from(head.phase) / FULL_PHASE as f32,
            target: head.target,
        }
    }

    /// In how many positions each weight makes a difference.
    pub fn positions_by_weight(&self) -> Vec<usize> {
        let mut positions = vec![0; COUNT];
        for seen in &self.uses {
            positions[usize::from(seen.index)] += 1;
        }
        for head in &self.heads {
            positions[usize::from(head.scale)] += 1;
        }
        positions
    }
}

/// The weight of this index as people name it: `knight_mobility[3]`, `tempo`.
pub fn weight_name(index: usize) -> String {
    let (info, place) = GroupInfo::of(index);
    if info.size == 1 { info.name.to_owned() } else { format!("{}[{place}]", info.name) }
}

/// The kind of every weight, by index.
pub fn kinds() -> Vec<Kind> {
    GROUPS.iter().flat_map(|info| std::iter::repeat_n(info.kind, info.size)).collect()
}
