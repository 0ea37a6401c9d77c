//! Order of the openings: which one pair `i` plays. A pure function of the book's size, the seed and `i`.

use super::stream::Stream;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// How openings are drawn from a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// A permutation that follows from the seed.
    #[default]
    Random,
    /// As they stand in the file.
    Sequential,
}

impl Order {
    /// The order of a book of so many openings.
    pub fn of(self, openings: usize, seed: u64, wraps: bool) -> OpeningOrder {
        match self {
            Order::Random => OpeningOrder::random(openings, seed, wraps),
            Order::Sequential => OpeningOrder::sequential(openings, wraps),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Random => "random",
            Order::Sequential => "sequential",
        })
    }
}

/// The order in which the openings of a book are played, without replacement.
///
/// A random order is fixed by two rules, so that it never changes with a version of a library:
///
/// 1. Its random numbers are those of the `Stream` of the seed and the round. The round is 0 until the
///    book was played through, then 1, and so on.
/// 2. The permutation is that of Fisher and Yates (in Durstenfeld's form, 1964): beginning with
///    0, 1, 2, …, for each place from the last down to the second, the number there changes places
///    with that of a place drawn from all up to and including it.
#[derive(Debug)]
pub struct OpeningOrder {
    openings: usize,
    wraps: bool,
    /// None in the order of the file.
    random: Option<Random>,
}

#[derive(Debug)]
struct Random {
    seed: u64,
    /// The permutation last used: pairs are asked for nearly in order.
    current: Mutex<Round>,
}

#[derive(Debug)]
struct Round {
    number: u64,
    permutation: Vec<usize>,
}

impl OpeningOrder {
    /// The order of the file. If it `wraps`, it begins anew at the end.
    pub fn sequential(openings: usize, wraps: bool) -> OpeningOrder {
        OpeningOrder { openings, wraps, random: None }
    }

    /// A random order. If it `wraps`, another one follows at the end. A wrapped book repeats openings
    /// and therefore, under a deterministic limit, games: only clocks may allow it.
    pub fn random(openings: usize, seed: u64, wraps: bool) -> OpeningOrder {
        let first = Round { number: 0, permutation: permutation(openings, seed, 0) };
        OpeningOrder { openings, wraps, random: Some(Random { seed, current: Mutex::new(first) }) }
    }

    /// The index in the book of the opening of this pair; none when the book is used up.
    pub fn get(&self, pair: u64) -> Option<usize> {
        let round = pair.checked_div(self.openings as u64)?;
        if round > 0 && !self.wraps {
            return None;
        }
        let place = (pair % self.openings as u64) as usize;
        let Some(random) = &self.random else { return Some(place) };
        // A thread that panicked here left the round as it was or replaced as a whole.
        let mut current = random.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.number != round {
            *current = Round { number: round, permutation: permutation(self.openings, random.seed, round) };
        }
        Some(current.permutation[place])
    }
}

/// By the rules of [`OpeningOrder`]'s description.
fn permutation(openings: usize, seed: u64, round: u64) -> Vec<usize> {
    let mut stream = Stream::new(seed, round);
    let mut order: Vec<usize> = (0..openings).collect();
    for place in (1..openings).rev() {
        order.swap(place, stream.draw_below(place + 1));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(order: &OpeningOrder, count: u64) -> Vec<Option<usize>> {
        (0..count).map(|pair| order.get(pair)).collect()
    }

    /// Stored experiments name their openings by this order: it may never change. The values come from
    /// a program in another language, written from the description alone.
    #[test]
    fn the_order_is_pinned() {
        assert_eq!(permutation(10, 1, 0), [5, 6, 9, 0, 8, 4, 3, 2, 1, 7]);
        assert_eq!(permutation(10, 1, 1), [3, 4, 2, 0, 9, 5, 6, 8, 1, 7]);
        assert_eq!(permutation(10, 2, 0), [8, 0, 1, 7, 6, 4, 2, 5, 9, 3]);
    }

    #[test]
    fn nothing_is_drawn_twice_and_the_end_is_told() {
        let order = OpeningOrder::random(1000, 7, false);
        let mut drawn: Vec<_> = take(&order, 1000).into_iter().map(Option::unwrap).collect();
        assert_ne!(drawn, (0..1000).collect::<Vec<_>>());
        drawn.sort_unstable();
        assert_eq!(drawn, (0..1000).collect::<Vec<_>>());
        assert_eq!([order.get(1000), order.get(u64::MAX)], [None, None]);
        assert_eq!(take(&OpeningOrder::sequential(2, false), 3), [Some(0), Some(1), None]);
    }

    #[test]
    fn a_wrapped_book_is_shuffled_anew() {
        let order = OpeningOrder::random(50, 7, true);
        let (first, second): (Vec<_>, Vec<_>) =
            (0..50).map(|pair| (order.get(pair), order.get(pair + 50))).unzip();
        assert_ne!(first, second);
        assert_eq!(
            first,
            take(&OpeningOrder::random(50, 7, false), 50),
            "asking for other rounds changes nothing"
        );
        let mut sorted = second;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).map(Some).collect::<Vec<_>>());
        assert_eq!(take(&OpeningOrder::sequential(2, true), 3), [Some(0), Some(1), Some(0)]);
    }

    #[test]
    fn books_of_one_and_none() {
        assert_eq!(take(&OpeningOrder::random(1, 1, true), 2), [Some(0), Some(0)]);
        assert_eq!(OpeningOrder::random(0, 1, true).get(0), None);
        assert_eq!(OpeningOrder::sequential(0, true).get(0), None);
    }

    /// Each opening comes first equally often: chi-square with 9 degrees of freedom, 0.1 % bound 27.9.
    #[test]
    fn the_draw_is_even() {
        let mut first = [0_u32; 10];
        for seed in 0..10_000 {
            first[permutation(10, seed, 0)[0]] += 1;
        }
        let chi_square: f64 = first.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi_square < 27.9, "{first:?}");
    }
}
