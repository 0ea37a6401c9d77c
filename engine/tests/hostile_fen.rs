//! FEN fuzzing: the reader survives any input, and what it accepts is a legal position.

use engine::position::{Color, Move, MoveList, Piece, Position, Rank};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const SAMPLES: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/8/8/8/8/qRK4R w BH - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "8/P6k/8/8/8/8/6Kp/8 w - - 149 9999",
];

/// Everything that the rest of the engine takes for granted about a position it is handed.
fn assert_sound(position: &Position, fen: &str) {
    for color in Color::ALL {
        assert_eq!(position.colored_pieces(color, Piece::King).len(), 1, "{fen}");
        assert!(position.colors(color).len() <= 16, "{fen}");
    }
    let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
    assert!((position.pieces(Piece::Pawn) & ends).is_empty(), "{fen}");
    assert!(position.checkers().len() <= 2, "{fen}");
    assert_eq!(Position::from_fen(&position.to_string()).as_ref(), Ok(position), "{fen}");
    assert_eq!(Position::from_fen(&position.shredder_fen()).as_ref(), Ok(position), "{fen}");

    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    assert!(list.len() <= 218, "{fen}");
    assert_eq!(position.has_legal_move(), !list.is_empty(), "{fen}");
    for &mv in list.iter() {
        assert!(position.is_legal(mv), "{fen} {mv:?}");
        for uci in [mv.to_uci(true), mv.to_uci(false)] {
            assert!(position.parse_uci(&uci).is_ok(), "{fen} {uci}");
        }
        let us = position.side_to_move();
        let child = position.play(mv);
        assert!(!child.is_attacked_by(!us, child.king(us), child.occupied()), "{fen} {mv:?}");
    }
    let en_passants = list.iter().filter(|mv| mv.is_en_passant()).count();
    assert_eq!(position.en_passant().is_some(), en_passants > 0, "{fen}");
    if !position.in_check() {
        position.play_null();
    }
}

fn read(fen: &str) {
    if let Ok(position) = Position::from_fen(fen) {
        assert_sound(&position, fen);
    }
}

/// Text made of what FENs are made of, so that many a field is nearly right.
fn plausible_text() -> impl Strategy<Value = String> {
    "[1-8pnbrqkPNBRQK/]{0,70}( [wb])?( [KQkqA-Ha-h-]{1,4})?( [a-h][1-8]| -)?( [0-9]{1,5}){0,2}"
}

/// Eight ranks of eight squares with one king each, so that most boards get past the first checks.
fn random_board() -> impl Strategy<Value = String> {
    let square = prop_oneof![
        6 => Just('1'),
        4 => prop::sample::select(vec!['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q']),
    ];
    let board = prop::collection::vec(square, 64);
    // Few random boards allow castling or en passant, so most do not claim them.
    let tail = "[wb] (-|-|-|-|[KQ]{1,2}|[kq]{1,2}|[A-Ha-h]{1,4}) (-|-|-|[a-h][36])";
    (board, 0..64usize, 0..64usize, 0..12usize, tail).prop_map(|(mut squares, white, black, keep, tail)| {
        // Thin out: too many pieces break the rules, and make checks by three pieces common.
        for (index, square) in squares.iter_mut().enumerate() {
            let is_pawn_at_the_end = "Pp".contains(*square) && !(8..56).contains(&index);
            if index % 12 < keep || is_pawn_at_the_end {
                *square = '1';
            }
        }
        squares[white] = 'K';
        squares[black] = 'k';
        let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
        format!("{} {tail}", ranks.join("/"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn arbitrary_text(text in any::<String>()) {
        read(&text);
        let _ = Position::start().parse_uci(&text);
    }

    #[test]
    fn text_made_of_what_fens_are_made_of(text in plausible_text()) {
        read(&text);
    }

    #[test]
    fn random_boards(fen in random_board()) {
        read(&fen);
    }

    #[test]
    fn mutated_fens(
        sample in 0..SAMPLES.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3u8, "[ -~é]"), 1..4),
    ) {
        let mut text: Vec<char> = SAMPLES[sample].chars().collect();
        for (index, edit, letter) in edits {
            let at = index.index(text.len());
            let letter = letter.chars().next().unwrap_or('-');
            match edit {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => { text.remove(at); }
            }
        }
        read(&text.into_iter().collect::<String>());
    }

    #[test]
    fn any_bits_may_be_asked_about(sample in 0..SAMPLES.len(), bits in any::<u16>()) {
        let position = Position::from_fen(SAMPLES[sample]).expect("a valid sample");
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        if let Some(mv) = Move::from_raw(bits) {
            prop_assert_eq!(position.is_legal(mv), list.contains(&mv));
        }
    }
}

#[test]
fn samples_are_sound() {
    for fen in SAMPLES {
        assert_sound(&Position::from_fen(fen).expect(fen), fen);
    }
}

/// `random_boards` tests something only if many boards are accepted.
#[test]
fn many_random_boards_are_accepted() {
    let mut runner = TestRunner::deterministic();
    let accepted = (0..1_000)
        .filter(|_| {
            let fen = random_board().new_tree(&mut runner).expect("a board").current();
            Position::from_fen(&fen).is_ok()
        })
        .count();
    assert!(accepted >= 80, "only {accepted} of 1000");
}
