//! Games of a run: how long they were, how they ended, what the searches did, who failed how.

use super::document::Part;
use super::svg::{Axis, Chart, Series};
use super::telemetry::{FIGURES, SideTelemetry, Unit};
use crate::game::record::{GameRecord, PairRecord, Side, Termination};
use crate::players::spec::PlayerSpec;
use engine::search::observer::Pruning;
use serde_json::{Map, Value, json};

/// Faults beyond this many are counted and not listed.
const MOST_FAULTS: usize = 20;

/// Characters shown of the evidence of one fault; the game itself has all of it.
const LONGEST_DETAIL: usize = 300;

/// Depths that a smaller share of the searches finished are not drawn: where the end is near, the last hundred plies
/// cost nothing.
const LEAST_SHARE: f64 = 0.005;

/// Bars of the picture of game lengths, about.
const LENGTH_BARS: usize = 24;

/// Sums over games between a base and a candidate, or what plays their part.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// Plies of each game.
    pub lengths: Vec<usize>,
    /// Every kind of ending that happened, with the candidate's losses, draws and wins.
    endings: Vec<(Termination, [u64; 3])>,
    /// What the base's search did.
    pub base: SideTelemetry,
    /// What the candidate's search did.
    pub candidate: SideTelemetry,
    /// The first faults.
    faults: Vec<FaultyGame>,
    /// How many there were after them.
    unlisted_faults: u64,
}

/// A game that a player lost by a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FaultyGame {
    /// The game's number in the run, from 1.
    game: u64,
    loser: Side,
    termination: Termination,
    /// The evidence.
    detail: String,
}

impl Games {
    /// Adds both games of a pair.
    pub fn add(&mut self, pair: &PairRecord) {
        for (place, game) in pair.games.iter().enumerate() {
            self.add_game(game, 2 * pair.index + place as u64 + 1);
        }
    }

    fn add_game(&mut self, game: &GameRecord, number: u64) {
        self.lengths.push(game.moves.len());
        let half_points = usize::from(game.candidate_half_points());
        match self.endings.iter_mut().find(|(termination, _)| *termination == game.termination) {
            Some((_, results)) => results[half_points] += 1,
            None => {
                let mut results = [0; 3];
                results[half_points] = 1;
                self.endings.push((game.termination, results));
            }
        }
        self.base.add(game, Side::Base);
        self.candidate.add(game, Side::Candidate);
        if let Some(loser) = game.lost_by_fault_of() {
            match self.faults.len() < MOST_FAULTS {
                true => self.faults.push(FaultyGame {
                    game: number,
                    loser,
                    termination: game.termination,
                    detail: game.detail.clone(),
                }),
                false => self.unlisted_faults += 1,
            }
        }
    }

    /// Mean length of a game, plies; none without games.
    pub fn mean_length(&self) -> Option<f64> {
        let games = self.lengths.len();
        (games > 0).then(|| self.lengths.iter().sum::<usize>() as f64 / games as f64)
    }

    /// Kinds of ending with the candidate's wins, draws and losses; the most frequent first.
    pub fn endings(&self) -> Vec<(&'static str, [u64; 3])> {
        let ending = |(termination, [lost, drawn, won]): &(Termination, [u64; 3])| {
            (termination.as_str(), [*won, *drawn, *lost])
        };
        let mut endings: Vec<_> = self.endings.iter().map(ending).collect();
        endings.sort_by_key(|(name, results)| (std::cmp::Reverse(results.iter().sum::<u64>()), *name));
        endings
    }

    /// The endings for programs.
    pub fn endings_as_json(&self) -> Value {
        let ending = |(name, [wins, draws, losses]): (&str, [u64; 3])| {
            (name.to_owned(), json!({"wins": wins, "draws": draws, "losses": losses}))
        };
        self.endings().into_iter().map(ending).collect::<Map<_, _>>().into()
    }

    /// The faults that are listed, a sentence each, with the names of base and candidate.
    pub fn faults(&self, [base, candidate]: [&str; 2]) -> Vec<String> {
        self.faults_of(|_, side| match side {
            Side::Base => base,
            Side::Candidate => candidate,
        })
    }

    /// The same where the players change from pair to pair; `name` knows who played a side of the pair of a number.
    pub fn faults_of<'a>(&self, name: impl Fn(u64, Side) -> &'a str) -> Vec<String> {
        let line = |fault: &FaultyGame| {
            let loser = name((fault.game - 1) / 2, fault.loser);
            format!("game {}: {} lost by {loser}: {}", fault.game, fault.termination, cut(&fault.detail))
        };
        self.faults.iter().map(line).collect()
    }

    /// A heading and these lines, [`Games::faults`] or alike; empty without faults.
    pub fn list_of_faults(&self, lines: Vec<String>) -> String {
        match lines.is_empty() {
            true => String::new(),
            false => format!("\n\nGames with faults\n{}", self.with_the_rest(lines).join("\n")),
        }
    }

    /// The same lines as a part of a report.
    pub fn part_of_faults(&self, lines: Vec<String>) -> Part {
        Part::List { lines: self.with_the_rest(lines), nothing: "None." }
    }

    /// These lines, and how many games are not listed.
    fn with_the_rest(&self, lines: Vec<String>) -> Vec<String> {
        let rest = (self.unlisted_faults > 0).then(|| format!("… and {} more", self.unlisted_faults));
        lines.into_iter().chain(rest).collect()
    }

    /// What happened between these two, base and candidate: the parts that every report of two players has.
    pub fn parts_of_two(&self, [base, candidate]: [&PlayerSpec; 2]) -> [Part; 9] {
        let names = [base, candidate].map(|player| player.file.as_str());
        [
            Part::Heading("How the games ended"),
            self.endings_table("the candidate"),
            Part::Heading("What the searches did"),
            Part::Text(self.missing_telemetry().unwrap_or_default()),
            self.telemetry_table(names),
            Part::Heading("What the candidate has different"),
            Part::List {
                lines: base.differences(candidate),
                nothing: "Nothing: both configurations are the same.",
            },
            Part::Heading("Faults"),
            self.part_of_faults(self.faults(names)),
        ]
    }

    /// The endings as a table; `winner` is who has won in its first column.
    pub fn endings_table(&self, winner: &str) -> Part {
        let head = ["ending", &format!("won by {winner}"), "drawn", "lost"].map(str::to_owned).to_vec();
        let row = |(name, results): (&str, [u64; 3])| {
            std::iter::once(name.to_owned()).chain(results.map(|count| count.to_string())).collect()
        };
        Part::Table { head, rows: self.endings().into_iter().map(row).collect() }
    }

    /// The search of base and candidate, which have these names, side by side.
    pub fn telemetry_table(&self, names: [&str; 2]) -> Part {
        let head = ["", names[0], names[1]].map(str::to_owned).to_vec();
        Part::Table { head, rows: side_by_side(&[&self.base, &self.candidate]) }
    }

    /// Of how many games the search's own counters are known, if not of all.
    pub fn missing_telemetry(&self) -> Option<String> {
        let counted = self.base.counted_games.min(self.candidate.counted_games);
        (counted < self.base.games).then(|| {
            format!(
                "The searches' own counters are stored for {counted} of these {} games: older versions of this \
                 program did not keep them, and external engines do not tell them.",
                self.base.games
            )
        })
    }

    /// How long the games were; none without games.
    pub fn lengths_chart(&self) -> Option<Chart> {
        let longest = *self.lengths.iter().max()?;
        let width = round_width(longest / LENGTH_BARS + 1);
        let mut bars = vec![0_u64; longest / width + 1];
        for length in &self.lengths {
            bars[length / width] += 1;
        }
        let most = bars.iter().copied().max()?;
        let x = Axis::linear("plies", 0.0, (bars.len() * width) as f64, 10);
        let mut chart = Chart::new("Length of the games", x, Axis::linear("games", 0.0, most as f64, 5));
        for (index, count) in bars.into_iter().enumerate() {
            let (from, to) = ((index * width) as f64, ((index + 1) * width) as f64);
            let gap = 0.06 * width as f64;
            chart.bar(Series::Neutral, (from + gap, to - gap), count as f64, "");
        }
        Some(chart)
    }

    /// How deep the searches came; none if nothing was counted.
    pub fn depths_chart(&self, [base, candidate]: [&str; 2]) -> Option<Chart> {
        let sides = [
            (Series::First, base, depth_points(&self.base)),
            (Series::Second, candidate, depth_points(&self.candidate)),
        ];
        let deepest = sides.iter().map(|(_, _, points)| points.len()).max().filter(|&depth| depth > 1)?;
        let x = Axis::linear("depth, plies", 0.0, deepest as f64, deepest.min(12));
        let mut chart = Chart::new("Searches that finished a depth", x, Axis::linear("%", 0.0, 100.0, 5));
        for (series, name, points) in &sides {
            chart.line(*series, points);
            chart.dots(*series, points);
            chart.name(*series, name);
        }
        Some(chart)
    }
}

/// The figures of some searches, a line for each figure, without the prunings that none of them has.
pub fn side_by_side(sides: &[&SideTelemetry]) -> Vec<Vec<String>> {
    let row = |name: String, unit: Unit, values: Vec<Option<f64>>| {
        std::iter::once(name).chain(values.into_iter().map(|value| unit.write(value))).collect()
    };
    let figures = FIGURES.iter().map(|figure| {
        row(figure.name.to_owned(), figure.unit, sides.iter().map(|side| (figure.value)(side)).collect())
    });
    let prunings = Pruning::ALL.into_iter().filter_map(|pruning| {
        let rates: Vec<_> = sides.iter().map(|side| side.pruning_rate(pruning)).collect();
        let happened = rates.iter().flatten().any(|rate| *rate > 0.0);
        happened.then(|| row(format!("{} a node", pruning.name()), Unit::Percent, rates))
    });
    figures.chain(prunings).collect()
}

/// The beginning of a text that is too long for a list.
fn cut(detail: &str) -> String {
    match detail.char_indices().nth(LONGEST_DETAIL) {
        Some((end, _)) => format!("{}…", &detail[..end]),
        None => detail.to_owned(),
    }
}

/// Each depth with the percentage of searches that finished it.
fn depth_points(side: &SideTelemetry) -> Vec<(f64, f64)> {
    let shares = side.depth_shares().into_iter().take_while(|&share| share >= LEAST_SHARE);
    (1..).map(f64::from).zip(shares.map(|share| 100.0 * share)).collect()
}

/// The next of 1, 2, 5, 10, 20, … from `width` on.
fn round_width(width: usize) -> usize {
    let powers = std::iter::successors(Some(1), |power: &usize| power.checked_mul(10));
    powers.flat_map(|power| [power, 2 * power, 5 * power]).find(|&round| round >= width).unwrap_or(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_round_widths() {
        assert_eq!([1, 3, 6, 11, 51].map(round_width), [1, 5, 10, 20, 100]);
    }
}
