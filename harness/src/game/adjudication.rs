//! Adjudication: games are ended because it is known how they will end. Rules on the players' scores and on the length of
//! games, all off unless asked for; what tables of endgames know is [`syzygy`](super::syzygy)'s.
//!
//! The meaning is that of fastchess and cutechess-cli: scores are the players' own, in centipawns, of the positions
//! before their moves. The rules of chess come first.

use super::record::{GameResult, Score, Termination};
use super::referee::Ending;
use super::syzygy::SyzygyRule;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};
use std::fmt;
use std::str::FromStr;

/// What follows the numbers of a [`Resign`] that both players must see.
const TWO_SIDED: &str = ",twosided";

/// When games are adjudicated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// A player that sees itself lost loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// A game that both see level is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A game of so many moves of each side is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// A game whose result tables of endgames know ends with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<SyzygyRule>,
}

impl Adjudication {
    /// Whether every game is played to its end.
    pub fn is_off(&self) -> bool {
        *self == Adjudication::default()
    }
}

/// `SCORE,MOVES`: a player loses whose own score was −SCORE or less (or mated) in MOVES of its moves in a row.
/// `SCORE,MOVES,twosided`: the opponent must agree, with +SCORE or more (or mate) in its last MOVES moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Resign {
    /// Centipawns, more than 0.
    pub score: i32,
    /// Moves in a row, at least 1.
    pub moves: u32,
    /// Whether both players must see it.
    pub two_sided: bool,
}

/// `SCORE,MOVES,FROM`: drawn if both scores were within ±SCORE for MOVES moves of each side in a row, but not before
/// the board's move number FROM. Captures, pawn moves and missing scores begin the count anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DrawRule {
    /// Centipawns, at least 0.
    pub score: i32,
    /// Moves of each side in a row, at least 1.
    pub moves: u32,
    /// Move number from which games are drawn.
    pub from: u32,
}

/// A text that is no rule of adjudication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRule {
    text: String,
    form: &'static str,
}

impl fmt::Display for BadRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is no such rule: write {}, the numbers whole", self.text, self.form)
    }
}

impl std::error::Error for BadRule {}

/// The numbers of a rule, if there are as many as it has.
fn numbers<const COUNT: usize>(text: &str, form: &'static str) -> Result<[u32; COUNT], BadRule> {
    let bad = || BadRule { text: text.to_owned(), form };
    let read = |word: &str| {
        // `parse` alone would accept a sign.
        let number = word.trim();
        number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok()).flatten()
    };
    let numbers: Option<Vec<u32>> = text.split(',').map(read).collect();
    let numbers = numbers.and_then(|numbers| <[u32; COUNT]>::try_from(numbers).ok()).ok_or_else(bad)?;
    let is_score = i32::try_from(numbers[0]).is_ok();
    if is_score && numbers[1] > 0 { Ok(numbers) } else { Err(bad()) }
}

impl FromStr for Resign {
    type Err = BadRule;

    fn from_str(text: &str) -> Result<Resign, BadRule> {
        const FORM: &str =
            "SCORE,MOVES such as 600,3 (centipawns, moves in a row), or 600,3,twosided if both must see it";
        let one_sided = text.strip_suffix(TWO_SIDED);
        let [score, moves] = numbers(one_sided.unwrap_or(text), FORM)?;
        match score {
            0 => Err(BadRule { text: text.to_owned(), form: FORM }),
            _ => Ok(Resign { score: score.cast_signed(), moves, two_sided: one_sided.is_some() }),
        }
    }
}

impl FromStr for DrawRule {
    type Err = BadRule;

    fn from_str(text: &str) -> Result<DrawRule, BadRule> {
        let [score, moves, from] = numbers(
            text,
            "SCORE,MOVES,FROM such as 10,8,34 (centipawns, moves in a row, first move number)",
        )?;
        Ok(DrawRule { score: score.cast_signed(), moves, from })
    }
}

impl fmt::Display for Resign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}{}", self.score, self.moves, if self.two_sided { TWO_SIDED } else { "" })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.score, self.moves, self.from)
    }
}

impl TryFrom<String> for Resign {
    type Error = BadRule;
    fn try_from(text: String) -> Result<Resign, BadRule> {
        text.parse()
    }
}

impl TryFrom<String> for DrawRule {
    type Error = BadRule;
    fn try_from(text: String) -> Result<DrawRule, BadRule> {
        text.parse()
    }
}

impl From<Resign> for String {
    fn from(rule: Resign) -> String {
        rule.to_string()
    }
}

impl From<DrawRule> for String {
    fn from(rule: DrawRule) -> String {
        rule.to_string()
    }
}

/// Follows the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Moves in a row at which each player saw itself lost.
    lost: ByColor<u32>,
    /// Moves in a row at which each player saw itself win.
    won: ByColor<u32>,
    /// Plies in a row at which the mover saw the game level.
    level: u32,
    plies: u32,
}

/// A move as the adjudicator sees it.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// Whose move it was.
    pub mover: Color,
    /// What it thought of the position.
    pub score: Option<Score>,
    /// A capture or a pawn move.
    pub is_zeroing: bool,
    /// The board's number of the move.
    pub number: u32,
}

impl Adjudicator {
    /// A game that begins.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, lost: ByColor::default(), won: ByColor::default(), level: 0, plies: 0 }
    }

    /// Takes a move that has not ended the game, and ends it if a rule says so; with the reason.
    pub fn after(&mut self, ply: Ply) -> Option<(Ending, String)> {
        self.plies += 1;
        let (result, why) = self.resigned(ply).or_else(|| self.level(ply)).or_else(|| self.too_long())?;
        Some((Ending { result, termination: Termination::Adjudication }, why))
    }

    fn resigned(&mut self, Ply { mover, score: seen, .. }: Ply) -> Option<(GameResult, String)> {
        let Resign { score, moves, two_sided } = self.rules.resign?;
        let (is_lost, is_won) = match seen {
            Some(Score::Centipawns(own)) => (own <= -score, own >= score),
            Some(Score::Mate(own)) => (own <= 0, own > 0),
            None => (false, false),
        };
        for (in_a_row, is_so) in [(&mut self.lost[mover], is_lost), (&mut self.won[mover], is_won)] {
            *in_a_row = if is_so { *in_a_row + 1 } else { 0 };
        }
        // A player's move can complete its own loss, or its agreement to the other's.
        let has_lost =
            |player: &Color| self.lost[*player] >= moves && (!two_sided || self.won[!*player] >= moves);
        let loser = [mover, !mover].into_iter().find(has_lost)?;
        let name = |player: Color| player.fold_wb("White", "Black");
        let agreed = if two_sided { format!(", and {} agreed", name(!loser)) } else { String::new() };
        let why = format!(
            "{} saw itself {score} centipawns down or mated in {moves} of its moves in a row{agreed}",
            name(loser)
        );
        Some((GameResult::win_for(!loser), why))
    }

    fn level(&mut self, ply: Ply) -> Option<(GameResult, String)> {
        let DrawRule { score, moves, from } = self.rules.draw?;
        let is_level =
            matches!(ply.score, Some(Score::Centipawns(own)) if own.unsigned_abs() <= score.unsigned_abs());
        self.level = if is_level && !ply.is_zeroing { self.level + 1 } else { 0 };
        (ply.number >= from && self.level >= moves.saturating_mul(2)).then(|| {
            let why = format!(
                "both saw the game level within {score} centipawns in {moves} of their moves in a row"
            );
            (GameResult::Draw, why)
        })
    }

    fn too_long(&self) -> Option<(GameResult, String)> {
        let moves = self.rules.max_moves?;
        let is_over = self.plies >= moves.saturating_mul(2);
        is_over.then(|| (GameResult::Draw, format!("{moves} moves were played")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(resign: &str, draw: &str, max_moves: Option<u32>) -> Adjudicator {
        Adjudicator::new(Adjudication {
            resign: resign.parse().ok(),
            draw: draw.parse().ok(),
            max_moves,
            syzygy: None,
        })
    }

    /// The ply at which the game ends, and how; White begins, at move 1.
    fn end(mut adjudicator: Adjudicator, plies: &[(Option<Score>, bool)]) -> Option<(usize, GameResult)> {
        plies.iter().zip(0..).find_map(|(&(score, is_zeroing), at)| {
            let mover = if at % 2 == 0 { Color::White } else { Color::Black };
            let ply = Ply { mover, score, is_zeroing, number: at as u32 / 2 + 1 };
            adjudicator.after(ply).map(|(ending, _)| (at + 1, ending.result))
        })
    }

    fn cp(scores: &[i32]) -> Vec<(Option<Score>, bool)> {
        scores.iter().map(|&score| (Some(Score::Centipawns(score)), false)).collect()
    }

    #[test]
    fn a_player_resigns_on_its_own_score_alone() {
        let white_wins = Some((6, GameResult::WhiteWins));
        assert_eq!(end(rules("600,3", "", None), &cp(&[0, -600, 0, -700, 0, -601])), white_wins);
        assert_eq!(end(rules("600,3", "", None), &cp(&[0, -600, 0, -599, 0, -600, 0, -600])), None);
        assert_eq!(end(rules("600,1", "", None), &cp(&[5, 600, -600])), Some((3, GameResult::BlackWins)));
        let mated = [(Some(Score::Mate(-4)), false), (Some(Score::Mate(3)), false)];
        assert_eq!(end(rules("600,2", "", None), &mated.repeat(2)), Some((3, GameResult::BlackWins)));
        let unknown = [cp(&[-900, 0]), vec![(None, false)], cp(&[0, -900, 0])].concat();
        assert_eq!(end(rules("600,2", "", None), &unknown), None, "a missing score begins anew");
    }

    #[test]
    fn two_sided_resignation_needs_the_opponents_word() {
        let two_sided = || rules("600,2,twosided", "", None);
        let black_wins = |ply| Some((ply, GameResult::BlackWins));
        assert_eq!(end(two_sided(), &cp(&[-600, 600, -700, 601])), black_wins(4), "agreed to after the loss");
        assert_eq!(end(two_sided(), &cp(&[0, 600, -600, 600, -600])), black_wins(5), "or before it");
        assert_eq!(end(two_sided(), &cp(&[-900; 20])), None, "both cannot lose");
        assert_eq!(end(two_sided(), &cp(&[900; 20])), None, "nor win");
        assert_eq!(end(two_sided(), &cp(&[-900, 599, -900, 599, -900, 599])), None, "not enough");
        assert_eq!(end(two_sided(), &cp(&[-900, 900, -900, 0, -900, 900, 0, 900])), None, "not in a row");
        let mate = [(Some(Score::Mate(-4)), false), (Some(Score::Mate(5)), false)];
        assert_eq!(end(two_sided(), &mate.repeat(2)), black_wins(4));
        let silent = [(Some(Score::Mate(-4)), false), (None, false)];
        assert_eq!(end(two_sided(), &silent.repeat(9)), None);
        let ply =
            |mover, score| Ply { mover, score: Some(Score::Centipawns(score)), is_zeroing: false, number: 1 };
        let mut adjudicator = rules("600,1,twosided", "", None);
        assert_eq!(adjudicator.after(ply(Color::White, -800)), None);
        let (_, why) = adjudicator.after(ply(Color::Black, 700)).unwrap();
        assert_eq!(
            why,
            "White saw itself 600 centipawns down or mated in 1 of its moves in a row, and Black agreed"
        );
    }

    #[test]
    fn a_draw_needs_both_sides_and_its_move_number() {
        assert_eq!(end(rules("", "10,2,1", None), &cp(&[10, -10, 0, 5])), Some((4, GameResult::Draw)));
        assert_eq!(end(rules("", "10,2,4", None), &cp(&[0; 9])), Some((7, GameResult::Draw)));
        assert_eq!(end(rules("", "10,2,1", None), &cp(&[0, 11, 0, 0, 0])), None);
        for interruption in [(Some(Score::Centipawns(0)), true), (None, false), (Some(Score::Mate(1)), false)]
        {
            let plies = [cp(&[0, 0, 0]), vec![interruption], cp(&[0, 0, 0])].concat();
            assert_eq!(end(rules("", "10,2,1", None), &plies), None, "{interruption:?}");
        }
        assert_eq!(end(rules("", "10,1,1", None), &cp(&[i32::MIN, i32::MIN])), None);
    }

    #[test]
    fn long_games_are_drawn_when_both_have_made_their_moves() {
        assert_eq!(end(rules("", "", Some(3)), &cp(&[99; 9])), Some((6, GameResult::Draw)));
        assert_eq!(end(rules("", "", None), &cp(&[0; 999])), None);
    }

    #[test]
    fn rules_are_read_and_written() {
        let all = Adjudication {
            resign: Some(Resign { score: 600, moves: 3, two_sided: false }),
            draw: Some(DrawRule { score: 10, moves: 8, from: 34 }),
            max_moves: Some(200),
            syzygy: None,
        };
        let json = r#"{"resign":"600,3","draw":"10,8,34","max_moves":200}"#;
        assert_eq!(serde_json::to_string(&all).unwrap(), json);
        assert_eq!(serde_json::from_str::<Adjudication>(json).unwrap(), all);
        assert!(serde_json::from_str::<Adjudication>("{}").unwrap().is_off());
        let two_sided: Resign = "600,3,twosided".parse().unwrap();
        assert_eq!(two_sided, Resign { score: 600, moves: 3, two_sided: true });
        assert_eq!(two_sided.to_string(), "600,3,twosided");
        for text in [
            ",twosided",
            "600,twosided",
            "600,3,onesided",
            "",
            "600",
            "600,0",
            "-600,3",
            "0,3",
            "600,3,1",
            "6e2,3",
            "600,3.5",
            "99999999999,3",
            "+1,+1",
        ] {
            let error = text.parse::<Resign>().unwrap_err().to_string();
            assert!(error.contains("write SCORE,MOVES such as 600,3"), "{error}");
        }
        for text in ["10,8", "10,0,1", "10,8,", "x,8,34", "3000000000,8,34"] {
            assert!(text.parse::<DrawRule>().is_err(), "{text}");
        }
    }
}
