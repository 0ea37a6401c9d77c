//! King safety: the shelter of the king, and the attack on it.

use super::attacks::Attacks;
use super::groups::*;
use super::masks::{ranks_ahead, ring};
use super::recorder::Recorder;
use super::sums::Sums;
use crate::position::{BitBoard, Color, File, Piece, Position, Square};
use cozy_chess::{get_bishop_moves, get_knight_moves, get_rook_moves};

/// The three files that shelter a king: its own and those beside it, at the edge of the board the next ones.
fn files_at(king: Square) -> impl Iterator<Item = BitBoard> {
    let middle = (king.file() as usize).clamp(1, 6);
    (middle - 1..=middle + 1).map(|file| File::index(file).bitboard())
}

/// Adds the worth of the pawns of both sides before one side's king, and the danger of files without.
pub fn shelter<R: Recorder>(position: &Position, color: Color, sums: &mut Sums<R>) {
    let king = position.king(color);
    let in_front = ranks_ahead(king, color) | king.rank().bitboard();
    let pawns = position.pieces(Piece::Pawn);
    let own = position.colored_pieces(color, Piece::Pawn) & in_front;
    let enemy = position.colored_pieces(!color, Piece::Pawn) & in_front;
    for file in files_at(king) {
        let shield = nearest(own & file, king, color);
        let storm = nearest(enemy & file, king, color);
        sums.add(color, SHELTER + shield.map_or(0, |ranks| ranks.max(1)), 1);
        sums.add(color, STORM + storm.map_or(0, |ranks| ranks.max(1)), 1);
        if let (Some(shield), Some(storm)) = (shield, storm)
            && storm == shield + 1
        {
            sums.add(color, BLOCKED_STORM, 1);
        }
        if (pawns & file).is_empty() {
            sums.add(color, OPEN_FILE_AT_KING, 1);
        }
        if shield.is_none() {
            sums.endanger(!color, DANGER_HOLE, 1);
        }
    }
}

/// The distance in ranks of the pawn nearest to the king, as the king's colour sees it.
fn nearest(pawns: BitBoard, king: Square, color: Color) -> Option<usize> {
    if pawns.is_empty() {
        return None;
    }
    let king_rank = king.rank() as usize;
    Some(match color {
        Color::White => pawns.0.trailing_zeros() as usize / 8 - king_rank,
        Color::Black => king_rank - (63 - pawns.0.leading_zeros() as usize) / 8,
    })
}

/// Adds the danger that one side's attacks together mean for the enemy king, besides what each piece adds by
/// itself. Safe checks and squares that nothing but the king defends are Stockfish's idea (GPL-3.0).
#[inline(always)]
pub fn danger<R: Recorder>(position: &Position, color: Color, attacks: &Attacks, sums: &mut Sums<R>) {
    let king = position.king(!color);
    let (ours, theirs) = (attacks.all(color), attacks.all(!color));
    let poorly_defended = !theirs
        | (!attacks.twice(!color) & (attacks.by(!color, Piece::King) | attacks.by(!color, Piece::Queen)));
    let weak = ring(king) & ours & poorly_defended;
    sums.endanger_each(color, DANGER_WEAK_SQUARE, weak);

    // A check is safe where the square is free for us and not defended, or only by the king against two.
    let safe = !position.colors(color) & (!theirs | (attacks.twice(color) & poorly_defended));
    let blockers = position.occupied() & !position.colored_pieces(!color, Piece::Queen);
    let (diagonals, lines) = (get_bishop_moves(king, blockers), get_rook_moves(king, blockers));
    let checks = [
        (Piece::Knight, get_knight_moves(king)),
        (Piece::Bishop, diagonals),
        (Piece::Rook, lines),
        (Piece::Queen, diagonals | lines),
    ];
    for (piece, from) in checks {
        sums.endanger_each(
            color,
            DANGER_SAFE_CHECK + piece as usize - 1,
            from & safe & attacks.by(color, piece),
        );
    }

    let flank = flank(king) & HALF[!color as usize];
    sums.endanger_each(color, DANGER_FLANK_ATTACK, flank & ours);
    sums.endanger_each(color, DANGER_FLANK_ATTACK, flank & attacks.twice(color));
    sums.endanger_each(color, DANGER_FLANK_DEFENCE, flank & theirs);
}

/// The first five ranks of each side: where its king is attacked.
const HALF: [BitBoard; Color::NUM] = [BitBoard(0x0000_00ff_ffff_ffff), BitBoard(0xffff_ffff_ff00_0000)];

/// Three to five files around the king: its wing, or the middle.
#[inline(always)]
fn flank(king: Square) -> BitBoard {
    const FLANKS: [u64; 8] = [0x07, 0x0f, 0x0f, 0x3c, 0x3c, 0xf0, 0xf0, 0xe0];
    BitBoard(FLANKS[king.file() as usize] * 0x0101_0101_0101_0101)
}
