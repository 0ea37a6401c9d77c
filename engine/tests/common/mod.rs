//! Helpers of the search tests: reproducible positions, and searches in one line.
#![allow(dead_code, reason = "each test program uses its own part")]

use engine::config::EngineConfig;
use engine::params::SearchParams;
use engine::position::{Game, Move, MoveList, Position};
use engine::search::observer::{Observer, Unobserved};
use engine::search::{Limits, SearchResult, Searcher, Signals};
use engine::techniques::Techniques;

/// A stream of random numbers, the same on every machine (xorshift64*, Vigna 2016).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Where random games begin: normal chess, Chess960, and endings rich in promotions.
pub const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "r3k2r/8/8/3qQ3/8/8/8/R3K2R b KQkq - 0 1",
];

pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A game and, apart from the engine's own memory of it, the keys of its positions before the present one.
pub struct Played {
    pub game: Game,
    pub earlier: Vec<u64>,
}

impl Played {
    pub fn new(position: Position) -> Played {
        Played { game: Game::new(position), earlier: Vec::new() }
    }

    pub fn play(&mut self, mv: Move) {
        self.earlier.push(self.game.position().key());
        self.game.play(mv);
    }

    /// Tries to bring about the same position again: two random moves, and both taken back.
    pub fn shuffle(&mut self, random: &mut Random) {
        let start = self.game.position().key();
        for plies_back in [None, None, Some(2), Some(2)] {
            let moves = legal_moves(self.game.position());
            let quiet = moves.iter().copied().filter(|&mv| !self.game.position().is_tactical(mv));
            let choice: Vec<Move> = match plies_back {
                None => quiet.collect(),
                // Of the moves back, only one restores what was.
                Some(_) => quiet
                    .filter(|&mv| {
                        let key = self.game.position().play(mv).key();
                        key == start || self.earlier.last_chunk::<2>().is_some_and(|&[one, _]| key == one)
                    })
                    .collect(),
            };
            if choice.is_empty() {
                return;
            }
            self.play(random.pick(&choice));
        }
    }
}

/// A game from `fen` in which these moves were played.
pub fn played(fen: &str, moves: &str) -> Played {
    let mut played = Played::new(position(fen));
    for text in moves.split_whitespace() {
        let mv = played.game.position().parse_uci(text).unwrap();
        played.play(mv);
    }
    played
}

/// The same without the keys.
pub fn game(fen: &str, moves: &str) -> Game {
    played(fen, moves).game
}

pub fn legal_moves(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// A game of up to `plies` random moves, shorter if it ended, with positions repeated at its end.
pub fn random_game(random: &mut Random, plies: usize) -> Played {
    let mut played = Played::new(position(random.pick(&STARTS)));
    for _ in 0..plies {
        let moves = legal_moves(played.game.position());
        if moves.is_empty() {
            break;
        }
        played.play(random.pick(&moves));
    }
    for _ in 0..random.below(3) {
        played.shuffle(random);
    }
    played
}

/// Kings and a few other pieces anywhere, any side to move: mates, stalemates, promotions, zugzwang; one
/// in three near the fifty-move rule. Many pawns are blocked.
pub fn random_ending(random: &mut Random, most_pieces: usize) -> Played {
    loop {
        let mut board = [[' '; 8]; 8];
        board[random.below(8)][random.below(8)] = 'K';
        board[random.below(8)][random.below(8)] = 'k';
        for _ in 0..=random.below(most_pieces) {
            let (rank, file) = (random.below(6) + 1, random.below(8));
            match random.pick(&['P', 'p', 'L', 'N', 'B', 'R', 'Q', 'n', 'b', 'r', 'q']) {
                'L' if rank > 1 => (board[rank - 1][file], board[rank][file]) = ('p', 'P'),
                'L' => {}
                piece => board[rank][file] = piece,
            }
        }
        let ranks: Vec<String> = board.iter().map(|rank| rank.map(letter).concat()).collect();
        let clock = if random.below(3) == 0 { 94 + random.below(8) } else { 0 };
        let side = random.pick(&['w', 'b']);
        // Squares are drawn without looking, so that kings may be missing or in reach of each other.
        if let Ok(position) = Position::from_fen(&format!("{} {side} - - {clock} 80", ranks.join("/"))) {
            return Played::new(position);
        }
    }
}

fn letter(piece: char) -> String {
    if piece == ' ' { "1".to_owned() } else { piece.to_string() }
}

/// A config with just these techniques.
pub fn with(techniques: &[&str]) -> EngineConfig {
    let mut config = EngineConfig { techniques: Techniques::none(), ..EngineConfig::default() };
    for name in techniques {
        config.techniques.set(name, true).unwrap();
    }
    assert_eq!(config.techniques.check(), []);
    config
}

/// The same config with other aspiration windows, from the first depth on.
pub fn with_windows(config: EngineConfig, delta: i32, max_delta: i32) -> EngineConfig {
    let params = SearchParams {
        aspiration_delta: delta,
        aspiration_max_delta: max_delta,
        aspiration_min_depth: 1,
        ..config.params
    };
    assert_eq!(params.check(), []);
    EngineConfig { params, ..config }
}

pub const BASE: [&str; 6] =
    ["alpha_beta", "quiescence", "transposition_table", "capture_ordering", "killers", "history"];

/// The engine before its windows.
pub fn base() -> EngineConfig {
    with(&BASE)
}

/// The engine as it is by default.
pub fn full() -> EngineConfig {
    EngineConfig::default()
}

/// The base engine with these techniques besides.
pub fn base_and(more: &[&str]) -> EngineConfig {
    with(&[&BASE, more].concat())
}

/// The base engine with windows: what it finds within its depth is the truth.
pub fn pvs() -> EngineConfig {
    base_and(&["pvs", "aspiration"])
}

pub fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

pub fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

pub fn search(searcher: &mut Searcher, game: &Game, limits: &Limits) -> SearchResult {
    watched(searcher, game, limits, &mut Unobserved)
}

/// The same by a player with empty memory.
pub fn searched(config: &EngineConfig, game: &Game, limits: &Limits) -> SearchResult {
    search(&mut Searcher::new(config, 1), game, limits)
}

pub fn watched(
    searcher: &mut Searcher,
    game: &Game,
    limits: &Limits,
    observer: &mut impl Observer,
) -> SearchResult {
    searcher.search(game, &[], limits, Signals::none(), observer)
}

/// Panics unless every move of the line is legal where it is played.
pub fn assert_playable(position: &Position, line: &[Move], what: &str) {
    let mut position = position.clone();
    for &mv in line {
        assert!(position.is_legal(mv), "{what}: {mv:?} in {line:?} is illegal in {position}");
        position = position.play(mv);
    }
}

/// A king on the last rank, the other king near it with one or two pieces: mates in a few moves abound.
pub fn near_mate(random: &mut Random) -> Game {
    loop {
        let mut board = [['1'; 8]; 8];
        board[0][random.below(8)] = 'k';
        board[1 + random.below(3)][random.below(8)] = 'K';
        for _ in 0..=random.below(2) {
            board[random.below(8)][random.below(8)] = random.pick(&['R', 'Q', 'R', 'n', 'p', 'B']);
        }
        let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
        if let Ok(position) = Position::from_fen(&format!("{} w - - 0 1", ranks.join("/"))) {
            return Game::new(position);
        }
    }
}

/// White is lost but for repeating: the queen gives perpetual check.
pub const PERPETUAL: &str = "6k1/6p1/8/8/8/1q6/r7/4Q1K1 w - - 0 1";
