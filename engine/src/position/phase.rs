//! Game phase: how many of the pieces are still on the board.

/// How much a pawn, knight, bishop, rook, queen and king add to the game phase.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The game phase with all pieces on the board.
pub const FULL_PHASE: i32 = 24;
