//! Result blocks of this program and of others, as people copy them: what of a line is a count or a bound.
//!
//! | of | lines |
//! |---|---|
//! | this program | `LLR … for [0, 5] logistic: …`, `Games 1106: +514 =219 -373   pairs [44, 61, 253, 100, 95]` |
//! | OpenBench | `LLR   \| 2.95 (-2.94, 2.94) [0.00, 5.00]`, `Games \| N: 1106 W: 514 L: 373 D: 219`, `Penta \| [44, 61, 253, 100, 95]` |
//! | fastchess | `Games: 20, Wins: 9, Losses: 9, Draws: 2, …`, `Ptnml(0-2): [0, 0, 10, 0, 0], …`, `LLR: … [0.00, 10.00]` |
//! | fishtest | `LLR: 2.95 (-2.94,2.94) <0.00,2.00>`, `Total: 55000 W: 14000 L: 13800 D: 27200`, `Ptnml(0-2): 23, 5900, 15400, 6000, 30` |
//! | cutechess-cli | `Score of A vs B: 38 - 5 - 12  [0.800] 55` |

use super::counts::{self, Line};
use crate::options::RunOptions;
use crate::statistics::{Model, Pentanomial, Trinomial};

/// What one line tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    games: Option<Trinomial>,
    pairs: Option<Pentanomial>,
    /// Bounds, and the model they are of where the line says it.
    bounds: Option<([f64; 2], Option<Model>)>,
}

impl Part {
    /// What a line tells; none if it is no line of a block, or tells nothing that is needed.
    pub fn of(line: &str) -> Option<Part> {
        let part = Part { games: games(line), pairs: pairs(line), bounds: bounds(line) };
        (part != Part::default()).then_some(part)
    }
}

/// Lines of a block that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block(Part);

impl Block {
    /// Adds a line. If it tells what is told already, another block begins, and this one is returned as it was.
    pub fn add(&mut self, part: Part) -> Option<Block> {
        let Block(own) = self;
        let is_told = (own.games.is_some() && part.games.is_some())
            || (own.pairs.is_some() && part.pairs.is_some())
            || (own.bounds.is_some() && part.bounds.is_some());
        let before = is_told.then(|| std::mem::take(self));
        let Block(own) = self;
        own.games = own.games.or(part.games);
        own.pairs = own.pairs.or(part.pairs);
        own.bounds = own.bounds.or(part.bounds);
        before
    }

    /// Whether it has the counts of another one: reports give theirs in two forms.
    pub fn repeats(&self, other: &Block) -> bool {
        let same_games = self.0.games.is_none() || other.0.games.is_none() || self.0.games == other.0.games;
        same_games && self.0.pairs.is_some() && self.0.pairs == other.0.pairs
    }

    /// Its results; none if it has no counts.
    ///
    /// # Errors
    /// They do not fit together; as the end of a sentence.
    pub fn line(&self) -> Option<Result<Line, String>> {
        let Part { games, pairs, bounds } = self.0;
        if games.is_none() && pairs.is_none() {
            return None;
        }
        let (elo0, elo1) = (bounds.map(|([elo0, _], _)| elo0), bounds.map(|([_, elo1], _)| elo1));
        let test =
            RunOptions { elo0, elo1, model: bounds.and_then(|(_, model)| model), ..RunOptions::default() };
        Some(counts::results(games, pairs).map(|results| Line { results, test }))
    }
}

/// The blocks of a file, of which each is told once.
#[derive(Default)]
pub struct Blocks {
    /// Whether there are blocks, and so lines of no meaning between theirs.
    pub have_begun: bool,
    /// The one whose lines are being read, and its first line.
    block: Block,
    first: usize,
    told: Option<Block>,
}

impl Blocks {
    /// Adds what a line tells. Another block may end before it.
    pub fn add(&mut self, number: usize, part: Part) -> Option<(usize, Result<Line, String>)> {
        self.have_begun = true;
        let ended = self.block.add(part);
        let first = self.first;
        if ended.is_some() || first == 0 {
            self.first = number;
        }
        ended.and_then(|block| self.tell(first, block))
    }

    /// The block at the end of the file.
    pub fn last(&mut self) -> Option<(usize, Result<Line, String>)> {
        let block = std::mem::take(&mut self.block);
        self.tell(self.first, block)
    }

    fn tell(&mut self, first: usize, block: Block) -> Option<(usize, Result<Line, String>)> {
        let line = block.line()?;
        if self.told.as_ref().is_some_and(|told| block.repeats(told)) {
            return None;
        }
        self.told = Some(block);
        Some((first, line))
    }
}

/// The number behind a word of the line.
fn behind(line: &str, word: &str) -> Option<u64> {
    let rest = &line[line.find(word)? + word.len()..];
    let digits = rest.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn games(line: &str) -> Option<Trinomial> {
    let trinomial = |[wins, losses, draws]: [Option<u64>; 3]| {
        Some(Trinomial { wins: wins?, losses: losses?, draws: draws? })
    };
    if line.contains("Wins:") {
        return trinomial(["Wins:", "Losses:", "Draws:"].map(|word| behind(line, word)));
    }
    if line.contains(" W:") {
        return trinomial([" W:", " L:", " D:"].map(|word| behind(line, word)));
    }
    if line.contains(": +") && line.contains(" =") {
        return trinomial([": +", " -", " ="].map(|word| behind(line, word)));
    }
    let (_, score) = line.strip_prefix("Score of ")?.rsplit_once(": ")?;
    let mut numbers = score.split(['-', '[']).map(|number| number.trim().parse().ok());
    trinomial([numbers.next()?, numbers.next()?, numbers.next()?])
}

fn pairs(line: &str) -> Option<Pentanomial> {
    let starts = ["Ptnml(0-2):", "Penta |", "pairs ["];
    let (place, start) = starts.iter().find_map(|start| Some((line.find(start)?, start)))?;
    let rest = line[place + start.len()..].trim_start().trim_start_matches('[');
    let numbers = rest.split([',', ']']).map_while(|number| number.trim().parse().ok()).take(5);
    <[u64; 5]>::try_from(numbers.collect::<Vec<_>>()).ok().map(Pentanomial)
}

/// The bounds of a line that tells the LLR: the last of its brackets. fishtest's pointed ones are of the normalized model, as are those
/// of fastchess unless another model was asked for (it gives the LLR in per cent, too).
fn bounds(line: &str) -> Option<([f64; 2], Option<Model>)> {
    let line = line.trim_start();
    if !line.starts_with("LLR") {
        return None;
    }
    let start = line.rfind(['[', '<'])?;
    let is_pointed = line[start..].starts_with('<');
    let inside = line[start + 1..].split([']', '>']).next()?;
    let (elo0, elo1) = inside.split_once(',')?;
    let bounds = [elo0.trim().parse().ok()?, elo1.trim().parse().ok()?];
    let named = [Model::Logistic, Model::Normalized, Model::Bayesian]
        .into_iter()
        .find(|model| line.contains(&model.to_string()));
    let is_normalized = is_pointed || line[..start].contains('%');
    Some((bounds, named.or(is_normalized.then_some(Model::Normalized))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: Trinomial = Trinomial { wins: 514, losses: 373, draws: 219 };
    const PAIRS: Pentanomial = Pentanomial([44, 61, 253, 100, 95]);

    #[test]
    fn lines_of_every_program_are_read() {
        for line in [
            "Games 1106: +514 =219 -373",
            "Games | N: 1106 W: 514 L: 373 D: 219",
            "Games: 1106, Wins: 514, Losses: 373, Draws: 219, Points: 623.5 (56.4 %)",
            "Total: 1106 W: 514 L: 373 D: 219",
            "Score of new vs old: 514 - 373 - 219  [0.564] 1106",
        ] {
            assert_eq!(Part::of(line), Some(Part { games: Some(GAMES), ..Part::default() }), "{line}");
        }
        for line in [
            "Penta | [44, 61, 253, 100, 95]",
            "Ptnml(0-2): [44, 61, 253, 100, 95], WL/DD Ratio: 9.00",
            "Ptnml(0-2): 44, 61, 253, 100, 95",
        ] {
            assert_eq!(Part::of(line), Some(Part { pairs: Some(PAIRS), ..Part::default() }), "{line}");
        }
        let both = "new against old: +514 =219 -373   pairs [44, 61, 253, 100, 95]";
        assert_eq!(Part::of(both), Some(Part { games: Some(GAMES), pairs: Some(PAIRS), bounds: None }));
        for (line, bounds) in [
            (
                "LLR   2.95 in (-2.94, 2.94) for [0, 5] logistic: H1 accepted",
                ([0.0, 5.0], Some(Model::Logistic)),
            ),
            ("LLR   | 2.95 (-2.94, 2.94) [0.00, 5.00]", ([0.0, 5.0], None)),
            ("LLR: 2.95 (100.1%) (-2.94, 2.94) [0.00, 30.00]", ([0.0, 30.0], Some(Model::Normalized))),
            ("LLR: 2.95 (-2.94,2.94) <-1.75,0.25>", ([-1.75, 0.25], Some(Model::Normalized))),
        ] {
            assert_eq!(Part::of(line), Some(Part { bounds: Some(bounds), ..Part::default() }), "{line}");
        }
        for line in [
            "",
            "Elo   | 44.54 +- 16.35 (95%)",
            "won 3",
            "1,2,3",
            "Games 12",
            "Finished match",
            "Ptnml(0-2): 1, 2",
        ] {
            assert_eq!(Part::of(line), None, "{line}");
        }
    }

    #[test]
    fn a_block_ends_where_something_is_told_again() {
        let part = |line| Part::of(line).unwrap();
        let mut block = Block::default();
        for line in [
            "LLR: 1 (-2.94,2.94) <0,2>",
            "Total: 1106 W: 514 L: 373 D: 219",
            "Ptnml(0-2): 44, 61, 253, 100, 95",
        ] {
            assert_eq!(block.add(part(line)), None);
        }
        let whole = block.clone();
        assert_eq!(block.add(part("LLR: 2 (-2.94,2.94) <0,2>")), Some(whole.clone()));
        let line = whole.line().unwrap().unwrap();
        assert_eq!((line.test.elo1, line.test.model), (Some(2.0), Some(Model::Normalized)));
        assert!(whole.repeats(&Block(Part { pairs: Some(PAIRS), ..Part::default() })));
        assert!(block.line().is_none(), "bounds alone are no result");
    }
}
