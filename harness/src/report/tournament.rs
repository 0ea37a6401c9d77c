//! What came of a match: every figure, computed once, for the screen, for JSON and for the store.

use super::conduct;
use super::summary::{Book, Effort, Named};
use crate::experiment::Conditions;
use crate::game::limit::Limit;
use crate::run::conduct::Watched;
use crate::run::faults::FaultsWithSum;
use crate::run::node_use::NodesSearched;
use crate::run::tally::Tally;
use crate::run::tournament::{End, Format, Results, Standing, TournamentSpec};
use crate::statistics::ratings::{Encounter, Rating, ratings};
use crate::statistics::{Confidence, Estimate, Interval, Pentanomial, Trinomial, elo};
use serde::Serialize;

/// The report of a match; serialised, it is the object that `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentSummary {
    /// Name of the run in the store.
    pub run: String,
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
    /// Limit of each move.
    pub limit: Limit,
    /// The book.
    pub openings: Book,
    /// Decides the order of the openings.
    pub seed: u64,
    /// Games in parallel.
    pub threads: usize,
    /// Games counted.
    pub games: u64,
    /// Wall time of all sessions.
    pub seconds: f64,
    /// Games counted per second of it; none if it took no time.
    pub games_per_second: Option<f64>,
    /// Share of the threads' time spent waiting for the players' answers; none if nothing was played.
    pub utilization: Option<f64>,
    /// Players that were not seen to honour their limit of nodes.
    pub node_limits: Vec<NodesSearched>,
    #[serde(skip)]
    pub(super) question: String,
    #[serde(skip)]
    pub(super) watched: Vec<Watched>,
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
    /// Beyond which rating it is, if it won or lost everything; `null` otherwise.
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
    /// Games counted.
    pub games: u64,
    /// Games the first won, lost and drew.
    #[serde(flatten)]
    pub results: Trinomial,
    /// Pairs by the first one's score: 0, ½, 1, 1½, 2.
    pub pentanomial: Pentanomial,
    /// The first one's lead, logistic Elo.
    pub elo: Option<Estimate>,
    /// The same if all pairs fell in one category, where `elo` cannot be computed.
    pub elo_exact: Option<Interval>,
    /// The lead in normalized Elo.
    pub nelo: Option<Estimate>,
    /// Likelihood that the first is the stronger, 0 to 1.
    pub los: Option<f64>,
}

impl TournamentSummary {
    /// Computes every figure of this run, which ended so.
    pub fn new(
        (run, end): (&str, End),
        spec: &TournamentSpec,
        results: &Results,
        effort: &Effort,
    ) -> TournamentSummary {
        let Conditions { limit, openings, seed, .. } = &spec.conditions;
        let games = 2 * results.counted();
        let watched = results.watched(spec);
        let ratio = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        let pairings = results.meetings().map(|(players, tally)| Pairing::new(spec, players, tally));
        TournamentSummary {
            run: run.to_owned(),
            format: spec.format,
            end: end.as_str(),
            players: players(spec, results),
            pairings: pairings.collect(),
            confidence: Confidence::DEFAULT,
            limit: *limit,
            openings: Book::of(openings),
            seed: *seed,
            threads: effort.threads,
            games,
            seconds: effort.seconds,
            games_per_second: ratio(games as f64, effort.seconds),
            utilization: ratio(effort.search_seconds, effort.thread_seconds),
            node_limits: conduct::node_limits(&watched),
            question: spec.question(),
            watched,
        }
    }
}

/// The ratings of the players as far as it has been played.
pub fn ratings_of(spec: &TournamentSpec, results: &Results) -> Vec<Rating> {
    ratings(spec.players.len(), &encounters(results), spec.anchor(), Confidence::DEFAULT)
}

/// Who met whom, and what came of it.
pub(super) fn encounters(results: &Results) -> Vec<Encounter> {
    let encounter = |(players, tally): ([usize; 2], &Tally)| Encounter { players, pairs: tally.pairs };
    results.meetings().map(encounter).collect()
}

fn players(spec: &TournamentSpec, results: &Results) -> Vec<Player> {
    let lines = spec.players.iter().zip(results.standings()).zip(ratings_of(spec, results));
    let mut players: Vec<Player> = lines
        .map(|((spec, &Standing { games: results, conduct, cost }), rating)| Player {
            named: Named::of(spec),
            rank: 0,
            rating: rating.estimate,
            rating_bound: rating.bound,
            points: points(&results),
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
        let above = self.rating_bound.and_then(|bound| bound.low).map(|low| FAR + low);
        let below = self.rating_bound.and_then(|bound| bound.high).map(|high| high - FAR);
        let known = self.rating.map(|rating| rating.estimate).or(above).or(below);
        // Of those who cannot be compared, the share of points is all that is known.
        known.unwrap_or_else(|| self.points / self.games.max(1) as f64 - 2.0 * FAR)
    }
}

impl Pairing {
    fn new(spec: &TournamentSpec, players: [usize; 2], tally: &Tally) -> Pairing {
        let Tally { pairs, games, .. } = tally;
        let [first, second] = players.map(|player| spec.players[player].name().to_owned());
        let (sample, confidence) = (pairs.sample(), Confidence::DEFAULT);
        Pairing {
            first,
            second,
            points: points(games),
            games: games.games(),
            results: *games,
            pentanomial: *pairs,
            elo: elo::elo(&sample, confidence),
            elo_exact: elo::one_category(&pairs.0, confidence),
            nelo: elo::nelo(&sample, confidence),
            los: elo::los(&sample),
        }
    }
}

fn points(games: &Trinomial) -> f64 {
    games.wins as f64 + games.draws as f64 / 2.0
}
