//! King shelter: the pawns before the king, and the open files beside it.

use super::pawns::ranks_ahead;
use super::score::Score;
use super::weights::*;
use crate::position::{Color, File, Piece, Position};

/// The worth of the pawns around one side's king, from that side.
pub fn shelter(position: &Position, color: Color) -> Score {
    let king = position.king(color);
    let pawns = position.pieces(Piece::Pawn);
    let own =
        position.colored_pieces(color, Piece::Pawn) & (ranks_ahead(king, color) | king.rank().bitboard());
    let king_rank = king.rank().relative_to(color) as usize;

    // At the edge of the board the king is sheltered by the three files next to the edge.
    let middle = (king.file() as usize).clamp(1, 6);
    let mut score = Score::ZERO;
    for file in (middle - 1..=middle + 1).map(File::index) {
        let distance = (own & file.bitboard())
            .into_iter()
            .map(|pawn| pawn.rank().relative_to(color) as usize - king_rank)
            .min();
        score += SHELTER[distance.map_or(0, |ranks| ranks.max(1))];
        if (pawns & file.bitboard()).is_empty() {
            score += OPEN_FILE_AT_KING;
        }
    }
    score
}
