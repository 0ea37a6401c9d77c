//! What people and programs are told: figures, progress, game files.

pub mod pgn_file;
pub mod progress;
pub mod summary;
