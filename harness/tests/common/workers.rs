//! What workers of OpenBench (Client/worker.py, GPL-3.0) and fishtest (worker/games.py) make of what a match runner prints, written
//! anew from what they look for.

use std::collections::BTreeMap;

/// What an OpenBench worker has counted, from the side of the first engine.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OpenBench {
    /// Losses, draws, wins.
    pub trinomial: [u64; 3],
    /// LL, LD, DD or WL, WD, WW.
    pub pentanomial: [u64; 5],
    pub crashes: u64,
    pub time_losses: u64,
    pub illegal_moves: u64,
    waiting: BTreeMap<u64, String>,
}

impl OpenBench {
    /// Reads the lines up to the first empty one, where the worker stops.
    pub fn read(out: &str) -> OpenBench {
        let mut read = OpenBench::default();
        let lines = out.lines().map(str::trim).take_while(|line| !line.is_empty());
        lines.filter(|line| line.contains("Finished game")).for_each(|line| read.game(line));
        assert_eq!(read.waiting, BTreeMap::new(), "half a pair: {out}");
        read
    }

    fn game(&mut self, line: &str) {
        let reason = line.split(':').nth(1).unwrap();
        self.crashes += u64::from(reason.contains("disconnect") || reason.contains("stalls"));
        self.time_losses += u64::from(reason.contains("on time"));
        self.illegal_moves += u64::from(reason.contains("illegal"));
        // Number and result by the place of the words: names have no blanks.
        let words: Vec<&str> = line.split_whitespace().collect();
        let number: u64 = words[2].parse().unwrap();
        let other = if number % 2 == 1 { number + 1 } else { number - 1 };
        let Some(of_other) = self.waiting.remove(&other) else {
            self.waiting.insert(number, words[6].to_owned());
            return;
        };
        let (odd, even) =
            if number % 2 == 1 { (words[6], of_other.as_str()) } else { (of_other.as_str(), words[6]) };
        let half_points =
            |result| ["0-1", "1/2-1/2", "1-0"].iter().position(|known| *known == result).unwrap();
        let (first, second) = (half_points(odd), 2 - half_points(even));
        self.trinomial[first] += 1;
        self.trinomial[second] += 1;
        self.pentanomial[first + second] += 1;
    }
}

/// What a fishtest worker has reported.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Fishtest {
    /// Games of the blocks that were sent.
    pub reported: Vec<u64>,
    /// Wins, losses, draws of the last block.
    pub results: [u64; 3],
    pub pentanomial: [u64; 5],
    pub crashes: u64,
    pub time_losses: u64,
    /// The match ended with all of its games reported.
    pub is_clean: bool,
    /// Lines on which it gives the test up.
    pub errors: Vec<String>,
    pub crc32: Option<String>,
}

impl Fishtest {
    /// Reads both outputs of a match of so many games, which are reported in batches.
    pub fn read(out: &str, err: &str, games: u64, batch: u64) -> Fishtest {
        let mut read = Fishtest::default();
        let mut results = None;
        for line in out.lines().chain(err.lines()).map(str::trim) {
            if line.contains("has CRC32:") {
                read.crc32 = line.split_whitespace().last().map(str::to_owned);
            }
            if line.contains("Finished match") {
                read.is_clean = read.reported.last() == Some(&games);
            }
            if line.contains("Warning; Illegal move") {
                read.errors.push(line.to_owned());
            }
            read.crashes += u64::from(line.contains("disconnect") || line.contains("stall"));
            read.time_losses += u64::from(line.contains("on time") || line.contains("timeout"));
            results =
                numbers(line, &["Games: ", ", Wins: ", ", Losses: ", ", Draws: ", ", Points: "]).or(results);
            let Some(pairs) = numbers(line, &["Ptnml(0-2): [", ", ", ", ", ", ", ", "]) else { continue };
            let [counted, wins, losses, draws, _] =
                results.take().expect("the games stand before the pairs")[..]
            else {
                panic!("{line}");
            };
            read.pentanomial = pairs.try_into().unwrap();
            read.results = [wins, losses, draws];
            // A block of anything else than whole batches is an error, and one within a batch is passed over.
            let before = read.reported.last().copied().unwrap_or(0);
            assert_eq!(counted, wins + losses + draws);
            assert_eq!(counted, 2 * read.pentanomial.iter().sum::<u64>());
            assert!(counted <= before + batch && counted <= games, "{counted} after {before}");
            if counted == before + batch || counted == games {
                read.reported.push(counted);
            }
        }
        read
    }
}

/// The whole numbers that follow these words, one directly after the other.
fn numbers(line: &str, words: &[&str]) -> Option<Vec<u64>> {
    let mut rest = &line[line.find(words[0])?..];
    let mut found = Vec::new();
    for word in words {
        rest = rest.strip_prefix(word)?;
        let digits = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
        found.push(rest[..digits].parse().ok()?);
        rest = &rest[digits..];
    }
    Some(found)
}
