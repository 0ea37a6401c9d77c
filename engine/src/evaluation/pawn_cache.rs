//! Pawn hash table: what was found about a pawn structure and two kings the last time.
//!
//! Pawns and kings seldom move, so that most evaluations find here what follows from them alone. An entry depends
//! on the weights: the cache must be emptied when they change.

use super::pawns::PawnFacts;
use super::sums::Known;
use crate::position::{Color, Position};

/// Structures remembered, a power of two: 144 KB lie beside the search's other tables in the second-level cache.
const ENTRIES: usize = 2048;

/// What is remembered of one structure.
#[derive(Clone, Copy, Default)]
pub struct PawnEntry {
    key: u64,
    /// What it adds up to.
    pub known: Known,
    /// What other terms want to know.
    pub facts: PawnFacts,
}

/// Structures by their key; a new one takes the place of an old one.
pub struct PawnCache(Box<[PawnEntry; ENTRIES]>);

impl PawnCache {
    /// An empty cache. That a key is the 0 of an empty entry is as unlikely as that two are the same.
    pub fn new() -> PawnCache {
        PawnCache(Box::new([PawnEntry::default(); ENTRIES]))
    }

    /// What is remembered for the pawns and kings of this position, or else what `find` finds.
    #[inline]
    pub fn get_or(&mut self, position: &Position, find: impl FnOnce() -> (Known, PawnFacts)) -> &PawnEntry {
        let key = key(position);
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            let (known, facts) = find();
            *entry = PawnEntry { key, known, facts };
        }
        entry
    }
}

/// The pawns' hash key, with the kings' squares spread over all its bits.
fn key(position: &Position) -> u64 {
    /// 2⁶⁴ divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let kings = 64 * position.king(Color::White) as u64 + position.king(Color::Black) as u64;
    let spread = (kings + 1).wrapping_mul(SPREAD);
    position.pawn_key() ^ spread ^ (spread >> 32)
}
