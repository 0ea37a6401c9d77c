//! FEN of a position. One form for records, evidence and books, so that equal positions are equal texts.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Position};

/// The position as FEN of six fields: the en passant square only where a capture is legal; castling
/// rights as `KQkq` in normal chess and as the files of the rooks (Shredder-FEN) in Chess960.
pub fn fen_of(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let castles = position.castles();
    if castles.mode() == CastlingMode::Standard || castles.is_empty() {
        return fen;
    }
    let mut rights = String::new();
    for color in Color::ALL {
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            if let Some(rook) = castles.rook(color, side) {
                let file = rook.file().char();
                rights.push(color.fold_wb(file.to_ascii_uppercase(), file));
            }
        }
    }
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = &rights;
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(fen: &str, mode: CastlingMode) -> String {
        fen_of(&fen.parse::<Fen>().unwrap().into_position(mode).unwrap())
    }

    #[test]
    fn chess960_names_the_rooks_by_file() {
        let x_fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        assert_eq!(rewritten(x_fen, CastlingMode::Chess960), x_fen);
        let rights = "1r2k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1";
        assert_eq!(rewritten(rights, CastlingMode::Chess960), "1r2k2r/8/8/8/8/8/8/R3K1R1 w GAhb - 0 1");
    }

    #[test]
    fn normal_chess_keeps_its_letters_and_only_a_useful_en_passant_square() {
        let useless = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(rewritten(useless, CastlingMode::Standard), useless.replace("e3", "-"));
        let useful = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
        assert_eq!(rewritten(useful, CastlingMode::Standard), useful);
    }
}
