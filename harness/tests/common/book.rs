//! Books for the tests: positions after random legal moves, the same for the same seed.

use flate2::Compression;
use flate2::write::GzEncoder;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};
use std::collections::BTreeSet;
use std::io::Write;

/// Random moves before a game begins.
const PLIES: usize = 8;

/// An EPD book of so many different positions.
pub fn epd(count: usize, seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    positions(count, || random_line(Chess::default(), &mut random).map(|(position, _)| position))
}

/// An EPD book of positions from shuffled first ranks, with the castling rights of Chess960.
pub fn chess960(count: usize, seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    positions(count, || {
        let (position, _) = random_line(shuffled_start(&mut random)?, &mut random)?;
        (!position.castles().is_empty()).then_some(position)
    })
}

/// A PGN book of so many games of random moves.
pub fn pgn(count: usize, seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let lines = std::iter::from_fn(|| Some(random_line(Chess::default(), &mut random))).flatten();
    lines.take(count).map(|(_, moves)| format!("[Event \"line\"]\n\n{} *\n\n", numbered(&moves))).collect()
}

/// The text as `gzip` packs it.
pub fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The text as `zstd` packs it.
pub fn zstd(text: &str) -> Vec<u8> {
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

fn positions(count: usize, mut next: impl FnMut() -> Option<Chess>) -> String {
    let mut lines = BTreeSet::new();
    while lines.len() < count {
        if let Some(position) = next().filter(|position| !position.is_game_over()) {
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            lines.insert(fen.split(' ').take(4).collect::<Vec<_>>().join(" "));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The position after random moves, and the moves; none if the game is over before.
fn random_line(mut position: Chess, random: &mut ChaCha8Rng) -> Option<(Chess, Vec<SanPlus>)> {
    let mut moves = Vec::new();
    for _ in 0..PLIES {
        let legal = position.legal_moves();
        let chosen: Move = *legal.get(below(legal.len().max(1), random))?;
        moves.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen));
    }
    Some((position, moves))
}

/// `1. e4 e5 2. Nf3`
fn numbered(moves: &[SanPlus]) -> String {
    let word = |(ply, san): (usize, &SanPlus)| match ply % 2 {
        0 => format!("{}. {san}", ply / 2 + 1),
        _ => san.to_string(),
    };
    moves.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// A starting position of Chess960; none if the shuffle is none.
fn shuffled_start(random: &mut ChaCha8Rng) -> Option<Chess> {
    let mut rank = *b"RNBQKBNR";
    for last in (1..rank.len()).rev() {
        rank.swap(last, below(last + 1, random));
    }
    let places = |piece| (0..8).filter(move |&file| rank[file] == piece).collect::<Vec<_>>();
    let (bishops, rooks, king) = (places(b'B'), places(b'R'), places(b'K')[0]);
    if bishops[0] % 2 == bishops[1] % 2 || !(rooks[0]..rooks[1]).contains(&king) {
        return None;
    }
    let white = String::from_utf8_lossy(&rank);
    let black = white.to_lowercase();
    let fen: Fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1").parse().unwrap();
    fen.into_position(CastlingMode::Chess960).ok()
}

fn below(count: usize, random: &mut ChaCha8Rng) -> usize {
    (random.next_u64() % count as u64) as usize
}
