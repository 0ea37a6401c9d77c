//! Summary of a match: every figure, computed once, for the screen, for JSON and for the store.

use super::contest::Match;
use super::spec::{Format, MatchSpec};
use super::standing::Standing;
use crate::kinds::spec::RunSpec;
use crate::report::head::{Effort, Head, Named};
use crate::report::lead::Lead;
use crate::run::contest::{Contest, End};
use crate::run::faults::FaultsWithSum;
use crate::statistics::elo::elo_of_score;
use crate::statistics::{Confidence, Estimate, Interval, Trinomial};
use serde::Serialize;

/// Every opening has been played, and more pairs were asked for.
pub const BOOK_EXHAUSTED: &str = "book-exhausted";

/// The report of a match; serialised, it is the object that `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct MatchSummary {
    /// How and where it was played.
    #[serde(flatten)]
    pub head: Head,
    /// Who met whom.
    pub format: Format,
    /// `complete`, `book-exhausted` or `interrupted`.
    pub end: &'static str,
    /// The players in the order in which they were given.
    pub players: Vec<Player>,
    /// Who met whom, in the order of playing.
    pub pairings: Vec<Pairing>,
    /// With which confidence the intervals cover the truth, 0 to 1.
    pub confidence: Confidence,
    /// Games counted.
    pub games: u64,
    #[serde(skip)]
    pub(super) question: String,
}

/// One player's line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Player {
    /// Name and digest.
    #[serde(flatten)]
    pub named: Named,
    /// Its place, from 1: by rating, then by the share of points. Players of the same strength share a place.
    pub rank: usize,
    /// Rating with its interval.
    pub rating: Option<Estimate>,
    /// Beyond which rating it is, if it won or lost everything; both ends, if all its pairs ended alike and were against the
    /// zero of the scale; `null` otherwise.
    pub rating_bound: Option<Interval>,
    /// A point a win, half a point a draw.
    pub points: f64,
    /// Games counted.
    pub games: u64,
    /// Games it won, lost and drew.
    #[serde(flatten)]
    pub results: Trinomial,
    /// Games it lost by its own fault.
    #[serde(flatten)]
    pub faults: FaultsWithSum,
    /// Positions it searched a second.
    pub nodes_per_second: Option<f64>,
    /// Depth of its searches, plies.
    pub mean_depth: Option<f64>,
}

/// What the games between two players came to, from the side of the first.
#[derive(Clone, Debug, Serialize)]
pub struct Pairing {
    /// Name of the first.
    pub first: String,
    /// Name of the second.
    pub second: String,
    /// Points of the first.
    pub points: f64,
    /// The first one's lead.
    #[serde(flatten)]
    pub lead: Lead,
}

impl MatchSummary {
    /// Computes every figure.
    pub fn new(run: &str, contest: &Match, effort: &Effort) -> MatchSummary {
        let spec = contest.spec();
        let games = 2 * contest.counted();
        let name = |player: usize| spec.players[player].name().to_owned();
        let pairings = contest.meetings().map(|([first, second], tally)| {
            let lead = Lead::of(tally);
            Pairing { first: name(first), second: name(second), points: lead.points(), lead }
        });
        MatchSummary {
            head: Head::of((run, MatchSpec::KIND), &spec.conditions, (games, effort), contest.watched()),
            format: spec.format,
            end: match contest.end() {
                Some(End::GoalReached) => "complete",
                Some(End::BookExhausted) => BOOK_EXHAUSTED,
                _ => "interrupted",
            },
            players: players(contest),
            pairings: pairings.collect(),
            confidence: Confidence::DEFAULT,
            games,
            question: spec.question(),
        }
    }
}

fn players(contest: &Match) -> Vec<Player> {
    let lines = contest.spec().players.iter().zip(contest.standings()).zip(contest.ratings());
    let mut players: Vec<Player> = lines
        .map(|((spec, &Standing { games: results, conduct, cost }), rating)| Player {
            named: Named::of(spec),
            rank: 0,
            rating: rating.estimate,
            rating_bound: rating.bound,
            points: results.wins as f64 + results.draws as f64 / 2.0,
            games: results.games(),
            results,
            faults: conduct.faults.into(),
            nodes_per_second: cost.nodes_per_second(),
            mean_depth: cost.depth_per_move(),
        })
        .collect();
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&one, &other| players[other].strength().total_cmp(&players[one].strength()));
    for (place, &player) in order.iter().enumerate() {
        let ahead = place.checked_sub(1).map(|ahead| &players[order[ahead]]);
        let level = ahead.filter(|ahead| ahead.strength() - players[player].strength() < SAME_STRENGTH);
        players[player].rank = level.map_or(place + 1, |ahead| ahead.rank);
    }
    players
}

/// Elo below which a difference of two ratings is one of rounding.
const SAME_STRENGTH: f64 = 1e-5;

impl Player {
    /// What ranks it: the rating; who won everything is above all who are rated, who lost everything below.
    fn strength(&self) -> f64 {
        /// Beyond every rating.
        const FAR: f64 = 1e6;
        let share = self.points / self.games.max(1) as f64;
        match (self.rating, self.rating_bound) {
            (Some(rating), _) => rating.estimate,
            // All its games were against the zero of the scale.
            (None, Some(Interval { low: Some(_), high: Some(_) })) => elo_of_score(share),
            (None, Some(Interval { low: Some(low), .. })) => FAR + low,
            (None, Some(Interval { high: Some(high), .. })) => high - FAR,
            // Of those who cannot be compared, the share of points is all that is known.
            (None, _) => share - 2.0 * FAR,
        }
    }
}
