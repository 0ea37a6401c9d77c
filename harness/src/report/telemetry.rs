//! Telemetry: what each side's search did over the games of a run.
//!
//! Moves, nodes, depths and times are those the referee recorded of any player. The rest are the search's own
//! counters, kept with each game since they exist and only by players that count; [`SideTelemetry::counted_games`] says
//! of how many games they speak. Everything but time is the same for any number of threads.

use super::figures::grouped;
use crate::game::record::{GameRecord, Side};
use engine::search::observer::{Counters, DepthCounts, Pruning};
use serde_json::{Map, Value, json};

/// Sums over the games of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideTelemetry {
    /// Games played.
    pub games: u64,
    /// Games of which there are counters.
    pub counted_games: u64,
    /// Moves made.
    pub moves: u64,
    /// Positions searched for them, as the player told.
    pub nodes: u64,
    /// Sum of the depths of their searches, plies.
    pub depths: u64,
    /// Time they took, microseconds.
    pub micros: u64,
    /// The search's own counters.
    pub counters: Counters,
}

/// One line of the comparison.
pub struct Figure {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// How it is written.
    pub unit: Unit,
    /// Its value; none where nothing was counted.
    pub value: fn(&SideTelemetry) -> Option<f64>,
}

/// How a figure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A large number, in whole.
    Whole,
    /// A number with two decimals.
    Decimal,
    /// A share, in per cent.
    Percent,
}

impl Unit {
    /// The figure as people read it, a dash where there is none.
    pub fn write(self, value: Option<f64>) -> String {
        match (value, self) {
            (None, _) => "-".to_owned(),
            (Some(value), Unit::Whole) => grouped(value.round() as u64),
            (Some(value), Unit::Decimal) => format!("{value:.2}"),
            (Some(value), Unit::Percent) => format!("{:.2} %", 100.0 * value),
        }
    }
}

/// Every figure, in the order of reports.
pub const FIGURES: [Figure; 13] = [
    Figure { key: "moves", name: "moves", unit: Unit::Whole, value: |side| Some(side.moves as f64) },
    Figure {
        key: "nodes_per_move",
        name: "nodes a move",
        unit: Unit::Whole,
        value: |side| ratio(side.nodes, side.moves),
    },
    Figure {
        key: "nodes_per_second",
        name: "nodes a second",
        unit: Unit::Whole,
        value: |side| ratio(side.nodes, side.micros).map(|per_micro| 1e6 * per_micro),
    },
    Figure {
        key: "mean_depth",
        name: "mean depth",
        unit: Unit::Decimal,
        value: |side| ratio(side.depths, side.moves),
    },
    Figure {
        key: "branching_factor",
        name: "branching factor",
        unit: Unit::Decimal,
        value: SideTelemetry::branching_factor,
    },
    Figure {
        key: "quiescence_share",
        name: "nodes in quiescence",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.quiescence_nodes, side.counted_nodes()),
    },
    Figure {
        key: "first_move_fail_highs",
        name: "fail highs on the first move",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.first_move_cutoffs, side.counters.cutoffs),
    },
    Figure {
        key: "aspiration_fail_lows",
        name: "aspiration windows that failed low",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.aspiration_fail_lows, side.counters.aspiration_windows),
    },
    Figure {
        key: "aspiration_fail_highs",
        name: "aspiration windows that failed high",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.aspiration_fail_highs, side.counters.aspiration_windows),
    },
    Figure {
        key: "pvs_researches",
        name: "PVS re-searches a main node",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.pvs_researches, side.counters.main_nodes),
    },
    Figure {
        key: "reduced",
        name: "moves reduced a main node",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.reduced, side.counters.main_nodes),
    },
    Figure {
        key: "reduction_researches",
        name: "reduced moves searched again",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.reduction_researches, side.counters.reduced),
    },
    Figure {
        key: "extended",
        name: "moves extended a main node",
        unit: Unit::Percent,
        value: |side| ratio(side.counters.extended, side.counters.main_nodes),
    },
];

impl SideTelemetry {
    /// Adds what one side did in a game.
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        self.games += 1;
        for played in game.moves_of(side) {
            self.moves += 1;
            self.nodes = self.nodes.saturating_add(played.nodes);
            self.depths = self.depths.saturating_add(u64::from(played.depth));
            self.micros = self.micros.saturating_add(played.micros);
        }
        if let Some(counters) = game.telemetry.of(side) {
            self.counted_games += 1;
            self.counters += counters;
        }
    }

    fn counted_nodes(&self) -> u64 {
        self.counters.main_nodes + self.counters.quiescence_nodes
    }

    /// By what factor the nodes of a search grow from one depth to the next: all nodes searched when an iteration was
    /// finished, over those when it was begun, over all finished iterations from depth 2. Under a node limit the costlier iterations
    /// are those that were not finished, so it is the factor of those that still fitted.
    pub fn branching_factor(&self) -> Option<f64> {
        let mut deeper = DepthCounts::default();
        for counts in self.counters.depths.iter().skip(1) {
            deeper += *counts;
        }
        ratio(deeper.nodes_after, deeper.nodes_before)
    }

    /// Of the searches that finished depth 1, the share that finished each depth, from 1.
    pub fn depth_shares(&self) -> Vec<f64> {
        let all = self.counters.depths.first().map_or(0, |first| first.searches);
        self.counters.depths.iter().filter_map(|counts| ratio(counts.searches, all)).collect()
    }

    /// How often a pruning happened for each node; none where nothing was counted.
    pub fn pruning_rate(&self, pruning: Pruning) -> Option<f64> {
        ratio(self.counters.prunings[pruning as usize], self.counted_nodes())
    }

    /// Every figure under its key, and the sums behind them.
    pub fn as_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("games".to_owned(), json!(self.games));
        object.insert("counted_games".to_owned(), json!(self.counted_games));
        for Figure { key, value, .. } in &FIGURES {
            object.insert((*key).to_owned(), json!(value(self)));
        }
        let counters = (self.counted_games > 0).then_some(&self.counters);
        object.insert("counters".to_owned(), json!(counters));
        Value::Object(object)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_shares_of_what_they_name_and_none_without_it() {
        let nothing = SideTelemetry::default();
        let rates = FIGURES.iter().skip(1).map(|figure| (figure.value)(&nothing));
        assert!(rates.flatten().next().is_none());
        assert_eq!((nothing.pruning_rate(Pruning::See), nothing.depth_shares()), (None, vec![]));
        assert_eq!(nothing.as_json()["counters"], Value::Null);

        let depth = |searches, nodes_before, nodes_after| DepthCounts { searches, nodes_before, nodes_after };
        let counters = Counters {
            main_nodes: 300,
            quiescence_nodes: 100,
            cutoffs: 50,
            first_move_cutoffs: 45,
            depths: vec![depth(4, 0, 40), depth(4, 40, 120), depth(2, 60, 180)],
            ..Counters::default()
        };
        let side = SideTelemetry {
            counted_games: 1,
            moves: 4,
            nodes: 400,
            depths: 10,
            micros: 200,
            counters,
            ..nothing
        };
        let figures = side.as_json();
        assert_eq!(figures["nodes_per_second"], 2e6);
        assert_eq!((&figures["mean_depth"], &figures["quiescence_share"]), (&json!(2.5), &json!(0.25)));
        assert_eq!(figures["first_move_fail_highs"], 0.9);
        assert_eq!(
            figures["branching_factor"], 3.0,
            "(120 + 180) / (40 + 60): depth 1 has nothing before it"
        );
        assert_eq!(figures["aspiration_fail_lows"], Value::Null);
        assert_eq!(side.depth_shares(), [1.0, 1.0, 0.5]);
    }

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!(Unit::Whole.write(Some(1_234_567.4)), "1,234,567");
        assert_eq!(Unit::Whole.write(Some(999.0)), "999");
        assert_eq!(Unit::Percent.write(Some(0.91234)), "91.23 %");
        assert_eq!(Unit::Decimal.write(None), "-");
    }
}
