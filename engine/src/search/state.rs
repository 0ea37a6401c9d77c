//! State of a search: what a player remembers from move to move of one game, and the search that is running.

use super::correction::CorrectionHistory;
use super::frame::Frames;
use super::history::History;
use super::limits::Budget;
use super::pv::PvTable;
use super::reduction_table::Reductions;
use super::table::Table;
use crate::evaluation::Evaluator;
use crate::params::SearchParams;
use crate::position::KeyHistory;
use crate::techniques::Techniques;

/// Memory of a player, kept from search to search of one game and cleared for the next.
pub(super) struct Memory {
    pub(super) table: Table,
    pub(super) history: History,
    pub(super) correction: CorrectionHistory,
    pub(super) evaluator: Evaluator,
    pub(super) line: Frames,
    pub(super) pv: PvTable,
    /// The keys of the game's positions and of the line being searched.
    pub(super) path: KeyHistory,
}

/// Running search.
pub(super) struct Search<'a, O> {
    pub(super) techniques: Techniques,
    pub(super) params: &'a SearchParams,
    pub(super) reductions: &'a Reductions,
    pub(super) memory: &'a mut Memory,
    pub(super) observer: &'a mut O,
    pub(super) budget: Budget<'a>,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// Only some moves of the root are searched, so its score is not that of the position.
    pub(super) is_root_restricted: bool,
    /// Set when a limit is reached: every node then returns at once, and its score is not used.
    pub(super) stopped: bool,
}
