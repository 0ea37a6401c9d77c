//! Position: the board, whose turn it is, and the legal moves.
//!
//! The engine's own chess board, made for the search: it is copied rather than unmade, carries the
//! hash keys and the phase that evaluation needs, and generates only legal moves, captures apart from
//! quiet moves. Squares, bitboards and the tables of piece attacks come from `cozy-chess` (MIT).
//! It knows both normal chess and Chess960, for which castling is always "king takes own rook".
//!
//! It does not evaluate, and it holds no earlier position: [`KeyHistory`] does.

mod board;
mod castling;
mod epd;
mod fen;
mod game;
mod generate;
mod history;
mod keys;
mod legality;
mod moves;
mod perft;
mod phase;
mod play;
mod uci;

pub use board::Position;
pub use castling::Wing;
pub use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
pub use fen::{FenError, FenField};
pub use game::Game;
pub use history::KeyHistory;
pub use moves::{Move, MoveList};
pub use perft::{divide, perft};
pub use phase::{FULL_PHASE, PHASE};
pub use uci::UciMoveError;
