//! Stream of random numbers. Numbers that a seed fixes for ever, on every machine and in every version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Random numbers fixed by this page and by ChaCha8 alone, so that they never change with a version
/// of a library:
///
/// 1. The key of ChaCha8 (Bernstein, 2008; eight rounds, nonce zero) is the seed and the number of the
///    stream, eight bytes each, little-endian, and sixteen zero bytes.
/// 2. A draw below `n` takes the next eight bytes as a little-endian number `x`, again and again until
///    `x` is less than the largest multiple of `n` below 2⁶⁴, and is then `x` modulo `n`: unbiased.
/// 3. A fraction is the upper 53 bits of such an `x`, divided by 2⁵³.
#[derive(Debug)]
pub(crate) struct Stream(ChaCha8Rng);

impl Stream {
    /// A stream at its beginning. The streams of one seed have nothing to do with each other.
    pub fn new(seed: u64, number: u64) -> Stream {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        Stream(ChaCha8Rng::from_seed(key))
    }

    /// A number from [0, 1), a multiple of 2⁻⁵³.
    pub fn draw_fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of the numbers below `bound`, which must not be 0.
    pub fn draw_below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let multiple = u64::MAX - u64::MAX % bound;
        loop {
            let drawn = self.0.next_u64();
            if drawn < multiple {
                return (drawn % bound) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chi-square with 9 degrees of freedom, 0.1 % bound 27.9.
    #[test]
    fn the_draw_is_even() {
        let mut stream = Stream::new(1, 0);
        let mut drawn = [0_u32; 10];
        for _ in 0..10_000 {
            drawn[stream.draw_below(10)] += 1;
        }
        let chi_square: f64 = drawn.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi_square < 27.9, "{drawn:?}");
    }

    /// What is drawn decides which games are played: it may never change.
    #[test]
    fn the_numbers_are_pinned() {
        let mut stream = Stream::new(1, 0);
        let drawn = [(); 3].map(|()| stream.0.next_u64());
        assert_eq!(drawn, [0x61a9_4a49_a0e9_5ecf, 0x4b80_5b72_edd5_053e, 0xcc5a_63ee_65a4_f412]);
    }

    #[test]
    fn every_seed_and_number_is_a_stream_of_its_own() {
        let first = |seed, number| Stream::new(seed, number).draw_below(usize::MAX);
        let all = [first(1, 0), first(0, 1), first(1, 1), first(2, 0)];
        assert!((1..all.len()).all(|i| !all[..i].contains(&all[i])), "{all:?}");
        assert_eq!(first(1, 1), first(1, 1));
    }
}
