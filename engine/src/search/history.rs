//! History heuristic: quiet moves that have been good in this game so far.
//!
//! A quiet move that cut once will often cut again in similar positions. Each table has its
//! own measure of similar: the same side and squares (butterfly), or the same move before it (continuation). Where it
//! is wrong, it costs a worse move order and nothing else.

use super::frame::PieceTo;
use crate::position::{Color, Move, Position};
use crate::techniques::Techniques;

/// Gravity: entries stay within ±this; the nearer an entry is to it, the less a further bonus adds.
const BOUND: i32 = 1024;

/// A piece of either colour on any square.
const PIECE_TOS: usize = 2 * 6 * 64;

/// From any square to any square.
const SQUARE_PAIRS: usize = 64 * 64;

/// The moves that led to a position, the last one first; none for null moves and before the root.
pub type Previous = [Option<PieceTo>; 2];

/// History tables: scores of quiet moves.
///
/// Butterfly boards are Schaeffer's ("The History Heuristic", ICCA Journal 1983), countermoves Uiterwijk's ("The
/// Countermove Heuristic", ICCA Journal 1992); continuation history and the decay towards a bound ("gravity") are
/// Stockfish's (GPL-3.0).
pub struct History {
    /// By the side that moves and the squares it moves from and to.
    butterfly: Box<[[i16; SQUARE_PAIRS]; 2]>,
    /// By an earlier move and the present one, for each distance between them.
    continuation: [Box<[[i16; PIECE_TOS]]>; 2],
    /// The move that refuted a move.
    countermoves: Box<[Option<Move>]>,
}

impl History {
    /// Empty tables.
    pub fn new() -> History {
        let continuation = || vec![[0; PIECE_TOS]; PIECE_TOS].into();
        History {
            butterfly: Box::new([[0; SQUARE_PAIRS]; 2]),
            continuation: [continuation(), continuation()],
            countermoves: vec![None; PIECE_TOS].into(),
        }
    }

    /// Empties the tables.
    pub fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill(0);
        self.continuation.iter_mut().for_each(|table| table.as_flattened_mut().fill(0));
        self.countermoves.fill(None);
    }

    /// The rows of the tables in use that apply to the moves of one position.
    pub fn quiet_scores(
        &self,
        mover: Color,
        previous: &Previous,
        techniques: &Techniques,
    ) -> QuietScores<'_> {
        let after = |distance: usize| {
            let earlier = previous[distance].filter(|_| techniques.continuation_history)?;
            Some(&self.continuation[distance][piece_to(earlier)])
        };
        QuietScores {
            butterfly: techniques.history.then(|| &self.butterfly[mover as usize]),
            continuation: [after(0), after(1)],
        }
    }

    /// Countermove: the quiet move that last refuted the opponent's move.
    pub fn countermove(&self, previous: &Previous) -> Option<Move> {
        self.countermoves[piece_to(previous[0]?)]
    }

    /// History update after a cutoff: a bonus for the quiet move that cut, a malus for those tried before it.
    pub fn update(
        &mut self,
        position: &Position,
        previous: &Previous,
        techniques: &Techniques,
        bonus: i32,
        cut: Move,
        tried_before: &[Move],
    ) {
        let bonus = bonus.min(BOUND);
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
        nudge(&mut self.butterfly[position.side_to_move() as usize][squares(mv)], bonus);
        if techniques.continuation_history {
            let played = piece_to(PieceTo::of(position, mv));
            for (table, earlier) in self.continuation.iter_mut().zip(previous) {
                if let &Some(earlier) = earlier {
                    nudge(&mut table[piece_to(earlier)][played], bonus);
                }
            }
        }
    }
}

/// History scores for the quiet moves of one position: rows looked up once, read for every move.
pub struct QuietScores<'a> {
    butterfly: Option<&'a [i16; SQUARE_PAIRS]>,
    continuation: [Option<&'a [i16; PIECE_TOS]>; 2],
}

impl QuietScores<'_> {
    /// The quiet-move score of a move: the sum of all tables that are on.
    #[inline]
    pub fn of(&self, position: &Position, mv: Move) -> i32 {
        let mut score = self.butterfly.map_or(0, |table| i32::from(table[squares(mv)]));
        if self.continuation.iter().any(Option::is_some) {
            let played = piece_to(PieceTo::of(position, mv));
            for row in self.continuation.iter().flatten() {
                score += i32::from(row[played]);
            }
        }
        score
    }
}

fn nudge(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / BOUND) as i16;
}

fn squares(mv: Move) -> usize {
    mv.from() as usize * 64 + mv.to() as usize
}

fn piece_to(PieceTo { color, piece, to }: PieceTo) -> usize {
    (color as usize * 6 + piece as usize) * 64 + to as usize
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
            history.update(&position, &none, &techniques, depth * depth, good, &[bad]);
        }
        let score =
            |history: &History, mv| history.quiet_scores(Color::White, &none, &techniques).of(&position, mv);
        let best = score(&history, good);
        assert!(best > BOUND / 2 && best <= BOUND);
        assert_eq!(score(&history, bad), -best);
        history.update(&position, &none, &techniques, 400, bad, &[good]);
        assert!(score(&history, good) < best);
        history.clear();
        assert_eq!(score(&history, good), 0);
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
        history.update(&position, &after_e4, &techniques, 100, reply, &[]);
        let score = |previous| history.quiet_scores(Color::Black, previous, &techniques).of(&position, reply);
        assert!(score(&after_e4) > score(&after_d4));
        assert_eq!(history.countermove(&after_e4), Some(reply));
        assert_eq!(history.countermove(&after_d4), None);
    }
}
