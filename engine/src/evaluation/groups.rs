//! Groups of weights: those that the evaluation has, and what each means.
//!
//! Every group of weights is one entry of the table below. The keys of `[eval]` in configs, the layout of
//! [`EvalWeights`](super::EvalWeights), the list that a fit writes and the documentation come from it; the
//! shipped values are in `shipped.rs`, which a fit writes.

use crate::suggest::nearest;
use std::mem::{offset_of, size_of};
use std::ops::{Range, RangeInclusive};

/// What a weight is multiplied with, and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Centipawns, added for White and subtracted for Black.
    Linear,
    /// Units of danger to a king. A side's danger costs the square of its units: see
    /// [`danger_cost`](super::danger_cost).
    Danger,
    /// 64ths of the middlegame and the endgame value that count.
    Scale,
}

impl Kind {
    /// What each half of such a weight may be.
    pub const fn range(self) -> RangeInclusive<i32> {
        match self {
            Kind::Linear => -4000..=4000,
            Kind::Danger => -400..=400,
            Kind::Scale => 0..=128,
        }
    }
}

/// What the table says about one group of weights.
#[derive(Debug)]
pub struct GroupInfo {
    /// The key in `[eval]`.
    pub name: &'static str,
    /// What its weights are.
    pub kind: Kind,
    /// The index of its first weight.
    pub start: usize,
    /// How many weights it has, each with a middlegame and an endgame half.
    pub size: usize,
    /// What it means, and by what its weights are indexed.
    pub doc: &'static str,
}

impl GroupInfo {
    /// The group of that name, or else the nearest name.
    ///
    /// # Errors
    /// There is none; the nearest name, if one comes close.
    pub fn find(name: &str) -> Result<&'static GroupInfo, Option<&'static str>> {
        let found = GROUPS.iter().find(|info| info.name == name);
        found.ok_or_else(|| nearest(name, GROUPS.iter().map(|info| info.name)))
    }

    /// The indices of its weights.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.start + self.size
    }

    /// The group of the weight with this index, and the place in it.
    pub fn of(index: usize) -> (&'static GroupInfo, usize) {
        let info = GROUPS.iter().find(|info| info.range().contains(&index)).expect("an index of a weight");
        (info, index - info.start)
    }
}

/// Turns the table into [`GROUPS`], [`COUNT`] and the index of each group's first weight.
macro_rules! groups {
    ($( $(#[doc = $doc:literal])+ $index:ident $name:ident [$size:literal] $kind:ident; )+) => {
        /// Its offsets are the indices.
        #[repr(C)]
        struct Layout { $($name: [u8; $size],)+ }

        $( $(#[doc = $doc])+ pub const $index: usize = offset_of!(Layout, $name); )+

        /// The number of all weights.
        pub const COUNT: usize = size_of::<Layout>();

        /// The table of all groups, in the order of the weights.
        pub static GROUPS: &[GroupInfo] = &[$(
            GroupInfo {
                name: stringify!($name),
                kind: Kind::$kind,
                start: offset_of!(Layout, $name),
                size: $size,
                doc: concat!($($doc),+).trim_ascii(),
            },
        )+];
    };
}

groups! {
    /// worth of a pawn, knight, bishop, rook and queen
    MATERIAL material [5] Linear;
    /// a pawn by its square: second rank first, a-file to d-file, the other half mirrored
    PAWN_SQUARES pawn_squares [24] Linear;
    /// a knight by its square: first rank first, a-file to d-file, the other half mirrored
    KNIGHT_SQUARES knight_squares [32] Linear;
    /// a bishop by its square, as for knights
    BISHOP_SQUARES bishop_squares [32] Linear;
    /// a rook by its square, as for knights
    ROOK_SQUARES rook_squares [32] Linear;
    /// a queen by its square, as for knights
    QUEEN_SQUARES queen_squares [32] Linear;
    /// a king by its square, as for knights
    KING_SQUARES king_squares [32] Linear;
    /// having the move
    TEMPO tempo [1] Linear;
    /// two or more bishops
    BISHOP_PAIR bishop_pair [1] Linear;

    /// a knight by the number of squares it can go to that no enemy pawn guards
    KNIGHT_MOBILITY knight_mobility [9] Linear;
    /// a bishop by the same, seeing through queens
    BISHOP_MOBILITY bishop_mobility [14] Linear;
    /// a rook by the same, seeing through queens and own rooks
    ROOK_MOBILITY rook_mobility [15] Linear;
    /// a queen by the same
    QUEEN_MOBILITY queen_mobility [28] Linear;

    /// a rook on a file without pawns
    ROOK_OPEN_FILE rook_open_file [1] Linear;
    /// a rook on a file without own pawns
    ROOK_HALF_OPEN_FILE rook_half_open_file [1] Linear;
    /// a rook on the seventh rank before an enemy king on the eighth, or with enemy pawns on the seventh
    ROOK_ON_SEVENTH rook_on_seventh [1] Linear;
    /// a rook on the file of an own passed pawn, behind it
    ROOK_BEHIND_PASSER rook_behind_passer [1] Linear;
    /// a knight, and a bishop, guarded by a pawn on ranks four to six where no enemy pawn can drive it away
    OUTPOST outpost [2] Linear;
    /// a knight or bishop with a pawn of either side right before it
    MINOR_BEHIND_PAWN minor_behind_pawn [1] Linear;
    /// for each bishop, each own pawn on squares of its colour
    BISHOP_PAWNS bishop_pawns [1] Linear;

    /// a pawn without own pawns on the files beside it
    ISOLATED_PAWN isolated_pawn [1] Linear;
    /// a pawn with an own one in front of it on its file
    DOUBLED_PAWN doubled_pawn [1] Linear;
    /// a pawn whose neighbours have all gone ahead and that a pawn would take if it followed
    BACKWARD_PAWN backward_pawn [1] Linear;
    /// an isolated or backward pawn with no enemy pawn before it on its file
    WEAK_UNOPPOSED_PAWN weak_unopposed_pawn [1] Linear;
    /// a pawn guarded by a pawn, or with one beside it, by rank from the second to the seventh
    CONNECTED_PAWN connected_pawn [6] Linear;
    /// a pawn with one beside it, by rank as above
    PHALANX phalanx [6] Linear;
    /// each pawn that guards a pawn
    PAWN_SUPPORT pawn_support [1] Linear;
    /// a pawn with no enemy pawn before it on its file and at least as many supporters as enemy pawns that
    /// guard its way, by rank from the second to the sixth
    CANDIDATE_PASSER candidate_passer [5] Linear;

    /// a pawn that no enemy pawn can stop, by rank from the second to the seventh
    PASSED_PAWN passed_pawn [6] Linear;
    /// the same with a piece on the square in front of it
    BLOCKED_PASSER blocked_passer [6] Linear;
    /// the same with the square in front of it empty and not attacked by the enemy
    SAFE_PASSER safe_passer [6] Linear;
    /// the same with its whole way empty and not attacked by the enemy
    FREE_PASSER free_passer [6] Linear;
    /// a passed pawn guarded by a pawn
    GUARDED_PASSER guarded_passer [1] Linear;
    /// king moves of the enemy king to the square before a passer, for each rank of it beyond the third
    PASSER_ENEMY_KING_DISTANCE passer_enemy_king_distance [1] Linear;
    /// king moves of the own king to the square before a passer, for each rank of it beyond the third
    PASSER_OWN_KING_DISTANCE passer_own_king_distance [1] Linear;

    /// the own pawn nearest before the king on each of three files, by distance in ranks; 0: none
    SHELTER shelter [7] Linear;
    /// one of these files without pawns of either side
    OPEN_FILE_AT_KING open_file_at_king [1] Linear;
    /// the enemy pawn nearest before the king on each of these files, by distance in ranks; 0: none
    STORM storm [7] Linear;
    /// an enemy pawn that storms right into an own one
    BLOCKED_STORM blocked_storm [1] Linear;

    /// a knight, bishop, rook and queen of the enemy attacked by a pawn
    THREAT_BY_PAWN threat_by_pawn [4] Linear;
    /// a pawn, knight, bishop, rook and queen of the enemy attacked by a knight or bishop; the first three
    /// only if no pawn guards them
    THREAT_BY_MINOR threat_by_minor [5] Linear;
    /// the same by a rook
    THREAT_BY_ROOK threat_by_rook [5] Linear;
    /// an enemy piece or pawn attacked by the king that no pawn guards
    THREAT_BY_KING threat_by_king [1] Linear;
    /// an enemy piece or pawn that is attacked and not defended
    HANGING hanging [1] Linear;
    /// an enemy piece that a pawn could attack by a safe step
    PAWN_PUSH_THREAT pawn_push_threat [1] Linear;
    /// each square that an enemy piece attacks, no enemy pawn guards, and an own piece attacks too
    CONTESTED_SQUARE contested_square [1] Linear;
    /// each square of the four middle files on ranks two to four, without own pawn, that no enemy pawn attacks
    SPACE space [1] Linear;

    /// a knight, bishop, rook and queen that attacks squares next to the enemy king
    DANGER_ATTACKER danger_attacker [4] Danger;
    /// each such square that a piece attacks, for every piece anew
    DANGER_SQUARE danger_square [1] Danger;
    /// having no queen to attack with
    DANGER_NO_QUEEN danger_no_queen [1] Danger;
    /// each such square that is attacked and that only the king or its queen defends
    DANGER_WEAK_SQUARE danger_weak_square [1] Danger;
    /// each square from which a knight, bishop, rook and queen can give check without being taken
    DANGER_SAFE_CHECK danger_safe_check [4] Danger;
    /// each attacked square of the king's half of the board and its files, twice if attacked twice
    DANGER_FLANK_ATTACK danger_flank_attack [1] Danger;
    /// each defended square of the same
    DANGER_FLANK_DEFENCE danger_flank_defence [1] Danger;
    /// each of the three files before the king without a pawn of its own
    DANGER_HOLE danger_hole [1] Danger;

    /// by the number of pawns of the side that is ahead, where none of the cases below applies
    SCALE_PAWNS scale_pawns [9] Scale;
    /// one bishop each on squares of different colours, and nothing else but pawns
    SCALE_OPPOSITE_BISHOPS scale_opposite_bishops [1] Scale;
    /// the same with other pieces on the board
    SCALE_OPPOSITE_BISHOPS_AND_PIECES scale_opposite_bishops_and_pieces [1] Scale;
    /// the side that is ahead has no pawn and at most a knight or bishop more than the other
    SCALE_NO_PAWNS scale_no_pawns [1] Scale;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_weight_belongs_to_one_group_and_every_name_is_one() {
        let mut next = 0;
        for info in GROUPS {
            assert_eq!(info.start, next, "{}", info.name);
            assert!(!info.doc.is_empty() && !info.doc.contains("  "), "{}", info.doc);
            next += info.size;
        }
        assert_eq!(next, COUNT);
        assert_eq!(GROUPS.iter().map(|info| info.name).collect::<BTreeSet<_>>().len(), GROUPS.len());
        let (info, place) = GroupInfo::of(KNIGHT_MOBILITY + 3);
        assert_eq!((info.name, place), ("knight_mobility", 3));
    }

    #[test]
    fn an_unknown_group_has_its_nearest_name() {
        assert_eq!(GroupInfo::find("outposts").unwrap_err(), Some("outpost"));
        assert_eq!(GroupInfo::find("qqqqqqqqqqqq").unwrap_err(), None);
    }
}
