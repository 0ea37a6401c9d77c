//! Breakdown of 1-1 pairs into two draws and a win each, and the bias of the openings. Figures that need the pairs and the
//! games they consist of.
//!
//! A pentanomial cannot tell two draws from a win each. Together with the number of games drawn it can, and
//! the difference between the two variances tells how much the openings favour one colour (fishtest's page of raw statistics).
//! Everything is computed from the counts as they are, without regularisation.

use super::elo::elo_of_score;
use super::pentanomial::{Pentanomial, Trinomial};

/// The 1-1 pairs, divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelPairs {
    /// Pairs of two draws.
    pub drawn: u64,
    /// Pairs in which each player won a game.
    pub exchanged: u64,
}

/// How the 1-1 pairs divide; `None` if these games cannot form these pairs.
pub fn level_pairs(pairs: &Pentanomial, games: &Trinomial) -> Option<LevelPairs> {
    let [ll, ld, level, wd, ww] = pairs.0;
    let rest = games.draws.checked_sub(ld.checked_add(wd)?)?;
    let drawn = rest / 2;
    let exchanged = level.checked_sub(drawn)?;
    let wins = ww.checked_mul(2)?.checked_add(wd)?.checked_add(exchanged)?;
    let losses = ll.checked_mul(2)?.checked_add(ld)?.checked_add(exchanged)?;
    (rest % 2 == 0 && (wins, losses) == (games.wins, games.losses)).then_some(LevelPairs { drawn, exchanged })
}

/// Root mean square of the openings' bias, as a score: how far from ½ White's expected score is. `None` without pairs.
///
/// A lopsided opening makes the games of a pair differ, which raises the variance of games over that of pairs. With few pairs
/// the difference can fall below zero by chance, and counts as 0 then.
pub fn rms_bias(pairs: &Pentanomial, games: &Trinomial) -> Option<f64> {
    let difference = games.variance()? - 2.0 * pairs.variance()?;
    Some(difference.max(0.0).sqrt())
}

/// The same in logistic Elo; `None` too where it is infinite.
pub fn rms_bias_elo(pairs: &Pentanomial, games: &Trinomial) -> Option<f64> {
    let bias = rms_bias(pairs, games).filter(|bias| 0.5 + bias < 1.0)?;
    Some(elo_of_score(0.5 + bias))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_pairs_follow_from_the_draws() {
        let pairs = Pentanomial([53, 51, 275, 83, 112]);
        let games = Trinomial { wins: 559, losses: 409, draws: 180 };
        assert_eq!(level_pairs(&pairs, &games), Some(LevelPairs { drawn: 23, exchanged: 252 }));
    }

    #[test]
    fn games_that_are_not_those_of_the_pairs() {
        let pairs = Pentanomial([1, 2, 3, 4, 5]);
        for (wins, losses, draws) in
            [(14, 4, 13), (14, 4, 11), (14, 4, 5), (15, 3, 12), (0, 0, 0), (u64::MAX, 0, 0), (14, 4, 14)]
        {
            assert_eq!(level_pairs(&pairs, &Trinomial { wins, losses, draws }), None);
        }
        assert_eq!(level_pairs(&Pentanomial([u64::MAX; 5]), &Trinomial::default()), None);
    }

    #[test]
    fn openings_that_decide_every_game_are_worth_half_a_point() {
        // White always wins: every pair is level, with a win each.
        let bias = rms_bias(&Pentanomial([0, 0, 9, 0, 0]), &Trinomial { wins: 9, losses: 9, draws: 0 });
        assert_eq!(bias, Some(0.5));
        let games = Trinomial { wins: 9, losses: 9, draws: 0 };
        assert_eq!(rms_bias_elo(&Pentanomial([0, 0, 9, 0, 0]), &games), None, "the scale ends before it");
        // A pair's two wins say nothing of the colour.
        let games = Trinomial { wins: 10, losses: 10, draws: 0 };
        assert_eq!(rms_bias(&Pentanomial([5, 0, 0, 0, 5]), &games), Some(0.0));
        assert_eq!(rms_bias(&Pentanomial::default(), &Trinomial::default()), None);
    }
}
