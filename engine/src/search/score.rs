//! Search scores: centipawns, mates, bounds, and the limits between them.

/// Value of being mated at the root, negated: a mate in `n` plies is worth `MATE - n`.
pub const MATE: i32 = 32_000;

/// The deepest ply a search reaches, counted from the root.
pub const MAX_PLY: usize = 128;

/// Greater than every score: the full window is `[-INFINITY, INFINITY]`.
pub const INFINITY: i32 = MATE + 1;

/// Value of a drawn position.
pub const DRAW: i32 = 0;

/// The score of being mated at `ply`.
pub const fn mated_at(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether the score announces a mate, for either side.
pub const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE - MAX_PLY as i32
}

/// Full moves to the mate a score announces, negative when it is the side to move that is mated;
/// `None` if the score is an evaluation.
pub const fn moves_to_mate(score: i32) -> Option<i32> {
    if !is_mate(score) {
        None
    } else if score > 0 {
        Some((MATE - score + 1) / 2)
    } else {
        Some(-(MATE + score) / 2)
    }
}

/// Bound: what a search result says about the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this (a fail high).
    Lower,
    /// The score is at most this (a fail low).
    Upper,
}

impl Bound {
    /// The bound that a fail-soft `score` is, having been searched with this window.
    pub const fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether a score with this bound causes a cutoff in the window: it is exact, or lies outside on the side of its bound.
    pub const fn settles(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Whether a score with this bound is better than an estimate: it is exact, or lies beyond the estimate on the side of
    /// its bound.
    pub const fn improves_on(self, score: i32, estimate: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > estimate,
            Bound::Upper => score < estimate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distances_count_full_moves() {
        assert_eq!(moves_to_mate(MATE - 1), Some(1));
        assert_eq!(moves_to_mate(MATE - 3), Some(2));
        assert_eq!(moves_to_mate(-MATE), Some(0));
        assert_eq!(moves_to_mate(-MATE + 2), Some(-1));
        assert_eq!(moves_to_mate(-MATE + 4), Some(-2));
        assert!(is_mate(MATE - MAX_PLY as i32));
        assert_eq!(moves_to_mate(crate::evaluation::MAX_EVALUATION), None);
        assert_eq!(moves_to_mate(-crate::evaluation::MAX_EVALUATION), None);
    }
}
