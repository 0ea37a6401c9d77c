//! How do results come in that were not played here? Counts as people type them and as files hold them, checked.

use crate::options::{RunOptions, TABLE};
use crate::statistics::breakdown::level_pairs;
use crate::statistics::{Pentanomial, Results, Trinomial};
use serde::Deserialize;
use serde_json::{Map, Value};

/// No category may hold more: far beyond all games ever played, and every figure is still exact.
const MOST: u64 = 1_000_000_000_000;

/// The results of one line of a file, and the test it names.
#[derive(Clone, Debug)]
pub struct Line {
    /// The counts.
    pub results: Results,
    /// What an object on the line says about the test.
    pub test: RunOptions,
}

/// An object on a line, such as a report of this program; what is not named here is ignored.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Object {
    wdl: Option<[u64; 3]>,
    wins: Option<u64>,
    losses: Option<u64>,
    draws: Option<u64>,
    #[serde(alias = "pentanomial")]
    ptnml: Option<[u64; 5]>,
}

impl Line {
    /// Reads `W,L,D`, five counts of pairs, or a JSON object with `wdl`, `ptnml` or both (or `wins`, `losses`, `draws`
    /// and `pentanomial`, as reports have them).
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence that names the line.
    pub fn parse(text: &str) -> Result<Line, String> {
        if text.starts_with('{') {
            return Line::of_object(text);
        }
        let numbers = whole_numbers(text)?;
        let results = match *numbers.as_slice() {
            [wins, losses, draws] => Results::Games(Trinomial { wins, losses, draws }),
            [ll, ld, level, wd, ww] => Results::Pairs(Pentanomial([ll, ld, level, wd, ww])),
            _ => {
                return Err(format!(
                    "has {} numbers: give three (wins, losses, draws) or five (pairs by the candidate's score 0, ½, 1, 1½, 2)",
                    numbers.len()
                ));
            }
        };
        Ok(Line { results, test: RunOptions::default() })
    }

    fn of_object(text: &str) -> Result<Line, String> {
        let wrong =
            |error| format!("is no object with counts: {error}; give such as {{\"wdl\": [640, 480, 880]}}");
        let all: Map<String, Value> = serde_json::from_str(text).map_err(wrong)?;
        let is_of_test = |key: &str| TABLE.iter().any(|row| row.long == key && row.role.is_of_test());
        let mut test = all.clone();
        test.retain(|key, value| is_of_test(key) && !value.is_null());
        let test = serde_json::from_value(test.into()).map_err(wrong)?;
        let Object { wdl, wins, losses, draws, ptnml } = serde_json::from_value(all.into()).map_err(wrong)?;
        let games = match (wdl, wins, losses, draws) {
            (Some([wins, losses, draws]), ..) | (None, Some(wins), Some(losses), Some(draws)) => {
                Some(Trinomial { wins, losses, draws })
            }
            _ => None,
        };
        Ok(Line { results: results(games, ptnml.map(Pentanomial))?, test })
    }
}

/// `W,L,D` of the command line.
///
/// # Errors
/// As of [`Line::parse`].
pub fn games(text: &str) -> Result<Trinomial, String> {
    match *whole_numbers(text)?.as_slice() {
        [wins, losses, draws] => Ok(Trinomial { wins, losses, draws }),
        _ => Err("gives not three numbers: give wins, losses and draws, such as 640,480,880".to_owned()),
    }
}

/// `LL,LD,DD,WD,WW` of the command line.
///
/// # Errors
/// As of [`Line::parse`].
pub fn pairs(text: &str) -> Result<Pentanomial, String> {
    match *whole_numbers(text)?.as_slice() {
        [ll, ld, level, wd, ww] => Ok(Pentanomial([ll, ld, level, wd, ww])),
        _ => Err("gives not five numbers: give the pairs by the candidate's score 0, ½, 1, 1½, 2, such as \
                  50,180,460,240,70"
            .to_owned()),
    }
}

/// What is known, checked.
///
/// # Errors
/// There is nothing, too much of it, or the games are not those of the pairs; as the end of a sentence.
pub fn results(games: Option<Trinomial>, pairs: Option<Pentanomial>) -> Result<Results, String> {
    let counts = games
        .map(|games| games.by_score())
        .into_iter()
        .flatten()
        .chain(pairs.into_iter().flat_map(|pairs| pairs.0));
    if let Some(count) = counts.into_iter().find(|&count| count > MOST) {
        return Err(too_large(count));
    }
    match (games, pairs) {
        (Some(games), None) => Ok(Results::Games(games)),
        (None, Some(pairs)) => Ok(Results::Pairs(pairs)),
        (Some(games), Some(pairs)) if level_pairs(&pairs, &games).is_some() => {
            Ok(Results::Both(pairs, games))
        }
        (Some(Trinomial { wins, losses, draws }), Some(pairs)) => Err(format!(
            "has {wins} wins, {losses} losses and {draws} draws, which cannot form the pairs {:?}: correct one of them",
            pairs.0
        )),
        (None, None) => Err("has no counts: give wdl, ptnml or both".to_owned()),
    }
}

/// Numbers between commas or blanks.
fn whole_numbers(text: &str) -> Result<Vec<u64>, String> {
    let text = text.trim();
    let is_separator = |c: char| c == ',' || c.is_whitespace();
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    words.map(whole_number).collect()
}

fn whole_number(word: &str) -> Result<u64, String> {
    let digits = word.strip_prefix('+').unwrap_or(word);
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return Err(format!("has {word:?}, which is no count: give whole numbers, 0 or more"));
    }
    digits.parse().ok().filter(|&count| count <= MOST).ok_or_else(|| too_large(digits))
}

fn too_large(count: impl std::fmt::Display) -> String {
    format!("has a count of {count}, which is too large: give at most {MOST}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Model;

    const PAIRS: Pentanomial = Pentanomial([53, 51, 275, 83, 112]);
    const GAMES: Trinomial = Trinomial { wins: 559, losses: 409, draws: 180 };

    #[test]
    fn the_forms_of_a_line() {
        for text in ["559,409,180", " 559 409\t180 ", "[559, 409, 180]", r#"{"wdl": [559, 409, 180]}"#] {
            assert_eq!(Line::parse(text.trim()).unwrap().results, Results::Games(GAMES), "{text}");
        }
        for text in ["53,51,275,83,112", "[53, 51, 275, 83, 112]", r#"{"ptnml": [53, 51, 275, 83, 112]}"#] {
            assert_eq!(Line::parse(text).unwrap().results, Results::Pairs(PAIRS), "{text}");
        }
        let report = r#"{"run": "r", "wins": 559, "losses": 409, "draws": 180, "model": "normalized", "elo1": 3,
                         "pentanomial": [53, 51, 275, 83, 112]}"#;
        let line = Line::parse(report).unwrap();
        assert_eq!(line.results, Results::Both(PAIRS, GAMES));
        assert_eq!(
            (line.test.model, line.test.elo0, line.test.elo1),
            (Some(Model::Normalized), None, Some(3.0))
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, sentence) in [
            ("1,2", "has 2 numbers: give three"),
            ("1,2,3,4", "has 4 numbers: give three"),
            ("1,-2,3", "has \"-2\", which is no count: give whole numbers, 0 or more"),
            ("1,2.5,3", "has \"2.5\", which is no count"),
            ("1,NaN,3", "has \"NaN\", which is no count"),
            ("won 3", "has \"won\", which is no count"),
            ("1,2,99999999999999999999999", "has a count of 99999999999999999999999, which is too large"),
            (
                "1,2,1000000000001",
                "has a count of 1000000000001, which is too large: give at most 1000000000000",
            ),
            (r#"{"wdl": [1, 2, 1000000000001]}"#, "has a count of 1000000000001, which is too large"),
            (r#"{"wdl": [1, 2]}"#, "is no object with counts: invalid length 2"),
            (r#"{"wdl": [1, 2, -3]}"#, "is no object with counts: invalid value: integer `-3`"),
            (r#"{"wins": 3}"#, "has no counts: give wdl, ptnml or both"),
            (
                r#"{"wdl": [1, 2, 3], "ptnml": [1, 2, 3, 4, 5]}"#,
                "which cannot form the pairs [1, 2, 3, 4, 5]",
            ),
            ("{", "is no object with counts: EOF"),
        ] {
            let error = Line::parse(text).unwrap_err();
            assert!(error.contains(sentence), "{text}: {error}");
        }
    }
}
