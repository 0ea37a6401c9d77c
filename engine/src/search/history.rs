//! Which quiet moves have been good in this game so far?
//!
//! A quiet move that cut once will often cut again in similar positions. What counts as similar differs by table: the
//! same side and squares (butterfly), or the same move made before it (continuation). It costs nothing where it is
//! wrong but a worse order of moves.

use super::frame::PieceTo;
use crate::position::{Color, Move, Position};
use crate::techniques::Techniques;

/// No entry leaves ±this; the nearer to it, the less a further bonus adds.
const BOUND: i32 = 1024;

/// A piece of either colour on any square.
const PIECE_TOS: usize = 2 * 6 * 64;

/// The moves that led to a position, the last one first; none for null moves and before the root.
pub type Previous = [Option<PieceTo>; 2];

/// Scores of quiet moves.
///
/// Butterfly boards are Schaeffer's ("The History Heuristic", ICCA Journal 1983), countermoves Uiterwijk's ("The
/// Countermove Heuristic", ICCA Journal 1992); continuation history and the decay towards a bound ("gravity") are
/// Stockfish's (GPL-3.0).
pub struct History {
    /// By the side that moves and the squares it moves from and to.
    butterfly: Box<[i16]>,
    /// By an earlier move and the present one, for each distance between them.
    continuation: [Box<[i16]>; 2],
    /// The move that refuted a move.
    countermoves: Box<[Option<Move>]>,
}

impl History {
    /// Nothing learnt yet.
    pub fn new() -> History {
        let continuation = || vec![0; PIECE_TOS * PIECE_TOS].into();
        History {
            butterfly: vec![0; 2 * 64 * 64].into(),
            continuation: [continuation(), continuation()],
            countermoves: vec![None; PIECE_TOS].into(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.butterfly.fill(0);
        self.continuation.iter_mut().for_each(|table| table.fill(0));
        self.countermoves.fill(None);
    }

    /// The quiet-move score of a move: the sum of all tables that are on.
    pub fn quiet_score(
        &self,
        position: &Position,
        mv: Move,
        previous: &Previous,
        techniques: &Techniques,
    ) -> i32 {
        let mut score = 0;
        if techniques.history {
            score += i32::from(self.butterfly[squares(position.side_to_move(), mv)]);
        }
        if techniques.continuation_history {
            let played = PieceTo::of(position, mv);
            for (table, earlier) in self.continuation.iter().zip(previous) {
                score += earlier.map_or(0, |earlier| i32::from(table[sequence(earlier, played)]));
            }
        }
        score
    }

    /// The quiet move that last refuted the opponent's move.
    pub fn countermove(&self, previous: &Previous) -> Option<Move> {
        self.countermoves[piece_to(previous[0]?)]
    }

    /// Rewards the quiet move that cut at `depth` and punishes those tried in vain before it.
    pub fn update(
        &mut self,
        position: &Position,
        previous: &Previous,
        techniques: &Techniques,
        depth: i32,
        cut: Move,
        tried_before: &[Move],
    ) {
        let bonus = (depth * depth).min(BOUND);
        self.add(position, previous, techniques, cut, bonus);
        for &mv in tried_before {
            self.add(position, previous, techniques, mv, -bonus);
        }
        if let Some(refuted) = previous[0] {
            self.countermoves[piece_to(refuted)] = Some(cut);
        }
    }

    fn add(
        &mut self,
        position: &Position,
        previous: &Previous,
        techniques: &Techniques,
        mv: Move,
        bonus: i32,
    ) {
        nudge(&mut self.butterfly[squares(position.side_to_move(), mv)], bonus);
        if techniques.continuation_history {
            let played = PieceTo::of(position, mv);
            for (table, earlier) in self.continuation.iter_mut().zip(previous) {
                if let &Some(earlier) = earlier {
                    nudge(&mut table[sequence(earlier, played)], bonus);
                }
            }
        }
    }
}

fn nudge(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / BOUND) as i16;
}

fn squares(color: Color, mv: Move) -> usize {
    (color as usize * 64 + mv.from() as usize) * 64 + mv.to() as usize
}

fn piece_to(PieceTo { color, piece, to }: PieceTo) -> usize {
    (color as usize * 6 + piece as usize) * 64 + to as usize
}

fn sequence(earlier: PieceTo, played: PieceTo) -> usize {
    piece_to(earlier) * PIECE_TOS + piece_to(played)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_on() -> Techniques {
        Techniques { history: true, continuation_history: true, ..Techniques::none() }
    }

    #[test]
    fn scores_stay_within_the_bound_and_turn_around() {
        let (mut history, techniques) = (History::new(), all_on());
        let position = Position::start();
        let (good, bad) = (position.parse_uci("e2e4").unwrap(), position.parse_uci("a2a3").unwrap());
        let none = [None; 2];
        for depth in 0..200 {
            history.update(&position, &none, &techniques, depth, good, &[bad]);
        }
        let best = history.quiet_score(&position, good, &none, &techniques);
        assert!(best > BOUND / 2 && best <= BOUND);
        assert_eq!(history.quiet_score(&position, bad, &none, &techniques), -best);
        history.update(&position, &none, &techniques, 20, bad, &[good]);
        assert!(history.quiet_score(&position, good, &none, &techniques) < best);
        history.clear();
        assert_eq!(history.quiet_score(&position, good, &none, &techniques), 0);
    }

    #[test]
    fn continuation_history_tells_what_came_before() {
        let (mut history, techniques) = (History::new(), all_on());
        let start = Position::start();
        let opening = start.parse_uci("e2e4").unwrap();
        let position = start.play(opening);
        let reply = position.parse_uci("c7c5").unwrap();
        let after_e4 = [Some(PieceTo::of(&start, opening)), None];
        let after_d4 = [Some(PieceTo::of(&start, start.parse_uci("d2d4").unwrap())), None];
        history.update(&position, &after_e4, &techniques, 10, reply, &[]);
        let score = |previous| history.quiet_score(&position, reply, previous, &techniques);
        assert!(score(&after_e4) > score(&after_d4));
        assert_eq!(history.countermove(&after_e4), Some(reply));
        assert_eq!(history.countermove(&after_d4), None);
    }
}
