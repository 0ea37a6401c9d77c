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

/// Having the move. Centipawns, either phase.
pub const TEMPO: i32 = 14;

/// Both bishops.
pub const BISHOP_PAIR: Score = s(28, 46);

/// Mobility: by the number of squares a piece can go to that no enemy pawn guards.
#[rustfmt::skip]
pub const KNIGHT_MOBILITY: [Score; 9] = [
    s(-40, -50), s(-22, -28), s(-8, -12), s(-2, -2), s(4, 6), s(10, 12), s(14, 14), s(18, 14), s(22, 12),
];
/// As above.
#[rustfmt::skip]
pub const BISHOP_MOBILITY: [Score; 14] = [
    s(-34, -46), s(-18, -26), s(-6, -12), s(0, -2), s(6, 6), s(12, 12), s(16, 16), s(20, 20), s(22, 22),
    s(24, 24), s(26, 24), s(30, 24), s(32, 26), s(34, 26),
];
/// As above.
#[rustfmt::skip]
pub const ROOK_MOBILITY: [Score; 15] = [
    s(-36, -52), s(-20, -28), s(-10, -12), s(-6, 0), s(-4, 8), s(0, 14), s(2, 18), s(6, 22), s(10, 26),
    s(12, 30), s(14, 34), s(16, 36), s(18, 38), s(20, 38), s(22, 38),
];
/// As above.
#[rustfmt::skip]
pub const QUEEN_MOBILITY: [Score; 28] = [
    s(-24, -40), s(-16, -32), s(-10, -24), s(-6, -18), s(-4, -10), s(-2, -4), s(0, 2), s(2, 6), s(4, 10),
    s(5, 14), s(6, 18), s(7, 20), s(8, 22), s(9, 24), s(10, 26), s(11, 28), s(12, 30), s(12, 32), s(13, 32),
    s(14, 33), s(14, 34), s(15, 34), s(16, 35), s(16, 35), s(17, 36), s(17, 36), s(18, 36), s(18, 36),
];

/// A rook on a file without pawns, and without own pawns.
pub const ROOK_OPEN_FILE: Score = s(30, 10);
/// As above.
pub const ROOK_HALF_OPEN_FILE: Score = s(12, 8);

/// A pawn without own pawns on the files beside it.
pub const ISOLATED_PAWN: Score = s(-10, -14);
/// A pawn with an own one in front of it on its file.
pub const DOUBLED_PAWN: Score = s(-6, -20);
/// A pawn whose neighbours have all gone ahead and that a pawn would take if it followed.
pub const BACKWARD_PAWN: Score = s(-10, -12);
/// A pawn guarded by a pawn, or with one beside it, by rank from its own side.
pub const CONNECTED_PAWN: [Score; 8] =
    [s(0, 0), s(0, 0), s(8, 4), s(10, 6), s(16, 14), s(30, 34), s(50, 60), s(0, 0)];
/// A pawn that no enemy pawn can stop, by rank from its own side.
pub const PASSED_PAWN: [Score; 8] =
    [s(0, 0), s(0, 8), s(2, 14), s(4, 34), s(22, 62), s(52, 108), s(90, 168), s(0, 0)];
/// The same with a piece on the square in front of it.
pub const BLOCKED_PASSER: [Score; 8] =
    [s(0, 0), s(0, -2), s(0, -4), s(-4, -12), s(-8, -24), s(-18, -48), s(-30, -80), s(0, 0)];
/// Per square of distance of a king to the square before a passer beyond the third rank, times the
/// ranks beyond it.
pub const PASSER_ENEMY_KING_DISTANCE: Score = s(0, 5);
/// As above.
pub const PASSER_OWN_KING_DISTANCE: Score = s(0, -3);

/// The own pawn nearest before the king on each file beside it, by the distance in ranks (0: none).
pub const SHELTER: [Score; 8] =
    [s(-30, 0), s(14, 0), s(6, 0), s(-8, 0), s(-16, 0), s(-20, 0), s(-24, 0), s(-26, 0)];
/// A file beside the king without pawns of either side.
pub const OPEN_FILE_AT_KING: Score = s(-18, 0);

/// Units of danger that a piece of each kind adds by attacking the squares around the king.
pub const ATTACKER_UNITS: [i32; 6] = [0, 10, 9, 13, 20, 0];
/// Units for each square around the king that it attacks.
pub const ATTACKED_SQUARE_UNITS: i32 = 4;
/// Units that the attacker lacks without a queen.
pub const NO_QUEEN_UNITS: i32 = -30;
/// Danger costs the square of its units divided by this, in middlegame centipawns …
pub const DANGER_DIVISOR: i32 = 48;
/// … at most this many.
pub const DANGER_LIMIT: i32 = 500;
