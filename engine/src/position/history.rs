//! Repetition: whether a position occurred before, in the game or on the path of the search.

/// The keys of all positions since the game began, in order.
///
/// Push a position's key when it arises, pop it when the search leaves it. Keys tell the side to move,
/// so a position can only equal one an even number of plies before it.
#[derive(Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
}

impl Clone for KeyHistory {
    fn clone(&self) -> KeyHistory {
        KeyHistory { keys: self.keys.clone() }
    }

    /// Unlike the derived one, keeps the room there is: a search copies the game's history into its own.
    fn clone_from(&mut self, source: &KeyHistory) {
        self.keys.clone_from(&source.keys);
    }
}

impl KeyHistory {
    /// A history without positions.
    pub fn new() -> KeyHistory {
        KeyHistory::default()
    }

    /// Makes room for so many more keys at once.
    pub fn reserve(&mut self, more: usize) {
        self.keys.reserve(more);
    }

    /// Records the key of the position that has just arisen.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Forgets the last key.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The number of positions recorded.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Does the search treat a position as drawn by repetition? It does once the position occurred
    /// once at or after the root, or twice before it.
    ///
    /// The position itself, `plies_since_root` plies below the root, may already be recorded as the
    /// last one, or not yet.
    pub fn is_repetition(&self, position_key: u64, halfmove_clock: u16, plies_since_root: usize) -> bool {
        let mut earlier = self.earlier(position_key, halfmove_clock);
        match earlier.next() {
            Some(plies_ago) if plies_ago <= plies_since_root => true,
            Some(_) => earlier.next().is_some(),
            None => false,
        }
    }

    /// How many plies ago the position with this key occurred, nearest first.
    #[inline]
    fn earlier(&self, key: u64, halfmove_clock: u16) -> impl Iterator<Item = usize> {
        let before = match self.keys.split_last() {
            Some((&last, before)) if last == key => before,
            _ => &self.keys,
        };
        let within_clock = &before[before.len().saturating_sub(halfmove_clock as usize)..];
        let same_side = within_clock.rchunks_exact(2).map(|pair| pair[0]);
        same_side.enumerate().filter(move |&(_, earlier)| earlier == key).map(|(index, _)| 2 * (index + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of a game that shuffles two knights: position 1 recurs every four plies.
    fn shuffle() -> KeyHistory {
        let mut history = KeyHistory::new();
        for key in [1, 2, 3, 4, 1, 2, 3, 4, 1] {
            history.push(key);
        }
        history
    }

    #[test]
    fn one_occurrence_counts_in_the_search_and_two_before_it() {
        let mut history = shuffle();
        assert!(history.is_repetition(1, 8, 0), "twice in the game");
        assert!(!history.is_repetition(1, 7, 0), "once in the game, before the root");
        assert!(!history.is_repetition(1, 7, 3));
        assert!(history.is_repetition(1, 7, 4), "the root itself");
        history.pop();
        assert!(history.is_repetition(1, 8, 0), "asked before it is recorded");
        assert!(!history.is_repetition(9, 100, 100));
    }

    #[test]
    fn a_clock_longer_than_the_history_is_harmless() {
        let mut history = KeyHistory::new();
        history.push(1);
        assert!(!history.is_repetition(1, 99, 0));
    }
}
