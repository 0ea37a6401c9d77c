//! What was found about a pawn structure the last time it was met?
//!
//! Pawns seldom move, so that nearly every evaluation finds its structure here. An entry depends on the
//! weights: the cache must be emptied when they change.

use super::Score;
use super::pawns::PawnFacts;

/// Structures remembered, a power of two: 64 KB lie beside the search's other tables in the second-level cache.
const ENTRIES: usize = 1024;

/// What is remembered of one structure.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    key: u64,
    /// White's worth minus Black's.
    pub score: Score,
    /// What other terms want to know.
    pub facts: PawnFacts,
}

/// Structures by their key; a new one takes the place of an old one.
pub struct PawnCache(Box<[Entry; ENTRIES]>);

impl PawnCache {
    /// An empty cache. The key of an empty entry is that of no pawns, of which it speaks the truth.
    pub fn new() -> PawnCache {
        PawnCache(Box::new([Entry::default(); ENTRIES]))
    }

    /// What is remembered for this key, or else what `find` finds.
    #[inline]
    pub fn get_or(&mut self, key: u64, find: impl FnOnce() -> (Score, PawnFacts)) -> &Entry {
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            let (score, facts) = find();
            *entry = Entry { key, score, facts };
        }
        entry
    }
}
