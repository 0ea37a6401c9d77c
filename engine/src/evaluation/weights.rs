//! Every number of the static evaluation, in one table.
//!
//! Set by hand from the usual lore (a knight wants the centre, a rook an open file) and from round
//! figures; nothing here is taken from another engine. Values are centipawns, middlegame and endgame.

use super::score::{Score, s};

/// A board seen from White's side, a-file to d-file, the eighth rank first; the other half mirrors it.
type HalfBoard = [[Score; 4]; 8];

/// Worth of a pawn, knight, bishop, rook, queen and king.
pub const MATERIAL: [Score; 6] =
    [s(85, 110), s(330, 320), s(345, 340), s(480, 570), s(1000, 1040), Score::ZERO];

/// How much a piece of each kind adds to the game phase.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The phase with all pieces on the board.
pub const FULL_PHASE: i32 = 24;

#[rustfmt::skip]
const PAWN: HalfBoard = [
    [s(  0,  0), s(  0,  0), s(  0,  0), s(  0,  0)],
    [s( 60, 90), s( 65, 85), s( 60, 75), s( 70, 70)],
    [s( 12, 45), s( 22, 45), s( 32, 38), s( 36, 32)],
    [s( -4, 18), s(  4, 15), s(  8,  8), s( 20,  2)],
    [s(-10,  8), s( -4,  6), s(  6,  0), s( 18, -4)],
    [s(-10,  0), s(  0,  2), s(  0,  0), s(  6,  0)],
    [s(-12,  4), s(  6,  4), s( -4,  6), s(-10,  6)],
    [s(  0,  0), s(  0,  0), s(  0,  0), s(  0,  0)],
];

#[rustfmt::skip]
const KNIGHT: HalfBoard = [
    [s(-90,-50), s(-45,-35), s(-30,-18), s(-20,-12)],
    [s(-35,-28), s(-15,-12), s( 12, -8), s( 16,  0)],
    [s(-12,-18), s( 18, -4), s( 30,  8), s( 38, 12)],
    [s( -4,-10), s( 10,  4), s( 22, 16), s( 32, 22)],
    [s(-10,-10), s(  4,  2), s( 16, 16), s( 18, 20)],
    [s(-22,-18), s( -4, -4), s(  8,  4), s( 14, 12)],
    [s(-34,-28), s(-22,-14), s( -6, -8), s(  2, -2)],
    [s(-60,-44), s(-24,-34), s(-28,-18), s(-18,-12)],
];

#[rustfmt::skip]
const BISHOP: HalfBoard = [
    [s(-22,-14), s(-10,-10), s(-18, -6), s(-14, -4)],
    [s(-18, -8), s(  0, -2), s( -2,  2), s( -4,  2)],
    [s( -2,  0), s( 14,  0), s( 18,  4), s( 16,  4)],
    [s( -4,  0), s(  4,  6), s( 14,  8), s( 22, 10)],
    [s( -2, -4), s(  6,  2), s(  8,  8), s( 18, 10)],
    [s(  2, -4), s( 12,  0), s( 10,  6), s(  8,  6)],
    [s(  4,-12), s( 14, -8), s( 10, -4), s(  0,  0)],
    [s(-16,-14), s( -6, -8), s(-10, -6), s( -8, -2)],
];

#[rustfmt::skip]
const ROOK: HalfBoard = [
    [s(  8, 14), s(  8, 14), s(  6, 16), s( 10, 14)],
    [s( 12, 16), s( 12, 18), s( 22, 16), s( 26, 12)],
    [s( -2, 10), s(  8, 10), s( 10,  8), s( 14,  6)],
    [s(-10,  8), s( -4,  8), s(  6,  8), s( 10,  4)],
    [s(-18,  4), s(-12,  4), s( -6,  4), s( -2,  2)],
    [s(-22, -2), s(-12,  0), s( -8, -2), s( -6, -2)],
    [s(-22, -6), s(-12, -6), s( -4, -4), s( -2, -4)],
    [s(-12, -6), s( -8, -4), s(  2, -4), s(  8, -6)],
];

#[rustfmt::skip]
const QUEEN: HalfBoard = [
    [s(-12,  0), s( -2,  8), s(  6, 12), s(  8, 16)],
    [s(-10,  0), s(-24, 14), s( -4, 20), s( -8, 28)],
    [s( -2, -2), s( -4, 10), s(  4, 20), s(  6, 28)],
    [s(-10,  6), s( -8, 18), s( -6, 24), s( -8, 32)],
    [s( -6,  4), s( -6, 14), s( -4, 18), s( -6, 28)],
    [s( -6, -6), s(  2,  0), s( -2, 10), s( -2, 10)],
    [s(-12,-16), s( -4,-14), s(  6,-14), s(  4, -6)],
    [s(-12,-22), s(-12,-20), s( -8,-16), s(  2,-10)],
];

#[rustfmt::skip]
const KING: HalfBoard = [
    [s(-40,-60), s(-30,-28), s(-40,-14), s(-50,-12)],
    [s(-30,-22), s(-20,  6), s(-30, 14), s(-40, 14)],
    [s(-30, -2), s(-16, 18), s(-30, 26), s(-40, 26)],
    [s(-36,-10), s(-30, 14), s(-40, 26), s(-52, 30)],
    [s(-40,-18), s(-30,  4), s(-40, 18), s(-54, 26)],
    [s(-20,-22), s(-10, -4), s(-24,  8), s(-32, 14)],
    [s( 14,-30), s( 16,-12), s( -8,  0), s(-26,  6)],
    [s( 14,-58), s( 36,-36), s(  6,-20), s(-10,-22)],
];

/// Material and piece-square value together, indexed by piece and by square (a1 = 0, h8 = 63), for
/// White. Black's value is that of the square mirrored top to bottom, negated.
pub static PIECE_SQUARES: [[Score; 64]; 6] = piece_squares([&PAWN, &KNIGHT, &BISHOP, &ROOK, &QUEEN, &KING]);

const fn piece_squares(boards: [&HalfBoard; 6]) -> [[Score; 64]; 6] {
    let mut table = [[Score::ZERO; 64]; 6];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let (rank, file) = (square / 8, square % 8);
            let half_file = if file < 4 { file } else { 7 - file };
            table[piece][square] = MATERIAL[piece].plus(boards[piece][7 - rank][half_file]);
            square += 1;
        }
        piece += 1;
    }
    table
}
