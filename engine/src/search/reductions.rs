//! Late move reductions: the later a move comes in the order, the less deep it is searched.
//!
//! The move ordering is good, so a late move is probably bad, and a shallower null-window search is enough to show it. If
//! that search fails high, the move is searched again at full depth. It loses when the shallow search fails low where
//! the deep one would not. The logarithmic form is Stockfish's (GPL-3.0), in the terms of the chess programming
//! wiki's "Late Move Reductions".

use super::observer::Observer;
use super::state::Search;
use super::task::NodeKind;

/// What a reduction depends on besides the node.
#[derive(Clone, Copy)]
pub struct LateMove {
    /// Depth of the node, plies.
    pub depth: i32,
    /// Its place among the moves tried, from 1.
    pub rank: u32,
    /// Quiet-move score of a quiet move; none for others.
    pub quiet_score: Option<i32>,
    /// The node is expected to cut.
    pub cut_node: bool,
    /// The hash move of the node is a capture.
    pub hash_move_is_capture: bool,
}

impl<O: Observer> Search<'_, O> {
    /// By how many plies the move is reduced, before it is known how deep it would have been searched; 0 or less: not.
    pub(super) fn reduction<N: NodeKind>(&self, ply: usize, late: LateMove) -> i32 {
        let (techniques, params) = (&self.techniques, self.params);
        if !techniques.lmr || late.depth < params.lmr_min_depth || late.rank <= params.lmr_min_moves as u32 {
            return 0;
        }
        let is_all_node = !N::PV && !late.cut_node;
        // The deeper the search and the later the move, the less the move can be expected to change the score.
        let mut plies = self.reductions.plies(late.depth, late.rank);
        // A quiet move that has often been best elsewhere deserves more depth, one that has often failed less.
        if let Some(score) = late.quiet_score {
            let most = params.lmr_history_max;
            plies -= (score / params.lmr_history_divisor).clamp(-most, most);
        }
        // A cut node fails high by one of its first moves; if those did not, a late one hardly will.
        if techniques.cut_node_reductions && late.cut_node {
            plies += params.lmr_cut_node;
        }
        // An all-node fails low only if every move does, so each of them counts.
        if techniques.all_node_reductions && is_all_node {
            plies -= params.lmr_all_node;
        }
        // On the principal variation an error is seen at the root; where the variation once ran it may run again.
        if N::PV {
            plies -= 1;
        } else if techniques.tt_pv_reductions && self.memory.line[ply].was_pv {
            plies -= params.lmr_tt_pv;
        }
        // The replies to the moves before failed high often: the position is bad for the side to move, and so is this move.
        if techniques.cutoff_reductions && self.memory.line[ply + 1].cutoffs > params.lmr_cutoff_count {
            plies += params.lmr_cutoff_plies;
            if is_all_node {
                plies += params.lmr_cutoff_all_node_plies;
            }
        }
        // The best move is probably a capture, and then the quiet moves after it are seldom better.
        if techniques.tt_capture_reductions && late.hash_move_is_capture {
            plies += if N::PV { params.lmr_tt_capture_pv } else { params.lmr_tt_capture };
        }
        plies
    }
}
