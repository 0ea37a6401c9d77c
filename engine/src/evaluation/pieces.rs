//! Piece activity: how far the pieces see, and how they bear on the enemy king.

use super::pawn_attacks;
use super::score::Score;
use super::weights::*;
use crate::position::{BitBoard, Color, Piece, Position, Square};
use cozy_chess::{get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves};

/// Mobility, rook files and king attack of one side's pieces, from that side.
pub fn activity(position: &Position, color: Color) -> Score {
    let occupied = position.occupied();
    let queens = position.pieces(Piece::Queen);
    let own_pawns = position.colored_pieces(color, Piece::Pawn);
    let all_pawns = position.pieces(Piece::Pawn);
    let mobile = !(position.colors(color) | pawn_attacks(all_pawns & !own_pawns, !color));
    let mut attack = KingAttack::on(position.king(!color));
    let mut score = Score::ZERO;

    for square in position.colored_pieces(color, Piece::Knight) {
        let attacks = get_knight_moves(square);
        attack.add(Piece::Knight, attacks);
        score += KNIGHT_MOBILITY[count(attacks & mobile)];
    }
    // Sliders see through the queens of both sides and, rooks, through rooks: they support each other.
    for square in position.colored_pieces(color, Piece::Bishop) {
        let attacks = get_bishop_moves(square, occupied & !queens);
        attack.add(Piece::Bishop, attacks);
        score += BISHOP_MOBILITY[count(attacks & mobile)];
    }
    let rooks = position.colored_pieces(color, Piece::Rook);
    for square in rooks {
        let attacks = get_rook_moves(square, occupied & !(queens | rooks));
        attack.add(Piece::Rook, attacks);
        score += ROOK_MOBILITY[count(attacks & mobile)];
        let file = square.file().bitboard();
        if (file & all_pawns).is_empty() {
            score += ROOK_OPEN_FILE;
        } else if (file & own_pawns).is_empty() {
            score += ROOK_HALF_OPEN_FILE;
        }
    }
    let own_queens = position.colored_pieces(color, Piece::Queen);
    for square in own_queens {
        let attacks = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        attack.add(Piece::Queen, attacks);
        score += QUEEN_MOBILITY[count(attacks & mobile)];
    }
    score + attack.worth(!own_queens.is_empty())
}

fn count(squares: BitBoard) -> usize {
    squares.len() as usize
}

/// What one side's pieces aim at the squares around the enemy king. One attacker is harmless, so the
/// danger grows with the square of what is gathered (as on the chess programming wiki, "King Safety").
struct KingAttack {
    ring: BitBoard,
    units: i32,
}

impl KingAttack {
    fn on(king: Square) -> KingAttack {
        KingAttack { ring: get_king_moves(king) | king.bitboard(), units: 0 }
    }

    fn add(&mut self, piece: Piece, attacks: BitBoard) {
        let squares = (attacks & self.ring).len() as i32;
        if squares > 0 {
            self.units += ATTACKER_UNITS[piece as usize] + ATTACKED_SQUARE_UNITS * squares;
        }
    }

    fn worth(&self, with_queen: bool) -> Score {
        let units = (self.units + if with_queen { 0 } else { NO_QUEEN_UNITS }).max(0);
        super::score::s((units * units / DANGER_DIVISOR).min(DANGER_LIMIT), 0)
    }
}
