//! Quiescence: what a position is worth once the captures that hang in the air have been made.
//!
//! Static evaluation is blind to the piece that is taken next move. At depth 0 the search therefore goes
//! on with captures and promotions (all evasions when in check) until none is left or wanted; the side to
//! move may always decline and "stand pat" on the evaluation.

use super::Search;
use super::node::{NodeKind, Task, is_null_window};
use super::observer::{Observer, Pruning};
use super::ordering::Picker;
use super::score::{Bound, DRAW, INFINITY, MAX_PLY, mated_at};
use super::table::Entry;
use crate::evaluation::evaluate;
use crate::position::Position;

impl<O: Observer> Search<'_, O> {
    /// The score of a position at depth 0, from the side to move.
    pub(super) fn quiescence<N: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let task = Task { ply, depth: 0, alpha, beta, cut_node: false };
        self.observed::<N>(task, |search| search.settle::<N>(position, ply, alpha, beta))
    }

    fn settle<N: NodeKind>(&mut self, position: &Position, ply: usize, alpha: i32, beta: i32) -> i32 {
        let mut window_alpha = alpha;
        if self.is_draw(position, ply) {
            return DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return evaluate(position);
        }

        let stored = self.probe(position, ply);
        if !N::PV
            && is_null_window(alpha, beta)
            && let Some(entry) = stored
            && self.table_settles(position, ply, &entry, (alpha, beta))
        {
            self.observer.pruned(ply, Pruning::TableCutoff);
            return entry.score;
        }
        let hash_move = stored.and_then(|entry| entry.best);

        // Stalemate comes before standing pat, or the score would depend on the window. With pieces left
        // it is too rare to be worth the look.
        let in_check = position.in_check();
        if !in_check && !position.has_non_pawn_material(position.side_to_move()) && !position.has_legal_move()
        {
            return DRAW;
        }
        let evaluation = match in_check {
            true => None,
            false => Some(stored.and_then(|entry| entry.evaluation).unwrap_or_else(|| evaluate(position))),
        };
        let mut best_score = evaluation.unwrap_or(-INFINITY);
        if self.techniques.alpha_beta {
            if best_score >= beta {
                self.observer.pruned(ply, Pruning::StandPat);
                return best_score;
            }
            window_alpha = window_alpha.max(best_score);
        }

        let mut picker = match in_check {
            true => Picker::all(hash_move, [None; 2]),
            false => Picker::tactical(hash_move),
        };
        let mut best_move = None;
        let mut rank = 0;
        while let Some(mv) = picker.next(position, self.hints()) {
            rank += 1;
            self.observer.try_move(ply, mv, rank);
            let child = position.play(mv);
            self.memory.path.push(position.key());
            let score = -self.quiescence::<N>(&child, ply + 1, -beta, -window_alpha);
            self.memory.path.pop();
            if self.stopped {
                return DRAW;
            }
            if score > best_score {
                best_score = score;
                if score > window_alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.memory.pv.set(ply, mv);
                    }
                    if self.techniques.alpha_beta {
                        if score >= beta {
                            self.observer.cutoff(ply, rank);
                            break;
                        }
                        window_alpha = score;
                    }
                }
            }
        }

        if rank == 0 && in_check {
            return mated_at(ply);
        }
        let bound = Bound::of(best_score, alpha, beta);
        self.store(position, ply, Entry { best: best_move, score: best_score, bound, depth: 0, evaluation });
        best_score
    }
}
