//! Which quiet moves have been good in this game so far.

use crate::position::{Color, Move, Position};

/// No entry leaves ±this; the nearer to it, the less a further bonus adds.
const BOUND: i32 = 1024;

/// Scores of quiet moves, by the side that moves and the squares it moves from and to (the butterfly
/// boards of Schaeffer, "The History Heuristic", ICCA Journal 1983; the decay towards a bound is
/// Stockfish's "gravity", GPL-3.0).
pub struct History {
    butterfly: Box<[[[i16; 64]; 64]; 2]>,
}

impl History {
    /// Nothing learnt yet.
    pub fn new() -> History {
        History { butterfly: Box::new([[[0; 64]; 64]; 2]) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for from in self.butterfly.iter_mut().flatten() {
            from.fill(0);
        }
    }

    /// The quiet-move score of a move: the sum of all tables that are on.
    pub fn quiet_score(&self, position: &Position, mv: Move) -> i32 {
        i32::from(*self.entry(position.side_to_move(), mv))
    }

    /// Rewards the quiet move that cut at `depth` and punishes those tried in vain before it.
    pub fn update(&mut self, position: &Position, depth: i32, cut: Move, tried_before: &[Move]) {
        let color = position.side_to_move();
        let bonus = (depth * depth).min(BOUND);
        self.add(color, cut, bonus);
        for &mv in tried_before {
            self.add(color, mv, -bonus);
        }
    }

    fn add(&mut self, color: Color, mv: Move, bonus: i32) {
        let entry = &mut self.butterfly[color as usize][mv.from() as usize][mv.to() as usize];
        let value = i32::from(*entry);
        *entry = (value + bonus - value * bonus.abs() / BOUND) as i16;
    }

    fn entry(&self, color: Color, mv: Move) -> &i16 {
        &self.butterfly[color as usize][mv.from() as usize][mv.to() as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stay_within_the_bound_and_turn_around() {
        let mut history = History::new();
        let position = Position::start();
        let (good, bad) = (position.parse_uci("e2e4").unwrap(), position.parse_uci("a2a3").unwrap());
        for depth in 0..200 {
            history.update(&position, depth, good, &[bad]);
        }
        let (best, worst) = (history.quiet_score(&position, good), history.quiet_score(&position, bad));
        assert!(best > BOUND / 2 && best <= BOUND);
        assert_eq!(worst, -best);
        history.update(&position, 20, bad, &[good]);
        assert!(history.quiet_score(&position, good) < best);
        history.clear();
        assert_eq!(history.quiet_score(&position, good), 0);
    }
}
