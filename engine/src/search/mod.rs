//! How the engine finds its move: everything between a position and the move it plays there.

pub mod see;
