//! Search: given a game and limits, the best move and its score.
//!
//! `node.rs` is one node in numbered steps; every other file holds one subject. A [`Searcher`] is one player: its
//! configuration and its memory of the present game.

mod correction;
mod effort;
mod extensions;
mod frame;
mod history;
mod limits;
mod node;
pub mod observer;
mod ordering;
mod path;
mod pruning;
mod pv;
mod pvs;
mod quiescence;
mod quiets;
mod reduction_table;
mod reductions;
mod root;
mod score;
mod searcher;
pub mod see;
mod state;
mod static_evaluation;
mod stored;
mod table;
mod task;
mod visit;

pub use limits::{Clock, Limits, Signals};
pub use pv::Line;
pub use score::{Bound, DRAW, INFINITY, MATE, MAX_PLY, is_mate, moves_to_mate};
pub use searcher::{SearchResult, Searcher};
