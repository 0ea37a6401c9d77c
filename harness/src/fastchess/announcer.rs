//! Announcer: what is printed of every counted pair, and when. Pairs are counted in their order, several at once where an earlier
//! one was waited for: each of them gets all its lines and its block of figures, as if it had come alone.

use super::Dialect;
use super::notation::{accepted, block, hypotheses, ranking, reason, score_line, surroundings, warning};
use super::score::Score;
use super::tournament::{Report, Tournament};
use crate::game::record::{GameRecord, GameResult, PairRecord, Side, Termination};
use crate::run::latency::Latencies;
use crate::statistics::{SprtBounds, Status};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Keeps the scores and writes the lines.
pub struct Announcer {
    report: Report,
    names: Vec<String>,
    /// Limits, threads, tables and book of two engines.
    surroundings: String,
    test: Option<SprtBounds>,
    /// Games there are to be.
    games: u64,
    /// By the places of two engines, from the side of the first.
    scores: BTreeMap<[usize; 2], Score>,
    counted_games: u64,
    counted_pairs: u64,
    /// Games counted when the last block, and the last line of the score, were printed.
    last_block: Option<u64>,
    last_line: Option<u64>,
    faults: Vec<Faults>,
    /// How late the answers came, where that is to be told.
    latencies: Option<Vec<Latencies>>,
}

/// Games that an engine lost by its own faults.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    late: u64,
    crashed: u64,
}

impl Announcer {
    /// Nothing counted yet.
    pub fn new(tournament: &Tournament) -> Announcer {
        let engines = &tournament.engines;
        let book = tournament.openings.file.as_deref().unwrap_or(Path::new(""));
        Announcer {
            report: tournament.report,
            names: engines.iter().map(|engine| engine.name.clone()).collect(),
            surroundings: surroundings([&engines[0], &engines[1]], book),
            test: tournament.test().and_then(Result::ok),
            games: 2 * tournament.pairs() * tournament.pairings(),
            scores: BTreeMap::new(),
            counted_games: 0,
            counted_pairs: 0,
            last_block: None,
            last_line: None,
            faults: vec![Faults::default(); engines.len()],
            latencies: tournament.shows_latency.then(|| vec![Latencies::default(); engines.len()]),
        }
    }

    /// What is printed of a pair between these engines, by their places, the base first.
    pub fn counted(&mut self, pair: &PairRecord, [base, candidate]: [usize; 2]) -> String {
        let mut text = String::new();
        let players = [candidate, base];
        // Odd is the game in which the engine that was named first has White.
        let mut games: Vec<&GameRecord> = pair.games.iter().collect();
        games.sort_by_key(|game| self.colours(game, [base, candidate])[0] != candidate.min(base));
        for (number, game) in (2 * pair.index + 1..).zip(games) {
            self.add(game, players);
            text += &self.game(number, game, self.colours(game, [base, candidate]));
            let is_last_of_pair = number % 2 == 0;
            if is_last_of_pair {
                self.score_mut(players).add_pair(pair);
                self.counted_pairs += 1;
            }
            self.counted_games += 1;
            text += &self.due(players, is_last_of_pair);
        }
        text
    }

    /// What is printed when the run has ended: the last block, unless it was the last thing printed, who failed, and the words that
    /// end a match.
    pub fn ended(&mut self, lasted: Duration) -> String {
        let mut text = String::new();
        let players = self.scores.keys().next().copied();
        if let Some(players) = players {
            text += &self.rest(players);
        }
        let status = self.status();
        if let Some((bounds, verdict)) = self.test.zip(status.and_then(|status| status.verdict)) {
            text += &match self.report.dialect {
                Dialect::Cutechess => "Tournament finished\n".to_owned(),
                Dialect::Fastchess => {
                    format!("SPRT ({}) completed - {} was accepted\n", hypotheses(&bounds), accepted(verdict))
                }
            };
        }
        if self.report.dialect == Dialect::Fastchess {
            text += &self.faults();
        }
        let latencies = self.names.iter().zip(self.latencies.iter().flatten());
        text += &latencies
            .filter_map(|(name, latencies)| latencies.of(name))
            .map(|latency| format!("Latency {latency}\n"))
            .collect::<String>();
        let seconds = lasted.as_secs();
        let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        text + &format!(
            "Finished match\nTotal Time: {hours:02}:{minutes:02}:{seconds:02} (hours:minutes:seconds)\n\n"
        )
    }

    /// White and Black of a game, by their places.
    fn colours(&self, game: &GameRecord, [base, candidate]: [usize; 2]) -> [usize; 2] {
        match game.white {
            Side::Base => [base, candidate],
            Side::Candidate => [candidate, base],
        }
    }

    fn score_mut(&mut self, players: [usize; 2]) -> &mut Score {
        self.scores.entry(players).or_default()
    }

    fn add(&mut self, game: &GameRecord, players: [usize; 2]) {
        self.score_mut(players).add_game(game.candidate_half_points());
        let [candidate, base] = players;
        if let Some(latencies) = &mut self.latencies {
            latencies[base].add(game, Side::Base);
            latencies[candidate].add(game, Side::Candidate);
        }
        let Some(loser) = game.lost_by_fault_of() else { return };
        let faults = &mut self.faults[if loser == Side::Candidate { candidate } else { base }];
        match game.termination {
            Termination::TimeForfeit => faults.late += 1,
            Termination::Crash | Termination::Stall => faults.crashed += 1,
            _ => {}
        }
    }

    /// That a game began, and how it ended.
    fn game(&self, number: u64, game: &GameRecord, colours: [usize; 2]) -> String {
        let [white, black] = colours.map(|place| self.names[place].as_str());
        let loser = match game.result {
            GameResult::WhiteWins => black,
            _ => white,
        };
        format!(
            "Started game {number} of {} ({white} vs {black})\n{}Finished game {number} ({white} vs {black}): {} {{{}}}\n",
            self.games,
            warning(game, loser).unwrap_or_default(),
            game.result,
            reason(game)
        )
    }

    /// The line of the score and the block of figures, where they are due after a game.
    fn due(&mut self, players: [usize; 2], is_last_of_pair: bool) -> String {
        let Report { dialect, penta, rating_interval, score_interval } = self.report;
        let is_last = self.counted_games == self.games;
        let is_due =
            |interval: Option<u64>, count: u64| interval.is_some_and(|every| count.is_multiple_of(every));
        let mut text = String::new();
        if dialect == Dialect::Cutechess && (is_last || is_due(score_interval, self.counted_games)) {
            text += &self.line(players);
        }
        let is_rated = match penta {
            true => is_last_of_pair && is_due(rating_interval, self.counted_pairs),
            false => is_due(rating_interval, self.counted_games),
        };
        if is_rated || is_last {
            text += &self.block(players);
        }
        text
    }

    /// What was not yet printed of all that was counted.
    fn rest(&mut self, players: [usize; 2]) -> String {
        let now = Some(self.counted_games);
        let mut text = String::new();
        if self.report.dialect == Dialect::Cutechess && self.last_line != now {
            text += &self.line(players);
        }
        if self.last_block != now {
            text += &self.block(players);
        }
        text
    }

    fn line(&mut self, players: [usize; 2]) -> String {
        self.last_line = Some(self.counted_games);
        let score = self.scores.get(&players).copied().unwrap_or_default();
        score_line(players.map(|place| self.names[place].as_str()), &score)
    }

    fn block(&mut self, players: [usize; 2]) -> String {
        self.last_block = Some(self.counted_games);
        let Report { dialect, penta, .. } = self.report;
        if self.names.len() > 2 {
            let scores: Vec<_> =
                self.names.iter().enumerate().map(|(place, name)| (name.as_str(), self.all(place))).collect();
            return ranking((dialect, penta), &scores);
        }
        let score = self.scores.get(&players).copied().unwrap_or_default();
        let status = self.status();
        let test = self.test.as_ref().zip(status.as_ref());
        block(
            (dialect, penta),
            players.map(|place| self.names[place].as_str()),
            &self.surroundings,
            &score,
            test,
        )
    }

    /// Where the test stands.
    fn status(&self) -> Option<Status> {
        let score = self.scores.values().next().copied().unwrap_or_default();
        Some(self.test?.evaluate(&score.pairs, &score.games))
    }

    /// The score of an engine against all others.
    fn all(&self, place: usize) -> Score {
        let of = |(players, score): (&[usize; 2], &Score)| match *players {
            [first, _] if first == place => Some(*score),
            [_, second] if second == place => Some(score.mirrored()),
            _ => None,
        };
        self.scores.iter().filter_map(of).fold(Score::default(), |sum, score| sum.and(&score))
    }

    fn faults(&self) -> String {
        let failed =
            self.names.iter().zip(&self.faults).filter(|(_, faults)| faults.late + faults.crashed > 0);
        let lines: String = failed
            .map(|(name, Faults { late, crashed })| {
                format!("Player: {name}\n  Timeouts: {late}\n  Crashed: {crashed}\n")
            })
            .collect();
        if lines.is_empty() { lines } else { format!("\n{lines}\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fastchess::options::{Request, read};
    use crate::game::record::Telemetry;

    /// The announcer of a command line.
    fn announcer(line: &str) -> Announcer {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let Request::Play(tournament) = read(&words, Dialect::Fastchess).unwrap() else { panic!("{line}") };
        Announcer::new(&tournament)
    }

    /// A pair by the results of the candidate's game with White and of that with Black.
    fn pair(index: u64, results: [&str; 2]) -> PairRecord {
        let game = |white, result: &str| GameRecord {
            opening: String::new(),
            white,
            moves: Vec::new(),
            result: result.parse::<GameResult>().unwrap(),
            termination: Termination::Checkmate,
            detail: String::new(),
            telemetry: Telemetry::default(),
            details: None,
        };
        PairRecord { index, games: [game(Side::Candidate, results[0]), game(Side::Base, results[1])] }
    }

    const TWO: &str =
        "-engine cmd=a name=A -engine cmd=b name=B -each nodes=9 -openings file=b.epd -rounds 6";

    /// How many games were counted at each block.
    fn blocks(text: &str) -> Vec<u64> {
        text.lines()
            .filter_map(|line| line.strip_prefix("Games: "))
            .map(|line| line.split(',').next().unwrap().parse().unwrap())
            .collect()
    }

    #[test]
    fn a_block_after_every_pair_that_is_due() {
        for (interval, expected) in [
            (1, vec![2, 4, 6, 8, 10, 12]),
            (2, vec![4, 8, 12]),
            (4, vec![8, 12]),
            (0, vec![12]),
            (9, vec![12]),
        ] {
            let mut announcer = announcer(&format!("{TWO} -ratinginterval {interval}"));
            let pairs = (0..6).map(|index| announcer.counted(&pair(index, ["1-0", "1/2-1/2"]), [1, 0]));
            let text: String = pairs.collect();
            assert_eq!(blocks(&text), expected, "{interval}: {text}");
            assert_eq!(blocks(&announcer.ended(Duration::ZERO)), [0; 0], "the last block is not repeated");
        }
    }

    #[test]
    fn a_run_that_ends_early_has_its_last_block() {
        let mut announcer = announcer(&format!("{TWO} -ratinginterval 4"));
        let first = announcer.counted(&pair(0, ["1-0", "0-1"]), [1, 0]);
        assert_eq!(blocks(&first), [0; 0]);
        let ended = announcer.ended(Duration::from_secs(3725));
        assert_eq!(blocks(&ended), [2]);
        assert!(
            ended.ends_with("Finished match\nTotal Time: 01:02:05 (hours:minutes:seconds)\n\n"),
            "{ended}"
        );
    }

    #[test]
    fn odd_games_are_those_of_the_first_engine_with_white() {
        let mut announcer = announcer(TWO);
        let text = announcer.counted(&pair(2, ["1-0", "1/2-1/2"]), [1, 0]);
        assert!(text.contains("Finished game 5 (A vs B): 1-0 {White mates}\n"), "{text}");
        assert!(text.contains("Finished game 6 (B vs A): 1/2-1/2 {"), "{text}");
        // The candidate may be the one named second.
        let text = announcer.counted(&pair(3, ["0-1", "1/2-1/2"]), [0, 1]);
        assert!(text.contains("Finished game 7 (A vs B): 1/2-1/2 {"), "{text}");
        assert!(text.contains("Finished game 8 (B vs A): 0-1 {Black mates}\n"), "{text}");
    }

    #[test]
    fn games_count_where_pairs_do_not() {
        let mut announcer = announcer(&format!("{TWO} -report penta=false -ratinginterval 3"));
        let text: String =
            (0..6).map(|index| announcer.counted(&pair(index, ["1-0", "1-0"]), [1, 0])).collect();
        assert_eq!(blocks(&text), [3, 6, 9, 12]);
        assert!(!text.contains("Ptnml") && !text.contains("PairsRatio"), "{text}");
    }

    #[test]
    fn a_table_of_more_than_two() {
        let line = "-engine cmd=a name=A -engine cmd=b name=B -engine cmd=c name=C -each nodes=9 -rounds 1 -ratinginterval 3";
        let mut announcer = announcer(line);
        let mut text = String::new();
        for (index, players) in [(0, [1, 0]), (1, [2, 0]), (2, [2, 1])] {
            text += &announcer.counted(&pair(index, ["1/2-1/2", "0-1"]), players);
        }
        let table: Vec<Vec<&str>> = text
            .lines()
            .skip_while(|line| !line.starts_with("Rank"))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(
            table[0],
            ["Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"]
        );
        assert_eq!([&table[1][..2], &table[2][..2], &table[3][..2]], [["1", "A"], ["2", "B"], ["3", "C"]]);
        assert_eq!((table[1][6], table[1][7]), ("4", "75.0%"));
    }
}
