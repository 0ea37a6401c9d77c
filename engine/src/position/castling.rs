//! Castling rights: which rook castles to where, and whether it may now.
//!
//! The rules are those of Chess960 (FIDE Laws of Chess, guidelines II), of which normal castling is a
//! case: wherever king and rook start, they arrive on g1 and f1, or on c1 and d1.

use super::board::Position;
use super::moves::{Move, MoveList};
use cozy_chess::get_between_rays;
use cozy_chess::{Color, File, Rank, Square};

/// The side of the board a king castles to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wing {
    /// Towards the h-file: the king arrives on the g-file, the rook on the f-file.
    King,
    /// Towards the a-file: the king arrives on the c-file, the rook on the d-file.
    Queen,
}

impl Wing {
    /// Both wings.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The wing to which a king on `king` castles with the rook on `rook`.
    #[inline]
    pub(super) fn of(king: Square, rook: Square) -> Wing {
        if rook > king { Wing::King } else { Wing::Queen }
    }

    /// Where king and rook arrive.
    #[inline]
    pub(super) fn destinations(self, color: Color) -> (Square, Square) {
        let (king_file, rook_file) = match self {
            Wing::King => (File::G, File::F),
            Wing::Queen => (File::C, File::D),
        };
        (Square::new(king_file, back_rank(color)), Square::new(rook_file, back_rank(color)))
    }
}

/// The rank a side's pieces start on.
#[inline]
pub(super) fn back_rank(color: Color) -> Rank {
    Rank::First.relative_to(color)
}

impl Position {
    /// Where the rook stands that this side may still castle with to this wing, blocked or not.
    pub fn castling_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        let king = self.king(color);
        (self.castling & self.colors(color)).iter().find(|&rook| Wing::of(king, rook) == wing)
    }

    /// Whether a castling right exists that normal chess does not have.
    pub fn is_chess960(&self) -> bool {
        self.castling.iter().any(|rook| {
            let from_edge = matches!(rook.file(), File::A | File::H);
            let king = if rook.rank() == Rank::First { Color::White } else { Color::Black };
            !from_edge || self.king(king).file() != File::E
        })
    }

    /// Appends the castling moves that are legal now.
    #[inline]
    pub(super) fn push_castling(&self, list: &mut MoveList) {
        let us = self.side_to_move;
        for rook in self.castling & self.colors(us) {
            if self.can_castle(rook) {
                list.push(Move::castling(self.king(us), rook));
            }
        }
    }

    /// Whether the side to move can castle now with the rook on this square, for which it has the right.
    ///
    /// A pinned rook shields its king from a slider at the edge of the back rank; wherever the two
    /// arrive, the rook then no longer does. Otherwise king and rook, which leave nothing but squares
    /// of the back rank behind them, cannot uncover an attack.
    pub(super) fn can_castle(&self, rook: Square) -> bool {
        let us = self.side_to_move;
        let king = self.king(us);
        let (king_to, rook_to) = Wing::of(king, rook).destinations(us);
        let both = king.bitboard() | rook.bitboard();
        let king_path = get_between_rays(king, king_to) | king_to.bitboard();
        let rook_path = get_between_rays(rook, rook_to) | rook_to.bitboard();
        let must_be_empty = king_path | rook_path | get_between_rays(king, rook);
        let others = self.occupied() & !both;
        self.checkers.is_empty()
            && (must_be_empty & others).is_empty()
            && !self.pinned.has(rook)
            && (king_path & !king.bitboard())
                .iter()
                .all(|square| !self.is_attacked_by(!us, square, self.occupied() & !king.bitboard()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn castlings(fen: &str) -> Vec<String> {
        let position = Position::from_fen(fen).expect(fen);
        let mut list = MoveList::new();
        position.push_castling(&mut list);
        list.iter().map(|mv| mv.to_uci(true)).collect()
    }

    #[test]
    fn the_king_passes_no_attacked_square() {
        assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), ["e1a1", "e1h1"]);
        assert_eq!(castlings("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1"), ["e1a1"]);
        assert_eq!(
            castlings("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
            ["e1a1", "e1h1"],
            "only the rook passes b1"
        );
        assert_eq!(castlings("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), ["e1h1"]);
        assert_eq!(castlings("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1"), [] as [&str; 0], "in check");
        assert_eq!(castlings("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1"), [] as [&str; 0], "in the way");
    }

    #[test]
    fn a_rook_that_shields_its_king_may_not_castle() {
        // The king stays on c1, the rook leaves b1 to the queen behind it.
        assert_eq!(castlings("4k3/8/8/8/8/8/8/qRK5 w B - 0 1"), [] as [&str; 0]);
        assert_eq!(castlings("4k3/8/8/8/8/8/8/1RK5 w B - 0 1"), ["c1b1"]);
        // King f1 and rook g1 change places; the rook on h1 would check.
        assert_eq!(castlings("4k3/8/8/8/8/8/8/5KRr w G - 0 1"), [] as [&str; 0]);
        assert_eq!(castlings("4k3/8/8/8/8/8/8/5KRb w G - 0 1"), ["f1g1"]);
    }

    #[test]
    fn a_king_far_from_its_goal_needs_the_whole_way_free() {
        assert_eq!(castlings("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1"), ["b1g1"]);
        assert_eq!(castlings("4k3/8/8/8/8/8/8/1K3NR1 w G - 0 1"), [] as [&str; 0]);
        assert_eq!(castlings("4k3/8/8/8/8/8/8/RN4K1 w A - 0 1"), [] as [&str; 0]);
        assert_eq!(castlings("3rk3/8/8/8/8/8/8/R5K1 w A - 0 1"), [] as [&str; 0], "d1 is attacked");
    }
}
