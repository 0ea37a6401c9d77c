//! Contenders of a match: the players that may be the strongest by all games among them.

use super::normal::Confidence;
use super::ratings::{Anchor, Encounter, Rating, ratings};

/// The players, by number, that are not shown to be weaker than `leader`, itself among them. Whoever cannot be compared
/// with it is not shown to be weaker.
///
/// The others are rated relative to the leader, and one is shown to be weaker if the whole interval lies below zero, after few
/// pairs a wider one (Student's t-distribution).
/// Since the games decide who leads, the intervals hold for all comparisons of two players together (Bonferroni).
pub fn contenders(
    count: usize,
    encounters: &[Encounter],
    leader: usize,
    confidence: Confidence,
) -> Vec<usize> {
    // The rating of the first player is the zero of the scale, so the leader changes places with it.
    let exchanged = |player: usize| match player {
        0 => leader,
        _ if player == leader => 0,
        _ => player,
    };
    let seen_from_leader: Vec<Encounter> = encounters
        .iter()
        .map(|met| Encounter { players: met.players.map(exchanged), pairs: met.pairs })
        .collect();
    let comparisons = (count * count.saturating_sub(1) / 2).max(1);
    let confidence = confidence.shared_by(comparisons);
    let ratings = ratings(count, &seen_from_leader, Anchor::First, confidence);
    let pairs_of = |player: usize| -> u64 {
        let own = seen_from_leader.iter().filter(|met| met.players.contains(&player));
        own.map(|met| met.pairs.pairs()).sum()
    };
    let is_weaker = |player: usize| {
        let Rating { estimate, bound } = ratings[player];
        // The deviation is known as well as the fewer pairs of the two tell it.
        let few = pairs_of(player).min(pairs_of(0));
        let widened = confidence.deviations_of(few) / confidence.deviations();
        let high = estimate.map(|rating| rating.estimate + widened * rating.margin);
        high.or(bound.and_then(|bound| bound.high)).is_some_and(|high| high < 0.0)
    };
    (0..count).filter(|&player| player == leader || !is_weaker(exchanged(player))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::pentanomial::Pentanomial;
    use super::*;

    fn contenders_of(count: usize, met: &[([usize; 2], [u64; 5])], leader: usize) -> Vec<usize> {
        let encounter =
            |&(players, pairs): &([usize; 2], [u64; 5])| Encounter { players, pairs: Pentanomial(pairs) };
        let met: Vec<_> = met.iter().map(encounter).collect();
        contenders(count, &met, leader, Confidence::DEFAULT)
    }

    #[test]
    fn level_players_are_all_contenders() {
        let level = [4, 8, 20, 8, 4];
        assert_eq!(contenders_of(3, &[([0, 1], level), ([0, 2], level), ([1, 2], level)], 1), [0, 1, 2]);
        assert_eq!(contenders_of(3, &[], 0), [0, 1, 2]);
    }

    #[test]
    fn who_is_far_behind_is_none() {
        let [won, lost, level] = [[0, 2, 10, 30, 40], [40, 30, 10, 2, 0], [4, 8, 20, 8, 4]];
        assert_eq!(contenders_of(3, &[([0, 1], won), ([0, 2], won), ([1, 2], level)], 0), [0]);
        assert_eq!(contenders_of(3, &[([0, 1], lost), ([0, 2], level), ([1, 2], won)], 1), [1]);
        assert_eq!(contenders_of(3, &[([0, 1], level), ([0, 2], won), ([1, 2], won)], 1), [0, 1]);
    }

    #[test]
    fn two_pairs_show_nothing() {
        let better = [0, 0, 0, 1, 1];
        assert_eq!(
            contenders_of(3, &[([0, 1], better), ([0, 2], better), ([1, 2], [0, 0, 2, 0, 0])], 0),
            [0, 1, 2]
        );
        assert_eq!(contenders_of(2, &[([0, 1], better)], 0), [0, 1]);
    }

    #[test]
    fn undefeated_players_who_did_not_meet_are_not_compared() {
        let lost = [30, 0, 0, 0, 0];
        let gauntlet = [([0, 1], lost), ([0, 2], lost)];
        assert_eq!(contenders_of(3, &gauntlet, 1), [1, 2]);
        assert_eq!(contenders_of(3, &gauntlet, 2), [1, 2]);
    }

    #[test]
    fn many_comparisons_ask_for_more() {
        // Shown at 95 % alone, but not as one of the 28 comparisons of eight players.
        let better = [2, 6, 20, 16, 6];
        let met: Vec<_> = (1..8).map(|other| ([0, other], better)).collect();
        assert_eq!(contenders_of(2, &met[..1], 0), [0]);
        assert_eq!(contenders_of(8, &met, 0).len(), 8);
    }
}
