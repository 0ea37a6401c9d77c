//! Files of Syzygy tables: which are in the folders, whether each can be read, and whether one is missing.

use super::folders::{BadTables, Folders};
use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};
use shakmaty::Chess;
use shakmaty_syzygy::Syzygy;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A table's file and its size, bytes.
pub(super) type Files = BTreeMap<Material, (PathBuf, u64)>;

pub(super) fn unreadable(path: &Path, error: impl fmt::Display) -> BadTables {
    BadTables(format!("the Syzygy tables in {} cannot be read: {error}; check --syzygy", path.display()))
}

/// Every table of results (`*.rtbw`); those of distances are not needed.
pub(super) fn find(Folders(folders): &Folders) -> Result<Files, BadTables> {
    let mut files = Files::new();
    for folder in folders {
        for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            if path.extension().is_some_and(|ending| ending == Chess::TBW.ext)
                && let Some(material) = path.file_stem().and_then(|stem| Material::parse(stem.to_str()?))
                && !files.contains_key(&material)
            {
                let size = checked_size(&path)?;
                files.insert(material, (path, size));
            }
        }
    }
    if files.is_empty() {
        let named = Folders(folders.clone());
        return Err(BadTables(format!(
            "there is no Syzygy table (such as KQvK.rtbw) in {named}: name the folder that has them with --syzygy"
        )));
    }
    Ok(files)
}

/// The size of a table that begins as one, and is as long as one can be.
fn checked_size(path: &Path) -> Result<u64, BadTables> {
    let mut magic = [0; 4];
    let mut file = File::open(path).map_err(|error| unreadable(path, error))?;
    let size = file.metadata().map_err(|error| unreadable(path, error))?.len();
    // Blocks of 64 bytes and a checksum of 16.
    if size % 64 != 16 || file.read_exact(&mut magic).is_err() || magic != Chess::TBW.magic {
        return Err(BadTables(format!("{} is damaged or no Syzygy table: fetch it again", path.display())));
    }
    Ok(size)
}

/// SHA-256 of the names and sizes.
pub(super) fn digest_of(files: &Files) -> String {
    let mut hash = Sha256::new();
    for (material, (_, size)) in files {
        hash.update(format!("{material} {size}\n"));
    }
    encode_string(&hash.finalize())
}

/// To look a position up is to try its captures, too.
pub(super) fn check_completeness(files: &Files, folders: &Folders) -> Result<(), BadTables> {
    for material in files.keys() {
        let missing = material.after_captures().find(|after| !after.is_bare() && !files.contains_key(after));
        if let Some(missing) = missing {
            return Err(BadTables(format!(
                "the Syzygy table {missing} is missing in {folders}, where captures lead from {material}: add it"
            )));
        }
    }
    Ok(())
}

/// The pieces of both sides as a table's name has them, `KQvKR`, whichever side comes first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Material([String; 2]);

impl Material {
    /// Pieces in the order of names.
    const ORDER: &str = "KQRBNP";

    fn parse(name: &str) -> Option<Material> {
        let (one, other) = name.split_once('v')?;
        let is_side = |side: &str| {
            side.starts_with('K') && side[1..].chars().all(|piece| Material::ORDER[1..].contains(piece))
        };
        (is_side(one) && is_side(other)).then(|| Material::new(one, other))
    }

    fn new(one: &str, other: &str) -> Material {
        let place = |piece: &char| Material::ORDER.find(*piece);
        let mut sides = [one, other].map(|side| {
            let mut pieces: Vec<char> = side.chars().collect();
            pieces.sort_by_key(place);
            pieces.into_iter().collect::<String>()
        });
        // The side with more pieces first, then the one whose pieces are worth more.
        sides.sort_by_key(|side| {
            (std::cmp::Reverse(side.len()), side.chars().map(|piece| place(&piece)).collect::<Vec<_>>())
        });
        Material(sides)
    }

    /// Only kings are left.
    fn is_bare(&self) -> bool {
        self.0.iter().all(|side| side.len() == 1)
    }

    /// What may be left after one capture, in which a pawn may become a piece.
    fn after_captures(&self) -> impl Iterator<Item = Material> {
        let [one, other] = &self.0;
        [(one, other), (other, one)].into_iter().flat_map(|(taker, loser)| {
            let takers = std::iter::once(taker.clone()).chain(promotions(taker));
            takers.flat_map(move |taker| {
                (1..loser.len()).map(move |taken| {
                    let mut left = loser.clone();
                    left.remove(taken);
                    Material::new(&taker, &left)
                })
            })
        })
    }
}

/// The side with one pawn promoted.
fn promotions(side: &str) -> Vec<String> {
    let promoted = |piece| side.replacen('P', piece, 1);
    if side.contains('P') { ["Q", "R", "B", "N"].map(promoted).into() } else { Vec::new() }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = &self.0;
        f.write_str(one)?;
        f.write_char('v')?;
        f.write_str(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_lead_from_table_to_table() {
        let after = |name: &str| {
            let mut after: Vec<_> = Material::parse(name)
                .unwrap()
                .after_captures()
                .map(|material| material.to_string())
                .collect();
            after.sort();
            after.dedup();
            after.join(" ")
        };
        assert_eq!(after("KQvK"), "KvK");
        assert_eq!(after("KvKQ"), "KvK");
        assert_eq!(after("KRvKQ"), "KQvK KRvK");
        assert_eq!(after("KPvKR"), "KBvK KNvK KPvK KQvK KRvK");
        assert_eq!(
            after("KBNvKP"),
            "KBNvK KBvKB KBvKN KBvKP KNvKN KNvKP KQvKB KQvKN KRvKB KRvKN",
            "the pawn may become a piece as it takes"
        );
        for no_table in ["KQ", "KQvQ", "QvK", "KQvKx", "", "v", "KKvK"] {
            assert_eq!(Material::parse(no_table), None, "{no_table}");
        }
    }
}
