//! Transposition table: what earlier searches of this game found out about a position.
//!
//! Each player owns its table, so no access is shared and no lock is needed. A new game begins with
//! an empty table at no cost: every bucket carries the epoch it was written in, and a bucket of another
//! epoch counts as empty, for probing and for replacement alike.

use super::score::{Bound, MATE, is_mate};
use crate::position::Move;
use crate::prefetch::prefetch;
use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;
use std::io;

/// Entries that share one bucket.
const BUCKET_ENTRIES: usize = 3;

/// Ages: searches of one game are counted modulo this.
const AGES: u8 = 32;

/// Replacement: an entry's worth falls by so many plies of depth with each search since it was written.
const AGE_PENALTY: i32 = 4;

/// Replacement: an entry of the same position is kept if the new one is shallower by more plies than this.
const KEEP_DEEPER_BY: i32 = 3;

/// Table entry: the result of an earlier search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best or refuting move, if one was found.
    pub best: Option<Move>,
    /// Score from the side to move, mates counted from the node probed.
    pub score: i32,
    /// What the score says about the true one.
    pub bound: Bound,
    /// Depth of the search that found it, plies; 0 from quiescence.
    pub depth: i32,
    /// Static evaluation; `None` when the side to move was in check.
    pub evaluation: Option<i32>,
    /// The node was on a principal variation once.
    pub was_pv: bool,
}

/// An [`Entry`] in ten bytes.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct Packed {
    key: u16,
    best: u16,
    score: i16,
    evaluation: i16,
    depth: u8,
    /// Age in the upper five bits, then [`WAS_PV`], [`bound_code`] in the lower two; 0 there means empty.
    age_and_bound: u8,
}

/// Set for nodes that were on a principal variation.
const WAS_PV: u8 = 1 << 2;

/// Stands for "in check, no evaluation".
const NO_EVALUATION: i16 = i16::MIN;

/// All zeros is an empty bucket.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(32))]
struct Bucket {
    entries: [Packed; BUCKET_ENTRIES],
    epoch: u16,
}

/// Transposition table of one player.
pub struct Table {
    /// The buckets, as bytes from the system.
    memory: MmapMut,
    /// Which game the player is in; buckets start at 0, games at 1.
    epoch: u16,
    /// Which search of the game, modulo [`AGES`].
    age: u8,
}

impl Table {
    /// A table of about `megabytes` MB (at least one), in huge pages where the system allows it: with pages of 4 KB
    /// most probes would have to fetch the page table entry besides the bucket.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new(megabytes: usize) -> io::Result<Table> {
        let memory = MmapMut::map_anon(megabytes.max(1) << 20)?;
        // Only advice: where the system does not follow it, the table is slower.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Table { memory, epoch: 1, age: 0 })
    }

    #[inline(always)]
    fn buckets(&self) -> &[Bucket] {
        bytemuck::cast_slice(&self.memory)
    }

    /// Empties the table for a new game, in constant time except once in 65 535 games.
    pub fn new_game(&mut self) {
        self.age = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.clear();
        }
    }

    /// Empties the table by writing over every bucket.
    pub fn clear(&mut self) {
        self.memory.fill(0);
        self.epoch = 1;
        self.age = 0;
    }

    /// New search of the same game: entries of earlier searches lose worth for replacement.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Prefetch of what [`probe`](Table::probe) will read for this key: waiting for it was a third of the time of a search
    /// (measured: `docs/performance.md`).
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.buckets()[self.index(key)]);
    }

    /// Probe: the entry of the position with this key, seen from a node at `ply`.
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let bucket = &self.buckets()[self.index(key)];
        if bucket.epoch != self.epoch {
            return None;
        }
        bucket
            .entries
            .iter()
            .find(|packed| packed.key == check(key) && !packed.is_empty())
            .map(|packed| packed.unpack(ply))
    }

    /// Store: keeps the result of a node at `ply`, in the place of the least valuable entry of its bucket.
    pub fn store(&mut self, key: u64, ply: usize, entry: Entry) {
        let (epoch, age) = (self.epoch, self.age);
        let index = self.index(key);
        let bucket = &mut bytemuck::cast_slice_mut::<_, Bucket>(&mut self.memory)[index];
        if bucket.epoch != epoch {
            *bucket = Bucket { epoch, ..Bucket::default() };
        }

        let same = bucket.entries.iter().position(|packed| packed.key == check(key) && !packed.is_empty());
        let slot = match same {
            Some(slot) => slot,
            None => (0..BUCKET_ENTRIES)
                .min_by_key(|&slot| bucket.entries[slot].worth(age))
                .expect("a bucket has entries"),
        };
        let old = &mut bucket.entries[slot];
        let best = entry.best.or_else(|| same.and_then(|_| Move::from_raw(old.best)));
        if same.is_some()
            && old.age() == age
            && entry.bound != Bound::Exact
            && entry.depth + KEEP_DEEPER_BY < i32::from(old.depth)
        {
            return;
        }
        *old = Packed {
            key: check(key),
            best: best.map_or(0, Move::raw),
            score: to_table(entry.score, ply) as i16,
            evaluation: entry.evaluation.map_or(NO_EVALUATION, |value| value as i16),
            depth: entry.depth.clamp(0, 255) as u8,
            age_and_bound: age << 3 | if entry.was_pv { WAS_PV } else { 0 } | bound_code(entry.bound),
        };
    }

    /// Hashfull: how full the table is with entries of the present search, in thousandths, from a sample.
    pub fn permill_full(&self) -> usize {
        let sample = &self.buckets()[..self.buckets().len().min(1000)];
        let used = sample
            .iter()
            .filter(|bucket| bucket.epoch == self.epoch)
            .flat_map(|bucket| &bucket.entries)
            .filter(|packed| !packed.is_empty() && packed.age() == self.age)
            .count();
        used * 1000 / (sample.len() * BUCKET_ENTRIES)
    }

    /// The bucket comes from the key's upper bits, the [`check`] from its lower ones.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets().len() as u128) >> 64) as usize
    }
}

impl Packed {
    fn is_empty(&self) -> bool {
        self.age_and_bound & 3 == 0
    }

    fn age(&self) -> u8 {
        self.age_and_bound >> 3
    }

    /// Worth of an entry for replacement: its depth, less a penalty for each search since it was written.
    fn worth(&self, age: u8) -> i32 {
        if self.is_empty() {
            return i32::MIN;
        }
        let searches_ago = (age + AGES - self.age()) % AGES;
        i32::from(self.depth) - AGE_PENALTY * i32::from(searches_ago)
    }

    fn unpack(&self, ply: usize) -> Entry {
        Entry {
            best: Move::from_raw(self.best),
            score: from_table(i32::from(self.score), ply),
            bound: match self.age_and_bound & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: i32::from(self.depth),
            evaluation: (self.evaluation != NO_EVALUATION).then_some(i32::from(self.evaluation)),
            was_pv: self.age_and_bound & WAS_PV != 0,
        }
    }
}

const fn bound_code(bound: Bound) -> u8 {
    match bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    }
}

const fn check(key: u64) -> u16 {
    key as u16
}

/// Mate scores count plies from the root while searching, from the node in the table, so that
/// they hold wherever the position is met again.
fn to_table(score: i32, ply: usize) -> i32 {
    match is_mate(score) {
        true if score > 0 => (score + ply as i32).min(MATE),
        true => (score - ply as i32).max(-MATE),
        false => score,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match is_mate(score) {
        true if score > 0 => score - ply as i32,
        true => score + ply as i32,
        false => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, score: i32) -> Entry {
        Entry { best: None, score, bound: Bound::Lower, depth, evaluation: Some(12), was_pv: depth > 50 }
    }

    #[test]
    fn a_bucket_fills_half_a_cache_line() {
        assert_eq!(size_of::<Bucket>(), 32);
    }

    #[test]
    fn what_is_stored_is_found_with_mates_counted_from_the_node() {
        let mut table = Table::new(1).unwrap();
        table.store(77, 4, entry(5, MATE - 10));
        assert_eq!(table.probe(77, 6), Some(entry(5, MATE - 12)));
        table.store(78, 4, entry(5, -MATE + 10));
        assert_eq!(table.probe(78, 2).unwrap().score, -MATE + 8);
        assert_eq!(table.probe(79, 4), None);
    }

    #[test]
    fn a_new_game_finds_nothing_even_after_the_epochs_have_wrapped() {
        let mut table = Table::new(1).unwrap();
        for _ in 0..70_000 {
            table.store(77, 0, entry(5, 1));
            assert!(table.probe(77, 0).is_some());
            table.new_game();
            assert_eq!(table.probe(77, 0), None);
        }
    }

    #[test]
    fn entries_of_another_game_give_way_whatever_their_depth() {
        let mut table = Table::new(1).unwrap();
        // The same bucket (upper bits), other positions (lower bits).
        for key in 0..BUCKET_ENTRIES as u64 {
            table.store(key, 0, entry(100, 1));
        }
        table.new_game();
        for key in 10..10 + BUCKET_ENTRIES as u64 {
            table.store(key, 0, entry(1, 1));
        }
        for key in 10..10 + BUCKET_ENTRIES as u64 {
            assert!(table.probe(key, 0).is_some(), "{key}");
        }
    }

    #[test]
    fn the_shallowest_and_oldest_entry_gives_way() {
        let mut table = Table::new(1).unwrap();
        table.store(1, 0, entry(9, 1));
        table.store(2, 0, entry(3, 1));
        table.store(3, 0, entry(7, 1));
        table.store(4, 0, entry(5, 1));
        assert_eq!([1, 2, 3, 4].map(|key| table.probe(key, 0).is_some()), [true, false, true, true]);
        table.new_search();
        table.new_search();
        table.store(5, 0, entry(2, 1));
        table.store(6, 0, entry(2, 1));
        assert_eq!(
            [1, 3, 4, 5, 6].map(|key| table.probe(key, 0).is_some()),
            [true, false, false, true, true]
        );
    }
}
