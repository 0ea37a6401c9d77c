//! Score of one engine against another or all others, and its figures as fastchess computes them: of the counts as they are, on
//! a scale of Elo without an end, so that one-sided results are infinite or no number.

use crate::game::record::PairRecord;
use crate::statistics::elo::NORMALIZED_UNIT;
use crate::statistics::normal::cdf;
use crate::statistics::{Confidence, Pentanomial, Trinomial};

/// What was counted, from one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games.
    pub games: Trinomial,
    /// Pairs.
    pub pairs: Pentanomial,
    /// Pairs of two draws; the other 1-1 pairs are a win each.
    pub drawn_pairs: u64,
}

/// Figures of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Logistic Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_margin: f64,
    /// Normalized Elo.
    pub nelo: f64,
    /// Half the width of its 95 % interval.
    pub nelo_margin: f64,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

impl Score {
    /// Counts a game that brought this side so many half points.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.games.losses += 1,
            1 => self.games.draws += 1,
            _ => self.games.wins += 1,
        }
    }

    /// Counts a pair, whose games are counted already, from the candidate's side.
    pub fn add_pair(&mut self, pair: &PairRecord) {
        self.pairs.0[pair.category()] += 1;
        let is_drawn = pair.games.iter().all(|game| game.candidate_half_points() == 1);
        self.drawn_pairs += u64::from(is_drawn);
    }

    /// The same from the other side.
    pub fn mirrored(&self) -> Score {
        let mut pairs = self.pairs;
        pairs.0.reverse();
        Score { games: self.games.mirror(), pairs, drawn_pairs: self.drawn_pairs }
    }

    /// Both together.
    pub fn and(&self, other: &Score) -> Score {
        Score {
            games: self.games + other.games,
            pairs: self.pairs + other.pairs,
            drawn_pairs: self.drawn_pairs + other.drawn_pairs,
        }
    }

    /// Points: a win is one, a draw half.
    pub fn points(&self) -> f64 {
        self.games.wins as f64 + 0.5 * self.games.draws as f64
    }

    /// Points per game.
    pub fn mean(&self) -> f64 {
        self.points() / self.games.games() as f64
    }

    /// Share of 1-1 pairs, or of drawn games, in percent.
    pub fn draw_percent(&self, penta: bool) -> f64 {
        let [drawn, all] = match penta {
            true => [self.pairs.0[2], self.pairs.pairs()],
            false => [self.games.draws, self.games.games()],
        };
        100.0 * drawn as f64 / all as f64
    }

    /// Pairs won for each pair lost.
    pub fn pairs_ratio(&self) -> f64 {
        let [ll, ld, _, wd, ww] = self.pairs.0;
        (ww + wd) as f64 / (ld + ll) as f64
    }

    /// 1-1 pairs of a win each for each of two draws.
    pub fn exchanged_ratio(&self) -> f64 {
        (self.pairs.0[2] - self.drawn_pairs) as f64 / self.drawn_pairs as f64
    }

    /// The figures, of pairs or of games.
    pub fn strength(&self, penta: bool) -> Strength {
        match penta {
            true => Strength::of(self.pairs.mean(), self.pairs.variance(), self.pairs.pairs(), 2.0),
            false => Strength::of(Some(self.mean()), self.games.variance(), self.games.games(), 1.0),
        }
    }
}

impl Strength {
    /// Of a mean score and its variance over so many observations of so many games each.
    fn of(mean: Option<f64>, variance: Option<f64>, observations: u64, games_each: f64) -> Strength {
        let (mean, variance) = (mean.unwrap_or(f64::NAN), variance.unwrap_or(f64::NAN));
        let error = (variance / observations as f64).sqrt();
        let reach = Confidence::DEFAULT.deviations() * error;
        let of_game = (games_each * variance).sqrt();
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        Strength {
            elo: elo(mean),
            elo_margin: 0.5 * (elo(mean + reach) - elo(mean - reach)),
            nelo: NORMALIZED_UNIT * (mean - 0.5) / of_game,
            nelo_margin: NORMALIZED_UNIT * reach / of_game,
            los: cdf((mean - 0.5) / error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(pairs: [u64; 5], drawn_pairs: u64, [wins, losses, draws]: [u64; 3]) -> Score {
        Score { pairs: Pentanomial(pairs), drawn_pairs, games: Trinomial { wins, losses, draws } }
    }

    /// The block that fishtest's source shows: 680 games, printed by fastchess itself.
    #[test]
    fn figures_are_those_that_fastchess_prints() {
        let known = score([43, 61, 144, 55, 37], 25, [248, 266, 166]);
        let Strength { elo, elo_margin, nelo, nelo_margin, los } = known.strength(true);
        for (ours, printed) in
            [(elo, -9.20), (elo_margin, 20.93), (nelo, -11.50), (nelo_margin, 26.11), (100.0 * los, 19.41)]
        {
            assert!((ours - printed).abs() < 0.006, "{ours} against {printed}");
        }
        assert!(
            (known.draw_percent(true) - 42.35).abs() < 0.006 && (known.pairs_ratio() - 0.88).abs() < 0.006
        );
        assert!(
            (known.exchanged_ratio() - 4.76).abs() < 0.006 && (100.0 * known.mean() - 48.68).abs() < 0.006
        );
        assert_eq!(known.mirrored().mirrored(), known);
    }

    #[test]
    fn one_sided_results_are_infinite_or_no_number() {
        let won = score([0, 0, 0, 0, 4], 0, [8, 0, 0]).strength(true);
        assert!(won.elo == f64::INFINITY && won.elo_margin.is_nan() && won.nelo == f64::INFINITY);
        assert!(
            Score::default().strength(true).elo.is_nan() && Score::default().strength(false).elo.is_nan()
        );
    }
}
