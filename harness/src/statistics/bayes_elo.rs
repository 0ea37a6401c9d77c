//! BayesElo: what a bound in that scale means in score. Rémi Coulom's model with a draw Elo, needed only to read bounds
//! given in its scale.

use super::elo::score_of_elo;
use super::sample::Sample;

/// A lead and a tendency to draw: P(win) = L(elo - draw_elo), P(loss) = L(-elo - draw_elo), with L the logistic curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesElo {
    /// The lead.
    pub elo: f64,
    /// How much the threshold of a win lies above equality; larger means more draws.
    pub draw_elo: f64,
}

/// Probability of losing, drawing, winning a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameOdds {
    /// Probability of a loss.
    pub loss: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Probability of a win.
    pub win: f64,
}

impl BayesElo {
    /// The odds of a game under this model.
    pub fn odds(self) -> GameOdds {
        let win = score_of_elo(self.elo - self.draw_elo);
        let loss = score_of_elo(-self.elo - self.draw_elo);
        GameOdds { loss, draw: 1.0 - win - loss, win }
    }

    /// The model with these odds. All three must be positive.
    pub fn of_odds(odds: GameOdds) -> BayesElo {
        // 1 - win, written so that it keeps its digits when nearly all games are won.
        let win_odds = odds.win / (odds.loss + odds.draw);
        let loss_odds = odds.loss / (odds.win + odds.draw);
        BayesElo {
            elo: 200.0 * (win_odds.log10() - loss_odds.log10()),
            draw_elo: -200.0 * (win_odds.log10() + loss_odds.log10()),
        }
    }

    /// The model that fits a (regularised) sample of games.
    pub fn of_sample(games: &Sample<3>) -> BayesElo {
        let [loss, draw, win] = games.cells().map(|cell| cell / games.size());
        BayesElo::of_odds(GameOdds { loss, draw, win })
    }

    /// The model with this lead and the draw Elo that fits the sample.
    pub fn with_draws_of(games: &Sample<3>, elo: f64) -> BayesElo {
        BayesElo { elo, ..BayesElo::of_sample(games) }
    }

    /// Expected score of a game divided by that of the opponent.
    pub fn score_odds(self) -> f64 {
        // Wins and not-losses: each probability is computed as such, never as 1 less another.
        let (win, not_win) = (score_of_elo(self.elo - self.draw_elo), score_of_elo(self.draw_elo - self.elo));
        let (loss, not_loss) =
            (score_of_elo(-self.elo - self.draw_elo), score_of_elo(self.elo + self.draw_elo));
        (win + not_loss) / (loss + not_win)
    }

    /// Expected score of a game, 0 to 1.
    pub fn score(self) -> f64 {
        let odds = self.score_odds();
        odds / (1.0 + odds)
    }

    /// The same lead in logistic Elo.
    pub fn logistic_elo(self) -> f64 {
        400.0 * self.score_odds().log10()
    }
}
