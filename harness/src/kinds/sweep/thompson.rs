//! Top-two Thompson sampling: which arm the next pairs go to, where a winner is sought. A strength is
//! drawn for every arm from what is believed of it, and the best draw wins; now and then the draw is repeated until another
//! arm wins, so that the runner-up is played as well (D. Russo, "Simple Bayesian algorithms for best-arm identification",
//! arXiv:1602.08448).
//!
//! Only the number of games depends on the beliefs. The verdicts are those of the arms' own tests, which hold however
//! the pairs are shared out.

use crate::openings::stream::Stream;
use crate::statistics::{Pentanomial, normal};

/// How often the best draw is taken. Half of the time is usual where the best arm must be told from the second; here
/// the first that beats the base ends the sweep, which takes 8 % fewer pairs so (simulated: one arm at +4 Elo, seven at 0).
const LEADER_SHARE: f64 = 0.9;

/// Draws after which the runner-up is taken for the arm that never wins one.
const MOST_REDRAWS: usize = 100;

/// What is believed of an arm's mean score of a pair less ½: a normal distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    mean: f64,
    deviation: f64,
}

impl Belief {
    /// The belief after these pairs, if before them the arm was believed level, give or take `prior_deviation` in score.
    pub fn after(pairs: &Pentanomial, prior_deviation: f64) -> Belief {
        let prior_precision = prior_deviation.powi(-2);
        let Some(score) = pairs.mean() else {
            return Belief { mean: 0.0, deviation: prior_deviation };
        };
        // One pair of each kind is added, lest a few equal pairs be taken for certainty.
        let variance = Pentanomial(pairs.0.map(|count| count + 1)).variance().unwrap_or(1.0);
        let evidence = pairs.pairs() as f64 / variance;
        let precision = prior_precision + evidence;
        Belief { mean: evidence * (score - 0.5) / precision, deviation: precision.powf(-0.5) }
    }

    fn draw(&self, stream: &mut Stream) -> f64 {
        // It may be 0, of which there is no quantile.
        let fraction = stream.draw_fraction().max(2.0_f64.powi(-54));
        self.mean + self.deviation * normal::quantile(fraction)
    }
}

/// The index of the arm that the next pairs go to; none without arms.
pub(super) fn top_two(beliefs: &[Belief], stream: &mut Stream) -> Option<usize> {
    let (first, runner_up) = best_two(beliefs, stream)?;
    let Some(mut runner_up) = runner_up else { return Some(first) };
    if stream.draw_fraction() < LEADER_SHARE {
        return Some(first);
    }
    for _ in 0..MOST_REDRAWS {
        let (best, second) = best_two(beliefs, stream)?;
        if best != first {
            return Some(best);
        }
        runner_up = second.unwrap_or(runner_up);
    }
    Some(runner_up)
}

/// The arms with the best and the second best of one draw each.
fn best_two(beliefs: &[Belief], stream: &mut Stream) -> Option<(usize, Option<usize>)> {
    let mut drawn: Vec<_> = beliefs.iter().map(|belief| belief.draw(stream)).enumerate().collect();
    drawn.sort_by(|(_, ours), (_, theirs)| theirs.total_cmp(ours));
    let mut order = drawn.into_iter().map(|(arm, _)| arm);
    Some((order.next()?, order.next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(beliefs: &[Belief]) -> Vec<f64> {
        const BLOCKS: u64 = 4000;
        let mut taken = vec![0.0; beliefs.len()];
        for block in 0..BLOCKS {
            taken[top_two(beliefs, &mut Stream::new(1, block)).unwrap()] += 1.0 / BLOCKS as f64;
        }
        taken
    }

    #[test]
    fn equal_arms_get_equal_shares() {
        let belief = Belief::after(&Pentanomial::default(), 0.004);
        for share in shares(&[belief; 4]) {
            assert!((share - 0.25).abs() < 0.03, "{share}");
        }
        assert_eq!(top_two(&[], &mut Stream::new(1, 0)), None);
        assert_eq!(top_two(&[belief], &mut Stream::new(1, 0)), Some(0));
    }

    #[test]
    fn the_favourite_gets_its_share_and_the_runner_up_the_rest() {
        let beliefs = [-0.2, 0.3, 0.2, -0.3].map(|mean| Belief { mean, deviation: 0.01 });
        let shares = shares(&beliefs);
        assert!(
            (shares[1] - LEADER_SHARE).abs() < 0.02 && (shares[2] + shares[1] - 1.0).abs() < 1e-9,
            "{shares:?}"
        );
    }

    #[test]
    fn beliefs_follow_the_pairs_and_sharpen() {
        let prior = Belief::after(&Pentanomial::default(), 0.004);
        let few = Belief::after(&Pentanomial([0, 0, 0, 0, 8]), 0.004);
        let many = Belief::after(&Pentanomial([100, 1000, 3000, 1400, 150]), 0.004);
        assert_eq!((prior.mean, prior.deviation), (0.0, 0.004));
        assert!(few.mean > 0.0 && few.mean < 0.004, "eight won pairs are no certainty: {few:?}");
        assert!(many.deviation < few.deviation && few.deviation < prior.deviation);
        // A mean score of 0.5221, drawn towards the base.
        assert!((0.015..0.0221).contains(&many.mean), "{many:?}");
    }
}
