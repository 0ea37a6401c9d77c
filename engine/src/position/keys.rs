//! Zobrist keys: the random numbers that make up a hash key (chess programming wiki).
//!
//! They are computed at compile time from a fixed seed, so that keys are the same on every machine.

use cozy_chess::{Color, Piece, Square};

/// One number for each colour, kind of piece and square.
static PIECES: [[[u64; Square::NUM]; Piece::NUM]; Color::NUM] = {
    let mut table = [[[0; Square::NUM]; Piece::NUM]; Color::NUM];
    let mut index = 0;
    while index < Color::NUM * Piece::NUM * Square::NUM {
        let (color, piece, square) = (index / 384, index / 64 % 6, index % 64);
        table[color][piece][square] = random(index as u64);
        index += 1;
    }
    table
};

/// One number for each square of a rook that may castle.
static CASTLING: [u64; Square::NUM] = one_per_square(1000);

/// One number for each square a pawn can be captured on en passant.
static EN_PASSANT: [u64; Square::NUM] = one_per_square(2000);

/// Part of the key when Black is to move.
pub const BLACK_TO_MOVE: u64 = random(3000);

/// The key of a piece on its square.
#[inline]
pub fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    PIECES[color as usize][piece as usize][square as usize]
}

/// The key of the right to castle with the rook on this square.
#[inline]
pub fn castling(rook: Square) -> u64 {
    CASTLING[rook as usize]
}

/// The key of a possible en passant capture on this square.
#[inline]
pub fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square as usize]
}

const fn one_per_square(first: u64) -> [u64; Square::NUM] {
    let mut table = [0; Square::NUM];
    let mut square = 0;
    while square < Square::NUM {
        table[square] = random(first + square as u64);
        square += 1;
    }
    table
}

/// The `index`-th number of a stream of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", 2014).
const fn random(index: u64) -> u64 {
    const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
    const SEED: u64 = 0x5eed_0fc4_e550;
    let mut z = SEED.wrapping_add((index + 1).wrapping_mul(GOLDEN_GAMMA));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_keys_are_equal() {
        let mut keys: Vec<u64> = PIECES.iter().flatten().flatten().copied().collect();
        keys.extend(CASTLING.iter().chain(&EN_PASSANT));
        keys.push(BLACK_TO_MOVE);
        let distinct: HashSet<u64> = keys.iter().copied().collect();
        assert_eq!(distinct.len(), keys.len());
        assert!(!distinct.contains(&0));
    }
}
