//! Ratings of several players by all games among them, with their margins.
//!
//! A player rated r Elo above another is expected to score 1 / (1 + 10^(-r/400)), a draw counting half. The ratings are
//! those under which everybody's expected points are the points it made: the maximum of the Bradley-Terry likelihood
//! (R. A. Bradley and M. E. Terry, 1952; E. Zermelo, 1929), with points in the place of wins, which needs no model of
//! draws. Of two players it is the Elo of the score.
//!
//! The errors allow for what that likelihood does not know, draws and the dependence of a pair's two games: the inverse
//! of its Fisher information stands on both sides of the variance that the pairs' points really have (the "sandwich" of
//! P. J. Huber, 1967).
//!
//! Ratings are finite only where everybody, directly or through others, took points off everybody (L. R. Ford, 1957).
//! Whoever won or lost all games against the others gets the bound that these games imply, and no number.

use super::elo::{Estimate, Interval};
use super::linear::{Matrix, inverse, product};
use super::normal::Confidence;
use super::pentanomial::Pentanomial;
use super::roots::falling_root;
use std::f64::consts::LN_10;

/// Elo per unit of the logarithm of odds.
const UNIT: f64 = 400.0 / LN_10;

/// Newton's method doubles the digits with each step once it is near.
const MOST_STEPS: usize = 200;

/// A step smaller than this changes no digit that is shown, in logarithms of odds.
const SMALLEST_STEP: f64 = 1e-9;

/// No bound is farther than this from the ratings it follows from, in logarithms of odds.
const FARTHEST: f64 = 40.0;

/// All pairs between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The two, by number.
    pub players: [usize; 2],
    /// The pairs, from the first one's side.
    pub pairs: Pentanomial,
}

/// Where the scale has its zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At the first player, whose rating then has no error.
    First,
    /// At the mean of all rated players.
    Mean,
}

/// What is known of one player's strength, Elo.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rating {
    /// The rating and its interval; none for a player that cannot be compared with the anchor.
    pub estimate: Option<Estimate>,
    /// Of a player that won or lost all games against the rated ones: beyond which rating it is, one-sided, their ratings
    /// taken as exact and the pairs as independent.
    pub bound: Option<Interval>,
}

/// The ratings of this many players. If not all can be compared, those are rated that can be with the first
/// player, or those of the largest group (the first of several) if the anchor is the mean.
pub fn ratings(
    count: usize,
    encounters: &[Encounter],
    anchor: Anchor,
    confidence: Confidence,
) -> Vec<Rating> {
    let met: Vec<Encounter> = encounters.iter().filter(|met| met.pairs.pairs() > 0).copied().collect();
    let mut ratings = vec![Rating::default(); count];
    if met.is_empty() {
        return ratings;
    }
    let rated = rated(count, &met, anchor);
    let fit = Fit::new(&rated, &met);
    for (&player, estimate) in rated.iter().zip(fit.estimates(anchor, confidence)) {
        ratings[player].estimate = Some(estimate);
    }
    let known: Vec<_> = ratings.iter().map(|rating| rating.estimate.map(|known| known.estimate)).collect();
    for player in (0..count).filter(|player| known[*player].is_none()) {
        ratings[player].bound = bound(player, &met, &known, confidence);
    }
    ratings
}

/// The players that are rated: a group in which everybody took points off everybody, perhaps through others.
fn rated(count: usize, met: &[Encounter], anchor: Anchor) -> Vec<usize> {
    let mut scored = vec![vec![false; count]; count];
    for Encounter { players: [one, other], pairs } in met {
        scored[*one][*other] |= pairs.half_points() > 0;
        scored[*other][*one] |= pairs.mirror().half_points() > 0;
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                scored[from][to] |= scored[from][via] && scored[via][to];
            }
        }
    }
    let group = |player: usize| -> Vec<usize> {
        (0..count)
            .filter(|&other| other == player || (scored[player][other] && scored[other][player]))
            .collect()
    };
    match anchor {
        Anchor::First => group(0),
        // The first of the largest: of equal ones `max_by_key` takes the last.
        Anchor::Mean => (0..count).rev().map(group).max_by_key(Vec::len).unwrap_or_default(),
    }
}

/// The likeliest strengths of players that can be compared, the first of them having zero.
struct Fit {
    met: Vec<Encounter>,
    /// Logarithms of odds.
    strengths: Vec<f64>,
}

impl Fit {
    fn new(rated: &[usize], met: &[Encounter]) -> Fit {
        let place = |player: usize| rated.iter().position(|&rated| rated == player);
        let among = met.iter().filter_map(|&Encounter { players: [one, other], pairs }| {
            Some(Encounter { players: [place(one)?, place(other)?], pairs })
        });
        let mut fit = Fit { met: among.collect(), strengths: vec![0.0; rated.len()] };
        for _ in 0..MOST_STEPS {
            if fit.step() < SMALLEST_STEP {
                break;
            }
        }
        fit
    }

    /// One step of Newton's method, shortened until it climbs. The likelihood is concave, so that it leads to its top.
    fn step(&mut self) -> f64 {
        let gradient = self.gradient();
        let towards: Vec<f64> = inverse(self.information())
            .iter()
            .map(|row| row.iter().zip(&gradient).map(|(cell, slope)| cell * slope).sum())
            .collect();
        let before = self.log_likelihood(&self.strengths);
        let mut part = 1.0;
        loop {
            let mut moved = self.strengths.clone();
            moved[1..].iter_mut().zip(&towards).for_each(|(strength, step)| *strength += part * step);
            let length = towards.iter().fold(0.0_f64, |most, step| most.max((part * step).abs()));
            if length < SMALLEST_STEP || self.log_likelihood(&moved) >= before {
                self.strengths = moved;
                return length;
            }
            part *= 0.5;
        }
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        let of = |Encounter { players: [one, other], pairs }: &Encounter| {
            let lead = strengths[*one] - strengths[*other];
            points(pairs) * expected(lead).ln() + points(&pairs.mirror()) * expected(-lead).ln()
        };
        self.met.iter().map(of).sum()
    }

    /// Points beyond those expected of all but the first.
    fn gradient(&self) -> Vec<f64> {
        let mut surplus = vec![0.0; self.strengths.len()];
        for met in &self.met {
            let [one, other] = met.players;
            let beyond = points(&met.pairs) - met.pairs.games() as f64 * self.expected(met);
            surplus[one] += beyond;
            surplus[other] -= beyond;
        }
        surplus.split_off(1)
    }

    /// The Fisher information of all strengths but the first.
    fn information(&self) -> Matrix {
        self.graph(|met| {
            let expected = self.expected(met);
            met.pairs.games() as f64 * expected * (1.0 - expected)
        })
    }

    /// The variance of the points of all but the first. Pairs of a single category do not show theirs: there the games
    /// count as independent and without draws, which errs on the wide side.
    fn variance(&self) -> Matrix {
        self.graph(|met| {
            let (sample, expected) = (met.pairs.sample(), self.expected(met));
            match sample.has_spread() {
                true => 4.0 * sample.size() * sample.average(|score| (score - expected).powi(2)),
                false => met.pairs.games() as f64 * expected * (1.0 - expected),
            }
        })
    }

    /// The matrix of a graph whose edges have these weights (its Laplacian), without the first player's row and column.
    fn graph(&self, weight: impl Fn(&Encounter) -> f64) -> Matrix {
        let size = self.strengths.len() - 1;
        let mut matrix = vec![vec![0.0; size]; size];
        for met in &self.met {
            let weight = weight(met);
            let [one, other] = met.players.map(|player| player.checked_sub(1));
            one.into_iter().chain(other).for_each(|place| matrix[place][place] += weight);
            if let (Some(one), Some(other)) = (one, other) {
                matrix[one][other] -= weight;
                matrix[other][one] -= weight;
            }
        }
        matrix
    }

    fn expected(&self, Encounter { players: [one, other], .. }: &Encounter) -> f64 {
        expected(self.strengths[*one] - self.strengths[*other])
    }

    /// Ratings with intervals, in the order of the strengths.
    fn estimates(&self, anchor: Anchor, confidence: Confidence) -> Vec<Estimate> {
        let bread = inverse(self.information());
        let covariance = with_first(&product(&product(&bread, &self.variance()), &bread));
        let count = self.strengths.len();
        // How much of each strength is subtracted: all of the first, or an equal part of each.
        let zero: Vec<f64> = match anchor {
            Anchor::First => (0..count).map(|place| f64::from(u8::from(place == 0))).collect(),
            Anchor::Mean => vec![1.0 / count as f64; count],
        };
        let origin: f64 = zero.iter().zip(&self.strengths).map(|(part, strength)| part * strength).sum();
        let estimate = |place: usize| {
            let weight = |other: usize| f64::from(u8::from(other == place)) - zero[other];
            let sum =
                |row: usize| (0..count).map(|column| covariance[row][column] * weight(column)).sum::<f64>();
            let variance: f64 = (0..count).map(|row| weight(row) * sum(row)).sum();
            let estimate = UNIT * (self.strengths[place] - origin);
            let margin = UNIT * confidence.deviations() * variance.max(0.0).sqrt();
            Estimate { estimate, margin, low: estimate - margin, high: estimate + margin }
        };
        (0..count).map(estimate).collect()
    }
}

/// The covariance with that of the first strength, which is known to be zero.
fn with_first(others: &Matrix) -> Matrix {
    let first = vec![0.0; others.len() + 1];
    let rows = others.iter().map(|row| [&[0.0][..], row].concat());
    std::iter::once(first).chain(rows).collect()
}

/// The bound of a player that is not rated: it won all games against rated players, or lost them all, or has none.
fn bound(
    player: usize,
    met: &[Encounter],
    known: &[Option<f64>],
    confidence: Confidence,
) -> Option<Interval> {
    let opponents: Vec<(f64, Pentanomial)> = met
        .iter()
        .filter_map(|&Encounter { players: [one, other], pairs }| match player {
            _ if player == one => Some((known[other]? / UNIT, pairs)),
            _ if player == other => Some((known[one]? / UNIT, pairs.mirror())),
            _ => None,
        })
        .collect();
    let (_, first) = opponents.first()?;
    let has_won = first.half_points() > 0;
    let side = if has_won { 1.0 } else { -1.0 };
    // At the bound, so one-sided a result is just not too unlikely: as for two players (`one_category`), a pair is won
    // with the expected score as its probability.
    let least = (1.0 - confidence.level()).ln();
    let shortfall = |strength: f64| {
        let won = |(rating, pairs): &(f64, Pentanomial)| {
            pairs.pairs() as f64 * expected(strength - side * rating).ln()
        };
        least - opponents.iter().map(won).sum::<f64>()
    };
    let farthest = opponents.iter().fold(0.0_f64, |most, (rating, _)| most.max(rating.abs())) + FARTHEST;
    let at = |strength: f64| (strength, shortfall(strength));
    let elo = side * UNIT * falling_root(shortfall, at(-farthest), at(farthest), SMALLEST_STEP);
    Some(match has_won {
        true => Interval { low: Some(elo), high: None },
        false => Interval { low: None, high: Some(elo) },
    })
}

fn expected(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

fn points(pairs: &Pentanomial) -> f64 {
    pairs.half_points() as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo;
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn encounter(one: usize, other: usize, pairs: [u64; 5]) -> Encounter {
        Encounter { players: [one, other], pairs: Pentanomial(pairs) }
    }

    fn rate(count: usize, encounters: &[Encounter], anchor: Anchor) -> Vec<Rating> {
        ratings(count, encounters, anchor, Confidence::DEFAULT)
    }

    #[track_caller]
    fn assert_near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() < tolerance, "{value} is not {expected}");
    }

    #[test]
    fn two_players_have_the_elo_of_the_score() {
        let pairs = [53, 51, 275, 83, 112];
        let rated = rate(2, &[encounter(0, 1, pairs)], Anchor::First);
        let [first, second] = [rated[0].estimate.unwrap(), rated[1].estimate.unwrap()];
        let known = elo::elo(&Pentanomial(pairs).sample(), Confidence::DEFAULT).unwrap();
        assert_eq!((first.estimate, first.margin), (0.0, 0.0));
        assert_near(second.estimate, -known.estimate, 1e-6);
        // That margin is of the curved scale, this one of its tangent.
        assert_near(second.margin, known.margin, 0.1);
        let mean = rate(2, &[encounter(0, 1, pairs)], Anchor::Mean);
        assert_near(mean[0].estimate.unwrap().estimate, known.estimate / 2.0, 1e-6);
        assert_near(mean[0].estimate.unwrap().margin, second.margin / 2.0, 1e-9);
    }

    /// A chain's ratings are sums of its links', and so are the variances.
    #[test]
    fn a_chain_adds_up() {
        let links = [[5, 10, 40, 30, 15], [10, 20, 40, 25, 5]];
        let rated = rate(3, &[encounter(0, 1, links[0]), encounter(1, 2, links[1])], Anchor::First);
        let [one, two] =
            links.map(|link| elo::elo(&Pentanomial(link).sample(), Confidence::DEFAULT).unwrap());
        let last = rated[2].estimate.unwrap();
        assert_near(last.estimate, -one.estimate - two.estimate, 1e-6);
        assert_near(last.margin, one.margin.hypot(two.margin), 0.2);
    }

    /// Everybody against everybody with exactly the expected scores.
    #[test]
    fn expected_scores_give_back_the_ratings() {
        let truth = [120.0, 30.0, -40.0, -110.0];
        let mut encounters = Vec::new();
        for one in 0..4 {
            for other in one + 1..4 {
                let score = elo::score_of_elo(truth[one] - truth[other]);
                let won = (score * 1e9).round() as u64;
                encounters.push(encounter(one, other, [1_000_000_000 - won, 0, 0, 0, won]));
            }
        }
        for (rating, expected) in rate(4, &encounters, Anchor::Mean).iter().zip(truth) {
            assert_near(rating.estimate.unwrap().estimate, expected, 1e-4);
        }
    }

    #[test]
    fn who_won_everything_gets_a_bound() {
        let rated = rate(2, &[encounter(0, 1, [0, 0, 0, 0, 20])], Anchor::First);
        let one_sided = elo::one_category(&[20, 0, 0, 0, 0], Confidence::DEFAULT).unwrap();
        assert_eq!(rated[0].estimate.map(|first| first.margin), Some(0.0));
        assert_eq!((rated[1].estimate, rated[1].bound.unwrap().low), (None, None));
        assert_near(rated[1].bound.unwrap().high.unwrap(), one_sided.high.unwrap(), 1e-5);

        // The third beat both of the others, who are level.
        let level = [3, 4, 6, 4, 3];
        let met = [
            encounter(0, 1, level),
            encounter(2, 0, [0, 0, 0, 0, 10]),
            encounter(1, 2, [10, 0, 0, 0, 0]),
            encounter(3, 3, [0; 5]),
        ];
        let rated = rate(4, &met, Anchor::Mean);
        assert_near(rated[0].estimate.unwrap().estimate, 0.0, 1e-9);
        let bound = rated[2].bound.unwrap();
        assert_near(bound.low.unwrap(), -one_sided.high.unwrap(), 1e-5);
        assert_eq!((rated[2].estimate, bound.high), (None, None));
        assert_eq!(rated[3], Rating::default(), "nothing is known of who did not play");
    }

    #[test]
    fn a_single_point_connects_and_no_games_say_nothing() {
        let rated = rate(2, &[encounter(0, 1, [0, 0, 0, 1, 19])], Anchor::First);
        assert!(rated[1].estimate.unwrap().estimate < -500.0);
        assert!(rate(3, &[], Anchor::Mean).iter().all(|rating| *rating == Rating::default()));
    }

    #[test]
    fn one_level_pair_has_a_wide_margin() {
        let rated = rate(2, &[encounter(0, 1, [0, 0, 1, 0, 0])], Anchor::First);
        // Two decisive games: 1.96 · 400/ln 10 · √(1 / (2 · ¼)).
        assert_near(rated[1].estimate.unwrap().margin, 481.5, 0.1);
    }

    proptest! {
        #[test]
        fn the_order_of_players_does_not_matter(
            counts in prop::collection::vec(prop::array::uniform5(0_u64..30), 6),
            order in Just([0, 1, 2, 3]).prop_shuffle(),
        ) {
            let who = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
            let met = |order: [usize; 4]| -> Vec<Encounter> {
                who.iter().zip(&counts).map(|([a, b], pairs)| encounter(order[*a], order[*b], *pairs)).collect()
            };
            let (plain, moved) = (rate(4, &met([0, 1, 2, 3]), Anchor::Mean), rate(4, &met(order), Anchor::Mean));
            if plain.iter().all(|rating| rating.estimate.is_some()) {
                for (player, rating) in plain.iter().enumerate() {
                    let [one, other] = [rating, &moved[order[player]]].map(|rating| rating.estimate.unwrap());
                    prop_assert!((one.estimate - other.estimate).abs() < 1e-4);
                    prop_assert!((one.margin - other.margin).abs() < 1e-4);
                    prop_assert!(one.margin.is_finite() && one.margin > 0.0);
                }
            }
        }
    }

    /// Pairs whose openings favour one side, so that a win and a loss go together.
    #[test]
    fn intervals_cover_the_truth_as_often_as_they_say() {
        const RUNS: usize = 300;
        let truth = [0.5, 0.1, -0.2, -0.4];
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut uniform = || random.next_u32() as f64 / f64::from(u32::MAX);
        let mut covered = 0;
        for _ in 0..RUNS {
            let mut met = Vec::new();
            for one in 0..4 {
                for other in one + 1..4 {
                    let mut pairs = [0; 5];
                    for _ in 0..60 {
                        let bias = if uniform() < 0.5 { 0.15 } else { -0.15 };
                        let mut game = |won: f64| {
                            // A third of what is uncertain is drawn.
                            let draws = 2.0 / 3.0 * won.min(1.0 - won);
                            let at = uniform();
                            if at < won - draws / 2.0 { 2 } else { usize::from(at < won + draws / 2.0) }
                        };
                        let won = expected(truth[one] - truth[other]);
                        pairs[game(won + bias) + game(won - bias)] += 1;
                    }
                    met.push(encounter(one, other, pairs));
                }
            }
            let inside = |(rating, truth): (&Rating, f64)| {
                let Estimate { low, high, .. } = rating.estimate.unwrap();
                (low..=high).contains(&(truth * UNIT))
            };
            covered += rate(4, &met, Anchor::Mean).iter().zip(truth).filter(|&both| inside(both)).count();
        }
        let share = covered as f64 / (4 * RUNS) as f64;
        assert!((0.925..0.975).contains(&share), "{share}");
    }
}
