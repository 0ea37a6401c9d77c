//! Who gains by the exchange that a move begins on its target square?
//!
//! Static exchange evaluation: both sides go on capturing on one square, least valuable piece first,
//! and either may stop when going on would lose. Nothing else on the board counts. The swap algorithm
//! and its null-window form, which asks only whether a threshold is reached, are described on the
//! chess programming wiki ("SEE - The Swap Algorithm").

use crate::position::{BitBoard, Color, Move, Piece, Position, Square};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_bishop_rays, get_line_rays, get_rook_moves, get_rook_rays,
};

/// What a pawn, knight, bishop, rook, queen and king count in an exchange, in centipawns. Knight and
/// bishop are equal, so that trading one for the other is neither won nor lost. The king counts
/// nothing: it is never captured, and captures only what nothing defends.
pub const SEE_VALUES: [i32; Piece::NUM] = [100, 300, 300, 500, 900, 0];

/// Is the exchange begun by this legal move worth at least `threshold` centipawns to its side?
///
/// Pieces that lie behind others join in as the way opens. A pinned piece takes part only along the
/// line of its pin, or once the pinning piece has left. Promotion counts for the move itself, not for
/// recaptures. Castling is worth 0.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let us = position.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let Some(moved) = position.piece_on(from) else { return false };
    let arriving = mv.promotion().unwrap_or(moved);

    // From here on, `balance` is what the side that captured last has beyond what it needs.
    let mut balance = value(arriving) - value(moved) - threshold;
    if let Some(captured) = position.captured_piece(mv) {
        balance += value(captured);
    }
    if balance < 0 {
        return false;
    }
    balance -= value(arriving);
    if balance >= 0 {
        return true;
    }

    let mut occupied = (position.occupied() & !from.bitboard()) | to.bitboard();
    if mv.is_en_passant() {
        occupied &= !Square::new(to.file(), from.rank()).bitboard();
    }
    let diagonal = position.pieces(Piece::Bishop) | position.pieces(Piece::Queen);
    let straight = position.pieces(Piece::Rook) | position.pieces(Piece::Queen);
    let mut attackers = position.attackers_to(to, occupied) & occupied;
    let mut side = !us;
    loop {
        let mut own = attackers & position.colors(side);
        if !own.is_empty() {
            own &= !held_by_pins(position, side, to, occupied);
        }
        let Some((piece, square)) = least_valuable(position, own) else { break };
        occupied &= !square.bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;

        // The other side now needs one more than what would make it lose the piece for nothing.
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            // A king may not capture what is still defended, be the defender pinned or not.
            if piece == Piece::King && !(attackers & position.colors(side)).is_empty() {
                side = !side;
            }
            break;
        }
    }
    // Who would have to capture next, and cannot or need not, has lost the argument.
    side != us
}

fn value(piece: Piece) -> i32 {
    SEE_VALUES[piece as usize]
}

fn least_valuable(position: &Position, attackers: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| {
        let square = (attackers & position.pieces(piece)).next_square()?;
        Some((piece, square))
    })
}

/// This side's pieces that may not capture on `to`, since they shield their king from a slider on
/// another line; `occupied` are the squares where pieces still stand.
fn held_by_pins(position: &Position, side: Color, to: Square, occupied: BitBoard) -> BitBoard {
    let king = position.king(side);
    let sliders = (get_bishop_rays(king) & position.diagonal_sliders(!side))
        | (get_rook_rays(king) & position.straight_sliders(!side));
    let mut held = BitBoard::EMPTY;
    for slider in sliders & occupied & !to.bitboard() {
        let between = get_between_rays(slider, king) & occupied;
        if between.len() == 1 {
            held |= between;
        }
    }
    held & !get_line_rays(king, to)
}
