//! Correction history: by how much the static evaluation has been wrong in positions like this one.
//!
//! The difference between search score and evaluation is stored by pawn structure, and by the pieces of each side, and
//! added to the next evaluation that shares them. It bets that the error comes from what is shared; where it comes from
//! tactics, the correction misleads. (Caissa, MIT,
//! by Michał Witanowski, had it first; Stockfish, GPL-3.0, and others followed.)

use crate::params::SearchParams;
use crate::position::{Color, Position};
use crate::prefetch::prefetch;
use crate::techniques::Techniques;

/// Entries of one table of one side to move; a power of two.
const ENTRIES: usize = 16_384;

/// Entries are kept in 256ths of a centipawn.
const UNIT: i32 = 256;

/// Errors of the evaluation by one feature and the side to move.
struct ErrorTable(Box<[i32]>);

impl ErrorTable {
    fn new() -> ErrorTable {
        ErrorTable(vec![0; 2 * ENTRIES].into())
    }

    fn entry(&mut self, mover: Color, key: u64) -> &mut i32 {
        &mut self.0[index(mover, key)]
    }

    fn get(&self, mover: Color, key: u64) -> i32 {
        self.0[index(mover, key)]
    }
}

fn index(mover: Color, key: u64) -> usize {
    mover as usize * ENTRIES + key as usize % ENTRIES
}

/// Correction history of this game.
pub struct CorrectionHistory {
    pawns: ErrorTable,
    /// By the colour of the pieces.
    pieces: [ErrorTable; 2],
}

impl CorrectionHistory {
    /// Empty tables.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory { pawns: ErrorTable::new(), pieces: [ErrorTable::new(), ErrorTable::new()] }
    }

    /// Empties the tables.
    pub fn clear(&mut self) {
        self.pawns.0.fill(0);
        self.pieces.iter_mut().for_each(|table| table.0.fill(0));
    }

    /// Fetches what [`of`](CorrectionHistory::of) will read for this position.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        let mover = position.side_to_move();
        prefetch(&self.pawns.0[index(mover, position.pawn_key())]);
        for color in Color::ALL {
            prefetch(&self.pieces[color as usize].0[index(mover, position.non_pawn_key(color))]);
        }
    }

    /// Correction to add to the evaluation, centipawns.
    pub fn of(&self, position: &Position, techniques: &Techniques, params: &SearchParams) -> i32 {
        let mover = position.side_to_move();
        let mut sum = self.pawns.get(mover, position.pawn_key()) * params.correction_pawn_share;
        if techniques.correction_non_pawn {
            let of_pieces = |color| self.pieces[color as usize].get(mover, position.non_pawn_key(color));
            sum += (of_pieces(Color::White) + of_pieces(Color::Black)) * params.correction_non_pawn_share;
        }
        sum / (UNIT * 256)
    }

    /// Update with the result of a search to `depth` that found the evaluation wrong by `error` centipawns.
    pub fn update(
        &mut self,
        position: &Position,
        techniques: &Techniques,
        params: &SearchParams,
        depth: i32,
        error: i32,
    ) {
        let mover = position.side_to_move();
        let weight = (depth + 1).min(params.correction_max_weight);
        let limit = params.correction_limit * UNIT;
        let target = (error * UNIT).clamp(-limit, limit);
        let approach = |entry: &mut i32| *entry += (target - *entry) * weight / 256;
        approach(self.pawns.entry(mover, position.pawn_key()));
        if techniques.correction_non_pawn {
            for color in [Color::White, Color::Black] {
                approach(self.pieces[color as usize].entry(mover, position.non_pawn_key(color)));
            }
        }
    }
}
