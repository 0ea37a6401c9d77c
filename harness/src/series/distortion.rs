//! Distortion of root scores: what a change of the search does to the score and the best move at a fixed depth.
//!
//! A technique that saves nodes should leave the root score of a given depth about where it was. One that is wrong
//! somewhere shows as a bias of the mean, or as scores that are off by a pawn and more, long before games tell: late move
//! pruning at PV nodes raised root scores by 32 centipawns at depth 4 and changed every second best move.

use crate::game::clock::MARGIN;
use crate::game::limit::MoveLimit;
use crate::game::opening::Opening;
use crate::game::player::{Answer, Player, Question};
use crate::game::record::Score;
use crate::players::Setup;
use crate::players::player;
use crate::players::spec::PlayerSpec;
use crate::statistics::Confidence;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A root score that differs by more than this, centipawns, is far off.
const FAR: i64 = 100;

/// How the root scores and best moves of a candidate differ from those of a base at one depth. Shares are of the
/// compared positions, 0 to 1; none without one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distortion {
    /// Depth of every search, plies.
    pub depth: u32,
    /// Positions in which both players reached the depth.
    pub positions: u64,
    /// Positions left out because a search ended before the depth: at the node limit, or with a mate that it found.
    pub cut_off: u64,
    /// Compared positions in which a player reports a mate; they have no part in the mean.
    pub mates: u64,
    /// Mean of the candidate's score less the base's, centipawns; none without a position to take it from.
    pub mean_difference: Option<f64>,
    /// Half-width of the 95 % interval of the mean, centipawns; none with fewer than two positions.
    pub margin: Option<f64>,
    /// Share of positions whose scores are more than 100 centipawns apart, or of which one is a mate and the other is not
    /// that mate's side.
    pub far: Option<f64>,
    /// Share of positions with the same score.
    pub same_score: Option<f64>,
    /// Share of positions with the same best move.
    pub same_move: Option<f64>,
    /// Positions searched by the base and by the candidate, of the compared ones.
    pub nodes: [u64; 2],
    /// The candidate's nodes divided by the base's; none if the base reports none.
    pub nodes_ratio: Option<f64>,
}

/// A search that came to no score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoScore {
    /// The player, as its file is called.
    pub player: String,
    /// The position.
    pub fen: String,
    /// What happened, in a sentence.
    pub reason: String,
}

impl fmt::Display for NoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoScore { player, fen, reason } = self;
        write!(f, "{player} has no score for {fen}: {reason}")
    }
}

impl std::error::Error for NoScore {}

/// How deep, and how much, each position is searched.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimit {
    /// Plies.
    pub depth: u32,
    /// Positions searched after which a search is cut off, and its position left out.
    pub max_nodes: u64,
}

impl SearchLimit {
    /// Nodes after which a search is cut off unless another limit is given: a search without cutoffs would not end.
    pub const MAX_NODES: u64 = 25_000_000;
}

impl Default for SearchLimit {
    fn default() -> SearchLimit {
        SearchLimit { depth: 4, max_nodes: SearchLimit::MAX_NODES }
    }
}

/// Searches every position with both players, each from a cleared state, on every thread of the pool. None if `stop` was
/// set before the end.
///
/// # Errors
/// A player breaks down, or gives no move or no score.
pub fn measure(
    [base, candidate]: [&PlayerSpec; 2],
    positions: &[Opening],
    limit: SearchLimit,
    setup: &Setup,
    pool: &rayon::ThreadPool,
    stop: &AtomicBool,
) -> Result<Option<Distortion>, NoScore> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(vec![None; positions.len()]);
    let failure = Mutex::new(None);
    pool.broadcast(|_| {
        let mut players = [base, candidate].map(|spec| (spec, player(spec, setup)));
        while !stop.load(Ordering::Relaxed)
            && let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(position) = positions.get(index)
        {
            let [base, candidate] =
                players.each_mut().map(|(spec, player)| search(spec, &mut **player, position, limit, stop));
            match base.and_then(|base| Ok([base, candidate?])) {
                Ok(both) => locked(&answers)[index] = Some(both),
                Err(error) => {
                    next.store(positions.len(), Ordering::Relaxed);
                    locked(&failure).get_or_insert(error);
                }
            }
        }
    });
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    if let Some(error) = locked(&failure).take() {
        return Err(error);
    }
    let answers: Vec<_> = locked(&answers).drain(..).flatten().collect();
    Ok(Some(Distortion::of(&answers, limit.depth)))
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn search(
    spec: &PlayerSpec,
    player: &mut dyn Player,
    position: &Opening,
    SearchLimit { depth, max_nodes }: SearchLimit,
    stop: &AtomicBool,
) -> Result<Answer, NoScore> {
    let failed = |reason: String| NoScore { player: spec.file.clone(), fen: position.fen.clone(), reason };
    let limit = MoveLimit { nodes: Some(max_nodes), depth: Some(depth), movetime: None, clocks: None };
    let question = Question { moves: &[], limit, margin: MARGIN, details: false, stop };
    player
        .new_game(position, stop)
        .and_then(|()| player.answer(&question))
        .map_err(|fault| failed(fault.to_string()))
}

impl Distortion {
    /// The figures of pairs of answers, base first, to the same positions.
    fn of(answers: &[[Answer; 2]], depth: u32) -> Distortion {
        // What was cut off has another depth, or no score of any finished iteration.
        let compared: Vec<_> = (answers.iter())
            .filter_map(|both| {
                let [base, candidate] =
                    both.each_ref().map(|answer| answer.score.filter(|_| answer.depth >= depth));
                Some((both, [base?, candidate?]))
            })
            .collect();
        let share = |count: usize| (!compared.is_empty()).then(|| count as f64 / compared.len() as f64);
        let count =
            |is_so: fn(&[Score; 2]) -> bool| compared.iter().filter(|(_, scores)| is_so(scores)).count();
        let differences: Vec<f64> =
            compared.iter().filter_map(|(_, scores)| difference(scores)).map(|cp| cp as f64).collect();
        let same_move = compared.iter().filter(|([base, candidate], _)| base.best == candidate.best).count();
        let nodes = [0, 1].map(|side: usize| compared.iter().map(|(both, _)| both[side].nodes).sum());
        Distortion {
            depth,
            positions: compared.len() as u64,
            cut_off: (answers.len() - compared.len()) as u64,
            mates: count(|scores| difference(scores).is_none()) as u64,
            mean_difference: mean(&differences),
            margin: margin(&differences),
            far: share(count(are_far)),
            same_score: share(count(|[base, candidate]| base == candidate)),
            same_move: share(same_move),
            nodes,
            nodes_ratio: (nodes[0] > 0).then(|| nodes[1] as f64 / nodes[0] as f64),
        }
    }
}

/// The candidate's score less the base's, centipawns; none if one is a mate.
fn difference(scores: &[Score; 2]) -> Option<i64> {
    match scores {
        [Score::Centipawns(base), Score::Centipawns(candidate)] => {
            Some(i64::from(*candidate) - i64::from(*base))
        }
        _ => None,
    }
}

fn are_far(scores: &[Score; 2]) -> bool {
    match scores {
        // Mate in 0 is lost, as a negative number is.
        [Score::Mate(base), Score::Mate(candidate)] => (*base > 0) != (*candidate > 0),
        _ => difference(scores).is_none_or(|cp| cp.abs() > FAR),
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Half-width of the 95 % interval of the mean, from the sample's own variance.
fn margin(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let freedom = values.len().checked_sub(1).filter(|&freedom| freedom > 0)? as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / freedom;
    Some(Confidence::DEFAULT.deviations() * (variance / values.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Centipawns, Mate};

    fn answer(score: Score, best: &str, depth: u32, nodes: u64) -> Answer {
        Answer { best: best.parse().unwrap(), score: Some(score), depth, nodes, own_ms: None }
    }

    fn both(base: Score, candidate: Score) -> [Answer; 2] {
        [answer(base, "e2e4", 4, 100), answer(candidate, "e2e4", 4, 50)]
    }

    #[test]
    fn figures_follow_from_the_answers() {
        let mut answers = vec![
            both(Centipawns(10), Centipawns(10)),
            both(Centipawns(-20), Centipawns(81)),
            both(Centipawns(0), Centipawns(-100)),
            both(Mate(3), Mate(5)),
            both(Mate(3), Mate(-3)),
            both(Centipawns(900), Mate(3)),
        ];
        answers[0][1].best = "d2d4".parse().unwrap();
        // Cut off: no part of any figure.
        answers.push([answer(Centipawns(0), "e2e4", 3, 7), answer(Centipawns(500), "d2d4", 4, 7)]);
        answers.push([answer(Centipawns(0), "e2e4", 4, 7), Answer { score: None, ..answers[0][0] }]);
        let found = Distortion::of(&answers, 4);
        let third = 1.0 / 3.0;
        assert_eq!((found.positions, found.cut_off, found.mates), (6, 2, 3));
        assert!((found.mean_difference.unwrap() - third).abs() < 1e-12);
        // 0, 101 and -100: variance 10100.33, of three.
        assert!((found.margin.unwrap() - 113.73).abs() < 0.01, "{found:?}");
        assert_eq!(
            (found.far, found.same_score, found.same_move),
            (Some(0.5), Some(1.0 / 6.0), Some(5.0 / 6.0))
        );
        assert_eq!((found.nodes, found.nodes_ratio), ([600, 300], Some(0.5)));
    }

    #[test]
    fn what_cannot_be_computed_is_none() {
        let none = Distortion::of(&[], 4);
        assert_eq!((none.mean_difference, none.margin, none.nodes_ratio), (None, None, None));
        assert_eq!((none.far, none.same_score, none.same_move), (None, None, None));
        let one = Distortion::of(&[both(Centipawns(1), Centipawns(4))], 4);
        assert_eq!((one.mean_difference, one.margin), (Some(3.0), None));
    }
}
