//! Observer of a search: the events that it receives, and the counters.
//!
//! The observer is a type parameter of the search: a search without one ([`Unobserved`]) is compiled without these
//! calls.

use super::score::{Bound, INFINITY};
use crate::position::Move;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::AddAssign;

/// A node as the search enters it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeInfo {
    /// Plies from the root.
    pub ply: usize,
    /// Depth left to search, plies; 0 in quiescence.
    pub depth: i32,
    /// Lower bound of the window, centipawns.
    pub alpha: i32,
    /// Upper bound of the window, centipawns.
    pub beta: i32,
    /// The node may carry the principal variation.
    pub is_pv: bool,
    /// The node is expected to cut.
    pub is_cut_node: bool,
}

/// Why a node or a move was not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// A stored bound cut the node.
    TableCutoff,
    /// The static evaluation of a quiescence node was enough.
    StandPat,
    /// The static evaluation was far above beta.
    ReverseFutility,
    /// The static evaluation was far below alpha, and quiescence agreed.
    Razoring,
    /// Passing failed high.
    NullMove,
    /// A capture beat beta by a margin in a shallower search.
    ProbCut,
    /// The singular test found a second move that beats beta.
    Multicut,
    /// A quiet move came too late in the order.
    LateMove,
    /// A quiet move had failed too often.
    History,
    /// A quiet move could not make up for the evaluation.
    Futility,
    /// The exchange would lose too much.
    See,
    /// A capture in quiescence could not reach alpha.
    Delta,
}

impl Pruning {
    /// Every kind, in the order of the discriminants.
    pub const ALL: [Pruning; 12] = [
        Pruning::TableCutoff,
        Pruning::StandPat,
        Pruning::ReverseFutility,
        Pruning::Razoring,
        Pruning::NullMove,
        Pruning::ProbCut,
        Pruning::Multicut,
        Pruning::LateMove,
        Pruning::History,
        Pruning::Futility,
        Pruning::See,
        Pruning::Delta,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Pruning::TableCutoff => "table cutoff",
            Pruning::StandPat => "stand pat",
            Pruning::ReverseFutility => "reverse futility",
            Pruning::Razoring => "razoring",
            Pruning::NullMove => "null move",
            Pruning::ProbCut => "ProbCut",
            Pruning::Multicut => "multicut",
            Pruning::LateMove => "late move pruning",
            Pruning::History => "history pruning",
            Pruning::Futility => "futility",
            Pruning::See => "SEE pruning",
            Pruning::Delta => "delta pruning",
        }
    }
}

/// The state of the search when an iteration ends, or its window fails.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a> {
    /// Depth of the iteration, plies.
    pub depth: u32,
    /// The deepest ply reached so far.
    pub selective_depth: usize,
    /// Score from the side to move at the root.
    pub score: i32,
    /// Whether the window failed, and on which side.
    pub bound: Bound,
    /// Positions searched so far.
    pub nodes: u64,
    /// Those of them that were searched before this depth was begun.
    pub nodes_before: u64,
    /// The principal variation; on a fail low that of the iteration before.
    pub pv: &'a [Move],
    /// How full the table is, in thousandths.
    pub permill_full: usize,
}

/// Receives the events of a search. Every method does nothing unless overridden.
#[allow(unused_variables)]
pub trait Observer {
    /// The root search of this depth begins, or begins anew, with this window.
    fn root_window(&mut self, depth: u32, alpha: i32, beta: i32) {}
    /// A root move beat all before it.
    fn root_improved(&mut self, depth: u32, best: Move, score: i32, bound: Bound) {}
    /// The iteration ended, or its window failed low or high.
    fn root_result(&mut self, iteration: &Iteration) {}
    /// A node is entered.
    fn enter(&mut self, node: &NodeInfo) {}
    /// The node is left with this score.
    fn leave(&mut self, node: &NodeInfo, score: i32) {}
    /// A move is tried at a node at `ply`, as the `rank`th, from 1.
    fn try_move(&mut self, ply: usize, mv: Move, rank: u32) {}
    /// A move is searched `plies` less deep.
    fn reduced(&mut self, ply: usize, plies: i32) {}
    /// A reduced move was above alpha and is searched again at full depth.
    fn reduction_researched(&mut self, ply: usize) {}
    /// A move is searched `plies` deeper, or less deep if negative.
    fn extended(&mut self, ply: usize, plies: i32) {}
    /// A move above alpha in its null window is searched again with the full one.
    fn pvs_researched(&mut self, ply: usize) {}
    /// The `rank`th move, from 1, failed high.
    fn cutoff(&mut self, ply: usize, rank: u32) {}
    /// A node or a move was pruned.
    fn pruned(&mut self, ply: usize, pruning: Pruning) {}
}

/// No observer.
pub struct Unobserved;

impl Observer for Unobserved {}

/// Counts the events, for reports. Counts of several searches are added up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Nodes of the main search.
    pub main_nodes: u64,
    /// Nodes of quiescence.
    pub quiescence_nodes: u64,
    /// Moves searched less deep.
    pub reduced: u64,
    /// Those searched again at full depth.
    pub reduction_researches: u64,
    /// Moves searched deeper.
    pub extended: u64,
    /// Moves searched again with the full window.
    pub pvs_researches: u64,
    /// Nodes left by a fail high of one of their moves.
    pub cutoffs: u64,
    /// Those where it was the first move.
    pub first_move_cutoffs: u64,
    /// Root searches begun with a window that does not hold every score.
    pub aspiration_windows: u64,
    /// Root searches that failed low.
    pub aspiration_fail_lows: u64,
    /// Root searches that failed high.
    pub aspiration_fail_highs: u64,
    /// Prunings by kind, in the order of [`Pruning::ALL`].
    #[serde(with = "prunings_by_name")]
    pub prunings: [u64; Pruning::ALL.len()],
    /// Finished iterations by depth, from depth 1.
    pub depths: Vec<DepthCounts>,
}

/// What it took to finish the iterations of one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthCounts {
    /// Searches that finished the depth.
    pub searches: u64,
    /// Nodes these searches had searched before they began it.
    pub nodes_before: u64,
    /// Nodes they had searched when they finished it.
    pub nodes_after: u64,
}

impl AddAssign for DepthCounts {
    fn add_assign(&mut self, other: DepthCounts) {
        let DepthCounts { searches, nodes_before, nodes_after } = other;
        self.searches += searches;
        self.nodes_before += nodes_before;
        self.nodes_after += nodes_after;
    }
}

impl Counters {
    /// Counts from zero again; the memory for depths is kept.
    pub fn clear(&mut self) {
        let mut depths = std::mem::take(&mut self.depths);
        depths.clear();
        *self = Counters { depths, ..Counters::default() };
    }

    /// The counts of a depth, from 1.
    fn at_depth(&mut self, depth: usize) -> &mut DepthCounts {
        if self.depths.len() < depth {
            self.depths.resize(depth, DepthCounts::default());
        }
        &mut self.depths[depth - 1]
    }
}

impl AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        // Taken apart, so that a new counter is not forgotten here.
        let Counters {
            main_nodes,
            quiescence_nodes,
            reduced,
            reduction_researches,
            extended,
            pvs_researches,
            cutoffs,
            first_move_cutoffs,
            aspiration_windows,
            aspiration_fail_lows,
            aspiration_fail_highs,
            prunings,
            depths,
        } = other;
        self.main_nodes += main_nodes;
        self.quiescence_nodes += quiescence_nodes;
        self.reduced += reduced;
        self.reduction_researches += reduction_researches;
        self.extended += extended;
        self.pvs_researches += pvs_researches;
        self.cutoffs += cutoffs;
        self.first_move_cutoffs += first_move_cutoffs;
        self.aspiration_windows += aspiration_windows;
        self.aspiration_fail_lows += aspiration_fail_lows;
        self.aspiration_fail_highs += aspiration_fail_highs;
        for (sum, count) in self.prunings.iter_mut().zip(prunings) {
            *sum += count;
        }
        for (depth, counts) in (1..).zip(depths) {
            *self.at_depth(depth) += *counts;
        }
    }
}

/// Prunings are stored under their names, so that a new kind leaves what was stored before readable.
mod prunings_by_name {
    use super::Pruning;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    type Counts = [u64; Pruning::ALL.len()];

    pub fn serialize<S: Serializer>(counts: &Counts, serializer: S) -> Result<S::Ok, S::Error> {
        let happened = Pruning::ALL.iter().zip(counts).filter(|(_, count)| **count > 0);
        serializer.collect_map(happened.map(|(pruning, count)| (pruning.name(), count)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Counts, D::Error> {
        let mut counts = Counts::default();
        for (name, count) in BTreeMap::<String, u64>::deserialize(deserializer)? {
            let pruning = Pruning::ALL.into_iter().find(|pruning| pruning.name() == name);
            let pruning = pruning
                .ok_or_else(|| D::Error::custom(format!("\"{name}\" is no pruning this version knows")))?;
            counts[pruning as usize] = count;
        }
        Ok(counts)
    }
}

impl Observer for Counters {
    fn root_window(&mut self, _depth: u32, alpha: i32, beta: i32) {
        self.aspiration_windows += u64::from(alpha > -INFINITY || beta < INFINITY);
    }

    fn root_result(&mut self, iteration: &Iteration) {
        let &Iteration { depth, nodes, nodes_before, .. } = iteration;
        match iteration.bound {
            Bound::Exact => {
                *self.at_depth(depth as usize) +=
                    DepthCounts { searches: 1, nodes_before, nodes_after: nodes };
            }
            Bound::Lower => self.aspiration_fail_highs += 1,
            Bound::Upper => self.aspiration_fail_lows += 1,
        }
    }

    fn enter(&mut self, node: &NodeInfo) {
        match node.depth > 0 {
            true => self.main_nodes += 1,
            false => self.quiescence_nodes += 1,
        }
    }

    fn reduced(&mut self, _ply: usize, _plies: i32) {
        self.reduced += 1;
    }

    fn reduction_researched(&mut self, _ply: usize) {
        self.reduction_researches += 1;
    }

    fn extended(&mut self, _ply: usize, plies: i32) {
        self.extended += u64::from(plies > 0);
    }

    fn pvs_researched(&mut self, _ply: usize) {
        self.pvs_researches += 1;
    }

    fn cutoff(&mut self, _ply: usize, rank: u32) {
        self.cutoffs += 1;
        self.first_move_cutoffs += u64::from(rank == 1);
    }

    fn pruned(&mut self, _ply: usize, pruning: Pruning) {
        self.prunings[pruning as usize] += 1;
    }
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "{:<28}{:>12}", "nodes, main search", self.main_nodes)?;
        writeln!(f, "{:<28}{:>12}", "nodes, quiescence", self.quiescence_nodes)?;
        writeln!(
            f,
            "{:<28}{:>12}   {:.1} % of them by the first move",
            "fail highs",
            self.cutoffs,
            share(self.first_move_cutoffs, self.cutoffs)
        )?;
        writeln!(
            f,
            "{:<28}{:>12}   {:.1} % of them searched again",
            "moves reduced",
            self.reduced,
            share(self.reduction_researches, self.reduced)
        )?;
        writeln!(f, "{:<28}{:>12}", "moves extended", self.extended)?;
        writeln!(
            f,
            "{:<28}{:>12}   {:.2} % of main nodes",
            "PVS re-searches",
            self.pvs_researches,
            share(self.pvs_researches, self.main_nodes)
        )?;
        writeln!(f, "{:<28}{:>12}", "aspiration fail lows", self.aspiration_fail_lows)?;
        write!(f, "{:<28}{:>12}", "aspiration fail highs", self.aspiration_fail_highs)?;
        for (pruning, count) in Pruning::ALL.iter().zip(self.prunings) {
            write!(f, "\n{:<28}{count:>12}", pruning.name())?;
        }
        Ok(())
    }
}
