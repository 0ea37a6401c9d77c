//! Evaluation hash table: the value of a position when it was evaluated last.
//!
//! The transposition table remembers evaluations, too, but not those of quiescence nodes that were good enough
//! without a search, which are many. An entry depends on the weights: the cache must be emptied when they change.

use crate::prefetch::prefetch;

/// Values remembered, a power of two, 8 bytes each.
const ENTRIES: usize = 1 << ENTRY_BITS;
const ENTRY_BITS: u32 = 16;

/// A value takes the place of the key's lower bits, which say where it stands.
const VALUE_BITS: u64 = 0xffff;

/// Values by the key of their position; a new one takes the place of an old one.
pub struct ValueCache(Box<[u64; ENTRIES]>);

impl ValueCache {
    /// An empty cache. That a key's upper bits are those of an empty entry is as unlikely as that two keys are the
    /// same, but for keys below 65,536, of which there are as few.
    pub fn new() -> ValueCache {
        ValueCache(Box::new([0; ENTRIES]))
    }

    /// Fetches what [`get`](ValueCache::get) will read for this key.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.0[place(key)]);
    }

    /// The value of the position with this key, if it is remembered.
    #[inline]
    pub fn get(&self, key: u64) -> Option<i32> {
        let entry = self.0[place(key)];
        ((entry ^ key) & !VALUE_BITS == 0).then_some(i32::from(entry as i16))
    }

    /// Remembers a value, which fits in 16 bits.
    #[inline]
    pub fn set(&mut self, key: u64, value: i32) {
        debug_assert!(i16::try_from(value).is_ok());
        self.0[place(key)] = (key & !VALUE_BITS) | u64::from(value as i16 as u16);
    }
}

fn place(key: u64) -> usize {
    key as usize % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_under_its_own_key_only() {
        let mut cache = ValueCache::new();
        let key = 0x1234_5678_9abc_def0;
        for value in [0, 17, -17, 20_000, -20_000] {
            cache.set(key, value);
            assert_eq!(cache.get(key), Some(value));
            for bit in 0..64 {
                assert_eq!(cache.get(key ^ (1 << bit)), None, "bit {bit}");
            }
        }
        let rival = key ^ (1 << 63);
        cache.set(rival, 5);
        assert_eq!((cache.get(key), cache.get(rival)), (None, Some(5)));
    }
}
