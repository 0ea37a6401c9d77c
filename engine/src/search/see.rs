//! Static exchange evaluation: the gain of the exchange that a move begins on its target square.
//!
//! Both sides go on capturing on one square, least valuable piece first,
//! and either may stop when going on would lose. Nothing else on the board counts. The swap algorithm
//! and its null-window form, which only tests whether a threshold is reached, are described on the
//! chess programming wiki ("SEE - The Swap Algorithm").

use crate::position::{BitBoard, Color, Move, Piece, Position, Square};
use cozy_chess::{
    get_between_rays, get_bishop_moves, get_bishop_rays, get_line_rays, get_rook_moves, get_rook_rays,
};

/// Exchange values: what a pawn, knight, bishop, rook, queen and king count in an exchange, in centipawns. Knight and
/// bishop are equal, so that trading one for the other is neither won nor lost. The king counts
/// nothing: it is never captured, and captures only what nothing defends.
pub const SEE_VALUES: [i32; Piece::NUM] = [100, 300, 300, 500, 900, 0];

/// Static exchange evaluation: whether the exchange begun by this legal move is worth at least `threshold` centipawns to
/// its side.
///
/// Pieces that lie behind others join in as the way opens. A pinned piece takes part only along the
/// line of its pin, or once the pinning piece has left. Promotion counts for the move itself, not for
/// recaptures. Castling is worth 0.
pub fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let us = position.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let Some(moved) = position.piece_on(from) else { return false };
    let arriving = mv.promotion().unwrap_or(moved);

    // From here on, `balance` is what the side that captured last has beyond what it needs.
    let mut balance = value(arriving) - value(moved) - threshold;
    if let Some(captured) = position.captured_piece(mv) {
        balance += value(captured);
    }
    if balance < 0 {
        return false;
    }
    balance -= value(arriving);
    if balance >= 0 {
        return true;
    }

    let mut occupied = (position.occupied() & !from.bitboard()) | to.bitboard();
    if mv.is_en_passant() {
        occupied &= !Square::new(to.file(), from.rank()).bitboard();
    }
    let diagonal = position.pieces(Piece::Bishop) | position.pieces(Piece::Queen);
    let straight = position.pieces(Piece::Rook) | position.pieces(Piece::Queen);
    let mut attackers = position.attackers_to(to, occupied) & occupied;
    let mut side = !us;
    loop {
        let mut own = attackers & position.colors(side);
        if !own.is_empty() {
            own &= !held_by_pins(position, side, to, occupied);
        }
        let Some((piece, square)) = least_valuable(position, own) else { break };
        occupied &= !square.bitboard();
        // A king opens the way, too: for an enemy behind it, which makes the capture illegal.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen | Piece::King) {
            attackers |= get_bishop_moves(to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen | Piece::King) {
            attackers |= get_rook_moves(to, occupied) & straight;
        }
        attackers &= occupied;
        side = !side;

        // The other side now needs one more than what would make it lose the piece for nothing.
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            // A king may not capture what is still defended, be the defender pinned or not.
            if piece == Piece::King && !(attackers & position.colors(side)).is_empty() {
                side = !side;
            }
            break;
        }
    }
    // The side that would capture next cannot, or need not: it loses the exchange.
    side != us
}

fn value(piece: Piece) -> i32 {
    SEE_VALUES[piece as usize]
}

fn least_valuable(position: &Position, attackers: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| {
        let square = (attackers & position.pieces(piece)).next_square()?;
        Some((piece, square))
    })
}

/// This side's pieces that may not capture on `to`, since they shield their king from a slider on
/// another line; `occupied` are the squares where pieces still stand.
fn held_by_pins(position: &Position, side: Color, to: Square, occupied: BitBoard) -> BitBoard {
    let king = position.king(side);
    let sliders = (get_bishop_rays(king) & position.diagonal_sliders(!side))
        | (get_rook_rays(king) & position.straight_sliders(!side));
    let mut held = BitBoard::EMPTY;
    for slider in sliders & occupied & !to.bitboard() {
        let between = get_between_rays(slider, king) & occupied;
        if between.len() == 1 {
            held |= between;
        }
    }
    held & !get_line_rays(king, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::MoveList;
    use proptest::prelude::*;

    /// Exchanges worked out by hand.
    #[test]
    fn known_exchanges() {
        let cases = [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100, "a free pawn"),
            ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0, "a trade of pawns"),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400, "a rook for a pawn"),
            ("4k3/8/4p3/3p4/8/3R4/8/3RK3 w - - 0 1", "d3d5", -300, "a rook for two pawns, the second behind"),
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500, "a quiet move into an attack"),
            ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d6", 0, "a quiet move past it"),
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100, "the back rank does not matter"),
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5",
                -200,
                "three pieces a side, two of them behind others",
            ),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100, "en passant"),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0, "en passant, recaptured"),
            ("3rk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", 100, "en passant opens the file for both sides"),
            ("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8q", 800, "a promotion"),
            ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8q", -100, "a promotion, taken"),
            ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8n", -100, "a promotion to a knight, taken"),
            ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", 1300, "a capture and a promotion"),
            ("4k3/4n3/8/3p4/8/2N5/8/6K1 w - - 0 1", "c3d5", -200, "a knight defends"),
            ("4k3/4n3/8/3p4/8/2N5/8/4R1K1 w - - 0 1", "c3d5", 100, "a pinned knight does not"),
            ("8/8/8/k1b3Q1/8/4p3/8/3N2K1 w - - 0 1", "d1e3", 100, "a bishop held by the queen"),
            ("8/8/8/k1b3Q1/8/4p3/8/6K1 w - - 0 1", "g5e3", -800, "free once the queen has moved"),
            ("4k3/4r3/8/8/4p3/8/8/4RK2 w - - 0 1", "e1e4", -400, "a pinned rook captures along the file"),
            ("8/8/8/3pk3/8/8/8/3RK3 w - - 0 1", "d1d5", -400, "a king recaptures"),
            ("8/8/8/3pk3/8/2N5/8/3RK3 w - - 0 1", "d1d5", 100, "but not what is defended"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", 0, "castling"),
        ];
        for (fen, uci, worth, why) in cases {
            let position = Position::from_fen(fen).expect(fen);
            let mv = position.parse_uci(uci).expect(uci);
            assert!(see_at_least(&position, mv, worth), "{why}: {fen} {uci} is worth {worth}");
            assert!(
                !see_at_least(&position, mv, worth + 1),
                "{why}: {fen} {uci} is worth no more than {worth}"
            );
        }
    }

    /// Board of the reference: which piece stands where, and nothing else.
    type Board = [Option<(Color, Piece)>; Square::NUM];

    /// What the whole exchange is worth, played out on a copied board by the plainest rules.
    fn exchange(position: &Position, mv: Move) -> i32 {
        if mv.is_castling() {
            return 0;
        }
        let mut board: Board =
            Square::ALL.map(|square| position.color_on(square).zip(position.piece_on(square)));
        let (us, to) = (position.side_to_move(), mv.to());
        let (_, moved) = board[mv.from() as usize].take().expect("a piece moves");
        let mut gain = board[to as usize].map_or(0, |(_, piece)| value(piece));
        if mv.is_en_passant() {
            gain += value(Piece::Pawn);
            board[Square::new(to.file(), mv.from().rank()) as usize] = None;
        }
        let arriving = mv.promotion().unwrap_or(moved);
        gain += value(arriving) - value(moved);
        board[to as usize] = Some((us, arriving));
        gain - best_reply(&board, to, !us)
    }

    /// What a side gains at best by capturing on `to` with its least valuable piece, or not at all.
    fn best_reply(board: &Board, to: Square, side: Color) -> i32 {
        let capturers = Square::ALL.into_iter().filter(|&from| {
            board[from as usize].is_some_and(|(color, _)| color == side)
                && attacks(board, from, to)
                && may_capture(board, from, to)
        });
        let kind = |square: Square| board[square as usize].expect("a capturer").1;
        let Some(from) = capturers.min_by_key(|&square| (kind(square), square)) else { return 0 };
        let gain = board[to as usize].map_or(0, |(_, piece)| value(piece));
        (gain - best_reply(&after_capture(board, from, to), to, !side)).max(0)
    }

    fn after_capture(board: &Board, from: Square, to: Square) -> Board {
        let mut after = *board;
        after[to as usize] = after[from as usize].take();
        after
    }

    /// A king may not step into any attack; another piece may not open a line to its king.
    fn may_capture(board: &Board, from: Square, to: Square) -> bool {
        let (side, piece) = board[from as usize].expect("a capturer");
        let after = after_capture(board, from, to);
        let enemies = |board: &Board| -> Vec<Square> {
            Square::ALL
                .into_iter()
                .filter(|&square| board[square as usize].is_some_and(|(color, _)| color != side))
                .collect()
        };
        if piece == Piece::King {
            return !enemies(&after).into_iter().any(|enemy| attacks(&after, enemy, to));
        }
        let is_king = |square: &Square| board[*square as usize] == Some((side, Piece::King));
        let king = Square::ALL.into_iter().find(is_king).expect("a king");
        !enemies(&after).into_iter().any(|enemy| attacks(&after, enemy, king) && !attacks(board, enemy, king))
    }

    /// Whether the piece on `from` attacks `to`, square by square.
    fn attacks(board: &Board, from: Square, to: Square) -> bool {
        let (color, piece) = board[from as usize].expect("an attacker");
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let is_diagonal = files.abs() == ranks.abs();
        let is_straight = files == 0 || ranks == 0;
        let is_open = || {
            let mut square = from.offset(files.signum(), ranks.signum());
            while square != to && board[square as usize].is_none() {
                square = square.offset(files.signum(), ranks.signum());
            }
            square == to
        };
        from != to
            && match piece {
                Piece::Pawn => files.abs() == 1 && ranks == if color == Color::White { 1 } else { -1 },
                Piece::Knight => files.abs() * ranks.abs() == 2,
                Piece::Bishop => is_diagonal && is_open(),
                Piece::Rook => is_straight && is_open(),
                Piece::Queen => (is_diagonal || is_straight) && is_open(),
                Piece::King => files.abs().max(ranks.abs()) == 1,
            }
    }

    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r2q1rk1/1b2bppp/p2ppn2/1p6/3QPP2/1BN5/PPP3PP/R1B2RK1 w - - 0 1",
        "3rr1k1/1P3ppp/1q1n4/2p1n3/2B1P1b1/1QN2N2/p4PPP/3RR1K1 w - - 0 1",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// On positions of random games, every move's threshold lies exactly where the reference says.
        #[test]
        fn agrees_with_exchanges_played_out(
            start in 0..STARTS.len(),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
            threshold in -1000..1000,
        ) {
            let mut position = Position::from_fen(STARTS[start]).expect("valid");
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            for choice in choices {
                if list.is_empty() {
                    break;
                }
                position = position.play(list[choice.index(list.len())]);
                list.clear();
                position.legal_moves(&mut list);
            }
            for &mv in list.iter() {
                let worth = exchange(&position, mv);
                for threshold in [worth - 1, worth, worth + 1, 0, threshold] {
                    prop_assert_eq!(
                        see_at_least(&position, mv, threshold),
                        worth >= threshold,
                        "{:?} in {} is worth {}, not {}", mv, &position, worth, threshold
                    );
                }
            }
        }
    }
}
