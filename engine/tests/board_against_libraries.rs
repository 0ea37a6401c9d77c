//! Position and move generation: the engine's board agrees, move by move, with two independent rules libraries.
//!
//! Seeded random games of normal chess, Chess960 and double Chess960 are played on three boards at
//! once: ours, cozy-chess's and shakmaty's.

use engine::position::{Color, Move, MoveList, Piece, Position, Square};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::collections::HashSet;

const POSITIONS_PER_VARIANT: usize = 120_000;
/// Longer games are mostly shuffling of few pieces.
const MAX_PLIES: usize = 160;
const CHESS960_STARTS: u32 = 960;

#[test]
fn normal_chess() {
    compare_games(1, |_| cozy_chess::Board::startpos());
}

#[test]
fn chess960() {
    compare_games(2, |random| cozy_chess::Board::chess960_startpos(random.below(CHESS960_STARTS)));
}

#[test]
fn double_chess960() {
    compare_games(3, |random| {
        let (white, black) = (random.below(CHESS960_STARTS), random.below(CHESS960_STARTS));
        cozy_chess::Board::double_chess960_startpos(white, black)
    });
}

/// SplitMix64: the same games on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }
}

/// What the random games have brought about, to prove that the rare cases were met.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    checks: usize,
    double_checks: usize,
    en_passants: usize,
    castlings: usize,
    promotions: usize,
    mates: usize,
}

fn compare_games(seed: u64, start: impl Fn(&mut Random) -> cozy_chess::Board) {
    let mut random = Random(seed);
    let mut seen = Seen::default();
    while seen.positions < POSITIONS_PER_VARIANT {
        let cozy = start(&mut random);
        compare_one_game(cozy, &mut random, &mut seen);
    }
    let rarest = seen.double_checks.min(seen.en_passants).min(seen.castlings).min(seen.mates);
    assert!(rarest >= 30 && seen.promotions >= 500 && seen.checks >= 1_000, "too tame: {seen:?}");
}

fn compare_one_game(mut cozy: cozy_chess::Board, random: &mut Random, seen: &mut Seen) {
    let shredder_fen = format!("{cozy:#}");
    let mut ours = Position::from_fen(&shredder_fen).expect(&shredder_fen);
    let fen: Fen = shredder_fen.parse().expect(&shredder_fen);
    let mut shakmaty: Chess = fen.into_position(CastlingMode::Chess960).expect(&shredder_fen);
    for _ in 0..MAX_PLIES {
        // Neither cozy-chess's FEN nor a real game goes beyond the fifty-move rule.
        if ours.halfmove_clock() == 100 {
            return;
        }
        seen.positions += 1;
        let legal = compare_moves(&ours, &cozy, &shakmaty);
        compare_state(&ours, &cozy, &shakmaty);
        check_classes_and_children(&ours, &legal);
        check_legality(&ours, &legal, random);
        check_fen(&ours, &cozy, &shakmaty);
        check_null_move(&ours, &cozy);

        seen.checks += ours.in_check() as usize;
        seen.double_checks += (ours.checkers().len() == 2) as usize;
        if legal.is_empty() {
            seen.mates += ours.in_check() as usize;
            return;
        }
        let mv = choose(&ours, &legal, random);
        seen.en_passants += mv.is_en_passant() as usize;
        seen.castlings += mv.is_castling() as usize;
        seen.promotions += mv.is_promotion() as usize;

        shakmaty = shakmaty.clone().play(as_shakmaty(mv, &shakmaty)).expect("legal for both");
        cozy.play(as_cozy(mv));
        ours = ours.play(mv);
    }
}

/// A random move, with a liking for the rare kinds.
fn choose(position: &Position, legal: &[Move], random: &mut Random) -> Move {
    let pick = |moves: &[Move], random: &mut Random| moves[random.below(moves.len() as u32) as usize];
    let special = |mv: &&Move| mv.is_castling() || mv.is_en_passant();
    let sharp = |mv: &&Move| mv.is_promotion() || position.play(**mv).in_check();
    let special: Vec<Move> = legal.iter().filter(special).copied().collect();
    let sharp: Vec<Move> = legal.iter().filter(sharp).copied().collect();
    match random.below(4) {
        0 | 1 if !special.is_empty() => pick(&special, random),
        0 if !sharp.is_empty() => pick(&sharp, random),
        _ => pick(legal, random),
    }
}

/// From, to and promotion in one number that sorts; castling as king takes rook in all three.
fn code(from: usize, to: usize, promotion: usize) -> u32 {
    (from << 16 | to << 8 | promotion) as u32
}

fn as_cozy(mv: Move) -> cozy_chess::Move {
    cozy_chess::Move { from: mv.from(), to: mv.to(), promotion: mv.promotion() }
}

fn as_shakmaty(mv: Move, board: &Chess) -> shakmaty::Move {
    let wanted = code(mv.from() as usize, mv.to() as usize, mv.promotion().map_or(0, |piece| piece as usize));
    board.legal_moves().into_iter().find(|&mv| code_of_shakmaty(mv) == wanted).expect("legal for both")
}

fn code_of_shakmaty(mv: shakmaty::Move) -> u32 {
    let from = mv.from().expect("no drops in chess");
    code(from.to_usize(), mv.to().to_usize(), mv.promotion().map_or(0, |role| role as usize - 1))
}

/// The same legal moves on all three boards. Returns ours.
fn compare_moves(ours: &Position, cozy: &cozy_chess::Board, shakmaty: &Chess) -> Vec<Move> {
    let mut list = MoveList::new();
    ours.legal_moves(&mut list);
    let mut our_codes: Vec<u32> = list
        .iter()
        .map(|mv| {
            code(mv.from() as usize, mv.to() as usize, mv.promotion().map_or(0, |piece| piece as usize))
        })
        .collect();
    our_codes.sort_unstable();

    let mut cozy_codes = Vec::with_capacity(our_codes.len());
    cozy.generate_moves(|moves| {
        cozy_codes.extend(moves.into_iter().map(|mv| {
            code(mv.from as usize, mv.to as usize, mv.promotion.map_or(0, |piece| piece as usize))
        }));
        false
    });
    cozy_codes.sort_unstable();
    assert_eq!(our_codes, cozy_codes, "against cozy-chess in {ours}");

    let theirs = shakmaty.legal_moves();
    let mut shakmaty_codes: Vec<u32> = theirs.iter().map(|&mv| code_of_shakmaty(mv)).collect();
    shakmaty_codes.sort_unstable();
    assert_eq!(our_codes, shakmaty_codes, "against shakmaty in {ours}");

    let en_passants = list.iter().filter(|mv| mv.is_en_passant()).count();
    assert_eq!(en_passants, theirs.iter().filter(|mv| mv.is_en_passant()).count(), "{ours}");
    let castlings = list.iter().filter(|mv| mv.is_castling()).count();
    assert_eq!(castlings, theirs.iter().filter(|mv| mv.is_castle()).count(), "{ours}");
    list.to_vec()
}

/// The same checks, pins, counters and status on all three boards.
fn compare_state(ours: &Position, cozy: &cozy_chess::Board, shakmaty: &Chess) {
    assert_eq!(ours.checkers(), cozy.checkers(), "{ours}");
    assert_eq!(ours.checkers().0, u64::from(shakmaty.checkers()), "{ours}");
    assert_eq!(ours.pinned(), cozy.pinned() & cozy.colors(ours.side_to_move()), "{ours}");
    assert_eq!(ours.is_insufficient_material(), shakmaty.is_insufficient_material(), "{ours}");
    let legal_en_passant = shakmaty.ep_square(shakmaty::EnPassantMode::Legal);
    assert_eq!(
        ours.en_passant().map(|square| square as usize),
        legal_en_passant.map(|square| square.to_usize())
    );
    for square in Square::ALL {
        assert_eq!(ours.piece_on(square), cozy.piece_on(square), "{square} in {ours}");
        assert_eq!(ours.color_on(square), cozy.color_on(square), "{square} in {ours}");
    }
}

/// Captures and quiets split the legal moves; each move does what was predicted.
fn check_classes_and_children(ours: &Position, legal: &[Move]) {
    let mut captures = MoveList::new();
    ours.captures(&mut captures);
    assert_eq!(&legal[..captures.len()], &captures[..]);
    assert!(captures.iter().all(|&mv| ours.is_tactical(mv)), "{ours}");
    let mut quiets = MoveList::new();
    ours.quiets(&mut quiets);
    assert_eq!(&legal[captures.len()..], &quiets[..]);
    assert!(quiets.iter().all(|&mv| !ours.is_tactical(mv)), "{ours}");

    assert_eq!(ours.has_legal_move(), !legal.is_empty(), "{ours}");

    let us = ours.side_to_move();
    for &mv in legal {
        // In debug builds, `play` itself compares keys, sums, phase and checks with fresh ones.
        let child = ours.play(mv);
        assert!(ours.is_legal(mv), "{mv:?} in {ours}");
        assert!(!child.is_attacked_by(!us, child.king(us), child.occupied()), "{mv:?} in {ours}");
        let taken = ours.colors(!us).len() - child.colors(!us).len();
        assert_eq!(taken == 1, ours.is_capture(mv), "{mv:?} in {ours}");
        assert_eq!(ours.captured_piece(mv).is_some(), ours.is_capture(mv), "{mv:?} in {ours}");
        if let Some(piece) = ours.captured_piece(mv) {
            let left = child.colored_pieces(!us, piece).len();
            assert_eq!(left + 1, ours.colored_pieces(!us, piece).len(), "{mv:?} in {ours}");
        }
    }
}

/// Of the moves with legal-looking squares and of random bits, exactly the legal ones are legal.
fn check_legality(ours: &Position, legal: &[Move], random: &mut Random) {
    let legal: HashSet<Move> = legal.iter().copied().collect();
    let compare = |bits: u16| {
        if let Some(mv) = Move::from_raw(bits) {
            assert_eq!(ours.is_legal(mv), legal.contains(&mv), "{bits:#018b} {mv:?} in {ours}");
        }
    };
    let kings_and_en_passant = [ours.king(Color::White), ours.king(Color::Black)]
        .into_iter()
        .chain(ours.en_passant())
        .map(|square| square as u16);
    for square in kings_and_en_passant {
        let other = random.below(1 << 10) as u16;
        compare(square | other << 6);
        compare(square << 6 | (other & 63) | (other & 0x3c0) << 6);
    }
    for mv in &legal {
        // The same squares as another kind of move, or with another promotion piece.
        compare(mv.raw() ^ (1 + random.below(15) as u16) << 12);
    }
    for _ in 0..24 {
        compare(random.next() as u16);
    }
}

/// FEN goes through both libraries and back unchanged, and what is read equals what was played.
fn check_fen(ours: &Position, cozy: &cozy_chess::Board, shakmaty: &Chess) {
    let fen = ours.to_string();
    assert_eq!(&Position::from_fen(&fen).expect(&fen), ours);
    let shredder_fen = ours.shredder_fen();
    assert_eq!(&Position::from_fen(&shredder_fen).expect(&fen), ours);

    let read: cozy_chess::Board = cozy_chess::Board::from_fen(&shredder_fen, true).expect(&fen);
    assert_eq!(read.hash_without_ep(), cozy.hash_without_ep(), "{fen}");
    assert_eq!(Position::from_fen(&format!("{read:#}")).expect(&fen), *ours);

    let read: Fen = fen.parse().expect(&fen);
    let written = Fen::from_position(shakmaty, shakmaty::EnPassantMode::Legal).to_string();
    let read: Chess = read.into_position(CastlingMode::Chess960).expect(&fen);
    assert_eq!(&read, shakmaty, "{fen}");
    assert_eq!(written, fen);
}

fn check_null_move(ours: &Position, cozy: &cozy_chess::Board) {
    let Some(cozy_passed) = cozy.null_move() else {
        assert!(ours.in_check(), "{ours}");
        return;
    };
    let passed = ours.play_null();
    assert_eq!(passed.side_to_move(), !ours.side_to_move());
    assert_eq!((passed.checkers().len(), passed.en_passant()), (0, None), "{ours}");
    assert_eq!(passed.pinned(), cozy_passed.pinned() & cozy_passed.colors(passed.side_to_move()), "{ours}");
    assert_eq!(&Position::from_fen(&passed.to_string()).expect("sound"), &passed);
    assert_eq!((passed.pawn_key(), passed.phase()), (ours.pawn_key(), ours.phase()));
    assert_ne!(passed.key(), ours.key());
    let has_pieces =
        |color| Piece::ALL[1..5].iter().any(|&piece| !ours.colored_pieces(color, piece).is_empty());
    for color in Color::ALL {
        assert_eq!(ours.has_non_pawn_material(color), has_pieces(color), "{ours}");
    }
}
