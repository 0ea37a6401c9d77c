//! Search stack: one frame for each ply of the line, read by the plies below it and by sibling nodes.

use super::score::MAX_PLY;
use crate::position::{Color, Move, Piece, Position, Square};

/// Piece and destination of a move, the index of the history tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo {
    /// Whose piece.
    pub color: Color,
    /// Which piece.
    pub piece: Piece,
    /// Its destination (castling: the rook's square, as moves have it).
    pub to: Square,
}

impl PieceTo {
    /// What `mv` does in `position`.
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        let piece = position.piece_on(mv.from()).unwrap_or(Piece::King);
        PieceTo { color: position.side_to_move(), piece, to: mv.to() }
    }
}

/// Killers: the two quiet moves that cut last at a ply.
pub type Killers = [Option<Move>; 2];

/// Frame: one ply of the search stack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The move being searched from here; none for a null move.
    pub played: Option<PieceTo>,
    /// A null move was made from here.
    pub is_null_move: bool,
    /// Static evaluation, corrected; none in check.
    pub evaluation: Option<i32>,
    /// Excluded move of a singular verification.
    pub excluded: Option<Move>,
    /// The node is, or once was, on a principal variation.
    pub was_pv: bool,
    /// Double extensions on the line so far.
    pub double_extensions: i32,
    /// Fail highs of the nodes at this ply since their grandparent was entered.
    pub cutoffs: i32,
    /// The quiet moves that cut last at this ply.
    pub killers: Killers,
}

/// Search stack, from the root.
pub struct Frames {
    frames: Box<[Frame]>,
}

impl Frames {
    /// An empty stack.
    pub fn new() -> Frames {
        // Two plies more than a line may have: a node writes to the frame of its grandchildren.
        Frames { frames: vec![Frame::default(); MAX_PLY + 2].into() }
    }

    /// Clears every frame.
    pub fn clear(&mut self) {
        self.frames.fill(Frame::default());
    }

    /// The frame so many plies before `ply`, if there is one.
    pub fn before(&self, ply: usize, plies: usize) -> Option<&Frame> {
        ply.checked_sub(plies).map(|earlier| &self.frames[earlier])
    }
}

impl std::ops::Index<usize> for Frames {
    type Output = Frame;
    fn index(&self, ply: usize) -> &Frame {
        &self.frames[ply]
    }
}

impl std::ops::IndexMut<usize> for Frames {
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply]
    }
}
