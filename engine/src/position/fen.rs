//! FEN: the position that a text describes, and whether chess can have it.
//!
//! Reads FEN, X-FEN and Shredder-FEN (castling by `KQkq` or by the rooks' files), with the two move counters or, as EPD,
//! with operations in their place. What is accepted obeys all the rules that move generation
//! relies on, so that nothing needs checking later. Writes X-FEN, which is plain FEN in normal chess.

use super::board::Position;
use super::castling::Wing;
use super::castling::back_rank;
use super::epd;
use super::generate::en_passant_victim;
use cozy_chess::get_between_rays;
use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};
use std::fmt::{Display, Formatter, Write};

/// The part of a FEN that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FenField {
    /// The number of fields.
    Layout,
    /// The first field: the pieces.
    Board,
    /// The second field: whose move it is.
    SideToMove,
    /// The third field: who may still castle.
    Castling,
    /// The fourth field: the square behind a pawn that just moved two squares.
    EnPassant,
    /// The fifth field: plies since the last capture or pawn move.
    HalfmoveClock,
    /// The sixth field: the number of the move.
    FullmoveNumber,
}

impl Display for FenField {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FenField::Layout => "layout",
            FenField::Board => "board (field 1)",
            FenField::SideToMove => "side to move (field 2)",
            FenField::Castling => "castling rights (field 3)",
            FenField::EnPassant => "en passant square (field 4)",
            FenField::HalfmoveClock => "halfmove clock (field 5)",
            FenField::FullmoveNumber => "move number (field 6)",
        })
    }
}

/// Why a text is no FEN of a possible position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenError {
    /// Where the fault lies.
    pub field: FenField,
    problem: String,
}

impl FenError {
    fn new(field: FenField, problem: impl Into<String>) -> FenError {
        FenError { field, problem: problem.into() }
    }
}

impl Display for FenError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "the FEN's {} is wrong: {}", self.field, self.problem)
    }
}

impl std::error::Error for FenError {}

/// The fifty-move rule ends a game at 100 on claim, and at 150 without.
const MAX_HALFMOVE_CLOCK: u16 = 150;
/// No game is longer; leaves room to count on in a `u16`.
const MAX_FULLMOVE_NUMBER: u16 = 9_999;

impl Position {
    /// The position every game of normal chess starts from.
    pub fn start() -> Position {
        Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
            .expect("the starting position is valid")
    }

    /// Reads a position from FEN, X-FEN, Shredder-FEN or EPD, whose operations are passed over except for `hmvc` and
    /// `fmvn`; without counters, they are 0 and 1.
    ///
    /// An en passant square is kept only if a pawn can legally capture there.
    ///
    /// # Errors
    /// When the text breaks the format, or the position breaks the rules: kings and pawns in
    /// impossible numbers or places, more pieces than promotions allow, the side that just moved in
    /// check, more than two checkers, castling rights without king and rook in place, or an en passant
    /// square without the pawn that just passed it.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let first = fields.split_first_chunk();
        let Some((&[board, side, castling, en_passant], [half_moves, number])) =
            first.and_then(|(first, rest)| Some((first, epd::counters(rest)?)))
        else {
            let problem = format!(
                "it has {} fields; write 4 (board, side to move, castling, en passant), and after them 2 counters or \
                 the operations of an EPD",
                fields.len()
            );
            return Err(FenError::new(FenField::Layout, problem));
        };
        let mut position = parse_board(board)?;
        validate_material(&position)?;
        match side {
            "w" => {}
            "b" => position.pass_turn(),
            _ => {
                return Err(FenError::new(
                    FenField::SideToMove,
                    format!("it is {}; write w or b", quoted(side)),
                ));
            }
        }
        validate_checks(&mut position)?;
        parse_castling(castling, &mut position)?;
        parse_en_passant(en_passant.trim_end_matches(';'), &mut position)?;
        position.halfmove_clock = parse_counter(half_moves, FenField::HalfmoveClock, 0, MAX_HALFMOVE_CLOCK)?;
        position.fullmove_number = parse_counter(number, FenField::FullmoveNumber, 1, MAX_FULLMOVE_NUMBER)?;
        Ok(position)
    }

    /// The position as Shredder-FEN: castling rights are always written as the rooks' files.
    pub fn shredder_fen(&self) -> String {
        let mut fen = String::with_capacity(80);
        self.write_fen(&mut fen, true).expect("writing to a string cannot fail");
        fen
    }

    fn write_fen(&self, out: &mut impl Write, files_of_rooks: bool) -> std::fmt::Result {
        self.write_board(out)?;
        write!(out, " {} ", self.side_to_move)?;
        self.write_castling(out, files_of_rooks)?;
        match self.en_passant {
            Some(square) => write!(out, " {square}")?,
            None => out.write_str(" -")?,
        }
        write!(out, " {} {}", self.halfmove_clock, self.fullmove_number)
    }

    fn write_board(&self, out: &mut impl Write) -> std::fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            if rank != Rank::Eighth {
                out.write_char('/')?;
            }
            let mut empty = 0;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let Some((piece, color)) = self.piece_on(square).zip(self.color_on(square)) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(out, "{empty}")?;
                    empty = 0;
                }
                out.write_char(in_case_of(color, piece.into()))?;
            }
            if empty > 0 {
                write!(out, "{empty}")?;
            }
        }
        Ok(())
    }

    fn write_castling(&self, out: &mut impl Write, files_of_rooks: bool) -> std::fmt::Result {
        if self.castling.is_empty() {
            return out.write_char('-');
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                let Some(rook) = self.castling_rook(color, wing) else { continue };
                let letter = if files_of_rooks || self.outermost_rook(color, wing) != Some(rook) {
                    rook.file().into()
                } else {
                    wing.letter()
                };
                out.write_char(in_case_of(color, letter))?;
            }
        }
        Ok(())
    }

    /// The rook that X-FEN means by `K` or `Q`: the one nearest the edge, on that side of the king.
    fn outermost_rook(&self, color: Color, wing: Wing) -> Option<Square> {
        let king = self.king(color);
        let rooks = self.colored_pieces(color, Piece::Rook) & back_rank(color).bitboard();
        let mut on_wing = rooks.iter().filter(|&rook| Wing::of(king, rook) == wing);
        match wing {
            Wing::King => on_wing.last(),
            Wing::Queen => on_wing.next(),
        }
    }
}

/// The position as X-FEN, which in normal chess is plain FEN.
impl Display for Position {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.write_fen(f, false)
    }
}

impl Wing {
    fn letter(self) -> char {
        match self {
            Wing::King => 'k',
            Wing::Queen => 'q',
        }
    }
}

fn in_case_of(color: Color, letter: char) -> char {
    match color {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter.to_ascii_lowercase(),
    }
}

/// A field as it stands in an error message: quoted, and cut where it is absurdly long.
fn quoted(field: &str) -> String {
    let short: String = field.chars().take(24).collect();
    let ellipsis = if short.len() < field.len() { "…" } else { "" };
    format!("{short:?}{ellipsis}")
}

fn parse_board(field: &str) -> Result<Position, FenError> {
    let error = |problem: String| Err(FenError::new(FenField::Board, problem));
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != Rank::NUM {
        return error(format!("it has {} ranks; write 8, separated by slashes", ranks.len()));
    }
    let mut position = Position::empty();
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        let wrong_width = || error(format!("rank {rank} ({}) must fill 8 files", quoted(text)));
        let mut file = 0;
        for letter in text.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let Ok(piece) = Piece::try_from(letter.to_ascii_lowercase()) else {
                return error(format!(
                    "{letter:?} on rank {rank} is no piece; use pnbrqk, PNBRQK and 1 to 8"
                ));
            };
            let Some(on_file) = File::try_index(file) else { return wrong_width() };
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            position.put(color, piece, Square::new(on_file, rank));
            file += 1;
        }
        if file != File::NUM {
            return wrong_width();
        }
    }
    Ok(position)
}

fn validate_material(position: &Position) -> Result<(), FenError> {
    let error = |problem: String| Err(FenError::new(FenField::Board, problem));
    let ends = Rank::First.bitboard() | Rank::Eighth.bitboard();
    if let Some(square) = (position.pieces(Piece::Pawn) & ends).next_square() {
        return error(format!("a pawn cannot stand on {square}; remove it"));
    }
    for color in Color::ALL {
        let count = |piece| position.colored_pieces(color, piece).len();
        if count(Piece::King) != 1 {
            return error(format!("{color:?} has {} kings; give each side exactly one", count(Piece::King)));
        }
        let at_the_start = [(Piece::Knight, 2), (Piece::Bishop, 2), (Piece::Rook, 2), (Piece::Queen, 1)];
        let promoted: u32 =
            at_the_start.map(|(piece, number)| count(piece).saturating_sub(number)).iter().sum();
        if count(Piece::Pawn) + promoted > 8 {
            return error(format!(
                "{color:?} has {} pawns and at least {promoted} promoted pieces; together they cannot exceed 8",
                count(Piece::Pawn)
            ));
        }
    }
    Ok(())
}

fn validate_checks(position: &mut Position) -> Result<(), FenError> {
    position.update_checks();
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    if position.is_attacked_by(us, position.king(them), position.occupied()) {
        let problem = format!("{us:?} is to move, yet {them:?} is in check already; let {them:?} move");
        return Err(FenError::new(FenField::SideToMove, problem));
    }
    if position.checkers().len() > 2 {
        let problem =
            format!("{} pieces check the {us:?} king at once; at most 2 can", position.checkers().len());
        return Err(FenError::new(FenField::Board, problem));
    }
    Ok(())
}

fn parse_castling(field: &str, position: &mut Position) -> Result<(), FenError> {
    let error = |problem: String| Err(FenError::new(FenField::Castling, problem));
    if field == "-" {
        return Ok(());
    }
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            'k' => position.outermost_rook(color, Wing::King),
            'q' => position.outermost_rook(color, Wing::Queen),
            file @ 'a'..='h' => {
                let file = File::try_from(file).expect("a letter from a to h is a file");
                Some(Square::new(file, back_rank(color)))
            }
            _ => return error(format!("it is {}; use KQkq, the files of rooks, or -", quoted(field))),
        };
        let king = position.king(color);
        let Some(rook) = rook.filter(|&rook| {
            king.rank() == back_rank(color) && position.colored_pieces(color, Piece::Rook).has(rook)
        }) else {
            return error(format!(
                "{letter} needs king and rook of {color:?} on their first rank; remove the right or put them there"
            ));
        };
        if position.castling_rook(color, Wing::of(king, rook)).is_some() {
            return error(format!("{} gives a right twice; name each once", quoted(field)));
        }
        position.grant_castling(rook);
    }
    Ok(())
}

fn parse_en_passant(field: &str, position: &mut Position) -> Result<(), FenError> {
    if field == "-" {
        return Ok(());
    }
    let error = |problem: String| Err(FenError::new(FenField::EnPassant, problem));
    let us = position.side_to_move();
    let rank = Rank::Sixth.relative_to(us);
    let square = match field.parse::<Square>() {
        Ok(square) if square.rank() == rank => square,
        _ => {
            return error(format!(
                "it is {}; with {us:?} to move, write a square of rank {rank}, or -",
                quoted(field)
            ));
        }
    };
    let victim = en_passant_victim(square);
    let origin = Square::new(square.file(), Rank::Seventh.relative_to(us));
    let way = square.bitboard() | origin.bitboard();
    if !position.colored_pieces(!us, Piece::Pawn).has(victim) || !(position.occupied() & way).is_empty() {
        return error(format!("no pawn can just have moved from {origin} to {victim}; write -"));
    }
    // The pawn's own check and one along the line it opened are all that its move can have given.
    let king = position.king(us);
    let explained: BitBoard = position
        .checkers()
        .iter()
        .filter(|&checker| checker == victim || get_between_rays(checker, king).has(origin))
        .collect();
    if explained != position.checkers() {
        return error(format!("{us:?} is in a check that {origin}-{victim} cannot have given; write -"));
    }
    position.offer_en_passant(square);
    Ok(())
}

fn parse_counter(field: &str, name: FenField, least: u16, most: u16) -> Result<u16, FenError> {
    match field.parse::<u16>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(FenError::new(
            name,
            format!("it is {}; write a number from {least} to {most}", quoted(field)),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_must_survive_unchanged() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
            "rr2k3/8/8/8/8/8/8/4KRR1 w Fb - 12 34", // the inner rooks castle: X-FEN names their files
            "8/8/4k3/8/8/3K4/8/8 b - - 150 9999",
        ] {
            assert_eq!(Position::from_fen(fen).expect(fen).to_string(), fen);
        }
    }

    #[test]
    fn other_ways_to_write_a_position() {
        let start = Position::start();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w qkQK\t- 0 1\n",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "rnbqkbnr/pppppppp/44/8/2222/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            assert_eq!(Position::from_fen(fen).expect(fen), start);
        }
        assert_eq!(start.shredder_fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
        let idle = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(Position::from_fen(idle).expect("valid").en_passant(), None, "no pawn can capture");
    }

    /// Each fault is refused, in its field, with a sentence that says what to do.
    #[test]
    fn faults_are_named() {
        let cases = [
            (
                "",
                "layout is wrong: it has 0 fields; write 4 (board, side to move, castling, en passant), and after them 2 counters or the operations of an EPD",
            ),
            (
                "8/8/8/8/8/8/8/8 w - - 0",
                "layout is wrong: it has 5 fields; write 4 (board, side to move, castling, en passant), and after them 2 counters or the operations of an EPD",
            ),
            (
                "8/8/8/8/8/8/8 w - -",
                "board (field 1) is wrong: it has 7 ranks; write 8, separated by slashes",
            ),
            (
                "4k3/8/9/8/8/8/8/4K3 w - -",
                "board (field 1) is wrong: '9' on rank 6 is no piece; use pnbrqk, PNBRQK and 1 to 8",
            ),
            ("4k3/8/8/7/8/8/8/4K3 w - -", "board (field 1) is wrong: rank 5 (\"7\") must fill 8 files"),
            ("4k3/8/8/8P/8/8/8/4K3 w - -", "board (field 1) is wrong: rank 5 (\"8P\") must fill 8 files"),
            ("4k3/8/8/8/8/8/8/4K2P w - -", "board (field 1) is wrong: a pawn cannot stand on h1; remove it"),
            (
                "4k3/8/8/8/8/8/8/8 w - -",
                "board (field 1) is wrong: White has 0 kings; give each side exactly one",
            ),
            (
                "4k1k1/8/8/8/8/8/8/4K3 w - -",
                "board (field 1) is wrong: Black has 2 kings; give each side exactly one",
            ),
            (
                "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - -",
                "board (field 1) is wrong: White has 8 pawns and at least 1 promoted pieces; together they cannot exceed 8",
            ),
            ("4k3/8/8/8/8/8/8/4K3 x - -", "side to move (field 2) is wrong: it is \"x\"; write w or b"),
            (
                "4k3/8/8/8/8/8/4R3/4K3 w - -",
                "side to move (field 2) is wrong: White is to move, yet Black is in check already; let Black move",
            ),
            (
                "4k3/8/3N1N2/8/8/8/4R3/4K3 b - -",
                "board (field 1) is wrong: 3 pieces check the Black king at once; at most 2 can",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w Z -",
                "castling rights (field 3) is wrong: it is \"Z\"; use KQkq, the files of rooks, or -",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w Q -",
                "castling rights (field 3) is wrong: Q needs king and rook of White on their first rank; remove the right or put them there",
            ),
            (
                "4k3/8/8/8/8/8/4K3/7R w K -",
                "castling rights (field 3) is wrong: K needs king and rook of White on their first rank; remove the right or put them there",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w KH -",
                "castling rights (field 3) is wrong: \"KH\" gives a right twice; name each once",
            ),
            (
                "4k3/8/8/8/3pP3/8/8/4K3 b - e6",
                "en passant square (field 4) is wrong: it is \"e6\"; with Black to move, write a square of rank 3, or -",
            ),
            (
                "4k3/8/8/8/3pP3/8/8/4K3 b - d3",
                "en passant square (field 4) is wrong: no pawn can just have moved from d2 to d4; write -",
            ),
            (
                "4k3/8/3N4/8/3pP3/8/8/4K3 b - e3",
                "en passant square (field 4) is wrong: Black is in a check that e2-e4 cannot have given; write -",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 151 1",
                "halfmove clock (field 5) is wrong: it is \"151\"; write a number from 0 to 150",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
                "move number (field 6) is wrong: it is \"0\"; write a number from 1 to 9999",
            ),
        ];
        for (fen, message) in cases {
            let error = Position::from_fen(fen).expect_err(fen);
            assert_eq!(error.to_string(), format!("the FEN's {message}"), "{fen}");
        }
    }
}
