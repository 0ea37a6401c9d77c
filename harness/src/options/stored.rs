//! From a stored run back to the options that describe it: to play it again, and to see what differs from what is asked now.

use super::RunOptions;
use crate::conditions::{Conditions, OpeningsSpec};
use crate::game::adjudication::Adjudication;
use crate::game::limit::Limit;
use crate::statistics::SprtBounds;

impl From<&Conditions> for RunOptions {
    fn from(conditions: &Conditions) -> RunOptions {
        let Conditions { limit, openings, seed, hash_megabytes, time_margin, adjudication } = conditions;
        let Limit { nodes, depth, movetime, tc } = *limit;
        let OpeningsSpec { file, order, plies, first, skip_bad, .. } = openings;
        let Adjudication { resign, draw, max_moves, syzygy } = adjudication;
        RunOptions {
            nodes,
            depth,
            movetime,
            tc,
            openings: Some(file.into()),
            order: Some(*order),
            plies: *plies,
            skip_bad_openings: skip_bad.then_some(true),
            start: (*first > 0).then_some(first + 1),
            seed: Some(*seed),
            hash: Some(*hash_megabytes),
            time_margin: *time_margin,
            resign: *resign,
            draw: *draw,
            max_moves: *max_moves,
            syzygy: syzygy.as_ref().map(|rule| rule.folders.clone()),
            syzygy_adjudicate: syzygy.as_ref().map(|rule| rule.decides),
            syzygy_pieces: syzygy.as_ref().and_then(|rule| rule.pieces),
            ..RunOptions::default()
        }
    }
}

impl From<&SprtBounds> for RunOptions {
    fn from(test: &SprtBounds) -> RunOptions {
        RunOptions {
            elo0: Some(test.elo0()),
            elo1: Some(test.elo1()),
            alpha: Some(test.alpha()),
            beta: Some(test.beta()),
            model: Some(test.model()),
            trinomial: Some(test.asks_for_games()),
            ..RunOptions::default()
        }
    }
}
