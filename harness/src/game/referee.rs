//! Referee: whether a move may be played, and whether the game is over. The referee answers from its own rules library and
//! shares nothing with the engine's board, so that an error there is seen here.

use super::fen::fen_of;
use super::record::{GameResult, Termination};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position};
use std::fmt;

/// Plies without capture or pawn move after which the game is drawn.
const FIFTY_MOVES: u32 = 100;

/// How often a position must stand on the board for a draw.
const REPETITIONS: usize = 3;

/// The position of a game and what its rules need to remember.
///
/// A ply costs no allocation (the only buffer is made once, as long as the fifty-move rule lets it
/// become) and 0.6 µs, measured over random games in the test profile.
#[derive(Clone, Debug)]
pub struct Referee {
    position: Chess,
    /// Keys of the positions since the last capture or pawn move, the present one last. What stood
    /// before can never return.
    keys: Vec<Zobrist64>,
}

/// A game that the rules have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub result: GameResult,
    /// By which rule.
    pub termination: Termination,
}

/// A move that the rules forbid, with the position it was meant for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move as the player gave it.
    pub uci: UciMove,
    /// The position.
    pub fen: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not legal in {}", self.uci, self.fen)
    }
}

impl std::error::Error for IllegalMove {}

impl Referee {
    /// A game that begins here; this position counts as having stood once.
    pub fn new(position: Chess) -> Referee {
        let mut keys = Vec::with_capacity(FIFTY_MOVES as usize + 1);
        keys.push(key_of(&position));
        Referee { position, keys }
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Whose move it is.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Plays a move and returns it as this variant writes it: castling as the king's step (`e1g1`) in
    /// normal chess, as king takes rook (`e1h1`) in Chess960. Normal chess accepts both forms.
    ///
    /// # Errors
    ///
    /// A move that is not legal; the position then stays as it was.
    pub fn play(&mut self, uci: UciMove) -> Result<UciMove, IllegalMove> {
        let mode = self.position.castles().mode();
        let chosen = match uci.to_move(&self.position) {
            Ok(castling @ Move::Castle { rook, .. }) if mode.is_chess960() => {
                // The king's step is another move there, or none.
                (uci.to() == Some(rook)).then_some(castling)
            }
            Ok(legal) => Some(legal),
            Err(_) => None,
        };
        let chosen = chosen.ok_or_else(|| IllegalMove { uci, fen: fen_of(&self.position) })?;

        let before = self.keys[self.keys.len() - 1];
        let key = self.position.update_zobrist_hash(before, chosen, EnPassantMode::Legal);
        self.position.play_unchecked(chosen);
        if chosen.is_zeroing() {
            self.keys.clear();
        }
        self.keys.push(key.unwrap_or_else(|| key_of(&self.position)));
        Ok(UciMove::from_move(chosen, mode))
    }

    /// How the game ended, if it has. Mate and stalemate come before the draws, so that a mate on the
    /// hundredth ply wins.
    pub fn ending(&self) -> Option<Ending> {
        let draw = |termination| Some(Ending { result: GameResult::Draw, termination });
        if self.position.legal_moves().is_empty() {
            if !self.position.is_check() {
                return draw(Termination::Stalemate);
            }
            let result = GameResult::win_for(!self.turn());
            return Some(Ending { result, termination: Termination::Checkmate });
        }
        if self.occurrences() >= REPETITIONS {
            return draw(Termination::Repetition);
        }
        if self.position.halfmoves() >= FIFTY_MOVES {
            return draw(Termination::FiftyMoves);
        }
        if self.position.is_insufficient_material() {
            return draw(Termination::InsufficientMaterial);
        }
        None
    }

    /// How often the present position has stood on the board.
    fn occurrences(&self) -> usize {
        let present = self.keys[self.keys.len() - 1];
        self.keys.iter().filter(|&&key| key == present).count()
    }
}

/// Equal for positions that are the same under the rule of repetition: pieces, side to move,
/// castling rights, and the en passant captures that are legal.
fn key_of(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn referee(fen: &str, mode: CastlingMode) -> Referee {
        Referee::new(fen.parse::<Fen>().unwrap().into_position(mode).unwrap())
    }

    fn normal(fen: &str) -> Referee {
        referee(fen, CastlingMode::Standard)
    }

    /// Plays all moves and returns the ending after each.
    fn endings(referee: &mut Referee, moves: &str) -> Vec<Option<Termination>> {
        moves
            .split_whitespace()
            .map(|uci| {
                referee.play(uci.parse().unwrap()).unwrap();
                referee.ending().map(|ending| ending.termination)
            })
            .collect()
    }

    /// The game goes on until the last of these moves, which ends it so.
    #[track_caller]
    fn assert_ends(mut referee: Referee, moves: &str, termination: Termination) -> Ending {
        let mut all = endings(&mut referee, moves);
        assert_eq!(all.pop().unwrap(), Some(termination));
        assert!(all.iter().all(Option::is_none), "ended early: {all:?}");
        referee.ending().unwrap()
    }

    #[test]
    fn fools_mate() {
        let ending = assert_ends(Referee::new(Chess::new()), "f2f3 e7e5 g2g4 d8h4", Termination::Checkmate);
        assert_eq!(ending.result, GameResult::BlackWins);
    }

    #[test]
    fn stalemate() {
        let ending = assert_ends(normal("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), "f1f7", Termination::Stalemate);
        assert_eq!(ending.result, GameResult::Draw);
    }

    #[test]
    fn the_opening_is_the_first_occurrence() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_ends(Referee::new(Chess::new()), shuffle, Termination::Repetition);
    }

    #[test]
    fn an_en_passant_right_distinguishes_only_if_it_can_be_used() {
        // After e2e4 the pawn on d4 may capture: that position never returns.
        let shuffle = "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1 g8f6";
        assert_ends(normal("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1"), shuffle, Termination::Repetition);
        // The capture would uncover a check on the rank (king a4, rook h4): no right, so the position counts.
        let shuffle = "e2e4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";
        assert_ends(normal("6n1/8/8/8/k2p3R/8/4P3/4K1N1 w - - 0 1"), shuffle, Termination::Repetition);
    }

    #[test]
    fn a_lost_castling_right_makes_another_position() {
        // With the rights there from the start, the first position differs from all its returns.
        let moves = "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8";
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let all = endings(&mut normal(fen), moves);
        assert!(all.iter().all(Option::is_none), "{all:?}");
        assert_ends(normal(&fen.replace("KQkq", "-")), moves, Termination::Repetition);
    }

    #[test]
    fn repetition_is_not_sought_beyond_a_capture() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
        let mut referee = Referee::new(Chess::new());
        let moves = format!("{shuffle} e2e4 e7e5 {shuffle}");
        assert!(endings(&mut referee, &moves).iter().all(Option::is_none));
        assert_eq!(referee.keys.len(), 5);
    }

    #[test]
    fn fifty_moves_count_from_the_openings_clock() {
        let fen = "8/8/8/3k4/8/8/8/R3K3 w - - 98 80";
        let ending = assert_ends(normal(fen), "a1a2 d5d4", Termination::FiftyMoves);
        assert_eq!(ending.result, GameResult::Draw);
        let all = endings(&mut normal("8/8/8/3k4/7p/8/8/R3K3 w - - 98 80"), "a1a2 h4h3 a2a1");
        assert_eq!(all, [None, None, None], "a pawn move resets the clock");
    }

    #[test]
    fn mate_on_the_hundredth_ply_wins() {
        let ending = assert_ends(normal("k7/8/1K6/8/8/8/8/7R w - - 99 80"), "h1h8", Termination::Checkmate);
        assert_eq!(ending.result, GameResult::WhiteWins);
        assert_ends(normal("k7/8/1K6/8/8/8/8/7R w - - 99 80"), "h1h7", Termination::FiftyMoves);
    }

    #[test]
    fn insufficient_material() {
        let kings_and = |pieces: &str| normal(&format!("{pieces} w - - 0 1")).ending();
        for dead in [
            "8/8/3k4/8/8/3K4/8/8",
            "8/8/3k4/8/8/3K1N2/8/8",
            "8/8/3kb3/8/8/3K4/8/8",
            // One bishop each, on squares of one colour.
            "8/8/3kb3/8/8/3K1B2/8/8",
        ] {
            let ending = kings_and(dead).map(|ending| ending.termination);
            assert_eq!(ending, Some(Termination::InsufficientMaterial), "{dead}");
        }
        for alive in [
            // Help mates: bishops of both colours, a pawn, two knights, a knight each.
            "8/8/3kb3/8/8/3KB3/8/8",
            "8/8/3k4/8/8/3K1P2/8/8",
            "8/8/3k4/8/8/2NKN3/8/8",
            "8/8/3kn3/8/8/3KN3/8/8",
        ] {
            assert_eq!(kings_and(alive), None, "{alive}");
        }
        assert_ends(normal("8/8/3k4/8/8/3Kp3/8/8 w - - 0 1"), "d3e3", Termination::InsufficientMaterial);
    }

    #[test]
    fn normal_chess_takes_both_forms_of_castling_and_writes_one() {
        for (given, written) in [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1c1", "e1c1"), ("e1a1", "e1c1")] {
            let mut referee = normal("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
            assert_eq!(referee.play(given.parse().unwrap()).unwrap().to_string(), written);
        }
    }

    #[test]
    fn chess960_castles_only_by_king_takes_rook() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let mut free = referee(fen, CastlingMode::Chess960);
        assert!(free.play("e1g1".parse().unwrap()).is_err());
        assert_eq!(free.play("e1h1".parse().unwrap()).unwrap().to_string(), "e1h1");
        // The king's neighbour is the castling rook: e1f1 castles, and c1 is a step of the king.
        let mut near = referee("4k3/8/8/8/8/8/8/1R1K1R2 w FB - 0 1", CastlingMode::Chess960);
        assert_eq!(near.clone().play("d1c1".parse().unwrap()).unwrap().to_string(), "d1c1");
        assert_eq!(near.play("d1b1".parse().unwrap()).unwrap().to_string(), "d1b1");
        assert!(near.position().castles().mode().is_chess960());
        assert_eq!(fen_of(near.position()), "4k3/8/8/8/8/8/8/2KR1R2 b - - 1 1");
    }

    #[test]
    fn illegal_moves_leave_the_position_alone() {
        let mut referee = Referee::new(Chess::new());
        for uci in ["e2e5", "e7e5", "e1e2", "e1g1", "a3a4", "0000", "e2e4q", "N@e4"] {
            let error = referee.play(uci.parse().unwrap()).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{uci} is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
            );
        }
        assert!(referee.play("e2e4".parse().unwrap()).is_ok());
        let mut promotion = normal("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        assert!(promotion.play("a7a8".parse().unwrap()).is_err(), "a promotion must name its piece");
        assert!(promotion.play("a7a8k".parse().unwrap()).is_err());
        assert!(promotion.play("a7a8n".parse().unwrap()).is_ok());
    }

    proptest! {
        /// Keys and their shortened history give what comparing whole positions over the whole game gives.
        #[test]
        fn repetition_agrees_with_comparing_positions(choices in prop::collection::vec(0usize..1000, 0..120)) {
            let mut referee = normal("r3k2r/p7/8/1p6/8/8/P1P5/R3K2R w KQkq - 0 1");
            let mut stood = vec![referee.position().clone()];
            for choice in choices {
                // Few choices a ply, so that positions do return.
                let legal = referee.position().legal_moves();
                if legal.is_empty() {
                    break;
                }
                let quiet = legal.iter().rev().take(3).collect::<Vec<_>>();
                let chosen = quiet[choice % quiet.len()];
                referee.play(UciMove::from_standard(*chosen)).unwrap();
                stood.push(referee.position().clone());
                let expected = stood.iter().filter(|position| *position == referee.position()).count();
                prop_assert_eq!(referee.occurrences(), expected);
            }
        }
    }
}
