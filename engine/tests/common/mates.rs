//! Mate prover: distance of forced mates by trying every move, without the search.
//!
//! The fifty-move rule and repetitions are left out: no shortest mate repeats a position.

use engine::position::{Move, MoveList, Position};
use std::collections::HashMap;

/// The longest mates asked about, in moves.
const LONGEST: usize = 8;

/// Proves and refutes mates until it has looked at so many positions. Every answer is `None` when that was not enough.
pub struct Prover {
    positions_left: u64,
    /// Whether the side to move mates within so many moves.
    known: HashMap<(u64, u32), bool>,
    /// The reply that held out last, by the moves left to mate: tried first, it saves most of the work.
    last_defence: [Option<Move>; LONGEST],
}

impl Prover {
    pub fn new(most_positions: u64) -> Prover {
        Prover { positions_left: most_positions, known: HashMap::new(), last_defence: [None; LONGEST] }
    }

    /// The moves to the shortest forced mate, if one of at most `most` moves exists.
    pub fn distance(&mut self, position: &Position, most: u32) -> Option<Option<u32>> {
        for moves in 1..=most {
            if self.mates(position, moves)? {
                return Some(Some(moves));
            }
        }
        Some(None)
    }

    /// All moves that force mate within `moves`, themselves included.
    pub fn mating_moves(&mut self, position: &Position, moves: u32) -> Option<Vec<Move>> {
        let mut mating = Vec::new();
        for mv in &legal_moves(position) {
            if self.is_lost(&position.play(mv), moves - 1)? {
                mating.push(mv);
            }
        }
        Some(mating)
    }

    fn mates(&mut self, position: &Position, moves: u32) -> Option<bool> {
        self.positions_left = self.positions_left.checked_sub(1)?;
        if moves == 1 {
            return Some(mates_at_once(position));
        }
        let key = (position.key(), moves);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        let mut candidates = legal_moves(position);
        candidates.sort_by_cached_key(|&mv| !position.play(mv).in_check());
        let mut found = false;
        for mv in &candidates {
            if self.is_lost(&position.play(mv), moves - 1)? {
                found = true;
                break;
            }
        }
        self.known.insert(key, found);
        Some(found)
    }

    /// Whether the side to move is mated, or will be within `moves` moves of the other side.
    fn is_lost(&mut self, position: &Position, moves: u32) -> Option<bool> {
        if moves == 0 || !position.has_legal_move() {
            return Some(position.in_check() && !position.has_legal_move());
        }
        let mut replies = legal_moves(position);
        let last_defence = self.last_defence[moves as usize];
        if let Some(place) = replies.iter().position(|&mv| Some(mv) == last_defence) {
            replies.swap(0, place);
        }
        for reply in &replies {
            if !self.mates(&position.play(reply), moves)? {
                self.last_defence[moves as usize] = Some(reply);
                return Some(false);
            }
        }
        Some(true)
    }
}

fn mates_at_once(position: &Position) -> bool {
    legal_moves(position).iter().any(|&mv| {
        let child = position.play(mv);
        child.in_check() && !child.has_legal_move()
    })
}

fn legal_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}
