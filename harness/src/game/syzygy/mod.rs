//! Syzygy tables: the result of an endgame without playing it (Ronald de Man, 2013). They are asked where their answer is
//! exact: right after a capture or a pawn move and without castling rights, with the fifty-move rule in force.

mod files;
mod folders;

pub use folders::{BadTables, Folders};

use super::record::GameResult;
use clap::ValueEnum;
use files::{check_completeness, digest_of, find, unreadable};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position};
use shakmaty_syzygy::{SyzygyError, Tablebase, Wdl};
use std::fmt;

/// Which answers of the tables end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Decides {
    /// Adjudicate wins.
    Wins,
    /// Adjudicate draws.
    Draws,
    /// Adjudicate both.
    #[default]
    Both,
}

impl fmt::Display for Decides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decides::Wins => "wins",
            Decides::Draws => "draws",
            Decides::Both => "both",
        })
    }
}

/// Tables that decide games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyzygyRule {
    /// Where they are, from the root, so that a run can be resumed from another folder; no part of its identity.
    pub folders: Folders,
    /// Which of their answers count.
    pub decides: Decides,
    /// They are asked of positions of so many pieces or fewer, kings included; not given: as many as they have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u32>,
    /// How many tables there are.
    pub tables: usize,
    /// SHA-256 of their names and sizes in bytes, by name. (To read the tables themselves could take hours.)
    pub digest: String,
}

impl fmt::Display for SyzygyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SyzygyRule { decides, pieces, tables, digest, .. } = self;
        let pieces = pieces.map(|pieces| format!(" of up to {pieces} pieces")).unwrap_or_default();
        write!(f, "{decides}{pieces} by {tables} tables, sha256 {digest}")
    }
}

impl SyzygyRule {
    /// The tables in these folders, each of which is looked at.
    ///
    /// # Errors
    /// A folder or a table cannot be read, there is none, or one is missing to which captures lead from another.
    pub fn of(folders: Folders, decides: Decides) -> Result<SyzygyRule, BadTables> {
        let folders = folders.rooted();
        let files = find(&folders)?;
        check_completeness(&files, &folders)?;
        Ok(SyzygyRule { decides, pieces: None, tables: files.len(), digest: digest_of(&files), folders })
    }

    /// The same for positions of so many pieces or fewer, if a number is given.
    #[must_use]
    pub fn up_to(self, pieces: Option<u32>) -> SyzygyRule {
        SyzygyRule { pieces, ..self }
    }

    /// Opens the tables to be looked up in.
    ///
    /// # Errors
    /// As [`SyzygyRule::of`], or they are not those of this rule any more.
    pub fn open(&self) -> Result<Tables, BadTables> {
        let files = find(&self.folders)?;
        if digest_of(&files) != self.digest {
            return Err(BadTables(format!(
                "the Syzygy tables in {} are not those that were used before: put them back, or name the folder that \
                 has them with --syzygy",
                self.folders
            )));
        }
        let mut base = Tablebase::new();
        for (path, _) in files.values() {
            base.add_file(path).map_err(|error| unreadable(path, error))?;
        }
        let most_pieces = self.pieces.map_or(usize::MAX, |pieces| pieces as usize).min(base.max_pieces());
        Ok(Tables { base, decides: self.decides, most_pieces })
    }
}

/// Open tables.
#[derive(Debug)]
pub struct Tables {
    base: Tablebase<Chess>,
    decides: Decides,
    most_pieces: usize,
}

impl Tables {
    /// How the game will end, if the tables know and may decide it.
    ///
    /// # Errors
    /// A sentence, if a table cannot be read any more.
    pub fn result(&self, position: &Chess) -> Result<Option<GameResult>, String> {
        let pieces = position.board().occupied().count();
        if pieces > self.most_pieces || position.halfmoves() > 0 || !position.castles().is_empty() {
            return Ok(None);
        }
        let result = match self.base.probe_wdl_after_zeroing(position) {
            Ok(wdl) => result_of(wdl, position.turn()),
            // Of the tables of this many pieces, some may be left out.
            Err(SyzygyError::MissingTable { .. }) => return Ok(None),
            Err(error) => return Err(no_answer(error)),
        };
        let counts = match self.decides {
            Decides::Wins => result != GameResult::Draw,
            Decides::Draws => result == GameResult::Draw,
            Decides::Both => true,
        };
        Ok(counts.then_some(result))
    }
}

/// A win that the fifty-move rule prevents is a draw.
fn result_of(wdl: Wdl, turn: Color) -> GameResult {
    match wdl {
        Wdl::Win => GameResult::win_for(turn),
        Wdl::Loss => GameResult::win_for(!turn),
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => GameResult::Draw,
    }
}

fn no_answer(error: SyzygyError) -> String {
    let table = match error {
        SyzygyError::ProbeFailed { material, .. } => material.to_string(),
        error => error.to_string(),
    };
    format!("a Syzygy table cannot be read ({table}): fetch it again, or play without --syzygy")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::opening::Opening;
    use std::fs;
    use tempfile::TempDir;

    /// The tables of three pieces.
    fn shipped() -> Folders {
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy").parse().unwrap()
    }

    fn tables(decides: Decides) -> Tables {
        SyzygyRule::of(shipped(), decides).unwrap().open().unwrap()
    }

    fn result(tables: &Tables, fen: &str) -> Option<GameResult> {
        tables.result(&Opening::parse(fen, 1).unwrap().position()).unwrap()
    }

    /// A folder with some of them, under the names given.
    fn folder(files: &[(&str, &str)]) -> (TempDir, Folders) {
        let folder = tempfile::tempdir().unwrap();
        let Folders(shipped) = shipped();
        for (from, to) in files {
            fs::copy(shipped[0].join(from), folder.path().join(to)).unwrap();
        }
        let folders = folder.path().to_str().unwrap().parse().unwrap();
        (folder, folders)
    }

    /// Positions drawn by chance; 1 if the side to move wins, as python-chess 1.11.2 found with its own reader.
    const REFERENCE: [(&str, i32); 18] = [
        ("8/8/7P/8/8/4K3/6k1/8 b - - 0 1", -1),
        ("8/8/8/8/7k/8/5K2/1r6 b - - 0 1", 1),
        ("8/1k6/8/8/8/4Q2K/8/8 b - - 0 1", -1),
        ("8/8/8/8/2R5/K7/8/k7 w - - 0 1", 1),
        ("8/8/k7/5K2/1R6/8/8/8 w - - 0 1", 1),
        ("8/8/8/1k6/8/2K5/p7/8 w - - 0 1", 0),
        ("8/8/3K4/7p/8/8/k7/8 b - - 0 1", 1),
        ("8/8/5P2/K7/8/8/8/2k5 b - - 0 1", -1),
        ("8/8/8/8/1K5p/8/7k/8 b - - 0 1", 1),
        ("3k4/8/8/K7/8/8/5p2/8 w - - 0 1", -1),
        ("8/7K/8/8/2p5/8/3k4/8 w - - 0 1", -1),
        ("8/5K2/8/5k2/8/2P5/8/8 b - - 0 1", 0),
        ("8/3K4/8/8/8/2k5/6P1/8 b - - 0 1", 0),
        ("8/5k2/8/6P1/8/5K2/8/8 w - - 0 1", 0),
        ("8/8/4p2K/8/8/8/8/k7 b - - 0 1", 0),
        ("6k1/8/K4P2/8/8/8/8/8 w - - 0 1", 0),
        ("8/8/2k1p3/5K2/8/8/8/8 w - - 0 1", 0),
        ("8/3p4/8/8/5K2/8/2k5/8 w - - 0 1", 0),
    ];

    #[test]
    fn the_answers_are_those_of_another_reader() {
        let [both, wins, draws] = [Decides::Both, Decides::Wins, Decides::Draws].map(tables);
        for (fen, expected) in REFERENCE {
            let white_to_move = fen.contains(" w ");
            let expected = match (expected, white_to_move) {
                (0, _) => GameResult::Draw,
                (1, true) | (-1, false) => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            };
            assert_eq!(result(&both, fen), Some(expected), "{fen}");
            let is_draw = expected == GameResult::Draw;
            assert_eq!(result(&wins, fen), (!is_draw).then_some(expected), "{fen}");
            assert_eq!(result(&draws, fen), is_draw.then_some(expected), "{fen}");
        }
    }

    #[test]
    fn only_exact_answers_count() {
        let tables = tables(Decides::Both);
        for unanswered in [
            "8/8/8/8/2R5/K7/8/k7 w - - 1 1",
            "7k/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "8/8/8/1k6/2RQ4/K7/8/8 b - - 0 1",
        ] {
            assert_eq!(result(&tables, unanswered), None, "{unanswered}");
        }
        assert_eq!(result_of(Wdl::CursedWin, Color::White), GameResult::Draw);
        assert_eq!(result_of(Wdl::BlessedLoss, Color::White), GameResult::Draw);
    }

    #[test]
    fn positions_of_more_pieces_are_not_decided() {
        let rule = || SyzygyRule::of(shipped(), Decides::Both).unwrap();
        let known = |pieces| result(&rule().up_to(pieces).open().unwrap(), REFERENCE[3].0);
        assert_eq!([known(None), known(Some(7)), known(Some(3))], [Some(GameResult::WhiteWins); 3]);
        assert_eq!(known(Some(2)), None);
        // A limit is part of what the rule is called, and none is stored where none was given.
        assert!(rule().up_to(Some(5)).to_string().starts_with("both of up to 5 pieces by 5 tables, "));
        assert!(!serde_json::to_string(&rule()).unwrap().contains("pieces"));
    }

    #[test]
    fn the_rule_is_named_by_its_tables_wherever_they_are() {
        let rule = SyzygyRule::of(shipped(), Decides::Both).unwrap();
        assert_eq!((rule.tables, rule.digest.len()), (5, 64));
        let names =
            ["KBvK.rtbw", "KNvK.rtbw", "KPvK.rtbw", "KQvK.rtbw", "KRvK.rtbw"].map(|name| (name, name));
        let (_one, first) = folder(&names[..2]);
        let (_other, second) = folder(&names[1..]);
        let both: Folders = format!("{first}:{second}").parse().unwrap();
        assert_eq!(SyzygyRule::of(both.clone(), Decides::Both).unwrap().to_string(), rule.to_string());
        let fewer = SyzygyRule::of(second.clone(), Decides::Both).unwrap();
        assert_ne!(fewer.digest, rule.digest);
        let moved = SyzygyRule { folders: second, ..rule.clone() };
        let error = moved.open().unwrap_err().to_string();
        assert!(error.contains("are not those that were used before"), "{error}");

        let json = serde_json::to_string(&rule).unwrap();
        assert_eq!(serde_json::from_str::<SyzygyRule>(&json).unwrap(), rule);
        assert_eq!(shipped().last_names().to_string(), "syzygy");
    }

    #[test]
    fn tables_that_cannot_be_used_are_refused_at_once() {
        let refused = |folders: Folders, words: &str| {
            let error = SyzygyRule::of(folders, Decides::Both).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        refused("no/such/folder".parse().unwrap(), "no/such/folder cannot be read: ");
        let (empty, folders) = folder(&[]);
        refused(folders.clone(), "there is no Syzygy table (such as KQvK.rtbw) in ");
        fs::write(empty.path().join("notes.rtbw"), "no table's name").unwrap();
        refused(folders.clone(), "there is no Syzygy table");
        for broken in ["", "short", &"x".repeat(80)] {
            fs::write(empty.path().join("KQvK.rtbw"), broken).unwrap();
            refused(folders.clone(), "KQvK.rtbw is damaged or no Syzygy table: fetch it again");
        }
        let (_incomplete, folders) = folder(&[("KQvK.rtbw", "KQvK.rtbw"), ("KQvK.rtbw", "KQvKR.rtbw")]);
        refused(folders, "the Syzygy table KRvK is missing in ");
        assert!("".parse::<Folders>().is_err() && ":".parse::<Folders>().is_err());
    }

    #[test]
    fn damage_that_shows_only_when_looked_up_is_an_error() {
        let (place, folders) = folder(&[("KPvK.rtbw", "KPvK.rtbw")]);
        let path = place.path().join("KPvK.rtbw");
        let mut bytes = fs::read(&path).unwrap();
        bytes[5..].fill(0xff);
        fs::write(&path, bytes).unwrap();
        let tables = SyzygyRule::of(folders, Decides::Both).unwrap().open().unwrap();
        let position = Opening::parse(REFERENCE[0].0, 1).unwrap().position();
        let error = tables.result(&position).unwrap_err();
        assert!(error.contains("a Syzygy table cannot be read (KPvK)"), "{error}");
    }
}
